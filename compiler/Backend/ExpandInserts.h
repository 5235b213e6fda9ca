// Bit fields put into words, without the instruction that does so.
#ifndef SPINC_COMPILER_BACKEND_EXPANDINSERTS_H
#define SPINC_COMPILER_BACKEND_EXPANDINSERTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace spinc::backend {

/// Makes each `llvm.riscv.cv.bitmanip.insert` masks and a shift: the conversion
/// from the spin dialect writes addresses with it, whatever the target has.
void expandInserts(llvm::Module &module);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_EXPANDINSERTS_H
