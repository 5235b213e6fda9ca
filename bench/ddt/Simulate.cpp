// ddt-simulate [--machine=TOML] [--payload=N] [--strategy=NAME] FILE: makes the
// handler of each description in FILE (JSON lines), lets a card receive one
// message with it, the packets in order and at line rate, and prints one line
// of JSON each: what the making took, what the card stores, how fast it went.
// Every byte of host memory is compared with the layout first.

#include "compiler/Ddt/Description/Reader.h"
#include "compiler/Ddt/General/Source.h"
#include "compiler/Ddt/Generate/Compile.h"
#include "compiler/Ddt/Layout/Normalise.h"
#include "compiler/Ddt/Plan/Plan.h"
#include "runtime/Support/ForEachLine.h"
#include "runtime/abi/portals.h"
#include "runtime/sim/spinsim.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <cstring>
#include <memory>

using namespace llvm;
using namespace spinc::ddt;

namespace {

struct Options {
  std::string machine, executable; ///< TOML; empty: PsPIN
  unsigned payload = 2048;
  StrategyKind strategy = StrategyKind::Specialised;
  StringRef file;
};

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// How many bytes, and what host memory they reach.
struct Message {
  explicit Message(Placed layout)
      : bytes(layout.layout->bytes), low(layout.place + layout.layout->low),
        span(layout.layout->high - layout.layout->low) {}

  int64_t bytes, low, span;
};

uint8_t streamByte(int64_t at) {
  return static_cast<uint8_t>(at * 2654435761u >> 16);
}

struct AlignedFree {
  void operator()(uint8_t *bytes) const { std::free(bytes); }
};
using HostMemory = std::unique_ptr<uint8_t, AlignedFree>;

constexpr uint8_t untouched = 0xA5;

HostMemory allocate(size_t bytes) {
  const size_t whole = (bytes + 63) / 64 * 64;
  HostMemory memory(static_cast<uint8_t *>(std::aligned_alloc(64, whole)));
  std::memset(memory.get(), untouched, whole);
  return memory;
}

bool isRight(Placed layout, const Message &message, const uint8_t *memory) {
  HostMemory expected = allocate(message.span);
  int64_t stream = 0;
  forEachRun(layout, [&](int64_t place, int64_t length) {
    for (int64_t i = 0; i < length; ++i)
      expected.get()[place - message.low + i] = streamByte(stream++);
  });
  return std::memcmp(expected.get(), memory, message.span) == 0;
}

/// Lines of 64 bytes that a copy on the host would touch in the layout.
int64_t linesOf(Placed layout, const Message &message) {
  std::vector<bool> lines(message.span / 64 + 1);
  forEachRun(layout, [&](int64_t place, int64_t length) {
    const int64_t first = place - message.low;
    for (int64_t line = first / 64; line <= (first + length - 1) / 64; ++line)
      lines[line] = true;
  });
  return llvm::count(lines, true);
}

/// Bytes of the image's handlers; the device runtime is the same for all.
int64_t codeBytes(const Compiled &made, StringRef context) {
  const StringRef image(reinterpret_cast<const char *>(made.image.data()),
                        made.image.size());
  auto file = object::ELFObjectFile<object::ELF32LE>::create(
      MemoryBufferRef(image, "image"));
  if (!file) {
    consumeError(file.takeError());
    return 0;
  }
  int64_t bytes = 0;
  for (const object::ELFSymbolRef &symbol : file->symbols()) {
    Expected<StringRef> name = symbol.getName();
    if (!name)
      consumeError(name.takeError());
    else if (name->starts_with((context + "_").str()))
      bytes += static_cast<int64_t>(symbol.getSize());
  }
  return bytes;
}

class Card {
public:
  Card(const Options &options) : options(options) {
    spinSimDefaultConfig(&config);
    char problem[256] = "";
    if (spinSimReadConfig(&config, options.machine.c_str(), "--machine",
                          problem, sizeof problem) != SPINSIM_OK)
      report_fatal_error(problem);
    config.contention = 1;
    sim = spinSimCreate(&config);
  }
  ~Card() { spinSimDestroy(sim); }

