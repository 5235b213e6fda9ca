//===- Distribution.cpp - Seeded random numbers for traffic ---------------===//
//
// Reading and drawing; draws use one or two numbers of the generator each.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/traffic/Distribution.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace spinc::sim;
using llvm::StringRef;

const char *const Distribution::syntax =
    "a number, low..high, normal(mean, deviation), exponential(mean), "
    "pareto(shape, smallest), imix or choice(value:weight, ...)";

namespace {
/// The parameters of std::mt19937_64, [rand.predef].
constexpr unsigned shiftSize = 156, wordBits = 64, maskBits = 31;
constexpr uint64_t twistMask = 0xb5026f5aa96619e9,
                   lower = (1ull << maskBits) - 1,
                   initialize = 6364136223846793005;

uint64_t twisted(uint64_t first, uint64_t second) {
  uint64_t both = (first & ~lower) | (second & lower);
  return both >> 1 ^ (-(both & 1) & twistMask);
}
} // namespace

Random::Random(uint64_t seed) {
  state[0] = seed;
  for (unsigned i = 1; i < size; ++i)
    state[i] = initialize * (state[i - 1] ^ state[i - 1] >> (wordBits - 2)) + i;
}

/// In loops over the whole state, of which compilers make vector code.
void Random::refill() {
  for (unsigned i = 0; i < size - shiftSize; ++i)
    state[i] = state[i + shiftSize] ^ twisted(state[i], state[i + 1]);
  for (unsigned i = size - shiftSize; i < size - 1; ++i)
    state[i] = state[i + shiftSize - size] ^ twisted(state[i], state[i + 1]);
  state[size - 1] = state[shiftSize - 1] ^ twisted(state[size - 1], state[0]);
  for (unsigned i = 0; i < size; ++i) {
    uint64_t z = state[i];
    z ^= z >> 29 & 0x5555555555555555;
    z ^= z << 17 & 0x71d67fffeda60000;
    z ^= z << 37 & 0xfff7eee000000000;
    numbers[i] = z ^ z >> 43;
  }
  next = 0;
}

void Random::fill(uint8_t *bytes, size_t count) {
  while (count) {
    if (next == size)
      refill();
    size_t whole = std::min<size_t>((size - next) * sizeof numbers[0], count);
    std::memcpy(bytes, numbers + next, whole);
    next += unsigned((whole + sizeof numbers[0] - 1) / sizeof numbers[0]);
    bytes += whole;
    count -= whole;
  }
}

static bool readNumber(StringRef text, double &value) {
  return !text.trim().getAsDouble(value) && std::isfinite(value) && value >= 0;
}

/// The text between the parentheses after `name`.
static bool takeCall(StringRef text, StringRef name, StringRef &arguments) {
  if (!text.consume_front(name))
    return false;
  text = text.trim();
  if (!text.consume_front("(") || !text.consume_back(")"))
    return false;
  arguments = text;
  return true;
}

static bool readPair(StringRef text, const char *separator, double &first,
                     double &second) {
  auto [left, right] = text.split(separator);
  return text.contains(separator) && readNumber(left, first) &&
         readNumber(right, second);
}

bool Distribution::read(StringRef text, Distribution &result) {
  text = text.trim();
  StringRef arguments;
  Distribution read(0);
  bool good = false;
  if (text == "imix") {
    read.kind = Kind::Choice;
    read.choices = {{64, 7}, {576, 4}, {1500, 1}};
    good = true;
  } else if (takeCall(text, "normal", arguments)) {
    read.kind = Kind::Normal;
    good = readPair(arguments, ",", read.first, read.second);
  } else if (takeCall(text, "exponential", arguments)) {
    read.kind = Kind::Exponential;
    good = readNumber(arguments, read.first);
  } else if (takeCall(text, "pareto", arguments)) {
    read.kind = Kind::Pareto;
    good = readPair(arguments, ",", read.first, read.second) && read.first > 0;
  } else if (takeCall(text, "choice", arguments)) {
    read.kind = Kind::Choice;
    good = true;
    double sum = 0;
    llvm::SmallVector<StringRef> parts;
    arguments.split(parts, ',');
    for (StringRef part : parts) {
      double value, weight;
      good = good && readPair(part, ":", value, weight);
      read.choices.push_back({value, weight});
      sum += good ? weight : 0;
    }
    good = good && sum > 0;
  } else if (text.contains("..")) {
    read.kind = Kind::Uniform;
    good = readPair(text, "..", read.first, read.second) &&
           read.first <= read.second;
  } else {
    good = readNumber(text, read.first);
  }
  if (good)
    result = read;
  return good;
}

double Distribution::draw(Random &random) const {
  constexpr double pi = 3.14159265358979323846;
  switch (kind) {
  case Kind::Fixed:
    return first;
  case Kind::Uniform:
    return std::floor(first + random.unit() * (second - first + 1));
  case Kind::Normal: {
    double radius = std::sqrt(-2 * std::log(1 - random.unit()));
    double angle = 2 * pi * random.unit();
    return std::max(0.0, first + second * radius * std::cos(angle));
  }
  case Kind::Exponential:
    return -first * std::log(1 - random.unit());
  case Kind::Pareto:
    return second / std::pow(1 - random.unit(), 1 / first);
  case Kind::Choice: {
    double sum = 0;
    for (auto [value, weight] : choices)
      sum += weight;
    double at = random.unit() * sum;
    for (auto [value, weight] : choices) {
      if (at < weight)
        return value;
      at -= weight;
    }
    return choices.back().first;
  }
  }
  return first;
}
