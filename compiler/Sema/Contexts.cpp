// A context as a whole: the order in which its parts are checked, its host
// region (sta-8) and its contracts (sta-9).
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

void Analyzer::checkContext(ast::ContextDecl &decl) {
  auto info = std::make_unique<ContextInfo>();
  context = info.get();
  context->name = decl.name.text;
  context->decl = &decl;
  context->mtu = options.mtu;
  context->homeCluster = types.program().contexts.size() % options.clusters;
  types.program().contexts.push_back(std::move(info));
  layOutPacket(decl);
  checkState(decl);
  placeState(decl);
  checkHost(decl);
  checkMatch(decl);
  checkContracts(decl);
  checkHandlers(decl);
  context = nullptr;
}

void Analyzer::checkHost(ast::ContextDecl &decl) {
  const Type *bytes = types.slice(types.u(8), MemorySpace::Host);
  for (const std::unique_ptr<ast::HostDecl> &host : decl.hosts) {
    host->type = bytes;
    if (context->host) {
      diagnostics.report(diag::HostTwice, host->name.range, decl.name.text)
          .note(context->host->decl->name.range, "the first is here")
          .fix("use parts of one region");
      continue;
    }
    context->host = HostRegion{host->name.text, host.get()};
  }
}

void Analyzer::checkContracts(ast::ContextDecl &decl) {
  PlaceGuard guard(*this, Place::ContractRule);
  for (ast::Contract &contract : decl.contracts)
    if (!checkBool(contract.condition)->isError() &&
        checkInstallForm(*contract.condition))
      context->contracts.push_back(
          {contract.condition.get(), contract.condition->range.text().str()});
}

/// sta-9: what the host checks is comparisons of + - * / %, joined by && || !.
bool Analyzer::checkInstallForm(const ast::Expr &condition) {
  using ast::BinaryOp;
  if (condition.value)
    return true;
  if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(&condition))
    return checkInstallForm(*unary->operand);
  if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&condition)) {
    if (binary->op == BinaryOp::And || binary->op == BinaryOp::Or) {
      bool left = checkInstallForm(*binary->left);
      return checkInstallForm(*binary->right) && left;
    }
    bool isComparison =
        binary->op >= BinaryOp::Less && binary->op <= BinaryOp::NotEqual;
    if (isComparison && !binary->left->type->is(TypeKind::Bool))
      return checkInstallNumber(*binary->left) &&
             checkInstallNumber(*binary->right);
  }
  diagnostics
      .report(diag::InstallRule, condition.range,
              "the host cannot check '" + condition.range.text().str() + "'")
      .reason("expected comparisons joined by '&&', '||' and '!'");
  return false;
}

/// Whether `number` can be negative: a quotient of such a number would be
/// rounded differently by different readers.
static bool mayBeNegative(const ast::Expr &number) {
  if (number.value)
    return !number.value->isZero() && number.value->isNegative();
  if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(&number))
    return mayBeNegative(*cast->operand);
  const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&number);
  if (!binary) {
    const auto *type = dynAs<IntType>(number.type);
    return !type || type->isSigned;
  }
  return binary->op == ast::BinaryOp::Sub || mayBeNegative(*binary->left) ||
         mayBeNegative(*binary->right);
}

bool Analyzer::checkInstallNumber(const ast::Expr &number) {
  using ast::BinaryOp;
  const auto *member = llvm::dyn_cast<ast::FieldExpr>(&number);
  bool isQuantity = llvm::isa<ast::NameExpr>(&number) ||
                    (member && !member->base->type->is(TypeKind::Struct));
  if (number.value || (isQuantity && isInteger(number.type)))
    return true;
  if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(&number))
    if (cast->isImplicit())
      return checkInstallNumber(*cast->operand);
  if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&number)) {
    bool isQuotient =
        binary->op == BinaryOp::Div || binary->op == BinaryOp::Rem;
    bool isKnown = binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub ||
                   binary->op == BinaryOp::Mul || isQuotient;
    if (isKnown && isQuotient &&
        (mayBeNegative(*binary->left) || mayBeNegative(*binary->right)))
      isKnown = false;
    if (isKnown)
      return checkInstallNumber(*binary->left) &&
             checkInstallNumber(*binary->right);
  }
  diagnostics
      .report(diag::InstallRule, number.range,
              "the host cannot compute '" + number.range.text().str() + "'")
      .reason("expected + - * of numbers, and / % of numbers that cannot be "
              "negative");
  return false;
}

} // namespace spinc::sema
