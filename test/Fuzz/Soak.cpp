// Worker processes over one range of seeds: the seed of each program comes from
// a shared counter, so that workers never wait for each other.
#include "test/Fuzz/Soak.h"
#include "test/Fuzz/BoundRuns.h"
#include "test/Fuzz/Coverage.h"
#include "test/Fuzz/Generator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace spinc;
using namespace spinc::fuzz;

namespace {

constexpr unsigned maxJobs = 64;

/// What the supervisor sees of a worker.
struct Slot {
  std::atomic<uint64_t> seed;
};

/// Ends this process by SIGVTALRM when it has worked for so long: seconds of
/// its own, whatever else the machine does. 0: never.
void limitWork(unsigned seconds) {
  itimerval limit = {};
  limit.it_value.tv_sec = seconds;
  setitimer(ITIMER_VIRTUAL, &limit, nullptr);
}

struct Shared {
  std::atomic<uint64_t> nextSeed;
  std::atomic<uint64_t> totals[sizeof(Totals) / sizeof(uint64_t)];
  Slot slots[maxJobs];

  std::atomic<uint64_t> &count(uint64_t Totals::*member) {
    Totals *base = nullptr;
    return totals[(uint64_t *)&(base->*member) - (uint64_t *)base];
  }
  std::atomic<uint64_t> &construct(unsigned number) {
    return totals[offsetof(Totals, constructs) / sizeof(uint64_t) + number];
  }
};

int64_t now() { return int64_t(std::time(nullptr)); }

Shared *makeShared() {
  void *place = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return place == MAP_FAILED ? nullptr : new (place) Shared();
}

std::string describeEnd(int status, unsigned seconds) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM)
    return llvm::formatv("hang: more than {0} s of work", seconds);
  if (WIFSIGNALED(status))
    return llvm::formatv("crash: signal {0}", WTERMSIG(status));
  return llvm::formatv("crash: exit status {0}", WEXITSTATUS(status));
}

std::string kindOf(const std::string &failure) {
  return failure.substr(0, failure.find(':'));
}

uint64_t Totals::*memberOf(const std::string &kind) {
  return kind == "fault" || kind == "simulator" ? &Totals::faults
         : kind == "bound"                      ? &Totals::overBound
         : kind == "unsound"                    ? &Totals::unsound
         : kind == "internal"                   ? &Totals::internal
                                                : &Totals::differences;
}

class Soak {
public:
  Soak(const SoakOptions &options, llvm::raw_ostream &out, Shared &shared)
      : options(options), out(out), shared(shared), start(now()) {}

  void run();

private:
  void work(unsigned slot);
  void tryOne(uint64_t seed);
  /// The code of each program is somewhere else.
  TrialOptions trialOf(uint64_t seed) const {
    TrialOptions trial = options.trial;
    trial.codeOffset = codeOffset(seed);
    return trial;
  }
  void report(uint64_t seed, const std::string &failure);
  pid_t startWorker(unsigned slot);
  void watch(unsigned slot, pid_t &worker);
  bool isOver() const {
    return options.seconds && now() - start >= int64_t(options.seconds);
  }

  const SoakOptions &options;
  llvm::raw_ostream &out;
  Shared &shared;
  const int64_t start;
};

void Soak::tryOne(uint64_t seed) {
  TrialResult result =
      tryProgram(Generator(seed).program(), seed, trialOf(seed));
  ++shared.count(&Totals::programs);
  switch (result.verdict) {
  case Verdict::Accepted:
    ++shared.count(&Totals::accepted);
    break;
  case Verdict::RejectedBySema:
    ++shared.count(&Totals::sema);
    break;
  case Verdict::RejectedByProver:
    ++shared.count(result.errorCode == "E0420" ? &Totals::uncertified
                                               : &Totals::prover);
    break;
  case Verdict::RejectedByBackEnd:
    ++shared.count(&Totals::backEnd);
    break;
  case Verdict::Internal:
    break;
  }
  shared.count(&Totals::shown) += result.rejectionShown;
  for (unsigned construct : result.constructs)
    ++shared.construct(construct);
  shared.count(&Totals::images) += result.images;
  shared.count(&Totals::runs) += result.counts.runs;
  shared.count(&Totals::compared) += result.counts.compared;
  shared.count(&Totals::bounded) += result.counts.bounded;
  shared.count(&Totals::exact) += result.counts.exact;
  shared.count(&Totals::sent) += result.counts.sent;
  shared.count(&Totals::cycles) += result.counts.cycles;
  if (result.failure) {
    ++shared.count(&Totals::failures);
    ++shared.count(memberOf(kindOf(*result.failure)));
    limitWork(0);
    report(seed, *result.failure);
  }
}

