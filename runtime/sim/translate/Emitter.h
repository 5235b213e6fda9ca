//===- Emitter.h - A region as LLVM IR ------------------------------------===//
//
// One function per region. Registers live in the core between blocks, so that
// leaving is cheap, and in values within one; LLVM keeps them in registers of
// the host across blocks where it can. Costs of instructions in line are added
// up while emitting, memory is checked once for accesses that share a base
// register. Everything unusual leaves to the interpreter before it happens.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TRANSLATE_EMITTER_H
#define SPINC_RUNTIME_SIM_TRANSLATE_EMITTER_H

#include "runtime/sim/translate/Region.h"
#include "runtime/sim/translate/Rows.h"
#include "runtime/sim/translate/Translator.h"
#include "llvm/IR/IRBuilder.h"

namespace spinc::sim {

class Emitter {
public:
  Emitter(llvm::Module &module, const Rows &rows, const Program &program,
          const Region &region, const TranslatorOptions &options);

  /// Adds the function `name` to the module.
  void emit(const std::string &name);

private:
  using Value = llvm::Value;
  using BasicBlock = llvm::BasicBlock;

  /// Accesses of a block with one base register: checked at the first.
  struct Group {
    int32_t low = 0, high = 0; // bytes from the base, high excluded
    Value *place = nullptr;    // of `low`, once checked
  };

  // Emitter.cpp: blocks and transfers.
  void emitBlock(const Block &block);
  void emitOp(uint32_t pc, const Op &op);
  void emitValue(uint32_t pc, const Op &op);
  void emitBranch(uint32_t pc, const Op &op);
  void emitJump(uint32_t pc, const Op &op);
  void emitIndirect(uint32_t pc, const Op &op);
  void checkStack(uint32_t pc, Value *pointer);
  void goTo(uint32_t target);
  void transfer(uint32_t target);
  void chain(Value *slot);
  void writeBack(Value *pc);
  void leave(Exit exit) { b.CreateRet(word(uint32_t(exit))); }
  void leaveIf(Value *condition, uint32_t pc);
  void stopAtLimit(BasicBlock *stop);
  BasicBlock *limitExit(uint32_t target);

  // EmitLoops.cpp.
  void emitLoopSetup(uint32_t pc, const Op &op);
  std::vector<uint32_t> loopStarts(uint32_t pc) const;
  void emitLoopGuard(uint32_t pc);
  void emitLoopEnd(uint32_t pc, const Op &op);
  void emitLoopBack(uint32_t pc, unsigned loop);

  // EmitMemory.cpp: loads, stores, atomics.
  void findGroups(const Block &block);
  Value *place(uint32_t pc, Value *address, int32_t span, bool isStore);
  Value *windowOffset(const Window *only, uint64_t window, Value *address,
                      int32_t span, Value *&inside, Value *&data);
  Value *accessPlace(uint32_t pc, const Op &op, Value *&address);
  void emitAccess(uint32_t pc, const Op &op);
  void emitAtomic(uint32_t pc, const Op &op);
  void addMisaligned(Value *address, unsigned size);
  Value *nextAddress(const Op &next);

  // Registers, counters, the core's fields.
  Value *read(unsigned reg);
  void write(unsigned reg, Value *value);
  Value *row(uint32_t pc, const Op &op, Value *old = nullptr);
  Value *fieldAddress(uint64_t offset);
  Value *loadField(llvm::Type *type, uint64_t offset, bool fixed = false);
  void storeField(Value *value, uint64_t offset);
  void addCycles(Value *more);
  Value *cyclesNow();
  Value *instructionsNow();
  void writeRegisters();
  void flush();
  void countOp(const Op &op);
  llvm::ConstantInt *word(uint32_t value) { return b.getInt32(value); }
  BasicBlock *newBlock(const char *name);
  llvm::MDNode *unlikely();

  llvm::Module &module;
  const Rows &rows;
  const Program &program;
  const Region &region;
  const TranslatorOptions &options;
  llvm::IRBuilder<> b;
  llvm::Function *function = nullptr;
  Value *core = nullptr;
  llvm::AllocaInst *cycleSlot = nullptr, *countSlot = nullptr;
  std::map<uint32_t, BasicBlock *> blockOf, limitExits;

  // While a block is emitted.
  Value *current[32] = {};
  Value *currentCycles = nullptr;
  uint32_t changed = 0; // registers that differ from the core's
  int64_t pendingCycles = 0, pendingCount = 0;
  std::map<uint32_t, Group *> groupOf; // by pc of the access
  std::vector<std::unique_ptr<Group>> groups;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TRANSLATE_EMITTER_H
