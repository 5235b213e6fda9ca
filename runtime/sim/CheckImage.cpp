//===- CheckImage.cpp - Whether a machine can hold an image ---------------===//
//
// Places and sizes of what an image brings and needs, before anything runs.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Card.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace spinc::sim;
using llvm::formatv;

/// Where the memory ends that state needs; of L2 only what lies behind `base`.
static uint64_t stateEnd(const Metadata &metadata, bool inL1, uint32_t base) {
  uint64_t end = 0;
  for (const ContextInfo &context : metadata.contexts)
    for (const StateInfo &state : context.state) {
      if (state.inL1 != inL1 || state.address < base)
        continue;
      uint64_t copies = !state.stride ? 1
                        : inL1        ? PSPIN_MESSAGES_PER_CLUSTER
                                      : PSPIN_MESSAGE_QUEUES;
      end = std::max(end, state.address - base + (copies - 1) * state.stride +
                              state.size);
    }
  return end;
}

static bool checkMemory(const char *key, const char *what, uint64_t needed,
                        uint64_t there, std::string &error) {
  if (needed <= there)
    return true;
  error = formatv("{0} {1} bytes; the machine has memory.{2} = {3}", what,
                  needed, key, there);
  return false;
}

/// Whether the machine's memories, which may be smaller than the card's, are
/// large enough.
static bool checkSizes(const Image &image, const Metadata &metadata,
                       const SpinSimMachine &machine, std::string &error) {
  uint64_t program = 0, data = 0;
  for (const Segment &segment : image.segments) {
    uint64_t end = uint64_t(segment.address) + segment.memorySize;
    if (segment.address >= PSPIN_PROGRAM_BASE)
      program = std::max(program, end - PSPIN_PROGRAM_BASE);
    else
      data = std::max(data, end - PSPIN_L2_HANDLER_BASE);
  }
  uint64_t context = stateEnd(metadata, false, PSPIN_L2_CONTEXT_BASE);
  uint64_t packets = uint64_t(metadata.mtu) * PSPIN_L1_PACKET_RINGS;
  return checkMemory("program", "the code takes", program, machine.programBytes,
                     error) &&
         checkMemory("l2_handler", "constants and state in L2 take",
                     data + context, machine.l2HandlerBytes, error) &&
         checkMemory("l1", "state in L1 ends at", stateEnd(metadata, true, 0),
                     machine.l1Bytes, error) &&
         checkMemory("l1_packets", "four packets of the largest size take",
                     packets, machine.l1PacketBytes, error) &&
         checkMemory("l2_packets", "a packet of the largest size takes",
                     metadata.mtu, machine.l2PacketBytes, error);
}

bool Card::checkImage(const Image &image, const Metadata &metadata,
                      const SpinSimMachine &machine, std::string &error) {
  if (image.entry != PSPIN_BOOT_ADDRESS) {
    error = formatv("the ELF file starts at {0:x}, PsPIN boots at {1:x}",
                    image.entry, PSPIN_BOOT_ADDRESS);
    return false;
  }
  isa::InstructionSet cores =
      machine.corev ? isa::InstructionSet::Corev : isa::InstructionSet::Pspin;
  if (image.instructionSet() != cores) {
    const char *wanted = isa::nameOf(image.instructionSet());
    error = formatv("the image has instructions of {0} and the machine has "
                    "cores of {1}; --isa={0} takes others",
                    wanted, isa::nameOf(cores));
    return false;
  }
  CardMemory places;
  for (const Segment &segment : image.segments) {
    bool inL1 = segment.address < PSPIN_L2_HANDLER_BASE;
    if (!inL1 && places.find(segment.address, segment.memorySize))
      continue;
    error = formatv("the image puts {0} bytes at {1:x}, where PsPIN loads "
                    "none: images go to program memory and L2",
                    segment.memorySize, segment.address);
    return false;
  }
  return checkSizes(image, metadata, machine, error);
}
