// The words of a certificate that name values are those of
// docs/certificates.md.
#include "dialect/Spin/Certify/Memory.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;

/// `text` with other numbers for the values that it cites.
static std::string renamed(StringRef text,
                           llvm::function_ref<unsigned(char, unsigned)> name) {
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
      put(std::to_string(name(word.front(), value)));
      bool namesTwo = word.front() == 's' && !second.getAsInteger(10, other);
      if (!second.empty()) {
        result += '.';
        put(namesTwo ? std::to_string(name('s', other)) : second.str());
      }
    }
    result += ' ';
  }
  return result;
}

bool certify::restsOnClaims(StringRef text) {
  return text.find_first_of("ih") != StringRef::npos;
}

/// A value and, of a region's argument, what the region runs on.
static llvm::hash_code hashOf(Value value) {
  llvm::hash_code hash = llvm::hash_value(value.getAsOpaquePointer());
  if (auto argument = llvm::dyn_cast_or_null<BlockArgument>(value))
    for (Value operand : argument.getOwner()->getParentOp()->getOperands())
      hash = llvm::hash_combine(hash, operand.getAsOpaquePointer());
  return hash;
}

static llvm::hash_code hashOf(const meaning::Form &form) {
  llvm::hash_code hash = hash_value(form.constant);
  for (const auto &[atom, factor] : form.terms) {
    hash =
        llvm::hash_combine(hash, hash_value(factor), unsigned(atom->kind),
                           hashOf(atom->value), atom->name.getAsOpaquePointer(),
                           hashOf(atom->top), hashOf(atom->bottom));
    for (meaning::AtomId part : atom->factors)
      hash = llvm::hash_combine(hash, hashOf(meaning::Form::of(part)));
  }
  return hash;
}

static size_t hashOf(const meaning::Obligation &obligation) {
  llvm::hash_code hash = llvm::hash_combine(
      obligation.everywhere, obligation.given.first.getAsOpaquePointer(),
      obligation.given.second);
  for (const meaning::Form &goal : obligation.goals)
    hash = llvm::hash_combine(hash, hashOf(goal));
  return hash;
}

void Memory::note(Operation *op, unsigned index,
                  const meaning::Obligation &obligation, StringRef text,
                  const meaning::Numbers &numbers) {
  if (restsOnClaims(text))
    return;
  Entry &entry = entries[{op, index}];
  entry.hash = hashOf(obligation);
  entry.values.clear();
  entry.text = renamed(text, [&](char, unsigned number) {
    entry.values.push_back(numbers.value(number));
    return unsigned(entry.values.size() - 1);
  });
}

std::optional<Memory::Recalled>
Memory::recall(Operation *op, unsigned index,
               const meaning::Obligation &obligation,
               const meaning::Scope &scope) const {
  auto found = entries.find({op, index});
  if (found == entries.end())
    return std::nullopt;
  const Entry &entry = found->second;
  bool isSame = entry.hash == hashOf(obligation);
  std::string text = renamed(entry.text, [&](char kind, unsigned index) {
    Value value = entry.values[index];
    unsigned number = scope.numberOf(value);
    isSame = isSame && scope.value(number) == value &&
             (kind != 't' || scope.known(value));
    return number;
  });
  return Recalled{std::move(text), isSame};
}
