// Linear forms over atoms, in unbounded integers. An atom is an integer that
// the checker takes as given: a value, a length, a symbol of the context, or a
// quotient or product of other forms.
#ifndef SPINC_DIALECT_SPIN_CHECKER_FORM_H
#define SPINC_DIALECT_SPIN_CHECKER_FORM_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DynamicAPInt.h"

namespace spinc::spin::checker {

using Int = llvm::DynamicAPInt;
using AtomId = unsigned;

/// constant + sum of coefficient * atom. Terms stand in the order in which they
/// came in, which only the IR decides: certificates count on it.
struct Form {
  llvm::SmallVector<std::pair<AtomId, Int>, 4> terms;
  Int constant;

  Form(Int constant = Int(0)) : constant(std::move(constant)) {}
  static Form of(AtomId atom, Int factor = Int(1)) {
    Form result;
    result.terms.emplace_back(atom, std::move(factor));
    return result;
  }
  Form plus(const Form &other, const Int &factor = Int(1)) const {
    Form result = *this;
    result.constant += other.constant * factor;
    for (const auto &added : other.terms) {
      auto *term = llvm::find_if(result.terms, [&](const auto &old) {
        return old.first == added.first;
      });
      if (term == result.terms.end())
        term = result.terms.insert(term, {added.first, Int(0)});
      term->second += added.second * factor;
      if (term->second == 0)
        result.terms.erase(term);
    }
    return result;
  }
  Form minus(const Form &other) const { return plus(other, Int(-1)); }
  Form times(const Int &factor) const { return Form().plus(*this, factor); }
};

/// form >= 0, or form == 0.
struct Constraint {
  Form form;
  bool equality = false;
};

enum class AtomKind {
  Unsigned, // `value` read as unsigned
  Signed,   // `value` read as signed
  Rounds,   // (index - begin) / step, for the index `value` of scf.for
  Length,   // elements of the slice `value`
  Packet,   // bytes of the packet, headers included
  Param,    // the parameter `name`
  Host,     // bytes of the host region `name`
  Quotient, // floor(top / bottom), bottom a positive constant
  Ratio,    // floor(top / bottom)
  Product,  // of `factors`
};

struct Atom {
  AtomKind kind;
  mlir::Value value;
  mlir::StringAttr name;
  Form top, bottom;
  llvm::SmallVector<AtomId, 2> factors;
};

inline Int powerOfTwo(unsigned exponent) {
  return Int(llvm::APInt::getOneBitSet(exponent + 2, exponent));
}

/// Takes the next word of a certificate.
inline llvm::StringRef nextWord(llvm::StringRef &text) {
  auto [word, rest] = text.ltrim(' ').split(' ');
  text = rest;
  return word;
}

/// The integer that `word` spells; 0 if it spells none.
inline Int toInt(llvm::StringRef word) {
  llvm::APInt value;
  bool isNegative = word.consume_front("-");
  if (word.getAsInteger(10, value))
    return Int(0);
  Int result(value.zext(value.getBitWidth() + 1));
  return isNegative ? -result : result;
}

/// The number that `word` spells; a very large one if it spells none.
inline unsigned numberIn(llvm::StringRef word) {
  unsigned number;
  return word.getAsInteger(10, number) ? ~0U : number;
}

} // namespace spinc::spin::checker

#endif // SPINC_DIALECT_SPIN_CHECKER_FORM_H
