//===- Contention.h - What HPUs share and wait for ------------------------===//
//
// L1 banks, ports to memory outside of a cluster, and the instruction cache.
// The figures are those of "pspin-measured", section 3. HPUs advance in quanta
// and ask in the order in which they run, not in that of their times: a bank
// therefore keeps a calendar, in which one that runs later takes the first
// cycle that is free. Ports are asked in the order of time (see Hpu::yields).
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_CONTENTION_H
#define SPINC_RUNTIME_SIM_CONTENTION_H

#include "runtime/abi/pspin.h"
#include "runtime/isa/Timing.h"
#include <cstdint>
#include <vector>

namespace spinc::sim {

/// The banks of one cluster's L1: each serves one access a cycle.
class Banks {
public:
  /// Takes `length` cycles of the address's bank, from `time` on as early as
  /// possible, and returns how many later that is.
  __attribute__((always_inline)) unsigned take(uint32_t address, uint64_t time,
                                               unsigned length) {
    unsigned bank = address >> 2 & (PSPIN_L1_BANKS - 1);
    const uint64_t window = time >> 6, cycle = 1ull << (time & 63);
    Word &word = calendars[bank][window % words];
    // No branch: nobody foresees whether the word is an old one.
    const uint64_t taken = word.window == window ? word.taken : 0;
    if (length == 1 && !(taken & cycle)) {
      word = {window, taken | cycle};
      return 0;
    }
    return queue(bank, time, length);
  }

  uint64_t conflicts = 0; // accesses that had to wait

private:
  /// The general case of take().
  unsigned queue(unsigned bank, uint64_t time, unsigned length);

  /// Each calendar goes so many words of 64 cycles ahead.
  static constexpr unsigned words = 4;
  struct Word {
    uint64_t window = 0; // which 64 cycles it is about
    uint64_t taken = 0;
  };
  uint64_t &word(unsigned bank, uint64_t time) {
    uint64_t window = time >> 6;
    Word &word = calendars[bank][window % words];
    if (word.window != window)
      word = {window, 0};
    return word.taken;
  }
  bool isFree(unsigned bank, uint64_t time) {
    return !(word(bank, time) >> (time & 63) & 1);
  }
  Word calendars[PSPIN_L1_BANKS][words];
};

/// Something that serves one after the other. Times in sixteenths of cycles:
/// measured rates are not whole.
class Port {
public:
  static constexpr uint64_t unit = 16;
  /// When a request that comes at `time` begins to be served.
  uint64_t begin(uint64_t time, unsigned occupied) {
    uint64_t start = time > free ? time : free;
    free = start + occupied;
    return start;
  }

private:
  uint64_t free = 0;
};

/// The ways out of the clusters, into other clusters and into L2.
class Ports {
public:
  /// How long an access of an HPU of `cluster` waits for others.
  unsigned wait(unsigned cluster, isa::Region region, isa::Access access,
                uint32_t address, uint64_t time);
  /// How long a line of code takes to come from program memory.
  unsigned fetch(uint64_t time);

private:
  Port out[PSPIN_CLUSTERS], in[PSPIN_CLUSTERS], handler, packet, program;
};

/// The instruction cache of one cluster: which lines of the program are in it.
class InstructionCache {
public:
  InstructionCache(uint32_t base, uint32_t size, Ports &ports)
      : base(base), ready(size / lineBytes + 1), ports(ports) {}

  static constexpr uint32_t lineBytes = 16;
  static constexpr uint64_t absent = 0;

  /// An instruction at `pc` is wanted at `time`: how long that takes. `warm`:
  /// the line stays until it is given as `evicted`, the address of a line
  /// that is not in the cache any more, or 0.
  unsigned fetch(uint32_t pc, uint64_t time, bool &warm, uint32_t &evicted);
  /// The line of `pc` is there from the start.
  void fill(uint32_t pc);
  bool isWarm(uint32_t pc) const { return ready[lineOf(pc)] == resident; }

private:
  static constexpr unsigned sets = 64, ways = 4;
  static constexpr uint64_t resident = 1; // else the time when it will be there
  uint32_t lineOf(uint32_t pc) const {
    uint32_t line = (pc - base) / lineBytes;
    return line < ready.size() ? line : uint32_t(ready.size() - 1);
  }
  uint32_t base;
  std::vector<uint64_t> ready; // by line
  struct Way {
    uint32_t line = ~0u;
  };
  Way cache[sets][ways];
  uint32_t random = 0xace1;
  Ports &ports;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_CONTENTION_H
