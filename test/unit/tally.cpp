// Quantiles of Tally against those of the sorted numbers: exact for up to
// Tally::most different ones, within the digits dropped for more. And the most
// that wait on the network, when packets are asked for late.
#include "runtime/sim/Tally.h"
#include "runtime/sim/Backlog.h"
#include <cstdio>
#include <random>

using namespace spinc::sim;

static unsigned failures;

static void expect(bool holds, const char *what, uint64_t size) {
  if (holds)
    return;
  ++failures;
  std::printf("%s of %llu\n", what, (unsigned long long)size);
}

/// `slack`: by how much quantiles may be too low.
static void compare(std::vector<uint64_t> numbers, uint64_t slack) {
  Tally tally;
  uint64_t total = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    tally.add(numbers[i]);
    total += numbers[i];
    if (i == numbers.size() / 3)
      tally.summary(); // may be asked for at any time
  }
  std::sort(numbers.begin(), numbers.end());
  const size_t size = numbers.size();
  const Summary summary = tally.summary();
  auto near = [&](uint64_t got, uint64_t wanted) {
    return got <= wanted && wanted - got <= slack;
  };
  expect(tally.count() == size, "count", size);
  expect(summary.min == numbers.front(), "min", size);
  expect(summary.max == numbers.back(), "max", size);
  expect(summary.total == total, "total", size);
  expect(near(summary.median, numbers[size / 2]), "median", size);
  expect(near(summary.p99, numbers[(99 * size + 99) / 100 - 1]), "p99", size);
}

/// Packets come at times of their own and leave in order; one that is asked for
/// late enters after others have left.
static void compareBacklog(std::mt19937_64 &random) {
  constexpr size_t packets = 3000, lookAhead = 16;
  std::vector<uint64_t> comes, leaves;
  uint64_t came = 0, left = 0;
  for (size_t i = 0; i < packets; ++i) {
    came += random() % 4;
    left = std::max(left, came) + 1 + random() % 5;
    comes.push_back(came);
    leaves.push_back(left);
  }
  uint64_t most = 0, area = 0;
  for (size_t i = 0, out = 0; i < packets; ++i) {
    while (leaves[out] < comes[i])
      ++out;
    most = std::max<uint64_t>(most, i + 1 - out);
    area += leaves[i] - comes[i];
  }
  Backlog backlog;
  Level level;
  auto enter = [&](size_t i) {
    backlog.enter({comes[i], 0});
    backlog.settle(level);
  };
  size_t entered = 0;
  for (size_t i = 0; i < packets; ++i) {
    while (entered < packets && entered < i + lookAhead &&
           comes[entered] <= leaves[i])
      enter(entered++);
    backlog.leave({leaves[i], 1}, comes[i], level);
  }
  expect(level.most == most, "most that wait", packets);
  expect(level.areaUntil(left) == area, "time that packets wait", packets);
}

int main() {
  std::mt19937_64 random(1);
  for (size_t size : {1, 2, 3, 99, 100, 101, 5000, 70000}) {
    std::vector<uint64_t> numbers(size);
    for (uint64_t spread : {1ull, 10ull, 4095ull, 9000ull, 1ull << 40}) {
      for (uint64_t &number : numbers)
        number = random() % spread;
      compare(numbers, 0);
    }
  }
  // Four times as many as are kept apart: two or three digits go.
  std::vector<uint64_t> many(4 * Tally::most);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = 1000000 + i * 2654435761u % many.size();
  compare(many, 15);
  for (unsigned round = 0; round < 20; ++round)
    compareBacklog(random);
  std::printf("%u failures\n", failures);
  return failures != 0;
}
