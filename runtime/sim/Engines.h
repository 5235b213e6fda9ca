//===- Engines.h - What executes commands and DMA transfers ---------------===//
//
// NIC outbound, host DMA, host direct writes and the clusters' DMA: what they
// do to memory, and when they are done. Each is busy one cycle per bus beat.
// Effects happen when a command is issued.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_ENGINES_H
#define SPINC_RUNTIME_SIM_ENGINES_H

#include "runtime/sim/CardMemory.h"
#include "runtime/sim/Task.h"
#include <algorithm>
#include <functional>

namespace spinc::sim {

/// A packet or message that left the card.
struct Output {
  SpinSimLink link;
  std::vector<uint8_t> bytes;
  uint64_t cycle;
  uint32_t context;
  uint32_t destination;
  uint64_t packet;

  SpinSimOutput asC() const {
    return {link,    bytes.data(), bytes.size(), cycle,
            context, destination,  packet};
  }
};

struct Command {
  uint32_t info;
  const uint32_t *words; // PSPIN_CMD_WORDS
  const Task *task;
  uint64_t issued;
  unsigned cluster, hpu; // that issued it
};

/// Who launches a transfer of a cluster's DMA.
struct Mover {
  const Task *task; // null in start-up code
  unsigned cluster, hpu;
};

class Engines {
public:
  Engines(CardMemory &memory, const SpinSimConfig &config)
      : memory(memory), config(config), machine(config.machine) {}

  /// Executes a command; `done` is when it has completed. Returns false and
  /// says why if the card could not do it.
  bool execute(const Command &command, uint64_t &done, std::string &error);

  /// From when on the cluster's DMA may ask L2 for another packet.
  uint64_t nextPrefetch(unsigned cluster) const {
    const uint64_t *reads = clusterDma[cluster].reads;
    return *std::min_element(reads, reads + readsOfCluster);
  }
  /// The packet's way from L2 to L1 of a cluster, which begins at `time`;
  /// returns when it is there. Times of calls do not go back.
  uint64_t prefetch(unsigned cluster, uint32_t bytes, uint64_t time);
  /// A transfer that an HPU of `cluster` launched; `id` is its number.
  bool copy(const Mover &mover, uint32_t source, uint32_t destination,
            uint32_t size, uint64_t time, uint32_t &id, uint64_t &done,
            std::string &error);
  /// Number of the cluster's last transfer that is done at `time`.
  uint32_t lastDone(unsigned cluster, uint64_t time);

  std::deque<Output> outputs; // unless the configuration takes them
  uint64_t outputCount = 0, outputBytes = 0;
  std::function<void(const Context &, uint64_t offset, uint64_t size,
                     uint64_t cycle)>
      hostWritten;

private:
  /// One of the three command interfaces.
  struct Interface {
    std::vector<uint64_t> inFlight; // completion times
    uint64_t admit(uint64_t time, size_t limit);
  };
  /// The crossbar before L2 lets a cluster have so many reads under way, each
  /// until its last beat is back: `readTrip` cycles longer than L2 is busy with
  /// it. So packets of one beat come every second cycle.
  static constexpr unsigned readsOfCluster = 2, readTrip = 3;
  struct ClusterDma {
    uint64_t free = 0;
    uint64_t reads[readsOfCluster] = {}; // when they are over
    uint32_t nextId = 1;
    std::deque<uint64_t> done; // completion times of the latest transfers
    uint32_t doneBase = 0;     // transfers forgotten because they are over
  };

  bool send(const Command &command, uint64_t &done, std::string &error);
  void put(const Command &command, const uint8_t *payload, uint64_t &done);
  bool hostCopy(const Command &command, uint64_t &done, std::string &error);
  bool hostDirect(const Command &command, uint64_t &done, std::string &error);
  uint8_t *hostMemory(const Command &command, uint64_t size,
                      std::string &error) const;

  void leave(Output output);
  void trace(SpinSimEventKind kind, const Mover &mover, uint64_t begin,
             uint64_t end, uint64_t bytes, uint32_t detail = 0) const;
  uint64_t nanos(double time) const;
  uint64_t hostBeats(uint32_t bytes) const;
  uint64_t arrival(uint64_t &done) const;

  CardMemory &memory;
  const SpinSimConfig &config;
  const SpinSimMachine &machine;
  Interface interfaces[3];
  uint64_t sendFree = 0, toHostFree = 0, fromHostFree = 0;
  uint64_t packetPortFree = 0;
  ClusterDma clusterDma[PSPIN_CLUSTERS];
  uint16_t nextMessageId = 0;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_ENGINES_H
