// Verifiers, canonical forms and meaning of the operations that leave a handler
// or mark its loops.
#include "dialect/Spin/IR/Loops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;

/// Checks that the handler around `op` may end with `code`.
static LogicalResult verifyCode(Operation *op, ReturnCode code) {
  auto handler = op->getParentOfType<HandlerOp>();
  if (!handler)
    return op->emitOpError() << "must be inside spin.handler";
  if (handler.isFunction())
    return code == ReturnCode::Fail ? success()
                                    : op->emitOpError()
                                          << "leaves a function with code "
                                          << stringifyReturnCode(code);
  bool header = handler.getKind() == HandlerKind::Header;
  bool completion = handler.getKind() == HandlerKind::Completion;
  bool allowed = code == ReturnCode::Fail ||
                 (code == ReturnCode::ProcessData && header) ||
                 (code == ReturnCode::Success && !header) ||
                 (code == ReturnCode::Drop && !completion);
  if (!allowed)
    return op->emitOpError()
           << "has code " << stringifyReturnCode(code) << ", which a "
           << stringifyHandlerKind(handler.getKind())
           << " handler cannot return";
  return success();
}

ReleaseOp spinc::spin::createRelease(OpBuilder &builder, Location loc,
                                     DictionaryAttr lock) {
  return ReleaseOp::create(builder, loc, lock.getAs<FlatSymbolRefAttr>("lock"),
                           lock.getAs<LockKindAttr>("kind"),
                           lock.getAs<UnitAttr>("shared"),
                           lock.getAs<IntegerAttr>("loop"));
}

RequireOp spinc::spin::getLoopGuard(Operation *loop) {
  Block *body = nullptr;
  if (auto forLoop = dyn_cast<scf::ForOp>(loop))
    body = forLoop.getBody();
  else if (auto whileLoop = dyn_cast<scf::WhileOp>(loop))
    body = whileLoop.getAfterBody();
  if (!body)
    return {};
  for (RequireOp guard : body->getOps<RequireOp>())
    if (guard->hasAttr(loopGuardAttrName))
      return guard;
  return {};
}

/// The attempts of `loop` without the one of `what`.
static SmallVector<Attribute> attemptsBut(Operation *loop, StringRef what) {
  SmallVector<Attribute> attempts;
  if (auto list = loop->getAttrOfType<ArrayAttr>(attemptsAttrName))
    for (AttemptAttr attempt : list.getAsRange<AttemptAttr>())
      if (attempt.getWhat() != what)
        attempts.push_back(attempt);
  return attempts;
}

void spinc::spin::noteAttempt(Operation *loop, StringRef what, bool done,
                              const llvm::Twine &detail) {
  Builder builder(loop->getContext());
  SmallVector<Attribute> attempts = attemptsBut(loop, what);
  attempts.push_back(AttemptAttr::get(loop->getContext(),
                                      builder.getStringAttr(what), done,
                                      builder.getStringAttr(detail)));
  loop->setAttr(attemptsAttrName, builder.getArrayAttr(attempts));
}

void spinc::spin::keepAttempts(Operation *from, Operation *to) {
  if (Attribute attempts = from->getAttr(attemptsAttrName))
    to->setAttr(attemptsAttrName, attempts);
}

LogicalResult GiveOp::verify() {
  if (!cast<HandlerOp>((*this)->getParentOp()).isFunction())
    return emitOpError() << "must end a function";
  return success();
}

LogicalResult ReturnOp::verify() { return verifyCode(*this, getCode()); }
LogicalResult RequireOp::verify() { return verifyCode(*this, getCode()); }

LogicalResult ExitOp::verify() { return verifyCode(*this, getCode()); }

/// Removes what follows an exit in its block, as far as nothing uses it.
LogicalResult ExitOp::canonicalize(ExitOp op, PatternRewriter &rewriter) {
  bool changed = false;
  Operation *last = op->getBlock()->getTerminator();
  for (Operation *dead = last->getPrevNode(); dead != op;) {
    Operation *previous = dead->getPrevNode();
    if (dead->use_empty()) {
      rewriter.eraseOp(dead);
      changed = true;
    }
    dead = previous;
  }
  return success(changed);
}

LogicalResult RequireOp::canonicalize(RequireOp op, PatternRewriter &rewriter) {
  llvm::APInt condition;
  if (!matchPattern(op.getCondition(), m_ConstantInt(&condition)))
    return failure();
  if (condition.isZero()) {
    if (auto lock = op->getAttrOfType<DictionaryAttr>(releasesAttrName))
      createRelease(rewriter, op.getLoc(), lock);
    rewriter.replaceOpWithNewOp<ExitOp>(op, op.getCode());
  } else
    rewriter.eraseOp(op);
  return success();
}

/// The bound in the table of the module is that of the loop, and rounds are
/// counted where they have begun.
meaning::Obligations LoopMarkerOp::getObligations(meaning::Numbers &) {
  auto table = (*this)->getParentOfType<ModuleOp>()->getAttrOfType<ArrayAttr>(
      "spin.loops");
  Operation *loop = (*this)->getParentOp();
  Attribute bound = loop->getAttr("spin.bound");
  auto entry = table && getId() < table.size()
                   ? dyn_cast<DictionaryAttr>(table[getId()])
                   : DictionaryAttr();
  Operation *start = meaning::roundStart(loop);
  bool isEarly = start && start->getBlock() == (*this)->getBlock() &&
                 (*this)->isBeforeInBlock(start);
  if (bound && entry && entry.get("bound") == bound && !isEarly)
    return {};
  return {meaning::Obligation::impossible()};
}
