// Jumps in structured code: `break`, `continue`, and `return` inside a
// function.
//
// Control flow stays structured, so that facts of guards hold where they
// should. A statement that may jump hands what follows it to the branch that
// does not jump; where both branches may go on, a flag says whether control has
// left, and what follows stands under it. Flags are variables like any other:
// the regions around carry them.
#include "compiler/IRGen/HandlerGenerator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

const ast::Decl *HandlerGenerator::makeVariable(StringRef name) {
  ownVariables.push_back(std::make_unique<ast::LocalDecl>(
      ast::LocalKind::Var, SourceRange(),
      ast::Identifier{name.str(), SourceRange()}));
  return ownVariables.back().get();
}

bool HandlerGenerator::isInFunction() const {
  return llvm::any_of(jumpScopes, [](const JumpScope &scope) {
    return scope.kind == JumpScope::Function;
  });
}

bool HandlerGenerator::mayJump(const Effects &effects) const {
  return effects.jumps() || (effects.returns && isInFunction());
}

/// Calls `visit` for each scope that a jump out of the current place leaves,
/// from the innermost outwards; `ends` says whether the jump ends it or, of a
/// loop, only its round.
void HandlerGenerator::forScopesLeft(
    bool breaks, bool continues, bool returns,
    llvm::function_ref<void(const JumpScope &, bool ends)> visit) const {
  returns &= isInFunction();
  for (const JumpScope &scope : llvm::reverse(jumpScopes)) {
    if (!breaks && !continues && !returns)
      return;
    visit(scope, breaks || returns);
    breaks = false;
    continues &= scope.kind != JumpScope::Loop;
    if (scope.kind == JumpScope::Function)
      return;
  }
}

HandlerGenerator::Variables
HandlerGenerator::assignedIn(ArrayRef<const ast::Stmt *> statements,
                             ArrayRef<const ast::Expr *> expressions) const {
  return carriedBy(effectsOf(statements, expressions));
}

/// The variables that `effects` at the current place change.
HandlerGenerator::Variables
HandlerGenerator::carriedBy(const Effects &effects) const {
  Variables result(effects.assigned.begin(), effects.assigned.end());
  forScopesLeft(effects.breaks, effects.continues, effects.returns,
                [&](const JumpScope &scope, bool ends) {
                  result.push_back(scope.live);
                  if (ends && scope.running)
                    result.push_back(scope.running);
                  if (scope.result)
                    result.push_back(scope.result);
                });
  return result;
}

void HandlerGenerator::emitJump(Location at, bool breaks, bool continues,
                                bool returns) {
  Value no = constant(at, 0, 1);
  forScopesLeft(breaks, continues, returns,
                [&](const JumpScope &scope, bool ends) {
                  bindings[scope.live] = {no, {}};
                  if (ends && scope.running)
                    bindings[scope.running] = {no, {}};
                });
}

void HandlerGenerator::emitSwitchBody(Location at, Statements bodies,
                                      llvm::function_ref<void()> emit) {
  JumpScope scope{JumpScope::Switch};
  if (mayJump(effectsOf(bodies))) {
    scope.live = makeVariable("live");
    bindings[scope.live] = {constant(at, 1, 1), {}};
  }
  jumpScopes.push_back(scope);
  emit();
  jumpScopes.pop_back();
}

bool HandlerGenerator::emitSequence(ArrayRef<const ast::Stmt *> statements) {
  while (!statements.empty()) {
    const ast::Stmt &stmt = *statements.front();
    ArrayRef<const ast::Stmt *> rest = statements.drop_front();
    if (!mayJump(effectsOf(&stmt))) {
      if (emit(stmt))
        return true;
      statements = rest;
      continue;
    }
    if (const auto *block = llvm::dyn_cast<ast::BlockStmt>(&stmt)) {
      SmallVector<const ast::Stmt *> all;
      for (const ast::StmtPtr &child : block->statements)
        all.push_back(child.get());
      llvm::append_range(all, rest);
      return emitSequence(all);
    }
    if (const auto *branch = llvm::dyn_cast<ast::IfStmt>(&stmt))
      return emitIf(*branch, rest);
    if (const auto *require = llvm::dyn_cast<ast::RequireStmt>(&stmt))
      return emitRequireOrReturn(*require, rest);
    if (emit(stmt))
      return true;
    return emitIfLive(rest);
  }
  return false;
}

/// What stands after a statement that may have jumped.
bool HandlerGenerator::emitIfLive(ArrayRef<const ast::Stmt *> rest) {
  if (rest.empty())
    return false;
  Value live = bindings.lookup(jumpScopes.back().live).value;
  return emitBranches(loc(rest.front()->range), live, rest, {});
}

/// An `scf.if`. True if control passes neither branch.
bool HandlerGenerator::emitBranches(Location at, Value condition,
                                    const Variables &carried, Branch whenTrue,
                                    Branch whenFalse) {
  SmallVector<Value> before = valuesOf(carried);
  auto op =
      scf::IfOp::create(builder, at, ValueRange(before).getTypes(), condition,
                        /*withElseRegion=*/whenFalse || !carried.empty());
  // A branch that leaves the handler still yields; its values are never read.
  auto fill = [&](Block *block, Branch branch) {
    OpBuilder::InsertionGuard guard(builder);
    bind(carried, before);
    if (!block->empty())
      block->getTerminator()->erase();
    builder.setInsertionPointToEnd(block);
    bool ended = branch && branch();
    scf::YieldOp::create(builder, at, valuesOf(carried));
    return ended;
  };
  bool trueEnds = fill(op.thenBlock(), whenTrue);
  bool falseEnds = op.elseBlock() && fill(op.elseBlock(), whenFalse);
  bind(carried, op.getResults());
  return trueEnds && falseEnds;
}

bool HandlerGenerator::emitBranches(Location at, Value condition,
                                    Statements whenTrue, Statements whenFalse) {
  SmallVector<const ast::Stmt *> both(whenTrue);
  llvm::append_range(both, whenFalse);
  auto first = [&] { return emitSequence(whenTrue); };
  auto second = [&] { return emitSequence(whenFalse); };
  return emitBranches(at, condition, assignedIn(both), first,
                      whenFalse.empty() ? Branch() : Branch(second));
}

/// `rest` is what stands behind the statement, if the statement may jump: it
/// goes to the branch that goes on, if there is one such branch only.
bool HandlerGenerator::emitIf(const ast::IfStmt &stmt,
                              ArrayRef<const ast::Stmt *> rest) {
  Value condition = emitScalar(*stmt.condition);
  SmallVector<const ast::Stmt *> whenTrue = {stmt.thenBody.get()}, whenFalse;
  if (stmt.elseBody)
    whenFalse.push_back(stmt.elseBody.get());
  bool trueEnds = neverPasses(*stmt.thenBody);
  bool falseEnds = stmt.elseBody && neverPasses(*stmt.elseBody);
  bool moves = trueEnds != falseEnds;
  if (moves)
    llvm::append_range(trueEnds ? whenFalse : whenTrue, rest);
  bool ended = emitBranches(loc(stmt.range), condition, whenTrue, whenFalse);
  if (ended || moves)
    return ended;
  return emitIfLive(rest);
}
