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

void spinc::sim::printReport(const SpinSim *sim, raw_ostream &os) {
  SpinSimTotals totals;
  spinSimTotals(sim, &totals);
  os << formatv("{0} packets ({1} bytes) in {2} cycles, {3:f1} Gbit/s; "
                "{4} messages, {5} packets sent, {6} left to the host\n",
                totals.packets, totals.bytes, totals.cycles, totals.rate,
                totals.messages, totals.outputs, totals.packetsToHost);
  if (totals.packets)
    os << formatv("latency min {0}, median {1}, max {2} cycles\n",
                  totals.latencyMin, totals.latencyMedian, totals.latencyMax);
  constexpr const char *row = "{0,-24}{1,9}{2,12}{3,8}{4,8}{5,10}{6,11}{7,9}"
                              "{8,8}{9,8}{10,9}\n";
  os << '\n'
     << formatv(row, "handler", "runs", "cycles min", "median", "max",
                "wait max", "instr max", "dropped", "failed", "faults",
                "Gbit/s");
  for (const SpinSimHandlerStats &stats : collect(sim)) {
    double rate = sustainedRate(sim, stats, totals);
    std::string shown = rate > 0 ? formatv("{0:f1}", rate).str() : "";
    os << formatv(row, stats.symbol, stats.count, stats.cyclesMin,
                  stats.cyclesMedian, stats.cyclesMax, stats.waitMax,
                  stats.instructionsMax, stats.dropped, stats.failed,
                  stats.faults, shown);
  }
}

static json::Value summary(uint64_t min, uint64_t median, uint64_t max,
                           uint64_t total) {
  return json::Object{
      {"min", min}, {"median", median}, {"max", max}, {"total", total}};
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
        {"cycles", summary(stats.cyclesMin, stats.cyclesMedian, stats.cyclesMax,
                           stats.cyclesTotal)},
        {"wait", summary(stats.waitMin, stats.waitMedian, stats.waitMax,
                         stats.waitTotal)},
        {"instructions", json::Object{{"min", stats.instructionsMin},
                                      {"max", stats.instructionsMax},
                                      {"total", stats.instructionsTotal}}},
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
                                               {"max", totals.latencyMax}}},
                      {"rate", totals.rate},
                      {"handlers", std::move(handlers)},
                      {"faults", std::move(faults)}};
}
