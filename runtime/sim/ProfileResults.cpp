//===- ProfileResults.cpp - The C interface: costs of instructions --------===//
//
// Joins what the card counted with the image's debug information.
//
//===----------------------------------------------------------------------===//
#include "runtime/isa/Isa.h"
#include "runtime/sim/SimState.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace spinc;
using namespace spinc::sim;

static std::string symbolOf(const Profile::Handler &handler) {
  for (const HandlerInfo &info : handler.first->info->handlers)
    if (info.kind == handler.second)
      return info.symbol;
  return "";
}

/// Calls `visit` for each instruction of the image's code, in line.
template <typename Visit>
static void forEachInstruction(const Image &image, Visit visit) {
  for (const Segment &segment : image.segments) {
    if (!segment.executable)
      continue;
    for (size_t at = 0; at + 2 <= segment.bytes.size();) {
      uint32_t word = 0;
      std::memcpy(&word, segment.bytes.data() + at,
                  std::min<size_t>(4, segment.bytes.size() - at));
      visit(segment.address + uint32_t(at));
      at += (word & 3) == 3 ? 4 : 2;
    }
  }
}

uint64_t spinSimProfileCount(SpinSim *sim) {
  sim->profile.clear();
  if (!sim->card)
    return 0;
  std::vector<bool> ran(PSPIN_PROGRAM_SIZE / 2);
  for (const auto &[handler, costs] : sim->card->profile.handlers)
    for (uint32_t slot = 0; slot < costs.size(); ++slot) {
      if (!costs[slot].count)
        continue;
      ran[slot] = true;
      uint32_t pc = PSPIN_PROGRAM_BASE + 2 * slot;
      sim->profile.push_back({symbolOf(handler),
                              llvm::join(sim->image.placeOf(pc).functions, ";"),
                              pc, costs[slot].count, costs[slot].cycles});
    }
  forEachInstruction(sim->image, [&](uint32_t pc) {
    uint32_t slot = (pc - PSPIN_PROGRAM_BASE) / 2;
    if (slot < ran.size() && !ran[slot] && sim->image.placeOf(pc).line)
      sim->profile.push_back({"", "", pc, 0, 0});
  });
  return sim->profile.size();
}

SpinSimStatus spinSimProfile(SpinSim *sim, uint64_t index,
                             SpinSimProfileEntry *entry) {
  if (index >= sim->profile.size())
    return sim->fail(SPINSIM_BAD_ARGUMENT, "no such entry of the profile");
  const SpinSim::ProfileLine &line = sim->profile[index];
  const Image::Place &place = sim->image.placeOf(line.pc);
  *entry = {line.count ? line.handler.c_str() : nullptr,
            line.pc,
            line.count,
            line.cycles,
            place.file.c_str(),
            place.line,
            line.stack.c_str()};
  return sim->succeed();
}
