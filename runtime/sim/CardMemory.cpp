//===- CardMemory.cpp - The memories of the card --------------------------===//
//
// Address decoding for everything that is not an HPU, and ring allocation.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/CardMemory.h"

using namespace spinc::sim;

CardMemory::CardMemory() {
  for (ZeroedBytes &memory : l1)
    memory.resize(PSPIN_L1_SIZE);
  l2Handler.resize(PSPIN_L2_HANDLER_SIZE);
  l2Packet.resize(PSPIN_L2_PACKET_SIZE);
  program.resize(PSPIN_PROGRAM_SIZE);
}

static uint8_t *within(ZeroedBytes &memory, uint32_t base, uint32_t address,
                       uint64_t size) {
  if (address < base || address - base + size > memory.size())
    return nullptr;
  return memory.data() + (address - base);
}

uint8_t *CardMemory::findData(uint32_t address, uint64_t size) {
  for (unsigned cluster = 0; cluster < PSPIN_CLUSTERS; ++cluster)
    if (uint8_t *place =
            within(l1[cluster], l1Address(cluster, 0), address, size))
      return place;
  if (uint8_t *place = within(l2Handler, PSPIN_L2_HANDLER_BASE, address, size))
    return place;
  return within(l2Packet, PSPIN_L2_PACKET_BASE, address, size);
}

uint8_t *CardMemory::find(uint32_t address, uint64_t size) {
  if (uint8_t *place = findData(address, size))
    return place;
  return within(program, PSPIN_PROGRAM_BASE, address, size);
}

bool Ring::allocate(uint32_t bytes, uint32_t &offset) {
  uint32_t need =
      (bytes + PSPIN_BUS_BYTES - 1) / PSPIN_BUS_BYTES * PSPIN_BUS_BYTES;
  if (need > size)
    return false;
  if (slots.empty()) {
    offset = 0;
  } else {
    uint32_t head = slots.front().offset;
    bool wrapped = tail <= head;
    if (!wrapped && size - tail >= need)
      offset = tail;
    else if (!wrapped && head > need)
      offset = 0;
    else if (wrapped && head - tail > need)
      offset = tail;
    else
      return false;
  }
  tail = offset + need;
  slots.push_back({offset, false});
  return true;
}

void Ring::release(uint32_t offset) {
  for (Slot &slot : slots)
    if (slot.offset == offset && !slot.released) {
      slot.released = true;
      break;
    }
  while (!slots.empty() && slots.front().released)
    slots.pop_front();
}
