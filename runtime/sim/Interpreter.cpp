//===- Interpreter.cpp - The fast path of a core --------------------------===//
//
// Runs decoded slots with one indirect jump per instruction. What each
// instruction computes is the expression of its row in runtime/isa/insns;
// step<> says what a row's kind does with it. Counters and the slot pointer
// live in locals and are written back before anything outside is called.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/pspin.h"
#include "runtime/isa/Semantics.h"
#include "runtime/isa/Timing.h"
#include "runtime/sim/AccessKind.h"
#include "runtime/sim/Core.h"
#include "runtime/sim/translate/Translator.h"
#include <cstring>

using namespace spinc;
using namespace spinc::sim;
using isa::Kind;
using isa::TimingClass;

namespace {

uint32_t readMemory(const uint8_t *p, unsigned size) {
  uint32_t value = 0;
  std::memcpy(&value, p, size);
  return value;
}

} // namespace

#define SPINC_INLINE __attribute__((always_inline)) inline

/// The interpreter's state while it runs. Everything is inlined: were its
/// address taken anywhere, it would live in memory instead of registers.
template <ExecuteMode M> struct spinc::sim::Execution {
  Core &core;
  Op *op;
  uint64_t cycles;
  uint64_t instructions;
  uint64_t cycleLimit;
  uint32_t stopAt;
  Stop stop = Stop::None;

  SPINC_INLINE Execution(Core &core, uint64_t cycleLimit, uint32_t stopAt)
      : core(core), op(core.program.at(core.pc)), cycles(core.cycles),
        instructions(core.instructions), cycleLimit(cycleLimit),
        stopAt(stopAt) {}

  SPINC_INLINE void save() {
    core.cycles = cycles;
    core.instructions = instructions;
    core.pc = core.program.pcOf(op);
  }
  SPINC_INLINE void restore() {
    cycles = core.cycles;
    op = core.program.at(core.pc);
  }
  SPINC_INLINE void next() {
    cycles += op->cost;
    ++instructions;
    op += op->slots;
  }
  SPINC_INLINE bool trapWith(uint32_t cause, uint32_t address) {
    save();
    core.trap = {cause, address};
    stop = Stop::Trap;
    return false;
  }
  /// The directly reachable place of `address`, or null.
  SPINC_INLINE uint8_t *find(const Window *windows, uint32_t address) {
    uint32_t offset = address - windows[0].base;
    if (__builtin_expect(offset <= windows[0].last, 1))
      return windows[0].data + offset;
    offset = address - windows[1].base;
    if (offset <= windows[1].last)
      return windows[1].data + offset;
    return nullptr;
  }
  /// With contention the limit is one of time: waits make it come sooner.
  SPINC_INLINE void waitFor(unsigned time) {
    core.wait += time;
    cycleLimit -= time;
  }
  SPINC_INLINE void noteWait(uint64_t before) {
    if (core.banks)
      cycleLimit -= core.wait - before;
  }
  /// Waits for the bank of an access to own L1. False after stopping.
  SPINC_INLINE bool takeBank(uint32_t address, unsigned length) {
    if (__builtin_expect(core.banks == nullptr, 1))
      return true;
    uint64_t time = uint64_t(core.clockBase + int64_t(cycles + core.wait));
    if (time >= core.quantumEnd) {
      save();
      stop = Stop::Quantum;
      return false;
    }
    if (unsigned waited = core.banks->take(address, time, length))
      waitFor(waited);
    return true;
  }
  SPINC_INLINE bool refused(BusResult result, uint32_t cause,
                            uint32_t address) {
    if (result == BusResult::Done)
      return false;
    if (result == BusResult::Fault)
      core.trap = {cause, address};
    stop = result == BusResult::Fault ? Stop::Trap : Stop::Blocked;
    return true;
  }

  template <Kind K> SPINC_INLINE bool load(uint32_t address, uint32_t &value) {
    constexpr AccessShape shape = shapeOf(K);
    if (uint8_t *place = find(core.windows, address)) {
      if (!takeBank(address, 1))
        return false;
      value = readMemory(place, shape.size);
      if (shape.size > 1 && isa::crossesWord(address, shape.size))
        cycles += isa::misalignedExtra;
    } else {
      save();
      const uint64_t waited = core.wait;
      uint32_t loaded = 0; // its own, for `value` to live in a register
      if (refused(core.bus.load(core, address, shape.size, loaded),
                  PSPIN_FAULT_LOAD, address))
        return false;
      value = loaded;
      cycles = core.cycles;
      noteWait(waited);
    }
    if (shape.isSigned)
      value = shape.size == 1 ? int8_t(value) : int16_t(value);
    return true;
  }

  template <Kind K> SPINC_INLINE bool store(uint32_t address, uint32_t value) {
    constexpr AccessShape shape = shapeOf(K);
    if (uint8_t *place = find(core.storeWindows, address)) {
      if (!takeBank(address, 1))
        return false;
      std::memcpy(place, &value, shape.size);
      if (shape.size > 1 && isa::crossesWord(address, shape.size))
        cycles += isa::misalignedExtra;
      return true;
    }
    save();
    const uint64_t waited = core.wait;
    if (refused(core.bus.store(core, address, shape.size, value),
                PSPIN_FAULT_STORE, address))
      return false;
    cycles = core.cycles;
    noteWait(waited);
    return true;
  }

  /// The word of an atomic, or null after stopping.
  SPINC_INLINE uint8_t *atomicWord(uint32_t address, bool reserves) {
    uint8_t *own =
        address & 3 || reserves ? nullptr : find(core.storeWindows, address);
    if (own && !core.banks)
      return own;
    uint8_t *word = nullptr;
    const uint64_t waited = core.wait;
    save();
    BusResult result = address & 3
                           ? BusResult::Fault
                           : core.bus.atomic(core, address, reserves, word);
    if (refused(result, PSPIN_FAULT_STORE, address))
      return nullptr;
    cycles = core.cycles;
    noteWait(waited);
    return own && !takeBank(address, 1 + isa::amoBankExtra) ? nullptr : word;
  }

  /// Goes to an address that is known only now.
  SPINC_INLINE bool jumpTo(uint32_t target) {
    if (__builtin_expect(!core.program.contains(target) || target & 1, 0)) {
      save();
      core.pc = target;
      core.trap = {PSPIN_FAULT_ILLEGAL, target};
      stop = Stop::Trap;
      return false;
    }
    cycles += core.program.targetExtras()[(target - core.program.base()) / 2];
    op = core.program.at(target);
    if (__builtin_expect(target == stopAt, 0)) {
      save();
      stop = Stop::Reached;
      return false;
    }
    return checkLimit();
  }
  /// After a transfer of control.
  SPINC_INLINE bool checkLimit() {
    if (__builtin_expect(cycles >= cycleLimit, 0)) {
      save();
      stop = Stop::Limit;
      return false;
    }
    if (M == ExecuteMode::Block) {
      save();
      return false;
    }
    return true;
  }

  template <Kind K, typename F> SPINC_INLINE bool access(F expression) {
    uint32_t *r = core.regs;
    const uint32_t base = r[op->rs1], result = expression(0);
    const uint32_t address = isPostKind(K) ? base : result;
    if constexpr (isLoadKind(K)) {
      uint32_t value = 0;
      if (!load<K>(address, value))
        return false;
      if (isPostKind(K))
        r[op->rs1] = result;
      r[op->rd] = value;
    } else {
      if (!store<K>(address, r[op->rs2]))
        return false;
      if (isPostKind(K))
        r[op->rs1] = result;
      if (__builtin_expect(core.program.isStale(), 0))
        return storedCode();
    }
    if (isPostKind(K))
      r[0] = 0;
    next();
    return true;
  }

  /// After a store to what may be code: the slot of the store itself counts
  /// before everything decoded is forgotten.
  SPINC_INLINE bool storedCode() {
    next();
    save();
    core.regs[0] = 0;
    core.program.invalidate();
    if (core.translator)
      core.translator->forget();
    op = core.program.at(core.pc);
    return true;
  }

  template <Kind K, typename F> SPINC_INLINE bool atomic(F expression) {
    uint32_t *r = core.regs;
    const uint32_t address = r[op->rs1];
    uint8_t *word = atomicWord(address, K != Kind::Atomic);
    if (!word)
      return false;
    uint32_t old = readMemory(word, 4);
    if constexpr (K == Kind::Atomic) {
      uint32_t value = expression(old);
      std::memcpy(word, &value, 4);
      r[op->rd] = old;
    } else if constexpr (K == Kind::LoadReserved) {
      core.reserved = address;
      r[op->rd] = old;
    } else {
      bool kept = core.reserved == address;
      if (kept)
        std::memcpy(word, &r[op->rs2], 4);
      core.reserved = 1;
      r[op->rd] = kept ? 0 : 1;
    }
    if (op->bankCheck && core.sameBankNext(address, op))
      cycles += isa::amoBankExtra;
    if (__builtin_expect(core.program.isStale(), 0))
      return storedCode();
    next();
    return true;
  }

  template <typename F> SPINC_INLINE bool csr(F expression) {
    uint32_t old = 0;
    save();
    if (!core.readCsr(op->imm2, old))
      return trapWith(PSPIN_FAULT_ILLEGAL, op->imm2);
    isa::Opcode opcode = isa::Opcode(op->real);
    bool always = opcode == isa::Opcode::Csrrw || opcode == isa::Opcode::Csrrwi;
    if ((always || op->rs1 != 0 || op->imm != 0) &&
        !core.writeCsr(op->imm2, expression(old)))
      return trapWith(PSPIN_FAULT_ILLEGAL, op->imm2);
    core.regs[op->rd] = old;
    next();
    return true;
  }

  template <Kind K, TimingClass T, typename F>
  SPINC_INLINE bool step(F expression) {
    uint32_t *r = core.regs;
    if constexpr (K == Kind::Value) {
      if constexpr (T == TimingClass::Divide)
        cycles += isa::divideCost(isa::isSignedDivide(isa::Opcode(op->real)),
                                  r[op->rs2]);
      r[op->rd] = expression(0);
      next();
      return true;
    } else if constexpr (isLoadKind(K) || isStoreKind(K)) {
      return access<K>(expression);
    } else if constexpr (K == Kind::Branch) {
      if (!expression(0)) {
        next();
        return true;
      }
      cycles += op->cost + op->taken;
      ++instructions;
      op += op->jump;
      return checkLimit();
    } else if constexpr (K == Kind::Jump) {
      r[op->rd] = core.program.pcOf(op + op->slots);
      cycles += op->cost + op->taken;
      ++instructions;
      op += op->jump;
      return checkLimit();
    } else if constexpr (K == Kind::JumpRegister) {
      uint32_t target = expression(0);
      r[op->rd] = core.program.pcOf(op + op->slots);
      cycles += op->cost;
      ++instructions;
      return jumpTo(target);
    } else if constexpr (K == Kind::Atomic || K == Kind::LoadReserved ||
                         K == Kind::StoreConditional) {
      return atomic<K>(expression);
    } else if constexpr (K == Kind::Csr) {
      return csr(expression);
    } else {
      return system<K>();
    }
  }

  template <Kind K> SPINC_INLINE bool system() {
    save();
    if (K == Kind::Trap) {
      bool ecall = isa::Opcode(op->real) == isa::Opcode::Ecall;
      return trapWith(!ecall          ? PSPIN_FAULT_BREAKPOINT
                      : core.userMode ? PSPIN_FAULT_ECALL_USER
                                      : PSPIN_FAULT_ECALL_MACHINE,
                      0);
    }
    if (K == Kind::HwLoop)
      core.setHwLoop(*op);
    if (K == Kind::TrapReturn) {
      if (!core.trapReturn())
        return trapWith(PSPIN_FAULT_ILLEGAL, 0);
      cycles += op->cost;
      ++instructions;
      return jumpTo(core.pc);
    }
    next();
    return true;
  }
};

