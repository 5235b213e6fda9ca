// See Witnesses.h.
#include "compiler/tools/spinc-wcet/Witnesses.h"
#include "compiler/Witness/WitnessJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;
using namespace spinc::witness;

/// Bytes of a packet or a field that a text report shows.
static constexpr size_t kShownBytes = 64;

/// The witnesses of a report by the handlers' symbols.
static Expected<std::map<std::string, Stimulus>>
readReport(const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createFileError(path, buffer.getError());
  Expected<json::Value> parsed = json::parse((*buffer)->getBuffer());
  if (!parsed)
    return createFileError(path, parsed.takeError());
  std::map<std::string, Stimulus> stimuli;
  const json::Array *list = parsed->getAsArray();
  if (!list)
    return createFileError(
        path, createStringError("not a report of spinc-wcet --json"));
  for (const json::Value &value : *list) {
    const json::Object *object = value.getAsObject();
    const json::Object *witness =
        object ? object->getObject("witness") : nullptr;
    if (!witness)
      continue;
    Expected<Stimulus> stimulus = stimulusFrom(*witness);
    if (!stimulus)
      return createFileError(path, stimulus.takeError());
    stimuli[object->getString("symbol").value_or("").str()] =
        std::move(*stimulus);
  }
  if (stimuli.empty())
    return createFileError(path, createStringError("no witness is in it"));
  return std::move(stimuli);
}

Expected<Witnesses> Witnesses::find(StringRef elf,
                                    ArrayRef<HandlerBound> bounds,
                                    const Options &options) {
  Expected<witness::Program> program = witness::Program::read(elf);
  if (!program)
    return program.takeError();
  std::map<std::string, Stimulus> known;
  if (!options.replay.empty()) {
    Expected<std::map<std::string, Stimulus>> read = readReport(options.replay);
    if (!read)
      return read.takeError();
    known = std::move(*read);
  }
  Witnesses result;
  for (const HandlerBound &bound : bounds) {
    if (options.replay.empty()) {
      SearchOptions search;
      search.tries = options.witnessTries;
      Expected<std::optional<Witness>> found =
          findWitness(*program, bound, search);
      if (!found)
        return found.takeError();
      if (*found)
        result.bySymbol[bound.symbol] = std::move(**found);
      continue;
    }
    auto stimulus = known.find(bound.symbol);
    std::optional<HandlerPlace> place = findHandler(*program, bound.symbol);
    if (stimulus == known.end() || !place)
      continue;
    Expected<Witness> again = replay(*program, *place, bound, stimulus->second);
    if (!again)
      return again.takeError();
    result.bySymbol[bound.symbol] = std::move(*again);
  }
  return std::move(result);
}

void Witnesses::print(raw_ostream &out, const HandlerBound &bound) const {
  auto at = bySymbol.find(bound.symbol);
  if (at == bySymbol.end()) {
    out << "  witness: none found\n";
    return;
  }
  const Witness &found = at->second;
  out << "  witness: " << found.cycles << " cycles in the simulator, bound / "
      << "replayed = " << tightness(bound.worst, found.cycles);
  std::string values = printValues(found.at);
  if (!values.empty())
    out << ", at " << values;
  out << "\n";
  auto show = [&](ArrayRef<uint8_t> bytes) {
    out << toHex(bytes.take_front(kShownBytes), /*LowerCase=*/true)
        << (bytes.size() > kShownBytes ? "…" : "") << "\n";
  };
  for (const auto &[name, bytes] : found.stimulus.setting.state)
    if (ArrayRef<uint8_t> shown = withoutZeros(bytes); !shown.empty()) {
      out << "    state " << name << " begins with: ";
      show(shown);
    }
  for (auto [index, packet] : enumerate(found.stimulus.packets)) {
    out << "    packet " << index << (index == found.packet ? " (the one)" : "")
        << ": " << packet.size() << " bytes ";
    show(packet);
  }
}

void Witnesses::addTo(json::Object &object, const HandlerBound &bound) const {
  auto at = bySymbol.find(bound.symbol);
  object["witness"] = nullptr;
  if (at != bySymbol.end())
    object["witness"] = witness::toJSON(at->second, bound.worst);
}
