// The facts that the checker derives, arranged for those who look for the few
// that matter.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_SEARCHFACTS_H
#define SPINC_DIALECT_SPIN_CERTIFY_SEARCHFACTS_H

#include "dialect/Spin/Checker/Claims.h"

namespace spinc::spin::certify {

using meaning::AtomId;
using meaning::Constraint;
using meaning::Constraints;
using meaning::Form;
using meaning::Int;

class SearchFacts : public checker::Induction {
public:
  using Induction::Induction;
  /// The conditions that are known here, and were not at the mark, in the order
  /// in which they became so.
  llvm::SmallVector<mlir::Value> knownConditions(size_t mark = 0) const;

  /// One fact of a condition that is known here.
  struct Told {
    mlir::Value condition;
    unsigned part;
    uint64_t serial;
  };
  /// Those that mention an atom, or a value that is a sum with it, the latest
  /// last.
  llvm::ArrayRef<Told> toldOf(AtomId atom);

  /// To be called at each load that the walk comes by.
  void noteLoad(mlir::Operation *op);
  /// Loads that the walk came by earlier and that begin at the same byte of the
  /// packet, or are of the same field.
  llvm::SmallVector<mlir::Value> loadsLike(mlir::Value loaded) const;
  /// What the header handler has left, if this is a later one.
  const Constraints &inherited();

private:
  void forgetUndone();

  std::optional<Constraints> left;
  /// The events of the trail that `told` covers, by serial, and the atoms that
  /// each has entries for.
  struct Covered {
    uint64_t serial;
    llvm::SmallVector<AtomId> atoms;
  };
  std::vector<Covered> covered;
  llvm::DenseMap<AtomId, llvm::SmallVector<Told, 2>> told;
  /// Loads in the order of the walk, by the place in the packet.
  std::map<std::string, llvm::SmallVector<mlir::Value>> loads;
  llvm::DenseMap<mlir::Value, std::pair<llvm::StringRef, unsigned>> loadPlaces;
};

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_SEARCHFACTS_H
