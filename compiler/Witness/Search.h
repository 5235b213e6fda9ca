// Looks for the packet and the state that drive a handler to its bound. The
// search runs what it tries: a witness is a run that took so many cycles, and
// no witness proves nothing.
//
// It begins with the quantities at which the bound is largest and climbs: an
// input is kept if it took more cycles than any before, or ran an instruction
// that none did. Of kept inputs each comparison that was run is looked at: if
// one side shows in the packet, in a parameter, in the length or in an element
// of the state that was read, it is replaced by the other side, so that guards
// are passed without guessing. At last it climbs from the dearest run by
// packets for which one comparison, of the last ones first, has another result.
#ifndef SPINC_COMPILER_WITNESS_SEARCH_H
#define SPINC_COMPILER_WITNESS_SEARCH_H

#include "compiler/Wcet/Wcet.h"
#include "compiler/Witness/Install.h"

namespace spinc::witness {

struct Witness {
  Stimulus stimulus;
  /// The packet for which the handler ran so long; state is what the setting
  /// began with and what the packets before it left.
  size_t packet = 0;
  int64_t cycles = 0;
  /// The quantities of this run, and the bound there.
  SymbolValues at;
  int64_t bound = 0;
};

struct SearchOptions {
  /// Messages to try.
  unsigned tries = 1000;
  uint64_t seed = 1;
};

/// The dearest run that was found; an error if the handler cannot be run, or
/// breaks its bound.
llvm::Expected<std::optional<Witness>>
findWitness(const Program &program, const HandlerBound &bound,
            const SearchOptions &options = {});

/// The context and the kind of a handler; nothing if the image has none such.
struct HandlerPlace {
  uint32_t context = 0;
  SpinSimHandlerKind kind = SPINSIM_PAYLOAD;
};
std::optional<HandlerPlace> findHandler(const Program &program,
                                        llvm::StringRef symbol);

/// The run of `handler` that took most cycles when `stimulus` is replayed.
llvm::Expected<Witness> replay(const Program &program, HandlerPlace handler,
                               const HandlerBound &bound,
                               const Stimulus &stimulus);

} // namespace spinc::witness

#endif // SPINC_COMPILER_WITNESS_SEARCH_H
