// spin-fill-locals: makes `zero` of local arrays explicit, or shows that nobody
// can tell. A fill is superfluous if each read goes through a slice that has
// been wholly written since the array came to life: by a copy from the host
// that was waited for, or by a loop over all elements. A read at a constant
// index, or at that of a loop, also counts if the first elements, enough for
// the constant or as many as the loop runs over, were written through a part of
// the slice.
//
// Both the write and the read name the same slice value, or the part and the
// index the same length, and the write dominates the read. Values of a region
// are computed anew in each iteration, the array's among them, so a write of an
// earlier iteration never counts.
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINFILLLOCALS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Whether `a` and `b` are one number: one value, or the same constant.
bool isSame(Value a, Value b) {
  llvm::APInt left, right;
  return a == b || (matchPattern(a, m_ConstantInt(&left)) &&
                    matchPattern(b, m_ConstantInt(&right)) &&
                    left.getBitWidth() == right.getBitWidth() && left == right);
}

/// Whether `length` is the number of elements of `slice`.
bool isLengthOf(Value length, Value slice) {
  if (auto op = length.getDefiningOp<SliceLengthOp>())
    if (op.getSlice() == slice)
      return true;
  if (auto part = slice.getDefiningOp<SubsliceOp>())
    return isSame(part.getLength(), length);
  llvm::APInt count;
  auto local = slice.getDefiningOp<LocalOp>();
  return local && matchPattern(length, m_ConstantInt(&count)) &&
         count == local.getCount();
}

unsigned elementBytes(Value slice) {
  return cast<SliceType>(slice.getType()).getElementBytes();
}

/// One array: where it is read, and what has been written before.
class LocalUses {
public:
  LocalUses(LocalOp local, DominanceInfo &dominance)
      : local(local), dominance(dominance) {}

  bool needsFill() { return !allWritten(local.getResult(), {}); }

private:
  /// Operations after which all of `slice` is written.
  SmallVector<Operation *> wholeWrites(Value slice) {
    SmallVector<Operation *> writes;
    for (Operation *user : slice.getUsers()) {
      if (auto copy = dyn_cast<DmaFromHostOp>(user)) {
        if (copy.getDest() == slice && coversAll(copy))
          for (Operation *wait : copy.getCommand().getUsers())
            if (isa<WaitOp>(wait))
              writes.push_back(wait);
      } else if (auto store = dyn_cast<StoreOp>(user)) {
        if (scf::ForOp loop = loopOverAll(store))
          writes.push_back(loop);
      } else if (auto part = dyn_cast<SubsliceOp>(user)) {
        if (part.getSlice() == slice &&
            matchPattern(part.getOffset(), m_Zero()) &&
            isLengthOf(part.getLength(), slice))
          writes.append(wholeWrites(part));
      }
    }
    return writes;
  }

  /// A copy moves what its source holds, which may be less than fits.
  static bool coversAll(DmaFromHostOp copy) {
    if (elementBytes(copy.getDest()) != 1)
      return false;
    auto source = copy.getSource().getDefiningOp<SubsliceOp>();
    return source && isLengthOf(source.getLength(), copy.getDest());
  }

