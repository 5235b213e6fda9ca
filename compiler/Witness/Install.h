// A context of an image, installed on a simulated card of one HPU, and packets
// for it. Runs are those of the simulator: the same cycles that it prints.
#ifndef SPINC_COMPILER_WITNESS_INSTALL_H
#define SPINC_COMPILER_WITNESS_INSTALL_H

#include "compiler/Wcet/Wcet.h"
#include "runtime/sim/Metadata.h"
#include "runtime/sim/spinsim.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace spinc::witness {

/// As handlers see it, from its first header on.
using Packet = std::vector<uint8_t>;
using Params = std::map<std::string, int64_t>;

/// What the host chooses, and what lies in the state before the first packet:
/// by field, zeros behind what is given.
struct Setting {
  Params params;
  uint64_t hostBytes = 0;
  std::map<std::string, std::vector<uint8_t>> state;
};

/// A field of the state that may begin with any contents: numbers of which no
/// proof knows more than their type.
struct StateField {
  std::string name;
  uint32_t address = 0; ///< for a run of Card, never by the alias
  uint32_t size = 0;
  unsigned element = 1; ///< bytes

  /// The field's whole contents in `setting`.
  std::vector<uint8_t> contents(const Setting &setting) const;
  /// Sets the element that holds this byte.
  void set(Setting &setting, uint32_t offset, uint64_t value) const;
  void fill(Setting &setting, uint64_t value) const;
};
std::vector<StateField> freeFields(const sim::ContextInfo &context);

/// A message of these packets after installation with `setting`.
struct Stimulus {
  Setting setting;
  std::vector<Packet> packets;
};

/// What an image says of itself to the simulator.
struct Program {
  llvm::StringRef elf;
  sim::Metadata metadata;
  bool isCorev = false; ///< cores of the machine that it runs on
  static llvm::Expected<Program> read(llvm::StringRef elf);
};

/// Called before each instruction with its address and the registers.
using Watch = llvm::function_ref<void(uint32_t pc, const uint32_t *registers)>;

class Card {
public:
  /// Fast unless somebody watches.
  Card(const Program &program, uint32_t context, const Setting &setting,
       std::optional<Watch> watch = std::nullopt);

  /// Why it cannot run, or what went wrong in a run: a handler that the card
  /// ended. Empty if nothing.
  const std::string &error() const { return problem; }
  /// All runs of handlers for one more message; packet numbers count from its
  /// first packet.
  llvm::ArrayRef<SpinSimRunInfo> run(llvm::ArrayRef<Packet> message);

private:
  struct Close {
    void operator()(SpinSim *sim) const { spinSimDestroy(sim); }
  };
  bool check(SpinSimStatus status);
  void writeState(uint32_t context, const Setting &setting);

  std::optional<Watch> watch;
  std::unique_ptr<SpinSim, Close> sim;
  std::unique_ptr<uint8_t, decltype(&std::free)> host{nullptr, std::free};
  std::vector<SpinSimRunInfo> runs;
  SpinSimLink link = SPINSIM_LINK_ETHERNET;
  uint64_t injected = 0;
  std::string problem;
};

/// Whether the simulator would install the context so.
bool mayInstall(const sim::ContextInfo &context, const Setting &setting);

/// The quantities of bounds in a run for this packet; quotients of `ranges`
/// follow from their parts.
SymbolValues valuesOf(const sim::ContextInfo &context, const Setting &setting,
                      const Packet &packet, const SymbolRanges &ranges);

/// The bound at the quantities of a run. Of packets that say themselves how
/// long their headers are, `at` has the length behind the least headers: there
/// the largest bound of all lengths that it may be.
std::optional<int64_t> boundAt(const HandlerBound &bound,
                               const sim::ContextInfo &context,
                               const SymbolValues &at);

} // namespace spinc::witness

#endif // SPINC_COMPILER_WITNESS_INSTALL_H
