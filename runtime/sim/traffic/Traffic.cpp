//===- Traffic.cpp - Packets made up to a description ---------------------===//
//
// Each packet of a stream goes through three steps: it is made, the packets of
// messages taking turns; the network does something to it; and it gets its
// time. Each step has random numbers of its own, so that no step needs to know
// how many packets the one before it makes.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/traffic/Traffic.h"
#include "runtime/abi/portals.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>

using namespace spinc::sim;

namespace {

constexpr uint32_t ethernetBytes = 14, ipBytes = 20, udpBytes = 8,
                   tcpBytes = 20;
constexpr uint32_t largestPacket = 16384;
constexpr uint8_t protocolUdp = 17, protocolTcp = 6;
constexpr uint16_t typeIpv4 = 0x0800;
/// What makes the steps' random numbers different.
constexpr uint64_t networkSeed = 0x6e6574776f726b00,
                   gapSeed = 0x6761707300000000;

struct Frame {
  std::vector<uint8_t> bytes;
  uint64_t message = 0;
  bool isEnd = false; // the first or last packet of a message that has ends
};

/// A message that has packets left.
struct OpenMessage {
  uint64_t number;
  uint64_t sent = 0;         // packets, not portals
  PortalsHeader header = {}; // of its next packet, portals
};

void put16(uint8_t *to, uint32_t value) {
  to[0] = uint8_t(value >> 8);
  to[1] = uint8_t(value);
}

/// The sum of RFC 1071, folded but not inverted. Which byte of a pair comes
/// first may be settled after adding up.
uint32_t onesSum(const uint8_t *bytes, size_t size, uint32_t sum) {
  uint64_t total = 0;
  for (; size >= 4; bytes += 4, size -= 4) {
    uint32_t word;
    std::memcpy(&word, bytes, 4);
    total += word;
  }
  uint32_t rest = 0;
  std::memcpy(&rest, bytes, size);
  total += rest;
  while (total >> 16)
    total = (total & 0xffff) + (total >> 16);
  sum += uint32_t((total & 0xff) << 8 | total >> 8);
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

} // namespace

class spinc::sim::Stream {
public:
  Stream(const TrafficSpec &spec, double lineRate);

  /// The packet that `take` gives; null if none is left.
  const TrafficPacket *first() const { return hasNext ? &upcoming : nullptr; }
  TrafficPacket take();

private:
  std::vector<uint8_t> frame(uint16_t type, uint32_t size);
  void fill(uint8_t *bytes, size_t size);
  OpenMessage open(uint64_t number);
  Frame ipPacket(const OpenMessage &message);
  Frame portalsPacket(OpenMessage &message);
  bool make(Frame &frame, bool &isMessageLast);
  void pass(Frame frame, bool isMessageLast);
  void bringForward(uint64_t message, double latest);
  bool arrive(Frame &frame);
  void advance();