  /// The loop that runs `store` once for each element, from the first on.
  static scf::ForOp loopOverAll(StoreOp store) {
    auto loop = dyn_cast<scf::ForOp>(store->getParentOp());
    llvm::APInt low, step;
    if (!loop || store.getIndex() != loop.getInductionVar() ||
        !matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) ||
        !low.isZero() || !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
        !step.isOne() || !isLengthOf(loop.getUpperBound(), store.getSlice()))
      return nullptr;
    return loop;
  }

  /// Whether every read through `slice` comes after one of the writes of it, of
  /// a slice that it is part of (`before`).
  bool allWritten(Value slice, SmallVector<Operation *> before) {
    before.append(wholeWrites(slice));
    for (OpOperand &use : slice.getUses()) {
      Operation *user = use.getOwner();
      if (isa<SubsliceOp, ViewAsOp, MemberOp>(user)) {
        if (!allWritten(user->getResult(0), before))
          return false;
        continue;
      }
      if (isa<SliceLengthOp, WaitOp>(user) || writesOnly(user, slice))
        continue;
      // A read, or something that may be one.
      if (!isAfterOneOf(before, user) &&
          !isAfterOneOf(writesUpTo(slice, user), user))
        return false;
    }
    return true;
  }

  bool isAfterOneOf(ArrayRef<Operation *> writes, Operation *read) const {
    return llvm::any_of(writes, [&](Operation *write) {
      return dominance.properlyDominates(write, read, /*enclosingOpOk=*/false);
    });
  }

  /// Operations after which all elements of `slice` are written that `read`, a
  /// load, may meet: those of a part at the start that holds its index.
  SmallVector<Operation *> writesUpTo(Value slice, Operation *read) {
    auto load = dyn_cast<LoadOp>(read);
    if (!load)
      return {};
    SmallVector<Operation *> writes;
    for (Operation *user : slice.getUsers()) {
      auto part = dyn_cast<SubsliceOp>(user);
      if (part && matchPattern(part.getOffset(), m_Zero()) &&
          isIndexOf(load.getIndex(), part))
        writes.append(wholeWrites(part));
    }
    return writes;
  }

  /// Whether `index` is a number below the length of `part`, or that of a loop
  /// over as many elements.
  static bool isIndexOf(Value index, SubsliceOp part) {
    llvm::APInt number, length;
    if (matchPattern(index, m_ConstantInt(&number)))
      return matchPattern(part.getLength(), m_ConstantInt(&length)) &&
             number.ult(length);
    auto argument = dyn_cast<BlockArgument>(index);
    auto loop = argument
                    ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                    : nullptr;
    return loop && loop.getUnsignedCmp() &&
           loop.getInductionVar() == argument &&
           isLengthOf(loop.getUpperBound(), part);
  }

  static bool writesOnly(Operation *user, Value slice) {
    if (auto store = dyn_cast<StoreOp>(user))
      return store.getSlice() == slice;
    if (auto store = dyn_cast<WireStoreOp>(user))
      return store.getSlice() == slice;
    auto copy = dyn_cast<DmaFromHostOp>(user);
    return copy && copy.getDest() == slice;
  }

  LocalOp local;
  DominanceInfo &dominance;
};

/// Stores zeros: words, then the bytes that are left.
void fill(LocalOp local) {
  constexpr unsigned wordBytes = 4, straightWords = 16;
  ImplicitLocOpBuilder builder(local.getLoc(), local->getContext());
  builder.setInsertionPointAfter(local);
  Value bytes = local.getResult();
  unsigned size = local.getBytes();
  auto number = [&](int64_t value, unsigned bits = 32) -> Value {
    return arith::ConstantIntOp::create(builder, builder.getIntegerType(bits),
                                        value);
  };
  auto store = [&](Value zero, Value offset) {
    WireStoreOp::create(builder, zero, bytes, offset, ByteOrder::Little,
                        ProofAttr());
  };
  Value zero = number(0);
  unsigned words = size / wordBytes;
  if (words <= straightWords) {
    for (unsigned word = 0; word != words; ++word)
      store(zero, number(word * wordBytes));
  } else {
    unsigned turn = 4 * wordBytes;
    unsigned inTurns = size / turn * turn;
    auto loop = scf::ForOp::create(builder, number(0), number(inTurns),
                                   number(turn), ValueRange(),
                                   /*bodyBuilder=*/nullptr,
                                   /*unsignedCmp=*/true);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      for (unsigned at = 0; at != turn; at += wordBytes)
        store(zero, at == 0 ? loop.getInductionVar()
                            : Value(arith::AddIOp::create(
                                  builder, loop.getInductionVar(), number(at),
                                  arith::IntegerOverflowFlags::nuw)));
    }
    for (unsigned at = inTurns; at + wordBytes <= size; at += wordBytes)
      store(zero, number(at));
  }
  for (unsigned at = words * wordBytes; at != size; ++at)
    store(number(0, 8), number(at));
}

class FillLocals : public spinc::spin::impl::SpinFillLocalsBase<FillLocals> {
  void runOnOperation() override {
    SmallVector<LocalOp> locals;
    getOperation().walk([&](LocalOp local) {
      if (local.getZero())
        locals.push_back(local);
    });
    DominanceInfo dominance(getOperation());
    for (LocalOp local : locals) {
      bool needed = LocalUses(local, dominance).needsFill();
      local.setZero(false);
      if (needed)
        fill(local);
    }
  }
};

} // namespace
