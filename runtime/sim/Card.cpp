//===- Card.cpp - Events, HPUs and what is counted ------------------------===//
//
// The steps of the packets' way are in PacketPath.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Card.h"
#include <algorithm>
#include <cstring>
#include <utility>

using namespace spinc;
using namespace spinc::sim;

static constexpr unsigned progressEvents = 1 << 14;
static constexpr uint32_t ringStride =
    PSPIN_L1_PACKET_SIZE / PSPIN_L1_PACKET_RINGS;
static isa::InstructionSet instructionSet(const SpinSimConfig &config) {
  return config.machine.corev ? isa::InstructionSet::Corev
                              : isa::InstructionSet::Pspin;
}

/// How far an HPU runs ahead of the others: less while banks are fought for,
/// so that each gets its turn.
static constexpr uint64_t shortestQuantum = 1, longestQuantum = 128;

Card::Card(const SpinSimConfig &config, const Image &image,
           Inspector *inspector)
    : config(config), image(image), inspector(inspector),
      program(PSPIN_PROGRAM_BASE, memory.program.data(), PSPIN_PROGRAM_SIZE,
              instructionSet(config)) {
  for (const Segment &segment : image.segments)
    if (uint8_t *place = memory.find(segment.address, segment.bytes.size()))
      std::copy(segment.bytes.begin(), segment.bytes.end(), place);
  program.invalidate();
  // What looks at single instructions or accesses needs the interpreter.
  if (!inspector && !config.interpretOnly && !config.trace &&
      !config.stepping && !config.profile && !config.checkAccesses &&
      !config.contention) {
    TranslatorOptions choice;
    if (config.translateAfter)
      choice.threshold = config.translateAfter;
    translator = std::make_unique<Translator>(program, choice);
  }
  for (unsigned number = 0; number < PSPIN_CLUSTERS; ++number) {
    Cluster &cluster = clusters[number];
    cluster.rings.assign(
        PSPIN_L1_PACKET_RINGS,
        Ring(config.machine.l1PacketBytes / PSPIN_L1_PACKET_RINGS));
    if (config.contention)
      cluster.program =
          std::make_unique<Program>(PSPIN_PROGRAM_BASE, memory.program.data(),
                                    PSPIN_PROGRAM_SIZE, instructionSet(config));
    Program &code = config.contention ? *cluster.program : program;
    for (unsigned hpu = 0; hpu < PSPIN_HPUS_PER_CLUSTER; ++hpu)
      cluster.hpus.push_back(
          std::make_unique<Hpu>(*this, code, translator.get(), number, hpu));
  }
}

bool Card::boot() {
  if (inspector)
    inspector->attach(*this);
  for (Cluster &cluster : clusters)
    for (std::unique_ptr<Hpu> &hpu : cluster.hpus)
      if (!hpu->boot())
        return false;
  for (Cluster &cluster : clusters)
    for (std::unique_ptr<Hpu> &hpu : cluster.hpus)
      hpu->resetClock();
  if (config.contention)
    compete();
  return true;
}

/// From here on HPUs share banks, ports and instruction caches.
void Card::compete() {
  quantumLimit = hasLocks ? shortestQuantum : longestQuantum;
  for (Cluster &cluster : clusters) {
    cluster.cache = std::make_unique<InstructionCache>(
        PSPIN_PROGRAM_BASE, PSPIN_PROGRAM_SIZE, ports);
    // All wait for a task with the same load, whose line has been fetched.
    cluster.cache->fill(cluster.hpus.front()->pc());
    cluster.program->useCache(*cluster.cache);
    cluster.quantum = quantumLimit;
    for (std::unique_ptr<Hpu> &hpu : cluster.hpus)
      hpu->useBanks(cluster.banks);
  }
}

void Card::breakReservations(uint32_t address, const Hpu &writer) {
  if (!hasReservations)
    return;
  for (Cluster &cluster : clusters)
    for (std::unique_ptr<Hpu> &hpu : cluster.hpus)
      if (hpu.get() != &writer)
        hpu->loseReservation(address);
}

uint64_t Card::instructions() const {
  uint64_t sum = 0;
  for (const Cluster &cluster : clusters)
    for (const std::unique_ptr<Hpu> &hpu : cluster.hpus)
      sum += hpu->instructions();
  return sum;
}

HandlerRecord &Card::record(const Context &context, SpinSimHandlerKind kind) {
  for (HandlerRecord &found : records)
    if (found.context == &context && found.kind == kind)
      return found;
  records.emplace_back();
  records.back().context = &context;
  records.back().kind = kind;
  return records.back();
}

