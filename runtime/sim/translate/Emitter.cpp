//===- Emitter.cpp - Blocks and transfers of control ----------------------===//
//
// The interpreter is the definition of what happens: costs, limits and stops
// are in the same places here.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/translate/Emitter.h"
#include "runtime/abi/pspin.h"
#include "runtime/isa/Timing.h"
#include "llvm/IR/MDBuilder.h"
#include <cstddef>

using namespace llvm;
using namespace spinc;
using namespace spinc::sim;
using isa::Kind;
using isa::Opcode;
using isa::TimingClass;

/// Switches over more return sites are slower than looking the target up.
static constexpr size_t mostReturnSites = 8;

Emitter::Emitter(Module &module, const Rows &rows, const Program &program,
                 const Region &region, const TranslatorOptions &options)
    : module(module), rows(rows), program(program), region(region),
      options(options), b(module.getContext()) {}

void Emitter::emit(const std::string &name) {
  Type *pointer = b.getPtrTy();
  auto *type = FunctionType::get(b.getInt32Ty(), {pointer}, false);
  function = Function::Create(type, Function::ExternalLinkage, name, module);
  function->addFnAttr(Attribute::NoUnwind);
  core = function->getArg(0);
  function->addParamAttr(0, Attribute::NoAlias);
  function->addDereferenceableParamAttr(0, sizeof(CoreState));
  BasicBlock *start = newBlock("start");
  for (const auto &[pc, block] : region.blocks)
    blockOf[pc] = newBlock("block");
  b.SetInsertPoint(start);
  cycleSlot = b.CreateAlloca(b.getInt64Ty());
  countSlot = b.CreateAlloca(b.getInt64Ty());
  b.CreateStore(loadField(b.getInt64Ty(), offsetof(CoreState, cycles)),
                cycleSlot);
  b.CreateStore(loadField(b.getInt64Ty(), offsetof(CoreState, instructions)),
                countSlot);
  b.CreateBr(blockOf.at(region.entry));
  for (const auto &[pc, block] : region.blocks)
    emitBlock(block);
}

MDNode *Emitter::unlikely() {
  return MDBuilder(module.getContext()).createBranchWeights(1, 4095);
}

BasicBlock *Emitter::newBlock(const char *name) {
  return BasicBlock::Create(module.getContext(), name, function);
}

Value *Emitter::fieldAddress(uint64_t offset) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), core, offset);
}

/// `fixed`: no code of the region changes the field.
Value *Emitter::loadField(Type *type, uint64_t offset, bool fixed) {
  LoadInst *load = b.CreateLoad(type, fieldAddress(offset));
  if (fixed)
    load->setMetadata(LLVMContext::MD_invariant_load,
                      MDNode::get(module.getContext(), {}));
  return load;
}

void Emitter::storeField(Value *value, uint64_t offset) {
  b.CreateStore(value, fieldAddress(offset));
}

static constexpr uint64_t registerOffset(unsigned reg) {
  return offsetof(CoreState, regs) + 4 * reg;
}

Value *Emitter::read(unsigned reg) {
  if (reg == 0 || reg >= 32)
    return word(0);
  if (!current[reg])
    current[reg] = loadField(b.getInt32Ty(), registerOffset(reg));
  return current[reg];
}

void Emitter::write(unsigned reg, Value *value) {
  if (reg == 0 || reg >= 32)
    return;
  current[reg] = value;
  changed |= 1u << reg;
}

void Emitter::addCycles(Value *more) {
  if (!options.keepsTime)
    return;
  if (!currentCycles)
    currentCycles = b.CreateLoad(b.getInt64Ty(), cycleSlot);
  currentCycles =
      b.CreateAdd(currentCycles, b.CreateZExt(more, b.getInt64Ty()));
}

Value *Emitter::cyclesNow() {
  Value *base =
      currentCycles ? currentCycles : b.CreateLoad(b.getInt64Ty(), cycleSlot);
  return b.CreateAdd(base, b.getInt64(pendingCycles));
}

Value *Emitter::instructionsNow() {
  return b.CreateAdd(b.CreateLoad(b.getInt64Ty(), countSlot),
                     b.getInt64(pendingCount));
}

/// Writes the registers that the block has changed.
void Emitter::writeRegisters() {
  for (unsigned reg = 1; reg < 32; ++reg)
    if (changed >> reg & 1)
      storeField(current[reg], registerOffset(reg));
}

