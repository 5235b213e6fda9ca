// Fields of a JSON object, read with the range that they must have. The first
// mistake is kept with its place in the tree; reading goes on with harmless
// values, so that callers need not look after each field.
#ifndef SPINC_COMPILER_DDT_DESCRIPTION_JSONFIELDS_H
#define SPINC_COMPILER_DDT_DESCRIPTION_JSONFIELDS_H

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spinc::ddt {

/// Where a value stands in the document, such as `type.of.displs[3]`.
struct JsonPath {
  const JsonPath *parent = nullptr;
  llvm::StringRef field;
  int64_t index = -1;

  JsonPath at(llvm::StringRef name) const { return {this, name, -1}; }
  JsonPath at(int64_t element) const { return {this, "", element}; }
  std::string text() const;
};

/// The first mistake of a document; empty while there is none.
struct Mistake {
  std::string text;

  bool found() const { return !text.empty(); }
  void add(const JsonPath &path, const llvm::Twine &expected,
           const llvm::Twine &found);
};

/// For messages: `the number 3`, `a string`, `nothing`.
std::string describe(const llvm::json::Value *value);

struct Range {
  int64_t low, high;
};
/// Sizes and places that the later stages can add up (Exact.h).
extern const Range anyPlace;
extern const Range anyCount; ///< of elements: from 0
/// Largest number of blocks that one node lists.
constexpr int64_t largestList = int64_t(1) << 31;

class JsonFields {
public:
  JsonFields(const llvm::json::Object &object, const JsonPath &path,
             Mistake &mistake, llvm::StringRef folder)
      : object(object), path(path), mistake(mistake), folder(folder) {}

  bool has(llvm::StringRef name) const { return object.get(name); }
  int64_t number(llvm::StringRef name, Range range);
  std::optional<int64_t> optionalNumber(llvm::StringRef name, Range range);
  std::string string(llvm::StringRef name);
  /// The number of the entry of `choices` that the field names.
  size_t choice(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> choices);

  /// Numbers as an array, as {"range": [first, end, step]}, or in a file:
  /// {"npy": "name"}. With `length`, exactly so many.
  std::vector<int64_t> numbers(llvm::StringRef name, Range range,
                               std::optional<size_t> length = std::nullopt);
  const llvm::json::Array *array(llvm::StringRef name,
                                 std::optional<size_t> length = std::nullopt);
  const llvm::json::Value *value(llvm::StringRef name) const {
    return object.get(name);
  }

  /// Refuses fields that are none of `names`.
  void allowOnly(llvm::ArrayRef<llvm::StringRef> names);

  JsonPath at(llvm::StringRef name) const { return path.at(name); }
  void fail(llvm::StringRef name, const llvm::Twine &expected,
            const llvm::Twine &found) {
    mistake.add(path.at(name), expected, found);
  }

private:
  std::vector<int64_t> inRange(llvm::StringRef name, const Range &range,
                               std::vector<int64_t> numbers);
  std::vector<int64_t> fromRange(llvm::StringRef name,
                                 const llvm::json::Array &ends);
  std::vector<int64_t> fromFile(llvm::StringRef name, llvm::StringRef file);

  const llvm::json::Object &object;
  const JsonPath &path;
  Mistake &mistake;
  llvm::StringRef folder;
};

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_DESCRIPTION_JSONFIELDS_H
