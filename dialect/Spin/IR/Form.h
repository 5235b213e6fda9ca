// Linear forms over atoms, in unbounded integers: how the meaning of operations
// is told to those who prove and check. An atom is an integer that is taken as
// given: a value, a length, a symbol of the context, or a quotient or product
// of other forms.
#ifndef SPINC_DIALECT_SPIN_IR_FORM_H
#define SPINC_DIALECT_SPIN_IR_FORM_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DynamicAPInt.h"
#include <array>
#include <optional>

namespace spinc::spin::meaning {

using Int = llvm::DynamicAPInt;
struct Atom;
using AtomId = const Atom *;

/// constant + sum of coefficient * atom. Terms stand in the order of their
/// atoms' ranks, which only the IR decides: certificates count on it.
struct Form {
  llvm::SmallVector<std::pair<AtomId, Int>, 4> terms;
  Int constant;

  Form(Int constant = Int(0)) : constant(std::move(constant)) {}
  static Form of(AtomId atom, Int factor = Int(1)) {
    Form result;
    result.terms.emplace_back(atom, std::move(factor));
    return result;
  }
  bool isConstant() const { return terms.empty(); }
  Form plus(const Form &other, const Int &factor = Int(1)) const;
  Form minus(const Form &other) const { return plus(other, Int(-1)); }
  Form times(const Int &factor) const { return Form().plus(*this, factor); }
};

/// form >= 0, or form == 0.
struct Constraint {
  Form form;
  bool equality = false;
};
using Constraints = llvm::SmallVector<Constraint, 4>;

/// big >= small.
inline Constraint notBelow(const Form &big, const Form &small) {
  return {big.minus(small)};
}

/// One of `goals` is not negative. `everywhere`: for each packet with all its
/// headers and each installation, not only where the operation runs.
struct Obligation {
  llvm::SmallVector<Form, 1> goals;
  bool everywhere = false;
  /// If it is about one outcome of a condition: that and the outcome.
  std::pair<mlir::Value, bool> given = {};
  static Obligation notBelow(const Form &big, const Form &small) {
    return {{big.minus(small)}};
  }
  /// What can only hold where control never comes.
  static Obligation impossible() { return {{Form(Int(-1))}}; }
};
using Obligations = llvm::SmallVector<Obligation>;

/// Of two cases one holds: a fact each, or the truth of a condition each.
struct Cases {
  std::array<Constraint, 2> facts;
  std::array<std::pair<mlir::Value, bool>, 2> truths;
};

enum class AtomKind {
  Unsigned, // `value` read as unsigned
  Signed,   // `value` read as signed
  Rounds,   // (index - begin) / step, for the index `value` of scf.for
  Length,   // elements of the slice `value`
  Packet,   // bytes of the packet, headers included
  Param,    // the parameter `name`
  Host,     // bytes of the host region `name`
  Field,    // the plain field `name` where the handler starts
  Message,  // bytes of the message, as its first packet says
  Quotient, // floor(top / bottom), bottom a positive constant
  Ratio,    // floor(top / bottom)
  Product,  // of `factors`
};

struct Atom {
  AtomKind kind;
  mlir::Value value = {};
  mlir::StringAttr name = {};
  /// Of the readings of a value, `top` is a sum that it equals, if that is
  /// long.
  Form top = {}, bottom = {};
  llvm::SmallVector<AtomId, 2> factors = {};
  uint64_t rank = 0;
};

inline Int powerOfTwo(unsigned exponent) {
  return Int(llvm::APInt::getOneBitSet(exponent + 2, exponent));
}

} // namespace spinc::spin::meaning

#endif // SPINC_DIALECT_SPIN_IR_FORM_H
