//===- HpuBus.cpp - What a core reaches outside of its own L1 -------------===//
//
// Memory protection, the card's memories, the driver's task and command
// registers and the cluster's DMA.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Card.h"
#include "runtime/sim/Hpu.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace spinc;
using namespace spinc::sim;
using isa::Access;
using isa::Region;
using llvm::formatv;

/// Counts the cycles of an access beyond its first. Waiting for another
/// cluster depends on where a handler was placed, not on its code, and is no
/// work; everything else is.
void Hpu::charge(Region region, Access access) {
  unsigned more = isa::accessCost(region, access) - 1;
  if (region == Region::RemoteL1) {
    core.wait += more;
    core.remoteWait += more;
  } else {
    core.cycles += more;
    core.l2Cycles += more;
  }
}

/// The second access of a misaligned one.
void Hpu::chargeAgain(Region region, Access access) {
  core.cycles += isa::misalignedExtra;
  charge(region, access);
}

/// Whether others, who are behind in time, are to go first: what is shared is
/// asked for in the order of time.
bool Hpu::yields() {
  yielded = now() > core.horizon;
  return yielded;
}

void Hpu::waitForOthers(Region region, Access access, uint32_t address) {
  if (!core.banks)
    return;
  unsigned waited = card.ports.wait(cluster, region, access, address, now());
  core.wait += waited;
  core.portWait += waited;
}

/// A write to L2 ends the reservations of others for the word.
void Hpu::breakReservations(uint32_t address) {
  if (isa::regionOf(address, cluster) == Region::L2Handler)
    card.breakReservations(address & ~3u, *this);
}

void Hpu::waitUntil(uint64_t time) {
  if (time <= now())
    return;
  core.commandWait += time - now();
  core.wait += time - now();
}

BusResult Hpu::refuse(uint32_t cause, std::string reason) {
  faultCause = cause;
  faultReason = std::move(reason);
  return BusResult::Fault;
}

/// Whether a handler whose accesses are checked must not do this one. Devices
/// have their own rules.
bool Hpu::leavesRegions(uint32_t address, uint32_t size, bool isStore) {
  if (!inHandler || !card.config.checkAccesses)
    return false;
  Region region = isa::regionOf(address, cluster);
  bool memory = region == Region::OwnL1 || region == Region::RemoteL1 ||
                region == Region::L2Handler || region == Region::L2Packet;
  if (!memory || regions.allow(address, size, isStore))
    return false;
  refuse(PSPIN_FAULT_REGION,
         formatv("{0} of {1} bytes at {2:x}, which are not the handler's: {3}",
                 isStore ? "store" : "load", size, address,
                 regions.describe()));
  return true;
}

/// The same for the card's memory that a command reads or writes.
bool Hpu::commandLeavesRegions() {
  uint32_t kind = commandInfo >> PSPIN_CMD_KIND_SHIFT & 3;
  if (kind == PSPIN_CMD_KIND_NIC_SEND)
    return commandWords[PSPIN_SEND_LENGTH] &&
           leavesRegions(commandWords[PSPIN_SEND_ADDRESS],
                         commandWords[PSPIN_SEND_LENGTH], false);
  if (kind == PSPIN_CMD_KIND_HOST_COPY)
    return commandWords[PSPIN_COPY_LENGTH] &&
           leavesRegions(commandWords[PSPIN_COPY_ADDRESS],
                         commandWords[PSPIN_COPY_LENGTH],
                         !(commandWords[PSPIN_COPY_DIRECTION] & 1));
  return false;
}

/// The protection of user mode, as the driver programs it for each task.
bool Hpu::allowed(uint32_t address, unsigned size, bool isStore) const {
  if (!core.userMode)
    return true;
  auto within = [&](uint32_t base, uint32_t length) {
    return address - base < length && address + size - 1 - base < length;
  };
  constexpr uint32_t page = 4096, megabyte = 1 << 20;
  if (within(PSPIN_L1_BASE, 16 * megabyte) ||
      within(PSPIN_L1_ALIAS, 16 * megabyte) ||
      within(PSPIN_L2_HANDLER_BASE, PSPIN_L2_IMAGE_USER_SIZE) ||
      within(PSPIN_L2_CONTEXT_BASE, PSPIN_L2_CONTEXT_SIZE))
    return true;
  if (task) {
    uint32_t packet = taskRegister(PSPIN_TASK_L2_PACKET);
    if (within(packet / page * page, page))
      return true;
  }
  if (isStore)
    return within(PSPIN_SOC_BASE, 0x10000);
  return within(PSPIN_PROGRAM_BASE, megabyte);
}

