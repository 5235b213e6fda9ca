//===- WitnessPacket.cpp - A packet from what a prover knows of it --------===//
//
// Later writers win: pattern, match rules, the prover's bytes, and last what
// the network itself guarantees about a message.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/WitnessPacket.h"
#include "runtime/abi/portals.h"
#include <algorithm>
#include <functional>
#include <random>

using namespace spinc::sim;
namespace json = llvm::json;

namespace {

constexpr int64_t freePayloadBytes = 64;

void store(std::vector<uint8_t> &packet, uint64_t offset, unsigned width,
           uint64_t value, bool bigEndian) {
  for (unsigned i = 0; i < width && offset + i < packet.size(); ++i) {
    unsigned byte = bigEndian ? width - 1 - i : i;
    packet[offset + i] = uint8_t(value >> (8 * byte));
  }
}

uint64_t load(const std::vector<uint8_t> &packet, uint64_t offset,
              unsigned width, bool bigEndian) {
  uint64_t value = 0;
  for (unsigned i = 0; i < width && offset + i < packet.size(); ++i) {
    unsigned byte = bigEndian ? width - 1 - i : i;
    value |= uint64_t(packet[offset + i]) << (8 * byte);
  }
  return value;
}

uint8_t fillByte(unsigned pattern, size_t index, std::mt19937 &random) {
  switch (pattern) {
  case 0:
    return 0;
  case 1:
    return 0xff;
  case 2:
    return uint8_t(index);
  default:
    return uint8_t(random());
  }
}

void applyRule(std::vector<uint8_t> &packet, const MatchRule &rule) {
  if (rule.holds(packet))
    return;
  uint64_t old = load(packet, rule.offset, rule.width, rule.bigEndian);
  store(packet, rule.offset, rule.width, (old & ~rule.mask) | rule.min,
        rule.bigEndian);
}

/// msg-1: a packet of a message lies within it, and the last one says so.
void completeMessage(std::vector<uint8_t> &packet, const ContextInfo &context) {
  if (packet.size() < PORTALS_HEADER_BYTES)
    packet.resize(PORTALS_HEADER_BYTES);
  if (context.portals) {
    uint64_t bits = load(packet, PORTALS_MATCH_BITS, 8, false);
    uint64_t ignore = context.portals->ignore;
    store(packet, PORTALS_MATCH_BITS, 8,
          (bits & ignore) | (context.portals->bits & ~ignore), false);
  }
  uint64_t end = load(packet, PORTALS_OFFSET, 4, false) + packet.size() -
                 PORTALS_HEADER_BYTES;
  if (load(packet, PORTALS_MESSAGE_LENGTH, 4, false) < end)
    store(packet, PORTALS_MESSAGE_LENGTH, 4, end, false);
  packet[PORTALS_TYPE] = PORTALS_TYPE_PUT;
  packet[PORTALS_FLAGS] = PORTALS_FLAG_EOM;
}

} // namespace

std::vector<uint8_t> spinc::sim::makeWitnessPacket(const ContextInfo &context,
                                                   const json::Object &replay,
                                                   uint32_t mtu,
                                                   unsigned fill) {
  // Handlers run for packets with a payload; a witness that has none may not
  // depend on it, so every other pattern comes with one.
  int64_t length = replay.getInteger("length").value_or(freePayloadBytes);
  if (length == 0 && fill % 2 == 1)
    length = freePayloadBytes;
  unsigned pattern = fill / 2;
  int64_t size = std::clamp<int64_t>(int64_t(context.headerBytes) + length, 1,
                                     int64_t(mtu));
  std::vector<uint8_t> packet(static_cast<size_t>(size), 0);
  std::mt19937 random(fill);
  for (size_t i = 0; i < packet.size(); ++i)
    if (i >= context.headerBytes || pattern > 2)
      packet[i] = fillByte(pattern, i, random);
  if (context.link == SPINSIM_LINK_PORTALS)
    std::fill_n(packet.begin(),
                std::min<size_t>(packet.size(), PORTALS_HEADER_BYTES), 0);
  for (const MatchRule &rule : context.rules)
    applyRule(packet, rule);
  if (const json::Array *bytes = replay.getArray("bytes"))
    for (const json::Value &entry : *bytes)
      if (const json::Object *field = entry.getAsObject())
        store(packet, uint64_t(field->getInteger("offset").value_or(0)),
              unsigned(field->getInteger("width").value_or(0)),
              uint64_t(field->getInteger("value").value_or(0)),
              field->getString("order").value_or("") == "be");
  if (context.link == SPINSIM_LINK_PORTALS)
    completeMessage(packet, context);
  return packet;
}

std::optional<ConditionInputs>
spinc::sim::findInstallation(const ContextInfo &context,
                             const json::Object &replay, uint32_t clusters) {
  static constexpr int64_t tried[] = {0,  1,   2,   4,    8,    16,   32,
                                      64, 128, 256, 1024, 4096, 65536};
  static constexpr int64_t triedSizes[] = {1 << 20, 1 << 28, 0};
  constexpr size_t mostFree = 4;
  ConditionInputs inputs;
  inputs.clusters = clusters;
  std::vector<std::pair<std::string, bool>> free; // name, whether a size
  const json::Object *params = replay.getObject("params");
  for (const ParamInfo &param : context.params) {
    std::optional<int64_t> known =
        params ? params->getInteger(param.name) : std::nullopt;
    inputs.params[param.name] = known.value_or(0);
    if (!known)
      free.push_back({param.name, false});
  }
  const json::Object *sizes = replay.getObject("hostSizes");
  for (const std::string &host : context.hosts) {
    std::optional<int64_t> known =
        sizes ? sizes->getInteger(host) : std::nullopt;
    inputs.hostSizes[host] = known.value_or(triedSizes[0]);
    if (!known)
      free.push_back({host, true});
  }
  auto holds = [&](const json::Value &condition) {
    return evaluate(condition, inputs).value_or(0) != 0;
  };
  auto allHold = [&] {
    for (const ParamInfo &param : context.params)
      for (const json::Value &where : param.where)
        if (!holds(where))
          return false;
    for (const ContractInfo &contract : context.contracts)
      if (!holds(contract.condition))
        return false;
    return true;
  };
  std::function<bool(size_t)> search = [&](size_t index) {
    if (index == free.size() || index == mostFree)
      return allHold();
    const auto &[name, isSize] = free[index];
    llvm::ArrayRef<int64_t> values = isSize
                                         ? llvm::ArrayRef<int64_t>(triedSizes)
                                         : llvm::ArrayRef<int64_t>(tried);
    for (int64_t value : values) {
      (isSize ? inputs.hostSizes : inputs.params)[name] = value;
      if (search(index + 1))
        return true;
    }
    return false;
  };
  return search(0) ? std::optional(inputs) : std::nullopt;
}
