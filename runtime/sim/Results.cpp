//===- Results.cpp - The C interface: what came out -----------------------===//
//
// Outputs, faults, counts and memory, from the card's records.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/SimState.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace spinc::sim;
using llvm::formatv;

int spinSimNextOutput(SpinSim *sim, SpinSimOutput *output) {
  if (!sim->card || sim->card->engines.outputs.empty())
    return 0;
  sim->lastOutput = std::move(sim->card->engines.outputs.front());
  sim->card->engines.outputs.pop_front();
  const Output &taken = sim->lastOutput;
  *output = taken.asC();
  return 1;
}

uint64_t spinSimFaultCount(const SpinSim *sim) {
  return sim->card ? sim->card->faults.size() : 0;
}

SpinSimStatus spinSimFault(const SpinSim *sim, uint64_t index,
                           SpinSimFault *fault) {
  if (index >= spinSimFaultCount(sim))
    return SPINSIM_BAD_ARGUMENT;
  const FaultRecord &record = sim->card->faults[index];
  *fault = {record.text.c_str(), record.handler.c_str(), record.code, record.pc,
            record.address,      record.packet,          record.cycle};
  return SPINSIM_OK;
}

uint32_t spinSimHandlerCount(const SpinSim *sim) {
  uint32_t count = 0;
  for (const ContextInfo &context : sim->metadata.contexts)
    count += context.handlers.size();
  return count;
}

namespace {

const HandlerRecord *findRecord(const SpinSim &sim, uint32_t context,
                                SpinSimHandlerKind kind) {
  if (sim.card)
    for (const HandlerRecord &record : sim.card->records)
      if (record.context->index == context && record.kind == kind)
        return &record;
  return nullptr;
}

/// 0 for handlers that do not run per packet, or have not run. The runtime's
/// loop around the handler is included.
double sustainedRate(const SpinSim &sim, const SpinSimHandlerStats &stats) {
  if (stats.kind != SPINSIM_PAYLOAD || stats.count == 0 ||
      sim.arrivals->taken == 0)
    return 0;
  double cycles = double(stats.cyclesTotal + stats.waitTotal) / stats.count;
  double bits = 8.0 * sim.arrivals->takenBytes / sim.arrivals->taken;
  double hpus = double(sim.config.clusters) * sim.config.hpusPerCluster;
  return hpus * bits / (cycles + spinc::isa::latency::runtimeLoop) *
         sim.config.machine.clockMhz / 1000;
}

void fillStats(const HandlerRecord &record, SpinSimHandlerStats &stats) {
  std::copy(record.stalls.begin(), record.stalls.end(), stats.stalls);
  stats.count = record.cycles.count();
  Summary cycles = record.cycles.summary();
  stats.cyclesMin = cycles.min;
  stats.cyclesMedian = cycles.median;
  stats.cyclesP99 = cycles.p99;
  stats.cyclesMax = cycles.max;
  stats.cyclesTotal = cycles.total;
  Summary wait = record.wait.summary();
  stats.waitMin = wait.min;
  stats.waitMedian = wait.median;
  stats.waitP99 = wait.p99;
  stats.waitMax = wait.max;
  stats.waitTotal = wait.total;
  stats.instructionsMin = stats.count ? record.fewest : 0;
  stats.instructionsMax = record.most;
  stats.instructionsTotal = record.instructions;
  stats.succeeded = record.succeeded;
  stats.dropped = record.dropped;
  stats.failed = record.failed;
  stats.faults = record.faults;
}

} // namespace

SpinSimStatus spinSimHandlerStats(const SpinSim *sim, uint32_t index,
                                  SpinSimHandlerStats *stats) {
  *stats = {};
  uint32_t context = 0;
  for (const ContextInfo &info : sim->metadata.contexts) {
    std::vector<HandlerInfo> handlers = info.handlers;
    std::sort(handlers.begin(), handlers.end(),
              [](const HandlerInfo &a, const HandlerInfo &b) {
                return a.kind < b.kind;
              });
    if (index < handlers.size()) {
      stats->context = context;
      stats->kind = handlers[index].kind;
      for (const HandlerInfo &handler : info.handlers)
        if (handler.kind == stats->kind)
          stats->symbol = handler.symbol.c_str();
      if (const HandlerRecord *record = findRecord(*sim, context, stats->kind))
        fillStats(*record, *stats);
      stats->sustainedRate = sustainedRate(*sim, *stats);
      return SPINSIM_OK;
    }
    index -= handlers.size();
    ++context;
  }
  return SPINSIM_BAD_ARGUMENT;
}

