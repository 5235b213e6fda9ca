// Every word is an instruction of the table, with a cost and a text, or none:
// what the decoder says is compared with a search through all rows.
// decode-all [stride [pspin|corev]]: every stride-th of the 2^30 words that end
// in 11, all by default, and every 16-bit form; on all cores. Behind a 16-bit
// form the next instruction begins: the upper half of its word must not matter,
// which is tried with some. Each word that is compared is also executed: it
// must do something or trap, and leave the core sane. For tests only.
#include "runtime/isa/Timing.h"
#include "runtime/sim/Core.h"
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <thread>
#include <tuple>

using namespace spinc;
using namespace spinc::sim;

namespace {

constexpr uint32_t base = PSPIN_PROGRAM_BASE, codeBytes = 64;
/// So many words are decoded for one that is searched for and executed.
constexpr uint64_t closer = 1021;

/// No memory at all.
class NoBus : public Bus {
  BusResult load(Core &, uint32_t, unsigned, uint32_t &) override {
    return BusResult::Fault;
  }
  BusResult store(Core &, uint32_t, unsigned, uint32_t) override {
    return BusResult::Fault;
  }
  BusResult atomic(Core &, uint32_t, bool, uint8_t *&) override {
    return BusResult::Fault;
  }
};

isa::InstructionSet set = isa::InstructionSet::Pspin;

bool is(uint32_t word, isa::Opcode op) {
  return (word & isa::info(op).mask) == isa::matchOf(op, set);
}

isa::Opcode search(uint32_t word) {
  for (unsigned op = 0; op < isa::numOpcodes; ++op)
    if (is(word, isa::Opcode(op)))
      return isa::Opcode(op);
  return isa::Opcode::Invalid;
}

std::atomic<uint64_t> validWords{0}, validHalves{0}, failures{0};

void complain(uint32_t word, const char *what) {
  if (failures++ < 10)
    std::cerr << std::hex << word << ": " << what << '\n';
}

/// One step from a state with known registers.
void execute(uint32_t word, bool isValid) {
  uint8_t code[codeBytes] = {};
  std::memcpy(code, &word, sizeof word);
  Program program(base, code, codeBytes, set);
  NoBus bus;
  Core core(program, bus, 0);
  uint8_t memory[smallestWindow] = {};
  for (unsigned i = 0; i < 2; ++i)
    core.windows[i] =
        core.storeWindows[i] = {PSPIN_L1_ALIAS, smallestWindow - 4, memory};
  core.pc = base;
  for (unsigned i = 1; i < 32; ++i)
    core.regs[i] = PSPIN_L1_ALIAS + 64 * i;
  Stop stop = core.step();
  if (!isValid && stop != Stop::Trap)
    complain(word, "no instruction, and did not trap");
  if (stop == Stop::Trap ? core.trap.cause == 0 && word != 0
                         : core.instructions != 1)
    complain(word, "neither executed nor trapped");
  if (core.regs[0] != 0)
    complain(word, "changed register x0");
}

/// Returns whether it is an instruction.
bool check(uint32_t word, bool closely) {
  isa::Insn insn;
  bool isValid =
      isa::decode(word, insn, set) && insn.op != isa::Opcode::Invalid;
  if (isValid) {
    unsigned cost = isa::baseCost(insn);
    // What stops the core for ever has none.
    if (!isa::isHang(insn, set) && (cost == 0 || cost > isa::divideWorst))
      complain(word, "has no cost");
    if ((word & 3) == 3 && !is(word, insn.op))
      complain(word, "is not what it was decoded as");
  }
  if (!closely)
    return isValid;
  if ((word & 3) == 3 &&
      search(word) != (isValid ? insn.op : isa::Opcode::Invalid))
    complain(word, "is decoded as another row than the first that matches");
  if (isa::disassemble(insn, base).empty())
    complain(word, "has no text");
  execute(word, isValid);
  return isValid;
}

auto fields(const isa::Insn &insn) {
  return std::tie(insn.op, insn.rd, insn.rs1, insn.rs2, insn.rs3, insn.length,
                  insn.imm, insn.imm2, insn.word);
}

/// A 16-bit form, whatever follows it.
void checkHalf(uint32_t half, std::minstd_rand &random) {
  isa::Insn alone, insn;
  bool isValid = check(half, true);
  isa::decode(half, alone, set);
  validHalves += isValid;
  for (unsigned bit = 16; bit < 64; ++bit) {
    uint32_t upper = bit < 32 ? 1u << bit : uint32_t(random()) << 16;
    if (isa::decode(upper | half, insn, set) != isValid ||
        fields(insn) != fields(alone))
      complain(upper | half, "depends on what follows it");
  }
}

} // namespace

int main(int argc, char **argv) {
  uint64_t stride = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1;
  if (argc > 2)
    set = *isa::instructionSetOf(argv[2]);
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (unsigned job = 0; job < jobs; ++job)
    threads.emplace_back([=] {
      uint64_t instructions = 0;
      for (uint64_t n = job; n * stride < 1ull << 30; n += jobs)
        instructions += check(uint32_t(n * stride) << 2 | 3, n % closer == 0);
      validWords += instructions;
      std::minstd_rand random(job + 1);
      for (uint32_t half = job; half < 1 << 16; half += jobs)
        if ((half & 3) != 3)
          checkHalf(half, random);
    });
  for (std::thread &thread : threads)
    thread.join();
  std::cout << std::dec << validWords << " words and " << validHalves
            << " 16-bit forms are instructions, " << failures << " failures\n";
  return failures ? 1 : 0;
}
