//===- CardMemory.h - The memories of the card ----------------------------===//
//
// Bytes and where they are by global address, and the ring allocator that the
// card uses for packet buffers.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_CARDMEMORY_H
#define SPINC_RUNTIME_SIM_CARDMEMORY_H

#include "runtime/abi/pspin.h"
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

namespace spinc::sim {

/// Zeroed bytes of which the system makes only those that are touched: most
/// programs use little of the card's memory.
class ZeroedBytes {
public:
  void resize(size_t size) {
    bytes.reset(static_cast<uint8_t *>(std::calloc(size, 1)));
    length = bytes ? size : 0;
  }
  uint8_t *data() { return bytes.get(); }
  const uint8_t *data() const { return bytes.get(); }
  size_t size() const { return length; }

private:
  struct Free {
    void operator()(uint8_t *place) const { std::free(place); }
  };
  std::unique_ptr<uint8_t, Free> bytes;
  size_t length = 0;
};

struct CardMemory {
  CardMemory();

  /// The bytes at a global address (no aliases), or null if [address,
  /// address + size) is not within one memory. Program memory included.
  uint8_t *find(uint32_t address, uint64_t size);
  /// The same without program memory: what DMA and commands reach.
  uint8_t *findData(uint32_t address, uint64_t size);

  ZeroedBytes l1[PSPIN_CLUSTERS];
  ZeroedBytes l2Handler, l2Packet, program;
};

constexpr uint32_t l1Address(unsigned cluster, uint32_t offset) {
  return PSPIN_L1_BASE + cluster * PSPIN_L1_STRIDE + offset;
}

/// Contiguous blocks from a ring, in 64-byte steps, given back in any order;
/// space is reused in the order of allocation.
class Ring {
public:
  explicit Ring(uint32_t size) : size(size) {}
  bool allocate(uint32_t bytes, uint32_t &offset);
  void release(uint32_t offset);

private:
  struct Slot {
    uint32_t offset;
    bool released;
  };
  uint32_t size;
  uint32_t tail = 0;
  std::deque<Slot> slots;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_CARDMEMORY_H
