// Exact integers. Types of spinc have at most 128 bits (typ-6), so no operation
// on values of one type leaves 256 bits.
#ifndef SPINC_TEST_REFERENCE_NUMBER_H
#define SPINC_TEST_REFERENCE_NUMBER_H

#include "compiler/Sema/Types.h"
#include "llvm/ADT/APSInt.h"
#include <string>

namespace spinc::reference {

using Number = _BitInt(320);

inline Number lowest(const IntType &type) {
  return type.isSigned ? -(Number(1) << (type.width - 1)) : Number(0);
}

inline Number highest(const IntType &type) {
  return (Number(1) << (type.width - type.isSigned)) - 1;
}

inline bool fits(Number value, const IntType &type) {
  return lowest(type) <= value && value <= highest(type);
}

/// The value of the low bits, as the type reads them.
inline Number wrap(Number value, const IntType &type) {
  value &= (Number(1) << type.width) - 1;
  return value > highest(type) ? value - (Number(1) << type.width) : value;
}

inline Number saturate(Number value, const IntType &type) {
  if (value < lowest(type))
    return lowest(type);
  return value > highest(type) ? highest(type) : value;
}

inline Number fromConstant(const llvm::APSInt &value) {
  llvm::APInt wide = value.isSigned() ? value.sext(320) : value.zext(320);
  Number result = 0;
  for (unsigned word = 5; word-- > 0;)
    result = result << 64 | Number(wide.getRawData()[word]);
  return result;
}

inline std::string toText(Number value) {
  if (value == 0)
    return "0";
  std::string digits;
  bool negative = value < 0;
  for (Number rest = negative ? -value : value; rest != 0; rest = rest / 10)
    digits.insert(digits.begin(), char('0' + int(rest % 10)));
  return negative ? "-" + digits : digits;
}

} // namespace spinc::reference

#endif // SPINC_TEST_REFERENCE_NUMBER_H
