//===- Replay.h - Witnesses of rejected programs, run ---------------------===//
//
// `--replay-witness`: what the compiler's prover did not accept in a program,
// done. Each witness becomes a packet and a way to install the context, and a
// card that watches every byte runs the program without its missing guard.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_REPLAY_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_REPLAY_H

#include "runtime/sim/tools/spinc-sim/Options.h"

namespace spinc::sim {

/// Replays `options.image`, an image of `spinc --unsafe-emit-rejected` or a
/// program, for which the compiler beside `executable` makes one. Returns 0 if
/// each witness was seen to go wrong, 1 if not or if the input is bad.
int replayWitnesses(const Options &options, const std::string &executable);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_REPLAY_H