template <ExecuteMode M>
Stop Core::execute(uint64_t cycleLimit, uint32_t stopAt) {
  using namespace isa::semantics;
  static const void *const labels[numCodes] = {
#define INSN(Id, ...) &&run##Id,
#include "runtime/isa/insns/all.def"
#undef INSN
      &&undecoded, &&invalid, &&hangs, &&loopEnd, &&stackCheck, &&cold};
  /// What comes after an instruction behind which more is to be done.
  static const void *const completing[numCodes] = {
#define INSN(Id, ...) &&complete,
#include "runtime/isa/insns/all.def"
#undef INSN
      &&complete, &&complete, &&complete, &&complete, &&complete, &&complete};
  constexpr bool single = M == ExecuteMode::Step;
  Execution<M> x(*this, cycleLimit, stopAt);
  const void *const *following = labels;
  // About that instruction. In memory: registers are for the others.
  volatile uint32_t completedPc = 0;
  volatile bool endsLoop = false, writesStack = false;
  if (single) {
    if (x.op->real == codeUndecoded)
      program.decode(x.op);
    goto *labels[x.op->real];
  }
  goto *labels[x.op->code];

#define INSN(Id, Mnemonic, F, Mask, Match, Xcv, T, K, ...)                     \
  run##Id : {                                                                  \
    [[maybe_unused]] const uint32_t a = regs[x.op->rs1];                       \
    [[maybe_unused]] const uint32_t b = regs[x.op->rs2];                       \
    [[maybe_unused]] const uint32_t c = regs[x.op->rs3];                       \
    [[maybe_unused]] const int32_t imm = x.op->imm, imm2 = x.op->imm2;         \
    [[maybe_unused]] const uint32_t pc = program.pcOf(x.op);                   \
    if (!x.template step<Kind::K, TimingClass::T>(                             \
            [&]([[maybe_unused]] uint32_t old) -> uint32_t {                   \
              return __VA_ARGS__;                                              \
            }))                                                                \
      return x.stop;                                                           \
    if (single) {                                                              \
      x.save();                                                                \
      return Stop::None;                                                       \
    }                                                                          \
    goto *(isPlainKind(Kind::K) ? following : labels)[x.op->code];             \
  }
