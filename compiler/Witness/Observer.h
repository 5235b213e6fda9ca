// Watches a handler run, for the search of a witness: what ran, what was
// compared, which elements of the state were read.
#ifndef SPINC_COMPILER_WITNESS_OBSERVER_H
#define SPINC_COMPILER_WITNESS_OBSERVER_H

#include "compiler/Witness/Origins.h"
#include "runtime/sim/Image.h"
#include <deque>
#include <set>

namespace spinc::witness {

/// What a run did that the next input may go by.
class Observer {
public:
  Observer(const Program &program, llvm::StringRef symbol,
           llvm::ArrayRef<StateField> fields);
  void clear();
  void see(uint32_t pc, const uint32_t *registers);

  /// By offset in the program: what ran in the handler and, at odd offsets,
  /// comparisons with equal sides. Of guards that the compiler tests together
  /// each one met is a step.
  std::vector<bool> executed;
  /// Both sides of comparisons, and of what often makes one.
  /// In the order in which they were met: first guards, then loops.
  struct Pair {
    uint32_t left = 0, right = 0;
    Origins::Id leftOrigin = 0, rightOrigin = 0;
    size_t run = 0; ///< of the handler
  };
  std::vector<Pair> pairs;
  /// The last ones that the packet decides: why chains of records end.
  std::deque<Pair> latest;
  /// An atomic whose address is made of the packet, and the access right behind
  /// it: that waits if both are of one bank.
  struct Neighbour {
    Origins::Id origin = 0;
    uint32_t address = 0, next = 0;
    size_t run = 0;
  };
  std::vector<Neighbour> neighbours;
  Origins origins;
  /// What additions took away from numbers: a length without its header is
  /// compared, the whole length is in the packet. And 0.
  std::set<int32_t> steps;
  /// An element of a field that was read, and what the register held then.
  struct Touch {
    size_t field = 0; ///< of those given to the constructor
    uint32_t offset = 0;
    uint32_t value = 0;
  };
  std::vector<Touch> touches;

private:
  const isa::Insn &at(uint32_t pc);
  void noteAccess(const isa::Insn &insn, uint32_t address);
  void noteNeighbour(const isa::Insn &insn, uint32_t address);
  void noteComparison(uint32_t pc, const isa::Insn &insn,
                      const uint32_t *registers);

  const std::vector<StateField> fields;
  sim::Image image;
  std::map<uint32_t, isa::Insn> decoded;
  std::set<std::pair<uint32_t, uint32_t>> seen;
  std::map<uint32_t, unsigned> pairsAt; ///< by address
  uint32_t entry = 0, returnsTo = 0;
  bool inside = false;
  /// The register that the instruction before this one loads an element to.
  std::optional<unsigned> arriving;
  std::optional<Neighbour> atomic; ///< the instruction before this one
  size_t runs = 0;
};

} // namespace spinc::witness

#endif // SPINC_COMPILER_WITNESS_OBSERVER_H
