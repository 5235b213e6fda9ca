// Interval arithmetic with absent bounds as infinity.
#include "dialect/Spin/Analysis/Variables.h"

using namespace spinc::spin;

Interval Interval::unsignedBits(unsigned width) {
  return {Integer(0), powerOfTwo(width) - 1};
}

Interval Interval::signedBits(unsigned width) {
  Integer half = powerOfTwo(width - 1);
  return {-half, half - 1};
}

Interval Interval::between(int64_t low, int64_t high) {
  return {Integer(low), Integer(high)};
}

bool Interval::within(const Interval &outer) const {
  return (!outer.low || (low && *low >= *outer.low)) &&
         (!outer.high || (high && *high <= *outer.high));
}

Interval &Interval::operator+=(const Interval &other) {
  auto add = [](std::optional<Integer> &end,
                const std::optional<Integer> &more) {
    if (end && more)
      *end += *more;
    else
      end.reset();
  };
  add(low, other.low);
  add(high, other.high);
  return *this;
}

Interval Interval::operator+(const Interval &other) const {
  Interval result = *this;
  return result += other;
}

Interval Interval::operator*(const Integer &factor) const {
  if (factor == 0)
    return between(0, 0);
  Interval result;
  const std::optional<Integer> &first = factor > 0 ? low : high;
  const std::optional<Integer> &second = factor > 0 ? high : low;
  if (first)
    result.low = *first * factor;
  if (second)
    result.high = *second * factor;
  return result;
}

Interval Interval::intersect(const Interval &other) const {
  Interval result = *this;
  if (other.low && (!low || *other.low > *low))
    result.low = other.low;
  if (other.high && (!high || *other.high < *high))
    result.high = other.high;
  return result;
}

Interval Interval::hull(const Interval &other) const {
  Interval result;
  if (low && other.low)
    result.low = *low < *other.low ? *low : *other.low;
  if (high && other.high)
    result.high = *high > *other.high ? *high : *other.high;
  return result;
}
