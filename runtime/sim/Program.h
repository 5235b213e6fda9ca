//===- Program.h - Code decoded once --------------------------------------===//
//
// The instructions of program memory in the form the interpreter runs: one
// slot per half-word, decoded when first reached, costs folded in. Shared by
// all cores; holds no state of any of them. Who writes code says so with
// noteStore().
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_PROGRAM_H
#define SPINC_RUNTIME_SIM_PROGRAM_H

#include "runtime/isa/Isa.h"
#include "runtime/sim/Contention.h"
#include <cstdint>
#include <vector>

namespace spinc::sim {

/// What a slot makes the interpreter do, beyond the isa's opcodes.
enum PseudoCode : uint16_t {
  codeUndecoded = isa::numOpcodes,
  codeInvalid,    // no such instruction, or outside of the program
  codeHangs,      // an instruction that stops this core for ever
  codeLoopEnd,    // last instruction of a hardware loop's body
  codeStackCheck, // writes the stack pointer
  codeCold,       // its line is not in the instruction cache
  numCodes
};

/// A decoded instruction. `code` is what to do, `real` what the instruction
/// is; they differ for the ones that need more after them. Of a size with which
/// going from slot to slot takes no multiplication.
struct alignas(32) Op {
  uint16_t code = codeUndecoded;
  uint16_t real = codeUndecoded;
  uint16_t warm = codeUndecoded; // `code` once its line is cached
  uint8_t rd = 0; // x0 as destination is register 32, which nobody reads
  uint8_t rs1 = 0, rs2 = 0, rs3 = 0;
  uint8_t cost = 0;         // with the stall of the next instruction in line
  uint8_t taken = 0;        // more, if a branch is taken
  uint8_t slots = 1;        // half-words
  bool bankCheck = false;   // an atomic, and the next one may meet its bank
  bool writesStack = false; // the stack pointer is among its destinations
  bool isPlain = false;     // a computation, load or store: goes on in line
  int32_t imm = 0, imm2 = 0;
  int32_t jump = 0; // slots to a direct target
};

class Program {
public:
  /// Code of `size` bytes at `base`; `bytes` must outlive the program.
  Program(uint32_t base, const uint8_t *bytes, uint32_t size,
          isa::InstructionSet set);
  Program(const Program &) = delete;

  uint32_t base() const { return start; }
  uint32_t size() const { return length; }
  isa::InstructionSet instructionSet() const { return set; }
  bool contains(uint32_t pc) const { return pc - start < length; }

  /// The slot of `pc`; the one behind the program if it is outside or odd.
  Op *at(uint32_t pc) {
    uint32_t offset = pc - start;
    return &ops[offset < length && !(offset & 1) ? offset / 2 : length / 2];
  }
  uint32_t pcOf(const Op *op) const {
    return start + uint32_t(op - ops.data()) * 2;
  }
  /// Fills a slot. Invalid code becomes codeInvalid.
  void decode(Op *op);
  /// The instruction at `pc`; op Invalid outside of the program.
  isa::Insn insnAt(uint32_t pc) const;
  /// The same without decoding: to be read only.
  const Op &peek(uint32_t pc) const {
    return const_cast<Program *>(this)->at(pc)[0];
  }
  /// By half-word: what a jump to it costs more, isa::targetExtra.
  const uint8_t *targetExtras() const { return extras.data(); }

  /// After bytes of the program have changed. If they were decoded already,
  /// the program is stale until invalidate(), which forgets everything.
  void noteStore(uint32_t address, unsigned size);
  bool isStale() const { return stale; }
  void invalidate();
  /// Lets fetches go through a cache, which must outlive the program.
  void useCache(InstructionCache &cache);
  /// What the fetch of a cold instruction takes at `time`.
  unsigned fetch(uint32_t pc, uint64_t time);
  /// What a loop that goes back to `first` from `last` costs more than going
  /// on in line. Negative if it costs less.
  int loopBackExtra(uint32_t last, uint32_t first) const;
  /// Bytes of the instruction at `pc`, which is in the program.
  uint32_t lengthAt(uint32_t pc) const {
    return (bytes[pc - start] & 3) == 3 ? 4 : 2;
  }

private:
  /// What loopBackExtra() found: few loops are hot at a time.
  struct LoopBack {
    uint32_t last = 1, first = 1; // no address of an instruction
    int extra = 0;
  };
  static constexpr unsigned loopBacksKept = 64;
  int findLoopBack(uint32_t last, uint32_t first) const;
  uint32_t loopOpcode() const;
  void findLoopEnds();
  void setLine(uint32_t pc, bool isWarm);
  void findExtras();
  bool isLoopEnd(const Op *op) const { return loopEnds[op - ops.data()]; }

  uint32_t start;
  uint32_t length;
  const uint8_t *bytes;
  isa::InstructionSet set;
  std::vector<Op> ops;
  std::vector<bool> loopEnds;
  std::vector<uint8_t> extras;
  mutable LoopBack loopBacks[loopBacksKept];
  bool stale = false;
  InstructionCache *cache = nullptr;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_PROGRAM_H
