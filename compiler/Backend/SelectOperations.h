// Operations of the core that LLVM does not select by itself: multiply and
// accumulate, bit fields, byte orders. Each becomes an intrinsic or an inline
// assembly right before instruction selection.
#ifndef SPINC_COMPILER_BACKEND_SELECTOPERATIONS_H
#define SPINC_COMPILER_BACKEND_SELECTOPERATIONS_H

namespace llvm {
class TargetPassConfig;
} // namespace llvm

namespace spinc::backend {

struct SelectedOperations {
  bool multiplications = true;
  /// Goes with the feature xcvbitmanip, with which LLVM 22 miscompiles ctlz
  /// that gets to instruction selection: none does.
  bool bits = true;
  /// Goes with xcvalu.
  bool clips = true;
};

/// Plans the pass. For optimised code only: without, LLVM has no pass behind
/// which it could run.
void addSelectOperations(llvm::TargetPassConfig &config,
                         const SelectedOperations &selected);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_SELECTOPERATIONS_H
