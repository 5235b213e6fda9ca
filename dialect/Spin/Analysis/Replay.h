// A counterexample as something that can be done to a card: which packet to
// send, how long, with which bytes, and how to install the context. Whoever
// runs the program that was rejected on it sees it go wrong.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_REPLAY_H
#define SPINC_DIALECT_SPIN_ANALYSIS_REPLAY_H

#include "dialect/Spin/Analysis/Evaluator.h"
#include "dialect/Spin/Analysis/Solver.h"
#include "llvm/Support/JSON.h"

namespace spinc::spin {

/// The variables that a packet or the installation decides.
std::vector<VarId> replayVariables(const VariableTable &variables);

/// {"context": …, "handler": …, "length": bytes behind the headers,
///  "params": {name: value}, "hostSizes": {name: value},
///  "bytes": [{"offset": n, "width": bytes, "order": "be", "value": v}]}.
/// Only values that the sample fixes are there. What it says about values that
/// no packet decides, such as state, is left out.
llvm::json::Object describeReplay(HandlerOp handler, Evaluator &evaluator,
                                  const Sample &sample);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_REPLAY_H
