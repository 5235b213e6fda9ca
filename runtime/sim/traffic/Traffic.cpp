//===- Traffic.cpp - Packets made up to a description ---------------------===//
//
// A stream is made in three steps: the packets of its messages, interleaved;
// what the network does to them; and their times.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/traffic/Traffic.h"
#include "runtime/abi/portals.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <tuple>

using namespace spinc::sim;

namespace {

constexpr uint32_t ethernetBytes = 14, ipBytes = 20, udpBytes = 8,
                   tcpBytes = 20;
constexpr uint32_t largestPacket = 16384;
constexpr uint8_t protocolUdp = 17, protocolTcp = 6;
constexpr uint16_t typeIpv4 = 0x0800;

struct Frame {
  std::vector<uint8_t> bytes;
  uint64_t message = 0;
  bool isEnd = false; // the first or last packet of a message that has ends
};

/// A frame on its way: the order is that of `at`, then that of making.
struct Arriving {
  double at;
  size_t order;
  Frame frame;
  bool operator<(const Arriving &other) const {
    return at != other.at ? at < other.at : order < other.order;
  }
};

void put16(uint8_t *to, uint32_t value) {
  to[0] = uint8_t(value >> 8);
  to[1] = uint8_t(value);
}

/// The sum of RFC 1071, folded but not inverted.
uint32_t onesSum(const uint8_t *bytes, size_t size, uint32_t sum) {
  for (size_t i = 0; i < size; ++i)
    sum += i & 1 ? bytes[i] : uint32_t(bytes[i]) << 8;
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

class Stream {
public:
  Stream(const TrafficSpec &spec, double lineRate)
      : spec(spec), random(uint64_t(spec.seed)), lineRate(lineRate) {}

  void make(std::vector<TrafficPacket> &packets);

private:
  std::vector<uint8_t> frame(uint16_t type, uint32_t size);
  void fill(uint8_t *bytes, size_t size);
  Frame ipPacket(uint64_t message, uint64_t index);
  std::deque<Frame> portalsMessage(uint64_t message);
  std::deque<Frame> message(uint64_t number);
  std::vector<Frame> interleaved();
  std::vector<Frame> damaged(std::vector<Frame> frames);

  const TrafficSpec &spec;
  Random random;
  double lineRate;
};

} // namespace

std::vector<uint8_t> Stream::frame(uint16_t type, uint32_t size) {
  std::vector<uint8_t> bytes(ethernetBytes + size);
  const uint8_t addresses[12] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
  std::memcpy(bytes.data(), addresses, sizeof addresses);
  put16(bytes.data() + 12, type);
  return bytes;
}

void Stream::fill(uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i += 8) {
    uint64_t word = random.bits();
    std::memcpy(bytes + i, &word, std::min<size_t>(8, size - i));
  }
}

