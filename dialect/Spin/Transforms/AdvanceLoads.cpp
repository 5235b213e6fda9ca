// spin-advance-loads: the core waits a cycle if the instruction behind a load
// uses its value. Where a value is loaded and stored, again and again, the next
// load comes in front of the store, if the two do not meet in memory. LLVM
// keeps the order from there on, and would not find it: it does not know the
// facts.
#include "dialect/Spin/Analysis/Overlaps.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINADVANCELOADS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// `load` may come right behind `before`, together with what computes its
/// operands, if it does not read what `store` writes.
struct Advance {
  Operation *before, *store, *load;
  llvm::SetVector<Operation *> operands;
};

/// The next operation that touches memory or has a region.
Operation *nextAccess(Operation *op) {
  do
    op = op->getNextNode();
  while (op && op->getNumRegions() == 0 && isMemoryEffectFree(op));
  return op;
}

/// What comes between `first` and `last` and uses `first`, and that itself.
llvm::SetVector<Operation *> usersBetween(Operation *first, Operation *last) {
  llvm::SetVector<Operation *> users;
  users.insert(first);
  for (Operation *op = first->getNextNode(); op != last; op = op->getNextNode())
    if (llvm::any_of(op->getOperands(), [&](Value value) {
          return users.contains(value.getDefiningOp());
        }))
      users.insert(op);
  return users;
}

/// The operations behind `first` that `last` needs, in their order.
llvm::SetVector<Operation *> neededBy(Operation *last, Operation *first) {
  llvm::SmallPtrSet<Operation *, 16> needed;
  llvm::SetVector<Operation *> inOrder;
  needed.insert(last);
  for (Operation *op = last; op != first; op = op->getPrevNode())
    if (needed.contains(op)) {
      inOrder.insert(op);
      for (Value value : op->getOperands())
        if (Operation *source = value.getDefiningOp())
          needed.insert(source);
    }
  llvm::SetVector<Operation *> result;
  for (Operation *op : llvm::reverse(inOrder))
    if (op != last)
      result.insert(op);
  return result;
}

/// A load, a store of what is made of it, and another load.
std::optional<Advance> advanceBehind(Operation *load) {
  if (!isa<LoadOp, WireLoadOp>(load))
    return std::nullopt;
  Operation *store = nextAccess(load);
  if (!store || !isa<StoreOp, WireStoreOp>(store))
    return std::nullopt;
  Operation *next = nextAccess(store);
  if (!next || !isa<LoadOp, WireLoadOp>(next))
    return std::nullopt;
  llvm::SetVector<Operation *> users = usersBetween(load, next);
  Advance advance{load, store, next, neededBy(next, load)};
  auto isUser = [&](Operation *op) { return users.contains(op); };
  auto isMadeOfIt = [&](Value operand) {
    return users.contains(operand.getDefiningOp());
  };
  // The value is the first operand of both kinds of stores.
  Operation *stored = store->getOperand(0).getDefiningOp();
  if (!stored || !isUser(stored) || llvm::any_of(advance.operands, isUser) ||
      llvm::any_of(next->getOperands(), isMadeOfIt))
    return std::nullopt;
  return advance;
}

class AdvanceLoads
    : public spinc::spin::impl::SpinAdvanceLoadsBase<AdvanceLoads> {
  void runOnOperation() override {
    getOperation().walk([&](HandlerOp handler) { advance(handler); });
  }

  static void advance(HandlerOp handler) {
    llvm::DenseMap<Operation *, Advance> byStore;
    handler.walk([&](Operation *op) {
      if (std::optional<Advance> found = advanceBehind(op))
        byStore.try_emplace(found->store, std::move(*found));
    });
    if (byStore.empty())
      return;
    SmallVector<Advance *> chosen;
    llvm::SmallPtrSet<Operation *, 16> advanced;
    HandlerFacts facts(handler);
    facts.walk([&](Operation *op) {
      auto found = byStore.find(op);
      // What has come earlier is not waited for.
      if (found == byStore.end() || advanced.contains(found->second.before) ||
          !areApart(facts, *accessedBytes(op),
                    *accessedBytes(found->second.load)))
        return;
      advanced.insert(found->second.load);
      chosen.push_back(&found->second);
    });
    for (Advance *advance : chosen) {
      Operation *place = advance->before;
      for (Operation *operand : advance->operands) {
        operand->moveAfter(place);
        place = operand;
      }
      advance->load->moveAfter(place);
    }
  }
};

} // namespace
