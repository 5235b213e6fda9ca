// See SymbolicCount.h. Terms are kept merged and in a fixed order, so that
// equal counts print alike.
#include "compiler/Wcet/SymbolicCount.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <tuple>

using namespace spinc;

namespace {
/// Sticky overflow: arithmetic goes on, the result is dropped at the end.
struct Checked {
  bool overflow = false;
  int64_t add(int64_t a, int64_t b) {
    int64_t result = 0;
    overflow |= llvm::AddOverflow(a, b, result) != 0;
    return result;
  }
  int64_t mul(int64_t a, int64_t b) {
    int64_t result = 0;
    overflow |= llvm::MulOverflow(a, b, result) != 0;
    return result;
  }
};
} // namespace

bool FloorTerm::sameFloor(const FloorTerm &other) const {
  return std::tie(div, add, syms) == std::tie(other.div, other.add, other.syms);
}

static bool termBefore(const FloorTerm &a, const FloorTerm &b) {
  return std::tie(a.syms, a.div, a.add) < std::tie(b.syms, b.div, b.add);
}

SymbolicCount SymbolicCount::symbol(llvm::StringRef name) {
  SymbolicCount count;
  count.terms.push_back({1, 1, 0, {{name.str(), 1}}});
  return count;
}

bool SymbolicCount::operator==(const SymbolicCount &other) const {
  return constant == other.constant &&
         std::equal(terms.begin(), terms.end(), other.terms.begin(),
                    other.terms.end(),
                    [](const FloorTerm &a, const FloorTerm &b) {
                      return a.coef == b.coef && a.sameFloor(b);
                    });
}

/// Adds one canonical term; false on overflow.
bool SymbolicCount::addTerm(FloorTerm term) {
  if (term.coef == 0)
    return true;
  auto at = std::lower_bound(terms.begin(), terms.end(), term, termBefore);
  if (at == terms.end() || !at->sameFloor(term)) {
    terms.insert(at, std::move(term));
    return true;
  }
  if (llvm::AddOverflow(at->coef, term.coef, at->coef))
    return false;
  if (at->coef == 0)
    terms.erase(at);
  return true;
}

std::optional<SymbolicCount>
SymbolicCount::add(const SymbolicCount &other) const {
  SymbolicCount sum = *this;
  if (llvm::AddOverflow(constant, other.constant, sum.constant))
    return std::nullopt;
  for (const FloorTerm &term : other.terms)
    if (!sum.addTerm(term))
      return std::nullopt;
  return sum;
}

std::optional<SymbolicCount>
SymbolicCount::subtract(const SymbolicCount &other) const {
  std::optional<SymbolicCount> negated = other.multiply(-1);
  return negated ? add(*negated) : std::nullopt;
}

std::optional<SymbolicCount> SymbolicCount::multiply(int64_t factor) const {
  Checked math;
  SymbolicCount product(math.mul(constant, factor));
  for (FloorTerm term : terms) {
    term.coef = math.mul(term.coef, factor);
    math.overflow |= !product.addTerm(std::move(term));
  }
  if (math.overflow)
    return std::nullopt;
  return product;
}

std::optional<SymbolicCount> SymbolicCount::floorDiv(int64_t divisor) const {
  if (divisor <= 0)
    return std::nullopt;
  if (divisor == 1)
    return *this;
  // Parts that divide evenly leave the quotient; the rest stays under it.
  SymbolicCount result(floorDivide(constant, divisor));
  int64_t restConstant = constant - floorDivide(constant, divisor) * divisor;
  FloorTerm rest{1, divisor, restConstant, {}};
  const FloorTerm *nested = nullptr;
  for (const FloorTerm &term : terms) {
    if (term.coef % divisor == 0) {
      FloorTerm whole = term;
      whole.coef /= divisor;
      if (!result.addTerm(std::move(whole)))
        return std::nullopt;
    } else if (term.div == 1) {
      rest.syms[term.syms.begin()->first] = term.coef;
    } else if (!nested) {
      nested = &term;
    } else {
      return std::nullopt;
    }
  }
  if (nested) {
    // floor((floor(x / m) + k) / n) = floor((x + k * m) / (m * n)).
    if (nested->coef != 1 || !rest.syms.empty())
      return std::nullopt;
    Checked math;
    rest.add = math.add(nested->add, math.mul(restConstant, nested->div));
    rest.div = math.mul(nested->div, divisor);
    rest.syms = nested->syms;
    if (math.overflow)
      return std::nullopt;
  }
  if (rest.syms.empty())
    return result;
  if (!result.addTerm(std::move(rest)))
    return std::nullopt;
  return result;
}

