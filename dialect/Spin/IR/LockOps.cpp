// Verifiers of the operations on locks.
#include "dialect/Spin/IR/SpinDialect.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace spinc::spin;

/// The words of a lock are an atomic field of the context; a queue has a field
/// with a place for each HPU.
static LogicalResult verifyLock(Operation *op, FlatSymbolRefAttr name,
                                LockKind kind, bool shared) {
  auto context = op->getParentOfType<ContextOp>();
  auto words = context ? context.lookupSymbol<StateOp>(name) : StateOp();
  if (!words || words.getKind() != StateKind::Atomic)
    return op->emitOpError()
           << "names " << name << ", which is no atomic field of its context";
  if (shared && kind != LockKind::ReadWrite)
    return op->emitOpError() << "shares a lock that is not rw";
  if (kind != LockKind::Mcs)
    return success();
  auto node = context.lookupSymbol<StateOp>((name.getValue() + ".node").str());
  if (words.getSpace() != MemorySpace::StateL2 || !node ||
      node.getKind() != StateKind::PerHpu)
    return op->emitOpError()
           << "needs " << name << " in state_l2 and its per_hpu field "
           << name.getValue() << ".node";
  return success();
}

int64_t spinc::spin::getLockNumber(ContextOp context, StringRef lock) {
  int64_t number = 0;
  auto module = context->getParentOfType<ModuleOp>();
  for (ContextOp other : module.getOps<ContextOp>())
    for (StateOp field : other.getBody().getOps<StateOp>()) {
      if (other == context && field.getSymName() == lock)
        return number;
      ++number;
    }
  llvm_unreachable("the verifier has seen the lock");
}

LogicalResult AcquireOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyLock(*this, getLockAttr(), getKind(), getShared());
}

LogicalResult ReleaseOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyLock(*this, getLockAttr(), getKind(), getShared());
}
