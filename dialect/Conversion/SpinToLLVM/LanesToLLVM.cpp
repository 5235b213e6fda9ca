// Packed values to the SIMD instructions of the core. LLVM 22 has no
// intrinsics for them, so they are inline assembly without effects: it is
// moved, shared and dropped like other arithmetic. Mnemonics are CORE-V's; the
// image is re-encoded later.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

StringRef mnemonicOf(LaneKind kind) {
  switch (kind) {
  case LaneKind::Add:
    return "add";
  case LaneKind::Sub:
    return "sub";
  case LaneKind::MinS:
    return "min";
  case LaneKind::MinU:
    return "minu";
  case LaneKind::MaxS:
    return "max";
  case LaneKind::MaxU:
    return "maxu";
  case LaneKind::Shl:
    return "sll";
  case LaneKind::ShrU:
    return "srl";
  case LaneKind::ShrS:
    return "sra";
  case LaneKind::Eq:
    return "cmpeq";
  case LaneKind::Ne:
    return "cmpne";
  case LaneKind::LtS:
    return "cmplt";
  case LaneKind::LeS:
    return "cmple";
  case LaneKind::GtS:
    return "cmpgt";
  case LaneKind::GeS:
    return "cmpge";
  case LaneKind::LtU:
    return "cmpltu";
  case LaneKind::LeU:
    return "cmpleu";
  case LaneKind::GtU:
    return "cmpgtu";
  case LaneKind::GeU:
    return "cmpgeu";
  }
  llvm_unreachable("all kinds are handled");
}

/// Whether the immediate of 6 bits is zero-extended.
bool takesUnsigned(LaneKind kind) {
  return kind == LaneKind::MinU || kind == LaneKind::MaxU ||
         kind >= LaneKind::LtU;
}

std::string instruction(StringRef mnemonic, StringRef form, unsigned count,
                        StringRef operands) {
  return ("cv." + mnemonic + form + (count == 4 ? ".b " : ".h ") + operands)
      .str();
}

/// The immediate that stands for `right`: an amount, or the same number in all
/// lanes.
std::optional<int64_t> immediateOf(LanesOp op) {
  llvm::APInt right;
  if (!matchPattern(op.getRight(), m_ConstantInt(&right)))
    return std::nullopt;
  if (op.isShift())
    return right.getZExtValue();
  llvm::APInt lane = right.trunc(op.laneBits());
  if (llvm::APInt::getSplat(32, lane) != right)
    return std::nullopt;
  constexpr unsigned bits = 6;
  if (takesUnsigned(op.getKind()))
    return lane.isIntN(bits) ? std::optional<int64_t>(lane.getZExtValue())
                             : std::nullopt;
  return lane.isSignedIntN(bits) ? std::optional<int64_t>(lane.getSExtValue())
                                 : std::nullopt;
}

/// Whether `op` is the larger of a value and its negative.
bool isAbsolute(LanesOp op) {
  auto negative = op.getRight().getDefiningOp<LanesOp>();
  return op.getKind() == LaneKind::MaxS && negative &&
         negative.getKind() == LaneKind::Sub &&
         negative.getCount() == op.getCount() &&
         matchPattern(negative.getLeft(), m_Zero()) &&
         negative.getRight() == op.getLeft();
}

class LowerLanes : public SpinPattern<LanesOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(LanesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    StringRef mnemonic = mnemonicOf(op.getKind());
    unsigned count = op.getCount();
    Value left = adaptor.getLeft();
    auto splat = op.getRight().getDefiningOp<SplatOp>();
    Value result;
    if (isAbsolute(op))
      result = builder.compute(instruction("abs", "", count, "$0, $1"), "=r,r",
                               left);
    else if (std::optional<int64_t> number = immediateOf(op))
      result =
          builder.compute(instruction(mnemonic, ".sci", count,
                                      "$0, $1, " + std::to_string(*number)),
                          "=r,r", left);
    else if (splat && splat.getCount() == count && !op.isShift())
      result = builder.compute(
          instruction(mnemonic, ".sc", count, "$0, $1, $2"), "=r,r,r",
          {left, rewriter.getRemappedValue(splat.getValue())});
    else
      result = builder.compute(
          instruction(mnemonic, op.isShift() ? ".sc" : "", count, "$0, $1, $2"),
          "=r,r,r", {left, adaptor.getRight()});
    rewriter.replaceOp(op, result);
    return success();
  }
};

class LowerSplat : public SpinPattern<SplatOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op,
                       builder.compute(instruction("add", ".sc", op.getCount(),
                                                   "$0, zero, $1"),
                                       "=r,r", adaptor.getValue()));
    return success();
  }
};

class LowerInsertLane : public SpinPattern<InsertLaneOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(InsertLaneOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(
        op,
        builder.compute(instruction("insert", "", op.getCount(),
                                    "$0, $1, " + std::to_string(op.getLane())),
                        "=r,r,0", {adaptor.getValue(), adaptor.getWord()}));
    return success();
  }
};

} // namespace

void spinc::spin::populateLanePatterns(const LLVMTypeConverter &converter,
                                       const LoweringFacts &facts,
                                       RewritePatternSet &patterns) {
  patterns.add<LowerLanes, LowerSplat, LowerInsertLane>(converter, facts);
}
