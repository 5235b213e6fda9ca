//===- Engines.cpp - Executing commands and DMA transfers -----------------===//
//
// Latencies are those of the machine (config/Machine.def). Since handlers run
// one after the other, an engine may be asked for a time before one it has
// served already; it then takes the command after that one.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Engines.h"
#include "runtime/abi/portals.h"
#include "runtime/isa/Timing.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace spinc::sim;
using llvm::formatv;
using spinc::isa::beats;
namespace latency = spinc::isa::latency;

/// When a command that comes at `time` may start: at most so many are under
/// way on an interface.
uint64_t Engines::Interface::admit(uint64_t time, size_t limit) {
  std::sort(inFlight.begin(), inFlight.end());
  inFlight.erase(inFlight.begin(),
                 std::upper_bound(inFlight.begin(), inFlight.end(), time));
  return inFlight.size() < limit ? time : inFlight[inFlight.size() - limit];
}

/// Nanoseconds as cycles.
uint64_t Engines::nanos(double time) const {
  return uint64_t(std::ceil(time * machine.clockMhz / 1000));
}

/// How long `bytes` occupy the host's bus.
uint64_t Engines::hostBeats(uint32_t bytes) const {
  uint64_t own = beats(bytes);
  return machine.hostRate > 0
             ? std::max(own, nanos(8.0 * bytes / machine.hostRate))
             : own;
}

/// When a write that the card has given away at `done` is in host memory.
/// Unless writes are posted, it is done only then.
uint64_t Engines::arrival(uint64_t &done) const {
  uint64_t arrives = done + nanos(machine.hostWriteNs);
  if (!machine.postedWrites)
    done = arrives;
  return arrives;
}

void Engines::trace(SpinSimEventKind kind, const Mover &mover, uint64_t begin,
                    uint64_t end, uint64_t bytes, uint32_t detail) const {
  if (!config.event)
    return;
  SpinSimEvent event = {};
  event.kind = kind;
  event.begin = begin;
  event.end = end;
  event.cluster = mover.cluster;
  event.hpu = mover.hpu;
  if (mover.task) {
    event.context = mover.task->message->context->index;
    event.flow = mover.task->message->flow;
    event.packet = mover.task->packet->number;
  }
  event.bytes = bytes;
  event.detail = detail;
  config.event(config.user, &event);
}

static Mover moverOf(const Command &command) {
  return {command.task, command.cluster, command.hpu};
}

bool Engines::execute(const Command &command, uint64_t &done,
                      std::string &error) {
  uint32_t kind = command.info >> PSPIN_CMD_KIND_SHIFT & 3;
  if (kind > PSPIN_CMD_KIND_HOST_DIRECT) {
    error = "no such kind of command";
    return false;
  }
  Command admitted = command;
  admitted.issued =
      interfaces[kind].admit(command.issued, machine.commandsPerInterface);
  bool executed = kind == PSPIN_CMD_KIND_NIC_SEND ? send(admitted, done, error)
                  : kind == PSPIN_CMD_KIND_HOST_COPY
                      ? hostCopy(admitted, done, error)
                      : hostDirect(admitted, done, error);
  if (executed) {
    // It is in flight from its arrival at the interface to its answer's leave.
    interfaces[kind].inFlight.push_back(done - latency::commandTravel);
    trace(SPINSIM_EVENT_COMMAND, moverOf(command), command.issued, done, 0,
          kind);
  }
  return executed;
}

void Engines::leave(Output output) {
  ++outputCount;
  outputBytes += output.bytes.size();
  if (!config.sent) {
    outputs.push_back(std::move(output));
    return;
  }
  const SpinSimOutput sent = output.asC();
  config.sent(config.user, &sent);
}

