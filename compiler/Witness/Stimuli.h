// Parameters and packets for a context, from what its image says: random ones,
// ones at the edges, and ones that hold numbers of the program.
#ifndef SPINC_COMPILER_WITNESS_STIMULI_H
#define SPINC_COMPILER_WITNESS_STIMULI_H

#include "compiler/Witness/Install.h"
#include <random>

namespace spinc::witness {

using Random = std::mt19937_64;

class Stimuli {
public:
  Stimuli(const Program &program, uint32_t context, const SymbolRanges &ranges,
          uint64_t seed);

  /// Parameters and host memory that may be installed, with the values in
  /// `wanted` if that can be; nothing if none were found.
  std::optional<Setting> setting(const SymbolValues &wanted);
  /// Another number in all of some fields of the state, or any in each element.
  void fillState(Setting &setting);
  /// A packet that the context matches, with so many bytes behind its headers.
  Packet packet(size_t payload);
  /// A length behind the headers, often an edge.
  size_t length();
  size_t longest() const { return mostPayload; }
  /// Another packet that matches: some bytes changed.
  Packet change(Packet packet);
  /// Sets what the context matches.
  void applyRules(Packet &packet);
  /// Makes the packets one message: none is empty, and of portals packets,
  /// lengths and offsets follow (msg-1). What the handler may see of it is left
  /// alone.
  void makeMessage(std::vector<Packet> &packets);
  /// A number of the program, one beside it, or any.
  uint64_t number();
  uint64_t below(uint64_t limit) { return random() % limit; }

private:
  void repeatPattern(Packet &packet, size_t from);
  std::optional<Setting> trySetting(const SymbolValues &wanted);
  void collectNumbers(llvm::StringRef elf);
  void collectNumbers(const llvm::json::Value &condition);

  const sim::ContextInfo &context;
  const SymbolRanges &ranges;
  const std::vector<StateField> fields;
  size_t mostPayload = 0;
  std::vector<uint64_t> numbers = {0, 1, 2, 4, 8, 64, 255, 256, 65535};
  Random random;
  uint16_t messageId = 0;
};

} // namespace spinc::witness

#endif // SPINC_COMPILER_WITNESS_STIMULI_H
