//===- Report.cpp - The results of a run as a table -----------------------===//
//
// The rate of a payload handler is what the machine sustains, that of the run
// what this traffic got.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/Report.h"
#include "runtime/sim/HandlerStats.h"
#include "llvm/Support/FormatVariadic.h"
#include <vector>

using namespace spinc::sim;
using namespace llvm;

static void printMachine(const SpinSim *sim, const SpinSimTotals &totals,
                         raw_ostream &os) {
  os << formatv("HPUs busy {0:p1}; waiting (mean, most):", totals.busy);
  for (unsigned queue = 0; queue < SPINSIM_QUEUES; ++queue) {
    SpinSimQueueStats stats;
    spinSimQueue(sim, SpinSimQueueKind(queue), &stats);
    os << formatv("{0} {1} {2:f1} {3}", queue ? "," : "",
                  spinSimQueueNames[queue], stats.mean, stats.most);
  }
  os << '\n';
}

/// Where the cycles of the handlers that ran went, in percent.
static void printStalls(const std::vector<SpinSimHandlerStats> &handlers,
                        raw_ostream &os) {
  os << formatv("\n{0,-24}{1,9}", "% of its time", "instr");
  for (const char *name : spinSimStallNames)
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
  std::vector<SpinSimHandlerStats> handlers = handlerStats(sim);
  for (const SpinSimHandlerStats &stats : handlers) {
    double rate = stats.sustainedRate;
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