bool Engines::send(const Command &command, uint64_t &done, std::string &error) {
  const uint32_t *words = command.words;
  uint32_t address = words[PSPIN_SEND_ADDRESS],
           length = words[PSPIN_SEND_LENGTH],
           protocol = words[PSPIN_SEND_PROTOCOL];
  const uint8_t *bytes = memory.findData(address, length);
  if (!bytes && (length || protocol == PSPIN_PROTOCOL_RAW)) {
    error = formatv("send of {0} bytes at {1:x}, which is no memory of the "
                    "card",
                    length, address);
    return false;
  }
  if (protocol == PSPIN_PROTOCOL_PUT) {
    put(command, bytes, done);
    return true;
  }
  if (protocol != PSPIN_PROTOCOL_RAW || length == 0 ||
      length > PSPIN_MAX_SEND_BYTES) {
    error = protocol != PSPIN_PROTOCOL_RAW
                ? formatv("send with unknown protocol {0}", protocol).str()
                : formatv("send of {0} bytes; a packet has 1 to {1}", length,
                          PSPIN_MAX_SEND_BYTES)
                      .str();
    return false;
  }
  uint64_t begin = std::max(command.issued, sendFree);
  sendFree = begin + std::max(beats(length), latency::sendAtLeast);
  done = begin + machine.sendCycles + beats(length);
  trace(SPINSIM_EVENT_OUTBOUND, moverOf(command), begin, sendFree, length);
  const Context &context = *command.task->message->context;
  leave({context.info->link, std::vector<uint8_t>(bytes, bytes + length), done,
         context.index, words[PSPIN_SEND_DESTINATION],
         command.task->packet->number});
  return true;
}

/// Cuts a message into packets of at most PSPIN_MAX_SEND_BYTES and puts the
/// header before each.
void Engines::put(const Command &command, const uint8_t *payload,
                  uint64_t &done) {
  const uint32_t *words = command.words;
  uint32_t length = words[PSPIN_SEND_LENGTH];
  constexpr uint32_t room = PSPIN_MAX_SEND_BYTES - PORTALS_HEADER_BYTES;
  PortalsHeader header = {};
  header.matchBits = words[PSPIN_SEND_MATCH_LOW] |
                     uint64_t(words[PSPIN_SEND_MATCH_HIGH]) << 32;
  header.hdrData = words[PSPIN_SEND_HDR_DATA];
  header.messageLength = length;
  header.messageId = nextMessageId++;
  header.type = PORTALS_TYPE_PUT;
  uint64_t begin = std::max(command.issued, sendFree);
  uint32_t sent = 0;
  do {
    uint32_t part = std::min(length - sent, room);
    header.offset = sent;
    header.flags = sent + part == length ? PORTALS_FLAG_EOM : 0;
    std::vector<uint8_t> bytes(PORTALS_HEADER_BYTES + part);
    std::memcpy(bytes.data(), &header, PORTALS_HEADER_BYTES);
    if (part)
      std::memcpy(bytes.data() + PORTALS_HEADER_BYTES, payload + sent, part);
    trace(SPINSIM_EVENT_OUTBOUND, moverOf(command), begin,
          begin + beats(bytes.size()), bytes.size());
    begin += beats(bytes.size());
    done = begin + machine.sendCycles;
    leave({SPINSIM_LINK_PORTALS, std::move(bytes), done,
           command.task->message->context->index, words[PSPIN_SEND_DESTINATION],
           command.task->packet->number});
    sent += part;
  } while (sent < length);
  sendFree = begin;
}

/// The host bytes that words 0 and 1 name, if the context may touch them.
uint8_t *Engines::hostMemory(const Command &command, uint64_t size,
                             std::string &error) const {
  const Context &context = *command.task->message->context;
  uint64_t address = command.words[PSPIN_COPY_HOST_LOW] |
                     uint64_t(command.words[PSPIN_COPY_HOST_HIGH]) << 32;
  uint64_t offset = address - context.hostAddress;
  if (address < context.hostAddress || offset > context.hostSize ||
      size > context.hostSize - offset) {
    error = formatv("access of {0} bytes to host address {1:x}, outside of "
                    "the context's {2} bytes at {3:x}",
                    size, address, context.hostSize, context.hostAddress);
    return nullptr;
  }
  return context.host + offset;
}

