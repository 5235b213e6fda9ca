// What the language has and the target has not: actions and message fields that
// a PsPIN card cannot carry out, with what is missing (act-5, hdl-6). Taken
// from the card's commands and registers; runtime/abi/pspin.h names those it
// has.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

namespace {

struct Gap {
  const char *missing; // "target pspin …"
  const char *fix;     // empty: there is no other way
};

} // namespace

static const Gap *gapOf(Builtin id) {
  static const Gap get = {
      "cannot fetch from another node: its network commands send", ""};
  static const Gap remoteAtomic = {
      "has no atomic operation on another node's memory: its network commands "
      "send packets",
      ""};
  static const Gap putFromHost = {
      "sends from the card's memory only, not from host memory",
      "dma_from_host into local memory, then put"};
  static const Gap hostAtomic = {
      "has no atomic operation on host memory: its host commands copy and "
      "write",
      "keep the value in an atomic state field, and notify the host of it"};
  static const Gap test = {
      "cannot test a command: its test register answers for one command only",
      "wait for the command"};
  static const Gap yield = {
      "runs each handler to its end: there is nothing to yield to",
      "leave the statement out"};
  static const Gap cycles = {"has no cycle counter that handlers can read",
                             "take the cycles from 'spinc --emit=report' or "
                             "from the simulator"};
  static const Gap target = {"does not tell a handler the message's target",
                             ""};
  static const Gap dropped = {
      "does not count the bytes that were dropped",
      "count them in an atomic state field where they are dropped"};
  static const Gap flowControl = {
      "does not tell a handler of flow control: packets wait until there is "
      "room for them",
      ""};
  switch (id) {
  case Builtin::Get:
  case Builtin::GetToHost:
    return &get;
  case Builtin::AtomicOp:
    return &remoteAtomic;
  case Builtin::PutFromHost:
    return &putFromHost;
  case Builtin::HostCas:
  case Builtin::HostFetchAdd:
    return &hostAtomic;
  case Builtin::Test:
    return &test;
  case Builtin::Yield:
    return &yield;
  case Builtin::Cycles:
    return &cycles;
  case Builtin::MessageTarget:
    return &target;
  case Builtin::MessageDroppedBytes:
    return &dropped;
  case Builtin::MessageFlowControl:
    return &flowControl;
  default:
    return nullptr;
  }
}

/// act-5: reports what the card lacks for `id`, if anything.
bool Analyzer::targetHas(Builtin id, SourceRange range) {
  const Gap *gap = gapOf(id);
  if (!gap)
    return true;
  DiagnosticBuilder report =
      diagnostics.report(diag::TargetLacks, range, gap->missing);
  if (*gap->fix)
    report.fix(gap->fix);
  return false;
}

} // namespace spinc::sema
