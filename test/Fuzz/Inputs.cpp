// Packets and parameters for a context, from what Sema found out about it.
#include "test/Fuzz/Inputs.h"
#include "compiler/AST/AstPrinter.h"
#include "runtime/abi/portals.h"
#include "runtime/abi/pspin.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace spinc;
using namespace spinc::fuzz;

/// Integer literals, read off the text: they may stand anywhere.
std::vector<uint64_t> spinc::fuzz::numbersIn(const ast::Program &program) {
  std::vector<uint64_t> numbers = {0, 1, 2, 4, 8, 64, 255, 256, 65535};
  llvm::StringRef text = program.file->text();
  for (size_t at = 0; at < text.size(); ++at) {
    if (!isdigit(text[at]) ||
        (at && (isalnum(text[at - 1]) || text[at - 1] == '_')))
      continue;
    uint64_t number = 0;
    llvm::StringRef rest = text.substr(at);
    if (!rest.consumeInteger(0, number))
      numbers.push_back(number);
    while (at + 1 < text.size() && isalnum(text[at + 1]))
      ++at;
  }
  return numbers;
}

namespace {

class InputMaker {
public:
  InputMaker(const sema::ContextInfo &context, llvm::ArrayRef<uint64_t> numbers,
             Random &random)
      : context(context), numbers(numbers), random(random) {}

  std::optional<Inputs> make(unsigned packetCount);

private:
  uint64_t interesting();
  bool chooseParams(Inputs &inputs);
  size_t payloadSize(unsigned number);
  std::vector<uint8_t> packet(size_t payload);
  void applyRule(const sema::MatchRule &rule, std::vector<uint8_t> &bytes);
  void addPortalsHeaders(Inputs &inputs);