/// Says what failed, saves the program, and a smaller one if there is.
void Soak::report(uint64_t seed, const std::string &failure) {
  out << llvm::formatv("seed {0}: {1}\n", seed, failure);
  out.flush();
  if (options.keep.empty())
    return;
  llvm::sys::fs::create_directories(options.keep);
  std::string text = Generator(seed).program();
  std::string base = options.keep + "/seed" + std::to_string(seed);
  auto write = [&](const std::string &path, const std::string &contents) {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    file << "// seed " << seed << ": " << failure << '\n' << contents;
  };
  write(base + ".spinc", text);
  if (!options.shrinks)
    return;
  const TrialOptions trial = trialOf(seed);
  auto fails = [&](const std::string &candidate) {
    std::string found = inProcess(
        [&] { return tryProgram(candidate, seed, trial).failure.value_or(""); },
        options.secondsPerProgram);
    return !found.empty() && kindOf(found) == kindOf(failure);
  };
  write(base + ".small.spinc", shrink(text, trial, fails));
}

void Soak::work(unsigned slot) {
  Slot &mine = shared.slots[slot];
  while (!isOver()) {
    uint64_t index = shared.nextSeed++;
    if (index >= options.count)
      break;
    mine.seed = options.firstSeed + index;
    limitWork(options.secondsPerProgram);
    tryOne(mine.seed);
  }
}

pid_t Soak::startWorker(unsigned slot) {
  out.flush();
  pid_t worker = fork();
  if (worker != 0)
    return worker;
  work(slot);
  out.flush();
  _exit(0);
}

/// Notices the end of a worker; starts another unless it was done.
void Soak::watch(unsigned slot, pid_t &worker) {
  int status = 0;
  if (waitpid(worker, &status, WNOHANG) != worker)
    return;
  worker = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return;
  bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM;
  ++shared.count(&Totals::programs);
  ++shared.count(hung ? &Totals::hangs : &Totals::crashes);
  report(shared.slots[slot].seed,
         describeEnd(status, options.secondsPerProgram));
  worker = startWorker(slot);
}

void Soak::run() {
  std::vector<pid_t> workers;
  for (unsigned slot = 0; slot < options.jobs; ++slot)
    workers.push_back(startWorker(slot));
  for (bool busy = true; busy;) {
    usleep(50000);
    busy = false;
    for (unsigned slot = 0; slot < options.jobs; ++slot) {
      if (workers[slot])
        watch(slot, workers[slot]);
      busy |= workers[slot] != 0;
    }
  }
}

} // namespace

bool spinc::fuzz::soak(const SoakOptions &given, llvm::raw_ostream &out,
                       Totals &totals) {
  SoakOptions options = given;
  options.jobs = std::min(std::max(options.jobs, 1u), maxJobs);
  Shared *shared = makeShared();
  if (!shared) {
    out << "no shared memory\n";
    return false;
  }
  Soak(options, out, *shared).run();
  auto *sums = reinterpret_cast<uint64_t *>(&totals);
  for (size_t i = 0; i < sizeof(Totals) / sizeof(uint64_t); ++i)
    sums[i] = shared->totals[i];
  munmap(shared, sizeof(Shared));
  return totals.failures + totals.crashes + totals.hangs == 0;
}

llvm::json::Object spinc::fuzz::toJson(const Totals &totals) {
  namespace json = llvm::json;
  assert(constructs().size() <= std::size(totals.constructs));
  json::Object object;
  object["programs"] = totals.programs;
  object["accepted"] = totals.accepted;
  object["rejectedBySema"] = totals.sema;
  object["rejectedByProver"] = totals.prover;
  object["withoutCertificate"] = totals.uncertified;
  object["rejectedByBackEnd"] = totals.backEnd;
  object["rejectionsShown"] = totals.shown;
  object["images"] = totals.images;
  object["handlerRuns"] = totals.runs;
  object["comparedRuns"] = totals.compared;
  object["boundedRuns"] = totals.bounded;
  object["runsAtBound"] = totals.exact;
  object["sent"] = totals.sent;
  object["cycles"] = totals.cycles;
  object["failures"] = totals.failures;
  object["differences"] = totals.differences;
  object["faults"] = totals.faults;
  object["overBound"] = totals.overBound;
  object["unsound"] = totals.unsound;
  object["internalErrors"] = totals.internal;
  object["crashes"] = totals.crashes;
  object["hangs"] = totals.hangs;
  json::Object used;
  for (unsigned i = 0; i < constructs().size(); ++i)
    used[constructs()[i].name] = totals.constructs[i];
  object["constructs"] = std::move(used);
  return object;
}

std::string spinc::fuzz::inProcess(llvm::function_ref<std::string()> action,
                                   unsigned seconds) {
  int ends[2];
  if (pipe(ends))
    return "crash: no pipe";
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    // A crash is told by the parent, in one line.
    if (!freopen("/dev/null", "w", stderr))
      _exit(3);
    limitWork(seconds);
    std::string text = action();
    text += '\n';
    ssize_t written = write(ends[1], text.data(), text.size());
    _exit(written == ssize_t(text.size()) ? 0 : 3);
  }
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, size_t(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return describeEnd(status, seconds);
  return text.substr(0, text.find('\n'));
}
