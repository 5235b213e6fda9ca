// convert-spin-to-llvm: outlines handlers, lowers scf and early exits to
// branches, then converts all operations at once.
#include "dialect/Conversion/SpinToLLVM/SpinToLLVM.h"

#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

namespace spinc::spin {
#define GEN_PASS_DEF_CONVERTSPINTOLLVM
#include "dialect/Conversion/SpinToLLVM/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Whether the handler finds a local array by what the runtime passes.
bool readsArguments(HandlerOp handler, const LoweringFacts &facts) {
  return handler
      .walk([&](LocalOp local) {
        return facts.locals.inArea.lookup(local).isHandlers
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Gives the blocks of a function converted arguments; the entry block loses
/// the packet or message.
class ConvertBlocks : public ConvertOpToLLVMPattern<LLVM::LLVMFuncOp> {
public:
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(LLVM::LLVMFuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.startOpModification(op);
    if (failed(
            rewriter.convertRegionTypes(&op.getBody(), *getTypeConverter()))) {
      rewriter.cancelOpModification(op);
      return failure();
    }
    rewriter.finalizeOpModification(op);
    return success();
  }
};

LogicalResult lowerStructuredControl(LLVM::LLVMFuncOp function) {
  RewritePatternSet patterns(function.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*function.getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(function, target, std::move(patterns));
}

LogicalResult convertFunctions(ArrayRef<Operation *> functions,
                               const LoweringFacts &facts,
                               MLIRContext *context) {
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(32);
  LLVMTypeConverter converter(context, options);
  addSliceConversions(converter);

  RewritePatternSet patterns(context);
  patterns.add<ConvertBlocks>(converter);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateMemoryPatterns(converter, facts, patterns);
  populateStatePatterns(converter, facts, patterns);
  populateHostPatterns(converter, facts, patterns);
  populateCommandPatterns(converter, facts, patterns);
  populateControlPatterns(converter, facts, patterns);
  populateLanePatterns(converter, facts, patterns);
  populateLockPatterns(converter, facts, patterns);

  LLVMConversionTarget target(*context);
  target.addDynamicallyLegalOp<LLVM::LLVMFuncOp>(
      [&](LLVM::LLVMFuncOp op) { return converter.isLegal(&op.getBody()); });
  return applyFullConversion(functions, target, std::move(patterns));
}

class ConvertSpinToLLVM
    : public spinc::spin::impl::ConvertSpinToLLVMBase<ConvertSpinToLLVM> {
public:
  using ConvertSpinToLLVMBase::ConvertSpinToLLVMBase;

private:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkConvertible(module)))
      return signalPassFailure();
    expandReleases(module);
    LoweringFacts facts = collectFacts(module);
    facts.wireWords = wireWords;

    SmallVector<ContextOp> contexts(module.getOps<ContextOp>());
    SmallVector<Operation *> functions;
    if (!contexts.empty()) {
      OpBuilder builder(contexts.front());
      createLocalArea(module, facts.locals, builder);
    }
    for (ContextOp context : contexts) {
      OpBuilder builder(context);
      createGlobals(context, builder);
      for (HandlerOp handler : context.getBody().getOps<HandlerOp>()) {
        LLVM::LLVMFuncOp function =
            outlineHandler(handler, readsArguments(handler, facts), builder);
        if (failed(lowerStructuredControl(function)))
          return signalPassFailure();
        lowerExits(function, handler.isFunction());
        functions.push_back(function);
      }
    }
    if (failed(convertFunctions(functions, facts, &getContext())))
      return signalPassFailure();
    for (ContextOp context : contexts)
      context.erase();
    createTables(module);
  }
};

} // namespace
