//===- Engine.h - Which engine runs a core's instructions -----------------===//
#ifndef SPINC_RUNTIME_SIM_ENGINE_H
#define SPINC_RUNTIME_SIM_ENGINE_H

#include <cstdint>

namespace spinc::sim {

enum class EngineKind : uint8_t {
  Simple,     // the interpreter: the definition
  Fast,       // hot code translated, the same results and times
  Functional, // the same without time
};

/// Compiling takes as long as interpreting about so many visits.
constexpr uint32_t defaultThreshold = 10000;

struct EngineChoice {
  EngineKind kind = EngineKind::Fast;
  /// A place is translated when it was reached so often.
  uint32_t threshold = defaultThreshold;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_ENGINE_H
