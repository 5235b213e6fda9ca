//===- Progress.cpp - How far a long run is -------------------------------===//
//
// Written at most five times a second.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

using namespace spinc::sim;
using namespace llvm;

bool Progress::isWanted(bool asked) {
  forced = asked;
  begin = last = Clock::now();
  return forced || errs().is_displayed();
}

void Progress::show(uint64_t done, uint64_t all) {
  constexpr std::chrono::milliseconds patience(2000), pause(200);
  Clock::time_point now = Clock::now();
  bool first = forced && !shown;
  if (!first && ((!forced && now - begin < patience) || now - last < pause))
    return;
  last = now;
  shown = true;
  double seconds = std::chrono::duration<double>(now - begin).count();
  double share = all ? double(done) / double(all) : 0;
  constexpr unsigned width = 30;
  unsigned full = unsigned(share * width);
  std::string line =
      "\r[" + std::string(full, '#') + std::string(width - full, ' ') + "]";
  line += formatv(" {0,6:p1}  {1} of {2} packets", share, done, all);
  if (done && seconds > 0)
    line += formatv(", {0:f0}/s, {1:f0} s left ", double(done) / seconds,
                    seconds / share - seconds);
  errs() << line;
  errs().flush();
}

void Progress::end() {
  if (!shown)
    return;
  constexpr unsigned longest = 100;
  errs() << '\r' << std::string(longest, ' ') << '\r';
  errs().flush();
}
