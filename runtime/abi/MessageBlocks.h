// How the blocks of messages' plain state lie in L1 and L2 (sta-10). The one
// home of what the layout of state and the code that computes addresses share;
// who looks at a finished image reads distances in its metadata.
#ifndef SPINC_RUNTIME_ABI_MESSAGEBLOCKS_H
#define SPINC_RUNTIME_ABI_MESSAGEBLOCKS_H

#include "runtime/abi/pspin.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace spinc::abi {

/// All blocks of a context in one memory: one behind the other, from a
/// multiple of `alignment` on.
struct MessageBlocks {
  uint64_t stride = 0; // 0: the context has no plain state there
  uint64_t copies = 0;
  uint64_t alignment = 0;

  uint64_t bytes() const { return stride * copies; }
  /// Whether no address of a block has a carry: the number of a block is a
  /// field of bits of its address, above those of the stride, and these bits
  /// are zero in block 0.
  bool areFields() const {
    return llvm::isPowerOf2_64(stride) && alignment % bytes() == 0;
  }
};

/// Blocks that hold `bytes` each. They start at a page: one instruction makes
/// the upper 20 bits of an address. Those of which a page has room for the ones
/// of a cluster take a power of two; what that costs in L1 is less than a page.
inline MessageBlocks messageBlocks(uint64_t bytes, bool inL1) {
  constexpr uint64_t page = 4096, least = 8;
  static_assert(PSPIN_MESSAGES_PER_CLUSTER - 1 == PSPIN_FLOW_SLOT_MASK &&
                    PSPIN_MESSAGE_QUEUES - 1 == PSPIN_FLOW_QUEUE_MASK,
                "the numbers of blocks are fields of a flow number");
  MessageBlocks blocks;
  if (bytes == 0)
    return blocks;
  blocks.copies = inL1 ? PSPIN_MESSAGES_PER_CLUSTER : PSPIN_MESSAGE_QUEUES;
  blocks.stride = llvm::alignTo(bytes, least);
  blocks.alignment = page;
  if (bytes > page / PSPIN_MESSAGES_PER_CLUSTER)
    return blocks;
  blocks.stride = llvm::PowerOf2Ceil(blocks.stride);
  blocks.alignment = std::max(page, blocks.bytes());
  return blocks;
}

} // namespace spinc::abi

#endif // SPINC_RUNTIME_ABI_MESSAGEBLOCKS_H
