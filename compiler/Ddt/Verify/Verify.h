// --verify: runs messages through the simulator and compares host memory with
// the independent flattening, byte for byte, gaps included.
#ifndef SPINC_COMPILER_DDT_VERIFY_VERIFY_H
#define SPINC_COMPILER_DDT_VERIFY_VERIFY_H

#include "compiler/Ddt/Description/Type.h"
#include "compiler/Ddt/Generate/Source.h"
#include "compiler/Ddt/Verify/Reference.h"

#include "llvm/Support/Error.h"

namespace spinc::ddt {

struct VerifyOptions {
  uint32_t seed = 1;
  /// Of long messages each round takes so many packets, at random.
  size_t packetsPerRound = 2000;
};

struct VerifyResult {
  unsigned rounds = 0;
  uint64_t packets = 0;
  uint64_t bytes = 0;
  uint64_t commands = 0;
};

/// What is checked, of a program made for `description` whose lowest byte is
/// `low` and that spans `span` bytes.
struct Verified {
  const Description &description;
  const Program &program;
  const std::vector<uint8_t> &image;
  Direction direction;
  int64_t low, span;
  /// Where the bytes of a message belong, in stream order.
  llvm::ArrayRef<Stretch> stretches;
};

/// Rounds with packets of 64 to 4096 bytes and of random sizes, cut anywhere,
/// in random order, some of them twice; then a few with damaged tables, which
/// the check at installation has to refuse and after which, installed all the
/// same, no handler may have faulted. An error says what differs first.
llvm::Expected<VerifyResult> verify(const Verified &what,
                                    const VerifyOptions &options);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_VERIFY_VERIFY_H
