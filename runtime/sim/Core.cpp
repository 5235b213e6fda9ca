//===- Core.cpp - What a core does beside the fast path -------------------===//
//
// Control and status registers, traps, hardware loops, the stack check, and
// how it goes on: by one instruction, interpreted, or in translated code.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Core.h"
#include "runtime/abi/pspin.h"
#include "runtime/isa/Timing.h"
#include "runtime/sim/translate/Translator.h"

using namespace spinc;
using namespace spinc::sim;
using isa::Opcode;

namespace {
constexpr uint32_t csrMisa = 0x301, csrMie = 0x304, csrMtval = 0x343,
                   csrMip = 0x344, csrCountInhibit = 0x320, csrMcycle = 0xb00,
                   csrMinstret = 0xb02, csrMcycleHigh = 0xb80,
                   csrMinstretHigh = 0xb82, csrLoop0 = 0x7c0, csrLoop1 = 0x7c4,
                   csrCycle = 0xc00, csrInstret = 0xc02;
/// RV32IMACUX.
constexpr uint32_t misaValue = 0x40901105;
constexpr uint32_t mstatusMpp = 3u << 11, mstatusMie = 1u << 3,
                   mstatusMpie = 1u << 7;
} // namespace

Core::Core(Program &program, Bus &bus, uint32_t hartId)
    : program(program), bus(bus), hartId(hartId) {}

bool Core::keepsTime() const { return !translator || translator->keepsTime(); }

bool Core::readCsr(uint32_t number, uint32_t &value) const {
  switch (number) {
  case PSPIN_CSR_UHARTID:
    value = hartId;
    return true;
  case PSPIN_CSR_PRIVILEGE:
    value = userMode ? 0 : 3;
    return true;
  case csrCycle:
    value = uint32_t(keepsTime() ? cycles + wait : instructions);
    return countersInUserMode;
  case csrInstret:
    value = uint32_t(instructions);
    return countersInUserMode;
  default:
    break;
  }
  if (userMode)
    return false;
  switch (number) {
  case PSPIN_CSR_MHARTID:
    value = hartId;
    return true;
  case PSPIN_CSR_MSTATUS:
    value = mstatus;
    return true;
  case PSPIN_CSR_MTVEC:
    value = mtvec;
    return true;
  case PSPIN_CSR_MSCRATCH:
    value = mscratch;
    return true;
  case PSPIN_CSR_MEPC:
    value = mepc;
    return true;
  case PSPIN_CSR_MCAUSE:
    value = mcause;
    return true;
  case csrMtval:
    value = mtval;
    return true;
  case csrMisa:
    value = misaValue;
    return true;
  case csrMie:
  case csrMip:
  case csrMcycleHigh:
  case csrMinstretHigh:
    value = 0;
    return true;
  case csrCountInhibit:
    value = countInhibit;
    return true;
  case csrMcycle:
    value = countInhibit & 1 ? 0
            : keepsTime()    ? uint32_t(cycles + wait)
                             : uint32_t(instructions);
    return true;
  case csrMinstret:
    value = countInhibit & 4 ? 0 : uint32_t(instructions);
    return true;
  default:
    break;
  }
  for (unsigned loop = 0; loop < 2; ++loop) {
    uint32_t first = loop ? csrLoop1 : csrLoop0;
    if (number - first > 2)
      continue;
    const HwLoop &l = loops[loop];
    value = number == first ? l.start : number == first + 1 ? l.end : l.count;
    return true;
  }
  return false;
}

bool Core::writeCsr(uint32_t number, uint32_t value) {
  uint32_t unused;
  if (!readCsr(number, unused) || number >> 10 == 3)
    return false;
  switch (number) {
  case PSPIN_CSR_MSTATUS:
    mstatus = value & (mstatusMpp | mstatusMie | mstatusMpie);
    break;
  case PSPIN_CSR_MTVEC:
    mtvec = value;
    break;
  case PSPIN_CSR_MSCRATCH:
    mscratch = value;
    break;
  case PSPIN_CSR_MEPC:
    mepc = value & ~1u;
    break;
  case PSPIN_CSR_MCAUSE:
    mcause = value;
    break;
  case csrMtval:
    mtval = value;
    break;
  case csrCountInhibit:
    countInhibit = value;
    break;
  default:
    break;
  }
  for (unsigned loop = 0; loop < 2; ++loop) {
    uint32_t first = loop ? csrLoop1 : csrLoop0;
    if (number == first)
      loops[loop].start = value;
    else if (number == first + 1)
      loops[loop].end = value;
    else if (number == first + 2)
      loops[loop].count = value;
  }
  return true;
}

void Core::enterTrap(uint32_t cause, uint32_t address) {
  mepc = pc;
  mcause = cause;
  mtval = address;
  mstatus =
      (mstatus & mstatusMie ? mstatusMpie : 0) | (userMode ? 0 : mstatusMpp);
  userMode = false;
  stackLow = 0;
  cycles += isa::trapEntryCost;
  pc = mtvec & ~uint32_t(PSPIN_MTVEC_ALIGNMENT - 1);
}

bool Core::trapReturn() {
  if (userMode)
    return false;
  userMode = (mstatus & mstatusMpp) == 0;
  mstatus = mstatus & mstatusMpie ? mstatusMie | mstatusMpie : mstatusMpie;
  pc = mepc;
  return true;
}