#include "runtime/isa/insns/all.def"
#undef INSN

undecoded:
  program.decode(x.op);
  goto *labels[x.op->code];
invalid:
  x.trapWith(PSPIN_FAULT_ILLEGAL, program.pcOf(x.op));
  return x.stop;
hangs:
  x.save();
  x.trapWith(PSPIN_FAULT_HANG, 0);
  return x.stop;
cold:
  x.save();
  if (now() > horizon)
    return Stop::Quantum;
  {
    const unsigned takes = program.fetch(pc, now());
    fetchWait += takes;
    x.waitFor(takes);
  }
  goto *labels[x.op->warm];
complete:
  following = labels;
  if (writesStack) {
    x.save();
    if (finishStackWrite(completedPc) != Stop::None)
      return Stop::Trap;
  }
  if (const HwLoop *loop = endsLoop ? nextIteration(completedPc) : nullptr) {
    if (loop->start == completedPc) {
      x.save();
      pc = completedPc;
      trap = {PSPIN_FAULT_HANG, pc};
      return Stop::Trap;
    }
    x.cycles += program.loopBackExtra(completedPc, loop->start);
    x.op = program.at(loop->start);
    if (loop->start == stopAt) {
      x.save();
      return Stop::Reached;
    }
    if (!x.checkLimit())
      return x.stop;
  }
  goto *labels[x.op->code];
loopEnd:
stackCheck: {
  if (x.op->isPlain) {
    following = completing;
    completedPc = program.pcOf(x.op);
    endsLoop = x.op->warm == codeLoopEnd;
    writesStack = x.op->writesStack;
    goto *labels[x.op->real];
  }
  x.save();
  const uint32_t inLine = program.pcOf(x.op + x.op->slots);
  Stop stop = stepReady(*x.op);
  if (stop != Stop::None)
    return stop;
  x.instructions = instructions;
  x.restore();
  if (pc != inLine) {
    if (pc == stopAt)
      return Stop::Reached;
    if (cycles >= cycleLimit)
      return Stop::Limit;
    if (M == ExecuteMode::Block)
      return Stop::None;
  }
  goto *labels[x.op->code];
}
}

template Stop Core::execute<ExecuteMode::Step>(uint64_t, uint32_t);
template Stop Core::execute<ExecuteMode::Run>(uint64_t, uint32_t);
template Stop Core::execute<ExecuteMode::Block>(uint64_t, uint32_t);
