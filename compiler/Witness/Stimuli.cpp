// See Stimuli.h.
#include "compiler/Witness/Stimuli.h"
#include "runtime/abi/portals.h"
#include "runtime/isa/Isa.h"
#include "runtime/sim/Image.h"
#include <cstring>

using namespace llvm;
using namespace spinc;
using namespace spinc::witness;

/// Host memory of a try, at most.
static constexpr uint64_t kMaxHostBytes = 1 << 24;

Stimuli::Stimuli(const Program &program, uint32_t index,
                 const SymbolRanges &ranges, uint64_t seed)
    : context(program.metadata.contexts[index]), ranges(ranges),
      fields(freeFields(context)), random(seed) {
  if (program.metadata.mtu > context.headerBytes)
    mostPayload = program.metadata.mtu - context.headerBytes;
  if (auto range = ranges.find("p.length"); range != ranges.end())
    mostPayload = std::min<size_t>(mostPayload, size_t(range->second.high));
  for (const sim::MatchRule &rule : context.rules) {
    numbers.push_back(rule.min);
    numbers.push_back(rule.max);
  }
  for (const sim::ParamInfo &param : context.params)
    for (const json::Value &condition : param.where)
      collectNumbers(condition);
  for (const sim::ContractInfo &contract : context.contracts)
    collectNumbers(contract.condition);
  collectNumbers(program.elf);
  llvm::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

void Stimuli::collectNumbers(const json::Value &condition) {
  const json::Object *object = condition.getAsObject();
  if (!object)
    return;
  if (std::optional<int64_t> number = object->getInteger("const"))
    numbers.push_back(uint64_t(*number));
  if (const json::Array *args = object->getArray("args"))
    for (const json::Value &arg : *args)
      collectNumbers(arg);
}

/// Immediate operands of the code, also those of two instructions.
void Stimuli::collectNumbers(StringRef elf) {
  sim::Image image;
  std::string error;
  if (!image.read(elf.data(), elf.size(), error))
    return;
  for (const sim::Segment &segment : image.segments) {
    if (!segment.executable)
      continue;
    isa::Insn insn, before;
    for (size_t at = 0; at < segment.bytes.size(); at += insn.length) {
      isa::decode(&segment.bytes[at], segment.bytes.size() - at, insn,
                  image.instructionSet());
      insn.length = std::max<uint8_t>(insn.length, 2);
      bool isPair = before.op == isa::Opcode::Lui &&
                    insn.op == isa::Opcode::Addi && insn.rs1 == before.rd;
      isa::Format format = isa::Format::None;
      if (insn.op != isa::Opcode::Invalid)
        format = isa::info(insn.op).format;
      if (format == isa::Format::I || format == isa::Format::U) {
        int32_t value = insn.imm + (isPair ? before.imm : 0);
        numbers.push_back(uint32_t(value));
        numbers.push_back(uint32_t(-value));
      } else if (format == isa::Format::BImm) {
        numbers.push_back(uint32_t(insn.imm2));
      }
      before = insn;
    }
  }
}

uint64_t Stimuli::number() {
  if (below(4) == 0)
    return random() >> below(64);
  return numbers[below(numbers.size())] + (below(3) ? 0 : below(3) - 1);
}

/// As the parameter's type has it.
static int64_t fit(const sim::ParamInfo &param, uint64_t value) {
  if (param.type == "bool")
    return int64_t(value & 1);
  unsigned unused = 64 - 8 * param.bytes();
  return param.isSigned() ? int64_t(value << unused) >> unused
                          : int64_t(value << unused >> unused);
}

std::optional<Setting> Stimuli::trySetting(const SymbolValues &wanted) {
  Setting setting;
  for (const sim::ParamInfo &param : context.params) {
    uint64_t value = number();
    if (auto range = ranges.find(param.name); range != ranges.end() && below(2))
      value = uint64_t(below(2) ? range->second.low : range->second.high);
    if (auto at = wanted.find(param.name); at != wanted.end())
      value = uint64_t(at->second);
    setting.params[param.name] = fit(param, value);
  }
  if (!context.hosts.empty())
    setting.hostBytes =
        below(2) ? uint64_t(1) << below(25) : number() % (kMaxHostBytes + 1);
  if (mayInstall(context, setting))
    return setting;
  setting.hostBytes = context.hosts.empty() ? 0 : kMaxHostBytes;
  if (!mayInstall(context, setting))
    return std::nullopt;
  // No more than needed: memory has to be filled.
  while (setting.hostBytes > 1) {
    setting.hostBytes /= 2;
    if (mayInstall(context, setting))
      continue;
    setting.hostBytes *= 2;
    break;
  }
  return setting;
}

std::optional<Setting> Stimuli::setting(const SymbolValues &wanted) {
  for (unsigned tries = 0; tries < 400; ++tries)
    if (std::optional<Setting> found = trySetting(wanted))
      return found;
  for (unsigned tries = 0; tries < 2000; ++tries)
    if (std::optional<Setting> found = trySetting({}))
      return found;
  return std::nullopt;
}

void Stimuli::fillState(Setting &setting) {
  for (const StateField &field : fields) {
    switch (below(4)) {
    case 0:
      break;
    case 1:
      for (uint8_t &byte :
           setting.state[field.name] = std::vector<uint8_t>(field.size))
        byte = uint8_t(random());
      break;
    default:
      field.fill(setting, number());
      break;
    }
  }
}

size_t Stimuli::length() {
  switch (below(6)) {
  case 0:
    return mostPayload - std::min<size_t>(mostPayload, below(20));
  case 1:
    return std::min<size_t>(mostPayload, below(20));
  case 2:
    return std::min<size_t>(mostPayload, number());
  default:
    return below(mostPayload + 1);
  }
}

void Stimuli::applyRules(Packet &packet) {
  for (const sim::MatchRule &rule : context.rules) {
    if (rule.offset + rule.width > packet.size() || rule.holds(packet))
      continue;
    uint32_t value = rule.min;
    for (unsigned tries = 0; tries < 32 && rule.max > rule.min; ++tries) {
      value = rule.min + uint32_t(below(uint64_t(rule.max) - rule.min + 1));
      if ((value & ~rule.mask) == 0)
        break;
      value = rule.min;
    }
    for (unsigned i = 0; i < rule.width; ++i) {
      unsigned shift = 8 * (rule.bigEndian ? rule.width - 1 - i : i);
      uint8_t mask = uint8_t(rule.mask >> shift);
      uint8_t &byte = packet[rule.offset + i];
      byte = uint8_t((byte & ~mask) | (uint8_t(value >> shift) & mask));
    }
  }
}

/// A few small numbers, again and again: chains of short records.
void Stimuli::repeatPattern(Packet &packet, size_t from) {
  auto any = [&] { return below(2) ? below(4) : number(); };
  uint64_t first = any(), second = any();
  const uint8_t bytes[] = {uint8_t(first), uint8_t(second)};
  const uint8_t pairs[] = {uint8_t(first >> 8), uint8_t(first),
                           uint8_t(second >> 8), uint8_t(second)};
  ArrayRef<uint8_t> pattern(pairs);
  if (below(2))
    pattern = bytes;
  pattern = pattern.take_front(pattern.size() >> below(2));
  size_t period = pattern.size();
  for (size_t at = from; at < packet.size(); ++at)
    packet[at] = pattern[(at - from) % period];
}

Packet Stimuli::packet(size_t payload) {
  Packet bytes(context.headerBytes + payload);
  const uint8_t common[] = {0, 1, 255, 128, 7};
  unsigned kind = unsigned(below(6));
  for (uint8_t &byte : bytes)
    byte = kind < 2   ? common[kind * 2]
           : kind < 4 ? common[below(5)]
                      : uint8_t(random());
  applyRules(bytes);
  return below(3) ? bytes : change(std::move(bytes));
}

Packet Stimuli::change(Packet bytes) {
  for (uint64_t times = 1 + below(4); times-- > 0 && !bytes.empty();) {
    size_t width = std::min<size_t>(bytes.size(), size_t(1) << below(4));
    // Headers decide more than payload does.
    size_t most = bytes.size() - width;
    if (below(2))
      most = std::min<size_t>(most, context.headerBytes + 8);
    size_t place = below(most + 1);
    uint64_t value = number();
    bool big = below(2);
    for (size_t at = 0; at < width; ++at)
      bytes[place + at] = uint8_t(value >> 8 * (big ? width - 1 - at : at));
    size_t behind = below(2) ? place + width : context.headerBytes;
    switch (below(6)) {
    case 0:
      for (size_t at = place; at < bytes.size(); ++at)
        bytes[at] = uint8_t(random());
      break;
    case 1:
      repeatPattern(bytes, std::min(behind, bytes.size()));
      break;
    default:
      break;
    }
  }
  applyRules(bytes);
  return bytes;
}

void Stimuli::makeMessage(std::vector<Packet> &packets) {
  for (Packet &packet : packets)
    packet.resize(std::max<size_t>(packet.size(), 1));
  if (context.link != SPINSIM_LINK_PORTALS)
    return;
  uint32_t length = 0;
  for (const Packet &packet : packets)
    length += uint32_t(packet.size()) - PORTALS_HEADER_BYTES;
  uint32_t offset = 0;
  PortalsHeader first;
  ++messageId;
  for (Packet &packet : packets) {
    PortalsHeader header;
    std::memcpy(&header, packet.data(), sizeof header);
    if (context.portals)
      header.matchBits =
          context.portals->bits | (header.matchBits & context.portals->ignore);
    bool isFirst = &packet == &packets.front();
    // Room behind the message's packets is legal, too.
    header.messageLength =
        isFirst ? std::max(header.messageLength, length) : first.messageLength;
    header.source = isFirst ? header.source : first.source;
    uint32_t bytes = uint32_t(packet.size()) - PORTALS_HEADER_BYTES;
    if (packets.size() > 1 || header.offset > header.messageLength - bytes)
      header.offset = offset;
    header.messageId = messageId;
    header.type = PORTALS_TYPE_PUT;
    header.flags = &packet == &packets.back() ? PORTALS_FLAG_EOM : 0;
    std::memcpy(packet.data(), &header, sizeof header);
    if (isFirst)
      first = header;
    offset += bytes;
  }
}
