// What the rest of the card adds to the time of one core: cold instruction
// cache, other cores on the same memory, commands under way. Worst cases from
// the figures measured on the RTL with 1, 8 and 32 cores; they belong to the
// declared assumptions of bounds, not to the cost of an isolated core
// (Timing.h). All costs are cycles.
#ifndef SPINC_RUNTIME_ISA_CONTENTION_H
#define SPINC_RUNTIME_ISA_CONTENTION_H

#include "runtime/isa/Timing.h"

namespace spinc::isa {

/// The instruction cache of a cluster: lines, and what a missing one adds.
constexpr unsigned icacheBytes = 4096;
constexpr unsigned icacheLineBytes = 16;
constexpr unsigned icacheRefill = 8;

/// Others that a bank of L1 may serve first, each with an atomic of two
/// cycles: seven cores, the DMA and the port from other clusters.
constexpr unsigned l1Others = 9, l1Turn = 2;
/// Others before L2, each with an atomic of ten cycles.
constexpr unsigned l2Others = 31, l2Turn = 10;
/// The dearest access to one word of a remote L1 with all cores on it.
constexpr unsigned remoteWorst = 48;

/// What an access to this memory may wait for others, beyond accessCost.
constexpr unsigned contentionExtra(Region region) {
  switch (region) {
  case Region::OwnL1:
    return l1Others * l1Turn;
  case Region::RemoteL1:
    return remoteWorst;
  case Region::L2Handler:
  case Region::L2Packet:
  case Region::Unmapped:
    return l2Others * l2Turn;
  default:
    return 0;
  }
}

/// By when a command has completed unless the target declares otherwise:
/// a round trip to host memory over PCIe.
constexpr unsigned declaredCommandLatency = 800;

} // namespace spinc::isa

#endif // SPINC_RUNTIME_ISA_CONTENTION_H
