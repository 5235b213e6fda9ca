// Expressions, literals and initial values.
#include "compiler/Syntax/AstBuilder.h"

#include "compiler/Syntax/ErrorStrategy.h"

#include "llvm/Support/ErrorHandling.h"

namespace spinc::syntax {

using namespace ast;

ExprPtr AstBuilder::optionalExpr(P::ExprContext *node) {
  return node ? expr(node) : nullptr;
}

/// A chain such as a + b + … is flat to the parser and as deep as it is long
/// here.
ExprPtr AstBuilder::expr(P::ExprContext *node) {
  if (exprDepth == nestingLimit) {
    if (!tooDeep)
      diagnostics.report(diag::NestedTooDeep, range(node->start), nestingLimit)
          .reason("each operator of a chain nests one level deeper");
    tooDeep = true;
    return std::make_unique<NoneLiteral>(range(node));
  }
  ++exprDepth;
  ExprPtr result = exprOf(node);
  --exprDepth;
  return result;
}

ExprPtr AstBuilder::exprOf(P::ExprContext *node) {
  if (auto *inner = dynamic_cast<P::PrimaryExprContext *>(node))
    return primary(inner->primary());
  if (auto *inner = dynamic_cast<P::FieldExprContext *>(node))
    return std::make_unique<FieldExpr>(range(node), expr(inner->base),
                                       identifier(inner->member));
  if (auto *inner = dynamic_cast<P::BinaryExprContext *>(node))
    return binary(inner);
  if (auto *inner = dynamic_cast<P::CallExprContext *>(node))
    return call(inner);
  if (auto *inner = dynamic_cast<P::IndexExprContext *>(node))
    return index(inner);
  if (auto *inner = dynamic_cast<P::CastExprContext *>(node))
    return std::make_unique<CastExpr>(range(node), expr(inner->operand),
                                      typeRef(inner->target));
  if (auto *inner = dynamic_cast<P::UnaryExprContext *>(node))
    return unary(inner);
  if (auto *inner = dynamic_cast<P::AsyncExprContext *>(node))
    return async(inner);
  auto *inner = static_cast<P::ConditionalExprContext *>(node);
  return std::make_unique<ConditionalExpr>(range(node), expr(inner->condition),
                                           expr(inner->whenTrue),
                                           expr(inner->whenFalse));
}

ExprPtr AstBuilder::primary(P::PrimaryContext *node) {
  if (auto *name = dynamic_cast<P::NamePrimaryContext *>(node))
    return std::make_unique<NameExpr>(range(node), name->getText());
  if (auto *inner = dynamic_cast<P::LiteralPrimaryContext *>(node))
    return literal(inner->literal());
  if (auto *size = dynamic_cast<P::SizeofPrimaryContext *>(node))
    return std::make_unique<SizeofExpr>(range(node), typeRef(size->type));
  // The parentheses are part of what a message about it underlines.
  ExprPtr inner = expr(static_cast<P::ParenPrimaryContext *>(node)->inner);
  inner->range = range(node);
  return inner;
}

RangeForm AstBuilder::rangeForm(antlr4::Token *token) const {
  return token->getType() == P::RANGE_END ? RangeForm::ToEnd
                                          : RangeForm::Length;
}

ExprPtr AstBuilder::index(P::IndexExprContext *node) {
  ExprPtr base = expr(node->base);
  ExprPtr begin = expr(node->begin);
  if (!node->form)
    return std::make_unique<IndexExpr>(range(node), std::move(base),
                                       std::move(begin));
  return std::make_unique<SliceExpr>(range(node), std::move(base),
                                     std::move(begin), rangeForm(node->form),
                                     expr(node->extent));
}

ExprPtr AstBuilder::call(P::CallExprContext *node) {
  auto result = std::make_unique<CallExpr>(range(node), expr(node->callee));
  for (P::ArgumentContext *argument : node->arguments) {
    Argument built;
    if (argument->name)
      built.name = identifier(argument->name);
    built.value = expr(argument->value);
    result->arguments.push_back(std::move(built));
  }
  return result;
}

ExprPtr AstBuilder::async(P::AsyncExprContext *node) {
  ExprPtr result = expr(node->call);
  auto *action = llvm::dyn_cast<CallExpr>(result.get());
  if (!action || action->isAsync) {
    diagnostics.report(diag::AsyncNeedsCall, result->range);
    return result;
  }
  action->isAsync = true;
  action->range = range(node);
  return result;
}

ExprPtr AstBuilder::unary(P::UnaryExprContext *node) {
  UnaryOp op = node->op->getType() == P::SUB   ? UnaryOp::Negate
               : node->op->getType() == P::NOT ? UnaryOp::Not
                                               : UnaryOp::BitNot;
  return std::make_unique<UnaryExpr>(range(node), op, expr(node->operand));
}

ExprPtr AstBuilder::binary(P::BinaryExprContext *node) {
  ExprPtr left = expr(node->left);
  ExprPtr right = expr(node->right);
  return std::make_unique<BinaryExpr>(range(node), binaryOp(node->op),
                                      range(node->op), std::move(left),
                                      std::move(right));
}

BinaryOp AstBuilder::binaryOp(antlr4::Token *token) const {
  switch (token->getType()) {
  case P::ADD:
    return BinaryOp::Add;
  case P::SUB:
    return BinaryOp::Sub;
  case P::MUL:
    return BinaryOp::Mul;
  case P::DIV:
    return BinaryOp::Div;
  case P::REM:
    return BinaryOp::Rem;
  case P::WRAP_ADD:
    return BinaryOp::WrapAdd;
  case P::WRAP_SUB:
    return BinaryOp::WrapSub;
  case P::WRAP_MUL:
    return BinaryOp::WrapMul;
  case P::WRAP_SHL:
    return BinaryOp::WrapShl;
  case P::SAT_ADD:
    return BinaryOp::SatAdd;
  case P::SAT_SUB:
    return BinaryOp::SatSub;
  case P::SHL:
    return BinaryOp::Shl;
  case P::SHR:
    return BinaryOp::Shr;
  case P::LESS:
    return BinaryOp::Less;
  case P::LESS_EQUAL:
    return BinaryOp::LessEqual;
  case P::GREATER:
    return BinaryOp::Greater;
  case P::GREATER_EQUAL:
    return BinaryOp::GreaterEqual;
  case P::EQUAL:
    return BinaryOp::Equal;
  case P::NOT_EQUAL:
    return BinaryOp::NotEqual;
  case P::BIT_AND:
    return BinaryOp::BitAnd;
  case P::BIT_XOR:
    return BinaryOp::BitXor;
  case P::BIT_OR:
    return BinaryOp::BitOr;
  case P::AND:
    return BinaryOp::And;
  case P::OR:
    return BinaryOp::Or;
  default:
    llvm_unreachable("the grammar has no other binary operator");
  }
}

//===-- Literals and initial values ---------------------------------------===//

ExprPtr AstBuilder::literal(P::LiteralContext *node) {
  SourceRange place = range(node);
  std::string text = node->getText();
  switch (node->start->getType()) {
  case P::INTEGER:
    return integer(parseInteger(text), place, false);
  case P::CHARACTER:
    return integer(parseCharacter(text), place, true);
  case P::BAD_NUMBER:
    return integer(BadLiteral{explainBadNumber(text)}, place, false);
  case P::FLOAT:
    return std::make_unique<FloatLiteral>(place, parseFloat(text),
                                          std::string(text));
  case P::TRUE:
    return std::make_unique<BoolLiteral>(place, true);
  case P::FALSE:
    return std::make_unique<BoolLiteral>(place, false);
  default:
    return std::make_unique<NoneLiteral>(place);
  }
}

ExprPtr AstBuilder::integer(const IntegerValue &value, SourceRange place,
                            bool isCharacter) {
  uint64_t number = 0;
  if (const auto *good = std::get_if<uint64_t>(&value))
    number = *good;
  else if (const auto *bad = std::get_if<BadLiteral>(&value))
    diagnostics.report(diag::BadLiteral, place, place.text(), bad->reason);
  else
    diagnostics.report(diag::LiteralTooLarge, place, place.text());
  auto result = std::make_unique<IntLiteral>(place, number);
  result->isCharacter = isCharacter;
  return result;
}

ExprPtr AstBuilder::initializer(P::InitializerContext *node) {
  return node->list ? initList(node->list) : expr(node->value);
}

ExprPtr AstBuilder::initList(P::InitListContext *node) {
  auto result = std::make_unique<InitListExpr>(range(node));
  for (P::InitElementContext *element : node->elements) {
    Argument built;
    if (element->name)
      built.name = identifier(element->name);
    built.value = initializer(element->value);
    result->elements.push_back(std::move(built));
  }
  return result;
}

} // namespace spinc::syntax
