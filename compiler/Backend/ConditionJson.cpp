// Conditions of `where` and `contract` as JSON trees of operators, numbers,
// parameters, host sizes and the cluster count. Sema lets nothing else in.
#include "compiler/AST/Ast.h"
#include "compiler/Backend/Metadata.h"
#include "compiler/Sema/Builtins.h"

using namespace llvm;
using namespace spinc;

namespace {

json::Value operation(StringRef op,
                      std::initializer_list<const ast::Expr *> operands) {
  json::Array arguments;
  for (const ast::Expr *operand : operands)
    arguments.push_back(backend::conditionToJson(*operand));
  return json::Object{{"op", op}, {"args", std::move(arguments)}};
}

json::Value constant(const APSInt &value) {
  if (value.isRepresentableByInt64())
    return json::Object{{"const", value.getExtValue()}};
  assert(value.getActiveBits() <= 64 && "constants have at most 64 bits");
  return json::Object{{"const", value.getZExtValue()}};
}

json::Value field(const ast::FieldExpr &expr) {
  if (expr.builtin == Builtin::ClusterCount)
    return json::Object{{"clusterCount", true}};
  if (expr.builtin == Builtin::HostSize)
    return json::Object{{"hostSize", cast<ast::NameExpr>(*expr.base).name}};
  return json::Object{{"param", expr.member.text}};
}

} // namespace

json::Value spinc::backend::conditionToJson(const ast::Expr &condition) {
  if (condition.value)
    return constant(*condition.value);
  switch (condition.kind) {
  case ast::ExprKind::Cast:
    return conditionToJson(*cast<ast::CastExpr>(condition).operand);
  case ast::ExprKind::Unary: {
    const auto &unary = cast<ast::UnaryExpr>(condition);
    return operation(ast::spelling(unary.op), {unary.operand.get()});
  }
  case ast::ExprKind::Binary: {
    const auto &binary = cast<ast::BinaryExpr>(condition);
    return operation(ast::spelling(binary.op),
                     {binary.left.get(), binary.right.get()});
  }
  case ast::ExprKind::Name:
    return json::Object{{"param", cast<ast::NameExpr>(condition).name}};
  case ast::ExprKind::Field:
    return field(cast<ast::FieldExpr>(condition));
  default:
    llvm_unreachable("Sema lets no such expression into host conditions");
  }
}