/// The bytes of an access to one of the memories. L1 repeats within the first
/// megabytes of a cluster's window; the simulator takes its own megabyte only.
uint8_t *Hpu::memoryAt(Region region, uint32_t address, unsigned size) const {
  switch (region) {
  case Region::OwnL1:
    if (address - PSPIN_L1_ALIAS < PSPIN_L1_SIZE)
      address = address - PSPIN_L1_ALIAS + l1Address(cluster, 0);
    return card.memory.findData(address, size);
  case Region::RemoteL1:
  case Region::L2Handler:
  case Region::L2Packet:
    return card.memory.findData(address, size);
  default:
    return nullptr;
  }
}

static const char *reasonOf(Region region) {
  switch (region) {
  case Region::Program:
    return "program memory, which only instruction fetch can read";
  case Region::ClusterPeripheral:
  case Region::SocPeripheral:
  case Region::EventUnit:
    return "a device that handlers do not use";
  case Region::HpuDriver:
  case Region::ClusterDma:
    return "a register that takes aligned words only";
  default:
    return "no memory";
  }
}

/// Whether an access is one to a register of the HPU's driver, most of those
/// that come here. No protection concerns them.
static bool isDriverRegister(uint32_t address, unsigned size) {
  constexpr uint32_t end = PSPIN_CMD_WORD0 + 4 * PSPIN_CMD_WORDS;
  return address - PSPIN_HPU_BASE < end && size == 4 && (address & 3) == 0;
}

BusResult Hpu::load(Core &, uint32_t address, unsigned size, uint32_t &value) {
  if (yields())
    return BusResult::Blocked;
  if (card.inspector)
    card.inspector->onAccess(*this, address, size, false);
  if (isDriverRegister(address, size))
    return loadDriver(address - PSPIN_HPU_BASE, size, value);
  if (!allowed(address, size, false))
    return refuse(PSPIN_FAULT_LOAD,
                  formatv("load of {0} bytes at {1:x}, which the memory "
                          "protection denies",
                          size, address));
  if (leavesRegions(address, size, false))
    return BusResult::Fault;
  Region region = isa::regionOf(address, cluster);
  bool word = size == 4 && (address & 3) == 0;
  if (const uint8_t *place = memoryAt(region, address, size)) {
    value = 0;
    std::memcpy(&value, place, size);
    waitForOthers(region, Access::Load, address);
    charge(region, Access::Load);
    if (isa::crossesWord(address, size))
      chargeAgain(region, Access::Load);
    return BusResult::Done;
  }
  if (region == Region::HpuDriver && word)
    return loadDriver(address - PSPIN_HPU_BASE, size, value);
  if (region == Region::ClusterDma && word)
    return loadDma(address - PSPIN_DMA_BASE, value);
  return refuse(PSPIN_FAULT_LOAD, formatv("load of {0} bytes at {1:x}: {2}",
                                          size, address, reasonOf(region)));
}

BusResult Hpu::store(Core &, uint32_t address, unsigned size, uint32_t value) {
  if (yields())
    return BusResult::Blocked;
  if (card.inspector)
    card.inspector->onAccess(*this, address, size, true);
  if (isDriverRegister(address, size))
    return storeDriver(address - PSPIN_HPU_BASE, size, value);
  if (!allowed(address, size, true))
    return refuse(PSPIN_FAULT_STORE,
                  formatv("store of {0} bytes at {1:x}, which the memory "
                          "protection denies",
                          size, address));
  if (leavesRegions(address, size, true))
    return BusResult::Fault;
  Region region = isa::regionOf(address, cluster);
  bool word = size == 4 && (address & 3) == 0;
  if (uint8_t *place = memoryAt(region, address, size)) {
    std::memcpy(place, &value, size);
    breakReservations(address);
    waitForOthers(region, Access::Store, address);
    charge(region, Access::Store);
    if (isa::crossesWord(address, size))
      chargeAgain(region, Access::Store);
    return BusResult::Done;
  }
  if (region == Region::HpuDriver && word)
    return storeDriver(address - PSPIN_HPU_BASE, size, value);
  if (region == Region::ClusterDma && word) {
    uint32_t offset = address - PSPIN_DMA_BASE;
    if (offset == PSPIN_DMA_SOURCE)
      dmaSource = value;
    else if (offset == PSPIN_DMA_DESTINATION)
      dmaDestination = value;
    else if (offset == PSPIN_DMA_SIZE)
      dmaSize = value;
    return BusResult::Done;
  }
  if (region == Region::Stdout || address == PSPIN_ICACHE_ENABLE ||
      address == PSPIN_ICACHE_FLUSH || address == PSPIN_END_OF_COMPUTATION) {
    charge(region, Access::Store);
    return BusResult::Done;
  }
  return refuse(PSPIN_FAULT_STORE, formatv("store of {0} bytes at {1:x}: {2}",
                                           size, address, reasonOf(region)));
}

