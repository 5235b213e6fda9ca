//===- Arrivals.cpp - What comes to the card, and to which messages -------===//
#include "runtime/sim/Arrivals.h"
#include "runtime/abi/portals.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace spinc::sim;
using llvm::formatv;

namespace {
constexpr uint32_t ethernetBytes = 14;
constexpr uint16_t typeIpv4 = 0x0800, typeIpv6 = 0x86dd;
} // namespace

/// A message is as long as its first packet says, and each packet's payload
/// lies within it (msg-1).
MessageCutter::Cut MessageCutter::takePortals(const Context &context,
                                              uint64_t number,
                                              llvm::ArrayRef<uint8_t> packet) {
  PortalsHeader header;
  std::memcpy(&header, packet.data(), sizeof header);
  Key key = {context.index, header.source, header.messageId};
  auto open = portals.find(key);
  bool isFirst = open == portals.end();
  bool isLast = header.flags & PORTALS_FLAG_EOM;
  uint32_t length = isFirst ? header.messageLength : open->second.length;
  uint64_t room = PORTALS_HEADER_BYTES + uint64_t(length) - header.offset;
  uint32_t size = packet.size();
  // The padding of a short frame is no payload.
  if (header.offset <= length && size > room &&
      size <= PORTALS_MIN_FRAME_BYTES - ethernetBytes)
    size = uint32_t(room);
  Cut cut;
  if (header.offset > length || size > room) {
    if (!isFirst && isLast) {
      cut.message = open->second.message;
      cut.ended = open->second.newest;
      portals.erase(open);
    }
    return cut;
  }
  if (isFirst) {
    open = portals.emplace(key, Open{messages++}).first;
    open->second.length = length;
  }
  open->second.newest = number;
  cut = {true, open->second.message, size, isLast, std::nullopt};
  if (isLast)
    portals.erase(open);
  return cut;
}

MessageCutter::Cut MessageCutter::take(const Context &context, uint64_t number,
                                       llvm::ArrayRef<uint8_t> packet) {
  if (context.info->link == SPINSIM_LINK_PORTALS)
    return takePortals(context, number, packet);
  auto open = counted.find(context.index);
  if (open == counted.end())
    open = counted.emplace(context.index, Open{messages++}).first;
  open->second.newest = number;
  bool isLast = ++open->second.packets == packetsPerMessage;
  Cut cut = {true, open->second.message, uint32_t(packet.size()), isLast,
             std::nullopt};
  if (isLast)
    counted.erase(open);
  return cut;
}

void MessageCutter::endCounted(const Context &context) {
  counted.erase(context.index);
}

std::vector<uint64_t> MessageCutter::endAllCounted() {
  std::vector<uint64_t> last;
  for (const auto &[context, open] : counted)
    last.push_back(open.newest);
  counted.clear();
  return last;
}

/// Finds the first installed context that takes the packet, and how many bytes
/// of its front that context does not see.
const Context *Arrivals::classify(const LinkPacket &link,
                                  uint32_t &strip) const {
  const llvm::ArrayRef<uint8_t> bytes = link.bytes;
  const bool framed = link.link == SPINSIM_LINK_ETHERNET;
  uint16_t type = 0;
  if (framed && bytes.size() >= ethernetBytes)
    type = uint16_t(bytes[12] << 8 | bytes[13]);
  for (const Context &candidate : installed) {
    SpinSimLink wanted = candidate.info->link;
    bool carries =
        wanted == link.link ||
        (framed && wanted == SPINSIM_LINK_IP &&
         (type == typeIpv4 || type == typeIpv6)) ||
        (framed && wanted == SPINSIM_LINK_PORTALS && type == PORTALS_ETHERTYPE);
    strip = framed && wanted != link.link ? ethernetBytes : 0;
    if (carries && bytes.size() > strip &&
        candidate.info->matches(bytes.drop_front(strip)))
      return &candidate;
  }
  return nullptr;
}

