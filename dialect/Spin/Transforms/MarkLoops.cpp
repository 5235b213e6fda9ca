// spin-mark-loops: numbers the loops of all handlers, marks their bodies and
// lists them in the attribute `spin.loops` of the module. Runs last of the
// passes over spin: whoever copies a loop later copies its marker with it, and
// the bound then holds for the copies together.
#include "dialect/Spin/Analysis/SharedTotals.h"
#include "dialect/Spin/IR/SourcePlace.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "dialect/Spin/Transforms/UnboundedLoop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINMARKLOOPS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Line of `loc` in the program, 0 if unknown.
int64_t lineOf(Location loc) {
  FileLineColRange place = sourcePlace(loc);
  return place ? place.getStartLine() : 0;
}

class MarkLoops : public spinc::spin::impl::SpinMarkLoopsBase<MarkLoops> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](HandlerOp handler) {
      return markIn(handler.getBody(), handler.getImageSymbol(), -1);
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    getOperation()->setAttr("spin.loops",
                            ArrayAttr::get(&getContext(), entries));
    if (ArrayAttr totals = listTotals())
      getOperation()->setAttr("spin.totals", totals);
    entries.clear();
    ids.clear();
  }

  /// Marks the loops in `region` from the outside in; `parent` is the id of
  /// the loop around it.
  WalkResult markIn(Region &region, StringRef handler, int64_t parent) {
    for (Operation &op : llvm::make_early_inc_range(region.getOps())) {
      if (isa<LoopMarkerOp>(op))
        return op.emitOpError() << "is there already: loops are marked once";
      if (!isMarkable(op))
        return op.emitOpError() << "cannot be marked: only scf.for, and "
                                   "scf.while without loops in its condition";
      numberWaits(op, handler, parent);
      int64_t around = parent;
      if (isa<scf::ForOp, scf::WhileOp, ForPiecesOp>(op)) {
        around = entries.size();
        ids[&op] = around;
        if (failed(addEntry(&op, handler, parent)))
          return WalkResult::interrupt();
      }
      for (Region &inner : op.getRegions())
        if (markIn(inner, handler, around).wasInterrupted())
          return WalkResult::interrupt();
      if (around != parent)
        placeMarker(&op, around);
    }
    return WalkResult::advance();
  }

  /// False for loops of other kinds, and for a loop whose condition, which runs
  /// once more than its body, has a loop in it.
  static bool isMarkable(Operation &op) {
    auto whileLoop = dyn_cast<scf::WhileOp>(op);
    if (!whileLoop)
      return isa<scf::ForOp, ForPiecesOp>(op) || !isLoop(&op);
    WalkResult result = whileLoop.getBefore().walk([](Operation *inner) {
      return isLoop(inner) ? WalkResult::interrupt() : WalkResult::advance();
    });
    return !result.wasInterrupted();
  }

  static bool isLoop(Operation *op) {
    return isa<LoopLikeOpInterface, scf::WhileOp, ForPiecesOp>(op);
  }

  LogicalResult addEntry(Operation *loop, StringRef handler, int64_t parent) {
    auto bound = loop->getAttrOfType<BoundAttr>("spin.bound");
    if (!bound)
      return reportUnbounded(loop);
    append(loop, handler, parent, bound, {});
    return success();
  }

  /// The loops that wait for locks have no body to mark: their code is made
  /// with the markers in it.
  void numberWaits(Operation &op, StringRef handler, int64_t parent) {
    Builder builder(&getContext());
    if (auto acquire = dyn_cast<AcquireOp>(op)) {
      acquire.setLoop(entries.size());
      auto others = builder.getNamedAttr("others", acquire.getContentionAttr());
      append(&op, handler, parent, constantBound(0, &getContext()),
             {builder.getNamedAttr("lock", lockOf(op, acquire.getLockAttr())),
              others});
    } else if (auto release = dyn_cast<ReleaseOp>(op)) {
      if (release.getKind() == LockKind::Mcs)
        release.setLoop(
            numberRelease(op, release.getLockAttr(), handler, parent));
    } else if (auto lock = op.getAttrOfType<DictionaryAttr>(releasesAttrName)) {
      if (lock.getAs<LockKindAttr>("kind").getValue() != LockKind::Mcs)
        return;
      NamedAttrList with(lock);
      auto name = lock.getAs<FlatSymbolRefAttr>("lock");
      with.set("loop", builder.getI32IntegerAttr(
                           numberRelease(op, name, handler, parent)));
      op.setAttr(releasesAttrName, with.getDictionary(&getContext()));
    }
  }

  /// Of an mcs lock: the loop that takes the handler from the end of the queue,
  /// whose store is refused at most once, for then another has come behind it;
  /// and the loop that waits for that one to say so.
  int64_t numberRelease(Operation &op, FlatSymbolRefAttr lock,
                        StringRef handler, int64_t parent) {
    int64_t first = entries.size();
    append(&op, handler, parent, constantBound(2, &getContext()), {});
    append(&op, handler, parent, constantBound(0, &getContext()),
           {Builder(&getContext()).getNamedAttr("lock", lockOf(op, lock))});
    return first;
  }

  /// The number of a lock among those of the module.
  IntegerAttr lockOf(Operation &op, FlatSymbolRefAttr lock) {
    auto context = op.getParentOfType<ContextOp>();
    return Builder(&getContext())
        .getI32IntegerAttr(getLockNumber(context, lock.getValue()));
  }

  void append(Operation *loop, StringRef handler, int64_t parent,
              BoundAttr bound, ArrayRef<NamedAttribute> wait) {
    Builder builder(&getContext());
    NamedAttrList entry(wait);
    entry.set("bound", bound);
    entry.set("handler", builder.getStringAttr(handler));
    entry.set("id", builder.getI32IntegerAttr(entries.size()));
    entry.set("line", builder.getI32IntegerAttr(lineOf(loop->getLoc())));
    entry.set("parent", builder.getI32IntegerAttr(parent));
    if (Attribute attempts = loop->removeAttr(attemptsAttrName))
      entry.set("attempts", attempts);
    entries.push_back(entry.getDictionary(&getContext()));
  }

  void placeMarker(Operation *loop, int64_t id) {
    auto whileLoop = dyn_cast<scf::WhileOp>(loop);
    Block *body =
        whileLoop ? whileLoop.getAfterBody() : &loop->getRegion(0).front();
    OpBuilder builder = OpBuilder::atBlockBegin(body);
    // A round that the guard refuses does not count.
    if (RequireOp guard = getLoopGuard(loop))
      builder.setInsertionPointAfter(guard);
    LoopMarkerOp::create(builder, loop->getLoc(), id);
  }

  /// What loops share, by their numbers; null if none do.
  ArrayAttr listTotals() {
    Builder builder(&getContext());
    SmallVector<Attribute> totals;
    getOperation().walk([&](Operation *loop) {
      auto limit = loop->getAttrOfType<BoundAttr>(totalAttrName);
      if (!limit)
        return;
      SmallVector<int64_t> loops, weights;
      loop->walk<WalkOrder::PreOrder>([&](Operation *inner) {
        auto weight = inner->getAttrOfType<IntegerAttr>(weightAttrName);
        if (!weight)
          return;
        loops.push_back(ids.at(inner));
        weights.push_back(weight.getInt());
      });
      auto handler = loop->getParentOfType<HandlerOp>();
      totals.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr(
               "handler", builder.getStringAttr(handler.getImageSymbol())),
           builder.getNamedAttr("limit", limit),
           builder.getNamedAttr("loops", builder.getDenseI64ArrayAttr(loops)),
           builder.getNamedAttr("weights",
                                builder.getDenseI64ArrayAttr(weights))}));
    });
    return totals.empty() ? ArrayAttr() : builder.getArrayAttr(totals);
  }

  SmallVector<Attribute> entries;
  llvm::DenseMap<Operation *, int64_t> ids;
};

} // namespace
