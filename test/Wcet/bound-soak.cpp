// Runs handlers very often and compares each run with its bound: programs from
// files and random ones, at all levels and places of the code, on random
// packets and on changes of the dearest packet that was found.
//
// bound-soak [--runs=N] [--programs=N] [--seconds=N] [--seed=N] [FILE …]
// --runs: of each image; --programs: so many random ones besides the files.
// Prints the number of runs; ends with 1 if one took longer than its bound.
#include "compiler/Witness/Search.h"
#include "compiler/Witness/Stimuli.h"
#include "test/Fuzz/Generator.h"
#include "test/Fuzz/Program.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;
using namespace spinc;
using fuzz::Verdict;
using witness::Packet;

namespace {

struct Arguments {
  uint64_t runs = 10000, programs = 0, seconds = 0, seed = 1;
  std::vector<std::string> files;
};

/// Code may start at any even address of a line of 16 bytes.
constexpr unsigned kPlaces = 8, kLevels = 4;
/// Messages after which a card with other parameters is made.
constexpr unsigned kMessages = 400;

class Soak {
public:
  Soak(Arguments arguments, std::string executable)
      : arguments(std::move(arguments)), executable(std::move(executable)),
        random(this->arguments.seed) {}
  int run();

private:
  void tryProgram(const std::string &name, const std::string &text,
                  std::vector<std::string> imports, bool everywhere);
  void tryImage(const fuzz::Program &program, const std::string &name);
  void soakContext(const witness::Program &image, uint32_t context,
                   const fuzz::Program &program, const std::string &name);
  void tryCard(const witness::Program &image, uint32_t context,
               const std::map<SpinSimHandlerKind, const HandlerBound *> &bounds,
               witness::Stimuli &stimuli, const std::string &name,
               uint64_t &left);
  bool isOver() const {
    return failures > 10 || (arguments.seconds != 0 &&
                             std::chrono::steady_clock::now() - start >
                                 std::chrono::seconds(arguments.seconds));
  }
  void fail(const Twine &text) {
    outs() << text << "\n";
    ++failures;
  }

  const Arguments arguments;
  const std::string executable;
  witness::Random random;
  const std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  uint64_t runs = 0, images = 0, accepted = 0, failures = 0, exact = 0;
  std::vector<Packet> dearest;
};

/// One card with its parameters and many messages.
void Soak::tryCard(
    const witness::Program &image, uint32_t context,
    const std::map<SpinSimHandlerKind, const HandlerBound *> &bounds,
    witness::Stimuli &stimuli, const std::string &name, uint64_t &left) {
  std::optional<witness::Setting> setting = stimuli.setting({});
  if (!setting) {
    left = 0;
    return;
  }
  const sim::ContextInfo &info = image.metadata.contexts[context];
  witness::Card card(image, context, *setting);
  for (unsigned message = 0; message < kMessages && left > 0; ++message) {
    std::vector<Packet> packets;
    for (uint64_t count = 1 + stimuli.below(8); count-- > 0;)
      packets.push_back(
          dearest.empty() || stimuli.below(2)
              ? stimuli.packet(stimuli.length())
              : stimuli.change(dearest[stimuli.below(dearest.size())]));
    stimuli.makeMessage(packets);
    ArrayRef<SpinSimRunInfo> done = card.run(packets);
    if (!card.error().empty())
      return fail(name + ": " + card.error());
    for (const SpinSimRunInfo &run : done) {
      auto bound = bounds.find(run.kind);
      if (bound == bounds.end())
        continue;
      ++runs;
      left -= left > 0;
      std::optional<int64_t> most = witness::boundAt(
          *bound->second, info,
          witness::valuesOf(info, *setting, packets[run.packet],
                            bound->second->symbols));
      exact += most && int64_t(run.cycles) == *most;
      if (!most || int64_t(run.cycles) > *most)
        return fail(formatv("{0}: {1} took {2} cycles, its bound is {3}", name,
                            bound->second->symbol, run.cycles,
                            most.value_or(0)));
    }
    if (done.empty())
      return;
  }
}

void Soak::soakContext(const witness::Program &image, uint32_t context,
                       const fuzz::Program &program, const std::string &name) {
  std::map<SpinSimHandlerKind, const HandlerBound *> bounds;
  const HandlerBound *any = nullptr;
  dearest.clear();
  for (const HandlerBound &bound : program.bounds()) {
    auto place = witness::findHandler(image, bound.symbol);
    if (!place || place->context != context)
      continue;
    bounds[place->kind] = any = &bound;
    witness::SearchOptions options;
    options.tries = 30;
    options.seed = random();
    auto found = witness::findWitness(image, bound, options);
    if (!found)
      return fail(name + ": " + toString(found.takeError()));
    if (*found)
      dearest.insert(dearest.end(), (*found)->stimulus.packets.begin(),
                     (*found)->stimulus.packets.end());
  }
  if (!any)
    return;
  witness::Stimuli stimuli(image, context, any->symbols, random());
  uint64_t left = arguments.runs;
  // A program may take few of the packets that are made for it.
  for (unsigned cards = 0; left > 0 && cards < 1000 && !isOver(); ++cards)
    tryCard(image, context, bounds, stimuli, name, left);
}

void Soak::tryImage(const fuzz::Program &program, const std::string &name) {
  ++images;
  StringRef elf(reinterpret_cast<const char *>(program.image().data()),
                program.image().size());
  Expected<witness::Program> image = witness::Program::read(elf);
  if (!image)
    return fail(name + ": " + toString(image.takeError()));
  for (uint32_t context = 0; context < image->metadata.contexts.size();
       ++context)
    soakContext(*image, context, program, name);
}

void Soak::tryProgram(const std::string &name, const std::string &text,
                      std::vector<std::string> imports, bool everywhere) {
  auto program = std::make_unique<fuzz::Program>(text, executable, imports);
  if (program->prove() != Verdict::Accepted)
    return;
  ++accepted;
  unsigned chosen = unsigned(random() % (kLevels * kPlaces));
  for (unsigned number = 0; number < kLevels * kPlaces && !isOver(); ++number) {
    if (!everywhere && number != chosen)
      continue;
    unsigned level = number / kPlaces, offset = number % kPlaces * 2;
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
    tryProgram(sys::path::filename(file).str(), (*buffer)->getBuffer().str(),
               {sys::path::parent_path(file).str()}, /*everywhere=*/true);
  }
  for (uint64_t number = 0; number < arguments.programs && !isOver();
       ++number) {
    uint64_t seed = arguments.seed + number;
    tryProgram("program " + std::to_string(seed),
               fuzz::Generator(seed).program(), {}, /*everywhere=*/false);
  }
  outs() << runs << " runs of " << images << " images from " << accepted
         << " programs, " << exact << " exactly at the bound, " << failures
         << " failures\n";
  return failures == 0 && runs > 0 ? 0 : 1;
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
             !number("--programs=", arguments.programs) &&
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
