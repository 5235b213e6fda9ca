//===- PacketPath.cpp - From packets to tasks to feedback -----------------===//
//
// The steps of the packet path with their latencies; Timing.h has the
// numbers.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Card.h"
#include <algorithm>
#include <cstring>
#include <utility>

using namespace spinc;
using namespace spinc::sim;
using isa::beats;
namespace latency = isa::latency;

/// The last cycle of a request's way to its DMA lies behind the scheduler.
static constexpr unsigned scheduleToCluster = 1;

/// While so many packets wait on the network, no more are asked for.
static constexpr size_t lookAhead = 1024;

/// A new element at the end of `list`, in a place of `used` if there is one.
template <typename T>
static T &placeIn(std::list<T> &list, std::list<T> &used) {
  if (used.empty())
    list.emplace_back();
  else
    list.splice(list.end(), used, used.begin());
  return list.back();
}

/// Of events at one time arrivals are the first, those of one run in a row.
void Card::expectArrivals() {
  if (uint64_t more = arrivals->taken - expected) {
    due.push_back({eventCount, more});
    eventCount += more;
    expected += more;
  }
  if (!announced)
    announceArrival();
}

Packet &Card::nextArrival(uint64_t &order) {
  order = due.front().order++;
  if (--due.front().packets == 0)
    due.pop_front();
  Packet &packet = placeIn(packets, usedPackets);
  packet = arrivals->next();
  packet.place = std::prev(packets.end());
  packetsHeld = std::max<uint64_t>(packetsHeld, packets.size());
  return packet;
}

void Card::announce(Packet &packet, uint64_t order) {
  events.push(
      {packet.arrival, order, &packet, nullptr, EventKind::Arrival, 0, 0});
  announced = true;
}

/// Only the next arrival is among the events, which keeps them few.
void Card::announceArrival() {
  announced = false;
  if (due.empty() || arrived.size() >= lookAhead)
    return;
  uint64_t order;
  Packet &packet = nextArrival(order);
  announce(packet, order);
}

/// Asks for packets that came while too many waited.
void Card::catchUp() {
  while (!announced && !due.empty() && arrived.size() < lookAhead) {
    uint64_t order;
    Packet &packet = nextArrival(order);
    const Moment at = {packet.arrival, order};
    if (at < Moment{time, nowOrder}) {
      network.enter(at);
      network.settle(queues[SPINSIM_QUEUE_NETWORK]);
      arrived.push_back(&packet);
    } else {
      announce(packet, order);
    }
  }
}

uint64_t Card::notCome() const {
  uint64_t sum = 0;
  for (const Due &part : due)
    sum += part.packets;
  return sum;
}

/// The card is done with a packet.
void Card::forget(Packet &packet) {
  packet.message.reset();
  usedPackets.splice(usedPackets.begin(), packets, packet.place);
}

/// Writes packets to L2 as long as there is space.
void Card::admitArrivals() {
  while (!arrived.empty()) {
    Packet *packet = arrived.front();
    uint32_t bytes = packet->bytes.size();
    bool fits = l2Ring.allocate(bytes, packet->l2Offset);
    if (!fits && !config.machine.dropWhenFull)
      return;
    arrived.pop_front();
    network.leave({time, nowOrder}, packet->arrival,
                  queues[SPINSIM_QUEUE_NETWORK]);
    catchUp();
    if (!fits) {
      // A message that loses its last packet does not end, as on the card.
      ++packetsLost;
      forget(*packet);
      continue;
    }
    Message &message = *packet->message;
    uint64_t matching = message.matched ? 0 : config.machine.firstPacketCycles;
    if (!message.matched)
      message.begin = packet->arrival;
    message.matched = true;
    uint64_t start = std::max(time, inboundFree) + matching;
    inboundFree = start + beats(bytes);
    std::memcpy(memory.l2Packet.data() + packet->l2Offset, packet->bytes.data(),
                bytes);
    uint64_t requested = start + config.machine.inboundCycles + beats(bytes);
    push(requested, EventKind::Request, packet, nullptr);
    trace(eventOf(SPINSIM_EVENT_INBOUND, message, *packet, start, requested));
  }
}

/// Gives a message one of the 256 queues.
bool Card::takeQueue(Message &message) {
  if (queuesTaken == config.machine.messageQueues)
    return false;
  for (unsigned tried = 0; tried < PSPIN_MESSAGE_QUEUES; ++tried) {
    uint32_t flow = nextFlow++ % PSPIN_MESSAGE_QUEUES;
    if (queueTaken[flow] || flow % PSPIN_CLUSTERS >= config.clusters)
      continue;
    queueTaken[flow] = message.hasQueue = true;
    ++queuesTaken;
    message.flow = flow;
    return true;
  }
  return false;
}