  std::string run(const Compiled &made, const Message &message,
                  uint8_t *memory) {
    std::vector<uint8_t> parameters = made.program.parameters(0);
    const uint32_t context = 0;
    if (spinSimLoad(sim, made.image.data(), made.image.size()) != SPINSIM_OK ||
        spinSimInstall(sim, context, parameters.data(), parameters.size(),
                       memory, message.span) != SPINSIM_OK ||
        !inject(message.bytes) || spinSimRun(sim) != SPINSIM_OK)
      return spinSimLastError(sim);
    SpinSimFault fault;
    if (spinSimFaultCount(sim) && spinSimFault(sim, 0, &fault) == SPINSIM_OK)
      return fault.text;
    return "";
  }

  void report(json::Object &result, const Message &message) const {
    SpinSimTotals totals;
    spinSimTotals(sim, &totals);
    // From the first arrival to the last feedback; headers do not count.
    const double seconds =
        static_cast<double>(totals.bytes) * 8 / (totals.rate * 1e9);
    result["packets"] = static_cast<int64_t>(totals.packets);
    result["gbit"] = static_cast<double>(message.bytes) * 8 / seconds / 1e9;
    SpinSimHandlerStats handler;
    for (uint32_t i = 0; i < spinSimHandlerCount(sim); ++i)
      if (spinSimHandlerStats(sim, i, &handler) == SPINSIM_OK &&
          handler.kind == SPINSIM_PAYLOAD) {
        result["cycles"] = static_cast<int64_t>(handler.cyclesMedian);
        result["wait"] = static_cast<int64_t>(handler.waitMedian);
        result["instructions"] =
            static_cast<int64_t>(handler.instructionsTotal);
      }
  }

private:
  bool inject(int64_t bytes) {
    std::vector<uint8_t> packet;
    for (int64_t offset = 0; offset < bytes; offset += options.payload) {
      const int64_t length = std::min<int64_t>(options.payload, bytes - offset);
      PortalsHeader header = {};
      header.messageLength = static_cast<uint32_t>(bytes);
      header.offset = static_cast<uint32_t>(offset);
      header.type = PORTALS_TYPE_PUT;
      header.flags = offset + length == bytes ? PORTALS_FLAG_EOM : 0;
      packet.resize(sizeof header + length);
      std::memcpy(packet.data(), &header, sizeof header);
      for (int64_t i = 0; i < length; ++i)
        packet[sizeof header + i] = streamByte(offset + i);
      if (spinSimInject(sim, SPINSIM_LINK_PORTALS, packet.data(), packet.size(),
                        SPINSIM_NEXT) != SPINSIM_OK)
        return false;
    }
    return true;
  }

