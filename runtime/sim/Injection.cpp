//===- Injection.cpp - The C interface: packets for the card --------------===//
#include "runtime/sim/SimState.h"
#include "runtime/sim/traffic/Traffic.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace spinc::sim;
using llvm::formatv;

namespace {

/// Packets that are made up again each time.
class MadeUp : public PacketFeed {
public:
  /// `begin` and the description's times are those of cycles and nanoseconds.
  MadeUp(std::vector<TrafficSpec> specs, const SpinSimConfig &config,
         double begin)
      : specs(std::move(specs)), lineRate(config.lineRate), begin(begin),
        cyclesPerNano(config.machine.clockMhz / 1000) {
    restart();
  }
  void restart() override {
    traffic = std::make_unique<Traffic>(specs, lineRate);
  }
  bool next(LinkPacket &packet) override {
    TrafficPacket made;
    if (!traffic->next(made))
      return false;
    packet = {SPINSIM_LINK_ETHERNET, std::move(made.bytes),
              begin + made.nanos * cyclesPerNano};
    return true;
  }

private:
  const std::vector<TrafficSpec> specs;
  const double lineRate, begin, cyclesPerNano;
  std::unique_ptr<Traffic> traffic;
};

/// Packets of the caller.
class Given : public PacketFeed {
public:
  Given(const SpinSimFeed &feed, double begin) : feed(feed), begin(begin) {}
  void restart() override { feed.restart(feed.user); }
  bool next(LinkPacket &packet) override {
    const void *bytes;
    size_t size;
    if (!feed.next(feed.user, &bytes, &size))
      return false;
    const auto *first = static_cast<const uint8_t *>(bytes);
    packet.link = feed.link;
    packet.bytes.assign(first, first + size);
    packet.start = begin;
    return true;
  }

private:
  const SpinSimFeed feed;
  const double begin;
};

/// When the next packet may begin to arrive.
double lineFree(const SpinSim &sim) {
  return std::max(sim.arrivals->lineTime,
                  double(sim.card ? sim.card->time : 0));
}

/// Queues a packet or those of a feed.
template <typename T> SpinSimStatus add(SpinSim &sim, T what) {
  std::string error;
  return sim.arrivals->add(std::move(what), sim.metadata.mtu, error)
             ? sim.succeed()
             : sim.fail(SPINSIM_BAD_PACKET, error);
}

} // namespace

SpinSimStatus spinSimInject(SpinSim *sim, SpinSimLink link, const void *bytes,
                            size_t size, uint64_t arrival) {
  if (!sim->loaded)
    return sim->fail(SPINSIM_WRONG_ORDER, "no image is loaded");
  double earliest = lineFree(*sim);
  if (arrival != SPINSIM_NEXT && double(arrival) < earliest)
    return sim->fail(SPINSIM_BAD_ARGUMENT,
                     formatv("packet {0} arrives before the one ahead of it",
                             sim->arrivals->queued));
  const auto *first = static_cast<const uint8_t *>(bytes);
  LinkPacket packet = {link,
                       std::vector<uint8_t>(first, first + (first ? size : 0)),
                       arrival == SPINSIM_NEXT ? earliest : double(arrival)};
  return add(*sim, std::move(packet));
}

SpinSimStatus spinSimInjectAll(SpinSim *sim, const SpinSimFeed *feed) {
  if (!sim->loaded)
    return sim->fail(SPINSIM_WRONG_ORDER, "no image is loaded");
  return add<std::unique_ptr<PacketFeed>>(
      *sim, std::make_unique<Given>(*feed, lineFree(*sim)));
}

SpinSimStatus spinSimGenerate(SpinSim *sim, const char *text,
                              const char *name) {
  if (!sim->loaded)
    return sim->fail(SPINSIM_WRONG_ORDER, "no image is loaded");
  std::vector<TrafficSpec> specs;
  std::string error;
  if (!readTraffic(text, name, specs, error))
    return sim->fail(SPINSIM_BAD_ARGUMENT, error);
  if (specs.empty())
    return sim->fail(SPINSIM_BAD_ARGUMENT,
                     std::string(name) + ": no table [[traffic]]");
  return add<std::unique_ptr<PacketFeed>>(
      *sim,
      std::make_unique<MadeUp>(std::move(specs), sim->config, lineFree(*sim)));
}
