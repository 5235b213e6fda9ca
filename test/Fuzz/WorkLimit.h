// A second of work for one input of a fuzz target, in time of the processor: on
// a busy machine the clock on the wall says nothing.
#ifndef SPINC_TEST_FUZZ_WORKLIMIT_H
#define SPINC_TEST_FUZZ_WORKLIMIT_H

#include <csignal>
#include <cstdlib>
#include <sys/time.h>

namespace spinc::fuzz {

/// Ends the process by a signal if it lives for longer than that. Replay.cpp
/// catches SIGVTALRM; libFuzzer keeps the inputs of processes that abort.
class WorkLimit {
public:
  WorkLimit() {
#ifdef SPINC_LIBFUZZER
    std::signal(SIGVTALRM, [](int) { std::abort(); });
#endif
    arm(1);
  }
  ~WorkLimit() { arm(0); }
  WorkLimit(const WorkLimit &) = delete;
  WorkLimit &operator=(const WorkLimit &) = delete;

private:
  static void arm(time_t seconds) {
    itimerval limit = {};
    limit.it_value.tv_sec = seconds;
    setitimer(ITIMER_VIRTUAL, &limit, nullptr);
  }
};

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_WORKLIMIT_H