  const Options &options;
  SpinSimConfig config;
  SpinSim *sim;
};

/// Seconds of what comes before a compilation.
struct MakeTimes {
  double read, normalise, plan;
};

/// What a handler is made of, by the strategy that was asked for.
struct Parts {
  LayoutPool pool;
  Description description;
  Placed layout;
  Plan plan;
  GeneralTables tables;
};

Error makeParts(StringRef line, const Options &options, Parts &parts,
                MakeTimes &times) {
  const double start = now();
  Expected<Description> description = readDescription(line, "case");
  if (!description)
    return description.takeError();
  parts.description = std::move(*description);
  const double read = now();
  const bool isGeneral = options.strategy != StrategyKind::Specialised;
  NormaliseOptions how;
  if (isGeneral) // which takes any spelling
    how.flattenLimit = 0;
  parts.layout = normalise(parts.description, parts.pool, how);
  const double normalised = now();
  if (!parts.layout.layout)
    return createStringError("there is no data");
  if (isGeneral) {
    Expected<GeneralTables> tables = makeTables(parts.layout, options.payload);
    if (!tables)
      return tables.takeError();
    parts.tables = std::move(*tables);
  } else {
    Expected<Plan> plan = makePlan(parts.layout);
    if (!plan)
      return plan.takeError();
    parts.plan = std::move(*plan);
  }
  times = {read - start, normalised - read, now() - normalised};
  return Error::success();
}

/// Does it `repeats` times and notes the medians.
Expected<std::unique_ptr<Parts>>
makePartsTimed(StringRef line, const Options &options, json::Object &result) {
  constexpr unsigned repeats = 9;
  std::vector<MakeTimes> all(repeats);
  std::unique_ptr<Parts> parts;
  for (MakeTimes &times : all) {
    parts = std::make_unique<Parts>();
    if (Error error = makeParts(line, options, *parts, times))
      return error;
  }
  auto median = [&](double MakeTimes::*time) {
    std::vector<double> values;
    for (const MakeTimes &times : all)
      values.push_back(times.*time);
    llvm::sort(values);
    return values[repeats / 2];
  };
  result["name"] = parts->description.name;
  result["read_s"] = median(&MakeTimes::read);
  result["normalise_s"] = median(&MakeTimes::normalise);
  result["plan_s"] = median(&MakeTimes::plan);
  return parts;
}

Expected<Compiled> compile(const Options &options, const Parts &parts) {
  CompileOptions how;
  how.executable = options.executable;
  how.mtu = options.payload;
  return compileProgram(
      [&](StringRef budget) {
        if (options.strategy != StrategyKind::Specialised)
          return makeGeneralProgram(parts.tables, options.strategy, budget);
        return makeProgram(parts.plan, parts.description.name,
                           Direction::Receive, budget);
      },
      "ddt", how);
}

void simulate(const Options &options, const Compiled &made, Placed layout,
              json::Object &result) {
  const Message message(layout);
  result["bytes"] = message.bytes;
  result["runs"] = layout.layout->runs;
  result["span"] = message.span;
  result["lines"] = linesOf(layout, message);
  result["writes"] = trafficOf(layout, options.payload).commands;
  result["table_bytes"] =
      static_cast<int64_t>(made.program.parameters(0).size());
  result["code_bytes"] = codeBytes(made, made.program.context);
  HostMemory memory = allocate(message.span);
  Card card(options);
  const std::string error = card.run(made, message, memory.get());
  if (!error.empty())
    result["error"] = error;
  else if (!isRight(layout, message, memory.get()))
    result["error"] = "host memory is not as the layout says";
  else
    card.report(result, message);
}

Error measure(StringRef line, const Options &options, json::Object &result) {
  Expected<std::unique_ptr<Parts>> parts =
      makePartsTimed(line, options, result);
  if (!parts)
    return parts.takeError();
  const double start = now();
  Expected<Compiled> made = compile(options, **parts);
  if (!made)
    return made.takeError();
  result["compile_s"] = now() - start;
  simulate(options, *made, (*parts)->layout, result);
  return Error::success();
}

bool parse(ArrayRef<const char *> words, Options &options) {
  for (StringRef word : words) {
    if (word.consume_front("--machine=")) {
      options.machine = word.str();
    } else if (word.consume_front("--strategy=")) {
      std::optional<StrategyKind> strategy = strategyOf(word);
      if (!strategy)
        return false;
      options.strategy = *strategy;
    } else if (!word.consume_front("--payload=")) {
      options.file = word;
    } else if (word.getAsInteger(10, options.payload) || options.payload == 0) {
      return false;
    }
  }
  return !options.file.empty();
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  // Only its address counts, to find the executable.
  static int anchor = 0;
  options.executable = sys::fs::getMainExecutable(argv[0], &anchor);
  if (!parse(ArrayRef<const char *>(argv + 1, argv + argc), options)) {
    errs() << "usage: ddt-simulate [--machine=TOML] [--payload=N] "
              "[--strategy=NAME] FILE\n";
    return 2;
  }
  auto answer = [&](StringRef line) {
    json::Object result;
    if (Error error = measure(line, options, result))
      result["error"] = toString(std::move(error));
    outs() << json::Value(std::move(result)) << '\n';
  };
  return spinc::forEachLine("ddt-simulate", options.file, answer) ? 0 : 1;
}
