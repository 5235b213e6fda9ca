// spin-share-task-reads: task registers, and the number of the HPU, are the
// same while a handler runs. LLVM may neither take a read of them out of a loop
// nor one in front of a branch, for it cannot know that the read is harmless.
#include "dialect/Conversion/SpinToLLVM/CardBuilder.h"
#include "dialect/Conversion/SpinToLLVM/SpinToLLVM.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINSHARETASKREADS
#include "dialect/Conversion/SpinToLLVM/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Stands for the number of the HPU among the task registers, which are words.
constexpr unsigned kHartId = 1;

/// What `op` reads, if it is such a read.
std::optional<unsigned> whatIsRead(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return CardBuilder::taskRegister(load);
  auto code = dyn_cast<LLVM::InlineAsmOp>(op);
  return code && CardBuilder::isHartId(code) ? std::optional(kHartId)
                                             : std::nullopt;
}

/// The last block outside of loops that all ways to `reads` lead through.
Block *placeFor(ArrayRef<Operation *> reads) {
  Block *block = reads.front()->getBlock();
  if (block->getParent()->hasOneBlock())
    return block;
  DominanceInfo dominance;
  for (Operation *read : reads)
    block = dominance.findNearestCommonDominator(block, read->getBlock());
  auto &tree = dominance.getDomTree(block->getParent());
  CFGLoopInfo loops(tree);
  while (CFGLoop *loop = loops.getLoopFor(block))
    block = tree.getNode(loop->getHeader())->getIDom()->getBlock();
  return block;
}

/// Makes one read of `reads`, which are all of `what`.
void share(ArrayRef<Operation *> reads, unsigned what) {
  Block *block = placeFor(reads);
  Operation *place = block->getTerminator();
  for (Operation *read : reads)
    if (read->getBlock() == block && read->isBeforeInBlock(place))
      place = read;
  OpBuilder at(place);
  CardBuilder builder(reads.front()->getLoc(), at);
  Value shared = what == kHartId ? builder.hartId() : builder.readTask(what);
  for (Operation *read : reads) {
    read->replaceAllUsesWith(ValueRange(shared));
    read->erase();
  }
}

/// A read in front of `use`, which LLVM leaves there.
Value readFor(OpOperand &use, unsigned reg) {
  OpBuilder at(use.getOwner());
  CardBuilder builder(use.getOwner()->getLoc(), at);
  Value value = builder.readTask(reg);
  auto load = value.getDefiningOp<LLVM::LoadOp>();
  load.setVolatile_(true);
  load.setInvariant(false);
  if (isa<LLVM::LLVMPointerType>(use.get().getType()))
    return builder.toPointer(value);
  return value;
}

/// Reads the register that `read` reads wherever its value, or the pointer made
/// of it, is used.
void readAtUses(Operation *read, unsigned reg) {
  for (Operation *user : llvm::make_early_inc_range(read->getUsers())) {
    if (!isa<LLVM::IntToPtrOp>(user))
      continue;
    for (OpOperand &use : llvm::make_early_inc_range(user->getUses()))
      use.set(readFor(use, reg));
    user->erase();
  }
  for (OpOperand &use : llvm::make_early_inc_range(read->getUses()))
    use.set(readFor(use, reg));
  read->erase();
}

class SpinShareTaskReads
    : public spinc::spin::impl::SpinShareTaskReadsBase<SpinShareTaskReads> {
public:
  using SpinShareTaskReadsBase::SpinShareTaskReadsBase;

private:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      runOnFunction(function);
  }

  void runOnFunction(LLVM::LLVMFuncOp function) {
    llvm::MapVector<unsigned, SmallVector<Operation *>> reads;
    function.walk([&](Operation *op) {
      std::optional<unsigned> what = whatIsRead(op);
      if (what && !op->use_empty())
        reads[*what].push_back(op);
    });
    for (auto &[what, ops] : reads) {
      if (once)
        share(ops, what);
      else if (what != kHartId)
        for (Operation *read : ops)
          readAtUses(read, what);
    }
  }
};

} // namespace