/// When a packet begins to arrive on a line that is free at `free`, which
/// becomes when it is free again.
uint64_t Arrivals::arrive(const LinkPacket &link, double &free) const {
  double start = std::max(link.start, free);
  free = start + double(link.bytes.size()) * 8 / config.lineRate *
                     config.machine.clockMhz / 1000;
  return uint64_t(std::ceil(start));
}

bool Arrivals::plan(const LinkPacket &link, uint32_t mtu, std::string &error) {
  if (link.bytes.empty()) {
    error = formatv("packet {0} is empty", queued);
    return false;
  }
  uint32_t strip = 0;
  const Context *context = classify(link, strip);
  if (context && link.bytes.size() - strip > mtu) {
    error =
        formatv("packet {0} has {1} bytes where {2} starts; the image was "
                "compiled with --mtu={3}",
                queued, link.bytes.size() - strip, context->info->name, mtu);
    return false;
  }
  uint64_t arrival = arrive(link, lineTime);
  ++queued;
  if (config.packetQueued)
    config.packetQueued(config.user, link.link, link.bytes.data(),
                        link.bytes.size(), arrival);
  if (!context) {
    ++toHost;
    return true;
  }
  MessageCutter::Cut place = planned.take(
      *context, queued - 1, llvm::ArrayRef(link.bytes).drop_front(strip));
  // What has come already cannot become the last one any more.
  if (place.ended && *place.ended >= came)
    ends.insert(*place.ended);
  if (!place.accepted) {
    ++refused;
    return true;
  }
  firstArrival = std::min(firstArrival, arrival);
  ++taken;
  takenBytes += place.size;
  return true;
}

bool Arrivals::add(LinkPacket packet, uint32_t mtu, std::string &error) {
  double before = lineTime;
  if (!plan(packet, mtu, error))
    return false;
  items.push_back({nullptr, std::move(packet), 1, before});
  return true;
}

bool Arrivals::add(std::unique_ptr<PacketFeed> feed, uint32_t mtu,
                   std::string &error) {
  double before = lineTime;
  uint64_t packets = 0;
  LinkPacket packet;
  bool good = true;
  while (good && feed->next(packet)) {
    good = plan(packet, mtu, error);
    packets += good;
  }
  feed->restart();
  if (packets)
    items.push_back({std::move(feed), {}, packets, before});
  return good;
}

void Arrivals::endCounted() {
  for (uint64_t number : planned.endAllCounted())
    if (number >= came)
      ends.insert(number);
}

bool Arrivals::nextOnLink(LinkPacket &link) {
  if (items.empty())
    return false;
  Item &item = items.front();
  cameTime = std::max(cameTime, item.lineTime);
  if (item.feed)
    item.feed->next(link);
  else
    link = std::move(item.packet);
  if (--item.packets == 0)
    items.pop_front();
  return true;
}

Packet Arrivals::next() {
  LinkPacket link;
  while (nextOnLink(link)) {
    Packet packet;
    packet.number = came++;
    packet.arrival = arrive(link, cameTime);
    uint32_t strip = 0;
    const Context *context = classify(link, strip);
    if (!context)
      continue;
    MessageCutter::Cut place = cut.take(
        *context, packet.number, llvm::ArrayRef(link.bytes).drop_front(strip));
    if (place.ended)
      messages.erase(place.message);
    if (!place.accepted)
      continue;
    auto ended = ends.find(packet.number);
    packet.last = place.isLast || ended != ends.end();
    if (ended != ends.end()) {
      ends.erase(ended);
      cut.endCounted(*context);
    }
    std::shared_ptr<Message> &message = messages[place.message];
    if (!message) {
      message = std::make_shared<Message>();
      message->context = context;
    }
    packet.message = message;
    packet.bytes = std::move(link.bytes);
    packet.bytes.erase(packet.bytes.begin(), packet.bytes.begin() + strip);
    packet.bytes.resize(place.size);
    if (packet.last)
      messages.erase(place.message);
    return packet;
  }
  return {};
}
