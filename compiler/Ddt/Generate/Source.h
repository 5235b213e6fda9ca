// The spinc source of the handlers of a plan, and the parameters that go with
// it. The text is meant to be read and edited.
#ifndef SPINC_COMPILER_DDT_GENERATE_SOURCE_H
#define SPINC_COMPILER_DDT_GENERATE_SOURCE_H

#include "compiler/Ddt/Generate/Program.h"
#include "compiler/Ddt/Plan/Plan.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace spinc::ddt {

enum class Direction { Receive, Send };

/// Bytes that one packet may ask a sending handler for.
constexpr int64_t largestSend = 4096;

/// `context` names the context; `budget` is its clause, empty for none.
Program makeProgram(const Plan &plan, llvm::StringRef name, Direction direction,
                    llvm::StringRef budget);

/// `name` as the name of a context: letters and digits, the first a capital.
std::string contextName(llvm::StringRef name);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_GENERATE_SOURCE_H
