// Checks of the fields of a description.
#include "compiler/Ddt/Description/JsonFields.h"

#include "compiler/Ddt/Description/Exact.h"
#include "compiler/Ddt/Description/Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace spinc::ddt;

const Range spinc::ddt::anyPlace = {-largestPlace, largestPlace};
const Range spinc::ddt::anyCount = {0, largestPlace};

std::string JsonPath::text() const {
  std::string before = parent ? parent->text() : "";
  if (index >= 0)
    return before + "[" + std::to_string(index) + "]";
  return before.empty() ? field.str() : before + "." + field.str();
}

void Mistake::add(const JsonPath &path, const Twine &expected,
                  const Twine &found) {
  if (!text.empty())
    return;
  std::string place = path.text();
  text = ((place.empty() ? "the document" : place) + ": expected " + expected +
          ", found " + found)
             .str();
}

std::string spinc::ddt::describe(const json::Value *value) {
  if (!value)
    return "nothing";
  if (std::optional<int64_t> number = value->getAsInteger())
    return "the number " + std::to_string(*number);
  if (std::optional<StringRef> string = value->getAsString()) {
    std::string shown = string->take_front(40).str();
    return "the string '" + shown + (string->size() > 40 ? "…'" : "'");
  }
  switch (value->kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Boolean:
    return "a truth value";
  case json::Value::Number:
    return "a number that is not an integer of 64 bits";
  case json::Value::Array:
    return "an array";
  case json::Value::Object:
    return "an object";
  default:
    return "a string";
  }
}

static std::string describeRange(const Range &range) {
  if (range.low == anyPlace.low && range.high == anyPlace.high)
    return "an integer";
  if (range.low == 0 && range.high == anyCount.high)
    return "an integer from 0 on";
  if (range.low == 1 && range.high == anyCount.high)
    return "an integer from 1 on";
  return formatv("an integer from {0} to {1}", range.low, range.high);
}

static bool inside(const Range &range, int64_t number) {
  return range.low <= number && number <= range.high;
}

std::optional<int64_t> JsonFields::optionalNumber(StringRef name, Range range) {
  const json::Value *value = object.get(name);
  if (!value)
    return std::nullopt;
  std::optional<int64_t> number = value->getAsInteger();
  if (number && inside(range, *number))
    return number;
  fail(name, describeRange(range), describe(value));
  return std::nullopt;
}

int64_t JsonFields::number(StringRef name, Range range) {
  if (!has(name))
    fail(name, describeRange(range), "nothing");
  return optionalNumber(name, range).value_or(range.low > 0 ? range.low : 0);
}

std::string JsonFields::string(StringRef name) {
  const json::Value *value = object.get(name);
  if (value && value->getAsString())
    return value->getAsString()->str();
  fail(name, "a string", describe(value));
  return "";
}

size_t JsonFields::choice(StringRef name, ArrayRef<StringRef> choices) {
  const json::Value *value = object.get(name);
  std::optional<StringRef> text =
      value ? value->getAsString() : std::optional<StringRef>();
  for (size_t i = 0; text && i < choices.size(); ++i)
    if (*text == choices[i])
      return i;
  fail(name, "one of '" + join(choices, "', '") + "'", describe(value));
  return 0;
}

const json::Array *JsonFields::array(StringRef name,
                                     std::optional<size_t> length) {
  const json::Value *value = object.get(name);
  const json::Array *array = value ? value->getAsArray() : nullptr;
  if (!array) {
    fail(name, "an array", describe(value));
    return nullptr;
  }
  if (length && array->size() != *length) {
    fail(name, formatv("an array of {0}", *length),
         formatv("one of {0}", array->size()));
    return nullptr;
  }
  return array;
}

std::vector<int64_t> JsonFields::fromRange(StringRef name,
                                           const json::Array &ends) {
  int64_t limits[3] = {0, 0, 1};
  bool good = ends.size() == 2 || ends.size() == 3;
  for (size_t i = 0; good && i < ends.size(); ++i) {
    std::optional<int64_t> number = ends[i].getAsInteger();
    good = number && inside(anyPlace, *number);
    limits[i] = number.value_or(0);
  }
  auto [first, end, step] = limits;
  if (!good || step == 0) {
    fail(name, "\"range\": [first, end, step], integers, and step not 0",
         "something else");
    return {};
  }
  int64_t distance = step > 0 ? end - first : first - end;
  int64_t size = step > 0 ? step : -step;
  int64_t count = distance <= 0 ? 0 : (distance - 1) / size + 1;
  if (count > largestList) {
    fail(name, "at most 2^31 numbers", formatv("{0}", count));
    return {};
  }
  std::vector<int64_t> numbers(count);
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = first + i * step;
  return numbers;
}

std::vector<int64_t> JsonFields::fromFile(StringRef name, StringRef file) {
  Expected<std::vector<int64_t>> numbers = readNpy(folder, file);
  if (numbers)
    return *numbers;
  fail(name, "a file of integers", toString(numbers.takeError()));
  return {};
}

std::vector<int64_t> JsonFields::inRange(StringRef name, const Range &range,
                                         std::vector<int64_t> numbers) {
  for (size_t i = 0; i < numbers.size(); ++i)
    if (!inside(range, numbers[i])) {
      mistake.add(path.at(name).at(int64_t(i)), describeRange(range),
                  formatv("the number {0}", numbers[i]));
      return {};
    }
  return numbers;
}

std::vector<int64_t> JsonFields::numbers(StringRef name, Range range,
                                         std::optional<size_t> length) {
  const json::Value *value = object.get(name);
  std::vector<int64_t> numbers;
  if (const json::Array *array = value ? value->getAsArray() : nullptr) {
    numbers.reserve(array->size());
    for (size_t i = 0; i < array->size(); ++i) {
      std::optional<int64_t> number = (*array)[i].getAsInteger();
      if (!number) {
        JsonPath list = path.at(name);
        mistake.add(list.at(int64_t(i)), describeRange(range),
                    describe(&(*array)[i]));
        return std::vector<int64_t>(length.value_or(0));
      }
      numbers.push_back(*number);
    }
  } else if (const json::Object *made = value ? value->getAsObject() : nullptr;
             made && made->size() == 1 && made->getArray("range")) {
    numbers = fromRange(name, *made->getArray("range"));
  } else if (made && made->size() == 1 && made->getString("npy")) {
    numbers = fromFile(name, *made->getString("npy"));
  } else {
    fail(name,
         "an array of integers, {\"range\": [first, end, step]} or "
         "{\"npy\": \"file\"}",
         describe(value));
  }
  if (length && numbers.size() != *length) {
    fail(name, formatv("{0} numbers", *length), formatv("{0}", numbers.size()));
    return std::vector<int64_t>(*length);
  }
  return inRange(name, range, std::move(numbers));
}

void JsonFields::allowOnly(ArrayRef<StringRef> names) {
  for (const auto &field : object)
    if (!is_contained(names, field.first.str()))
      mistake.add(path, "only the fields '" + join(names, "', '") + "'",
                  "'" + field.first.str() + "'");
}
