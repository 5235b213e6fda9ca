// Names of the switches of --disable.
#include "compiler/Backend/Ablations.h"
#include "llvm/ADT/StringSwitch.h"

using namespace spinc::backend;

std::optional<Ablation> spinc::backend::ablationOf(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Ablation>>(name)
#define ABLATION(Id, spelling) .Case(spelling, Ablation::Id)
#include "compiler/Backend/Ablations.def"
      .Default(std::nullopt);
}

llvm::SmallVector<llvm::StringRef> spinc::backend::ablationNames() {
  return {
#define ABLATION(Id, spelling) spelling,
#include "compiler/Backend/Ablations.def"
  };
}
