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
#include "runtime/abi/portals.h"
#include "runtime/sim/spinsim.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

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

/// The handler by the strategy that was asked for; notes the time from `start`
/// until all is there but the image.
Expected<Compiled> makeHandler(const Options &options, StringRef name,
                               Placed layout, json::Object &result) {
  CompileOptions how;
  how.executable = options.executable;
  how.mtu = options.payload;
  const double start = now();
  if (options.strategy == StrategyKind::Specialised) {
    Expected<Plan> plan = makePlan(layout);
    if (!plan)
      return plan.takeError();
    result["plan_s"] = now() - start;
    return compileProgram(
        [&](StringRef budget) {
          return makeProgram(*plan, name, Direction::Receive, budget);
        },
        "ddt", how);
  }
  Expected<GeneralTables> tables = makeTables(layout, options.payload);
  if (!tables)
    return tables.takeError();
  result["plan_s"] = now() - start;
  return compileProgram(
      [&](StringRef budget) {
        return makeGeneralProgram(*tables, options.strategy, budget);
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

void measure(StringRef line, const Options &options, json::Object &result) {
  const double start = now();
  Expected<Description> description = readDescription(line, "case");
  if (!description) {
    result["error"] = toString(description.takeError());
    return;
  }
  result["name"] = description->name;
  LayoutPool pool;
  Placed layout = normalise(*description, pool);
  result["normalise_s"] = now() - start;
  if (!layout.layout) {
    result["error"] = "there is no data";
    return;
  }
  const double normalised = now();
  Expected<Compiled> made =
      makeHandler(options, description->name, layout, result);
  if (!made) {
    result["error"] = toString(made.takeError());
    return;
  }
  result["make_s"] = now() - normalised;
  simulate(options, *made, layout, result);
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
  auto buffer = MemoryBuffer::getFile(options.file);
  if (!buffer) {
    errs() << "ddt-simulate: " << options.file << ": "
           << buffer.getError().message() << '\n';
    return 1;
  }
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    json::Object result;
    measure(line, options, result);
    outs() << json::Value(std::move(result)) << '\n';
    outs().flush();
  }
  return 0;
}
