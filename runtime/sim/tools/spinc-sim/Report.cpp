//===- Report.cpp - The results of a run ----------------------------------===//
//
// The rate of a payload handler is what all HPUs together sustain with the
// run's mean packet and cycles, the runtime's loop included; the rate of the
// run is what this traffic got.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/Report.h"
#include "runtime/abi/pspin.h"
#include "runtime/isa/Timing.h"
#include "llvm/Support/FormatVariadic.h"
#include <vector>

using namespace spinc::sim;
using namespace llvm;
using spinc::isa::latency::runtimeLoop;

static const char *const kindNames[] = {"header", "payload", "completion"};

static std::vector<SpinSimHandlerStats> collect(const SpinSim *sim) {
  std::vector<SpinSimHandlerStats> all(spinSimHandlerCount(sim));
  for (uint32_t i = 0; i < all.size(); ++i)
    spinSimHandlerStats(sim, i, &all[i]);
  return all;
}

/// 0 for handlers that do not run per packet, or have not run.
static double sustainedRate(const SpinSim *sim,
                            const SpinSimHandlerStats &stats,
                            const SpinSimTotals &totals) {
  if (stats.kind != SPINSIM_PAYLOAD || stats.count == 0 || totals.packets == 0)
    return 0;
  double cycles = double(stats.cyclesTotal + stats.waitTotal) / stats.count;
  double bits = 8.0 * totals.bytes / totals.packets;
  const SpinSimConfig &config = *spinSimGetConfig(sim);
  double hpus = double(config.clusters) * config.hpusPerCluster;
  return hpus * bits / (cycles + runtimeLoop) * config.machine.clockMhz / 1000;
}

/// What a stall is called in tables and in JSON.
constexpr const char *stallNames[SPINSIM_STALLS] = {
    "core", "l2", "remote", "command", "port", "bank", "fetch"};
constexpr const char *queueNames[SPINSIM_QUEUES] = {"network", "messages",
                                                    "scheduler", "l1", "hpus"};

static void printMachine(const SpinSim *sim, const SpinSimTotals &totals,
                         raw_ostream &os) {
  os << formatv("HPUs busy {0:p1}; waiting (mean, most):", totals.busy);
  for (unsigned queue = 0; queue < SPINSIM_QUEUES; ++queue) {
    SpinSimQueueStats stats;
    spinSimQueue(sim, SpinSimQueueKind(queue), &stats);
    os << formatv("{0} {1} {2:f1} {3}", queue ? "," : "", queueNames[queue],
                  stats.mean, stats.most);
  }
  os << '\n';
}

/// Where the cycles of the handlers that ran went, in percent.
static void printStalls(const std::vector<SpinSimHandlerStats> &handlers,
                        raw_ostream &os) {
  os << formatv("\n{0,-24}{1,9}", "% of its time", "instr");
  for (const char *name : stallNames)
    os << formatv("{0,9}", name);
  os << '\n';
  for (const SpinSimHandlerStats &stats : handlers) {
    double time = double(stats.cyclesTotal + stats.waitTotal) / 100;
    if (time == 0)
      continue;
    os << formatv("{0,-24}{1,9:f1}", stats.symbol,
                  double(stats.instructionsTotal) / time);
    for (uint64_t stall : stats.stalls)
      os << formatv("{0,9:f1}", double(stall) / time);
    os << '\n';
  }
}

static double instructionsPerCycle(const SpinSimHandlerStats &stats) {
  uint64_t cycles = stats.cyclesTotal + stats.waitTotal;
  return cycles ? double(stats.instructionsTotal) / double(cycles) : 0;
}

void spinc::sim::printReport(const SpinSim *sim, raw_ostream &os) {
  SpinSimTotals totals;
  spinSimTotals(sim, &totals);
  os << formatv("{0} packets ({1} bytes) in {2} cycles, {3:f1} Gbit/s; "
                "{4} messages, {5} packets sent, {6} left to the host\n",
                totals.packets, totals.bytes, totals.cycles, totals.rate,
                totals.messages, totals.outputs, totals.packetsToHost);
  if (totals.packetsLost)
    os << formatv("{0} packets dropped because L2 was full\n",
                  totals.packetsLost);
  if (totals.packets) {
    os << formatv("latency min {0}, median {1}, p99 {2}, max {3} cycles; "
                  "{4:f1} Gbit/s sent\n",
                  totals.latencyMin, totals.latencyMedian, totals.latencyP99,
                  totals.latencyMax, totals.rateOut);
    printMachine(sim, totals, os);
  }
  constexpr const char *row = "{0,-24}{1,9}{2,12}{3,8}{4,8}{5,8}{6,10}{7,11}"
                              "{8,6}{9,9}{10,8}{11,8}{12,9}\n";
  os << '\n'
     << formatv(row, "handler", "runs", "cycles min", "median", "p99", "max",
                "wait max", "instr max", "IPC", "dropped", "failed", "faults",
                "Gbit/s");
  std::vector<SpinSimHandlerStats> handlers = collect(sim);
  for (const SpinSimHandlerStats &stats : handlers) {
    double rate = sustainedRate(sim, stats, totals);
    std::string shown = rate > 0 ? formatv("{0:f1}", rate).str() : "";
    os << formatv(row, stats.symbol, stats.count, stats.cyclesMin,
                  stats.cyclesMedian, stats.cyclesP99, stats.cyclesMax,
                  stats.waitMax, stats.instructionsMax,
                  formatv("{0:f2}", instructionsPerCycle(stats)).str(),
                  stats.dropped, stats.failed, stats.faults, shown);
  }
  if (totals.packets)
    printStalls(handlers, os);
}

