// The conversion of whole modules from spin (with scf and arith) to the LLVM
// dialect. Passes.td says what comes out.
#ifndef SPINC_DIALECT_CONVERSION_SPINTOLLVM_SPINTOLLVM_H
#define SPINC_DIALECT_CONVERSION_SPINTOLLVM_SPINTOLLVM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spinc::spin {

#define GEN_PASS_DECL
#include "dialect/Conversion/SpinToLLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialect/Conversion/SpinToLLVM/Passes.h.inc"

} // namespace spinc::spin

#endif // SPINC_DIALECT_CONVERSION_SPINTOLLVM_SPINTOLLVM_H
