// See PageAddresses.h.
#include "compiler/Backend/PageAddresses.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Bits of an address that `lui` leaves zero.
static constexpr unsigned kPageBits = 12;

/// Whether `value` is the address of a symbol that the linker puts at a page's
/// start: a variable aligned so, or another name for it, pages away.
static bool isPageAddress(const Value *value, const DataLayout &layout) {
  const auto *number = dyn_cast<ConstantExpr>(value);
  if (!number || number->getOpcode() != Instruction::PtrToInt)
    return false;
  const Value *symbol = number->getOperand(0);
  APInt distance(layout.getIndexTypeSizeInBits(symbol->getType()), 0);
  if (const auto *alias = dyn_cast<GlobalAlias>(symbol))
    symbol = alias->getAliasee()->stripAndAccumulateConstantOffsets(
        layout, distance, /*AllowNonInbounds=*/true);
  const auto *variable = dyn_cast<GlobalVariable>(symbol);
  return variable && Log2(variable->getAlign().valueOrOne()) >= kPageBits &&
         distance.countr_zero() >= kPageBits;
}

/// The same number, made in front of `user`.
static Value *madeFor(Instruction &user, Value *address) {
  Type *word = address->getType();
  auto *type = FunctionType::get(word, {word}, /*isVarArg=*/false);
  auto *code = InlineAsm::get(type, "lui $0, %hi($1)", "=r,i",
                              /*hasSideEffects=*/false);
  CallInst *call = IRBuilder<>(&user).CreateCall(code, {address});
  call->setMemoryEffects(MemoryEffects::none());
  call->setDoesNotThrow();
  return call;
}

void spinc::backend::selectPageAddresses(Module &module) {
  for (Function &function : module)
    for (Instruction &user : instructions(function)) {
      // What a way to a block gives it would be made at the end of another.
      if (isa<PHINode>(user))
        continue;
      auto *call = dyn_cast<CallInst>(&user);
      if (call && call->isInlineAsm())
        continue;
      for (Use &use : user.operands())
        if (isPageAddress(use, module.getDataLayout()))
          use.set(madeFor(user, use));
    }
}
