// Loops: their headers (lop-1 … lop-3), `while` (lop-4), `bound(n)` (lop-5),
// and the places of `break` and `continue` (lop-6).
#include "compiler/AST/Walk.h"
#include "compiler/Sema/Analyzer.h"

#include "llvm/Support/SaveAndRestore.h"

namespace spinc::sema {

/// lop-5: the bound is computed once, before the loop.
void Analyzer::checkBound(ast::ExprPtr &bound) {
  if (!bound)
    return;
  checkAs(bound, types.u(32));
  if (function)
    function->mayFail = true;
}

/// Checks the body of a loop, with the variable it declares, if any. True if a
/// `break` in it may end the loop.
bool Analyzer::checkLoopBody(ast::StmtPtr &body, ast::LocalDecl *variable) {
  if (function)
    function->hasLoop = true;
  JumpTarget target;
  target.isLoop = true;
  llvm::SaveAndRestore<JumpTarget *> inside(jumpTarget, &target);
  target.outer = inside.get();
  scopes.push();
  if (variable)
    declareLocal(*variable);
  checkBody(body);
  scopes.pop();
  return target.isBroken;
}

/// lop-1, lop-2: for (i : a ..< b step k).
void Analyzer::checkForRange(ast::ForRangeStmt &stmt) {
  ast::LocalDecl &variable = *stmt.variable;
  const Type *begin = checkValue(stmt.begin);
  const Type *extent = checkValue(stmt.extent);
  checkBound(stmt.bound);
  const Type *counter = types.u(32);
  if (variable.typeExpr)
    counter = valueOf(resolveType(*variable.typeExpr));
  const auto *integer = dynAs<IntType>(counter);
  if (!counter->isError() &&
      (!integer || integer->isSigned || integer->width > 32)) {
    diagnostics
        .report(diag::LoopForm, variable.range,
                "counts in " + counter->str() + ": expected u1 … u32")
        .reason("lengths and offsets on the card are unsigned 32-bit numbers");
    counter = poison();
  }
  if (!counter->isError()) {
    if (!begin->isError())
      convert(stmt.begin, counter);
    if (!extent->isError())
      convert(stmt.extent, counter);
    if (stmt.step && !checkValue(stmt.step)->isError() &&
        convert(stmt.step, counter) &&
        (!stmt.step->value || stmt.step->value->isZero()))
      diagnostics.report(diag::LoopForm, stmt.step->range,
                         "steps by what is no constant above zero");
  }
  variable.type = counter;
  checkLoopBody(stmt.body, &variable);
}

/// The call in `for (c : s.chunks(n))`, or null.
static ast::CallExpr *chunksOf(ast::Expr &iterable) {
  auto *call = llvm::dyn_cast<ast::CallExpr>(&iterable);
  auto *callee =
      call ? llvm::dyn_cast<ast::FieldExpr>(call->callee.get()) : nullptr;
  return callee && findBuiltin(BuiltinForm::Method, callee->member.text) ==
                       Builtin::Chunks
             ? call
             : nullptr;
}

/// lop-7: chunks of a constant size. Yields the type of a chunk.
const Type *Analyzer::checkChunks(ast::CallExpr &call) {
  auto &callee = llvm::cast<ast::FieldExpr>(*call.callee);
  const Type *base = checkValue(callee.base);
  callee.type = types.voidType();
  callee.builtin = call.builtin = Builtin::Chunks;
  call.type = poison();
  bool isCall =
      !call.isAsync && call.arguments.size() == 1 && !call.arguments[0].name;
  if (!isCall) {
    diagnostics.report(diag::BadArguments, call.range, "chunks",
                       "takes the number of elements of a chunk");
    return poison();
  }
  ast::ExprPtr &size = call.arguments[0].value;
  bool hasSize = checkAs(size, types.u(32));
  if (hasSize && (!size->value || size->value->isZero())) {
    diagnostics.report(diag::LoopForm, size->range,
                       "has chunks whose size is no constant above zero");
    hasSize = false;
  }
  if (base->isError() || !hasSize)
    return poison();
  if (!base->is(TypeKind::Slice)) {
    diagnostics.report(diag::TypeMismatch, callee.base->range, "a slice",
                       base->str());
    return poison();
  }
  call.type = base;
  return base;
}

/// lop-3: for (x : slice), for (piece : view.pieces(…)).
void Analyzer::checkForEach(ast::ForEachStmt &stmt) {
  ast::LocalDecl &variable = *stmt.variable;
  ast::CallExpr *chunks = chunksOf(*stmt.iterable);
  const Type *iterable =
      chunks ? checkChunks(*chunks) : checkThing(stmt.iterable);
  checkBound(stmt.bound);
  const Type *element = poison();
  if (const auto *slice = dynAs<SliceType>(iterable)) {
    element = chunks ? slice : slice->element;
    if (element->is(TypeKind::Struct) || element->is(TypeKind::Array)) {
      diagnostics
          .report(diag::LoopForm, stmt.iterable->range,
                  "runs over " + element->str() + ", which is no value")
          .fix("use a range: for (i : 0 ..< n)");
      element = poison();
    }
    if (slice->space == MemorySpace::Host) {
      diagnostics
          .report(diag::LoopForm, stmt.iterable->range,
                  "reads host memory element by element")
          .reason("a handler reaches host memory by DMA only");
      element = poison();
    }
  } else if (iterable->is(TypeKind::Pieces)) {
    element = types.piece();
  } else if (!iterable->isError()) {
    diagnostics
        .report(diag::LoopForm, stmt.iterable->range,
                "runs over " + iterable->str() +
                    ": expected a slice or the pieces of a view")
        .fix(iterable->is(TypeKind::Array) ? "take a slice: array[0 ..< n]"
                                           : "use a range: for (i : 0 ..< n)");
  }
  if (variable.typeExpr) {
    const Type *written = resolveType(*variable.typeExpr);
    if (!written->isError() && !element->isError() && written != element &&
        written != valueOf(element))
      diagnostics.report(diag::TypeMismatch, variable.typeExpr->range,
                         element->str(), written->str());
    if (element->isError())
      element = written;
  }
  variable.type = valueOf(element);
  checkLoopBody(stmt.body, &variable);
  if (!stmt.tail)
    return;
  if (!chunks)
    diagnostics.report(diag::LoopForm, stmt.tail->range,
                       "has an 'else (…)', which takes the rest of "
                       "'chunks(n)'");
  stmt.tail->type = chunks ? iterable : poison();
  scopes.push();
  declareLocal(*stmt.tail);
  checkBody(stmt.tailBody);
  scopes.pop();
}

/// lop-4. True if control never reaches what follows: a condition that is
/// always true, and no `break`.
/// Whether a `return` or a `require` is in the statement.
static bool mayReturn(const ast::Stmt &stmt) {
  bool found =
      llvm::isa<ast::ReturnStmt>(&stmt) || llvm::isa<ast::RequireStmt>(&stmt);
  ast::forEachStmt(stmt,
                   [&](const ast::Stmt &inner) { found |= mayReturn(inner); });
  return found;
}

bool Analyzer::checkWhile(ast::WhileStmt &stmt) {
  checkBound(stmt.bound);
  sawLoop = false;
  checkBool(stmt.condition);
  if (sawLoop)
    diagnostics
        .report(diag::LoopForm, stmt.condition->range,
                "has a condition that runs a loop")
        .reason("a condition runs once more than the body, which the bound "
                "counts")
        .fix("while (true) bound(n) { if (!(" +
             stmt.condition->range.text().str() + ")) break; … }");
  bool isBroken = checkLoopBody(stmt.body, nullptr);
  bool goesOn =
      stmt.condition->value && !stmt.condition->value->isZero() && !isBroken;
  // bnd-12: later stages would take the loop for one that has no effect.
  if (goesOn && !stmt.bound && !mayReturn(*stmt.body))
    diagnostics.report(diag::LoopUnbounded, stmt.range);
  return goesOn;
}

/// lop-6: `break` leaves the innermost loop or switch, `continue` goes on with
/// the next round of the innermost loop.
void Analyzer::checkJump(const ast::Stmt &stmt) {
  bool isBreak = llvm::isa<ast::BreakStmt>(&stmt);
  JumpTarget *target = jumpTarget;
  while (target && !isBreak && !target->isLoop)
    target = target->outer;
  if (!target)
    diagnostics.report(diag::JumpPlace, stmt.range,
                       isBreak ? "break" : "continue",
                       isBreak ? "loop or switch" : "loop");
  else if (isBreak)
    target->isBroken = true;
}

} // namespace spinc::sema
