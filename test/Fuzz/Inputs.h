// What a program is run on: parameters that the host may set, host memory, and
// packets that its match rules take, random ones and ones at the edges.
#ifndef SPINC_TEST_FUZZ_INPUTS_H
#define SPINC_TEST_FUZZ_INPUTS_H

#include "test/Reference/Machine.h"
#include "llvm/ADT/ArrayRef.h"
#include <random>

namespace spinc::fuzz {

using Random = std::mt19937_64;

/// A number below `limit`; limit > 0.
inline uint64_t below(Random &random, uint64_t limit) {
  return random() % limit;
}

/// One installation of one context, and the packets of a run.
struct Inputs {
  const sema::ContextInfo *context = nullptr;
  std::vector<std::pair<std::string, int64_t>> params;
  size_t hostBytes = 0;
  std::vector<uint8_t> host;
  std::vector<std::vector<uint8_t>> packets;
  unsigned packetsPerMessage = 0;
  unsigned clusters = 4;
};

/// Numbers that the program names: values near them are worth trying.
std::vector<uint64_t> numbersIn(const ast::Program &program);

/// Nothing if no parameters were found that `where` and `contract` allow.
std::optional<Inputs> makeInputs(const sema::ContextInfo &context,
                                 llvm::ArrayRef<uint64_t> numbers,
                                 unsigned packetCount, Random &random);

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_INPUTS_H
