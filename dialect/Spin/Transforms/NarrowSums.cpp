// spin-narrow-sums: whether a sum of two words is in a limit, asked of words.
// The core has no carry, so a sum of 64 bits takes as many instructions as the
// comparison itself; two comparisons of words are two branches.
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINNARROWSUMS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

constexpr unsigned wordBits = 32;

/// The word that `value` is zero-extended from.
Value wordOf(Value value) {
  auto wide = value.getDefiningOp<arith::ExtUIOp>();
  return wide && wide.getIn().getType().isInteger(wordBits) ? wide.getIn()
                                                            : Value();
}

/// Replaces `left + right <= limit` in wider numbers: the sum of words has not
/// wrapped, and is in the limit. A negated one is an `or` of the opposites.
void narrow(arith::CmpIOp compare) {
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  Value wideSum = compare.getLhs(), wideLimit = compare.getRhs();
  if (!wideSum.getDefiningOp<arith::AddIOp>()) {
    std::swap(wideSum, wideLimit);
    predicate = predicate == P::ule   ? P::uge
                : predicate == P::uge ? P::ule
                : predicate == P::ult ? P::ugt
                : predicate == P::ugt ? P::ult
                                      : P::eq;
  }
  bool isWithin = predicate == P::ule || predicate == P::ult;
  if (!isWithin && predicate != P::uge && predicate != P::ugt)
    return;
  auto sum = wideSum.getDefiningOp<arith::AddIOp>();
  Value left = sum ? wordOf(sum.getLhs()) : Value();
  Value right = sum ? wordOf(sum.getRhs()) : Value();
  Value limit = wordOf(wideLimit);
  if (!left || !right || !limit)
    return;
  ImplicitLocOpBuilder builder(compare.getLoc(), compare);
  Value word = arith::AddIOp::create(builder, left, right);
  Value wrap =
      arith::CmpIOp::create(builder, isWithin ? P::uge : P::ult, word, left);
  Value in = arith::CmpIOp::create(builder, predicate, word, limit);
  Value both = isWithin ? arith::AndIOp::create(builder, wrap, in).getResult()
                        : arith::OrIOp::create(builder, wrap, in).getResult();
  compare.replaceAllUsesWith(both);
  compare.erase();
}

class NarrowSums : public spinc::spin::impl::SpinNarrowSumsBase<NarrowSums> {
  void runOnOperation() override {
    getOperation().walk([](HandlerOp handler) {
      handler.walk([](arith::CmpIOp compare) { narrow(compare); });
    });
  }
};

} // namespace
