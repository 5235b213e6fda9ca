// See ExpandInserts.h.
#include "compiler/Backend/ExpandInserts.h"
#include "runtime/isa/BitField.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsRISCV.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static Value *expanded(IntrinsicInst &insert) {
  auto [position, length] = spinc::isa::BitField::ofOperand(
      cast<ConstantInt>(insert.getArgOperand(1))->getZExtValue());
  APInt mask = APInt::getLowBitsSet(32, length);
  IRBuilder<> builder(&insert);
  Value *field = builder.CreateShl(
      builder.CreateAnd(insert.getArgOperand(0), mask), position);
  Value *kept = builder.CreateAnd(insert.getArgOperand(2), ~mask.shl(position));
  return builder.CreateOr(kept, field);
}

void spinc::backend::expandInserts(Module &module) {
  for (Function &function : module)
    for (Instruction &instr : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instr);
      if (!call ||
          call->getIntrinsicID() != Intrinsic::riscv_cv_bitmanip_insert)
        continue;
      call->replaceAllUsesWith(expanded(*call));
      call->eraseFromParent();
    }
}
