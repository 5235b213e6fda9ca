//===- Bare.cpp - One core without a card ---------------------------------===//
//
// Memory is one block that spans the image and a stack below it in a window
// of its own; anything else faults.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Bare.h"
#include "runtime/abi/pspin.h"
#include "runtime/sim/Core.h"
#include "runtime/sim/Trace.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace spinc::sim;
using llvm::formatv;

namespace {

constexpr uint32_t stackTop = 0x80000000, stackBytes = 1 << 20;
constexpr uint32_t largestImage = 256 << 20;
constexpr uint32_t callExit = 93, callWrite = 64;
/// What Linux answers to unknown calls.
constexpr uint32_t noSuchCall = uint32_t(-38);

/// Ends accesses that the windows do not take, and serves lr and sc.
class BareBus : public Bus {
public:
  BusResult load(Core &core, uint32_t address, unsigned size,
                 uint32_t &value) override {
    uint8_t *place = find(core, address, size);
    if (!place)
      return BusResult::Fault;
    value = 0;
    std::memcpy(&value, place, size);
    return BusResult::Done;
  }
  BusResult store(Core &core, uint32_t address, unsigned size,
                  uint32_t value) override {
    uint8_t *place = find(core, address, size);
    if (!place)
      return BusResult::Fault;
    std::memcpy(place, &value, size);
    return BusResult::Done;
  }
  BusResult atomic(Core &core, uint32_t address, bool,
                   uint8_t *&word) override {
    word = find(core, address, 4);
    return word ? BusResult::Done : BusResult::Fault;
  }
  static uint8_t *find(Core &core, uint32_t address, uint64_t size) {
    for (Window &window : core.windows)
      if (address >= window.base &&
          address - window.base + size <= uint64_t(window.last) + 4)
        return window.data + (address - window.base);
    return nullptr;
  }
};

/// The image as one block of memory.
struct Block {
  uint32_t base = 0;
  std::vector<uint8_t> bytes;
};

bool loadBlock(const Image &image, Block &block, std::string &error) {
  uint64_t low = ~0ull, high = 0;
  for (const Segment &segment : image.segments) {
    low = std::min<uint64_t>(low, segment.address);
    high = std::max<uint64_t>(high,
                              uint64_t(segment.address) + segment.memorySize);
  }
  if (high - low > largestImage || high > stackTop - stackBytes) {
    error = "the program's segments are too far apart for --bare";
    return false;
  }
  block.base = uint32_t(low);
  block.bytes.assign((high - low + 7) & ~3ull, 0);
  for (const Segment &segment : image.segments)
    std::copy(segment.bytes.begin(), segment.bytes.end(),
              block.bytes.begin() + (segment.address - block.base));
  return true;
}

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

/// Returns true if the call ends the program.
bool systemCall(Core &core, BareResult &result, std::string &output) {
  uint32_t *regs = core.regs;
  switch (regs[17]) {
  case callExit:
    result.exited = true;
    result.status = regs[10] & 0xff;
    return true;
  case callWrite:
    if (const uint8_t *text = BareBus::find(core, regs[11], regs[12])) {
      output.append(reinterpret_cast<const char *>(text), regs[12]);
      regs[10] = regs[12];
      break;
    }
    regs[10] = uint32_t(-14);
    break;
  default:
    regs[10] = noSuchCall;
    break;
  }
  core.pc += 4;
  return false;
}

} // namespace

BareResult spinc::sim::runBare(const Image &image, uint64_t maxCycles,
                               std::string &output, std::string *trace) {
  BareResult result;
  Block block;
  if (!loadBlock(image, block, result.error))
    return result;
  Program program(block.base, block.bytes.data(), block.bytes.size());
  std::vector<uint8_t> stack(stackBytes);
  BareBus bus;
  Core core(program, bus, 0);
  core.windows[0] = {block.base, uint32_t(block.bytes.size() - 4),
                     block.bytes.data()};
  core.windows[1] = {stackTop - stackBytes, stackBytes - 4, stack.data()};
  for (unsigned i = 0; i < 2; ++i)
    core.ownL1[i] = core.windows[i];
  core.userMode = core.countersInUserMode = true;
  core.pc = image.entry;
  core.regs[2] = stackTop - 64;
  for (;;) {
    if (trace && core.cycles < maxCycles)
      *trace += traceLine(core, program, core.cycles) + "\n";
    Stop stop = trace ? core.step() : core.run(maxCycles);
    bool ended = core.cycles >= maxCycles;
    if (stop == Stop::Trap && core.trap.cause == PSPIN_FAULT_ECALL_USER) {
      ++core.instructions;
      ++core.cycles;
      if (systemCall(core, result, output))
        break;
    } else if (stop == Stop::Trap) {
      result.error = describe(core);
      break;
    } else if (stop == Stop::Limit || ended) {
      result.error = formatv("the program ran for {0} cycles", maxCycles);
      break;
    }
  }
  result.cycles = core.cycles;
  result.instructions = core.instructions;
  return result;
}
