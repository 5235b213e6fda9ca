// Looks up the embedded error pages.
#include "compiler/Diagnostics/Explain.h"

namespace spinc {

namespace {

struct Page {
  llvm::StringLiteral code;
  llvm::StringLiteral text;
};

constexpr Page pages[] = {
#define PAGE(CODE, TEXT) {llvm::StringLiteral(CODE), llvm::StringLiteral(TEXT)},
#include "compiler/Diagnostics/Pages.inc"
#undef PAGE
};

} // namespace

std::optional<llvm::StringRef> explain(llvm::StringRef code) {
  for (const Page &page : pages)
    if (page.code.equals_insensitive(code))
      return llvm::StringRef(page.text);
  return std::nullopt;
}

std::vector<llvm::StringRef> explainedCodes() {
  std::vector<llvm::StringRef> codes;
  for (const Page &page : pages)
    codes.push_back(page.code);
  return codes;
}

} // namespace spinc
