// How handlers end: every early exit branches to one block that returns. And
// how functions are called and return.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "runtime/abi/pspin.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

int64_t numberOf(ReturnCode code) {
  switch (code) {
  case ReturnCode::Success:
    return PSPIN_RETURN_SUCCESS;
  case ReturnCode::Drop:
    return PSPIN_RETURN_DROP;
  case ReturnCode::Fail:
    return PSPIN_RETURN_FAIL;
  case ReturnCode::ProcessData:
    return PSPIN_RETURN_PROCESS_DATA;
  }
  llvm_unreachable("all codes are handled");
}

/// How much likelier than its opposite what a handler requires is.
constexpr int32_t kLikely = 1000;

/// Rewrites the ends of one function.
class ExitLowering {
public:
  ExitLowering(LLVM::LLVMFuncOp function, bool isFunction)
      : function(function), isFunction(isFunction),
        rewriter(function.getContext()) {}

  void run() {
    SmallVector<Operation *> ends;
    function.walk([&](Operation *op) {
      if (isa<ReturnOp, GiveOp, ExitOp, RequireOp>(op))
        ends.push_back(op);
    });
    for (Operation *op : ends) {
      rewriter.setInsertionPoint(op);
      if (auto end = dyn_cast<ReturnOp>(op))
        LLVM::ReturnOp::create(rewriter, op->getLoc(), codeOf(end).front());
      else if (auto end = dyn_cast<GiveOp>(op))
        lower(end);
      else if (auto end = dyn_cast<ExitOp>(op))
        lower(end);
      else
        lower(cast<RequireOp>(op));
      rewriter.eraseOp(op);
    }
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
  }

private:
  void lower(GiveOp op) {
    ValueRange values = op.getValues();
    if (values.size() < 2) {
      LLVM::ReturnOp::create(rewriter, op.getLoc(), values);
      return;
    }
    Value packed = LLVM::PoisonOp::create(
        rewriter, op.getLoc(),
        packedType(values.getTypes(), rewriter.getContext()));
    for (auto [position, value] : llvm::enumerate(values))
      packed = LLVM::InsertValueOp::create(rewriter, op.getLoc(), packed, value,
                                           int64_t(position));
    LLVM::ReturnOp::create(rewriter, op.getLoc(), packed);
  }

  /// What follows an exit in its block is never reached.
  void lower(ExitOp op) {
    rewriter.splitBlock(op->getBlock(), std::next(op->getIterator()));
    rewriter.setInsertionPoint(op);
    SmallVector<Value> code = codeOf(op);
    cf::BranchOp::create(rewriter, op.getLoc(), exitBlock(), code);
  }

  void lower(RequireOp op) {
    Block *rest =
        rewriter.splitBlock(op->getBlock(), std::next(op->getIterator()));
    rewriter.setInsertionPoint(op);
    SmallVector<Value> code = codeOf(op);
    auto branch =
        cf::CondBranchOp::create(rewriter, op.getLoc(), op.getCondition(), rest,
                                 ValueRange(), exitBlock(), code);
    // What is required mostly holds: that way falls through.
    const int32_t weights[] = {kLikely, 1};
    branch.setBranchWeights(ArrayRef<int32_t>(weights));
  }

  /// What a handler ends with. A function has one way to fail, with zeros: the
  /// last says that it has.
  template <typename Op> SmallVector<Value> codeOf(Op op) {
    if (isFunction)
      return {};
    return {arith::ConstantIntOp::create(
        rewriter, op.getLoc(), rewriter.getI32Type(), numberOf(op.getCode()))};
  }

  Block *exitBlock() {
    if (exit)
      return exit;
    OpBuilder::InsertionGuard guard(rewriter);
    Location at = function.getLoc();
    exit = rewriter.createBlock(&function.getBody(), function.getBody().end());
    Type type = function.getFunctionType().getReturnType();
    Value result = isFunction ? Value(LLVM::ZeroOp::create(rewriter, at, type))
                              : Value(exit->addArgument(type, at));
    LLVM::ReturnOp::create(rewriter, at, result);
    return exit;
  }

  LLVM::LLVMFuncOp function;
  const bool isFunction;
  IRRewriter rewriter;
  Block *exit = nullptr;
};

class LowerCall : public SpinPattern<CallOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(CallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = packedType(op.getResultTypes(), getContext());
    StringAttr callee = facts.callees.lookup(op);
    auto call = LLVM::CallOp::create(rewriter, op.getLoc(),
                                     op.getNumResults() == 0 ? TypeRange()
                                                             : TypeRange(type),
                                     callee.getValue(), adaptor.getOperands());
    SmallVector<Value> results(call.getResults());
    if (op.getNumResults() > 1) {
      results.clear();
      for (int64_t position = 0; position < op.getNumResults(); ++position)
        results.push_back(LLVM::ExtractValueOp::create(
            rewriter, op.getLoc(), call.getResult(), position));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// The text that the machine pass of compiler/Backend looks for: a label, and
/// its address with the loop's number in section .spin.loops.
class LowerLoopMarker : public SpinPattern<LoopMarkerOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(LoopMarkerOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::string text = ".Lspinloop${:uid}: "
                       ".pushsection .spin.loops,\"\",@progbits; "
                       ".word .Lspinloop${:uid}, " +
                       std::to_string(op.getId()) + "; .popsection";
    rewriter.replaceOpWithNewOp<LLVM::InlineAsmOp>(
        op, TypeRange{}, ValueRange{}, rewriter.getStringAttr(text),
        rewriter.getStringAttr(""), /*has_side_effects=*/rewriter.getUnitAttr(),
        /*is_align_stack=*/UnitAttr(),
        LLVM::TailCallKindAttr::get(getContext(), LLVM::TailCallKind::None),
        /*asm_dialect=*/LLVM::AsmDialectAttr(),
        /*operand_attrs=*/ArrayAttr());
    return success();
  }
};

} // namespace

void spinc::spin::lowerExits(LLVM::LLVMFuncOp function, bool isFunction) {
  ExitLowering(function, isFunction).run();
}

void spinc::spin::populateControlPatterns(const LLVMTypeConverter &converter,
                                          const LoweringFacts &facts,
                                          RewritePatternSet &patterns) {
  patterns.add<LowerLoopMarker, LowerCall>(converter, facts);
}