/// Ends what is pending: registers are in the core, counts in their slots.
void Emitter::flush() {
  writeRegisters();
  if (options.keepsTime)
    b.CreateStore(cyclesNow(), cycleSlot);
  b.CreateStore(instructionsNow(), countSlot);
  changed = 0;
  currentCycles = nullptr;
  pendingCycles = pendingCount = 0;
}

/// The op is over, as Execution::next().
void Emitter::countOp(const Op &op) {
  pendingCycles += op.cost;
  ++pendingCount;
}

/// Makes the core's state what it is here, with this pc.
void Emitter::writeBack(Value *pc) {
  writeRegisters();
  storeField(pc, offsetof(CoreState, pc));
  if (options.keepsTime)
    storeField(cyclesNow(), offsetof(CoreState, cycles));
  storeField(instructionsNow(), offsetof(CoreState, instructions));
}

/// Lets the interpreter run the instruction at `pc` if the condition holds.
void Emitter::leaveIf(Value *condition, uint32_t pc) {
  if (auto *known = dyn_cast<ConstantInt>(condition))
    if (known->isZero())
      return;
  BasicBlock *out = newBlock("leave"), *stay = newBlock("stay");
  b.CreateCondBr(condition, out, stay, unlikely());
  b.SetInsertPoint(out);
  writeBack(word(pc));
  leave(Exit::Interpret);
  b.SetInsertPoint(stay);
}

void Emitter::emitBlock(const Block &block) {
  b.SetInsertPoint(blockOf.at(block.pc));
  std::fill(std::begin(current), std::end(current), nullptr);
  currentCycles = nullptr;
  changed = 0;
  pendingCycles = pendingCount = 0;
  findGroups(block);
  for (uint32_t pc : block.pcs)
    emitOp(pc, program.peek(pc));
  if (b.GetInsertBlock()->getTerminator())
    return;
  uint32_t last = block.pcs.back();
  goTo(last + 2 * program.peek(last).slots);
}

void Emitter::goTo(uint32_t target) {
  flush();
  auto found = blockOf.find(target);
  if (found != blockOf.end()) {
    b.CreateBr(found->second);
    return;
  }
  writeBack(word(target));
  if (program.contains(target))
    chain(b.getInt64((target - program.base()) / 2));
  else
    leave(Exit::Interpret);
}

/// Jumps to the code of the slot, if there is some; the table's other entries
/// come straight back.
void Emitter::chain(Value *slot) {
  Value *table = loadField(b.getPtrTy(), offsetof(CoreState, entries), true);
  Value *entry =
      b.CreateLoad(b.getPtrTy(), b.CreateGEP(b.getPtrTy(), table, slot));
  CallInst *call = b.CreateCall(function->getFunctionType(), entry, {core});
  call->setTailCallKind(CallInst::TCK_MustTail);
  b.CreateRet(call);
}

/// Where a transfer to `target` goes if the limit is reached; nothing is
/// pending.
BasicBlock *Emitter::limitExit(uint32_t target) {
  BasicBlock *&exit = limitExits[target];
  if (exit)
    return exit;
  exit = newBlock("limit");
  IRBuilder<>::InsertPointGuard guard(b);
  b.SetInsertPoint(exit);
  writeBack(word(target));
  leave(Exit::Limit);
  return exit;
}

void Emitter::emitOp(uint32_t pc, const Op &op) {
  if (op.code == codeLoopEnd)
    emitLoopGuard(pc);
  switch (Kind kind = kindOf(op)) {
  case Kind::Value:
    emitValue(pc, op);
    break;
  case Kind::Branch:
    emitBranch(pc, op);
    return;
  case Kind::Jump:
    emitJump(pc, op);
    return;
  case Kind::JumpRegister:
    emitIndirect(pc, op);
    return;
  case Kind::Atomic:
    emitAtomic(pc, op);
    break;
  case Kind::HwLoop:
    emitLoopSetup(pc, op);
    break;
  default:
    if (isLoadKind(kind) || isStoreKind(kind))
      emitAccess(pc, op);
    break;
  }
  countOp(op);
  if (op.code == codeLoopEnd)
    emitLoopEnd(pc, op);
}

Value *Emitter::row(uint32_t pc, const Op &op, Value *old) {
  return rows.expression(
      b, Opcode(op.real),
      {read(op.rs1), read(op.rs2), read(op.rs3), old, op.imm, op.imm2, pc});
}

