//===- Condition.cpp - Conditions of `where` and `contract` ---------------===//
//
// Evaluates expression trees of the metadata in 128-bit integers and refuses
// to overflow them.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Metadata.h"
#include <algorithm>

using namespace spinc::sim;
using llvm::StringRef;
namespace json = llvm::json;

using Number = std::optional<__int128>;

static Number lookUp(const std::map<std::string, __int128> &values,
                     StringRef name) {
  auto found = values.find(name.str());
  return found == values.end() ? Number() : Number(found->second);
}

static Number negate(__int128 value) {
  __int128 result;
  if (__builtin_sub_overflow(__int128(0), value, &result))
    return std::nullopt;
  return result;
}

static Number evaluateUnary(StringRef op, __int128 value) {
  if (op == "!")
    return value == 0;
  if (op == "-")
    return negate(value);
  return std::nullopt;
}

static Number divide(StringRef op, __int128 left, __int128 right) {
  if (right == 0)
    return std::nullopt;
  if (right == -1)
    return op == "/" ? negate(left) : Number(0);
  return op == "/" ? left / right : left % right;
}

static Number evaluateBinary(StringRef op, __int128 left, __int128 right) {
  __int128 result;
  if (op == "+")
    return __builtin_add_overflow(left, right, &result) ? Number() : result;
  if (op == "-")
    return __builtin_sub_overflow(left, right, &result) ? Number() : result;
  if (op == "*")
    return __builtin_mul_overflow(left, right, &result) ? Number() : result;
  if (op == "/" || op == "%")
    return divide(op, left, right);
  if (op == "<")
    return left < right;
  if (op == "<=")
    return left <= right;
  if (op == "==")
    return left == right;
  if (op == "!=")
    return left != right;
  if (op == ">=")
    return left >= right;
  if (op == ">")
    return left > right;
  if (op == "min")
    return std::min(left, right);
  if (op == "max")
    return std::max(left, right);
  return std::nullopt;
}

static Number evaluateOperation(StringRef op, const json::Array &arguments,
                                const ConditionInputs &inputs) {
  if (arguments.empty() || arguments.size() > 2)
    return std::nullopt;
  Number left = evaluate(arguments[0], inputs);
  if (!left)
    return std::nullopt;
  if (arguments.size() == 1)
    return evaluateUnary(op, *left);
  if (op == "&&" && *left == 0)
    return 0;
  if (op == "||" && *left != 0)
    return 1;
  Number right = evaluate(arguments[1], inputs);
  if (!right)
    return std::nullopt;
  if (op == "&&" || op == "||")
    return *right != 0;
  return evaluateBinary(op, *left, *right);
}

Number spinc::sim::evaluate(const json::Value &condition,
                            const ConditionInputs &inputs) {
  const json::Object *object = condition.getAsObject();
  if (!object)
    return std::nullopt;
  if (const json::Value *constant = object->get("const")) {
    if (std::optional<int64_t> value = constant->getAsInteger())
      return *value;
    if (std::optional<uint64_t> value = constant->getAsUINT64())
      return *value;
    return std::nullopt;
  }
  if (std::optional<StringRef> name = object->getString("param"))
    return lookUp(inputs.params, *name);
  if (std::optional<StringRef> name = object->getString("hostSize"))
    return lookUp(inputs.hostSizes, *name);
  if (object->get("clusterCount"))
    return inputs.clusters;
  std::optional<StringRef> op = object->getString("op");
  const json::Array *arguments = object->getArray("args");
  if (!op || !arguments)
    return std::nullopt;
  return evaluateOperation(*op, *arguments, inputs);
}

static std::string textOf(__int128 value) {
  bool negative = value < 0;
  unsigned __int128 rest = negative ? -(unsigned __int128)value : value;
  std::string digits;
  do {
    digits.insert(digits.begin(), char('0' + unsigned(rest % 10)));
    rest /= 10;
  } while (rest);
  return (negative ? "-" : "") + digits;
}

static void describe(const json::Value &condition,
                     const ConditionInputs &inputs,
                     std::map<std::string, std::string> &named) {
  const json::Object *object = condition.getAsObject();
  if (!object)
    return;
  if (std::optional<StringRef> name = object->getString("param")) {
    if (Number value = lookUp(inputs.params, *name))
      named[name->str()] = textOf(*value);
  } else if (std::optional<StringRef> name = object->getString("hostSize")) {
    if (Number value = lookUp(inputs.hostSizes, *name))
      named[name->str() + ".size"] = textOf(*value);
  } else if (object->get("clusterCount")) {
    named["cluster.count"] = textOf(inputs.clusters);
  } else if (const json::Array *arguments = object->getArray("args")) {
    for (const json::Value &argument : *arguments)
      describe(argument, inputs, named);
  }
}

std::string spinc::sim::describeInputs(const json::Value &condition,
                                       const ConditionInputs &inputs) {
  std::map<std::string, std::string> named;
  describe(condition, inputs, named);
  std::string text;
  for (const auto &[name, value] : named)
    text += (text.empty() ? "" : ", ") + name + " = " + value;
  return text;
}