SpinSimEvent spinc::sim::eventOf(SpinSimEventKind kind, const Message &message,
                                 const Packet &packet, uint64_t begin,
                                 uint64_t end) {
  SpinSimEvent event = {};
  event.kind = kind;
  event.begin = begin;
  event.end = end;
  event.context = message.context->index;
  event.flow = message.flow;
  event.packet = packet.number;
  event.bytes = packet.bytes.size();
  return event;
}

void Card::trace(const SpinSimEvent &event) const {
  if (config.event)
    config.event(config.user, &event);
}

void Card::recordRun(const Task &task, const HandlerRun &run,
                     const Stalls &stalls, unsigned cluster, unsigned hpu) {
  HandlerRecord &handler = record(*task.message->context, task.kind);
  handler.cycles.add(run.cycles);
  handler.wait.add(run.wait);
  handler.fewest = std::min(handler.fewest, run.instructions);
  handler.most = std::max(handler.most, run.instructions);
  handler.instructions += run.instructions;
  ++(run.faulted                        ? handler.faults
     : run.code == PSPIN_RETURN_SUCCESS ? handler.succeeded
     : run.code == PSPIN_RETURN_DROP    ? handler.dropped
                                        : handler.failed);
  for (size_t cause = 0; cause < stalls.size(); ++cause)
    handler.stalls[cause] += stalls[cause];
  if (config.event) {
    SpinSimEvent event =
        eventOf(SPINSIM_EVENT_HANDLER, *task.message, *task.packet, run.begin,
                run.begin + run.cycles + run.wait);
    event.cluster = cluster;
    event.hpu = hpu;
    event.detail = task.kind;
    trace(event);
  }
  if (!config.handlerRan)
    return;
  SpinSimRunInfo info = {};
  info.context = task.message->context->index;
  info.kind = task.kind;
  info.packet = task.packet->number;
  info.cluster = cluster;
  info.hpu = hpu;
  info.flow = task.message->flow;
  info.code = run.code;
  info.faulted = run.faulted;
  info.cycles = run.cycles;
  info.wait = run.wait;
  info.begin = run.begin;
  config.handlerRan(config.user, &info);
}

void Card::push(uint64_t at, EventKind kind, Packet *packet, Task *task,
                unsigned cluster, unsigned hpu) {
  events.push(
      {at, eventCount++, packet, task, kind, uint8_t(cluster), uint8_t(hpu)});
}

bool Card::run(Arrivals &coming, uint64_t until) {
  arrivals = &coming;
  expectArrivals();
  while (!isDone()) {
    bool turn = isTurn();
    uint64_t next = turn ? turns.first().time : events.first();
    if (next > until)
      break;
    time = next;
    if (turn) {
      if (!takeTurn())
        return false;
    } else {
      Event event = events.take();
      nowOrder = event.order;
      if (!handle(event))
        return false;
      measureQueues();
    }
    if (config.progress && ++sinceProgress == progressEvents) {
      sinceProgress = 0;
      config.progress(config.user, latencies.count() + packetsLost, expected);
    }
  }
  return true;
}

void Card::measureQueues() {
  queues[SPINSIM_QUEUE_MESSAGES].set(time, requests.size() + inQueues);
  queues[SPINSIM_QUEUE_SCHEDULER].set(time, ready.size());
  queues[SPINSIM_QUEUE_L1].set(time, waitForL1);
  queues[SPINSIM_QUEUE_HPUS].set(time, waitForHpus);
}

SpinSimHpuStats Card::hpuStats(unsigned cluster, unsigned hpu) const {
  const Cluster &place = clusters[cluster];
  return {place.work[hpu].tasks, place.work[hpu].busy,
          place.hpus[hpu]->instructions()};
}

