//===- Trace.h - A line of text per instruction ---------------------------===//
//
// What --trace prints: time, core, pc and the instruction about to run.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TRACE_H
#define SPINC_RUNTIME_SIM_TRACE_H

#include "runtime/sim/Core.h"
#include "runtime/sim/Image.h"
#include <string>

namespace spinc::sim {

/// The instruction that is next, with its source line if `image` knows it.
std::string traceLine(const Core &core, const Program &program,
                      const Image &image, uint64_t time);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TRACE_H
