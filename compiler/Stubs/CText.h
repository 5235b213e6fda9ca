// Pieces of C text for the stub writer: names that C accepts, types with the
// layout of the card, string literals, and calls laid out in 80 columns.
#ifndef SPINC_STUBS_CTEXT_H
#define SPINC_STUBS_CTEXT_H

#include "compiler/Sema/Types.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace spinc::stubs {

/// `name` as a C identifier: other characters become '_', and a name that C or
/// C++ reserves, or that the stubs use themselves, gets a '_' at its end.
std::string identifier(llvm::StringRef name);

/// `text` as a C string literal with its quotes.
std::string literal(llvm::StringRef text);

/// `text` without line breaks and comment marks, for use within a comment.
std::string commentText(llvm::StringRef text);

/// Declares a member of the card's layout, such as "uint32_t block" or
/// "uint32_t bin[1024]". A struct is spelled out, an enum is its number; types
/// that C has no twin for become bytes.
std::string member(const sema::Type *type, llvm::StringRef name);

/// A C expression: a plain text, or a call of `text` with `arguments`.
struct CExpr {
  std::string text;
  std::vector<CExpr> arguments;
  bool isCall = false;

  static CExpr plain(std::string text) { return {std::move(text), {}, false}; }
  static CExpr call(std::string name, std::vector<CExpr> arguments) {
    return {std::move(name), std::move(arguments), true};
  }
  std::string flat() const;
};

/// Writes `before`, `expr` and `after`. What does not fit a line is broken
/// behind `before` and after each argument of a call.
void print(llvm::raw_ostream &os, llvm::StringRef before, const CExpr &expr,
           llvm::StringRef after);

/// The image as the rows of an array initialiser.
void printBytes(llvm::raw_ostream &os, llvm::ArrayRef<uint8_t> bytes);

} // namespace spinc::stubs

#endif // SPINC_STUBS_CTEXT_H
