// Conditions of `where` and `contract`, and budgets.
#include "compiler/IRGen/Math.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

/// Width of the mathematics; a product of two 64-bit quantities fits.
static constexpr unsigned mathBits = 128;

static bool isComparison(ast::BinaryOp op) {
  return op >= ast::BinaryOp::Less && op <= ast::BinaryOp::NotEqual;
}

static arith::CmpIPredicate signedPredicate(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Less:
    return arith::CmpIPredicate::slt;
  case ast::BinaryOp::LessEqual:
    return arith::CmpIPredicate::sle;
  case ast::BinaryOp::Greater:
    return arith::CmpIPredicate::sgt;
  case ast::BinaryOp::GreaterEqual:
    return arith::CmpIPredicate::sge;
  case ast::BinaryOp::Equal:
    return arith::CmpIPredicate::eq;
  default:
    assert(op == ast::BinaryOp::NotEqual);
    return arith::CmpIPredicate::ne;
  }
}

/// The expression below the casts that Sema inserted.
static const ast::Expr &skipCasts(const ast::Expr &expr) {
  const ast::Expr *inner = &expr;
  while (const auto *cast = llvm::dyn_cast<ast::CastExpr>(inner))
    inner = cast->operand.get();
  return *inner;
}

Value MathEmitter::emitCondition(const ast::Expr &expr) {
  Location loc = locationOf(builder.getContext(), expr.range);
  const ast::Expr &inner = skipCasts(expr);
  if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&inner)) {
    if (isComparison(binary->op))
      return emitComparison(*binary);
    Value left = emitCondition(*binary->left);
    Value right = emitCondition(*binary->right);
    if (binary->op == ast::BinaryOp::And)
      return arith::AndIOp::create(builder, loc, left, right);
    assert(binary->op == ast::BinaryOp::Or && "Sema checks conditions");
    return arith::OrIOp::create(builder, loc, left, right);
  }
  if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(&inner)) {
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
    return arith::XOrIOp::create(builder, loc, emitCondition(*unary->operand),
                                 one);
  }
  assert(inner.value && "Sema checks conditions");
  return arith::ConstantIntOp::create(builder, loc, inner.value->getZExtValue(),
                                      1);
}

Value MathEmitter::emitComparison(const ast::BinaryExpr &expr) {
  Value left = emitNumber(*expr.left);
  Value right = emitNumber(*expr.right);
  return arith::CmpIOp::create(builder,
                               locationOf(builder.getContext(), expr.range),
                               signedPredicate(expr.op), left, right);
}

Value MathEmitter::emitNumber(const ast::Expr &expr) {
  Location loc = locationOf(builder.getContext(), expr.range);
  auto wide = IntegerType::get(builder.getContext(), mathBits);
  const ast::Expr &inner = skipCasts(expr);
  if (inner.value)
    return arith::ConstantOp::create(
        builder, loc,
        IntegerAttr::get(wide, inner.value->extOrTrunc(mathBits)));
  const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&inner);
  if (!binary) {
    Value value = leaf(inner);
    if (isSigned(inner.type))
      return arith::ExtSIOp::create(builder, loc, wide, value);
    return arith::ExtUIOp::create(builder, loc, wide, value);
  }
  Value left = emitNumber(*binary->left);
  Value right = emitNumber(*binary->right);
  auto exact = arith::IntegerOverflowFlags::nsw;
  switch (binary->op) {
  case ast::BinaryOp::Add:
    return arith::AddIOp::create(builder, loc, left, right, exact);
  case ast::BinaryOp::Sub:
    return arith::SubIOp::create(builder, loc, left, right, exact);
  case ast::BinaryOp::Mul:
    return arith::MulIOp::create(builder, loc, left, right, exact);
  case ast::BinaryOp::Div:
    return arith::DivUIOp::create(builder, loc, left, right);
  case ast::BinaryOp::Rem:
    return arith::RemUIOp::create(builder, loc, left, right);
  default:
    llvm_unreachable("Sema lets only + - * / % into host conditions");
  }
}

namespace {

/// Turns a budget's expression into an affine map over named quantities.
class BudgetBuilder {
public:
  BudgetBuilder(MLIRContext *context, const sema::HandlerInfo &handler)
      : context(context), handler(handler) {}

