//===- ReportJson.cpp - The C interface: all counts as JSON ---------------===//
//
// Written from what the other functions of spinsim.h return.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/HandlerStats.h"
#include "runtime/sim/SimState.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace spinc::sim;
using llvm::formatv;
namespace json = llvm::json;

const char *const spinSimStallNames[SPINSIM_STALLS] = {
    "core", "l2", "remote", "command", "port", "bank", "fetch"};
const char *const spinSimQueueNames[SPINSIM_QUEUES] = {
    "network", "messages", "scheduler", "l1", "hpus"};
static const char *const kindNames[] = {"header", "payload", "completion"};

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
    stalls[spinSimStallNames[cause]] = stats.stalls[cause];
  return stalls;
}

static json::Value queuesToJson(const SpinSim *sim) {
  json::Object queues;
  for (unsigned queue = 0; queue < SPINSIM_QUEUES; ++queue) {
    SpinSimQueueStats stats;
    spinSimQueue(sim, SpinSimQueueKind(queue), &stats);
    queues[spinSimQueueNames[queue]] =
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

static json::Value reportOf(const SpinSim *sim) {
  SpinSimTotals totals;
  spinSimTotals(sim, &totals);
  json::Array handlers, faults;
  for (const SpinSimHandlerStats &stats : handlerStats(sim))
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
        {"sustainedRate", stats.sustainedRate}});
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
                      {"packetsHeld", totals.packetsHeld},
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

const char *spinSimReport(SpinSim *sim) {
  sim->report = formatv("{0:2}\n", reportOf(sim));
  return sim->report.c_str();
}
