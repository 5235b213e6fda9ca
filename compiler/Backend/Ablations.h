// Optimisations that can be switched off, to measure what each of them wins
// and to compare the code with and without: --disable=<names>.
#ifndef SPINC_COMPILER_BACKEND_ABLATIONS_H
#define SPINC_COMPILER_BACKEND_ABLATIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <bitset>
#include <optional>

namespace spinc::backend {

enum class Ablation {
#define ABLATION(Id, name) Id,
#include "compiler/Backend/Ablations.def"
};

/// What is switched off.
class Ablations {
public:
  bool has(Ablation what) const { return bits[size_t(what)]; }
  void add(Ablation what) { bits.set(size_t(what)); }

private:
  enum {
#define ABLATION(Id, name) Index##Id,
#include "compiler/Backend/Ablations.def"
    count
  };
  std::bitset<count> bits;
};

std::optional<Ablation> ablationOf(llvm::StringRef name);
llvm::SmallVector<llvm::StringRef> ablationNames();

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_ABLATIONS_H
