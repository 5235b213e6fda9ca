//===- Regions.cpp - The bytes that one run of a handler may touch --------===//
//
// The regions come from the task and the image's metadata, never from what the
// code looks like.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Regions.h"
#include "runtime/device/Frame.h"
#include "llvm/Support/FormatVariadic.h"

using namespace spinc::sim;
using llvm::formatv;

static constexpr uint32_t ringBytes =
    PSPIN_L1_PACKET_SIZE / PSPIN_L1_PACKET_RINGS;

void Regions::reset(const Task &task, const Image &image, unsigned own,
                    unsigned hpu, unsigned homeCluster, uint32_t stackLow,
                    uint32_t stackSize) {
  cluster = own;
  regions.clear();
  regions.push_back({stackLow, stackSize, true, "stack"});
  uint32_t packet = l1Address(
      cluster, PSPIN_L1_PACKET_OFFSET + task.ring * ringBytes + task.l1Offset);
  regions.push_back(
      {packet, uint32_t(task.packet->bytes.size()), true, "packet"});
  addState(task, homeCluster);
  const ContextInfo &info = *task.message->context->info;
  auto params = image.symbols.find(info.name + ".params");
  if (params != image.symbols.end())
    regions.push_back({l1Address(cluster, params->second - PSPIN_L1_ALIAS),
                       info.paramsSize, false, "parameters"});
  addConstants(image);
  addLocals(image, hpu, stackLow + stackSize);
}

/// mem-2: each HPU of a cluster has an equal part of the area, and reads in the
/// runtime's frame where it is.
void Regions::addLocals(const Image &image, unsigned hpu, uint32_t frame) {
  auto area = image.symbols.find("spin.locals");
  if (area == image.symbols.end())
    return;
  uint32_t part = image.symbolSizes.at("spin.locals") / PSPIN_HPUS_PER_CLUSTER;
  regions.push_back(
      {l1Address(cluster, area->second - PSPIN_L1_ALIAS) + hpu * part, part,
       true, "locals"});
  regions.push_back({frame + SPINC_ARGS_LOCALS, 4, false, "place of locals"});
}

/// Of plain state, the message's copy alone. Per-cluster state may be read in
/// every cluster, by `copy`.
void Regions::addState(const Task &task, unsigned messageHome) {
  uint32_t flow = task.message->flow;
  for (const StateInfo &field : task.message->context->info->state) {
    uint32_t slot = field.inL1
                        ? flow >> PSPIN_FLOW_SLOT_SHIFT & PSPIN_FLOW_SLOT_MASK
                        : flow & PSPIN_FLOW_QUEUE_MASK;
    uint32_t address = field.address + slot * field.stride;
    if (!field.inL1) {
      regions.push_back({address, field.size, true, "state", true});
      continue;
    }
    unsigned home =
        field.perCluster ? cluster : field.homeCluster.value_or(messageHome);
    for (unsigned at = 0; at < PSPIN_CLUSTERS; ++at)
      if (at == home || field.perCluster)
        regions.push_back({l1Address(at, address), field.size,
                           at == home || field.isShared, "state", true});
  }
}

void Regions::addConstants(const Image &image) {
  for (const Segment &segment : image.segments)
    if (!segment.executable && segment.address >= PSPIN_L2_HANDLER_BASE &&
        segment.address < PSPIN_L2_PACKET_BASE)
      regions.push_back({segment.address, uint32_t(segment.bytes.size()), false,
                         "constants"});
}

bool Regions::allow(uint32_t address, uint32_t size, bool isStore) const {
  if (address - PSPIN_L1_ALIAS < PSPIN_L1_SIZE)
    address += l1Address(cluster, 0) - PSPIN_L1_ALIAS;
  for (const Region &region : regions) {
    uint32_t offset = address - region.begin;
    if (offset >= region.size || (isStore && !region.writable))
      continue;
    uint32_t left = region.size - offset;
    if (size <= left)
      return true;
    // Compilers join stores to fields that lie side by side.
    if (region.isState)
      return allow(address + left, size - left, isStore);
  }
  return false;
}

std::string Regions::describe() const {
  std::string text;
  for (const Region &region : regions)
    text += formatv("{0}{1} {2:x} ..+ {3}", text.empty() ? "" : ", ",
                    region.what, region.begin, region.size);
  return text;
}
