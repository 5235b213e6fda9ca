// spinc-fuzz: random programs against the reference interpreter.
#include "test/Fuzz/Coverage.h"
#include "test/Fuzz/Generator.h"
#include "test/Fuzz/Soak.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <malloc.h>

using namespace llvm;
using namespace spinc;
using namespace spinc::fuzz;

static cl::opt<uint64_t> seed("seed", cl::init(1), cl::desc("First seed"));
static cl::opt<uint64_t> programs("count", cl::init(0),
                                  cl::desc("Programs (0: until --seconds)"));
static cl::opt<unsigned> seconds("seconds", cl::init(0),
                                 cl::desc("Stop after so long"));
static cl::opt<unsigned> jobs("jobs", cl::init(1), cl::desc("Processes"));
static cl::opt<unsigned> limit("limit", cl::init(60),
                               cl::desc("Seconds of work for one program"));
static cl::opt<std::string> keep("keep",
                                 cl::desc("Folder for failing programs"));
static cl::opt<std::string> countsFile("json",
                                       cl::desc("Write the counts here"));
static cl::opt<bool> print("print", cl::desc("Print the program of --seed"));
static cl::opt<bool> noShrink("no-shrink", cl::desc("Keep programs whole"));
static cl::opt<std::string> levels("levels", cl::init("0123"),
                                   cl::desc("Optimisation levels"));
static cl::list<std::string>
    disabled("disable", cl::CommaSeparated,
             cl::desc("Optimisations that are left out, as for spinc"));
static cl::opt<unsigned>
    others("others-every", cl::init(8),
           cl::desc("One of so many programs is also made with -Os, another "
                    "one also for --target=corev (0: none)"));
static cl::list<std::string> files(cl::Positional,
                                   cl::desc("[programs to try instead]"));
static cl::opt<bool>
    coverage("coverage",
             cl::desc("Count the constructs that accepted programs use, and "
                      "fail if one is in none of them"));
static cl::opt<unsigned> packets("packets", cl::init(10),
                                 cl::desc("Packets for each context"));

static cl::opt<uint64_t>
    boundRuns("bound-runs", cl::init(0),
              cl::desc("More runs of each context of an image, held against "
                       "the bound only"));

static int tryFiles(const TrialOptions &options) {
  int status = 0;
  // The linker resets all options of the process.
  const std::vector<std::string> paths(files.begin(), files.end());
  const uint64_t inputSeed = seed;
  for (const std::string &path : paths) {
    auto buffer = MemoryBuffer::getFile(path);
    if (!buffer) {
      errs() << path << ": cannot be read\n";
      return 2;
    }
    TrialResult result =
        tryProgram((*buffer)->getBuffer().str(), inputSeed, options);
    static const char *const names[] = {"accepted", "rejected", "rejected",
                                        "rejected", "internal error"};
    outs() << path << ": " << names[unsigned(result.verdict)] << ' '
           << result.errorCode << ", " << result.images << " images, "
           << result.counts.runs << " runs"
           << (result.failure ? "; " + *result.failure : "") << '\n';
    status |= result.failure.has_value();
  }
  return status;
}

static void printTotals(const Totals &totals, double taken) {
  auto percent = [&](uint64_t part) {
    return totals.programs ? 100.0 * double(part) / double(totals.programs) : 0;
  };
  outs() << formatv(
      "{0} programs in {1:f1} s ({2:f1} a second): {3:f1} % accepted, {4:f1} "
      "% rejected by the prover ({5} of {6} shown to be wrong by a packet), "
      "{7:f1} % by Sema, {8:f1} % by the back end, {19:f1} % for want of a "
      "certificate\n{9} images, {10} runs of "
      "handlers ({11} compared with the reference, {12} with the bound, {13} "
      "as long as it), {14} packets sent, {15} cycles\n{16} failures, {17} "
      "crashes, {18} hangs\n",
      totals.programs, taken, double(totals.programs) / taken,
      percent(totals.accepted), percent(totals.prover), totals.shown,
      totals.prover, percent(totals.sema), percent(totals.backEnd),
      totals.images, totals.runs, totals.compared, totals.bounded, totals.exact,
      totals.sent, totals.cycles, totals.failures, totals.crashes, totals.hangs,
      percent(totals.uncertified));
  if (totals.failures)
    outs() << formatv("{0} differences, {1} faults, {2} over the bound, {3} "
                      "broken rules, {4} errors of the compiler\n",
                      totals.differences, totals.faults, totals.overBound,
                      totals.unsound, totals.internal);
}

static bool printCoverage(const Totals &totals) {
  bool hasAll = true;
  for (unsigned i = 0; i < constructs().size(); ++i) {
    outs() << formatv("{0,-24} {1}\n", constructs()[i].name,
                      totals.constructs[i]);
    hasAll &= totals.constructs[i] != 0;
  }
  return hasAll;
}

int main(int argc, char **argv) {
  // Blocks as large as a card's memory come from the system, already zero.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  InitLLVM init(argc, argv);
  cl::OptionCategory own("Options");
  for (cl::Option *option : std::initializer_list<cl::Option *>{
           &seed, &programs, &seconds, &jobs, &limit, &keep, &countsFile,
           &print, &noShrink, &levels, &packets, &others, &boundRuns,
           std::addressof(disabled)})
    option->addCategory(own);
  files.addCategory(own);
  cl::HideUnrelatedOptions(own);
  cl::ParseCommandLineOptions(argc, argv,
                              "random spinc programs, compiled and compared\n");
  if (print) {
    outs() << Generator(seed).program();
    return 0;
  }
  SoakOptions options;
  static const int anchor = 0;
  SmallString<256> executable(
      sys::fs::getMainExecutable(argv[0], const_cast<int *>(&anchor)));
  options.trial.executable = std::string(executable);
  options.trial.packets = packets;
  options.trial.boundRuns = boundRuns;
  options.trial.countConstructs = coverage;
  options.trial.othersEvery = others;
  options.trial.levels.clear();
  for (char level : levels)
    options.trial.levels.push_back(unsigned(level - '0'));
  for (const std::string &name : disabled) {
    std::optional<backend::Ablation> what = backend::ablationOf(name);
    if (!what) {
      errs() << "spinc-fuzz: there is no optimisation '" << name << "'\n";
      return 2;
    }
    options.trial.disabled.add(*what);
  }
  if (!files.empty())
    return tryFiles(options.trial);
  options.firstSeed = seed;
  options.count = programs ? uint64_t(programs) : UINT64_MAX;
  options.seconds = seconds;
  options.jobs = jobs;
  options.secondsPerProgram = limit;
  options.keep = keep;
  options.shrinks = !noShrink;
  auto start = std::chrono::steady_clock::now();
  Totals totals = {};
  // The linker resets all options of the process.
  bool countsConstructs = coverage;
  bool passed = soak(options, outs(), totals);
  double taken =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  printTotals(totals, taken);
  if (!countsFile.empty()) {
    json::Object object = toJson(totals);
    object["seconds"] = taken;
    std::error_code error;
    raw_fd_ostream file(countsFile, error);
    file << json::Value(std::move(object)) << '\n';
  }
  if (countsConstructs)
    passed &= printCoverage(totals);
  return passed ? 0 : 1;
}