  const TrafficSpec &spec;
  Random contents, network, gaps;
  double rate;
  std::deque<OpenMessage> openMessages;
  uint64_t nextMessage = 0;
  uint64_t place = 0;   // of the next packet that is made
  uint64_t passed = 0;  // packets that the network did not lose
  const bool isPerfect; // the network does nothing
  /// On their way, by when they arrive (in places) and the order of making.
  std::map<std::pair<double, uint64_t>, Frame> onTheirWay;
  double time;
  TrafficPacket upcoming;
  bool hasNext = false;
};

Stream::Stream(const TrafficSpec &spec, double lineRate)
    : spec(spec), contents(uint64_t(spec.seed)),
      network(uint64_t(spec.seed) ^ networkSeed),
      gaps(uint64_t(spec.seed) ^ gapSeed),
      rate(spec.rate > 0 ? std::min(spec.rate, lineRate) : lineRate),
      isPerfect(spec.loss == 0 && spec.corrupt == 0 && spec.duplicates == 0 &&
                spec.reorder == 0),
      time(spec.start) {
  advance();
}

std::vector<uint8_t> Stream::frame(uint16_t type, uint32_t size) {
  std::vector<uint8_t> bytes(ethernetBytes + size);
  const uint8_t addresses[12] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
  std::memcpy(bytes.data(), addresses, sizeof addresses);
  put16(bytes.data() + 12, type);
  return bytes;
}

void Stream::fill(uint8_t *bytes, size_t size) { contents.fill(bytes, size); }

OpenMessage Stream::open(uint64_t number) {
  OpenMessage message = {number};
  if (spec.kind != TrafficKind::Portals)
    return message;
  PortalsHeader &header = message.header;
  header.matchBits = spec.matchBits;
  header.hdrData = spec.hdrData;
  header.messageLength = uint32_t(
      std::clamp<double>(std::floor(spec.size.draw(contents)), 0, 4e9));
  header.source = uint32_t(spec.sourceNode);
  header.messageId = uint16_t(number);
  header.type = PORTALS_TYPE_PUT;
  return message;
}

/// An IPv4 packet with right checksums and random data.
Frame Stream::ipPacket(const OpenMessage &message) {
  const uint64_t index = message.sent;
  bool tcp = spec.kind == TrafficKind::Tcp;
  uint32_t headers = ipBytes + (tcp ? tcpBytes : udpBytes);
  uint32_t size = uint32_t(std::clamp<double>(
      std::floor(spec.size.draw(contents)), headers, largestPacket));
  Frame packet;
  packet.bytes = frame(typeIpv4, size);
  uint8_t *ip = packet.bytes.data() + ethernetBytes, *next = ip + ipBytes;
  ip[0] = 0x45;
  put16(ip + 2, size);
  put16(ip + 4, uint32_t(index));
  ip[8] = 64;
  ip[9] = tcp ? protocolTcp : protocolUdp;
  std::memcpy(ip + 12, spec.source, 4);
  std::memcpy(ip + 16, spec.destination, 4);
  put16(ip + 10, ~onesSum(ip, ipBytes, 0));
  put16(next, uint32_t(spec.sourcePort) + uint32_t(message.number));
  put16(next + 2, uint32_t(spec.destinationPort));
  uint32_t length = size - ipBytes;
  fill(ip + headers, size - headers);
  uint32_t pseudo = onesSum(ip + 12, 8, ip[9] + length);
  if (tcp) {
    uint32_t sequence = uint32_t(index * (length - tcpBytes));
    put16(next + 4, sequence >> 16);
    put16(next + 6, sequence);
    next[12] = tcpBytes / 4 << 4;
    next[13] = 0x10;
    put16(next + 14, 0xffff);
    put16(next + 16, ~onesSum(next, length, pseudo));
  } else {
    put16(next + 4, length);
    uint32_t sum = ~onesSum(next, length, pseudo) & 0xffff;
    put16(next + 6, sum ? sum : 0xffff);
  }
  return packet;
}

Frame Stream::portalsPacket(OpenMessage &message) {
  PortalsHeader &header = message.header;
  uint32_t part = std::min(header.messageLength - header.offset,
                           uint32_t(spec.packetPayload));
  bool last = header.offset + part == header.messageLength;
  header.flags = last ? PORTALS_FLAG_EOM : 0;
  Frame packet;
  packet.bytes = frame(PORTALS_ETHERTYPE, PORTALS_HEADER_BYTES + part);
  packet.isEnd = last || header.offset == 0;
  uint8_t *bytes = packet.bytes.data() + ethernetBytes;
  std::memcpy(bytes, &header, PORTALS_HEADER_BYTES);
  fill(bytes + PORTALS_HEADER_BYTES, part);
  header.offset += part;
  return packet;
}

/// The next packet of all messages: `inFlight` of them take turns. False if
/// there is none.
bool Stream::make(Frame &frame, bool &isMessageLast) {
  while (nextMessage < uint64_t(spec.messages) &&
         openMessages.size() < uint64_t(spec.inFlight))
    openMessages.push_back(open(nextMessage++));
  if (openMessages.empty())
    return false;
  OpenMessage turn = openMessages.front();
  openMessages.pop_front();
  if (spec.kind == TrafficKind::Portals) {
    frame = portalsPacket(turn);
    isMessageLast = turn.header.flags & PORTALS_FLAG_EOM;
  } else {
    frame = ipPacket(turn);
    isMessageLast = ++turn.sent == uint64_t(spec.packets);
  }
  frame.message = turn.number;
  if (!isMessageLast)
    openMessages.push_back(turn);
  return true;
}

/// What the network does to a packet: some do not arrive, some twice, some
/// wrong, some late.
void Stream::pass(Frame frame, bool isMessageLast) {
  bool kept = frame.isEnd && spec.protectEnds;
  double at = double(place++);
  // Nothing comes later than the end of its message.
  if (kept && isMessageLast)
    bringForward(frame.message, at - 0.5);
  if (!kept && network.chance(spec.loss))
    return;
  if (!kept && network.chance(spec.corrupt)) {
    uint64_t bit = network.below((frame.bytes.size() - ethernetBytes) * 8);
    frame.bytes[ethernetBytes + bit / 8] ^= uint8_t(1 << bit % 8);
  }
  bool twice = !kept && network.chance(spec.duplicates);
  if (!kept && network.chance(spec.reorder))
    at += 1.5 + double(network.below(uint64_t(spec.distance)));
  if (twice)
    onTheirWay.emplace(std::make_pair(at, passed++), frame);
  onTheirWay.emplace(std::make_pair(at, passed++), std::move(frame));
}

void Stream::bringForward(uint64_t message, double latest) {
  std::vector<std::pair<double, uint64_t>> late;
  for (const auto &[key, frame] : onTheirWay)
    if (frame.message == message && key.first > latest)
      late.push_back(key);
  for (const auto &key : late) {
    auto node = onTheirWay.extract(key);
    node.key().first = latest;
    onTheirWay.insert(std::move(node));
  }
}

/// The next packet that arrives: nothing that is still to be made can come
/// before it.
bool Stream::arrive(Frame &frame) {
  Frame made;
  bool isMessageLast;
  if (isPerfect)
    return make(frame, isMessageLast);
  while (onTheirWay.empty() ||
         onTheirWay.begin()->first.first > double(place) - 1) {
    if (!make(made, isMessageLast))
      break;
    pass(std::move(made), isMessageLast);
  }
  if (onTheirWay.empty())
    return false;
  frame = std::move(onTheirWay.begin()->second);
  onTheirWay.erase(onTheirWay.begin());
  return true;
}

void Stream::advance() {
  Frame frame;
  hasNext = arrive(frame);
  if (!hasNext)
    return;
  time += spec.gap.draw(gaps);
  double length = 8.0 * double(frame.bytes.size()) / rate;
  upcoming = {std::move(frame.bytes), time};
  time += length;
}

TrafficPacket Stream::take() {
  TrafficPacket packet = std::move(upcoming);
  advance();
  return packet;
}

Traffic::Traffic(std::vector<TrafficSpec> specs, double lineRate)
    : specs(std::move(specs)) {
  for (const TrafficSpec &spec : this->specs)
    streams.push_back(std::make_unique<Stream>(spec, lineRate));
}

Traffic::~Traffic() = default;

bool Traffic::next(TrafficPacket &packet) {
  Stream *earliest = nullptr;
  for (const std::unique_ptr<Stream> &stream : streams)
    if (stream->first() &&
        (!earliest || stream->first()->nanos < earliest->first()->nanos))
      earliest = stream.get();
  if (!earliest)
    return false;
  packet = earliest->take();
  return true;
}
