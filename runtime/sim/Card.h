//===- Card.h - The whole card, event by event ----------------------------===//
//
// Packets arrive, become tasks of messages, are sent to clusters and
// dispatched to HPUs; ends of tasks travel back. Events happen in the order of
// their times and, at equal times, in the order in which they were made, so
// runs are deterministic. Handlers run when they are dispatched, as one step.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_CARD_H
#define SPINC_RUNTIME_SIM_CARD_H

#include "runtime/sim/Arrivals.h"
#include "runtime/sim/Backlog.h"
#include "runtime/sim/Calendar.h"
#include "runtime/sim/Engines.h"
#include "runtime/sim/Feedback.h"
#include "runtime/sim/Hpu.h"
#include "runtime/sim/Image.h"
#include "runtime/sim/Levels.h"
#include "runtime/sim/Profile.h"
#include "runtime/sim/Tally.h"
#include "runtime/sim/Turns.h"
#include "runtime/sim/debug/Inspector.h"
#include "runtime/sim/translate/Translator.h"
#include <list>
#include <memory>

namespace spinc::sim {

struct FaultRecord {
  std::string text;
  std::string handler;
  uint32_t code = 0;
  uint32_t pc = 0;
  uint32_t address = 0;
  uint64_t packet = 0;
  uint64_t cycle = 0;
};

/// All runs of one handler.
struct HandlerRecord {
  const Context *context = nullptr;
  SpinSimHandlerKind kind = SPINSIM_PAYLOAD;
  mutable Tally cycles, wait;
  uint64_t fewest = UINT64_MAX, most = 0, instructions = 0; // of them
  uint64_t succeeded = 0, dropped = 0, failed = 0, faults = 0;
  Stalls stalls = {};
};

class Card {
public:
  /// `image` must outlive the card and fit it (see checkImage).
  /// An inspector must outlive it too; null for none.
  Card(const SpinSimConfig &config, const Image &image,
       Inspector *inspector = nullptr);

  /// Whether the segments of `image` lie where the card loads images, and the
  /// machine has the memory for them, its state and its packets.
  static bool checkImage(const Image &image, const Metadata &metadata,
                         const SpinSimMachine &machine, std::string &error);

  /// Runs start-up code on all HPUs; their clocks then start at 0.
  bool boot();
  /// Runs until nothing is left to do, or what is left comes after `until`,
  /// with the packets that come, in the order of their arrival. Returns false
  /// if the image's runtime fails; see error().
  bool run(Arrivals &arrivals, uint64_t until);
  bool isDone() const { return events.empty() && turns.empty(); }

  const std::string &error() const { return failure; }
  /// Packets that are left because every message queue belongs to a message
  /// that has not ended.
  uint64_t stuckPackets() const {
    return requests.size() + arrived.size() + notCome();
  }
  void fail(const std::string &text) {
    if (failure.empty())
      failure = text;
  }
  unsigned homeCluster(const Message &message) const {
    return message.flow % PSPIN_CLUSTERS;
  }
  void recordRun(const Task &task, const HandlerRun &run, const Stalls &stalls,
                 unsigned cluster, unsigned hpu);
  HandlerRecord &record(const Context &context, SpinSimHandlerKind kind);
  uint64_t instructions() const;
  /// What an HPU did; its cluster and number are those of the machine.
  SpinSimHpuStats hpuStats(unsigned cluster, unsigned hpu) const;

  Hpu &hpu(unsigned cluster, unsigned number) const {
    return *clusters[cluster].hpus[number];
  }
  void breakReservations(uint32_t address, const Hpu &writer);
  bool hasReservations = false; // some core has reserved a word
  /// Handlers wait for locks, and see in time that one is free.
  bool hasLocks = false;

  /// The time of the next thing that happens besides the turn at hand.
  uint64_t afterTurn() const {
    return std::min(events.first(), turns.second());
  }