void Emitter::emitValue(uint32_t pc, const Op &op) {
  Value *value = row(pc, op);
  if (op.code == codeStackCheck)
    checkStack(pc, value);
  if (isa::info(Opcode(op.real)).timing == TimingClass::Divide)
    addCycles(
        rows.divideCost(b, isa::isSignedDivide(Opcode(op.real)), read(op.rs2)));
  write(op.rd, value);
}

void Emitter::checkStack(uint32_t pc, Value *pointer) {
  if (!options.checksStack)
    return;
  Value *low = loadField(b.getInt32Ty(), offsetof(CoreState, stackLow), true);
  Value *size = loadField(b.getInt32Ty(), offsetof(CoreState, stackSize), true);
  Value *outside = b.CreateICmpUGT(b.CreateSub(pointer, low), size);
  leaveIf(b.CreateAnd(b.CreateICmpNE(low, word(0)), outside), pc);
}

void Emitter::emitBranch(uint32_t pc, const Op &op) {
  Value *holds = b.CreateICmpNE(row(pc, op), word(0));
  countOp(op);
  flush();
  uint32_t target = pc + 2 * uint32_t(op.jump);
  BasicBlock *taken = newBlock("taken"), *inLine = newBlock("in.line");
  b.CreateCondBr(holds, taken, inLine);
  Value *kept[32];
  std::copy(std::begin(current), std::end(current), kept);
  b.SetInsertPoint(inLine);
  goTo(pc + 2 * op.slots);
  std::copy(std::begin(kept), std::end(kept), current);
  b.SetInsertPoint(taken);
  pendingCycles += op.taken;
  transfer(target);
}

void Emitter::emitJump(uint32_t pc, const Op &op) {
  write(op.rd, word(pc + 2 * op.slots));
  countOp(op);
  pendingCycles += op.taken;
  transfer(pc + 2 * uint32_t(op.jump));
}

/// Goes to `stop` if the limit is reached; all counts are in the slots.
void Emitter::stopAtLimit(BasicBlock *stop) {
  Value *limit = loadField(b.getInt64Ty(), offsetof(CoreState, limit), true);
  Value *count =
      b.CreateLoad(b.getInt64Ty(), options.keepsTime ? cycleSlot : countSlot);
  BasicBlock *go = newBlock("go");
  b.CreateCondBr(b.CreateICmpUGE(count, limit), stop, go, unlikely());
  b.SetInsertPoint(go);
}

/// A direct transfer that is accounted for.
void Emitter::transfer(uint32_t target) {
  flush();
  stopAtLimit(limitExit(target));
  goTo(target);
}

/// Returns to a call of the region stay in it; other targets are looked up.
void Emitter::emitIndirect(uint32_t pc, const Op &op) {
  Value *target = row(pc, op);
  Value *stopAt = loadField(b.getInt32Ty(), offsetof(CoreState, stopAt), true);
  Value *offset = b.CreateSub(target, word(program.base()));
  Value *odd = b.CreateTrunc(offset, b.getInt1Ty());
  Value *outside = b.CreateICmpUGE(offset, word(program.size()));
  Value *stops = b.CreateICmpEQ(target, stopAt);
  leaveIf(b.CreateOr(b.CreateOr(stops, odd), outside), pc);
  write(op.rd, word(pc + 2 * op.slots));
  countOp(op);
  flush();
  std::fill(std::begin(current), std::end(current), nullptr);
  BasicBlock *elsewhere = newBlock("elsewhere");
  bool returns = op.rd == 32 && op.rs1 == 1 &&
                 region.returnSites.size() <= mostReturnSites;
  SwitchInst *sites = b.CreateSwitch(target, elsewhere);
  for (uint32_t site : region.returnSites) {
    if (!returns)
      break;
    BasicBlock *block = newBlock("return");
    sites->addCase(word(site), block);
    b.SetInsertPoint(block);
    pendingCycles += program.targetExtras()[(site - program.base()) / 2];
    transfer(site);
  }
  b.SetInsertPoint(elsewhere);
  Value *slot = b.CreateZExt(b.CreateLShr(offset, word(1)), b.getInt64Ty());
  if (options.keepsTime) {
    Value *extras = ConstantExpr::getIntToPtr(
        b.getInt64(uintptr_t(program.targetExtras())), b.getPtrTy());
    addCycles(
        b.CreateLoad(b.getInt8Ty(), b.CreateGEP(b.getInt8Ty(), extras, slot)));
    flush();
  }
  writeBack(target);
  BasicBlock *stop = newBlock("stop");
  stopAtLimit(stop);
  chain(slot);
  b.SetInsertPoint(stop);
  leave(Exit::Limit);
}
