// `with (lock) …`: the body between taking the lock and giving it back, which
// every way out of the body does, a `return` and a failed requirement too.
#include "compiler/IRGen/HandlerGenerator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

static spin::LockKind kindOf(const sema::StateField &lock) {
  switch (*lock.lock) {
  case sema::LockKind::Spin:
    return spin::LockKind::Spin;
  case sema::LockKind::Mcs:
    return spin::LockKind::Mcs;
  case sema::LockKind::ReadWrite:
    return spin::LockKind::ReadWrite;
  }
  llvm_unreachable("all kinds are handled");
}

void HandlerGenerator::emitRelease(Location at) {
  spin::ReleaseOp::create(builder, at, heldLock->name, kindOf(*heldLock),
                          heldShared, IntegerAttr());
}

void HandlerGenerator::markRelease(spin::RequireOp op) {
  if (!heldLock)
    return;
  MLIRContext *mlir = builder.getContext();
  NamedAttrList lock;
  lock.append("lock", FlatSymbolRefAttr::get(mlir, heldLock->name));
  lock.append("kind", spin::LockKindAttr::get(mlir, kindOf(*heldLock)));
  if (heldShared)
    lock.append("shared", builder.getUnitAttr());
  op->setAttr(spin::releasesAttrName, lock.getDictionary(mlir));
}

/// lck-2, lck-4. True: control does not pass to what follows.
bool HandlerGenerator::emitWith(const ast::WithStmt &stmt) {
  const ast::Expr *expr = stmt.lock.get();
  if (stmt.isShared)
    expr = llvm::cast<ast::FieldExpr>(*expr).base.get();
  const sema::StateField *lock = stateField(*expr);
  spin::AcquireOp::create(builder, loc(stmt.lock->range), lock->name,
                          kindOf(*lock), stmt.isShared, *handler.contention,
                          IntegerAttr());
  llvm::SaveAndRestore<const sema::StateField *> inside(heldLock, lock);
  llvm::SaveAndRestore<bool> how(heldShared, stmt.isShared);
  bool ends = emit(*stmt.body);
  // A jump out of a loop goes on behind the statement as well.
  if (!ends || mayJump(effectsOf(stmt.body.get())))
    emitRelease(loc(stmt.range));
  return ends;
}
