// The value of a literal as it is written. No ANTLR here.
#ifndef SPINC_SYNTAX_LITERALS_H
#define SPINC_SYNTAX_LITERALS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <variant>

namespace spinc::syntax {

/// The literal does not fit into 64 bits.
struct TooLarge {};
/// The literal has no value; the text says why.
struct BadLiteral {
  std::string reason;
};

using IntegerValue = std::variant<uint64_t, TooLarge, BadLiteral>;

/// `12`, `1_000`, `0xFF`, `0b101`, `64Ki`, `400G`.
IntegerValue parseInteger(llvm::StringRef text);

/// `'a'`, `'\n'`, `'\''`, with the quotes.
IntegerValue parseCharacter(llvm::StringRef text);

/// Why `text`, which begins with a digit, is no number.
std::string explainBadNumber(llvm::StringRef text);

double parseFloat(llvm::StringRef text);

} // namespace spinc::syntax

#endif // SPINC_SYNTAX_LITERALS_H
