// Where the headers of a packet start. A `sized` header has a constant size if
// a rule says so or if a rule compares a field behind it, for the card compares
// at constant offsets (pkt-3). Otherwise its size is read from each packet, and
// what follows counts from its end (pkt-9).
#include "compiler/Sema/Analyzer.h"

#include "runtime/abi/portals.h"

namespace spinc::sema {

/// The size that `value` in the size field gives, if there is one that holds
/// the declared fields.
std::optional<uint64_t> Analyzer::headerSize(const HeaderType &header,
                                             uint64_t value) {
  Bindings bindings;
  bindings[header.sizeField->decl] = unsignedNumber(value);
  std::optional<Number> size = evaluate(*header.sized, bindings);
  if (!size || *size < unsignedNumber(header.fixedBytes) ||
      size->getActiveBits() > 32)
    return std::nullopt;
  return size->getZExtValue();
}

/// What the size field of a header can be, by the rules that are facts.
std::pair<uint64_t, uint64_t>
Analyzer::sizeFieldRange(unsigned headerIndex) const {
  const HeaderField *field =
      context->packet.headers[headerIndex].type->sizeField;
  for (const FieldFact &fact : context->packet.facts)
    if (fact.header == headerIndex && fact.field == field)
      return {fact.min, fact.max};
  return {0, (uint64_t(1) << field->bitWidth) - 1};
}

/// Gives the header a constant size, with a rule if one is needed, or decides
/// that it has none.
void Analyzer::fixSize(unsigned headerIndex, bool matchedBehind) {
  PacketHeader &header = context->packet.headers[headerIndex];
  const HeaderType &type = *header.type;
  auto [low, high] = sizeFieldRange(headerIndex);
  std::optional<uint64_t> best;
  uint64_t first = low, last = low;
  bool hasOthers = false;
  for (uint64_t value = low; value <= high; ++value) {
    std::optional<uint64_t> size = headerSize(type, value);
    hasOthers |= size && best && *size != *best;
    if (size && (!best || *size < *best)) {
      best = size;
      first = last = value;
    } else if (size && *size == *best && value == last + 1) {
      last = value;
    }
  }
  if (hasOthers && !matchedBehind) {
    header.isRunTime = true;
    header.bytes = type.fixedBytes;
    return;
  }
  if (!best) // The rules clash with every size, and restrictField says so.
    first = type.sizeMin, last = type.sizeMax;
  header.bytes = static_cast<unsigned>(best.value_or(type.bytes));
  if (!best || low != first || high != last)
    restrictField(headerIndex, *type.sizeField, unsignedNumber(first),
                  unsignedNumber(last), type.sized->range,
                  header.name + " has " + std::to_string(header.bytes) +
                      " bytes");
}

/// The last header first: a size that is fixed by a rule is a field that is
/// matched, for the headers before.
void Analyzer::placeHeaders() {
  PacketLayout &layout = context->packet;
  for (unsigned i = layout.headers.size(); i-- > 0;) {
    bool matchedBehind = false;
    for (const FieldFact &fact : layout.facts)
      matchedBehind |= fact.header > i;
    if (layout.headers[i].isChoice()) {
      layout.headers[i].isRunTime = true; // pkt-11
    } else if (layout.isBehindChoice(i) && layout.headers[i].type->sizeField) {
      layout.headers[i].isRunTime = true; // pkt-12
      layout.headers[i].bytes = layout.headers[i].type->fixedBytes;
    } else if (layout.headers[i].type->sizeField) {
      fixSize(i, matchedBehind);
    }
  }
  if (layout.headers.empty())
    return;
  // pkt-4: behind the message header.
  unsigned offset = layout.link == Link::Portals ? PORTALS_HEADER_BYTES : 0;
  layout.headerBytes = offset;
  int after = -1;
  for (unsigned i = 0; i < layout.headers.size(); ++i) {
    PacketHeader &header = layout.headers[i];
    header.after = after;
    header.offset = offset;
    for (PacketHeader &alternative : header.alternatives) {
      alternative.after = after;
      alternative.offset = offset;
    }
    layout.headerBytes += header.bytes;
    offset += header.bytes;
    if (header.isRunTime) {
      after = static_cast<int>(i);
      offset = 0;
    }
  }
  if (layout.headerBytes >= options.mtu) // pkt-7
    diagnostics
        .report(diag::PacketLayout, context->decl->packet->range,
                "the headers leave no room for a payload")
        .reason("they take " + std::to_string(layout.headerBytes) +
                " bytes of a packet of at most " + std::to_string(options.mtu));
}

/// The most bytes of a header, all of which the packet may have to hold; its
/// size field lies in low … high.
uint64_t Analyzer::largestSize(PacketHeader &header, uint64_t low,
                               uint64_t high) {
  uint64_t largest = header.bytes;
  for (PacketHeader &alternative : header.alternatives) {
    uint64_t end = alternative.isRunTime
                       ? uint64_t(1) << alternative.type->sizeField->bitWidth
                       : 1;
    largest = std::max(largest, largestSize(alternative, 0, end - 1));
  }
  if (!header.isRunTime || header.isChoice())
    return largest;
  uint64_t end = uint64_t(1) << header.type->sizeField->bitWidth;
  for (uint64_t value = 0; value < end; ++value) {
    std::optional<uint64_t> size = headerSize(*header.type, value);
    header.checksSize |= !size && low <= value && value <= high;
    largest = std::max(largest, size.value_or(0));
  }
  return largest;
}

/// How large the headers can be, and whether compiled code has to check that
/// the size of each holds its fields: unless a rule says so, which no handler
/// may have made untrue (pkt-6).
void Analyzer::limitHeaders() {
  PacketLayout &layout = context->packet;
  uint64_t most = layout.link == Link::Portals ? PORTALS_HEADER_BYTES : 0;
  for (unsigned i = 0; i < layout.headers.size(); ++i) {
    PacketHeader &header = layout.headers[i];
    auto [low, high] = header.type->sizeField
                           ? sizeFieldRange(i)
                           : std::pair<uint64_t, uint64_t>(0, 0);
    uint64_t largest = largestSize(header, low, high);
    most = std::min<uint64_t>(most + largest, options.mtu);
  }
  layout.maxHeaderBytes = static_cast<unsigned>(most);
}

} // namespace spinc::sema
