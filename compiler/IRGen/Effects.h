// What running a statement may change in its surroundings, read off the AST:
// which variables it assigns, whether it writes packet memory, and which jumps
// lead out of it. Variables are SSA values, so whoever makes a region for a
// statement asks here what the region has to give back.
#ifndef SPINC_IRGEN_EFFECTS_H
#define SPINC_IRGEN_EFFECTS_H

#include "compiler/AST/Ast.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"

namespace spinc::irgen {

struct Effects {
  /// Variables from outside of the statement, in the order of assignment.
  llvm::SetVector<const ast::Decl *> assigned;
  bool storesPacket = false;
  /// `break` or `continue` of a loop or switch around the statement.
  bool breaks = false, continues = false;
  /// `return`, also that of `require`.
  bool returns = false;

  bool jumps() const { return breaks || continues; }
};

Effects effectsOf(llvm::ArrayRef<const ast::Stmt *> statements,
                  llvm::ArrayRef<const ast::Expr *> expressions = {});

/// Whether control never reaches what follows, by whatever way it leaves.
bool neverPasses(const ast::Stmt &stmt);

} // namespace spinc::irgen

#endif // SPINC_IRGEN_EFFECTS_H
