// What an instruction does to the facts of a way: PathFacts.h.
#include "compiler/Wcet/PathFacts.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

using isa::Opcode;

static ConstantRange single(uint32_t value) {
  return ConstantRange(APInt(32, value));
}

/// The range under a mask. One that clears low bits only, as far as the range
/// has bits, keeps the order.
static ConstantRange maskRange(const ConstantRange &range, uint32_t mask) {
  ConstantRange masked = range.binaryAnd(single(mask));
  uint32_t most = uint32_t(range.getUnsignedMax().getZExtValue());
  uint32_t cleared = ~mask & uint32_t(maskTrailingOnes<uint64_t>(
                                 unsigned(64 - countl_zero(uint64_t(most)))));
  if (!isMask_32(cleared))
    return masked;
  uint32_t least = uint32_t(range.getUnsignedMin().getZExtValue()) & mask;
  return masked.intersectWith(
      ConstantRange::getNonEmpty(APInt(32, least), APInt(32, most & mask) + 1));
}

/// Operations on ranges alone; the range of the result.
static std::optional<ConstantRange> computeRange(const isa::Insn &insn,
                                                 const ConstantRange &a,
                                                 const ConstantRange &b) {
  ConstantRange imm = single(uint32_t(insn.imm));
  switch (insn.op) {
  case Opcode::Add:
    return a.add(b);
  case Opcode::Sub:
    return a.sub(b);
  case Opcode::Andi:
    return maskRange(a, uint32_t(insn.imm));
  case Opcode::And:
    return a.binaryAnd(b);
  case Opcode::Ori:
    return a.binaryOr(imm);
  case Opcode::Or:
    return a.binaryOr(b);
  case Opcode::Xori:
    return a.binaryXor(imm);
  case Opcode::Xor:
    return a.binaryXor(b);
  case Opcode::Slli:
    return a.shl(imm);
  case Opcode::Srli:
    return a.lshr(imm);
  case Opcode::Srai:
    return a.ashr(imm);
  case Opcode::PMinu:
    return a.umin(b);
  case Opcode::PMaxu:
    return a.umax(b);
  case Opcode::PMin:
    return a.smin(b);
  case Opcode::PMax:
    return a.smax(b);
  default:
    break;
  }
  switch (isa::info(insn.op).kind) {
  case isa::Kind::LoadB:
  case isa::Kind::PostLoadB:
    return ConstantRange(APInt(32, uint64_t(-128), true), APInt(32, 128));
  case isa::Kind::LoadH:
  case isa::Kind::PostLoadH:
    return ConstantRange(APInt(32, uint64_t(-32768), true), APInt(32, 32768));
  default:
    return std::nullopt;
  }
}

/// The value of the instruction's register as a sum, or one value that is
/// fresh, in `range`.
PathFacts::Form PathFacts::computed(const Site &site,
                                    ConstantRange &range) const {
  const isa::Insn &insn = site.insn;
  const Form &a = forms[insn.rs1], &b = forms[insn.rs2];
  const Form fresh{{symbolOf(insn.rd, site.address), 0}, 0};
  ConstantRange left = rangeOf(a), right = rangeOf(b);
  auto is = [](const ConstantRange &range, uint32_t value) {
    return range == single(value);
  };
  // The low bits of something that has no others.
  auto below = [](const ConstantRange &range, uint32_t mask) {
    return isPowerOf2_64(uint64_t(mask) + 1) &&
           range.getUnsignedMax().ule(mask);
  };
  switch (insn.op) {
  case Opcode::Lui:
    return Form{{}, uint32_t(insn.imm)};
  case Opcode::Addi:
    return Form{a.symbols, a.offset + uint32_t(insn.imm)};
  case Opcode::Add:
    if (std::optional<Form> both = sum(a, b))
      return *both;
    break;
  case Opcode::Sub:
    if (b.isConstant())
      return Form{a.symbols, a.offset - b.offset};
    if (a.symbols == b.symbols)
      return Form{{}, a.offset - b.offset};
    break;
  case Opcode::Or:
  case Opcode::Xor:
    if (is(left, 0))
      return b;
    if (is(right, 0))
      return a;
    break;
  case Opcode::And:
    if (is(left, ~0u))
      return b;
    if (is(right, ~0u))
      return a;
    break;
  case Opcode::Andi:
    if (below(left, uint32_t(insn.imm)))
      return a;
    break;
  case Opcode::PExtbz:
    if (below(left, 0xff))
      return a;
    break;
  case Opcode::PExthz:
    if (below(left, 0xffff))
      return a;
    break;
  default:
    break;
  }
  if (std::optional<ConstantRange> known = computeRange(insn, left, right))
    range = range.intersectWith(*known);
  return fresh;
}

static bool isComparison(Opcode op) {
  switch (op) {
  case Opcode::Slt:
  case Opcode::Slti:
  case Opcode::Sltu:
  case Opcode::Sltiu:
  case Opcode::PSlet:
  case Opcode::PSletu:
    return true;
  default:
    return false;
  }
}

static CmpInst::Predicate comparisonOf(Opcode op) {
  switch (op) {
  case Opcode::Slt:
  case Opcode::Slti:
    return CmpInst::ICMP_SLT;
  case Opcode::PSlet:
    return CmpInst::ICMP_SLE;
  case Opcode::PSletu:
    return CmpInst::ICMP_ULE;
  default:
    return CmpInst::ICMP_ULT;
  }
}

/// A comparison: its result is known on either way.
bool PathFacts::stepComparison(const Site &site,
                               std::vector<PathFacts> &others) {
  const isa::Insn &insn = site.insn;
  const CmpInst::Predicate asked = comparisonOf(insn.op);
  const Form left = forms[insn.rs1];
  Form right = forms[insn.rs2];
  if (isa::info(insn.op).format == isa::Format::I)
    right = Form{{}, uint32_t(insn.imm)};
  PathFacts fails = *this;
  bool mayFail = fails.assume(CmpInst::getInversePredicate(asked), left, right);
  bool mayHold = assume(asked, left, right);
  write(insn.rd, Form{{}, 1});
  fails.write(insn.rd, Form{{}, 0});
  if (mayFail && mayHold)
    others.push_back(std::move(fails));
  else if (mayFail)
    *this = std::move(fails);
  return mayFail || mayHold;
}

bool PathFacts::step(const Site &site, const ConstantRange &result,
                     std::vector<PathFacts> &others) {
  const isa::Insn &insn = site.insn;
  if (isComparison(insn.op))
    return stepComparison(site, others);
  uint32_t written =
      insn.op == Opcode::Invalid ? ~0u : isa::registersWritten(insn) & ~1u;
  bool writesOne = written == uint32_t(1) << insn.rd;
  // Of what the registers held before.
  ConstantRange range = result;
  Form form = writesOne ? computed(site, range) : Form();
  forget(written, site.address);
  if (writesOne && form.symbols[0] == symbolOf(insn.rd, site.address))
    writeFresh(insn.rd, site.address, range);
  else if (writesOne)
    write(insn.rd, form);
  return true;
}
