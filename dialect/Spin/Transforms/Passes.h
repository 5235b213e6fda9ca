// The passes over the spin dialect: how to create and to register them. What
// each does is in Passes.td and docs/SpinPasses.md.
#ifndef SPINC_DIALECT_SPIN_TRANSFORMS_PASSES_H
#define SPINC_DIALECT_SPIN_TRANSFORMS_PASSES_H

#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "runtime/isa/Contention.h"

namespace spinc::spin {

/// On a handler: how many iterations spin-unroll-loops puts in a turn, in place
/// of its options.
inline constexpr llvm::StringLiteral unrollAttrName = "spin.unroll";

#define GEN_PASS_DECL
#include "dialect/Spin/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialect/Spin/Transforms/Passes.h.inc"

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_TRANSFORMS_PASSES_H
