// The spinc source of the handlers of a plan, and the parameters that go with
// it. The text is meant to be read and edited.
#ifndef SPINC_COMPILER_DDT_GENERATE_SOURCE_H
#define SPINC_COMPILER_DDT_GENERATE_SOURCE_H

#include "compiler/Ddt/Plan/Plan.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace spinc::ddt {

enum class Direction { Receive, Send };

/// Bytes that one packet may ask a sending handler for.
constexpr int64_t largestSend = 4096;

/// A parameter and what the host puts there; in the order of the
/// parameter block, behind `start`.
struct Table {
  std::string name;
  unsigned bytesEach; ///< 4 or 8
  std::vector<int64_t> values;
  bool isArray = true;
};

struct Program {
  std::string context;
  std::string source;
  std::vector<Table> tables;
  int64_t largestStart = 0; ///< of the parameter `start`

  /// The parameter block of the context.
  std::vector<uint8_t> parameters(uint64_t start) const;

  /// FNV-1a over all tables of a block, which `start` and the gaps between
  /// tables take no part in.
  uint64_t hashOfTables(llvm::ArrayRef<uint8_t> block) const;
};

/// `context` names the context; `budget` is its clause, empty for none.
Program makeProgram(const Plan &plan, llvm::StringRef name, Direction direction,
                    llvm::StringRef budget);

/// `name` as the name of a context: letters and digits, the first a capital.
std::string contextName(llvm::StringRef name);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_GENERATE_SOURCE_H
