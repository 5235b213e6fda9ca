// From ANTLR's tokens to places in the source. ANTLR counts code points and
// skips a byte-order mark; the rest of the compiler counts bytes.
#ifndef SPINC_SYNTAX_TOKENPLACES_H
#define SPINC_SYNTAX_TOKENPLACES_H

#include "compiler/Source/SourceFile.h"

#include "antlr4-runtime.h"

namespace spinc::syntax {

class TokenPlaces {
public:
  /// `text` is the part of the file that ANTLR reads, `skipped` bytes into it.
  TokenPlaces(const SourceFile &file, llvm::StringRef text, uint32_t skipped)
      : file(file), map(text), skipped(skipped) {}

  SourceRange of(const antlr4::Token *token) const {
    uint32_t begin = byte(token->getStartIndex());
    if (token->getType() == antlr4::Token::EOF)
      return file.range(begin, begin);
    return file.range(begin, byte(token->getStopIndex() + 1));
  }
  SourceRange of(const antlr4::ParserRuleContext *node) const {
    return join(of(node->start), of(node->stop));
  }

private:
  uint32_t byte(size_t codePoint) const {
    return map.byteOffset(codePoint) + skipped;
  }

  const SourceFile &file;
  CodePointMap map;
  uint32_t skipped;
};

} // namespace spinc::syntax

#endif // SPINC_SYNTAX_TOKENPLACES_H