bool Engines::hostCopy(const Command &command, uint64_t &done,
                       std::string &error) {
  const uint32_t *words = command.words;
  uint32_t length = words[PSPIN_COPY_LENGTH],
           address = words[PSPIN_COPY_ADDRESS];
  bool toHost = words[PSPIN_COPY_DIRECTION] & 1;
  uint8_t *card = memory.findData(address, length);
  if (!card) {
    error = formatv("host copy of {0} bytes at {1:x}, which is no memory of "
                    "the card",
                    length, address);
    return false;
  }
  uint8_t *host = hostMemory(command, length, error);
  if (!error.empty())
    return false;
  uint64_t &free = toHost ? toHostFree : fromHostFree;
  uint64_t begin = std::max(command.issued, free);
  free = begin + hostBeats(length);
  trace(toHost ? SPINSIM_EVENT_HOST_WRITE : SPINSIM_EVENT_HOST_READ,
        moverOf(command), begin, free, length);
  done = free + (toHost ? machine.hostWriteCycles
                        : machine.hostReadCycles + nanos(machine.hostReadNs));
  uint64_t arrives = toHost ? arrival(done) : done;
  if (length)
    std::memcpy(toHost ? host : card, toHost ? card : host, length);
  const Context &context = *command.task->message->context;
  if (toHost && length && hostWritten)
    hostWritten(context, host - context.host, length, arrives);
  return true;
}

bool Engines::hostDirect(const Command &command, uint64_t &done,
                         std::string &error) {
  uint32_t info = command.words[PSPIN_DIRECT_INFO];
  uint32_t size = info >> PSPIN_DIRECT_SIZE_SHIFT & 0x1ff;
  uint32_t line = command.words[PSPIN_DIRECT_HOST_LOW] % PSPIN_BUS_BYTES;
  if (!(info & PSPIN_DIRECT_TO_HOST) || size == 0 ||
      size > PSPIN_DIRECT_MAX_BYTES || line + size > PSPIN_BUS_BYTES) {
    error = formatv("direct host write of {0} bytes at offset {1} of a line; "
                    "it takes 1 to {2} bytes within one line",
                    size, line, PSPIN_DIRECT_MAX_BYTES);
    return false;
  }
  uint8_t *host = hostMemory(command, size, error);
  if (!host)
    return false;
  std::memcpy(host, command.words + PSPIN_DIRECT_DATA, size);
  done = command.issued + machine.hostDirectCycles;
  uint64_t arrives = arrival(done);
  const Context &context = *command.task->message->context;
  if (hostWritten)
    hostWritten(context, host - context.host, size, arrives);
  return true;
}

uint64_t Engines::prefetch(unsigned cluster, uint32_t bytes, uint64_t time) {
  ClusterDma &dma = clusterDma[cluster];
  uint64_t begin = std::max({time, dma.free, packetPortFree});
  dma.free = packetPortFree = begin + beats(bytes);
  *std::min_element(dma.reads, dma.reads + readsOfCluster) =
      dma.free + readTrip;
  return begin + machine.prefetchCycles + beats(bytes);
}

/// One side must be the cluster's own L1, the other L2, or both in L2 or both
/// in own L1.
static bool dmaReaches(unsigned cluster, uint32_t address, uint64_t size,
                       CardMemory &memory) {
  if (!memory.findData(address, size))
    return false;
  bool inL1 = address < PSPIN_L1_BASE + PSPIN_CLUSTERS * PSPIN_L1_STRIDE;
  return !inL1 || (address >= l1Address(cluster, 0) &&
                   address < l1Address(cluster, PSPIN_L1_SIZE));
}

bool Engines::copy(const Mover &mover, uint32_t source, uint32_t destination,
                   uint32_t size, uint64_t time, uint32_t &id, uint64_t &done,
                   std::string &error) {
  const unsigned cluster = mover.cluster;
  ClusterDma &dma = clusterDma[cluster];
  if (size == 0) {
    error = "a DMA transfer of 0 bytes stops the card's DMA for ever";
    return false;
  }
  for (uint32_t address : {source, destination})
    if (!dmaReaches(cluster, address, size, memory)) {
      error = formatv("DMA transfer of {0} bytes at {1:x}, where the "
                      "cluster's DMA reaches no memory",
                      size, address);
      return false;
    }
  uint64_t begin = std::max(time, dma.free);
  dma.free = begin + beats(size);
  done = begin + machine.clusterDmaCycles + beats(size);
  std::memmove(memory.findData(destination, size),
               memory.findData(source, size), size);
  trace(SPINSIM_EVENT_CLUSTER_DMA, mover, begin, done, size);
  id = dma.nextId++;
  dma.done.push_back(done);
  return true;
}

uint32_t Engines::lastDone(unsigned cluster, uint64_t time) {
  ClusterDma &dma = clusterDma[cluster];
  while (!dma.done.empty() && dma.done.front() <= time) {
    dma.done.pop_front();
    ++dma.doneBase;
  }
  return dma.doneBase;
}
