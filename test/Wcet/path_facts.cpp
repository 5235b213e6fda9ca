// Facts along ways through code against runs of the same code: random
// instructions with random values. What holds on the way that a run takes must
// be true of the run, whatever was forgotten or joined on it. And a wrong fact
// must be noticed: the same with a branch told the wrong way round, with
// registers that are said to hold something else, and with the entry of a loop
// to which one of the ways is not told.
//
// path-facts [SEQUENCES]
#include "compiler/Wcet/PathFacts.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace llvm;
using namespace spinc;
using isa::Opcode;
using wcet::PathFacts;

namespace {

enum class Fault { None, Branch, Entry, Lost };

class Trial {
public:
  Trial(uint64_t seed, Fault fault) : random(seed), fault(fault) {}
  /// Whether the facts are true of the run.
  bool run();

private:
  static constexpr unsigned kFirst = 5, kRegisters = 6, kLength = 14;

  uint64_t below(uint64_t limit) { return random() % limit; }
  uint8_t reg() { return uint8_t(below(8) ? kFirst + below(kRegisters) : 0); }
  uint32_t number();
  void compute();
  void branch();
  void forgetOrJoin();
  void enter();
  bool isTrue(const PathFacts &facts) const;
  uint32_t evaluate(const isa::Insn &insn) const;

