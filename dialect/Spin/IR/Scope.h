// What control flow means: what holds at a place of a handler. `walk` goes
// through it in the order of execution and keeps the truths of conditions, and
// the blocks that have run, up to date. A value that has been computed stays
// what it is until its block runs again, which only happens when the scope of
// the block has been left.
#ifndef SPINC_DIALECT_SPIN_IR_SCOPE_H
#define SPINC_DIALECT_SPIN_IR_SCOPE_H

#include "dialect/Spin/IR/Numbers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include <unordered_map>

namespace spinc::spin::meaning {

class Scope : public Numbers {
public:
  using Numbers::Numbers;
  using Visitor = llvm::function_ref<void(mlir::Operation *)>;
  void walk(Visitor visit);
  mlir::Operation *place() const { return at; }

  /// What is assumed is undone with everything assumed since its mark.
  size_t mark() const { return trail.size(); }
  void undo(size_t mark);
  void assume(mlir::Value condition, bool truth);
  /// Whether the place is never reached.
  bool isDead() const { return dead != 0; }
  std::optional<bool> known(mlir::Value condition) const;
  bool isAvailable(mlir::Value value) const;

  // Facts; none where they do not apply. Those of an atom and of a condition
  // are the same wherever they do, and are found once.
  const Constraints &axiomsOf(AtomId atom);
  const Constraints &truthOf(mlir::Value condition);
  Constraints factsOf(mlir::Value value);
  std::optional<Cases> casesOf(mlir::Value value);
  /// The condition and the two values of a choice, if `value` is one.
  static std::array<mlir::Value, 3> choice(mlir::Value value);
  /// Whether the value belongs to a condition that the host checked.
  static bool isInstalled(mlir::Value value);

protected:
  struct Event {
    enum { Known, Opened, Done, Dead } kind;
    mlir::Value condition = {};
    bool truth = false;
    mlir::Block *block = nullptr;
    mlir::scf::IfOp branch = {};
    /// Tells events apart that stand at the same place of the trail.
    uint64_t serial = 0;
  };
  void push(Event event);
  void walkBlock(mlir::Block &block, Visitor visit);
  void walkRegions(mlir::Operation *op, Visitor visit);
  void open(mlir::scf::IfOp branch, bool taken);
  void assumeChoice(mlir::Value chosen);
  bool isAvailable(mlir::Block *block, mlir::Operation *op) const;

  mlir::Operation *at = nullptr;
  llvm::SmallVector<Event> trail;
  llvm::DenseMap<mlir::Value, bool> truths;
  llvm::DenseSet<mlir::Block *> opened;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::scf::IfOp, 1>> done;
  /// What became known in a block, for when its branch turns out to have run.
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<Event, 2>> summaries;
  unsigned dead = 0;
  uint64_t events = 0;
  std::unordered_map<AtomId, Constraints> axiomsFound;
  /// Of conditions that are false, and of those that are true.
  std::array<std::unordered_map<const void *, Constraints>, 2> truthsFound;
};

} // namespace spinc::spin::meaning

#endif // SPINC_DIALECT_SPIN_IR_SCOPE_H
