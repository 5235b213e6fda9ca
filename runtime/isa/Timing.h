//===- Timing.h - What instructions cost on a PsPIN core ------------------===//
//
// The one timing table: RI5CY as measured on the card's RTL, warm instruction
// cache, one core active. The simulator counts with it and the worst-case
// bound is computed from it. The cost of a run is the sum over its
// instructions of baseCost, plus takenExtra where control is taken, plus
// stallBetween for each pair executed one right after the other, plus what
// the operands add (division, misaligned and far accesses, busy banks).
// All costs are cycles.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_ISA_TIMING_H
#define SPINC_RUNTIME_ISA_TIMING_H

#include "runtime/isa/Isa.h"

namespace spinc::isa {

/// Row of the table of timing classes.
struct ClassCost {
  uint8_t base;  // not taken, own-L1 data, aligned
  uint8_t taken; // more, when a branch is taken
};
ClassCost classCost(TimingClass timing);

/// Cost with own-L1 data, aligned and not taken. Division: its worst case.
unsigned baseCost(const Insn &insn);

/// What a taken branch adds (jumps have it in their base cost).
unsigned takenExtra(const Insn &insn);

/// What a jump or taken branch to this place adds: a 32-bit instruction that
/// crosses two 16-byte fetch lines needs both.
unsigned targetExtra(uint32_t target, unsigned targetLength);

/// What each way back of a hardware loop adds: the core fetches the first two
/// instructions of its body anew.
unsigned loopStartExtra(uint32_t start, unsigned firstLength,
                        unsigned secondLength);

/// Cycles that `second` waits when it runs right after `first` on the
/// fall-through path: use of a loaded value, jalr on a register just written.
unsigned stallBetween(const Insn &first, const Insn &second);

/// Cycles that `jump` waits for what `load` brings where `between` runs between
/// them, all on the fall-through path: a jalr does not take a register from the
/// load's last stage. What takes longer than a cycle hides that. The RTL's
/// cores, running this runtime, take 33 cycles for an idle packet, one less
/// with another instruction between.
unsigned stallAcross(const Insn &load, const Insn &between, const Insn &jump);

/// Division and remainder: 35 less the significant bits of the divisor.
constexpr unsigned divideWorst = 35;
constexpr unsigned divideCost(bool isSigned, uint32_t divisor) {
  if (divisor == 0)
    return divideWorst;
  bool negative = isSigned && int32_t(divisor) < 0;
  uint32_t magnitude = negative ? ~divisor : divisor;
  unsigned significant = magnitude ? 32 - __builtin_clz(magnitude) : 0;
  return divideWorst - significant - (negative ? 1 : 0);
}
/// Whether the divisor of this Divide-class instruction is taken as signed.
bool isSignedDivide(Opcode op);

/// An own-L1 access that crosses a word takes two turns.
constexpr unsigned misalignedExtra = 1;
inline bool crossesWord(uint32_t address, unsigned size) {
  return (address & 3) + size > 4;
}

/// The bank of an own-L1 atomic is busy for one more cycle: what the access
/// right after it waits if it goes to the same bank and has not waited for
/// the atomic's result already.
constexpr unsigned amoBankExtra = 1;

/// What lies behind an address, seen from an HPU of cluster `ownCluster`.
enum class Region : uint8_t {
  OwnL1,
  RemoteL1,
  L2Handler,
  L2Packet,
  HpuDriver,
  ClusterDma,
  EventUnit,
  ClusterPeripheral,
  SocPeripheral,
  Stdout,
  Program,  // data loads return PSPIN_DECODE_ERROR_VALUE
  Unmapped, // the same, where the memory protection lets it pass
};
Region regionOf(uint32_t address, unsigned ownCluster);

enum class Access : uint8_t { Load, Store, Atomic, Reserve };

/// All cycles of one access, the first included: 1 for own L1.
unsigned accessCost(Region region, Access access);

/// Entering a trap handler (also ecall and ebreak themselves), and mret.
constexpr unsigned trapEntryCost = 5;
constexpr unsigned trapReturnCost = 4;

/// Time of the card outside the core, "pspin-measured" section 6. Sizes are
/// in bytes; a bus beat is 64 bytes and takes a cycle.
constexpr unsigned beats(uint32_t bytes) { return (bytes + 63) / 64; }

namespace latency {
constexpr unsigned nicInbound = 4;      // + beats: arrival until the request
constexpr unsigned requestToDma = 4;    // request until the packet's DMA starts
constexpr unsigned packetDma = 12;      // + beats: L2 to L1
constexpr unsigned feedback = 1;        // doorbell until the NIC knows
constexpr unsigned headerToPayload = 0; // more than a fresh request
constexpr unsigned payloadToCompletion = 3; // more than a fresh request
constexpr unsigned runtimeLoop = 9;         // return until the next handler
constexpr unsigned send = 6;                // + beats: issue until done
constexpr unsigned sendAtLeast = 2;         // the NIC is busy with a packet
constexpr unsigned commandTravel = 2;       // to its interface and back
constexpr unsigned copyToHost = 19;         // + beats
constexpr unsigned copyFromHost = 20;       // + beats
constexpr unsigned hostDirect = 8;
constexpr unsigned clusterDma = 12; // + beats: launch until done
} // namespace latency

} // namespace spinc::isa

#endif // SPINC_RUNTIME_ISA_TIMING_H
