// Optimisations rely on proofs, as poison of arithmetic and as accesses whose
// result nobody needs; both are taken away here.
#include "compiler/Backend/RejectedModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

static void keepAccesses(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    instruction.dropPoisonGeneratingFlags();
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      load->setVolatile(true);
      load->setMetadata(LLVMContext::MD_invariant_load, nullptr);
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      store->setVolatile(true);
    }
  }
}

static void addGuard(GlobalVariable &field) {
  constexpr unsigned bytes = 64;
  LLVMContext &context = field.getContext();
  auto *type = ArrayType::get(Type::getInt8Ty(context), bytes);
  auto *guard = new GlobalVariable(
      *field.getParent(), type, /*isConstant=*/false,
      GlobalValue::InternalLinkage, Constant::getNullValue(type),
      field.getName() + ".behind");
  guard->setSection(field.getSection());
  guard->setAlignment(Align(8));
  // Globals are laid out in their order.
  field.getParent()->removeGlobalVariable(guard);
  field.getParent()->insertGlobalVariable(std::next(field.getIterator()),
                                          guard);
  appendToCompilerUsed(*field.getParent(), {guard});
}

void spinc::backend::prepareRejected(Module &module) {
  for (Function &function : module)
    keepAccesses(function);
  for (GlobalVariable &field : make_early_inc_range(module.globals()))
    if (field.getSection().starts_with(".spin.l1") ||
        field.getSection().starts_with(".spin.l2"))
      addGuard(field);
}
