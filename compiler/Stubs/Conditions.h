// `where` and `contract` conditions as C: exact arithmetic of
// runtime/host/spin_exact.h over the parameters and host regions of a setup.
#ifndef SPINC_STUBS_CONDITIONS_H
#define SPINC_STUBS_CONDITIONS_H

#include "compiler/Sema/Info.h"
#include "compiler/Stubs/CText.h"

#include "llvm/Support/Error.h"

namespace spinc::stubs {

/// What a condition reads: a local of the check function.
struct Value {
  std::string name;  // as in the source: "block", "dst.size"
  std::string local; // C name of the local
  CExpr reads;       // its initial value
};

/// The C name of a parameter or host region as a member of its structure.
std::string memberName(llvm::StringRef name, const sema::ContextInfo &context);

/// The values that conditions of one context can read, parameters first.
std::vector<Value> valuesOf(const sema::ContextInfo &context);

/// One condition, with the indices in valuesOf() that it reads, in order.
struct Condition {
  CExpr expr;
  std::vector<unsigned> reads;
};

llvm::Expected<Condition> translate(const ast::Expr &condition,
                                    const sema::ContextInfo &context,
                                    llvm::ArrayRef<Value> values);

} // namespace spinc::stubs

#endif // SPINC_STUBS_CONDITIONS_H
