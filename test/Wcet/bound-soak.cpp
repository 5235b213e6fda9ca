// Runs the handlers of programs very often and compares each run with its
// bound, at all levels and places of the code.
//
// bound-soak [--runs=N] [--seconds=N] [--seed=N] FILE …
// --runs: of each context of an image. Prints the number of runs; ends with 1
// if one took longer than its bound. Random programs: spinc-fuzz
// --bound-runs=N.
#include "test/Fuzz/BoundRuns.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;
using namespace spinc;
using fuzz::Verdict;

namespace {

struct Arguments {
  uint64_t runs = 10000, seconds = 0, seed = 1;
  std::vector<std::string> files;
};

constexpr unsigned kLevels = 4;
/// Messages of the search for a witness, for each handler.
constexpr unsigned kTries = 30;

class Soak {
public:
  Soak(Arguments arguments, std::string executable)
      : arguments(std::move(arguments)), executable(std::move(executable)) {}
  int run();

private:
  void tryProgram(const std::string &path, const std::string &text);
  void tryImage(const fuzz::Program &program, const std::string &name);
  bool isOver() const {
    return failures > 10 || (arguments.seconds != 0 &&
                             std::chrono::steady_clock::now() - start >
                                 std::chrono::seconds(arguments.seconds));
  }

  const Arguments arguments;
  const std::string executable;
  const std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  fuzz::Counts counts;
  uint64_t images = 0, accepted = 0, failures = 0;
};

void Soak::tryImage(const fuzz::Program &program, const std::string &name) {
  fuzz::BoundRunOptions options;
  options.runs = arguments.runs;
  options.seed = arguments.seed + images++;
  options.tries = kTries;
  if (fuzz::Failure failure = runAgainstBounds(program, options, counts)) {
    outs() << name << ": " << *failure << "\n";
    ++failures;
  }
}

void Soak::tryProgram(const std::string &path, const std::string &text) {
  std::string name = sys::path::filename(path).str();
  std::vector<std::string> imports = {sys::path::parent_path(path).str()};
  auto program = std::make_unique<fuzz::Program>(text, executable, imports);
  if (program->prove() != Verdict::Accepted)
    return;
  ++accepted;
  for (unsigned number = 0; number < kLevels * fuzz::kPlaces && !isOver();
       ++number) {
    unsigned level = number / fuzz::kPlaces;
    unsigned offset = fuzz::codeOffset(number);
    program->stages().setCodeOffset(offset);
    if (program->makeObject({level}) == Verdict::Accepted &&
        program->makeImage() == Verdict::Accepted) {
      tryImage(*program,
               formatv("{0} -O{1} at offset {2}", name, level, offset));
      continue;
    }
    // Over its budget at this level: the next one starts afresh.
    program = std::make_unique<fuzz::Program>(text, executable, imports);
    if (program->prove() != Verdict::Accepted)
      return;
  }
}

int Soak::run() {
  for (const std::string &file : arguments.files) {
    auto buffer = MemoryBuffer::getFile(file);
    if (!buffer) {
      errs() << "bound-soak: error: '" << file << "': cannot be read\n";
      return 2;
    }
    tryProgram(file, (*buffer)->getBuffer().str());
  }
  outs() << counts.bounded << " runs of " << images << " images from "
         << accepted << " programs, " << counts.exact
         << " exactly at the bound, " << failures << " failures\n";
  return failures == 0 && counts.bounded > 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  for (StringRef word : ArrayRef<const char *>(argv + 1, argv + argc)) {
    auto number = [&](StringRef name, uint64_t &value) {
      return word.starts_with(name) &&
             !word.drop_front(name.size()).getAsInteger(10, value);
    };
    if (!word.starts_with("--"))
      arguments.files.push_back(word.str());
    else if (!number("--runs=", arguments.runs) &&
             !number("--seconds=", arguments.seconds) &&
             !number("--seed=", arguments.seed)) {
      errs() << "bound-soak: error: '" << word << "' is no option\n";
      return 2;
    }
  }
  // The device runtime and the standard library lie beside it.
  void *here = reinterpret_cast<void *>(&main);
  return Soak(std::move(arguments), sys::fs::getMainExecutable(argv[0], here))
      .run();
}
