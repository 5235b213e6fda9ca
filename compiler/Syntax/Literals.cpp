// Values of number and character literals. Suffixes Ki, Mi, Gi multiply by
// powers of 1024 and K, M, G by powers of 1000.
#include "compiler/Syntax/Literals.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace spinc::syntax {

static uint64_t takeSuffix(llvm::StringRef &text) {
  constexpr uint64_t kibi = 1024;
  constexpr uint64_t kilo = 1000;
  if (text.consume_back("Ki"))
    return kibi;
  if (text.consume_back("Mi"))
    return kibi * kibi;
  if (text.consume_back("Gi"))
    return kibi * kibi * kibi;
  if (text.consume_back("K"))
    return kilo;
  if (text.consume_back("M"))
    return kilo * kilo;
  if (text.consume_back("G"))
    return kilo * kilo * kilo;
  return 1;
}

static llvm::SmallString<32> withoutUnderscores(llvm::StringRef text) {
  llvm::SmallString<32> digits;
  for (char digit : text)
    if (digit != '_')
      digits.push_back(digit);
  return digits;
}

IntegerValue parseInteger(llvm::StringRef text) {
  unsigned radix = 10;
  uint64_t factor = 1;
  llvm::StringRef rest = text;
  if (rest.consume_front_insensitive("0x"))
    radix = 16;
  else if (rest.consume_front_insensitive("0b"))
    radix = 2;
  else
    factor = takeSuffix(rest);
  llvm::SmallString<32> digits = withoutUnderscores(rest);
  if (digits.empty())
    return BadLiteral{"no digits follow the prefix"};
  if (radix == 10 && digits.size() > 1 && digits[0] == '0')
    return BadLiteral{"a leading zero is not written, and means no octal"};
  uint64_t number;
  if (llvm::StringRef(digits).getAsInteger(radix, number))
    return TooLarge{};
  std::optional<uint64_t> product = llvm::checkedMulUnsigned(number, factor);
  if (!product)
    return TooLarge{};
  return *product;
}

IntegerValue parseCharacter(llvm::StringRef text) {
  llvm::StringRef body = text.drop_front().drop_back();
  if (body.size() == 1)
    return static_cast<uint64_t>(static_cast<unsigned char>(body[0]));
  if (body[0] != '\\')
    return BadLiteral{"a character literal is one byte of ASCII"};
  int code = llvm::StringSwitch<int>(body.drop_front())
                 .Case("n", '\n')
                 .Case("r", '\r')
                 .Case("t", '\t')
                 .Case("0", 0)
                 .Case("\\", '\\')
                 .Case("'", '\'')
                 .Default(-1);
  if (code < 0)
    return BadLiteral{"the escapes are \\n \\r \\t \\0 \\\\ \\'"};
  return static_cast<uint64_t>(code);
}

std::string explainBadNumber(llvm::StringRef text) {
  llvm::StringRef digits = text;
  if (digits.consume_front_insensitive("0x"))
    return "hexadecimal digits are 0-9 and a-f";
  if (digits.consume_front_insensitive("0b"))
    return "binary digits are 0 and 1";
  llvm::StringRef suffix = digits.ltrim("0123456789_");
  if (suffix.trim("uUlL").empty())
    return "the type of a literal follows from its use, leave '" +
           suffix.str() + "' out";
  return "the suffixes are Ki, Mi, Gi, K, M and G";
}

double parseFloat(llvm::StringRef text) {
  llvm::SmallString<32> digits = withoutUnderscores(text);
  llvm::APFloat number(llvm::APFloat::IEEEdouble());
  llvm::consumeError(
      number.convertFromString(digits, llvm::APFloat::rmNearestTiesToEven)
          .takeError());
  return number.convertToDouble();
}

} // namespace spinc::syntax
