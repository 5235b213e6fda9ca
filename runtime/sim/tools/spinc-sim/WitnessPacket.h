//===- WitnessPacket.h - A packet from what a prover knows of it ----------===//
//
// The prover fixes a few bytes of a packet; match rules fix others; the rest is
// free and filled with a pattern.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_WITNESSPACKET_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_WITNESSPACKET_H

#include "runtime/sim/Metadata.h"

namespace spinc::sim {

/// The packet that `replay` (docs/image.md, "Rejected programs") asks of
/// `context`, free bytes filled by pattern number `fill`.
std::vector<uint8_t> makeWitnessPacket(const ContextInfo &context,
                                       const llvm::json::Object &replay,
                                       uint32_t mtu, unsigned fill);

/// Patterns there are: zeros, ones, counting bytes, and pseudo-random ones.
constexpr unsigned fillPatterns = 64;

/// Values of all parameters and the size of the host region with which the
/// context can be installed: those that `replay` names, and for the others
/// small ones that satisfy every `where` and `contract`. Nothing if none of the
/// values that are tried do.
std::optional<ConditionInputs>
findInstallation(const ContextInfo &context, const llvm::json::Object &replay,
                 uint32_t clusters);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_WITNESSPACKET_H