BusResult Hpu::atomic(Core &, uint32_t address, bool reserves, uint8_t *&word) {
  if (yields())
    return BusResult::Blocked;
  if (card.inspector)
    card.inspector->onAccess(*this, address, 4, true);
  if (!allowed(address, 4, true))
    return refuse(PSPIN_FAULT_STORE,
                  formatv("atomic operation at {0:x}, which the memory "
                          "protection denies",
                          address));
  if (leavesRegions(address, 4, true))
    return BusResult::Fault;
  Region region = isa::regionOf(address, cluster);
  word = memoryAt(region, address, 4);
  if (reserves && region != Region::L2Handler)
    return refuse(PSPIN_FAULT_STORE,
                  formatv("lr/sc at {0:x}: only L2 handler memory has "
                          "reservations",
                          address));
  if (!word || region == Region::L2Packet)
    return refuse(
        PSPIN_FAULT_STORE,
        formatv("atomic operation at {0:x}: {1}", address,
                word ? "L2 packet memory has no atomics" : reasonOf(region)));
  // Of a reservation and the store that rests on it, the store.
  if (!reserves || core.reserved == address)
    breakReservations(address);
  card.hasReservations |= reserves;
  waitForOthers(region, reserves ? Access::Reserve : Access::Atomic, address);
  charge(region, reserves ? Access::Reserve : Access::Atomic);
  return BusResult::Done;
}

/// The task registers, from the task alone.
uint32_t Hpu::taskRegister(uint32_t offset) const {
  const Context &context = *task->message->context;
  const Packet &packet = *task->packet;
  if (offset >= PSPIN_TASK_SCRATCHPAD &&
      offset < PSPIN_TASK_SCRATCHPAD + 4 * PSPIN_CLUSTERS)
    return l1Address((offset - PSPIN_TASK_SCRATCHPAD) / 4,
                     PSPIN_L1_STATE_OFFSET);
  if (offset >= PSPIN_TASK_SCRATCHPAD_SIZE &&
      offset < PSPIN_TASK_SCRATCHPAD_SIZE + 4 * PSPIN_CLUSTERS)
    return PSPIN_L1_STATE_SIZE;
  switch (offset) {
  case PSPIN_TASK_FUNCTION:
    return task->function();
  case PSPIN_TASK_FUNCTION_SIZE:
    return 4096;
  case PSPIN_TASK_HANDLER_MEM:
    return PSPIN_L2_CONTEXT_BASE;
  case PSPIN_TASK_HANDLER_MEM_SIZE:
    return PSPIN_L2_CONTEXT_SIZE;
  case PSPIN_TASK_PACKET:
    return l1Address(task->cluster, PSPIN_L1_PACKET_OFFSET +
                                        task->ring * (PSPIN_L1_PACKET_SIZE /
                                                      PSPIN_L1_PACKET_RINGS) +
                                        task->l1Offset);
  case PSPIN_TASK_PACKET_SIZE:
    return packet.bytes.size();
  case PSPIN_TASK_HOST_HIGH:
    return context.hostAddress >> 32;
  case PSPIN_TASK_HOST_LOW:
    return uint32_t(context.hostAddress);
  case PSPIN_TASK_HOST_SIZE:
    return uint32_t(std::min<uint64_t>(context.hostSize, UINT32_MAX));
  case PSPIN_TASK_L2_PACKET:
    return PSPIN_L2_PACKET_BASE + packet.l2Offset;
  case PSPIN_TASK_HOME_CLUSTER:
    return card.homeCluster(*task->message);
  case PSPIN_TASK_FLOW:
    return task->message->flow;
  default:
    return 0;
  }
}

