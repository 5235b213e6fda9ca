// The words of a certificate that name values are those of
// docs/certificates.md.
#include "dialect/Spin/Certify/Memory.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;

/// `text` with other numbers for the values that it cites.
static std::string renamed(StringRef text,
                           llvm::function_ref<unsigned(unsigned)> name) {
  std::string result;
  result.reserve(text.size() + 16);
  auto isNaming = [](char kind) {
    return llvm::is_contained({'t', 'v', 's', 'b', 'o'}, kind);
  };
  auto put = [&](StringRef part) { result.append(part.data(), part.size()); };
  while (!text.empty()) {
    StringRef word = meaning::nextWord(text);
    auto [first, second] = word.drop_front(!word.empty()).split('.');
    unsigned value, other;
    if (word.empty() || !isNaming(word.front()) ||
        first.getAsInteger(10, value)) {
      put(word);
    } else {
      result += word.front();
      put(std::to_string(name(value)));
      bool namesTwo = word.front() == 's' && !second.getAsInteger(10, other);
      if (!second.empty()) {
        result += '.';
        put(namesTwo ? std::to_string(name(other)) : second.str());
      }
    }
    result += ' ';
  }
  return result;
}

/// Whether a certificate cites claims of a loop or of the header handler.
static bool restsOnClaims(StringRef text) {
  return text.find_first_of("ih") != StringRef::npos;
}

void Memory::note(Operation *op, unsigned obligation, StringRef text,
                  const meaning::Numbers &numbers) {
  if (restsOnClaims(text))
    return;
  Entry &entry = entries[{op, obligation}];
  entry.values.clear();
  entry.text = renamed(text, [&](unsigned number) {
    entry.values.push_back(numbers.value(number));
    return unsigned(entry.values.size() - 1);
  });
}

std::optional<std::string>
Memory::recall(Operation *op, unsigned obligation,
               const meaning::Numbers &numbers) const {
  auto entry = entries.find({op, obligation});
  if (entry == entries.end())
    return std::nullopt;
  return renamed(entry->second.text, [&](unsigned index) {
    return numbers.numberOf(entry->second.values[index]);
  });
}
