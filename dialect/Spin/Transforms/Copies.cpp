// See Copies.h.
#include "dialect/Spin/Transforms/Copies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace spinc::spin;

std::optional<Copy> spinc::spin::copyOf(Operation *op) {
  if (auto copy = dyn_cast<DmaToHostOp>(op))
    return Copy{op, copy.getDest(), copy.getSource()};
  if (auto copy = dyn_cast<DmaFromHostOp>(op))
    return Copy{op, copy.getDest(), copy.getSource()};
  return std::nullopt;
}

Copy spinc::spin::copyLike(const Copy &copy, ImplicitLocOpBuilder &builder,
                           Value dest, Value source) {
  Type command = copy.op->getResult(0).getType();
  if (isa<DmaToHostOp>(copy.op))
    return {DmaToHostOp::create(builder, command, dest, source, ProofAttr()),
            dest, source};
  return {DmaFromHostOp::create(builder, command, dest, source, ProofAttr()),
          dest, source};
}

bool spinc::spin::isWaitedForHere(Operation *copy) {
  return llvm::all_of(copy->getUsers(), [&](Operation *user) {
    return isa<WaitOp>(user) && user->getBlock() == copy->getBlock();
  });
}

Value spinc::spin::addExactly(ImplicitLocOpBuilder &builder, Value left,
                              Value right) {
  return builder.createOrFold<arith::AddIOp>(left, right,
                                             arith::IntegerOverflowFlags::nuw);
}

/// Reads what no one else writes while the handler runs: the packet, local
/// arrays, constants, plain fields, and the HPU's own.
static bool readsOwnMemory(Operation *op) {
  if (isa<StateLoadOp>(op))
    return true;
  if (!isa<LoadOp, WireLoadOp>(op))
    return false;
  MemorySpace space = cast<SliceType>(op->getOperand(0).getType()).getSpace();
  return space != MemorySpace::StateL1 && space != MemorySpace::StateL2;
}

bool spinc::spin::isQuiet(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>() &&
         !op->walk([](Operation *inner) {
              bool isQuiet =
                  inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(inner) || readsOwnMemory(inner);
              return isQuiet ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}
