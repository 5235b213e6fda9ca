// spin-merge-copies: a command costs the HPU nine instructions and the card a
// transfer of its own, however short. Copies one right behind the other, of
// bytes that touch on both sides, become one.
#include "dialect/Spin/Analysis/Evaluator.h"
#include "dialect/Spin/Transforms/Copies.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINMERGECOPIES
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// What may be done between two copies that become one, in the place of the
/// second. By the rules of commands, nothing touches what the first one fills,
/// and nothing writes what it reads, until somebody has waited for it.
bool mayPass(Operation *op, bool isWaitedFor) {
  if (isMemoryEffectFree(op))
    return true;
  if (isWaitedFor)
    return false;
  if (isa<StoreOp, WireStoreOp>(op))
    return true;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const auto &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect());
         });
}

/// The slices of bytes that `slice` was cut out of, itself first.
SmallVector<Value> cutFrom(Value slice) {
  SmallVector<Value> chain;
  if (cast<SliceType>(slice.getType()).getElementBytes() != 1)
    return chain;
  chain.push_back(slice);
  while (auto cut = chain.back().getDefiningOp<SubsliceOp>())
    chain.push_back(cut.getSlice());
  return chain;
}

/// The smallest slice that both were cut out of.
Value commonSlice(Value first, Value second) {
  SmallVector<Value> chain = cutFrom(second);
  for (Value slice : cutFrom(first))
    if (llvm::is_contained(chain, slice))
      return slice;
  return {};
}

/// Whether `second` starts `length` bytes behind the start of `first`.
bool startsBehind(Evaluator &evaluator, Value first, const LinearExpr &length,
                  Value second) {
  return evaluator.place(second).offset ==
         evaluator.place(first).offset + length;
}

/// `length` bytes of `whole` from where `first`, cut out of it, starts.
Value cut(ImplicitLocOpBuilder &builder, Value whole, Value first,
          Value length) {
  Value offset;
  for (Value slice = first; slice != whole;) {
    auto inner = slice.getDefiningOp<SubsliceOp>();
    offset = offset ? addExactly(builder, inner.getOffset(), offset)
                    : inner.getOffset();
    slice = inner.getSlice();
  }
  if (!offset)
    offset = arith::ConstantIntOp::create(builder, builder.getI32Type(), 0);
  return SubsliceOp::create(builder, whole.getType(), whole, offset, length,
                            ProofAttr());
}

Value lengthOf(ImplicitLocOpBuilder &builder, Value slice) {
  if (auto cut = slice.getDefiningOp<SubsliceOp>())
    return cut.getLength();
  return SliceLengthOp::create(builder, builder.getI32Type(), slice);
}

/// Waits once, where the first of both was waited for, or as soon as there is
/// something to wait for.
void replaceHandles(ArrayRef<Operation *> copies, Operation *by) {
  SmallVector<Operation *> waits;
  for (Operation *copy : copies) {
    llvm::append_range(waits, copy->getUsers());
    copy->replaceAllUsesWith(by);
  }
  if (waits.empty())
    return;
  Operation *first =
      *llvm::min_element(waits, [](Operation *left, Operation *right) {
        return left->isBeforeInBlock(right);
      });
  for (Operation *wait : waits)
    if (wait != first)
      wait->erase();
  if (first->isBeforeInBlock(by))
    first->moveAfter(by);
}

/// One copy in the place of `second`, or nothing.
std::optional<Copy> merge(Evaluator &evaluator, const Copy &first,
                          const Copy &second) {
  Value dest = commonSlice(first.dest, second.dest);
  Value source = commonSlice(first.source, second.source);
  if (first.op->getName() != second.op->getName() || !dest || !source ||
      !isWaitedForHere(first.op) || !isWaitedForHere(second.op))
    return std::nullopt;
  LinearExpr length = evaluator.length(first.source);
  if (!startsBehind(evaluator, first.source, length, second.source) ||
      !startsBehind(evaluator, first.dest, length, second.dest))
    return std::nullopt;
  ImplicitLocOpBuilder builder(second.op->getLoc(), second.op);
  Value total = addExactly(builder, lengthOf(builder, first.source),
                           lengthOf(builder, second.source));
  Value to = cut(builder, dest, first.dest, total);
  Value from = cut(builder, source, first.source, total);
  Copy both = copyLike(second, builder, to, from);
  replaceHandles({first.op, second.op}, both.op);
  return both;
}

class MergeCopies : public spinc::spin::impl::SpinMergeCopiesBase<MergeCopies> {
  void runOnOperation() override {
    getOperation().walk([](HandlerOp handler) {
      // It knows values by their place in memory, so they stay till the end.
      Evaluator evaluator(handler);
      SmallVector<Operation *> merged;
      handler.walk([&](Block *block) { mergeIn(evaluator, *block, merged); });
      for (Operation *copy : merged)
        copy->erase();
    });
  }

  static void mergeIn(Evaluator &evaluator, Block &block,
                      SmallVectorImpl<Operation *> &merged) {
    std::optional<Copy> open;
    bool isWaitedFor = false;
    // A merge takes waits behind the second copy away.
    for (Operation *op = &block.front(); op; op = op->getNextNode()) {
      std::optional<Copy> next = copyOf(op);
      if (auto wait = dyn_cast<WaitOp>(op);
          wait && open && wait.getCommand().getDefiningOp() == open->op) {
        isWaitedFor = true;
        continue;
      }
      if (!next && mayPass(op, isWaitedFor))
        continue;
      isWaitedFor = false;
      if (open && next)
        if (std::optional<Copy> both = merge(evaluator, *open, *next)) {
          merged.append({open->op, next->op});
          next = both;
        }
      open = next;
    }
  }
};

} // namespace