/// A doorbell is accepted two cycles after its access is decoded. Ringing it
/// is the runtime's business: from within a handler it would end the task
/// under its feet.
BusResult Hpu::ringDoorbell() {
  constexpr unsigned accept = 2;
  if (inHandler)
    return refuse(PSPIN_FAULT_COMMAND, "doorbell rung within a handler");
  running = false;
  doorbell = now() + accept;
  return BusResult::Done;
}

BusResult Hpu::issueCommand(uint32_t &id) {
  if (!inHandler)
    return refuse(PSPIN_FAULT_COMMAND, "command outside of a handler");
  if (commandLeavesRegions())
    return BusResult::Fault;
  uint64_t *slot =
      std::min_element(commandDone, commandDone + PSPIN_COMMANDS_PER_HPU);
  bool isFree = false;
  for (uint64_t &candidate : commandDone)
    if (candidate <= now()) {
      slot = &candidate;
      isFree = true;
      break;
    }
  waitUntil(std::max(*slot, feedbackLeft));
  Command command = {commandInfo, commandWords, task, now(), cluster, index};
  std::string error;
  if (!card.engines.execute(command, *slot, error))
    return refuse(PSPIN_FAULT_COMMAND, error);
  // A command that had to wait for a number is told the one before it.
  if (isFree)
    commandNumber = uint32_t(slot - commandDone);
  id = commandNumber;
  return BusResult::Done;
}

BusResult Hpu::loadDriver(uint32_t offset, unsigned size, uint32_t &value) {
  if (offset <= PSPIN_TASK_ERROR && !running)
    return BusResult::Blocked;
  if (offset == PSPIN_TASK_DOORBELL) {
    value = 0;
    return ringDoorbell();
  }
  if (offset <= PSPIN_TASK_ERROR) {
    value = taskRegister(offset);
    return BusResult::Done;
  }
  if (offset == PSPIN_CMD_ISSUE)
    return issueCommand(value);
  if (offset == PSPIN_CMD_TEST)
    return refuse(PSPIN_FAULT_COMMAND,
                  "the command test register does not work on the card");
  return refuse(
      PSPIN_FAULT_LOAD,
      formatv("load of driver register {0:x}, which is none", offset));
}

BusResult Hpu::storeDriver(uint32_t offset, unsigned size, uint32_t value) {
  if (offset <= PSPIN_TASK_ERROR && !running)
    return BusResult::Blocked;
  if (offset == PSPIN_TASK_DOORBELL)
    return ringDoorbell();
  if (offset <= PSPIN_TASK_ERROR)
    return BusResult::Done;
  if (offset == PSPIN_CMD_WAIT) {
    if (value >= PSPIN_COMMANDS_PER_HPU)
      return refuse(PSPIN_FAULT_COMMAND,
                    formatv("wait for command {0}; there are {1}", value,
                            PSPIN_COMMANDS_PER_HPU));
    // The store itself takes the last of the cycles.
    waitUntil(commandDone[value] ? commandDone[value] - 1 : 0);
    return BusResult::Done;
  }
  if (offset == PSPIN_CMD_INFO) {
    commandInfo = value;
    return BusResult::Done;
  }
  uint32_t word = (offset - PSPIN_CMD_WORD0) / 4;
  if (offset >= PSPIN_CMD_WORD0 && word < PSPIN_CMD_WORDS) {
    commandWords[word] = value;
    return BusResult::Done;
  }
  return refuse(
      PSPIN_FAULT_STORE,
      formatv("store to driver register {0:x}, which is none", offset));
}

BusResult Hpu::loadDma(uint32_t offset, uint32_t &value) {
  if (offset == PSPIN_DMA_LAUNCH) {
    if (leavesRegions(dmaSource, dmaSize, false) ||
        leavesRegions(dmaDestination, dmaSize, true))
      return BusResult::Fault;
    std::string error;
    uint64_t done;
    const Mover mover = {task, cluster, index};
    if (!card.engines.copy(mover, dmaSource, dmaDestination, dmaSize, now(),
                           value, done, error))
      return refuse(dmaSize == 0 ? PSPIN_FAULT_HANG : PSPIN_FAULT_COMMAND,
                    error);
    dmaDone = std::max(dmaDone, done);
    return BusResult::Done;
  }
  if (offset == PSPIN_DMA_DONE) {
    value = card.engines.lastDone(cluster, now());
    return BusResult::Done;
  }
  value = 0;
  return BusResult::Done;
}
