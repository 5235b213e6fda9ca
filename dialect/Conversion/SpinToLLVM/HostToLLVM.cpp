// The host region of a context. A slice of it is an offset and a length; its
// 64-bit address is formed where a command is issued (CommandToLLVM.cpp).
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "runtime/abi/pspin.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

class LowerHostSize : public SpinPattern<HostSizeOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(HostSizeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, builder.readTask(PSPIN_TASK_HOST_SIZE));
    return success();
  }
};

class LowerHostSlice : public SpinPattern<HostSliceOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(HostSliceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    Value size = builder.readTask(PSPIN_TASK_HOST_SIZE);
    rewriter.replaceOp(op, builder.pack({builder.constant(0), size}));
    return success();
  }
};

} // namespace

void spinc::spin::populateHostPatterns(const LLVMTypeConverter &converter,
                                       const LoweringFacts &facts,
                                       RewritePatternSet &patterns) {
  patterns.add<LowerHostSize, LowerHostSlice>(converter, facts);
}
