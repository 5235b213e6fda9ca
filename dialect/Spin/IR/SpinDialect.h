// The spin dialect as C++ sees it: include this for its operations, types,
// attributes and enumerations.
#ifndef SPINC_DIALECT_SPIN_IR_SPINDIALECT_H
#define SPINC_DIALECT_SPIN_IR_SPINDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/Spin/IR/SpinEnums.h.inc"
#include "dialect/Spin/IR/SpinOpsDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/Spin/IR/SpinAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/Spin/IR/SpinOpsTypes.h.inc"

#include "dialect/Spin/IR/Form.h"

namespace spinc::spin::meaning {
class Numbers;
} // namespace spinc::spin::meaning

#include "dialect/Spin/IR/MeaningInterface.h.inc"

#define GET_OP_CLASSES
#include "dialect/Spin/IR/SpinOps.h.inc"

namespace spinc::spin {

/// On the `spin.require` at the start of a loop's body that enforces
/// `bound(n)`: its condition is that the rounds that have begun are fewer than
/// n.
inline constexpr llvm::StringLiteral loopGuardAttrName = "spin.loop_guard";
/// Attribute of a spin.require that leaves the handler while a lock is held:
/// the attributes of the spin.release that this takes.
inline constexpr llvm::StringLiteral releasesAttrName = "spin.releases";

/// The number of a lock among the fields of the module.
int64_t getLockNumber(ContextOp context, llvm::StringRef lock);
/// The operation that `lock`, of that attribute, describes.
ReleaseOp createRelease(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::DictionaryAttr lock);

/// Attribute of a loop: what passes did to it or why not, a list of
/// `#spin.attempt`. spin-mark-loops hands it on, the report prints it.
inline constexpr llvm::StringLiteral attemptsAttrName = "spin.attempts";
/// Adds an attempt of the transformation `what` ("unroll") to those of `loop`,
/// in place of an earlier one. `detail` says how it was done ("4 iterations
/// per turn"), or why not ("a loop is in it").
void noteAttempt(mlir::Operation *loop, llvm::StringRef what, bool done,
                 const llvm::Twine &detail);
/// `to` replaces `from`, or a part of it.
void keepAttempts(mlir::Operation *from, mlir::Operation *to);

/// The requirement that enforces the bound of `scf.for` or `scf.while`, or
/// null.
RequireOp getLoopGuard(mlir::Operation *loop);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_IR_SPINDIALECT_H
