// See HandlerChecks.h.
#include "compiler/Backend/HandlerChecks.h"
#include "dialect/Spin/IR/SourcePlace.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace spinc;
using namespace spinc::backend;

namespace {

/// In one line.
std::string oneLine(StringRef text) {
  SmallVector<StringRef> words;
  SplitString(text, words);
  return join(words, " ");
}

Check checkOf(SourceRange range, StringRef text) {
  return {oneLine(text), range.isValid()
                             ? int64_t(range.file->lineColumn(range.begin).line)
                             : 0};
}

/// IRGen names the place of a requirement by what it demands.
Check checkOf(spin::RequireOp require) {
  Check check;
  if (auto name = require.getLoc()->findInstanceOf<mlir::NameLoc>())
    check.text = oneLine(name.getName());
  if (mlir::FileLineColRange place = spin::sourcePlace(require.getLoc()))
    check.line = place.getStartLine();
  return check;
}

void addOnce(std::vector<Check> &checks, Check check) {
  for (const Check &known : checks)
    if (known.text == check.text && known.line == check.line)
      return;
  checks.push_back(std::move(check));
}

void collectInstalled(const sema::ContextInfo &context, HandlerChecks &checks) {
  for (const sema::StateField &field : context.state)
    for (const ast::Expr *condition : field.where)
      checks.atInstallation.push_back(
          checkOf(condition->range, condition->range.text()));
  for (const sema::Contract &contract : context.contracts)
    checks.atInstallation.push_back(
        checkOf(contract.condition->range, contract.text));
}

void collectCard(const sema::ContextInfo &context, HandlerChecks &checks) {
  for (const sema::MatchRule &rule : context.packet.rules)
    addOnce(checks.byTheCard, {oneLine(rule.text), 0});
  if (context.packet.link == sema::Link::Portals)
    checks.byTheCard.push_back({kMessageLaw.str(), 0});
}

void collectProofs(spin::HandlerOp handler, HandlerChecks &checks) {
  // Copies of an operation, as unrolling makes them, have one place.
  std::set<std::pair<const void *, const void *>> proved;
  handler.walk([&](mlir::Operation *op) {
    if (auto require = dyn_cast<spin::RequireOp>(op))
      addOnce(checks.atRunTime, checkOf(require));
    else if (op->hasAttr("proof") || op->hasAttr("spin.certificate"))
      proved.insert({op->getName().getAsOpaquePointer(),
                     op->getLoc().getAsOpaquePointer()});
  });
  checks.proved = proved.size();
}

} // namespace

HandlerChecks backend::collectChecks(spin::HandlerOp handler,
                                     const sema::ContextInfo &context) {
  HandlerChecks checks;
  collectInstalled(context, checks);
  collectCard(context, checks);
  collectProofs(handler, checks);
  return checks;
}

HandlerChecks backend::collectChecks(spin::HandlerOp function) {
  HandlerChecks checks;
  collectProofs(function, checks);
  return checks;
}