  std::mt19937_64 random;
  const Fault fault;
  uint32_t regs[32] = {}, start[32] = {};
  uint32_t place = 0x1000;
  std::vector<PathFacts> ways;
};

uint32_t Trial::number() {
  static const uint32_t few[] = {0, 1, 2, 3, 4, 7, 15, 255, ~0u, 0x80000000};
  return below(6) ? few[below(std::size(few))] : uint32_t(random());
}

uint32_t Trial::evaluate(const isa::Insn &insn) const {
  uint32_t a = regs[insn.rs1], b = regs[insn.rs2], imm = uint32_t(insn.imm);
  auto s = [](uint32_t value) { return int32_t(value); };
  switch (insn.op) {
  case Opcode::Addi:
    return a + imm;
  case Opcode::Add:
    return a + b;
  case Opcode::Sub:
    return a - b;
  case Opcode::Andi:
    return a & imm;
  case Opcode::And:
    return a & b;
  case Opcode::Ori:
    return a | imm;
  case Opcode::Or:
    return a | b;
  case Opcode::Xori:
    return a ^ imm;
  case Opcode::Xor:
    return a ^ b;
  case Opcode::Slli:
    return a << imm;
  case Opcode::Srli:
    return a >> imm;
  case Opcode::Srai:
    return uint32_t(s(a) >> imm);
  case Opcode::Slt:
    return s(a) < s(b);
  case Opcode::Slti:
    return s(a) < s(imm);
  case Opcode::Sltu:
    return a < b;
  case Opcode::Sltiu:
    return a < imm;
  case Opcode::PSlet:
    return s(a) <= s(b);
  case Opcode::PSletu:
    return a <= b;
  case Opcode::PMin:
    return uint32_t(std::min(s(a), s(b)));
  case Opcode::PMinu:
    return std::min(a, b);
  case Opcode::PMax:
    return uint32_t(std::max(s(a), s(b)));
  case Opcode::PMaxu:
    return std::max(a, b);
  case Opcode::PExtbz:
    return uint8_t(a);
  case Opcode::PExthz:
    return uint16_t(a);
  default:
    return a * b; // Mul
  }
}

void Trial::compute() {
  static const Opcode opcodes[] = {
      Opcode::Addi,   Opcode::Addi,   Opcode::Add,   Opcode::Add,
      Opcode::Sub,    Opcode::Andi,   Opcode::And,   Opcode::Ori,
      Opcode::Or,     Opcode::Xori,   Opcode::Xor,   Opcode::Slli,
      Opcode::Srli,   Opcode::Srai,   Opcode::Slt,   Opcode::Slti,
      Opcode::Sltu,   Opcode::Sltiu,  Opcode::PSlet, Opcode::PSletu,
      Opcode::PMin,   Opcode::PMinu,  Opcode::PMax,  Opcode::PMaxu,
      Opcode::PExtbz, Opcode::PExthz, Opcode::Mul};
  wcet::Site site{place, {}};
  place += 4;
  isa::Insn &insn = site.insn;
  insn.op = opcodes[below(std::size(opcodes))];
  insn.length = 4;
  insn.rd = reg();
  insn.rs1 = reg();
  isa::Format format = isa::info(insn.op).format;
  if (format == isa::Format::R)
    insn.rs2 = reg();
  if (format == isa::Format::I)
    insn.imm = int32_t(number() << 20) >> 20;
  if (format == isa::Format::IShift)
    insn.imm = int32_t(below(32));
  uint32_t value = evaluate(insn);
  // Nothing else says anything about the result, or it is known well.
  ConstantRange result = ConstantRange::getFull(32);
  if (below(3) == 0)
    result = ConstantRange(APInt(32, value), APInt(32, value) + 1 + below(9));
  std::vector<PathFacts> behind;
  for (PathFacts &way : ways)
    if (way.step(site, result, behind))
      behind.push_back(std::move(way));
  ways = std::move(behind);
  if (insn.rd != 0)
    regs[insn.rd] = value;
}

void Trial::branch() {
  static const Opcode opcodes[] = {
      Opcode::Beq,  Opcode::Bne,  Opcode::Blt,     Opcode::Bge,
      Opcode::Bltu, Opcode::Bgeu, Opcode::PBeqimm, Opcode::PBneimm};
  isa::Insn insn;
  insn.op = opcodes[below(std::size(opcodes))];
  insn.rs1 = reg();
  uint32_t a = regs[insn.rs1], b = 0;
  if (isa::info(insn.op).format == isa::Format::BImm) {
    insn.imm2 = int32_t(below(32)) - 16;
    b = uint32_t(insn.imm2);
  } else {
    insn.rs2 = reg();
    b = regs[insn.rs2];
  }
  bool taken = false;
  switch (insn.op) {
  case Opcode::Beq:
  case Opcode::PBeqimm:
    taken = a == b;
    break;
  case Opcode::Bne:
  case Opcode::PBneimm:
    taken = a != b;
    break;
  case Opcode::Blt:
    taken = int32_t(a) < int32_t(b);
    break;
  case Opcode::Bge:
    taken = int32_t(a) >= int32_t(b);
    break;
  case Opcode::Bltu:
    taken = a < b;
    break;
  default:
    taken = a >= b;
    break;
  }
  if (fault == Fault::Branch)
    taken = !taken;
  erase_if(ways, [&](PathFacts &way) { return !way.assume(insn, taken); });
}

void Trial::forgetOrJoin() {
  place += 8; // its own, also behind it
  const uint32_t here = place - 4;
  uint32_t some = uint32_t(random()) | uint32_t(random());
  switch (below(3)) {
  case 0:
    for (PathFacts &way : ways)
      way.keep(some, here);
    break;
  case 1:
    // What they are now is known to nobody.
    for (PathFacts &way : ways)
      way.forget(~some, here);
    for (unsigned reg = kFirst; reg < kFirst + kRegisters; ++reg)
      if (!(some >> reg & 1))
        regs[reg] = number();
    break;
  default:
    while (ways.size() > 1) {
      ways.front().join(ways.back(), here);
      ways.pop_back();
    }
    break;
  }
}

/// All ways are at the entry of another part.
void Trial::enter() {
  if (fault == Fault::Lost && ways.size() > 1)
    ways.pop_back();
  wcet::RegisterRanges known(32, ConstantRange::getFull(32));
  for (unsigned reg = kFirst; reg < kFirst + kRegisters; ++reg)
    if (below(8) == 0)
      known[reg] =
          ConstantRange(APInt(32, regs[reg]), APInt(32, regs[reg]) + 20);
  uint32_t told = uint32_t(random()) | uint32_t(random());
  ways = {PathFacts::atEntry(ways, told, known)};
  copy(regs, start);
}

bool Trial::isTrue(const PathFacts &facts) const {
  for (unsigned reg = 0; reg < 32; ++reg) {
    if (!facts.range(reg).contains(APInt(32, regs[reg])))
      return false;
    std::optional<ConstantRange> progress = facts.progress(reg);
    if (progress && !progress->contains(APInt(32, regs[reg] - start[reg])))
      return false;
  }
  return true;
}

bool Trial::run() {
  wcet::RegisterRanges ranges(32, ConstantRange::getFull(32));
  for (unsigned reg = kFirst; reg < kFirst + kRegisters; ++reg) {
    regs[reg] = start[reg] = number();
    uint32_t said = regs[reg] + (fault == Fault::Entry ? 64 : 0);
    if (below(2))
      ranges[reg] =
          ConstantRange(APInt(32, said), APInt(32, said) + 1 + below(20));
  }
  ways.emplace_back(ranges);
  for (unsigned i = 0; i < kLength; ++i) {
    uint64_t what = below(17);
    if (what < 8)
      compute();
    else if (what < 14)
      branch();
    else if (what < 16)
      forgetOrJoin();
    else
      enter();
  }
  return any_of(ways, [&](const PathFacts &way) { return isTrue(way); });
}

} // namespace

int main(int argc, char **argv) {
  uint64_t sequences = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20000;
  for (auto [fault, name] : {std::make_pair(Fault::None, "true"),
                             {Fault::Branch, "wrong branches"},
                             {Fault::Entry, "wrong values"},
                             {Fault::Lost, "lost ways"}}) {
    uint64_t wrong = 0;
    for (uint64_t seed = 0; seed < sequences; ++seed)
      if (!Trial(seed, fault).run()) {
        if (fault == Fault::None && wrong == 0)
          outs() << "first at seed " << seed << "\n";
        ++wrong;
      }
    outs() << name << ": " << wrong << " of " << sequences
           << " sequences noticed\n";
  }
  return 0;
}
