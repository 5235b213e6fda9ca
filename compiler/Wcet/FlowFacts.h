// Flow facts of images that another compiler made: each becomes a marker on
// the header of the loop that it names, so that the rest of the analysis sees
// no difference.
#ifndef SPINC_COMPILER_WCET_FLOWFACTS_H
#define SPINC_COMPILER_WCET_FLOWFACTS_H

#include "compiler/Wcet/PathSolver.h"

namespace spinc::wcet {

/// Fails if a fact names a function or loop that is not there, or several.
llvm::Error placeHeaderFacts(llvm::ArrayRef<HeaderFact> facts, Image &image,
                             LoopTable &loops);

/// The fact that is missing for the loop with this header, as JSON.
std::string proposeFact(const Image &image, uint32_t header);

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_FLOWFACTS_H
