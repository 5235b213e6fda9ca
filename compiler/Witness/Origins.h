// Where the values of registers come from while a handler runs, as far as they
// are made of the packet, and which packet would have made another value: the
// instructions that a value went through are undone one by one, from the last
// to the load of its bytes.
#ifndef SPINC_COMPILER_WITNESS_ORIGINS_H
#define SPINC_COMPILER_WITNESS_ORIGINS_H

#include "compiler/Witness/Install.h"
#include "runtime/isa/Isa.h"
#include <array>

namespace spinc::witness {

class Origins {
public:
  /// A value; 0: it does not come from the packet, or nobody knows how.
  using Id = uint32_t;

  void clear();
  /// A handler begins: what registers hold is no more of interest.
  void enter();
  /// Before the instruction runs; `address` is that of its access.
  void see(const isa::Insn &insn, uint32_t address, const uint32_t *registers);
  Id of(unsigned reg) const { return held[reg]; }

  /// Changes the packet so that the value would be `goal`, if all else stayed
  /// as it was. False if that cannot be, and the packet is as before.
  bool solve(Id value, uint32_t goal, Packet &packet) const;

private:
  /// What made a value. The operands are as they were; some have an origin.
  struct Node {
    isa::Insn insn;
    uint32_t offset = 0; ///< loads: in the packet
    std::array<uint32_t, 3> operands{};
    std::array<Id, 3> origins{};
  };
  Id append(Node node);
  std::optional<Id> load(const isa::Insn &insn, uint32_t address);
  static bool store(const Node &load, uint32_t goal, Packet &packet);
  static std::optional<uint32_t> undo(const Node &node, unsigned operand,
                                      uint32_t goal);

  std::vector<Node> nodes;
  std::array<Id, 32> held{};
  /// Registers that the instruction before this one loads the packet's address
  /// to.
  std::optional<unsigned> arriving;
  std::optional<uint32_t> packet;
};

} // namespace spinc::witness

#endif // SPINC_COMPILER_WITNESS_ORIGINS_H
