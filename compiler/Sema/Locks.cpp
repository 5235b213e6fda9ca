// Locks and what they guard (lck-1 … lck-5): which fields are locks, that a
// guarded field is used under its lock only, and that no handler holds two.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

std::optional<LockKind> lockKind(llvm::StringRef name) {
  if (name == "spin_lock")
    return LockKind::Spin;
  if (name == "mcs_lock")
    return LockKind::Mcs;
  if (name == "rw_lock")
    return LockKind::ReadWrite;
  return std::nullopt;
}

const char *lockName(LockKind kind) {
  switch (kind) {
  case LockKind::Spin:
    return "spin_lock";
  case LockKind::Mcs:
    return "mcs_lock";
  case LockKind::ReadWrite:
    return "rw_lock";
  }
  return "";
}

/// Words that the handlers share: tickets given out, and whose turn it is (of
/// readers and writers apart); of a queue its end.
unsigned lockWords(LockKind kind) {
  switch (kind) {
  case LockKind::Spin:
    return 2;
  case LockKind::Mcs:
    return 1;
  case LockKind::ReadWrite:
    return 3;
  }
  return 0;
}

std::string lockNodeName(llvm::StringRef lock) {
  return (lock + ".node").str();
}

static std::optional<LockKind> lockKindOf(const ast::TypeExpr &type) {
  const auto *named = llvm::dyn_cast<ast::NamedTypeExpr>(&type);
  return named ? lockKind(named->name) : std::nullopt;
}

/// lck-1: the words of a lock.
bool Analyzer::lockField(ast::StateFieldDecl &decl, StateField &field) {
  LockKind kind = *lockKindOf(*decl.typeExpr);
  bool isMcs = kind == LockKind::Mcs;
  std::string problem;
  if (decl.stateKind != ast::StateKind::Plain || decl.perCluster)
    problem = "is a lock, which is a kind of its own";
  else if (isMcs && decl.placement == ast::Placement::L1)
    problem = "is an mcs_lock: target pspin has compare-and-swap in L2 only";
  if (!problem.empty()) {
    diagnostics.report(diag::BadStateField, decl.range, decl.name.text,
                       problem);
    return false;
  }
  field.name = decl.name.text;
  field.decl = &decl;
  field.kind = StateKind::Lock;
  field.lock = kind;
  field.element = types.u(32);
  field.count = lockWords(kind);
  field.isArray = true;
  field.type = types.array(field.element, field.count);
  field.space = isMcs || decl.placement == ast::Placement::L2 ? StateSpace::L2
                                                              : StateSpace::L1;
  decl.type = types.lock();
  return true;
}

/// lck-1: each HPU has a place of its own in the queue of an mcs_lock.
StateField Analyzer::lockNode(const StateField &lock) {
  StateField node;
  node.name = lockNodeName(lock.name);
  node.kind = StateKind::PerHpu;
  node.element = types.u(32);
  node.count = 2;
  node.isArray = true;
  node.type = types.array(node.element, node.count);
  return node;
}

/// lck-2: `guarded(lock)` names a lock of the same state.
bool Analyzer::findGuard(const ast::ContextDecl &context,
                         ast::StateFieldDecl &decl) {
  std::vector<std::string> locks;
  for (const std::unique_ptr<ast::StateFieldDecl> &other :
       context.state->fields) {
    if (!lockKindOf(*other->typeExpr))
      continue;
    locks.push_back(other->name.text);
    if (other->name.text == decl.lock->text)
      decl.lockDecl = other.get();
  }
  if (decl.lockDecl)
    return true;
  noMember("the locks of the state", *decl.lock, std::move(locks));
  return false;
}

/// lck-2: guarded fields are named where their lock is held.
bool Analyzer::checkGuarded(const ast::FieldExpr &use,
                            const StateField &field) {
  if (field.kind != StateKind::Guarded || field.decl->lockDecl == held.lock)
    return true;
  const std::string &lock = field.decl->lock->text;
  diagnostics.report(diag::GuardedAccess, use.range, field.name, lock)
      .reason("other handlers may be changing it")
      .fix("with (state." + lock + ") { … }");
  return false;
}

/// lck-3: under the shared lock guarded fields are read.
bool Analyzer::checkSharedWrite(const ast::Expr &target) {
  if (!held.lock || !held.isShared)
    return true;
  diagnostics
      .report(diag::StateWrite, target.range, handlerName(),
              target.range.text(), "guarded by a lock that it shares")
      .fix("with (state." + held.lock->name.text + ") { … }");
  return false;
}

/// The lock that `with (…)` names, or null after an error.
const StateField *Analyzer::checkLock(ast::ExprPtr &expr, bool &isShared) {
  ast::ExprPtr *lock = &expr;
  auto *member = llvm::dyn_cast<ast::FieldExpr>(expr.get());
  isShared = member && member->member.text == "shared" &&
             llvm::isa<ast::FieldExpr>(member->base.get());
  if (isShared)
    lock = &member->base;
  const Type *type = checkThing(*lock);
  if (isShared)
    member->type = type;
  if (type->isError())
    return nullptr;
  const StateField *field = stateFieldOf(**lock);
  if (!field || field->kind != StateKind::Lock) {
    diagnostics.report(diag::WrongKind, (*lock)->range, (*lock)->range.text(),
                       type->str(), "a lock of the state");
    return nullptr;
  }
  if (isShared && field->lock != LockKind::ReadWrite) {
    diagnostics
        .report(diag::LockForm, expr->range, field->name,
                std::string("is a ") + lockName(*field->lock) +
                    ", which handlers do not share")
        .fix("declare it as rw_lock"); // lck-3
    return nullptr;
  }
  return field;
}

/// True if control never reaches what follows.
bool Analyzer::checkWith(ast::WithStmt &stmt) {
  Held outer = held;
  bool isShared = false;
  const StateField *lock = checkLock(stmt.lock, isShared);
  if (lock && outer.lock) {
    // lck-4
    diagnostics
        .report(diag::LockForm, stmt.range, lock->name,
                "is taken while '" + outer.lock->name.text + "' is held")
        .reason("two handlers that wait for each other's lock would wait for "
                "ever")
        .fix("guard both with one lock");
  } else if (lock && !handler->contention) {
    // lck-5
    diagnostics
        .report(diag::LockForm, stmt.range, lock->name,
                "is taken, and the budget of " + handlerName() +
                    " does not say how many others may be before it")
        .fix("budget(…, contention <= " + std::to_string(options.hpus - 1) +
             "): as many as there are other HPUs");
  }
  if (lock) {
    stmt.isShared = isShared;
    held = {lock->decl, isShared};
  }
  bool ends = checkBody(stmt.body);
  held = outer;
  return ends;
}

} // namespace spinc::sema