  const SpinSimConfig config;
  const Image &image;
  Inspector *const inspector;
  CardMemory memory;
  Engines engines{memory, config};
  Ports ports;
  std::vector<FaultRecord> faults;
  Profile profile; // if the configuration asks for it
  std::vector<HandlerRecord> records;
  mutable Tally latencies; // arrival until feedback, of packets
  uint64_t messagesDone = 0, packetsLost = 0;
  uint64_t packetsHeld = 0; // the most at one time
  Level queues[SPINSIM_QUEUES];
  uint64_t time = 0; // of the event being handled
  uint64_t lastFeedback = 0;

private:
  enum class EventKind : uint8_t {
    Arrival,  // a packet is at the NIC
    Request,  // it lies in L2
    Ready,    // a message has a task
    Schedule, // the scheduler may send its next task
    Enter,    // a task reaches its cluster
    Copy,     // the cluster's DMA may read its next packet
    Loaded,   // its packet lies in L1
    Dispatch, // a cluster may dispatch its next task
    End,      // an HPU is through with a task
    Idle,     // it may get another one, which the one before delayed
    Feedback, // the commands of a task are done too
    Collect,  // feedback goes on to the NIC
  };
  struct Event {
    uint64_t time;
    uint64_t order;
    Packet *packet;
    Task *task;
    EventKind kind;
    uint8_t cluster, hpu;
  };
  uint64_t quantumLimit = 0;
  struct Cluster {
    unsigned occupancy = 0; // tasks sent to it and not finished
    struct Work {
      uint64_t tasks = 0, busy = 0;
      uint64_t since = 0; // it has a task
    } work[PSPIN_HPUS_PER_CLUSTER];
    uint64_t freedAt = UINT64_MAX; // when a task was finished last
    std::deque<Task *> waiting;    // for space in L1
    std::deque<Task *> copies;     // for the DMA
    bool copying = false;          // the next one has an event
    std::deque<Task *> loaded;     // for an HPU
    Outbox outboxes[PSPIN_HPUS_PER_CLUSTER];
    uint32_t asking = 0; // HPUs whose feedback is ready
    RoundRobin turn;     // of these
    TakenFeedback taken;
    uint64_t nextDispatch = 0;
    bool dispatching = false; // then has an event
    std::vector<Ring> rings;
    std::vector<std::unique_ptr<Hpu>> hpus;
    // Of its own if HPUs compete:
    std::unique_ptr<InstructionCache> cache;
    std::unique_ptr<Program> program;
    Banks banks;
    uint64_t quantum = 0;
  };

  void push(uint64_t time, EventKind kind, Packet *packet, Task *task,
            unsigned cluster = 0, unsigned hpu = 0);
  bool handle(const Event &event);
  void measureQueues();
  void trace(const SpinSimEvent &event) const;
  void expectArrivals();
  Packet &nextArrival(uint64_t &order);
  void announceArrival();
  void announce(Packet &packet, uint64_t order);
  void catchUp();
  void admitArrivals();
  void forget(Packet &packet);
  uint64_t notCome() const;
  void acceptRequests();
  bool takeQueue(Message &message);
  void advance(Message &message, unsigned delay);
  void makeTask(Message &message, SpinSimHandlerKind kind, Packet *packet,
                bool freesPacket, unsigned delay);
  void schedule();
  void scheduleLater();
  unsigned occupancy(unsigned cluster) const;
  void enterCluster(unsigned number);
  void copyPackets(unsigned number);
  bool dispatch(unsigned number);
  bool isTurn() const;
  bool takeTurn();
  bool work(unsigned cluster, unsigned hpu, Task *task);
  void endWork(unsigned cluster, unsigned hpu, Task *task);
  void compete();
  bool setIdle(unsigned cluster, unsigned hpu);
  void takeFeedback(unsigned cluster);
  void collect();
  void collectLater();
  void finish(Task *task);

  Program program;
  std::unique_ptr<Translator> translator; // null if all is interpreted
  Cluster clusters[PSPIN_CLUSTERS];
  Calendar<Event> events;
  Turns turns;             // of HPUs that compete
  uint64_t eventCount = 0; // of turns too
  uint64_t nowOrder = 0;   // of the event being handled
  Arrivals *arrivals = nullptr;
  std::list<Packet> packets;     // that exist now
  std::list<Packet> usedPackets; // their places serve again
  /// Packets that have not been asked for, and the orders of their events. The
  /// next one is among the events if `announced`.
  struct Due {
    uint64_t order, packets;
  };
  std::deque<Due> due;
  bool announced = false;
  uint64_t expected = 0; // packets, in all runs
  Backlog network;
  std::list<Task> tasks; // that exist now
  std::list<Task> usedTasks;
  std::deque<Packet *> arrived;  // wait for space in L2
  std::deque<Packet *> requests; // wait for a queue or a cell
  Ring l2Ring{config.machine.l2PacketBytes};
  uint64_t inboundFree = 0;
  bool queueTaken[PSPIN_MESSAGE_QUEUES] = {};
  uint32_t nextFlow = 0, queuesTaken = 0;
  unsigned cellsUsed = 0;
  uint64_t inQueues = 0;                   // packets
  uint64_t waitForL1 = 0, waitForHpus = 0; // tasks, in all clusters
  unsigned sinceProgress = 0;
  std::deque<Task *> ready; // for the scheduler
  uint64_t nextSchedule = 0;
  bool scheduling = false;   // in the next cycle has an event
  uint64_t nextFeedback = 0; // one in a cycle, from all clusters
  bool collecting = false;   // then has an event
  RoundRobin feedbackTurn;   // of clusters
  std::string failure;
};

/// What concerns a packet, for traces.
SpinSimEvent eventOf(SpinSimEventKind kind, const Message &message,
                     const Packet &packet, uint64_t begin, uint64_t end);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_CARD_H