std::optional<int64_t>
SymbolicCount::evaluate(const SymbolValues &values) const {
  Checked math;
  int64_t sum = constant;
  for (const FloorTerm &term : terms) {
    int64_t inner = term.add;
    for (const auto &[name, factor] : term.syms) {
      auto value = values.find(name);
      if (value == values.end())
        return std::nullopt;
      inner = math.add(inner, math.mul(factor, value->second));
    }
    sum = math.add(sum, math.mul(term.coef, floorDivide(inner, term.div)));
  }
  if (math.overflow)
    return std::nullopt;
  return sum;
}

void SymbolicCount::collectSymbols(std::vector<std::string> &names) const {
  for (const FloorTerm &term : terms)
    for (const auto &entry : term.syms)
      if (!llvm::is_contained(names, entry.first))
        names.push_back(entry.first);
}

/// "+ 3 * x" pieces of a sum; `first` says whether nothing was printed yet.
static void printPart(std::string &out, int64_t factor, llvm::StringRef what) {
  bool first = out.empty();
  if (factor < 0)
    out += first ? "-" : " - ";
  else if (!first)
    out += " + ";
  std::string magnitude = std::to_string(factor);
  if (factor < 0)
    magnitude.erase(0, 1);
  if (what.empty())
    out += magnitude;
  else if (magnitude == "1")
    out += what;
  else
    out += magnitude + " * " + what.str();
}

/// A symbol as it stands inside a product: quotients need parentheses.
static std::string printSymbol(llvm::StringRef name, bool asBudget) {
  auto [first, second] = name.split(" / ");
  auto operand = [&](llvm::StringRef part) {
    bool isParameter = asBudget && !part.contains('.');
    return (isParameter ? "state." : "") + part.str();
  };
  if (second.empty())
    return operand(name);
  return "(" + operand(first) + " / " + operand(second) + ")";
}

std::string SymbolicCount::print(bool asBudget) const {
  std::string out;
  if (constant != 0 || terms.empty())
    printPart(out, constant, "");
  for (const FloorTerm &term : terms) {
    std::string inner;
    for (const auto &[name, factor] : term.syms)
      printPart(inner, factor, printSymbol(name, asBudget));
    if (term.div == 1) {
      printPart(out, term.coef, inner);
      continue;
    }
    if (term.add != 0)
      printPart(inner, term.add, "");
    bool simple = term.syms.size() == 1 && term.add == 0 &&
                  term.syms.begin()->second == 1;
    std::string quotient = (asBudget ? "(" : "floor(") +
                           (simple ? inner : "(" + inner + ")") + " / " +
                           std::to_string(term.div) + ")";
    printPart(out, term.coef, quotient);
  }
  return out;
}

std::string SymbolicCount::str() const { return print(/*asBudget=*/false); }

std::string SymbolicCount::budgetText() const {
  return print(/*asBudget=*/true);
}

llvm::json::Value SymbolicCount::toJSON() const {
  llvm::json::Array list;
  for (const FloorTerm &term : terms) {
    llvm::json::Object syms;
    for (const auto &[name, factor] : term.syms)
      syms[name] = factor;
    list.push_back(llvm::json::Object{{"coef", term.coef},
                                      {"div", term.div},
                                      {"add", term.add},
                                      {"syms", std::move(syms)}});
  }
  return llvm::json::Object{{"const", constant}, {"terms", std::move(list)}};
}