  const sema::ContextInfo &context;
  llvm::ArrayRef<uint64_t> numbers;
  Random &random;
};

uint64_t InputMaker::interesting() {
  if (below(random, 4) == 0)
    return random() >> below(random, 64);
  return numbers[below(random, numbers.size())] + below(random, 3) - 1;
}

int64_t clampTo(const IntType &type, uint64_t value) {
  unsigned unused = 64 - type.width;
  return type.isSigned ? int64_t(value << unused) >> unused
                       : int64_t(value << unused >> unused);
}

/// Tries values until `where` and `contract` hold: large and small ones, so
/// that both ends of a range are met.
bool InputMaker::chooseParams(Inputs &inputs) {
  size_t most = context.host ? 1 << 16 : 0;
  for (unsigned tries = 0; tries < 400; ++tries) {
    size_t bytes =
        context.host ? below(random, 3) ? interesting() % most : most : 0;
    if (tries > 200 && context.host)
      bytes = most << below(random, 5);
    reference::Machine machine(context, PSPIN_CLUSTERS, PSPIN_HPUS, bytes);
    inputs.params.clear();
    for (const sema::StateField &field : context.state) {
      if (field.kind != sema::StateKind::Param)
        continue;
      const auto *type = dynAs<IntType>(field.type);
      int64_t value =
          type ? clampTo(*type, interesting()) : int64_t(below(random, 2));
      inputs.params.push_back({field.name, value});
      machine.params[field.decl] = type && !type->isSigned
                                       ? reference::Number(uint64_t(value))
                                       : reference::Number(value);
    }
    if (machine.mayBeInstalled()) {
      inputs.hostBytes = bytes;
      return true;
    }
  }
  return false;
}

size_t InputMaker::payloadSize(unsigned number) {
  size_t most = context.maxPayload();
  const size_t edges[] = {0, most, 1, 3, 4, 33, 64, most - 1};
  size_t size = number < std::size(edges) ? edges[number]
                : below(random, 3)        ? interesting() % 200
                                          : interesting();
  return std::min(size, most);
}

/// Sets the bits that the rule looks at.
void InputMaker::applyRule(const sema::MatchRule &rule,
                           std::vector<uint8_t> &bytes) {
  if (rule.offset + rule.width > bytes.size())
    return;
  uint32_t value = 0;
  for (unsigned tries = 0; tries < 64; ++tries) {
    value = tries < 32
                ? rule.min +
                      uint32_t(below(random, uint64_t(rule.max) - rule.min + 1))
                : rule.min;
    if ((value & ~rule.mask) == 0)
      break;
  }
  for (unsigned i = 0; i < rule.width; ++i) {
    unsigned shift =
        8 * (rule.order == ByteOrder::Big ? rule.width - 1 - i : i);
    uint8_t mask = uint8_t(rule.mask >> shift);
    uint8_t &byte = bytes[rule.offset + i];
    byte = uint8_t((byte & ~mask) | (value >> shift & mask));
  }
}

std::vector<uint8_t> InputMaker::packet(size_t payload) {
  std::vector<uint8_t> bytes(context.packet.headerBytes + payload);
  bool few = below(random, 5) < 2;
  const uint8_t common[] = {0, 1, 255, 128, 7};
  for (uint8_t &byte : bytes)
    byte = few ? common[below(random, 5)] : uint8_t(random());
  // Numbers of the program, where a header or the payload may show them.
  for (unsigned i = below(random, 6); i-- > 0 && bytes.size() >= 8;) {
    uint64_t number = interesting();
    uint8_t *place = &bytes[below(random, bytes.size() - 7)];
    unsigned width = 1u << below(random, 4);
    bool big = below(random, 2);
    for (unsigned at = 0; at < width; ++at)
      place[at] = uint8_t(number >> 8 * (big ? width - 1 - at : at));
  }
  for (const sema::MatchRule &rule : context.packet.rules)
    applyRule(rule, bytes);
  return bytes;
}

/// msg-1: all packets of a message tell one length, and lie within it.
void InputMaker::addPortalsHeaders(Inputs &inputs) {
  unsigned perMessage = inputs.packetsPerMessage
                            ? inputs.packetsPerMessage
                            : unsigned(inputs.packets.size());
  uint16_t id = 0;
  for (size_t first = 0; first < inputs.packets.size(); first += perMessage) {
    size_t end = std::min(first + perMessage, inputs.packets.size());
    PortalsHeader header = {};
    header.matchBits =
        context.portals
            ? context.portals->bits | (random() & context.portals->ignore)
            : random();
    header.hdrData = interesting();
    header.source = uint32_t(interesting());
    header.messageId = id++;
    header.type = PORTALS_TYPE_PUT;
    uint64_t length = 0;
    for (size_t i = first; i < end; ++i)
      length += inputs.packets[i].size() - PORTALS_HEADER_BYTES;
    header.messageLength =
        uint32_t(length + below(random, 2) * interesting() % 4096);
    uint32_t offset = 0;
    for (size_t i = first; i < end; ++i) {
      uint32_t bytes =
          uint32_t(inputs.packets[i].size()) - PORTALS_HEADER_BYTES;
      header.offset = offset;
      header.flags = i + 1 == end ? PORTALS_FLAG_EOM : 0;
      std::memcpy(inputs.packets[i].data(), &header, sizeof header);
      offset += bytes;
    }
  }
}

std::optional<Inputs> InputMaker::make(unsigned packetCount) {
  Inputs inputs;
  inputs.context = &context;
  if (!chooseParams(inputs))
    return std::nullopt;
  inputs.host.resize(inputs.hostBytes);
  for (size_t i = 0; i < std::min<size_t>(inputs.hostBytes, 8192); ++i)
    inputs.host[i] = uint8_t(random());
  const unsigned perMessage[] = {0, 0, 1, 3};
  inputs.packetsPerMessage = perMessage[below(random, 4)];
  inputs.clusters = below(random, 3) ? 4 : 1;
  bool isPortals = context.packet.link == sema::Link::Portals;
  for (unsigned i = 0; i < packetCount; ++i)
    inputs.packets.push_back(packet(payloadSize(i)));
  if (isPortals) {
    addPortalsHeaders(inputs);
  } else {
    // bnd-11: shorter than its headers, but long enough to match.
    std::vector<uint8_t> shorter = packet(0);
    size_t least = 1;
    for (const sema::MatchRule &rule : context.packet.rules)
      least = std::max<size_t>(least, rule.offset + rule.width);
    if (least < shorter.size()) {
      shorter.resize(least + below(random, shorter.size() - least));
      inputs.packets.push_back(std::move(shorter));
    }
  }
  return inputs;
}

} // namespace

std::optional<Inputs> spinc::fuzz::makeInputs(const sema::ContextInfo &context,
                                              llvm::ArrayRef<uint64_t> numbers,
                                              unsigned packetCount,
                                              Random &random) {
  return InputMaker(context, numbers, random).make(packetCount);
}
