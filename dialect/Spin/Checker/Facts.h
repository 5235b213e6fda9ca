// What the checker knows at a place of a handler, derived from the IR alone.
// `walk` goes through a handler in the order of execution and keeps the truths
// of conditions, and the blocks that have run, up to date.
#ifndef SPINC_DIALECT_SPIN_CHECKER_FACTS_H
#define SPINC_DIALECT_SPIN_CHECKER_FACTS_H

#include "dialect/Spin/Checker/Form.h"
#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include <array>
#include <map>
#include <optional>

namespace spinc::spin::checker {

/// One of `goals` is not negative. `everywhere`: for each packet with all its
/// headers and each installation, not only where the operation runs.
struct Obligation {
  llvm::SmallVector<Form, 1> goals;
  bool everywhere = false;
};

/// What a loop's attributes claim: `spin.invariants` and `spin.rank`.
struct LoopClaims {
  llvm::SmallVector<AtomId> atoms; // of the loop variables
  llvm::SmallVector<mlir::Value> arguments, inits, yields, results;
  llvm::SmallVector<Form> invariants;
  enum { None, Linear, Halving, Doubling } rank = None;
  Form measure; // for halving and doubling, the variable
  Int step;
};

/// The place that each counted round of a loop passes once, if it has one.
mlir::Operation *roundStart(mlir::Operation *loop);

class Facts {
public:
  explicit Facts(HandlerOp handler);
  void walk(llvm::function_ref<void(mlir::Operation *)> visit);
  mlir::Operation *place() const { return at; }

  // Forms.cpp: what values are, and what holds for atoms.
  Form number(mlir::Value value, bool isSigned = false);
  Form length(mlir::Value slice);
  Form bytes(mlir::Value slice);
  std::optional<Form> boundForm(BoundAttr bound);
  /// `p.length`.
  Form payload();
  Form quotient(Form top, const Int &bottom);
  Form ratio(const Form &top, const Form &bottom);
  Form multiply(const Form &left, const Form &right);
  const Atom &atom(AtomId id) const { return atoms[id]; }
  /// Adds the atoms of `form`, and those that they are made of, to `names`.
  void mention(const Form &form, llvm::SmallVectorImpl<AtomId> &names) const;
  using Constraints = llvm::SmallVector<Constraint, 4>;
  /// What always holds for an atom.
  Constraints axioms(AtomId id);
  /// What the truth of a condition says.
  Constraints truth(mlir::Value condition);
  /// What is known of a value: that it is what its condition chooses, and what
  /// the matching rules say about a loaded field.
  Constraints about(mlir::Value value);
  /// That two loads see the same bytes of the packet.
  Constraints sameBytes(mlir::Value first, mlir::Value second);
  /// The invariants of the loop with this variable.
  Constraints invariants(mlir::Value argument);

  /// The two cases of a minimum, a maximum, or a known disjunction: a fact or
  /// the truth of a condition each.
  bool alternatives(mlir::Value value, std::array<Constraint, 2> &facts,
                    std::array<std::pair<mlir::Value, bool>, 2> &truths);
  /// Whether the value belongs to a condition that the host checked.
  bool isInstalled(mlir::Value value) const {
    return mlir::isa<ContractOp, StateOp>(
        value.getParentBlock()->getParentOp());
  }

  // Obligations.cpp
  /// What must be proved here; nothing if the operation is not known.
  std::optional<llvm::SmallVector<Obligation>> obligations();
  LoopClaims &claims(mlir::Operation *loop) { return loops[loop]; }
  /// False if the claims cannot be read.
  bool readClaims(mlir::Operation *loop);
  std::optional<Form> substitute(const Form &form, const LoopClaims &loop,
                                 llvm::ArrayRef<mlir::Value> by);
  std::optional<Form> readForm(llvm::StringRef &text);
  bool addClaims(llvm::SmallVector<Obligation> &to);

  // Facts.cpp: scopes. A mark is undone with everything assumed since.
  size_t mark() const { return trail.size(); }
  void undo(size_t mark);
  void assume(mlir::Value condition, bool truth);
  /// Whether the place is never reached.
  bool isDead() const { return dead != 0; }
  std::optional<bool> known(mlir::Value condition) const;
  std::array<mlir::Value, 3> choice(mlir::Value value) const;
  bool isAvailable(mlir::Value value) const;
  bool isAvailable(mlir::Block *block, mlir::Operation *op) const;
  mlir::Value value(uint64_t index) const {
    return index < values.size() ? values[index] : mlir::Value();
  }

protected:
  struct Event {
    enum { Known, Opened, Done, Dead } kind;
    mlir::Value condition;
    bool truth = false;
    mlir::Block *block = nullptr;
    mlir::scf::IfOp branch;
  };
  void push(Event event);
  void walkBlock(mlir::Block &block,
                 llvm::function_ref<void(mlir::Operation *)> visit);
  void open(mlir::scf::IfOp branch, bool taken);
  void assumeChoice(mlir::Value chosen);
  std::optional<Form> exact(mlir::Value value, bool isSigned);
  Form wrapped(const Form &form, unsigned width, bool isSigned);
  AtomId intern(Atom atom);
  bool isFixed(AtomId id) const;
  std::pair<mlir::Value, Form> start(mlir::Value slice);
  Int moduleNumber(llvm::StringRef name, int64_t fallback);
  bool isOverwritten(mlir::Operation *from, mlir::Operation *to);

  HandlerOp handler;
  ContextOp context;
  mlir::Operation *at;
  std::vector<mlir::Value> values;
  llvm::SmallVector<Event> trail;
  llvm::DenseMap<mlir::Value, bool> truths;
  llvm::DenseSet<mlir::Block *> opened;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::scf::IfOp, 1>> done;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<Event, 2>> summaries;
  unsigned dead = 0;
  std::vector<Atom> atoms;
  std::map<std::string, AtomId> interned;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Form> forms;
  llvm::DenseMap<mlir::Operation *, LoopClaims> loops;
  /// Position of each operation, and the operations that write the packet.
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::SmallVector<mlir::Operation *> writers;
  bool packetIsStable = true, packetIsFresh = true;
};

} // namespace spinc::spin::checker

#endif // SPINC_DIALECT_SPIN_CHECKER_FACTS_H
