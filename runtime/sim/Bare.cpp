//===- Bare.cpp - One core without a card ---------------------------------===//
//
// Memory is one block: the image, then the stack. Anything else faults. Stores
// to code and to `tohost` are looked at, all others are not.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Bare.h"
#include "runtime/abi/pspin.h"
#include "runtime/isa/Timing.h"
#include "runtime/sim/Core.h"
#include "runtime/sim/Trace.h"
#include "runtime/sim/translate/Translator.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace spinc::sim;
using llvm::formatv;

namespace {

constexpr uint32_t stackBytes = 1 << 20, pageBytes = 4096;
constexpr uint32_t largestImage = 256 << 20, highestAddress = 0xf0000000;
constexpr uint32_t callExit = 93, callWrite = 64;
/// What Linux answers to unknown calls and bad addresses.
constexpr uint32_t noSuchCall = uint32_t(-38), badAddress = uint32_t(-14);

struct Range {
  uint32_t begin, end;
};

/// The image and the stack as one block of memory.
struct Block {
  uint32_t base = 0;
  std::vector<uint8_t> bytes;
  Range code = {0, 0};
  uint32_t toHost = 0; // address, or 0

  uint8_t *find(uint32_t address, uint64_t size) {
    uint32_t offset = address - base;
    return offset < bytes.size() && size <= bytes.size() - offset
               ? bytes.data() + offset
               : nullptr;
  }
  uint32_t end() const { return base + uint32_t(bytes.size()); }
  bool load(const Image &image, std::string &error);
  Window window(Range range) {
    return {range.begin, range.end - range.begin - 4,
            bytes.data() + (range.begin - base)};
  }
  Range largestWithoutCode() const;
};

bool Block::load(const Image &image, std::string &error) {
  uint64_t low = ~0ull, high = 0, codeLow = ~0ull, codeHigh = 0;
  for (const Segment &segment : image.segments) {
    uint64_t begin = segment.address, end = begin + segment.memorySize;
    low = std::min(low, begin);
    high = std::max(high, end);
    if (segment.executable) {
      codeLow = std::min(codeLow, begin);
      codeHigh = std::max(codeHigh, end);
    }
  }
  if (high < low || high - low > largestImage || high > highestAddress ||
      codeHigh < codeLow) {
    error = "the program's segments are too far apart for --bare";
    return false;
  }
  base = uint32_t(low) & ~3u;
  high = (high + pageBytes - 1) / pageBytes * pageBytes;
  code = {uint32_t(codeLow) & ~3u, uint32_t((codeHigh + 3) & ~3ull)};
  bytes.assign(high - base + stackBytes, 0);
  for (const Segment &segment : image.segments)
    std::copy(segment.bytes.begin(), segment.bytes.end(),
              bytes.begin() + (segment.address - base));
  auto symbol = image.symbols.find("tohost");
  if (symbol != image.symbols.end())
    toHost = symbol->second;
  return true;
}

/// What stores reach at full speed. The stack alone is large enough for a
/// window.
Range Block::largestWithoutCode() const {
  std::vector<Range> holes = {code};
  if (toHost)
    holes.push_back({toHost & ~3u, (toHost & ~3u) + 8});
  std::sort(holes.begin(), holes.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  Range best = {base, base};
  uint32_t from = base;
  holes.push_back({end(), end()});
  for (const Range &hole : holes) {
    if (hole.begin > from && hole.begin - from > best.end - best.begin)
      best = {from, hole.begin};
    from = std::max(from, hole.end);
  }
  return best;
}

/// Serves what the windows do not take.
class BareBus : public Bus {
public:
  BareBus(Block &block, Program &program) : block(block), program(program) {}
  BusResult load(Core &, uint32_t address, unsigned size,
                 uint32_t &value) override {
    const uint8_t *place = block.find(address, size);
    if (!place)
      return BusResult::Fault;
    value = 0;
    std::memcpy(&value, place, size);
    return BusResult::Done;
  }
  BusResult store(Core &core, uint32_t address, unsigned size,
                  uint32_t value) override {
    uint8_t *place = block.find(address, size);
    if (!place)
      return BusResult::Fault;
    if (block.toHost && address == block.toHost && value & 1) {
      exitValue = value;
      return BusResult::Blocked;
    }
    std::memcpy(place, &value, size);
    if (spinc::isa::crossesWord(address, size))
      core.cycles += spinc::isa::misalignedExtra;
    noteStore(address, size);
    return BusResult::Done;
  }
  BusResult atomic(Core &, uint32_t address, bool, uint8_t *&word) override {
    word = block.find(address, 4);
    if (!word)
      return BusResult::Fault;
    noteStore(address, 4);
    return BusResult::Done;
  }

  uint32_t exitValue = 0;

private:
  void noteStore(uint32_t address, unsigned size) {
    if (address + size > block.code.begin && address < block.code.end)
      program.noteStore(address, size);
  }
  Block &block;
  Program &program;
};

std::string describe(const Core &core) {
  const Trap &trap = core.trap;
  switch (trap.cause) {
  case PSPIN_FAULT_ILLEGAL:
    return formatv("no such instruction at pc {0:x}", core.pc);
  case PSPIN_FAULT_LOAD:
  case PSPIN_FAULT_STORE:
    return formatv("{0} at {1:x} is outside of the program, pc {2:x}",
                   trap.cause == PSPIN_FAULT_LOAD ? "load" : "store",
                   trap.address, core.pc);
  case PSPIN_FAULT_HANG:
    return formatv("the instruction at pc {0:x} stops a PsPIN core for ever",
                   core.pc);
  default:
    return formatv("trap {0} at pc {1:x}", trap.cause, core.pc);
  }
}

/// One run of a program.
class BareMachine {
public:
  BareMachine(Block &block, const Image &image, const BareOptions &options)
      : block(block), image(image), options(options),
        program(block.code.begin, block.find(block.code.begin, 0),
                block.code.end - block.code.begin, options.set),
        bus(block, program), core(program, bus, 0) {}

  BareResult run(uint32_t entry, std::string &output);

private:
  void setUp(uint32_t entry);
  void pushArguments();
  Stop advance();
  bool overLimit();
  bool handleTrap(std::string &output);
  bool systemCall(std::string &output);

  Block &block;
  const Image &image;
  const BareOptions &options;
  Program program;
  BareBus bus;
  Core core;
  std::unique_ptr<Translator> translator;
  BareResult result;
};

void BareMachine::setUp(uint32_t entry) {
  Window all = block.window({block.base, block.end()});
  Window stores = block.window(block.largestWithoutCode());
  for (unsigned i = 0; i < 2; ++i) {
    core.windows[i] = core.ownL1[i] = all;
    core.storeWindows[i] = stores;
  }
  core.userMode = core.countersInUserMode = block.toHost == 0;
  core.pc = entry;
  core.regs[2] = block.end() - 64;
  pushArguments();
  if (options.engine.kind == EngineKind::Simple || options.trace)
    return;
  TranslatorOptions choice;
  choice.keepsTime = options.engine.kind == EngineKind::Fast;
  choice.threshold = options.engine.threshold;
  choice.onlyWindow = all;
  choice.onlyStoreWindow = stores;
  choice.checksStack = false;
  translator = std::make_unique<Translator>(program, choice);
  core.useTranslator(*translator);
}

/// argc, argv and an empty environment, as Linux leaves them.
void BareMachine::pushArguments() {
  std::vector<uint32_t> words = {uint32_t(options.arguments.size())};
  uint32_t top = core.regs[2];
  for (const std::string &argument : options.arguments) {
    if (argument.size() >= stackBytes / 2 - (block.end() - top))
      break;
    top -= uint32_t(argument.size() + 1);
    std::memcpy(block.find(top, argument.size() + 1), argument.c_str(),
                argument.size() + 1);
    words.push_back(top);
  }
  words[0] = uint32_t(words.size() - 1);
  words.insert(words.end(), 4, 0); // ends of argv, environment, auxiliary data
  top = (top - 4 * uint32_t(words.size())) & ~15u;
  std::memcpy(block.find(top, 4 * words.size()), words.data(),
              4 * words.size());
  core.regs[2] = top;
}

Stop BareMachine::advance() {
  if (options.trace) {
    *options.trace += traceLine(core, program, image, core.cycles) + "\n";
    return core.step();
  }
  uint64_t left = options.maxInstructions - core.instructions;
  if (options.engine.kind == EngineKind::Functional)
    return core.run(options.maxInstructions);
  // An instruction takes a cycle at least.
  uint64_t enough = left > ~0ull - core.cycles ? ~0ull : core.cycles + left;
  return core.run(std::min(options.maxCycles, enough));
}

bool BareMachine::overLimit() {
  if (core.instructions >= options.maxInstructions)
    result.error =
        formatv("the program ran for {0} instructions", core.instructions);
  else if (core.cycles >= options.maxCycles)
    result.error = formatv("the program ran for {0} cycles", options.maxCycles);
  return !result.error.empty();
}

/// Returns true if the call ends the program.
bool BareMachine::systemCall(std::string &output) {
  uint32_t *regs = core.regs;
  if (regs[17] == callExit) {
    result.exited = true;
    result.status = regs[10] & 0xff;
    return true;
  }
  regs[10] = regs[17] == callWrite ? badAddress : noSuchCall;
  if (regs[17] == callWrite)
    if (const uint8_t *text = block.find(regs[11], regs[12])) {
      output.append(reinterpret_cast<const char *>(text), regs[12]);
      regs[10] = regs[12];
    }
  core.pc += 4;
  return false;
}

/// Returns true if the trap ends the program.
bool BareMachine::handleTrap(std::string &output) {
  if (core.trap.cause == PSPIN_FAULT_ECALL_USER && !block.toHost) {
    ++core.instructions;
    ++core.cycles;
    return systemCall(output);
  }
  if (block.toHost && core.trap.cause < PSPIN_FAULT_HANG && core.trapVector()) {
    core.enterTrap(core.trap.cause, core.trap.address);
    return false;
  }
  result.error = describe(core);
  return true;
}

BareResult BareMachine::run(uint32_t entry, std::string &output) {
  setUp(entry);
  while (!overLimit()) {
    Stop stop = advance();
    if (stop == Stop::Trap && handleTrap(output))
      break;
    if (stop == Stop::Blocked) {
      ++core.instructions;
      ++core.cycles;
      result.exited = true;
      result.status = bus.exitValue >> 1 & 0xff;
      break;
    }
  }
  bool timed = options.engine.kind != EngineKind::Functional || options.trace;
  result.cycles = timed ? core.cycles : 0;
  result.instructions = core.instructions;
  result.regions = translator ? translator->regions() : 0;
  return std::move(result);
}

} // namespace

BareResult spinc::sim::runBare(const Image &image, const BareOptions &options,
                               std::string &output) {
  Block block;
  BareResult failed;
  if (!block.load(image, failed.error))
    return failed;
  return BareMachine(block, image, options).run(image.entry, output);
}
