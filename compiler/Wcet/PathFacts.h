// What is known of registers on one way through the part of a function that a
// path search looks at: a function or the body of a loop, inner loops taken as
// one step. Branches that such a way cannot take are left out of the search,
// such as the second of two that ask whether the same value is 0 and 1.
//
// Values are symbols: what a register held at the entry, or what an instruction
// left in one. No way passes an instruction twice, so that a symbol means one
// value on it. All arithmetic is that of 32 bits.
//
// What holds where a loop is entered and at the end of each round holds at each
// of its rounds' begin. That is told in symbols of the loop's own entry.
#ifndef SPINC_COMPILER_WCET_PATHFACTS_H
#define SPINC_COMPILER_WCET_PATHFACTS_H

#include "compiler/Wcet/FlowGraph.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include <map>

namespace spinc::wcet {

/// Of all 32 registers.
using RegisterRanges = std::vector<llvm::ConstantRange>;

/// By block: registers that may be read before they are written.
std::vector<uint32_t> registersLiveAt(const FlowGraph &graph);

class PathFacts {
public:
  using Predicate = llvm::CmpInst::Predicate;

  /// Registers hold anything, or something of these ranges.
  PathFacts();
  explicit PathFacts(const RegisterRanges &ranges);

  /// Goes past an instruction that is no call. Of a comparison that can have
  /// either result the facts of the second one are appended to `others`; false
  /// if it can have none. `result` holds what is left in its register.
  bool step(const Site &site, const llvm::ConstantRange &result,
            std::vector<PathFacts> &others);
  /// Takes a branch that way; false if it cannot go there.
  bool assume(const isa::Insn &branch, bool taken);
  /// Anything may be in these registers, written behind `place`.
  void forget(uint32_t registers, uint32_t place);
  /// Drops what is known of other registers.
  void keep(uint32_t registers, uint32_t place);
  /// What holds here and there, where ways meet.
  void join(const PathFacts &other, uint32_t place);
  /// What holds at the entry of another part, to which all of these ways lead:
  /// ranges of these registers and how they compare. Besides they are known to
  /// be in `known`.
  static PathFacts atEntry(llvm::ArrayRef<PathFacts> ways, uint32_t registers,
                           const RegisterRanges &known);
  bool operator==(const PathFacts &other) const;

  llvm::ConstantRange range(unsigned reg) const { return rangeOf(forms[reg]); }
  /// What has been added to the register since the entry, if it is a sum with
  /// its value there.
  std::optional<llvm::ConstantRange> progress(unsigned reg) const;

private:
  using Symbol = uint64_t; ///< 0: none
  /// Up to two, the larger first.
  using Symbols = std::array<Symbol, 2>;
  /// Their sum with a constant.
  struct Form {
    Symbols symbols{};
    uint32_t offset = 0;
    bool isConstant() const { return symbols[0] == 0; }
    auto key() const { return std::tie(symbols, offset); }
    bool operator==(const Form &other) const { return key() == other.key(); }
    bool operator<(const Form &other) const { return key() < other.key(); }
  };
  /// How two forms, left < right, may compare: bits less, equal, greater.
  struct Relation {
    Form left, right;
    uint8_t asUnsigned = 7, asSigned = 7;
    bool operator==(const Relation &other) const;
  };
  /// Of less, equal and greater what may be.
  struct Orders {
    uint8_t asUnsigned = 7, asSigned = 7;
  };

  /// What a symbol of a register and a place is: what the instruction there
  /// leaves in it; what is in it where ways meet; that without what was in it
  /// at the entry.
  enum class Origin : uint8_t { Written, Joined, JoinedRest };
  /// In the order of the symbols: few, and copied often.
  struct RangeTable {
    using Entry = std::pair<Symbols, llvm::ConstantRange>;
    std::vector<Entry> entries;

    /// Null if there is none.
    const llvm::ConstantRange *find(const Symbols &symbols) const;
    llvm::ConstantRange *find(const Symbols &symbols);
    void set(const Symbols &symbols, const llvm::ConstantRange &range);
    void erase(const Symbols &symbols);

  private:
    size_t placeOf(const Symbols &symbols) const;
  };

  static Symbol symbolOf(unsigned reg, uint32_t place,
                         Origin origin = Origin::Written);
  static std::optional<Form> sum(const Form &a, const Form &b);
  llvm::ConstantRange rangeOf(const Symbols &symbols) const;
  llvm::ConstantRange rangeOf(const Form &form) const;
  void write(unsigned reg, const Form &form);
  void writeFresh(unsigned reg, uint32_t place,
                  const llvm::ConstantRange &range);
  Form computed(const Site &site, llvm::ConstantRange &range) const;
  bool stepComparison(const Site &site, std::vector<PathFacts> &others);
  bool assume(Predicate predicate, const Form &a, const Form &b);
  bool restrict(const Form &form, const llvm::ConstantRange &allowed);
  bool relate(Predicate predicate, Form a, Form b);
  Orders compare(const Form &a, const Form &b) const;
  std::optional<Form> restSince(unsigned reg) const;

  std::array<Form, 32> forms;
  /// Of single symbols and of sums of two; those that are not full.
  RangeTable ranges;
  std::vector<Relation> relations;
};

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_PATHFACTS_H
