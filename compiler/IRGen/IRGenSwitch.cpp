// `switch`: a chain of `scf.if`, so that each case knows its value and the
// default which values it is not about.
#include "compiler/IRGen/HandlerGenerator.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

/// What stands under the cases `arms`, in that order, and then `fallback`.
bool HandlerGenerator::emitCases(Value subject,
                                 llvm::ArrayRef<const ast::SwitchCase *> arms,
                                 const ast::SwitchCase *fallback,
                                 const Variables &carried) {
  if (arms.empty())
    return fallback && emitBlock(*fallback->body);
  const ast::SwitchCase &arm = *arms.front();
  Location at = loc(arm.range);
  Value isCase;
  for (const ast::ExprPtr &value : arm.values) {
    Value equal = arith::CmpIOp::create(builder, loc(value->range),
                                        arith::CmpIPredicate::eq, subject,
                                        emitScalar(*value));
    isCase = isCase ? Value(arith::OrIOp::create(builder, at, isCase, equal))
                    : equal;
  }
  return emitBranches(
      at, isCase, carried, [&] { return emitBlock(*arm.body); },
      [&] { return emitCases(subject, arms.drop_front(), fallback, carried); });
}

/// swi-1, swi-3
bool HandlerGenerator::emitSwitch(const ast::SwitchStmt &stmt) {
  Value subject = emitScalar(*stmt.subject);
  SmallVector<const ast::SwitchCase *> arms;
  SmallVector<const ast::Stmt *> bodies;
  const ast::SwitchCase *fallback = nullptr;
  for (const ast::SwitchCase &arm : stmt.cases) {
    bodies.push_back(arm.body.get());
    if (arm.values.empty())
      fallback = &arm;
    else
      arms.push_back(&arm);
  }
  emitSwitchBody(loc(stmt.range), bodies, [&] {
    emitCases(subject, arms, fallback, assignedIn(bodies));
  });
  return neverPasses(stmt);
}
