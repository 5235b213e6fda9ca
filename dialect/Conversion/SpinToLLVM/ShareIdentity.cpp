// An HPU's number is the same all the time, but reading it is an inline
// assembly that LLVM neither moves nor merges, and takes four cycles. Several
// reads in a function become one, where control splits towards them.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace spinc::spin;

void spinc::spin::shareHartId(LLVM::LLVMFuncOp function) {
  SmallVector<LLVM::InlineAsmOp> reads;
  function.walk([&](LLVM::InlineAsmOp op) {
    if (CardBuilder::isHartId(op))
      reads.push_back(op);
  });
  if (reads.size() < 2)
    return;
  DominanceInfo dominance(function);
  Block *block = reads.front()->getBlock();
  for (LLVM::InlineAsmOp read : reads)
    block = dominance.findNearestCommonDominator(block, read->getBlock());
  Operation *place = block->getTerminator();
  for (LLVM::InlineAsmOp read : reads)
    if (read->getBlock() == block && read->isBeforeInBlock(place))
      place = read;
  OpBuilder builder(place);
  Operation *shared = builder.clone(*reads.front());
  for (LLVM::InlineAsmOp read : reads) {
    read->replaceAllUsesWith(shared);
    read->erase();
  }
}
