// Ranges of parameters from their `where` conditions: intervals, narrowed by
// one comparison after another until nothing changes.
#include "compiler/AST/Ast.h"
#include "compiler/Backend/ProgramFacts.h"
#include <limits>

using namespace spinc;
using namespace spinc::backend;

namespace {

const ast::Expr &skipCasts(const ast::Expr &expr) {
  const ast::Expr *inner = &expr;
  while (const auto *cast = llvm::dyn_cast<ast::CastExpr>(inner))
    inner = cast->operand.get();
  return *inner;
}

/// Everything a value of the type can be, as far as 64 bits can say.
SymbolRange typeRange(const Type *type) {
  unsigned width = 8 * sizeInBytes(type);
  bool isSigned = false;
  if (const auto *integer = dynAs<IntType>(type)) {
    width = integer->width;
    isSigned = integer->isSigned;
  }
  if (isSigned)
    return {width >= 64 ? std::numeric_limits<int64_t>::min()
                        : -(int64_t(1) << (width - 1)),
            width >= 64 ? std::numeric_limits<int64_t>::max()
                        : (int64_t(1) << (width - 1)) - 1};
  return {0, width >= 63 ? std::numeric_limits<int64_t>::max()
                         : (int64_t(1) << width) - 1};
}

class RangeFinder {
public:
  RangeFinder(const sema::ContextInfo &context, SymbolRanges &ranges)
      : context(context), ranges(ranges) {}

  void narrowAll() {
    // Each round may pass a limit one comparison on; a chain of comparisons
    // is no longer than there are parameters.
    for (size_t round = 0; round <= context.state.size(); ++round)
      for (const sema::StateField &field : context.state)
        for (const ast::Expr *condition : field.where)
          narrow(*condition);
  }

private:
  void narrow(const ast::Expr &condition) {
    const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&skipCasts(condition));
    if (!binary)
      return;
    switch (binary->op) {
    case ast::BinaryOp::And:
      narrow(*binary->left);
      narrow(*binary->right);
      return;
    case ast::BinaryOp::Less:
      return narrowLess(*binary->left, *binary->right, 1);
    case ast::BinaryOp::LessEqual:
      return narrowLess(*binary->left, *binary->right, 0);
    case ast::BinaryOp::Greater:
      return narrowLess(*binary->right, *binary->left, 1);
    case ast::BinaryOp::GreaterEqual:
      return narrowLess(*binary->right, *binary->left, 0);
    case ast::BinaryOp::Equal:
      narrowLess(*binary->left, *binary->right, 0);
      return narrowLess(*binary->right, *binary->left, 0);
    default:
      return;
    }
  }

  /// small + distance <= large.
  void narrowLess(const ast::Expr &small, const ast::Expr &large,
                  int64_t distance) {
    std::optional<SymbolRange> smallRange = rangeOf(small);
    std::optional<SymbolRange> largeRange = rangeOf(large);
    int64_t limit;
    if (SymbolRange *range = parameter(small))
      if (largeRange &&
          !__builtin_sub_overflow(largeRange->high, distance, &limit))
        range->high = std::min(range->high, limit);
    if (SymbolRange *range = parameter(large))
      if (smallRange &&
          !__builtin_add_overflow(smallRange->low, distance, &limit))
        range->low = std::max(range->low, limit);
  }

  SymbolRange *parameter(const ast::Expr &expr) {
    const ast::Expr &inner = skipCasts(expr);
    const ast::Decl *decl = nullptr;
    if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&inner))
      decl = name->decl;
    if (const auto *field = llvm::dyn_cast<ast::FieldExpr>(&inner))
      decl = field->decl;
    const sema::StateField *field = decl ? context.findState(decl) : nullptr;
    if (!field)
      return nullptr;
    auto range = ranges.find(field->name);
    return range == ranges.end() ? nullptr : &range->second;
  }

  std::optional<SymbolRange> rangeOf(const ast::Expr &expr) {
    const ast::Expr &inner = skipCasts(expr);
    if (inner.value) {
      if (!inner.value->isRepresentableByInt64())
        return std::nullopt;
      return SymbolRange{inner.value->getExtValue(),
                         inner.value->getExtValue()};
    }
    if (SymbolRange *range = parameter(expr))
      return *range;
    return std::nullopt;
  }

  const sema::ContextInfo &context;
  SymbolRanges &ranges;
};

} // namespace

SymbolRanges spinc::backend::quantityRanges(const sema::ContextInfo &context) {
  SymbolRanges ranges;
  ranges["p.length"] = {0, int64_t(context.maxPayload())};
  for (const sema::StateField &field : context.state)
    if (field.kind == sema::StateKind::Param && !field.isArray)
      ranges[field.name] = typeRange(field.type);
  RangeFinder(context, ranges).narrowAll();
  return ranges;
}
