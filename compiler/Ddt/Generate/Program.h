// A generated program: its source, and the values of its parameters.
#ifndef SPINC_COMPILER_DDT_GENERATE_PROGRAM_H
#define SPINC_COMPILER_DDT_GENERATE_PROGRAM_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace spinc::ddt {

/// FNV-1a: where a hash starts, and what it is multiplied by for each byte.
constexpr uint64_t fnvStart = 0xcbf29ce484222325, fnvFactor = 0x100000001b3;

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

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_GENERATE_PROGRAM_H
