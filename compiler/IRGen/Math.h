// Conditions that the host checks (`where`, `contract`) and budgets: both are
// mathematics over parameters, not code of a handler.
#ifndef SPINC_IRGEN_MATH_H
#define SPINC_IRGEN_MATH_H

#include "compiler/AST/Ast.h"
#include "compiler/IRGen/Common.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace spinc::irgen {

/// Emits a condition in signed 128-bit arithmetic, which the 32- and 64-bit
/// quantities of a program cannot overflow in practice; the generated host code
/// treats an overflow as a violation. `leaf` gives the value of a name or field
/// as its own integer type.
class MathEmitter {
public:
  using LeafEmitter = llvm::function_ref<mlir::Value(const ast::Expr &)>;
  MathEmitter(mlir::OpBuilder &builder, LeafEmitter leaf)
      : builder(builder), leaf(leaf) {}

  /// An i1.
  mlir::Value emitCondition(const ast::Expr &expr);

private:
  mlir::Value emitNumber(const ast::Expr &expr);
  mlir::Value emitComparison(const ast::BinaryExpr &expr);

  mlir::OpBuilder &builder;
  LeafEmitter leaf;
};

/// The budget attribute of a function.
spin::BudgetAttr functionBudgetAttr(mlir::MLIRContext *context,
                                    const ast::FunctionDecl &function);

/// The budget attribute of a handler, or null if it has none.
spin::BudgetAttr budgetAttr(mlir::MLIRContext *context,
                            const sema::HandlerInfo &handler);

} // namespace spinc::irgen

#endif // SPINC_IRGEN_MATH_H
