// What LLVM moved out of loops, or could not, for the report: its remarks, each
// with the marker of the loop that it is about.
#ifndef SPINC_COMPILER_BACKEND_HOISTREMARKS_H
#define SPINC_COMPILER_BACKEND_HOISTREMARKS_H

#include "compiler/Backend/Codegen.h"
#include <memory>

namespace llvm {
class DiagnosticHandler;
class LLVMContext;
class Loop;
class LoopInfo;
} // namespace llvm

namespace spinc::backend {

/// The markers of one loop itself: the numbers of the source's loops that it is
/// a copy of.
llvm::SmallVector<int64_t> markersOf(const llvm::Loop &loop,
                                     const llvm::LoopInfo &loops);

/// Listens to the remarks of a context while it lives.
class HoistRemarks {
public:
  explicit HoistRemarks(llvm::LLVMContext &context);
  ~HoistRemarks();
  HoistRemarks(const HoistRemarks &) = delete;
  HoistRemarks &operator=(const HoistRemarks &) = delete;

  /// The instructions and loads of one loop.
  struct Counts {
    unsigned moved = 0;
    unsigned keptLoads = 0;
  };
  LoopAttempts attempts() const;

private:
  llvm::LLVMContext &context;
  std::unique_ptr<llvm::DiagnosticHandler> before;
  std::map<int64_t, Counts> byMarker;
};

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_HOISTREMARKS_H
