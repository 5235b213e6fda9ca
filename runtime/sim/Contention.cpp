//===- Contention.cpp - What HPUs share and wait for ----------------------===//
#include "runtime/sim/Contention.h"

using namespace spinc;
using namespace spinc::sim;
using isa::Access;
using isa::Region;

namespace {

/// How long a port is taken, in sixteenths of cycles, so that the rates are
/// the measured ones: 8 HPUs load from L2 every 22.5 cycles and store every
/// 24; 32 do so every 64 and 96. An atomic takes 10 cycles of L2.
struct Occupied {
  unsigned load, store, atomic;
  unsigned of(Access access) const {
    return access == Access::Load    ? load
           : access == Access::Store ? store
                                     : atomic;
  }
};
constexpr Occupied outOfCluster = {45, 48, 48};
constexpr Occupied l2 = {32, 48, 160};
constexpr Occupied intoCluster = {16, 20, 32};
/// A line of code takes 8 cycles; straight code of four clusters that miss at
/// once 9.2, so that they get one every 13.2 cycles.
constexpr unsigned lineFetch = 8, programPort = 53;

} // namespace

unsigned Banks::queue(unsigned bank, uint64_t time, unsigned length) {
  uint64_t at = time;
  while (!isFree(bank, at) || (length == 2 && !isFree(bank, at + 1)))
    ++at;
  for (unsigned i = 0; i < length; ++i)
    word(bank, at + i) |= 1ull << ((at + i) & 63);
  conflicts += at != time;
  return unsigned(at - time);
}

unsigned Ports::wait(unsigned cluster, Region region, Access access,
                     uint32_t address, uint64_t time) {
  if (region != Region::RemoteL1 && region != Region::L2Handler &&
      region != Region::L2Packet)
    return 0;
  // A request queues for both at once: behind those that came before it.
  uint64_t start = time * Port::unit;
  uint64_t left = out[cluster].begin(start, outOfCluster.of(access));
  uint64_t entered;
  if (region == Region::RemoteL1) {
    unsigned target = (address - PSPIN_L1_BASE) / PSPIN_L1_STRIDE;
    entered = in[target % PSPIN_CLUSTERS].begin(start, intoCluster.of(access));
  } else {
    Port &port = region == Region::L2Handler ? handler : packet;
    entered = port.begin(start, l2.of(access));
  }
  uint64_t at = left > entered ? left : entered;
  return unsigned((at - start + Port::unit - 1) / Port::unit);
}

unsigned Ports::fetch(uint64_t time) {
  uint64_t start = time * Port::unit;
  uint64_t at = program.begin(start, programPort);
  return lineFetch + unsigned((at - start) / Port::unit);
}

void InstructionCache::fill(uint32_t pc) {
  uint32_t line = lineOf(pc);
  cache[line % sets][0].line = line;
  ready[line] = resident;
}

unsigned InstructionCache::fetch(uint32_t pc, uint64_t time, bool &warm,
                                 uint32_t &evicted) {
  uint32_t line = lineOf(pc);
  evicted = 0;
  warm = ready[line] != absent && ready[line] <= time;
  if (warm) {
    ready[line] = resident;
    return 0;
  }
  if (ready[line] != absent)
    return unsigned(ready[line] - time);
  Way *set = cache[line % sets];
  unsigned way = 0;
  while (way < ways && set[way].line != ~0u)
    ++way;
  if (way == ways) {
    random = random >> 1 ^ (random & 1 ? 0xb400 : 0);
    way = random % ways;
    ready[set[way].line] = absent;
    evicted = base + set[way].line * lineBytes;
  }
  set[way].line = line;
  unsigned takes = ports.fetch(time);
  ready[line] = time + takes;
  return takes;
}
