// See Listing.h. Sections of code hold nothing else, so a sweep from the begin
// of each meets every instruction.
#include "compiler/tools/spinc-objdump/Listing.h"
#include "compiler/tools/Files.h"
#include "runtime/isa/Timing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;
using namespace spinc;
using namespace spinc::objdump;
using wcet::Image;
using wcet::SourceLine;

namespace {

class Lister {
public:
  Lister(const Image &image, const Options &options, raw_ostream &out)
      : image(image), options(options), out(out) {}

  void listRange(uint32_t begin, uint32_t end);

private:
  isa::Insn decode(uint32_t address, uint32_t end) const;
  void enterFunction(uint32_t address, const std::string &name);
  void printSource(uint32_t address);
  void printInstruction(uint32_t address, const isa::Insn &insn);
  std::string cyclesOf(const isa::Insn &insn) const;
  void noteLoops(uint32_t address, const isa::Insn &insn);

  const Image &image;
  const Options &options;
  raw_ostream &out;
  bool wanted = false;
  bool isFirst = true;
  SourceLine line;
  isa::Insn previous, beforePrevious;
  /// The hardware loops of the function, by their last instruction.
  std::multimap<uint32_t, isa::LoopRange> loopEnds;
};

} // namespace

/// Op Invalid for what is no instruction, and for half of one at the end.
isa::Insn Lister::decode(uint32_t address, uint32_t end) const {
  uint32_t word = *image.codeAt(address);
  std::optional<uint16_t> high;
  if (address + 4 <= end)
    high = image.codeAt(address + 2);
  isa::Insn insn;
  if ((word & 3) == 3 && high)
    word |= uint32_t(*high) << 16;
  isa::decode(word, insn, image.instructionSet());
  if (insn.length == 4 && !high) {
    insn.op = isa::Opcode::Invalid;
    insn.length = 2;
  }
  return insn;
}

void Lister::enterFunction(uint32_t address, const std::string &name) {
  wanted = options.functions.empty() || is_contained(options.functions, name);
  line = {};
  previous = beforePrevious = {};
  loopEnds.clear();
  if (!wanted)
    return;
  out << (isFirst ? "" : "\n") << formatv("{0:x-8} <{1}>:\n", address, name);
  isFirst = false;
}

/// The source line, where it differs from that of the instruction before.
void Lister::printSource(uint32_t address) {
  SourceLine next = image.lineAt(address);
  bool isSame = next.file == line.file && next.line == line.line;
  line = next;
  if (isSame || line.line == 0)
    return;
  std::string text = sourceText(line.file, line.line);
  out << "; " << sys::path::filename(line.file) << ":" << line.line
      << (text.empty() ? "" : "  ") << StringRef(text).trim() << "\n";
}

std::string Lister::cyclesOf(const isa::Insn &insn) const {
  if (insn.op == isa::Opcode::Invalid)
    return image.instructionSet() == isa::InstructionSet::Pspin
               ? "no instruction of PsPIN"
               : "no instruction of CORE-V";
  if (isa::isHang(insn, image.instructionSet()))
    return "stops the core";
  std::string text = std::to_string(isa::baseCost(insn));
  if (isa::info(insn.op).timing == isa::TimingClass::Divide)
    text = "at most " + text;
  if (unsigned extra = isa::takenExtra(insn))
    text += "/" + std::to_string(isa::baseCost(insn) + extra);
  if (previous.op == isa::Opcode::Invalid)
    return text;
  if (unsigned stall = isa::stallBetween(previous, insn))
    text += " +" + std::to_string(stall) + " waits for " +
            isa::registerName(previous.rd);
  if (unsigned stall = isa::stallAcross(beforePrevious, previous, insn))
    text += " +" + std::to_string(stall) + " waits for " +
            isa::registerName(beforePrevious.rd);
  return text;
}

void Lister::noteLoops(uint32_t address, const isa::Insn &insn) {
  if (std::optional<isa::LoopRange> range = isa::hwLoopRange(insn, address))
    loopEnds.emplace(range->end, *range);
}

void Lister::printInstruction(uint32_t address, const isa::Insn &insn) {
  std::string word = insn.length == 4 ? formatv("{0:x-8}", insn.word).str()
                                      : formatv("{0:x-4}", insn.word).str();
  std::string text = isa::disassemble(insn, address);
  std::string note = options.cycles ? cyclesOf(insn) : "";
  auto [first, last] = loopEnds.equal_range(address);
  for (auto at = first; at != last; ++at)
    note += formatv("{0}ends loop {1}, back to {2:x}", note.empty() ? "" : ", ",
                    at->second.loop, at->second.start);
  out << formatv("{0:x-8}  {1,-8}  ", address, word);
  if (note.empty())
    out << text << "\n";
  else
    out << formatv("{0,-32}  {1}\n", text, note);
}

void Lister::listRange(uint32_t begin, uint32_t end) {
  wanted = options.functions.empty();
  previous = beforePrevious = {};
  for (uint32_t at = begin; at + 2 <= end;) {
    std::string name = image.functionBeginningAt(at);
    if (!name.empty())
      enterFunction(at, name);
    isa::Insn insn = decode(at, end);
    if (wanted) {
      if (options.source)
        printSource(at);
      printInstruction(at, insn);
      noteLoops(at, insn);
    }
    beforePrevious = previous;
    previous = insn;
    at += insn.length;
  }
}

Error spinc::objdump::list(const Image &image, const Options &options,
                           raw_ostream &out) {
  for (const std::string &name : options.functions)
    if (!image.findFunction(name))
      return createStringError("no function '" + name + "'");
  Lister lister(image, options, out);
  for (auto [begin, end] : image.codeRanges())
    lister.listRange(begin, end);
  return Error::success();
}
