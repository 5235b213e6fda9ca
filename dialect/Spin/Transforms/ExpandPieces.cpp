// spin-expand-pieces: spells out how spin.for_pieces walks a strided view, and
// the length of such views. A lowering, run after the last check of the proofs:
// its subslices are in bounds by the law of the construct, which rests on the
// obligations of the view and of spin.for_pieces.
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
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

using Values = SmallVector<Value>;
using Builder = ImplicitLocOpBuilder;

/// Replaces one spin.for_pieces whose view is in sight.
class PiecesExpander {
public:
  PiecesExpander(ForPiecesOp loop, StridedViewOp view)
      : loop(loop), view(view), block(view.getBlock()) {}

  void run(bool split) {
    Builder b(loop.getLoc(), loop);
    zero = arith::ConstantIntOp::create(b, b.getI32Type(), 0);
    length = SliceLengthOp::create(b, loop.getData());
    gap = arith::SubIOp::create(b, view.getStride(), block);
    Value number = arith::DivUIOp::create(b, loop.getOffset(), block);
    Value before = arith::MulIOp::create(b, number, block);
    Value within = arith::SubIOp::create(b, loop.getOffset(), before);
    Value blockStart = arith::MulIOp::create(b, number, view.getStride());
    Value host = arith::AddIOp::create(b, blockStart, within);
    Value room = arith::SubIOp::create(b, block, within);
    loop.replaceAllUsesWith(split && isShort() ? inThree(b, host, room)
                                               : inOne(b, host, room));
    loop.erase();
  }

private:
  /// Three copies of the body are little code, and there is no loop in it.
  bool isShort() {
    constexpr unsigned most = 8;
    Block &body = loop.getBody().front();
    return body.getOperations().size() <= most &&
           llvm::none_of(body,
                         [](Operation &op) { return op.getNumRegions() != 0; });
  }

  /// One loop. It carries the position in the data, the offset in the region,
  /// and the bytes left in the current block, then the values of the program.
  Values inOne(Builder &b, Value host, Value room) {
    auto more = [&](Builder &b, ValueRange args) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, args[0],
                                   length);
    };
    auto body = [&](Builder &b, ValueRange args) {
      Value left = arith::SubIOp::create(b, length, args[0]);
      Value size = arith::MinUIOp::create(b, args[2], left);
      Values made = piece(b, args[1], args[0], size, args.drop_front(3));
      Value end = arith::AddIOp::create(b, args[1], args[2]);
      return joined({arith::AddIOp::create(b, args[0], size),
                     arith::AddIOp::create(b, end, gap), block},
                    made);
    };
    Values results =
        repeat(b, joined({zero, host, room}, loop.getInits()), more, body);
    return Values(ArrayRef(results).drop_front(3));
  }

  /// The first piece, a loop over those that are whole blocks, and the rest:
  /// lengths and steps of the loop are the same in all its rounds.
  Values inThree(Builder &b, Value host, Value room) {
    return ifSome(b, length, loop.getInits(), [&](Builder &b) {
      Value size = arith::MinUIOp::create(b, room, length);
      Values made = piece(b, host, zero, size, loop.getInits(), false);
      Value left = arith::SubIOp::create(b, length, size);
      Value end = arith::AddIOp::create(b, host, room);
      Value next = arith::AddIOp::create(b, end, gap);
      Values behind = wholeBlocks(b, joined({left, next}, made));
      ArrayRef<Value> values = ArrayRef(behind).drop_front(2);
      return ifSome(b, behind[0], values, [&](Builder &b) {
        Value position = arith::SubIOp::create(b, length, behind[0]);
        return piece(b, behind[1], position, behind[0], values, false);
      });
    });
  }

  /// Carries the bytes left, the offset in the region, and the values of the
  /// program.
  Values wholeBlocks(Builder &b, ValueRange inits) {
    auto more = [&](Builder &b, ValueRange args) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, args[0],
                                   block);
    };
    auto body = [&](Builder &b, ValueRange args) {
      Value position = arith::SubIOp::create(b, length, args[0]);
      Values made = piece(b, args[1], position, block, args.drop_front(2));
      return joined({arith::SubIOp::create(b, args[0], block),
                     arith::AddIOp::create(b, args[1], view.getStride())},
                    made);
    };
    return repeat(b, inits, more, body);
  }

  Values repeat(Builder &b, ValueRange inits,
                function_ref<Value(Builder &, ValueRange)> more,
                function_ref<Values(Builder &, ValueRange)> body) {
    auto made = scf::WhileOp::create(
        b, inits.getTypes(), inits,
        [&](OpBuilder &inner, Location loc, ValueRange args) {
          Builder b(loc, inner);
          scf::ConditionOp::create(b, more(b, args), args);
        },
        [&](OpBuilder &inner, Location loc, ValueRange args) {
          Builder b(loc, inner);
          scf::YieldOp::create(b, body(b, args));
        });
    if (Attribute bound = loop->getAttr("spin.bound"))
      made->setAttr("spin.bound", bound);
    return made.getResults();
  }

  /// `values`, or what `some` makes of them if `number` is not 0.
  Values ifSome(Builder &b, Value number, ValueRange values,
                function_ref<Values(Builder &)> some) {
    Value isSome =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, number, zero);
    auto made = scf::IfOp::create(
        b, isSome,
        [&](OpBuilder &inner, Location loc) {
          Builder b(loc, inner);
          scf::YieldOp::create(b, some(b));
        },
        [&](OpBuilder &inner, Location loc) {
          scf::YieldOp::create(inner, loc, values);
        });
    return made.getResults();
  }

  static Values joined(ArrayRef<Value> own, ValueRange values) {
    Values all(own);
    llvm::append_range(all, values);
    return all;
  }

  /// A copy of the body for one piece; returns what it yields. Outside of loops
  /// it has no marker.
  Values piece(Builder &b, Value host, Value position, Value size,
               ValueRange values, bool inLoop = true) {
    Block &body = loop.getBody().front();
    IRMapping now;
    now.map(body.getArguments(),
            joined({part(b, view.getRegion(), host, size),
                    part(b, loop.getData(), position, size)},
                   values));
    for (Operation &op : body.without_terminator())
      if (inLoop || !isa<LoopMarkerOp>(op))
        b.clone(op, now);
    Values yielded;
    for (Value value : cast<YieldOp>(body.getTerminator()).getValues())
      yielded.push_back(now.lookupOrDefault(value));
    return yielded;
  }

  Value part(Builder &b, Value slice, Value offset, Value size) {
    auto proof = ProofAttr::get(b.getContext(), {b.getStringAttr(kLaw)});
    auto cut =
        SubsliceOp::create(b, slice.getType(), slice, offset, size, proof);
    cut->setAttr("spin.nonempty", b.getUnitAttr());
    return cut;
  }

  ForPiecesOp loop;
  StridedViewOp view;
  Value block, zero, length, gap;
};

class ExpandPieces
    : public spinc::spin::impl::SpinExpandPiecesBase<ExpandPieces> {
public:
  using SpinExpandPiecesBase::SpinExpandPiecesBase;

private:
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
      PiecesExpander(loop, loop.getView().getDefiningOp<StridedViewOp>())
          .run(split);
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