/// Puts packets into the queues of their messages. Each queue has a cell of
/// its own; the others are shared.
void Card::acceptRequests() {
  while (!requests.empty()) {
    Packet *packet = requests.front();
    Message &message = *packet->message;
    if (!message.hasQueue && !takeQueue(message))
      return;
    bool shared = !message.queue.empty();
    if (shared && cellsUsed == config.machine.packetCells)
      return;
    cellsUsed += shared;
    requests.pop_front();
    message.queue.push_back(packet);
    ++inQueues;
    advance(message, 0);
  }
}

/// Makes the tasks that the message's state allows. `delay` is what they take
/// longer than those of a packet that was just accepted.
void Card::advance(Message &message, unsigned delay) {
  const Context &context = *message.context;
  if (message.state == MessageState::Free && !message.queue.empty()) {
    if (context.functions[SPINSIM_HEADER]) {
      message.state = MessageState::HeaderRunning;
      makeTask(message, SPINSIM_HEADER, message.queue.front(), false, delay);
      return;
    }
    message.state = MessageState::Payload;
  }
  while (message.state == MessageState::Payload && !message.queue.empty()) {
    Packet *packet = message.queue.front();
    message.queue.pop_front();
    --inQueues;
    if (!message.queue.empty())
      --cellsUsed;
    if (packet->last) {
      message.state = MessageState::Draining;
      message.lastPacket = packet;
    }
    ++message.inFlight;
    bool completes = packet->last && context.functions[SPINSIM_COMPLETION];
    makeTask(message, SPINSIM_PAYLOAD, packet, !completes, delay);
  }
}

void Card::makeTask(Message &message, SpinSimHandlerKind kind, Packet *packet,
                    bool freesPacket, unsigned delay) {
  Task *task = &placeIn(tasks, usedTasks);
  *task = {};
  task->place = std::prev(tasks.end());
  task->kind = kind;
  task->message = &message;
  task->packet = packet;
  task->freesPacket = freesPacket;
  push(time + config.machine.requestCycles - scheduleToCluster + delay,
       EventKind::Ready, nullptr, task);
}

/// The tasks of a cluster as the scheduler sees them: one cycle late.
unsigned Card::occupancy(unsigned cluster) const {
  return clusters[cluster].occupancy + (clusters[cluster].freedAt == time);
}

void Card::scheduleLater() {
  if (!std::exchange(scheduling, true))
    push(time + 1, EventKind::Schedule, nullptr, nullptr);
}

/// Sends the oldest task to its home cluster, or to the one with the least
/// tasks if that is full: one task a cycle, in order.
void Card::schedule() {
  while (!ready.empty()) {
    if (time < nextSchedule) {
      scheduleLater();
      return;
    }
    Task *task = ready.front();
    unsigned chosen = homeCluster(*task->message);
    if (occupancy(chosen) >= config.machine.tasksPerCluster)
      for (unsigned other = 0; other < config.clusters; ++other)
        if (occupancy(other) < occupancy(chosen))
          chosen = other;
    if (occupancy(chosen) >= config.machine.tasksPerCluster) {
      if (nextFeedback > time) // then one may be seen to be free
        scheduleLater();
      return;
    }
    ready.pop_front();
    // When many wait, the next ones have left the host's caches.
    if (ready.size() > 1) {
      __builtin_prefetch(ready[1]);
      __builtin_prefetch(ready[0]->packet);
    }
    ++clusters[chosen].occupancy;
    task->cluster = chosen;
    nextSchedule = time + 1;
    push(time + scheduleToCluster, EventKind::Enter, nullptr, task, chosen);
  }
}

/// Finds space in L1 for waiting tasks, in order.
void Card::enterCluster(unsigned number) {
  Cluster &cluster = clusters[number];
  while (!cluster.waiting.empty()) {
    Task *task = cluster.waiting.front();
    uint32_t bytes = task->packet->bytes.size();
    unsigned ring = 0;
    while (ring < cluster.rings.size() &&
           !cluster.rings[ring].allocate(bytes, task->l1Offset))
      ++ring;
    if (ring == cluster.rings.size())
      break;
    cluster.waiting.pop_front();
    task->ring = ring;
    cluster.copies.push_back(task);
  }
  copyPackets(number);
}