void Core::setHwLoop(const Op &op) {
  HwLoop &loop = loops[op.imm2];
  switch (Opcode(op.real)) {
  case Opcode::LpStarti:
    loop.start = pc + (op.imm << 1);
    break;
  case Opcode::LpEndi:
    loop.end = pc + (op.imm << 1);
    break;
  case Opcode::LpCount:
    loop.count = regs[op.rs1];
    break;
  case Opcode::LpCounti:
    loop.count = op.imm;
    break;
  case Opcode::LpSetup:
    loop = {pc + 4, pc + (op.imm << 1), regs[op.rs1]};
    break;
  case Opcode::LpSetupi:
    loop = {pc + 4, pc + (op.rs3 << 1), uint32_t(op.imm)};
    break;
  default:
    break;
  }
}

/// After the instruction at `endPc`, which ends some loop's body: goes back if
/// there are iterations left.
Stop Core::finishLoopEnd(uint32_t endPc) {
  uint32_t inLine = endPc + program.lengthAt(endPc);
  const HwLoop *loop = pc == inLine ? nextIteration(endPc) : nullptr;
  if (!loop)
    return Stop::None;
  if (loop->start == endPc) {
    pc = endPc;
    trap = {PSPIN_FAULT_HANG, endPc};
    return Stop::Trap;
  }
  cycles += program.loopBackExtra(endPc, loop->start);
  pc = loop->start;
  return Stop::None;
}

/// Where what runs behind the instruction at `at`, which does not jump, is: at
/// the end of a hardware loop's body, maybe at its start.
uint32_t Core::followingPc(uint32_t at, uint32_t inLine) const {
  for (const HwLoop &loop : loops)
    if (loop.end == at && loop.count > 1)
      return loop.start;
  return inLine;
}

/// Whether the access that follows `atomic` on `address`, without a stall
/// between them, goes to its bank of own L1. What runs behind the end of a
/// hardware loop is known only now; else decoding has looked.
bool Core::sameBankNext(uint32_t address, const Op *atomic) const {
  uint32_t at = program.pcOf(atomic);
  bool endsLoop = atomic->warm == codeLoopEnd;
  uint32_t next = at + 2 * atomic->slots;
  isa::Insn insn = program.insnAt(endsLoop ? followingPc(at, next) : next);
  if (endsLoop && (!isa::isMemoryAccess(insn) ||
                   isa::stallBetween(program.insnAt(at), insn) != 0))
    return false;
  uint32_t other = isa::accessAddress(insn, regs);
  auto isOwn = [&](uint32_t place) {
    return place - ownL1[0].base <= ownL1[0].last ||
           place - ownL1[1].base <= ownL1[1].last;
  };
  return isOwn(address) && isOwn(other) &&
         (address >> 2) % PSPIN_L1_BANKS == (other >> 2) % PSPIN_L1_BANKS;
}

/// After an instruction at `writerPc` that wrote the stack pointer.
Stop Core::finishStackWrite(uint32_t writerPc) {
  if (stackLow && regs[2] - stackLow > stackSize) {
    pc = writerPc;
    trap = {PSPIN_FAULT_STACK, regs[2]};
    return Stop::Trap;
  }
  return Stop::None;
}

Stop Core::step() {
  Op *op = program.at(pc);
  if (op->code == codeUndecoded)
    program.decode(op);
  if (op->code == codeCold) {
    const unsigned takes = program.fetch(pc, now());
    wait += takes;
    fetchWait += takes;
  }
  return stepReady(*op);
}

/// The same of an instruction at pc that is decoded and in the cache.
Stop Core::stepReady(const Op &op) {
  const uint16_t code = op.warm;
  const bool writesStack = op.writesStack;
  const uint32_t before = pc;
  Stop stop = execute<ExecuteMode::Step>(~0ull, 1);
  if (stop != Stop::None)
    return stop;
  if (writesStack)
    stop = finishStackWrite(before);
  if (stop == Stop::None && code == codeLoopEnd)
    stop = finishLoopEnd(before);
  return stop;
}

void Core::useTranslator(Translator &used) {
  translator = &used;
  entries = used.entries();
}

Stop Core::run(uint64_t cycleLimit, uint32_t stopAt) {
  return translator ? runTranslated(cycleLimit, stopAt)
                    : execute<ExecuteMode::Run>(cycleLimit, stopAt);
}

/// Translated code where there is some, a block of the interpreter's where
/// not. Both stop at the same places with the same state.
Stop Core::runTranslated(uint64_t newLimit, uint32_t newStopAt) {
  limit = newLimit;
  stopAt = newStopAt;
  bool timed = translator->keepsTime();
  for (;;) {
    if (Entry entry = translator->find(pc)) {
      Exit exit = entry(this);
      if (exit == Exit::Limit)
        return Stop::Limit;
      if (exit == Exit::Lookup)
        continue;
    }
    Stop stop = execute<ExecuteMode::Block>(timed ? limit : ~0ull, stopAt);
    if (stop != Stop::None)
      return stop;
    if (!timed && instructions >= limit)
      return Stop::Limit;
  }
}
