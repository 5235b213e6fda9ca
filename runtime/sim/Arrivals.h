//===- Arrivals.h - What comes to the card, and to which messages ---------===//
//
// Packets are looked at twice: when they are queued, so that mistakes are told
// at once and it is known which packet ends its message, and when they come.
// Those that are made up or read are made again then instead of being kept, so
// that memory does not grow with their number.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_ARRIVALS_H
#define SPINC_RUNTIME_SIM_ARRIVALS_H

#include "runtime/sim/Task.h"
#include "runtime/sim/spinsim.h"
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

namespace spinc::sim {

/// A packet on the link.
struct LinkPacket {
  SpinSimLink link = SPINSIM_LINK_ETHERNET;
  std::vector<uint8_t> bytes;
  double start = 0; // earliest cycle at which it begins to arrive
};

/// A sequence of packets that can be had any number of times.
class PacketFeed {
public:
  virtual ~PacketFeed() = default;
  virtual void restart() = 0;
  /// Returns false after the last packet.
  virtual bool next(LinkPacket &packet) = 0;
};

/// Cuts the packets of contexts into messages. The same packets are cut in the
/// same way.
class MessageCutter {
public:
  explicit MessageCutter(uint32_t packetsPerMessage)
      : packetsPerMessage(packetsPerMessage) {}

  struct Cut {
    bool accepted = false;
    uint64_t message = 0; // its number
    uint32_t size = 0;    // of the packet, without the padding of a short frame
    bool isLast = false;
    /// Number of the packet that became its message's last one, since this one
    /// is refused and would have been it.
    std::optional<uint64_t> ended;
  };
  /// Takes the next packet, as its context sees it.
  Cut take(const Context &context, uint64_t number,
           llvm::ArrayRef<uint8_t> packet);
  /// The run counts the packets of the context's message: no more come.
  void endCounted(const Context &context);
  /// Does so for all contexts; the numbers of the last packets.
  std::vector<uint64_t> endAllCounted();

private:
  /// What identifies a portals message on the wire.
  using Key = std::tuple<uint32_t, uint32_t, uint16_t>;
  struct Open {
    uint64_t message;
    uint64_t packets = 0;
    uint64_t newest = 0; // number of the packet
    uint32_t length = 0;
  };
  Cut takePortals(const Context &context, uint64_t number,
                  llvm::ArrayRef<uint8_t> packet);

  uint32_t packetsPerMessage;
  uint64_t messages = 0;
  std::map<Key, Open> portals;
  std::map<uint32_t, Open> counted; // by context
};

class Arrivals {
public:
  Arrivals(const SpinSimConfig &config, const std::list<Context> &installed)
      : config(config), installed(installed), planned(config.packetsPerMessage),
        cut(config.packetsPerMessage) {}

  /// Queues one packet, or those of a feed. Returns false and says why if one
  /// is larger than `mtu`; those before it are queued.
  bool add(LinkPacket packet, uint32_t mtu, std::string &error);
  bool add(std::unique_ptr<PacketFeed> feed, uint32_t mtu, std::string &error);
  /// The messages that the run counts get no packets beyond those queued.
  void endCounted();

  /// The next packet that a context takes, in the order of arrival. Not to be
  /// called more often than `taken` says.
  Packet next();

  /// When the line is free after what was queued.
  double lineTime = 0;
  /// Of all that were queued.
  uint64_t queued = 0, toHost = 0, taken = 0, takenBytes = 0, refused = 0;
  uint64_t firstArrival = UINT64_MAX; // of those taken

private:
  /// Packets queued with one call.
  struct Item {
    std::unique_ptr<PacketFeed> feed; // null: `packet` alone
    LinkPacket packet;
    uint64_t packets = 0;
    double lineTime = 0; // when it was queued
  };
  bool plan(const LinkPacket &link, uint32_t mtu, std::string &error);
  uint64_t arrive(const LinkPacket &link, double &free) const;
  const Context *classify(const LinkPacket &link, uint32_t &strip) const;
  bool nextOnLink(LinkPacket &link);

  const SpinSimConfig &config;
  const std::list<Context> &installed;
  std::deque<Item> items;
  MessageCutter planned, cut;
  std::set<uint64_t> ends; // packets that end messages without saying so
  uint64_t came = 0;       // packets on the line
  double cameTime = 0;     // when the line is free after them
  std::map<uint64_t, std::shared_ptr<Message>> messages; // that get packets
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_ARRIVALS_H
