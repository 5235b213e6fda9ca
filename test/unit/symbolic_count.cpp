// Symbolic counts against plain arithmetic: for random affine expressions the
// converted count has the expression's value, survives JSON, its bounds enclose
// it, and its maximum over a box is the largest of all its values there.
#include "compiler/Wcet/SymbolicCount.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace spinc;

namespace {

class Checker {
public:
  bool run(unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round)
      checkOne(expression(3));
    checkOverflow();
    checkCoarse();
    return failures == 0;
  }

private:
  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  mlir::AffineExpr expression(unsigned depth) {
    if (depth == 0 || draw(0, 4) == 0)
      return draw(0, 1) == 0
                 ? getAffineSymbolExpr(unsigned(draw(0, 1)), &context)
                 : getAffineConstantExpr(draw(-9, 9), &context);
    mlir::AffineExpr inner = expression(depth - 1);
    switch (draw(0, 4)) {
    case 0:
      return inner + expression(depth - 1);
    case 1:
      return inner * draw(-5, 5);
    case 2:
      return inner.floorDiv(draw(1, 7));
    case 3:
      return inner.ceilDiv(draw(1, 7));
    default:
      return inner % draw(1, 7);
    }
  }

  static int64_t value(mlir::AffineExpr expr, int64_t s0, int64_t s1) {
    mlir::AffineExpr left = mlir::getAffineConstantExpr(s0, expr.getContext());
    mlir::AffineExpr right = mlir::getAffineConstantExpr(s1, expr.getContext());
    mlir::AffineExpr fixed = expr.replaceDimsAndSymbols({}, {left, right});
    return llvm::cast<mlir::AffineConstantExpr>(fixed).getValue();
  }

  void checkOne(mlir::AffineExpr expr) {
    std::optional<SymbolicCount> count =
        SymbolicCount::fromAffine(expr, {"p.length", "block"});
    if (!count)
      return; // a quotient of a sum of quotients has no such form
    ++converted;
    std::optional<SymbolicCount> again =
        SymbolicCount::fromJSON(count->toJSON());
    if (!again || *again != *count)
      fail("JSON", *count);
    checkMaximum(*count);
    SymbolRanges ranges = {{"p.length", {0, 40}}, {"block", {-5, 12}}};
    for (unsigned sample = 0; sample < 20; ++sample) {
      int64_t s0 = draw(0, 40), s1 = draw(-5, 12);
      std::optional<int64_t> found =
          count->evaluate({{"p.length", s0}, {"block", s1}});
      if (found != value(expr, s0, s1))
        fail("value", *count);
      if (found > count->upperBound(ranges) ||
          found < count->lowerBound(ranges))
        fail("range", *count);
    }
  }

  /// The maximum over a box, which may be narrower than the divisors.
  void checkMaximum(const SymbolicCount &count) {
    int64_t low0 = draw(-60, 60), low1 = draw(-60, 60);
    SymbolRanges ranges = {{"p.length", {low0, low0 + draw(0, 40)}},
                           {"block", {low1, low1 + draw(0, 40)}}};
    std::optional<SymbolicCount::Maximum> top = count.maximum(ranges);
    if (!top)
      return fail("maximum", count);
    int64_t best = INT64_MIN;
    for (int64_t s0 = low0; s0 <= ranges["p.length"].high; ++s0)
      for (int64_t s1 = low1; s1 <= ranges["block"].high; ++s1)
        best = std::max(
            best,
            count.evaluate({{"p.length", s0}, {"block", s1}}).value_or(0));
    exact += top->exact;
    if (top->exact ? top->value != best : top->value < best)
      fail("largest value", count);
    SymbolValues at = {{"p.length", low0}, {"block", low1}};
    for (const auto &[name, value] : top->at)
      at[name] = value;
    if (top->exact && count.evaluate(at) != best)
      fail("place of the largest value", count);
  }

  /// Too many residues: the terms by themselves.
  void checkCoarse() {
    SymbolicCount a = *SymbolicCount::symbol("x").floorDiv(5003);
    SymbolicCount b = *SymbolicCount::symbol("x").floorDiv(4999)->multiply(-1);
    std::optional<SymbolicCount::Maximum> top =
        a.add(b)->maximum({{"x", {0, 1000000}}});
    if (!top || top->exact || top->value != 1000000 / 5003)
      fail("many residues", *a.add(b));
  }

  void checkOverflow() {
    SymbolicCount large(INT64_MAX);
    SymbolicCount product = *SymbolicCount::symbol("x").multiply(INT64_MAX);
    if (large.add(1) || large.multiply(2) || product.multiply(2) ||
        product.evaluate({{"x", 2}}) || SymbolicCount(INT64_MIN).multiply(-1))
      fail("overflow", large);
  }

  void fail(llvm::StringRef what, const SymbolicCount &count) {
    llvm::outs() << "wrong " << what << ": " << count.str() << "\n";
    ++failures;
  }

  mlir::MLIRContext context;
  std::mt19937 random{1};
  unsigned failures = 0;

public:
  unsigned converted = 0;
  unsigned exact = 0;
};

} // namespace

int main() {
  Checker checker;
  bool good = checker.run(2000);
  llvm::outs() << (checker.converted > 1000 && checker.exact > 1000 ? "many"
                                                                    : "few")
               << " expressions, " << (good ? "all right" : "some wrong")
               << "\n";
  return good ? 0 : 1;
}