/// An IPv4 packet with right checksums and random data.
Frame Stream::ipPacket(uint64_t message, uint64_t index) {
  bool tcp = spec.kind == TrafficKind::Tcp;
  uint32_t headers = ipBytes + (tcp ? tcpBytes : udpBytes);
  uint32_t size = uint32_t(std::clamp<double>(
      std::floor(spec.size.draw(random)), headers, largestPacket));
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
  put16(next, uint32_t(spec.sourcePort) + uint32_t(message));
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

std::deque<Frame> Stream::portalsMessage(uint64_t number) {
  uint32_t length =
      uint32_t(std::clamp<double>(std::floor(spec.size.draw(random)), 0, 4e9));
  PortalsHeader header = {};
  header.matchBits = spec.matchBits;
  header.hdrData = spec.hdrData;
  header.messageLength = length;
  header.source = uint32_t(spec.sourceNode);
  header.messageId = uint16_t(number);
  header.type = PORTALS_TYPE_PUT;
  std::deque<Frame> packets;
  do {
    uint32_t part =
        std::min(length - header.offset, uint32_t(spec.packetPayload));
    bool last = header.offset + part == length;
    header.flags = last ? PORTALS_FLAG_EOM : 0;
    Frame packet;
    packet.bytes = frame(PORTALS_ETHERTYPE, PORTALS_HEADER_BYTES + part);
    packet.message = number;
    packet.isEnd = last || header.offset == 0;
    uint8_t *bytes = packet.bytes.data() + ethernetBytes;
    std::memcpy(bytes, &header, PORTALS_HEADER_BYTES);
    fill(bytes + PORTALS_HEADER_BYTES, part);
    packets.push_back(std::move(packet));
    header.offset += part;
  } while (header.offset < length);
  return packets;
}

std::deque<Frame> Stream::message(uint64_t number) {
  if (spec.kind == TrafficKind::Portals)
    return portalsMessage(number);
  std::deque<Frame> packets;
  for (uint64_t index = 0; index < uint64_t(spec.packets); ++index)
    packets.push_back(ipPacket(number, index));
  return packets;
}

/// The packets of all messages: `inFlight` of them take turns.
std::vector<Frame> Stream::interleaved() {
  std::vector<Frame> frames;
  std::deque<std::deque<Frame>> open;
  uint64_t next = 0, count = uint64_t(spec.messages);
  while (next < count || !open.empty()) {
    while (next < count && open.size() < uint64_t(spec.inFlight))
      open.push_back(message(next++));
    std::deque<Frame> turn = std::move(open.front());
    open.pop_front();
    frames.push_back(std::move(turn.front()));
    turn.pop_front();
    if (!turn.empty())
      open.push_back(std::move(turn));
  }
  return frames;
}

/// What arrives of them: some not, some twice, some wrong, some late.
std::vector<Frame> Stream::damaged(std::vector<Frame> frames) {
  std::vector<Arriving> arriving;
  // Nothing comes later than the end of its message.
  std::map<uint64_t, double> latest;
  for (size_t place = 0; place < frames.size(); ++place)
    if (frames[place].isEnd && spec.protectEnds)
      latest[frames[place].message] = double(place) - 0.5;
  for (size_t place = 0; place < frames.size(); ++place) {
    Frame &frame = frames[place];
    bool kept = frame.isEnd && spec.protectEnds;
    if (!kept && random.chance(spec.loss))
      continue;
    if (!kept && random.chance(spec.corrupt)) {
      uint64_t bit = random.below((frame.bytes.size() - ethernetBytes) * 8);
      frame.bytes[ethernetBytes + bit / 8] ^= uint8_t(1 << bit % 8);
    }
    double at = double(place);
    bool twice = !kept && random.chance(spec.duplicates);
    if (!kept && random.chance(spec.reorder))
      at += 1.5 + double(random.below(uint64_t(spec.distance)));
    auto limit = latest.find(frame.message);
    if (!kept && limit != latest.end())
      at = std::min(at, limit->second);
    if (twice)
      arriving.push_back({at, arriving.size(), frame});
    arriving.push_back({at, arriving.size(), std::move(frame)});
  }
  std::sort(arriving.begin(), arriving.end());
  std::vector<Frame> result;
  for (Arriving &packet : arriving)
    result.push_back(std::move(packet.frame));
  return result;
}

void Stream::make(std::vector<TrafficPacket> &packets) {
  double time = spec.start;
  double rate = spec.rate > 0 ? std::min(spec.rate, lineRate) : lineRate;
  for (Frame &frame : damaged(interleaved())) {
    time += spec.gap.draw(random);
    double length = 8.0 * double(frame.bytes.size()) / rate;
    packets.push_back({std::move(frame.bytes), time});
    time += length;
  }
}

std::vector<TrafficPacket>
spinc::sim::makeTraffic(const std::vector<TrafficSpec> &specs,
                        double lineRate) {
  std::vector<TrafficPacket> packets;
  for (const TrafficSpec &spec : specs)
    Stream(spec, lineRate).make(packets);
  for (size_t i = 0; i < packets.size(); ++i)
    packets[i].order = i;
  std::sort(packets.begin(), packets.end(),
            [](const TrafficPacket &a, const TrafficPacket &b) {
              return std::tie(a.nanos, a.order) < std::tie(b.nanos, b.order);
            });
  return packets;
}
