// See ReportJson.h. docs/cycle-bounds.md lists the keys.
#include "compiler/Wcet/ReportJson.h"

using namespace llvm;
using namespace spinc;

json::Array spinc::toJSON(ArrayRef<SymbolicCount> counts) {
  json::Array list;
  for (const SymbolicCount &count : counts)
    list.push_back(count.toJSON());
  return list;
}

json::Object spinc::figuresToJSON(const HandlerBound &bound) {
  json::Object figures;
  for (const Figure &figure : bound.figures)
    figures[figureName(figure.kind)] =
        json::Object{{"cycles", toJSON(figure.cycles)},
                     {"formula", printMaximum(figure.cycles)},
                     {"worst", figure.worst},
                     {"assumption", figure.assumption}};
  return figures;
}

static json::Array linesToJSON(const HandlerBound &bound) {
  json::Array lines;
  for (const LineCost &line : bound.lines)
    lines.push_back(json::Object{{"file", line.file},
                                 {"line", line.line},
                                 {"each", line.each},
                                 {"executions", line.executions},
                                 {"cycles", line.cycles},
                                 {"instructions", line.instructions}});
  return lines;
}

json::Array spinc::toJSON(ArrayRef<LoopAttempt> attempts) {
  json::Array list;
  for (const LoopAttempt &attempt : attempts)
    list.push_back(json::Object{{"what", attempt.what},
                                {"done", attempt.done},
                                {"detail", attempt.detail}});
  return list;
}

static json::Array loopsToJSON(const HandlerBound &bound) {
  json::Array loops;
  for (const LoopCost &loop : bound.loops)
    loops.push_back(json::Object{{"id", loop.id},
                                 {"line", loop.line},
                                 {"bound", loop.bound.toJSON()},
                                 {"perIteration", loop.perIteration},
                                 {"roundsPerTurn", loop.roundsPerTurn},
                                 {"hardware", loop.hardware},
                                 {"attempts", toJSON(loop.attempts)},
                                 {"cycles", loop.cycles}});
  return loops;
}

json::Object spinc::reportToJSON(const HandlerReport &handler,
                                 const LinkSpec &link, bool budgetHolds) {
  const HandlerBound &bound = *handler.bound;
  json::Array assumptions, rates;
  for (const std::string &text : bound.assumptions)
    assumptions.push_back(text);
  for (const SustainedRate &rate : ratesOf(handler, link))
    rates.push_back(json::Object{{"packetBytes", rate.packetBytes},
                                 {"cycles", rate.cycles},
                                 {"megabits", rate.megabits},
                                 {"hpusNeeded", rate.hpusNeeded},
                                 {"memoryNeeded", rate.memoryNeeded},
                                 {"limit", limitName(rate.limit)}});
  json::Object at;
  for (const auto &[name, value] : bound.worstAt)
    at[name] = value;
  json::Object object{{"name", handler.name},
                      {"symbol", bound.symbol},
                      {"budget", handler.budgetText},
                      {"budgetHolds", budgetHolds},
                      {"cycles", toJSON(bound.cycles)},
                      {"formula", printMaximum(bound.cycles)},
                      {"worst", bound.worst},
                      {"worstAt", std::move(at)},
                      {"instructions", bound.instructions},
                      {"commands", bound.commands},
                      {"waits", bound.waits},
                      {"lines", linesToJSON(bound)},
                      {"loops", loopsToJSON(bound)},
                      {"figures", figuresToJSON(bound)},
                      {"sustained", std::move(rates)},
                      {"assumptions", std::move(assumptions)}};
  if (handler.checks)
    object["checks"] = toJSON(*handler.checks);
  if (bound.graph)
    object["graph"] = *bound.graph;
  return object;
}