/// Cycles from the first arrival to the last feedback, 0 if nothing ran.
static double durationOf(const SpinSim &sim) {
  uint64_t first = sim.arrivals->firstArrival, last = sim.card->lastFeedback;
  return last > first ? double(last - first) : 0;
}

void spinSimTotals(const SpinSim *sim, SpinSimTotals *totals) {
  *totals = {};
  if (!sim->arrivals)
    return;
  const Arrivals &arrivals = *sim->arrivals;
  totals->packets = arrivals.taken;
  totals->packetsToHost = arrivals.toHost;
  totals->packetsRefused = arrivals.refused;
  totals->bytes = arrivals.takenBytes;
  if (!sim->card)
    return;
  const Card &card = *sim->card;
  totals->cycles = card.time;
  totals->messages = card.messagesDone;
  totals->packetsLost = card.packetsLost;
  totals->packetsHeld = card.packetsHeld;
  totals->outputs = card.engines.outputCount;
  totals->outputBytes = card.engines.outputBytes;
  totals->instructions = card.instructions();
  Summary latency = card.latencies.summary();
  totals->latencyMin = latency.min;
  totals->latencyMedian = latency.median;
  totals->latencyP99 = latency.p99;
  totals->latencyMax = latency.max;
  double duration = durationOf(*sim);
  if (duration == 0)
    return;
  double bits = 8 * card.config.machine.clockMhz / 1000 / duration;
  totals->rate = double(totals->bytes) * bits;
  totals->rateOut = double(totals->outputBytes) * bits;
  uint64_t busy = 0;
  for (unsigned cluster = 0; cluster < sim->config.clusters; ++cluster)
    for (unsigned hpu = 0; hpu < sim->config.hpusPerCluster; ++hpu)
      busy += card.hpuStats(cluster, hpu).busy;
  totals->busy = double(busy) / duration / sim->config.clusters /
                 sim->config.hpusPerCluster;
}

SpinSimStatus spinSimHpu(const SpinSim *sim, uint32_t cluster, uint32_t hpu,
                         SpinSimHpuStats *stats) {
  *stats = {};
  if (cluster >= sim->config.clusters || hpu >= sim->config.hpusPerCluster)
    return SPINSIM_BAD_ARGUMENT;
  if (sim->card)
    *stats = sim->card->hpuStats(cluster, hpu);
  return SPINSIM_OK;
}

void spinSimQueue(const SpinSim *sim, SpinSimQueueKind queue,
                  SpinSimQueueStats *stats) {
  *stats = {};
  if (!sim->card || queue >= SPINSIM_QUEUES)
    return;
  const Level &level = sim->card->queues[queue];
  stats->most = level.most;
  if (double duration = durationOf(*sim))
    stats->mean = double(level.areaUntil(sim->card->time)) / duration;
}

SpinSimStatus spinSimRead(const SpinSim *sim, uint32_t address, void *bytes,
                          size_t size) {
  const uint8_t *place =
      sim->card ? sim->card->memory.find(address, size) : nullptr;
  if (!place)
    return SPINSIM_BAD_ARGUMENT;
  std::memcpy(bytes, place, size);
  return SPINSIM_OK;
}

SpinSimStatus spinSimWrite(SpinSim *sim, uint32_t address, const void *bytes,
                           size_t size) {
  if (!sim->card)
    return sim->fail(SPINSIM_WRONG_ORDER, "the card has not run yet");
  uint8_t *place = sim->card->memory.findData(address, size);
  if (!place)
    return sim->fail(SPINSIM_BAD_ARGUMENT,
                     formatv("{0} bytes at {1:x} are not in one memory of the "
                             "card",
                             size, address));
  std::memcpy(place, bytes, size);
  return sim->succeed();
}

SpinSimStatus spinSimFindState(SpinSim *sim, uint32_t context, const char *name,
                               uint32_t cluster, uint32_t *address,
                               uint32_t *size) {
  if (context >= spinSimContextCount(sim) || cluster >= PSPIN_CLUSTERS)
    return sim->fail(SPINSIM_BAD_ARGUMENT, "no such context or cluster");
  const ContextInfo &info = sim->metadata.contexts[context];
  for (const StateInfo &state : info.state)
    if (state.name == name) {
      *address = state.inL1 ? l1Address(state.homeCluster.value_or(cluster),
                                        state.address)
                            : state.address;
      *size = state.size;
      return sim->succeed();
    }
  return sim->fail(SPINSIM_BAD_ARGUMENT,
                   formatv("{0} has no state '{1}'", info.name, name));
}
