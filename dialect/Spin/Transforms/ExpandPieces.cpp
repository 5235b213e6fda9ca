// spin-expand-pieces: spells out how spin.for_pieces walks a strided view, and
// the length of such views. A lowering, run after the last check of the proofs:
// its subslices are in bounds by the law of the construct, which rests on the
// obligations of the view and of spin.for_pieces.
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINEXPANDPIECES
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

constexpr StringLiteral kLaw =
    "law of spin.for_pieces: pieces of a strided view lie in its region";

/// Replaces one spin.for_pieces whose view is in sight.
class PiecesExpander {
public:
  PiecesExpander(ForPiecesOp loop, StridedViewOp view)
      : loop(loop), view(view), builder(loop.getLoc(), loop) {}

  void run() {
    Value block = view.getBlock(), stride = view.getStride();
    Value length = SliceLengthOp::create(builder, loop.getData());
    Value gap = arith::SubIOp::create(builder, stride, block);
    Value number = arith::DivUIOp::create(builder, loop.getOffset(), block);
    Value before = arith::MulIOp::create(builder, number, block);
    Value within = arith::SubIOp::create(builder, loop.getOffset(), before);
    Value blockStart = arith::MulIOp::create(builder, number, stride);
    SmallVector<Value> inits = {
        arith::ConstantIntOp::create(builder, builder.getI32Type(), 0),
        arith::AddIOp::create(builder, blockStart, within),
        arith::SubIOp::create(builder, block, within)};
    llvm::append_range(inits, loop.getInits());

    auto loopNow = scf::WhileOp::create(
        builder, ValueRange(inits).getTypes(), inits,
        [&](OpBuilder &inner, Location loc, ValueRange args) {
          Value more = arith::CmpIOp::create(
              inner, loc, arith::CmpIPredicate::ult, args[0], length);
          scf::ConditionOp::create(inner, loc, more, args);
        },
        [&](OpBuilder &inner, Location, ValueRange args) {
          fillBody(inner, length, gap, args);
        });
    if (Attribute bound = loop->getAttr("spin.bound"))
      loopNow->setAttr("spin.bound", bound);
    loop.replaceAllUsesWith(loopNow.getResults().drop_front(kPositions));
    loop.erase();
  }

private:
  /// The loop carries the position in the data, the offset in the region, and
  /// the bytes left in the current block, then the values of the program.
  static constexpr unsigned kPositions = 3;

  void fillBody(OpBuilder &inner, Value length, Value gap, ValueRange args) {
    ImplicitLocOpBuilder body(loop.getLoc(), inner);
    Value position = args[0], host = args[1], room = args[2];
    Value left = arith::SubIOp::create(body, length, position);
    Value size = arith::MinUIOp::create(body, room, left);
    SmallVector<Value> values = {piece(body, view.getRegion(), host, size),
                                 piece(body, loop.getData(), position, size)};
    llvm::append_range(values, args.drop_front(kPositions));

    Block &source = loop.getBody().front();
    for (auto [argument, value] : llvm::zip(source.getArguments(), values))
      argument.replaceAllUsesWith(value);
    auto yield = cast<YieldOp>(source.getTerminator());
    SmallVector<Value> next = {
        arith::AddIOp::create(body, position, size),
        arith::AddIOp::create(body, arith::AddIOp::create(body, host, room),
                              gap),
        view.getBlock()};
    Operation *first = next[0].getDefiningOp();
    Block *target = body.getInsertionBlock();
    target->getOperations().splice(first->getIterator(), source.getOperations(),
                                   source.begin(), yield->getIterator());
    llvm::append_range(next, yield.getValues());
    scf::YieldOp::create(body, next);
  }

  Value piece(ImplicitLocOpBuilder &body, Value slice, Value offset,
              Value length) {
    auto proof = ProofAttr::get(body.getContext(), {body.getStringAttr(kLaw)});
    auto cut =
        SubsliceOp::create(body, slice.getType(), slice, offset, length, proof);
    cut->setAttr("spin.nonempty", body.getUnitAttr());
    return cut;
  }

  ForPiecesOp loop;
  StridedViewOp view;
  ImplicitLocOpBuilder builder;
};

class ExpandPieces
    : public spinc::spin::impl::SpinExpandPiecesBase<ExpandPieces> {
  void runOnOperation() override {
    SmallVector<ForPiecesOp> loops;
    SmallVector<StridedLengthOp> lengths;
    SmallVector<StridedViewOp> views;
    getOperation().walk([&](Operation *op) {
      if (auto loop = dyn_cast<ForPiecesOp>(op))
        loops.push_back(loop);
      else if (auto length = dyn_cast<StridedLengthOp>(op))
        lengths.push_back(length);
      else if (auto view = dyn_cast<StridedViewOp>(op))
        views.push_back(view);
    });
    if (failed(check(loops, lengths, views)))
      return signalPassFailure();
    for (ForPiecesOp loop : loops)
      PiecesExpander(loop, loop.getView().getDefiningOp<StridedViewOp>()).run();
    for (StridedLengthOp length : lengths)
      expandLength(length);
    for (StridedViewOp view : views)
      view.erase();
  }

  LogicalResult check(ArrayRef<ForPiecesOp> loops,
                      ArrayRef<StridedLengthOp> lengths,
                      ArrayRef<StridedViewOp> views) {
    auto isVisible = [](auto op) -> LogicalResult {
      if (op.getView().template getDefiningOp<StridedViewOp>())
        return success();
      return op.emitOpError() << "needs a view made by spin.strided_view";
    };
    auto hasProof = [](auto op) -> LogicalResult {
      if (op.getProof())
        return success();
      return op.emitOpError() << "has no proof: run spin-prove-bounds first";
    };
    bool holds = true;
    for (StridedViewOp view : views)
      holds &= succeeded(hasProof(view));
    for (ForPiecesOp loop : loops)
      holds &= succeeded(hasProof(loop)) && succeeded(isVisible(loop));
    for (StridedLengthOp length : lengths)
      holds &= succeeded(isVisible(length));
    return success(holds);
  }

  static void expandLength(StridedLengthOp length) {
    OpBuilder builder(length);
    auto view = length.getView().getDefiningOp<StridedViewOp>();
    Value product = arith::MulIOp::create(builder, length.getLoc(),
                                          view.getCount(), view.getBlock());
    length.replaceAllUsesWith(product);
    length.erase();
  }
};

} // namespace