  spin::BoundAttr build(const ast::Expr &expr) {
    AffineExpr result = emit(expr);
    return spin::BoundAttr::get(context,
                                AffineMap::get(0, names.size(), result), names);
  }

private:
  AffineExpr emit(const ast::Expr &expr);
  AffineExpr emitQuotient(const ast::BinaryExpr &expr);
  AffineExpr symbol(StringRef name);

  MLIRContext *context;
  const sema::HandlerInfo &handler;
  SmallVector<StringAttr> names;
};

} // namespace

AffineExpr BudgetBuilder::symbol(StringRef name) {
  auto attr = StringAttr::get(context, name);
  auto *found = llvm::find(names, attr);
  if (found == names.end()) {
    names.push_back(attr);
    found = std::prev(names.end());
  }
  return getAffineSymbolExpr(found - names.begin(), context);
}

/// How a quantity of a handler is called: `p.length`, or a parameter's name.
static std::string quantityName(const ast::Expr &expr) {
  const ast::Expr &inner = skipCasts(expr);
  if (const auto *field = llvm::dyn_cast<ast::FieldExpr>(&inner)) {
    bool packet =
        field->base->type && field->base->type->is(sema::TypeKind::Packet);
    return packet ? "p." + field->member.text : field->member.text;
  }
  return llvm::cast<ast::NameExpr>(inner).name;
}

AffineExpr BudgetBuilder::emitQuotient(const ast::BinaryExpr &expr) {
  if (const ast::Expr &divisor = skipCasts(*expr.right); divisor.value)
    return emit(*expr.left).floorDiv(divisor.value->getExtValue());
  return symbol(quantityName(*expr.left) + " / " + quantityName(*expr.right));
}

AffineExpr BudgetBuilder::emit(const ast::Expr &expr) {
  const ast::Expr &inner = skipCasts(expr);
  if (inner.value)
    return getAffineConstantExpr(inner.value->getExtValue(), context);
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&inner))
    for (const sema::NamedCount &count : handler.counts)
      if (count.name == name->name)
        return emit(*count.value);
  const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&inner);
  if (!binary)
    return symbol(quantityName(inner));
  if (binary->op == ast::BinaryOp::Div)
    return emitQuotient(*binary);
  AffineExpr left = emit(*binary->left), right = emit(*binary->right);
  switch (binary->op) {
  case ast::BinaryOp::Add:
    return left + right;
  case ast::BinaryOp::Sub:
    return left - right;
  case ast::BinaryOp::Mul:
    return left * right;
  default:
    llvm_unreachable("Sema checks that budgets are linear");
  }
}

spin::BudgetAttr irgen::budgetAttr(MLIRContext *context,
                                   const sema::HandlerInfo &handler) {
  if (handler.budgets.empty())
    return {};
  std::map<sema::BudgetKind, spin::BoundAttr> limits;
  std::string text;
  for (const sema::Budget &budget : handler.budgets) {
    text += (text.empty() ? "" : ", ") + budget.text;
    limits[budget.kind] =
        budget.limit ? BudgetBuilder(context, handler).build(*budget.limit)
                     : spin::BoundAttr();
  }
  return spin::BudgetAttr::get(
      context, StringAttr::get(context, text),
      limits.count(sema::BudgetKind::LineRate) != 0,
      limits[sema::BudgetKind::Cycles], limits[sema::BudgetKind::Occupancy],
      limits[sema::BudgetKind::Commands], limits[sema::BudgetKind::Stack]);
}

spin::BudgetAttr irgen::functionBudgetAttr(MLIRContext *context,
                                           const ast::FunctionDecl &function) {
  const ast::BudgetClause &clause = function.budget->clauses.front();
  AffineExpr limit =
      getAffineConstantExpr(clause.limit->value->getExtValue(), context);
  auto cycles = spin::BoundAttr::get(context, AffineMap::get(0, 0, limit), {});
  return spin::BudgetAttr::get(
      context, StringAttr::get(context, clause.range.text()),
      /*lineRate=*/false, cycles, /*occupancy=*/{}, /*commands=*/{},
      /*stack=*/{});
}
