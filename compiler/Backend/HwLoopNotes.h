// What became of loops as hardware loops, for the report: written by the pass
// that counts them (LoopCount.h) and by the one that makes them
// (HardwareLoops.h).
#ifndef SPINC_COMPILER_BACKEND_HWLOOPNOTES_H
#define SPINC_COMPILER_BACKEND_HWLOOPNOTES_H

#include "compiler/Backend/Codegen.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace llvm {
class Twine;
} // namespace llvm

namespace spinc::backend {

class HwLoopNotes {
public:
  /// `markers`: numbers of the source's loops that the loop is a copy of. Of
  /// several copies of one the first that failed is told.
  void made(llvm::ArrayRef<int64_t> markers, const llvm::Twine &how);
  void failed(llvm::ArrayRef<int64_t> markers, const llvm::Twine &why);
  LoopAttempts attempts() const;

private:
  std::map<int64_t, LoopAttempt> byMarker;
};

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_HWLOOPNOTES_H