bool Card::handle(const Event &event) {
  switch (event.kind) {
  case EventKind::Arrival:
    announceArrival();
    network.enter({time, nowOrder});
    arrived.push_back(event.packet);
    admitArrivals();
    if (!arrived.empty())
      network.settle(queues[SPINSIM_QUEUE_NETWORK]);
    return true;
  case EventKind::Request:
    requests.push_back(event.packet);
    acceptRequests();
    return true;
  case EventKind::Ready:
    ready.push_back(event.task);
    schedule();
    return true;
  case EventKind::Schedule:
    scheduling = false;
    schedule();
    return true;
  case EventKind::Enter:
    clusters[event.cluster].waiting.push_back(event.task);
    ++waitForL1;
    enterCluster(event.cluster);
    return true;
  case EventKind::Copy:
    clusters[event.cluster].copying = false;
    copyPackets(event.cluster);
    return true;
  case EventKind::Loaded: {
    Packet &packet = *event.task->packet;
    std::memcpy(memory.l1[event.cluster].data() + PSPIN_L1_PACKET_OFFSET +
                    event.task->ring * ringStride + event.task->l1Offset,
                memory.l2Packet.data() + packet.l2Offset, packet.bytes.size());
    clusters[event.cluster].loaded.push_back(event.task);
    ++waitForHpus;
    return dispatch(event.cluster);
  }
  case EventKind::Dispatch:
    clusters[event.cluster].dispatching = false;
    return dispatch(event.cluster);
  case EventKind::End:
    return !clusters[event.cluster].outboxes[event.hpu].add(event.task) ||
           setIdle(event.cluster, event.hpu);
  case EventKind::Idle:
    return setIdle(event.cluster, event.hpu);
  case EventKind::Feedback: {
    Cluster &cluster = clusters[event.cluster];
    cluster.outboxes[event.hpu].setReady(event.task);
    cluster.asking |= uint32_t(cluster.outboxes[event.hpu].isReady())
                      << event.hpu;
    if (!collecting && time >= nextFeedback)
      collect();
    else
      collectLater();
    return true;
  }
  case EventKind::Collect:
    collecting = false;
    collect();
    return true;
  }
  return true;
}

/// An HPU may get a task.
bool Card::setIdle(unsigned number, unsigned hpu) {
  Cluster &cluster = clusters[number];
  cluster.hpus[hpu]->busy = false;
  cluster.work[hpu].busy += time - cluster.work[hpu].since;
  return dispatch(number);
}

/// Gives the oldest loaded task to the first idle HPU: one a cycle.
bool Card::dispatch(unsigned number) {
  Cluster &cluster = clusters[number];
  while (!cluster.loaded.empty()) {
    unsigned free = 0;
    while (free < config.hpusPerCluster && cluster.hpus[free]->busy)
      ++free;
    if (free == config.hpusPerCluster)
      return true;
    if (time < cluster.nextDispatch) {
      if (!std::exchange(cluster.dispatching, true))
        push(cluster.nextDispatch, EventKind::Dispatch, nullptr, nullptr,
             number);
      return true;
    }
    Task *task = cluster.loaded.front();
    cluster.loaded.pop_front();
    --waitForHpus;
    cluster.nextDispatch = time + 1;
    cluster.hpus[free]->busy = true;
    cluster.work[free].since = time;
    ++cluster.work[free].tasks;
    cluster.hpus[free]->begin(*task, time);
    if (config.contention)
      turns.add({time, eventCount++, task, number, free});
    else if (!work(number, free, task))
      return false;
  }
  return true;
}

/// Whether a turn comes before the next event.
bool Card::isTurn() const {
  const Turn &turn = turns.first();
  const uint64_t event = events.first();
  return turn.time < event || (turn.time == event && !turns.empty() &&
                               turn.order < events.top().order);
}

/// Lets an HPU that competes go on with its task for a quantum.
bool Card::takeTurn() {
  const Turn turn = turns.first();
  Cluster &cluster = clusters[turn.cluster];
  Hpu &worker = *cluster.hpus[turn.hpu];
  uint64_t conflicts = cluster.banks.conflicts;
  Hpu::Progress progress = worker.proceed(time + cluster.quantum);
  cluster.quantum = cluster.banks.conflicts == conflicts
                        ? std::min(2 * cluster.quantum, quantumLimit)
                        : shortestQuantum;
  if (progress == Hpu::Progress::Failed)
    return false;
  if (progress == Hpu::Progress::Working) {
    turns.postponeFirst(std::max(time, worker.now()), eventCount++);
    return true;
  }
  turns.removeFirst();
  endWork(turn.cluster, turn.hpu, turn.task);
  return true;
}

/// Lets an HPU do its whole task.
bool Card::work(unsigned number, unsigned hpu, Task *task) {
  if (clusters[number].hpus[hpu]->proceed() == Hpu::Progress::Failed)
    return false;
  endWork(number, hpu, task);
  return true;
}

void Card::endWork(unsigned number, unsigned hpu, Task *task) {
  TaskEnd end = clusters[number].hpus[hpu]->finish();
  push(end.doorbell, EventKind::End, nullptr, task, number, hpu);
  push(end.feedback + config.machine.feedbackCycles, EventKind::Feedback,
       nullptr, task, number, hpu);
}
