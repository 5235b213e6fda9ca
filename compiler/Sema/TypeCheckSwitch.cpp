// `switch`: its subject and its cases (swi-1 … swi-3).
#include "compiler/Sema/Analyzer.h"

#include "llvm/Support/SaveAndRestore.h"

namespace spinc::sema {

/// swi-2: a constant of the subject's type that no case before has.
void Analyzer::checkCaseValue(ast::ExprPtr &value, const Type *subject,
                              std::map<std::string, SourceRange> &earlier) {
  if (subject->isError()) {
    checkValue(value);
    return;
  }
  if (!checkAs(value, subject))
    return;
  if (!value->value) {
    diagnostics.report(diag::NotConstant, value->range);
    return;
  }
  auto [place, isNew] =
      earlier.emplace(toString(widen(*value->value)), value->range);
  if (!isNew)
    diagnostics
        .report(diag::SwitchForm, value->range,
                "has two cases for " + place->first)
        .note(place->second, "the first is here");
}

/// True if control never reaches what follows (hdl-4).
bool Analyzer::checkSwitch(ast::SwitchStmt &stmt) {
  const Type *subject = checkValue(stmt.subject);
  if (subject->is(TypeKind::Literal)) {
    defaultLiteral(*stmt.subject);
    subject = stmt.subject->type;
  }
  if (!subject->isError() && !subject->is(TypeKind::Int) &&
      !subject->is(TypeKind::Enum)) {
    diagnostics.report(diag::TypeMismatch, stmt.subject->range,
                       "an integer or an enum", subject->str());
    subject = poison();
  }
  JumpTarget target;
  target.outer = jumpTarget;
  llvm::SaveAndRestore<JumpTarget *> inside(jumpTarget, &target);
  std::map<std::string, SourceRange> values;
  const ast::SwitchCase *fallback = nullptr;
  bool allEnd = true;
  for (ast::SwitchCase &arm : stmt.cases) {
    for (ast::ExprPtr &value : arm.values)
      checkCaseValue(value, subject, values);
    if (arm.values.empty() && fallback)
      diagnostics.report(diag::SwitchForm, arm.range, "has two 'default'")
          .note(fallback->range, "the first is here");
    if (arm.values.empty())
      fallback = &arm;
    allEnd &= checkBlock(*arm.body);
  }
  return fallback && allEnd && !target.isBroken;
}

} // namespace spinc::sema
