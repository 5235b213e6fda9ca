// The last look at the hardware loops of a linked image, apart from the pass
// that makes them: it knows addresses and words only.
#include "compiler/Backend/HardwareLoops.h"
#include "compiler/Backend/Image.h"
#include "compiler/Backend/Sweep.h"
#include "runtime/isa/Isa.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace llvm;
using namespace spinc;
using namespace spinc::backend;

namespace {

class RuleChecker {
public:
  RuleChecker(StringRef image, isa::InstructionSet set)
      : image(image), set(set), rules(hwLoopRules(set)) {}

  Error check() {
    if (Error error = readCode())
      return error;
    for (const auto &[address, insn] : code) {
      if (!isa::isHwLoop(insn))
        continue;
      std::optional<isa::LoopRange> body = isa::hwLoopRange(insn, address);
      const char *broken =
          body ? brokenRule(*body) : "is set up by more than one instruction";
      if (broken)
        return createStringError(
            formatv("'{0}' has a hardware loop at {1:x} that {2}",
                    codeOwner(image, address), address, broken));
    }
    return Error::success();
  }

private:
  using Code = std::map<uint32_t, isa::Insn>;

  Error readCode() {
    return sweepImage(
        image,
        [&](uint64_t address, uint64_t fileOffset, unsigned length) -> Error {
          uint32_t word = instructionAt(image, fileOffset, length);
          isa::decode(word, code[address], set);
          return Error::success();
        });
  }

  static bool holds(const isa::LoopRange &body, uint32_t address) {
    return body.start <= address && address <= body.end;
  }

  /// What is wrong with a body, or null.
  const char *brokenRule(const isa::LoopRange &body) const {
    auto last = code.find(body.end);
    if (last == code.end() || !code.count(body.start))
      return "ends within an instruction";
    if (!rules.isFree && body.start % 4 != 0)
      return "starts at no multiple of four bytes";
    if (body.end <= body.start ||
        std::distance(code.find(body.start), last) + 1 < rules.leastBody)
      return rules.leastBody == 2 ? "has less than two instructions"
                                  : "has less than three instructions";
    if (isa::isBranch(last->second) || isa::isJump(last->second) ||
        isa::isHwLoop(last->second))
      return "ends with a jump or the set-up of a loop";
    for (const auto &[address, insn] : code)
      if (std::optional<uint32_t> target = targetOf(address))
        if (holds(body, *target) && !holds(body, address))
          return "is entered by a jump from outside";
    for (auto at = code.find(body.start); at->first <= body.end; ++at)
      if (const char *broken = brokenWithin(body, at->first))
        return broken;
    return nullptr;
  }

  /// The same for the instruction at `address` of the body.
  const char *brokenWithin(const isa::LoopRange &body, uint32_t address) const {
    const isa::Insn &insn = code.at(address);
    std::optional<uint32_t> target = targetOf(address);
    if (isa::isJump(insn) && !target)
      return "holds a jump to an unknown address";
    if (isa::isJump(insn) && insn.rd != 0 && reachesLoop(*target))
      return "calls a function with hardware loops";
    if (!rules.isFree && insn.length != 4)
      return "holds an instruction of 16 bits";
    if (!rules.isFree && !runsOn(insn))
      return "holds a branch, a jump, a fence or a trap";
    if (std::optional<isa::LoopRange> inner = isa::hwLoopRange(insn, address)) {
      if (inner->loop >= body.loop)
        return "holds another one on the same or an outer level";
      if (inner->end >= body.end)
        return "ends no later than one that it holds";
      auto between = std::distance(code.find(inner->end), code.find(body.end));
      if (between < rules.leastBetweenEnds)
        return "ends too soon behind one that it holds";
    }
    return nullptr;
  }

  /// Whether the next instruction is always the next to run.
  static bool runsOn(const isa::Insn &insn) {
    isa::TimingClass timing = isa::info(insn.op).timing;
    return !isa::isBranch(insn) && !isa::isJump(insn) &&
           timing != isa::TimingClass::Fence &&
           timing != isa::TimingClass::System;
  }

  /// Where a branch or a jump goes; the long form of a jump is a pair.
  std::optional<uint32_t> targetOf(uint32_t address) const {
    auto at = code.find(address);
    const isa::Insn &insn = at->second;
    if (!isa::isIndirect(insn))
      return isa::directTarget(insn, address);
    if (at == code.begin() || isa::isReturn(insn))
      return std::nullopt;
    auto [before, base] = *std::prev(at);
    if (base.rd != insn.rs1 || base.rd == 0 ||
        before + base.length != address || base.op != isa::Opcode::Auipc)
      return std::nullopt;
    return before + base.imm + insn.imm;
  }

  /// Whether code that is run from `entry` on sets up a hardware loop, or may.
  bool reachesLoop(uint32_t entry) const {
    std::vector<uint32_t> work = {entry};
    std::set<uint32_t> seen;
    while (!work.empty()) {
      uint32_t address = work.back();
      work.pop_back();
      auto at = code.find(address);
      if (at == code.end())
        return true;
      if (!seen.insert(address).second)
        continue;
      const isa::Insn &insn = at->second;
      if (isa::isHwLoop(insn))
        return true;
      if (isa::isReturn(insn))
        continue;
      std::optional<uint32_t> target = targetOf(address);
      if (isa::isIndirect(insn) && !target)
        // A routine's own return through t0.
        if (insn.rd != 0 || insn.rs1 != 5)
          return true;
      if (target)
        work.push_back(*target);
      if (isa::fallsThrough(insn) || (isa::isJump(insn) && insn.rd != 0) ||
          isa::isBranch(insn))
        work.push_back(address + insn.length);
    }
    return false;
  }

  StringRef image;
  const isa::InstructionSet set;
  const HwLoopRules &rules;
  Code code;
};

} // namespace

Error spinc::backend::checkHardwareLoops(StringRef image,
                                         isa::InstructionSet set) {
  return RuleChecker(image, set).check();
}