/// Lets the cluster's DMA copy packets to L1, in order.
void Card::copyPackets(unsigned number) {
  Cluster &cluster = clusters[number];
  while (!cluster.copies.empty() && !cluster.copying) {
    uint64_t next = engines.nextPrefetch(number);
    if (next > time) {
      cluster.copying = true;
      push(next, EventKind::Copy, nullptr, nullptr, number);
      return;
    }
    Task *task = cluster.copies.front();
    cluster.copies.pop_front();
    __builtin_prefetch(memory.l2Packet.data() + task->packet->l2Offset);
    --waitForL1;
    uint64_t loaded =
        engines.prefetch(number, task->packet->bytes.size(), time);
    push(loaded, EventKind::Loaded, nullptr, task, number);
    SpinSimEvent event = eventOf(SPINSIM_EVENT_PREFETCH, *task->message,
                                 *task->packet, time, loaded);
    event.cluster = number;
    trace(event);
  }
}

/// A cluster takes the feedback of the HPU whose turn it is.
void Card::takeFeedback(unsigned number) {
  /// When an HPU that was held may go on, and what held it be taken.
  constexpr unsigned goesOn = 1, asksAgain = 2;
  Cluster &cluster = clusters[number];
  unsigned hpu = cluster.turn.choose(cluster.asking);
  cluster.asking &= ~(1u << hpu);
  Outbox::Taken taken = cluster.outboxes[hpu].take();
  cluster.hpus[hpu]->feedbackTaken(time - config.machine.feedbackCycles);
  if (taken.held)
    push(time + goesOn, EventKind::Idle, nullptr, nullptr, number, hpu);
  if (taken.heldIsReady)
    push(time + asksAgain, EventKind::Feedback, nullptr, taken.held, number,
         hpu);
  cluster.rings[taken.task->ring].release(taken.task->l1Offset);
  cluster.taken.add(taken.task);
  enterCluster(number);
}

void Card::collectLater() {
  if (!std::exchange(collecting, true))
    push(nextFeedback, EventKind::Collect, nullptr, nullptr);
}

/// One cycle of the feedback's way. It has a cycle between cluster and card,
/// which is part of the time that feedback takes.
void Card::collect() {
  nextFeedback = time + 1;
  uint32_t asking = 0;
  bool more = false;
  for (unsigned number = 0; number < config.clusters; ++number) {
    Cluster &cluster = clusters[number];
    if (cluster.asking && cluster.taken.hasRoom(time))
      takeFeedback(number);
    asking |= uint32_t(!cluster.taken.empty()) << number;
    more |= cluster.asking != 0;
  }
  Task *task = nullptr;
  if (asking) {
    TakenFeedback &taken = clusters[feedbackTurn.choose(asking)].taken;
    task = taken.take(time);
    more |= !taken.empty() || (asking & (asking - 1));
  }
  if (more)
    collectLater();
  if (task)
    finish(task);
}

/// A task is over and its commands are done: frees what it held and lets its
/// message go on.
void Card::finish(Task *task) {
  Packet *packet = task->packet;
  const std::shared_ptr<Message> kept = packet->message;
  Message &message = *kept;
  const bool freesPacket = task->freesPacket;
  Cluster &cluster = clusters[task->cluster];
  --cluster.occupancy;
  cluster.freedAt = time;
  unsigned delay = 0;
  if (task->kind == SPINSIM_HEADER) {
    message.state = MessageState::Payload;
    delay = latency::headerToPayload;
  } else if (task->kind == SPINSIM_PAYLOAD) {
    --message.inFlight;
  } else {
    message.state = MessageState::Done;
  }
  if (freesPacket) {
    l2Ring.release(packet->l2Offset);
    latencies.add(time - packet->arrival);
    lastFeedback = std::max(lastFeedback, time);
    trace(
        eventOf(SPINSIM_EVENT_PACKET, message, *packet, packet->arrival, time));
  }
  usedTasks.splice(usedTasks.begin(), tasks, task->place);
  if (message.state == MessageState::Draining && message.inFlight == 0) {
    if (message.context->functions[SPINSIM_COMPLETION]) {
      message.state = MessageState::CompletionRunning;
      makeTask(message, SPINSIM_COMPLETION, message.lastPacket, true,
               latency::payloadToCompletion);
    } else {
      message.state = MessageState::Done;
    }
  }
  if (message.state == MessageState::Done && message.hasQueue) {
    queueTaken[message.flow] = message.hasQueue = false;
    --queuesTaken;
    ++messagesDone;
    trace(
        eventOf(SPINSIM_EVENT_MESSAGE, message, *packet, message.begin, time));
  }
  if (freesPacket)
    forget(*packet);
  advance(message, delay);
  schedule();
  acceptRequests();
  admitArrivals();
}
