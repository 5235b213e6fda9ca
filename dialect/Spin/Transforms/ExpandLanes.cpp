// spin-expand-lanes: packed values without SIMD instructions. Sums and
// differences of all lanes are computed at once, without carries from lane to
// lane; what has no such form goes lane by lane.
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINEXPANDLANES
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Builds what one operation on words of `count` lanes becomes.
class Expander {
public:
  Expander(Operation *op, unsigned count)
      : builder(op->getLoc(), op), count(count), width(32 / count) {}

  Value lanes(LanesOp op);
  Value splat(Value number) {
    return make<arith::MulIOp>(make<arith::AndIOp>(number, laneMask()),
                               every(1));
  }
  Value insert(InsertLaneOp op);

private:
  template <typename Op, typename... Args> Value make(Args... args) {
    return Op::create(builder, args...);
  }
  Value constant(uint32_t value) {
    return arith::ConstantIntOp::create(builder, builder.getI32Type(),
                                        int64_t(value));
  }
  /// `bits`, the same in every lane.
  Value every(uint32_t bits) {
    llvm::APInt lane(width, bits);
    return constant(llvm::APInt::getSplat(32, lane).getZExtValue());
  }
  uint32_t ones() { return uint32_t(llvm::maskTrailingOnes<uint32_t>(width)); }
  Value laneMask() { return constant(ones()); }

  Value lane(Value word, unsigned index, bool isSigned);
  Value eachLane(llvm::function_ref<Value(unsigned)> lane);
  Value sum(bool subtracts, Value left, Value right);
  Value shift(LaneKind kind, Value word, Value amount);
  Value compare(arith::CmpIPredicate predicate, Value left, Value right,
                bool chooses);

  ImplicitLocOpBuilder builder;
  unsigned count, width;
};

/// Lane `index` as a number of 32 bits.
Value Expander::lane(Value word, unsigned index, bool isSigned) {
  Value top = make<arith::ShLIOp>(word, constant(32 - (index + 1) * width));
  Value down = constant(32 - width);
  return isSigned ? make<arith::ShRSIOp>(top, down)
                  : make<arith::ShRUIOp>(top, down);
}

/// The word whose lanes are the lowest bits of what `lane` gives for each.
Value Expander::eachLane(llvm::function_ref<Value(unsigned)> lane) {
  Value word;
  for (unsigned i = 0; i < count; ++i) {
    Value bits = make<arith::ShLIOp>(make<arith::AndIOp>(lane(i), laneMask()),
                                     constant(i * width));
    word = word ? make<arith::OrIOp>(word, bits) : bits;
  }
  return word;
}

/// The highest bit of each lane is computed apart, so that no carry crosses.
Value Expander::sum(bool subtracts, Value left, Value right) {
  uint32_t top = uint32_t(1) << (width - 1);
  Value highest = every(top), rest = every(top - 1);
  Value differ = make<arith::XOrIOp>(left, right);
  Value low;
  if (subtracts) {
    low = make<arith::SubIOp>(make<arith::OrIOp>(left, highest),
                              make<arith::AndIOp>(right, rest));
    differ = make<arith::XOrIOp>(differ, constant(~uint32_t(0)));
  } else {
    low = make<arith::AddIOp>(make<arith::AndIOp>(left, rest),
                              make<arith::AndIOp>(right, rest));
  }
  return make<arith::XOrIOp>(low, make<arith::AndIOp>(differ, highest));
}

Value Expander::shift(LaneKind kind, Value word, Value amount) {
  if (kind == LaneKind::ShrS)
    return eachLane([&](unsigned i) {
      return make<arith::ShRSIOp>(lane(word, i, true), amount);
    });
  bool toLeft = kind == LaneKind::Shl;
  Value kept = toLeft ? make<arith::ShLIOp>(laneMask(), amount)
                      : make<arith::ShRUIOp>(laneMask(), amount);
  Value moved = toLeft ? make<arith::ShLIOp>(word, amount)
                       : make<arith::ShRUIOp>(word, amount);
  return make<arith::AndIOp>(moved, splat(kept));
}

/// The operand for which the predicate holds, or all bits where it does.
Value Expander::compare(arith::CmpIPredicate predicate, Value left, Value right,
                        bool chooses) {
  bool isSigned = predicate >= arith::CmpIPredicate::slt &&
                  predicate <= arith::CmpIPredicate::sge;
  return eachLane([&](unsigned i) {
    Value a = lane(left, i, isSigned), b = lane(right, i, isSigned);
    Value holds = make<arith::CmpIOp>(predicate, a, b);
    return chooses ? make<arith::SelectOp>(holds, a, b)
                   : make<arith::ExtSIOp>(Type(builder.getI32Type()), holds);
  });
}

Value Expander::lanes(LanesOp op) {
  using P = arith::CmpIPredicate;
  Value left = op.getLeft(), right = op.getRight();
  switch (LaneKind kind = op.getKind()) {
  case LaneKind::Add:
  case LaneKind::Sub:
    return sum(kind == LaneKind::Sub, left, right);
  case LaneKind::MinS:
    return compare(P::slt, left, right, true);
  case LaneKind::MinU:
    return compare(P::ult, left, right, true);
  case LaneKind::MaxS:
    return compare(P::sgt, left, right, true);
  case LaneKind::MaxU:
    return compare(P::ugt, left, right, true);
  case LaneKind::Shl:
  case LaneKind::ShrU:
  case LaneKind::ShrS:
    return shift(kind, left, right);
  case LaneKind::Eq:
    return compare(P::eq, left, right, false);
  case LaneKind::Ne:
    return compare(P::ne, left, right, false);
  case LaneKind::LtS:
    return compare(P::slt, left, right, false);
  case LaneKind::LeS:
    return compare(P::sle, left, right, false);
  case LaneKind::GtS:
    return compare(P::sgt, left, right, false);
  case LaneKind::GeS:
    return compare(P::sge, left, right, false);
  case LaneKind::LtU:
    return compare(P::ult, left, right, false);
  case LaneKind::LeU:
    return compare(P::ule, left, right, false);
  case LaneKind::GtU:
    return compare(P::ugt, left, right, false);
  case LaneKind::GeU:
    return compare(P::uge, left, right, false);
  }
  llvm_unreachable("all kinds are handled");
}

Value Expander::insert(InsertLaneOp op) {
  uint32_t place = ones() << (op.getLane() * width);
  Value others = make<arith::AndIOp>(op.getWord(), constant(~place));
  Value moved =
      make<arith::ShLIOp>(op.getValue(), constant(op.getLane() * width));
  return make<arith::OrIOp>(others,
                            make<arith::AndIOp>(moved, constant(place)));
}

class ExpandLanes : public spinc::spin::impl::SpinExpandLanesBase<ExpandLanes> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      Value word;
      if (auto lanes = dyn_cast<LanesOp>(op))
        word = Expander(op, lanes.getCount()).lanes(lanes);
      else if (auto splat = dyn_cast<SplatOp>(op))
        word = Expander(op, splat.getCount()).splat(splat.getValue());
      else if (auto insert = dyn_cast<InsertLaneOp>(op))
        word = Expander(op, insert.getCount()).insert(insert);
      else
        return;
      op->getResult(0).replaceAllUsesWith(word);
      op->erase();
    });
  }
};

} // namespace
