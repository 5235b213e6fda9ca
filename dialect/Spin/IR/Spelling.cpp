// How certificates spell integers and forms.
#include "dialect/Spin/IR/Numbers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

StringRef spinc::spin::meaning::nextWord(StringRef &text) {
  // Words are short, and many.
  const char *begin = text.begin(), *end = text.end();
  while (begin != end && *begin == ' ')
    ++begin;
  const char *behind = begin;
  while (behind != end && *behind != ' ')
    ++behind;
  text = StringRef(behind, end - behind).drop_front(behind != end);
  return StringRef(begin, behind - begin);
}

Int spinc::spin::meaning::toInt(StringRef word) {
  int64_t small;
  if (!word.getAsInteger(10, small))
    return Int(small);
  llvm::APInt value;
  bool isNegative = word.consume_front("-");
  if (word.getAsInteger(10, value))
    return Int(0);
  Int result(value.zext(value.getBitWidth() + 1));
  return isNegative ? -result : result;
}

/// Reads `constant {coefficient value}` up to `;`. A value is its number, with
/// `s` behind it if it is read as signed; a slice stands for its length. `@` is
/// before a parameter, a host region, or a plain field where the handler
/// starts.
std::optional<Form> Numbers::readForm(StringRef &text) {
  Form result(toInt(nextWord(text)));
  for (StringRef word; (word = nextWord(text)) != ";";) {
    StringRef name = nextWord(text);
    bool isSymbol = name.consume_front("@");
    bool isSigned = !isSymbol && name.consume_back("s");
    unsigned index;
    Value read = name.getAsInteger(10, index) ? Value() : value(index);
    std::optional<Form> form;
    if (isSymbol)
      form = symbol(name);
    else if (read && isa<IntegerType, SliceType>(read.getType()))
      form = isa<SliceType>(read.getType()) ? length(read)
                                            : number(read, isSigned);
    if (!form)
      return std::nullopt;
    result = result.plus(*form, toInt(word));
  }
  return result;
}
