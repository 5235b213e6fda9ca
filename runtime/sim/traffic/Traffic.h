//===- Traffic.h - Packets made up to a description -----------------------===//
//
// Streams of messages with chosen sizes, gaps and faults of the network. The
// description is a table [[traffic]] of TOML; the same one makes the same
// packets.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TRAFFIC_TRAFFIC_H
#define SPINC_RUNTIME_SIM_TRAFFIC_TRAFFIC_H

#include "runtime/sim/traffic/Distribution.h"
#include <memory>

namespace spinc::sim {

enum class TrafficKind { Udp, Tcp, Portals };

/// One table; Traffic.def has what the fields mean.
struct TrafficSpec {
  TrafficKind kind = TrafficKind::Udp;
  double messages = 1, packets = 1, inFlight = 1;
  Distribution size{64};
  double packetPayload = 1024;
  Distribution gap{0};
  double start = 0, rate = 0;
  double loss = 0, duplicates = 0, corrupt = 0;
  double reorder = 0, distance = 8;
  double seed = 1;
  double sourcePort = 4000, destinationPort = 9330;
  uint64_t matchBits = 0, hdrData = 0;
  double sourceNode = 1;
  uint8_t source[4] = {10, 0, 0, 1}, destination[4] = {10, 0, 0, 2};
  /// The network keeps the first and last packet of each portals message, and
  /// their place: the card knows a message by them.
  bool protectEnds = true;
};

/// An Ethernet frame and when it is sent, if the line is free.
struct TrafficPacket {
  std::vector<uint8_t> bytes;
  double nanos = 0;
};

/// Reads the tables [[traffic]] of `text`; others are not looked at. Returns
/// false and says in `error` which line and key is wrong.
bool readTraffic(llvm::StringRef text, llvm::StringRef file,
                 std::vector<TrafficSpec> &specs, std::string &error);

class Stream;

/// The packets of all streams in the order of their times, made one by one:
/// what is held are the packets that come late, by `reorder_distance` at most.
class Traffic {
public:
  Traffic(std::vector<TrafficSpec> specs, double lineRate);
  ~Traffic();

  /// Returns false after the last one.
  bool next(TrafficPacket &packet);

private:
  const std::vector<TrafficSpec> specs;
  std::vector<std::unique_ptr<Stream>> streams;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TRAFFIC_TRAFFIC_H