std::optional<SymbolicCount>
SymbolicCount::fromJSON(const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  const llvm::json::Array *list = object ? object->getArray("terms") : nullptr;
  std::optional<int64_t> constant =
      object ? object->getInteger("const") : std::nullopt;
  if (!list || !constant)
    return std::nullopt;
  SymbolicCount count(*constant);
  for (const llvm::json::Value &entry : *list) {
    const llvm::json::Object *term = entry.getAsObject();
    const llvm::json::Object *syms = term ? term->getObject("syms") : nullptr;
    if (!syms)
      return std::nullopt;
    // Built from its parts, so that any spelling ends in the canonical form.
    std::optional<SymbolicCount> sum =
        SymbolicCount(term->getInteger("add").value_or(0));
    for (const auto &[name, factor] : *syms) {
      std::optional<int64_t> number = factor.getAsInteger();
      std::optional<SymbolicCount> part =
          number ? symbol(llvm::StringRef(name)).multiply(*number)
                 : std::nullopt;
      sum = part ? sum->add(*part) : std::nullopt;
      if (!sum)
        return std::nullopt;
    }
    sum = sum->floorDiv(term->getInteger("div").value_or(1));
    if (sum)
      sum = sum->multiply(term->getInteger("coef").value_or(1));
    sum = sum ? count.add(*sum) : std::nullopt;
    if (!sum)
      return std::nullopt;
    count = *sum;
  }
  return count;
}

std::optional<SymbolicCount>
SymbolicCount::fromAffine(mlir::AffineExpr expr,
                          llvm::ArrayRef<std::string> symbolNames) {
  if (auto leaf = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return SymbolicCount(leaf.getValue());
  if (auto leaf = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr)) {
    if (leaf.getPosition() >= symbolNames.size())
      return std::nullopt;
    return symbol(symbolNames[leaf.getPosition()]);
  }
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<SymbolicCount> lhs = fromAffine(binary.getLHS(), symbolNames);
  std::optional<SymbolicCount> rhs = fromAffine(binary.getRHS(), symbolNames);
  if (!lhs || !rhs)
    return std::nullopt;
  if (binary.getKind() == mlir::AffineExprKind::Add)
    return lhs->add(*rhs);
  if (binary.getKind() == mlir::AffineExprKind::Mul && lhs->isConstant())
    std::swap(lhs, rhs);
  if (!rhs->isConstant())
    return std::nullopt;
  int64_t factor = rhs->getConstant();
  switch (binary.getKind()) {
  case mlir::AffineExprKind::Mul:
    return lhs->multiply(factor);
  case mlir::AffineExprKind::FloorDiv:
    return lhs->floorDiv(factor);
  case mlir::AffineExprKind::CeilDiv: {
    std::optional<SymbolicCount> raised = lhs->add(SymbolicCount(factor - 1));
    return raised ? raised->floorDiv(factor) : std::nullopt;
  }
  case mlir::AffineExprKind::Mod: {
    std::optional<SymbolicCount> quotient = lhs->floorDiv(factor);
    std::optional<SymbolicCount> whole =
        quotient ? quotient->multiply(factor) : std::nullopt;
    return whole ? lhs->subtract(*whole) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

mlir::AffineExpr
SymbolicCount::toAffine(mlir::MLIRContext *context,
                        llvm::ArrayRef<std::string> symbolNames) const {
  mlir::AffineExpr sum = mlir::getAffineConstantExpr(constant, context);
  for (const FloorTerm &term : terms) {
    mlir::AffineExpr inner = mlir::getAffineConstantExpr(term.add, context);
    for (const auto &[name, factor] : term.syms) {
      unsigned number = llvm::find(symbolNames, name) - symbolNames.begin();
      inner = inner + mlir::getAffineSymbolExpr(number, context) * factor;
    }
    sum = sum + inner.floorDiv(term.div) * term.coef;
  }
  return sum;
}