static json::Value summary(uint64_t min, uint64_t median, uint64_t p99,
                           uint64_t max, uint64_t total) {
  return json::Object{{"min", min},
                      {"median", median},
                      {"p99", p99},
                      {"max", max},
                      {"total", total}};
}

static json::Value stallsToJson(const SpinSimHandlerStats &stats) {
  json::Object stalls;
  for (unsigned cause = 0; cause < SPINSIM_STALLS; ++cause)
    stalls[stallNames[cause]] = stats.stalls[cause];
  return stalls;
}

static json::Value queuesToJson(const SpinSim *sim) {
  json::Object queues;
  for (unsigned queue = 0; queue < SPINSIM_QUEUES; ++queue) {
    SpinSimQueueStats stats;
    spinSimQueue(sim, SpinSimQueueKind(queue), &stats);
    queues[queueNames[queue]] =
        json::Object{{"mean", stats.mean}, {"most", stats.most}};
  }
  return queues;
}

static json::Value hpusToJson(const SpinSim *sim) {
  json::Array hpus;
  const SpinSimConfig &config = *spinSimGetConfig(sim);
  for (uint32_t cluster = 0; cluster < config.clusters; ++cluster)
    for (uint32_t hpu = 0; hpu < config.hpusPerCluster; ++hpu) {
      SpinSimHpuStats stats;
      spinSimHpu(sim, cluster, hpu, &stats);
      hpus.push_back(json::Object{{"cluster", cluster},
                                  {"hpu", hpu},
                                  {"tasks", stats.tasks},
                                  {"busy", stats.busy},
                                  {"instructions", stats.instructions}});
    }
  return hpus;
}

json::Value spinc::sim::reportToJson(const SpinSim *sim) {
  SpinSimTotals totals;
  spinSimTotals(sim, &totals);
  json::Array handlers, faults;
  for (const SpinSimHandlerStats &stats : collect(sim))
    handlers.push_back(json::Object{
        {"context", spinSimContextName(sim, stats.context)},
        {"kind", kindNames[stats.kind]},
        {"symbol", stats.symbol},
        {"count", stats.count},
        {"cycles", summary(stats.cyclesMin, stats.cyclesMedian, stats.cyclesP99,
                           stats.cyclesMax, stats.cyclesTotal)},
        {"wait", summary(stats.waitMin, stats.waitMedian, stats.waitP99,
                         stats.waitMax, stats.waitTotal)},
        {"instructions", json::Object{{"min", stats.instructionsMin},
                                      {"max", stats.instructionsMax},
                                      {"total", stats.instructionsTotal}}},
        {"instructionsPerCycle", instructionsPerCycle(stats)},
        {"stalls", stallsToJson(stats)},
        {"succeeded", stats.succeeded},
        {"dropped", stats.dropped},
        {"failed", stats.failed},
        {"faults", stats.faults},
        {"sustainedRate", sustainedRate(sim, stats, totals)}});
  for (uint64_t i = 0; i < spinSimFaultCount(sim); ++i) {
    SpinSimFault fault;
    spinSimFault(sim, i, &fault);
    faults.push_back(json::Object{{"text", fault.text},
                                  {"handler", fault.handler},
                                  {"code", fault.code},
                                  {"pc", fault.pc},
                                  {"address", fault.address},
                                  {"packet", fault.packet},
                                  {"cycle", fault.cycle}});
  }
  return json::Object{{"cycles", totals.cycles},
                      {"packets", totals.packets},
                      {"packetsToHost", totals.packetsToHost},
                      {"packetsRefused", totals.packetsRefused},
                      {"packetsLost", totals.packetsLost},
                      {"bytes", totals.bytes},
                      {"messages", totals.messages},
                      {"outputs", totals.outputs},
                      {"outputBytes", totals.outputBytes},
                      {"instructions", totals.instructions},
                      {"latency", json::Object{{"min", totals.latencyMin},
                                               {"median", totals.latencyMedian},
                                               {"p99", totals.latencyP99},
                                               {"max", totals.latencyMax}}},
                      {"rate", totals.rate},
                      {"rateOut", totals.rateOut},
                      {"busy", totals.busy},
                      {"clockMhz", spinSimGetConfig(sim)->machine.clockMhz},
                      {"queues", queuesToJson(sim)},
                      {"hpus", hpusToJson(sim)},
                      {"handlers", std::move(handlers)},
                      {"faults", std::move(faults)}};
}
