// What facts are taken in depends on the variables, not on what is asked about
// them, so those that an earlier question needed are those that a later one
// would have come to.
#include "dialect/Spin/Analysis/Inquiries.h"

using namespace spinc::spin;

bool Inquiries::refute(const VariableTable &variables, const FactStack &facts,
                       const Constraint &inequality) {
  if (version != facts.getVersion())
    inquiries.clear();
  version = facts.getVersion();
  Names names;
  for (const LinearExpr::Term &term : inequality.expr.getTerms())
    names.push_back(term.first);
  auto [entry, isNew] = inquiries.try_emplace(names, variables, facts);
  Inquiry &inquiry = entry->second;
  if (isNew)
    inquiry.fits = llvm::all_of(
        names, [&](VarId id) { return inquiry.problem.addVariable(id); });
  if (!inquiry.fits)
    return false;
  Effort effort;
  while (!inquiry.problem.excludes(inequality, effort)) {
    if (inquiry.grown == Problem::maxGrowth || !inquiry.problem.grow())
      return false;
    ++inquiry.grown;
  }
  return true;
}
