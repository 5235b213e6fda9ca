//===- Regions.h - The bytes that one run of a handler may touch ----------===//
//
// Byte-exact shadow memory for tests of the compiler: the card's protection
// works in blocks and lets commands pass, the language promises single bytes.
// Addresses here are global ones; the alias of the own L1 is translated.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_REGIONS_H
#define SPINC_RUNTIME_SIM_REGIONS_H

#include "runtime/sim/CardMemory.h"
#include "runtime/sim/Image.h"
#include "runtime/sim/Task.h"
#include <string>
#include <vector>

namespace spinc::sim {

class Regions {
public:
  /// What `task` may touch on HPU `hpu` of `cluster`: the stack below the frame
  /// of the runtime, the HPU's part of the area for large locals, the bytes of
  /// its packet, the state and the parameters of its context, and the constants
  /// of the image.
  void reset(const Task &task, const Image &image, unsigned cluster,
             unsigned hpu, unsigned homeCluster, uint32_t stackLow,
             uint32_t stackSize);

  /// Whether all `size` bytes at `address` lie within one region, or within
  /// fields of the state next to each other. `size` is not 0.
  bool allow(uint32_t address, uint32_t size, bool isStore) const;

  /// "0x10004400 … 0x10004440 packet, …" for messages.
  std::string describe() const;

private:
  struct Region {
    uint32_t begin;
    uint32_t size;
    bool writable;
    const char *what;
    bool isState = false;
  };
  void addState(const Task &task, unsigned homeCluster);
  void addConstants(const Image &image);
  void addLocals(const Image &image, unsigned hpu, uint32_t frame);

  std::vector<Region> regions;
  unsigned cluster = 0;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_REGIONS_H
