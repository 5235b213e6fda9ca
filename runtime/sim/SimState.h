//===- SimState.h - What is behind the C interface ------------------------===//
//
// The object that spinsim.h's functions work on. Private to the library.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_SIMSTATE_H
#define SPINC_RUNTIME_SIM_SIMSTATE_H

#include "runtime/sim/Card.h"
#include "runtime/sim/debug/GdbServer.h"
#include "runtime/sim/spinsim.h"
#include <map>
#include <tuple>

namespace spinc::sim {
/// What identifies a portals message on the wire.
using MessageKey = std::tuple<uint32_t, uint32_t, uint16_t>;
} // namespace spinc::sim

struct SpinSim {
  SpinSimConfig config;
  std::string error;
  spinc::sim::Image image;
  spinc::sim::Metadata metadata;
  bool loaded = false;
  std::vector<std::map<std::string, int64_t>> params; // by context
  std::list<spinc::sim::Context> installed;
  std::unique_ptr<spinc::sim::GdbServer> debugger;
  std::unique_ptr<spinc::sim::Card> card;
  std::list<spinc::sim::Message> messages;
  std::map<spinc::sim::MessageKey, spinc::sim::Message *> openMessages;
  std::vector<std::unique_ptr<spinc::sim::Packet>> pending;
  std::map<const spinc::sim::Context *,
           std::pair<spinc::sim::Message *, uint32_t>>
      counted;
  uint64_t injected = 0, toHost = 0, taken = 0, takenBytes = 0;
  uint64_t refused = 0;
  uint64_t outputsTaken = 0, outputBytesTaken = 0;
  std::string report; // behind the pointer of spinSimReport
  struct ProfileLine {
    std::string handler, stack;
    uint32_t pc;
    uint64_t count, cycles;
  };
  std::vector<ProfileLine> profile; // as of the last spinSimProfileCount
  double lineTime = 0;              // when the line is free
  spinc::sim::Output lastOutput;    // behind the pointers of spinSimNextOutput

  SpinSimStatus fail(SpinSimStatus status, std::string what) {
    error = std::move(what);
    return status;
  }
  SpinSimStatus succeed() {
    error.clear();
    return SPINSIM_OK;
  }
  void forgetRun();
  SpinSimStatus checkConditions(const spinc::sim::ContextInfo &info,
                                const std::vector<uint8_t> &block,
                                uint64_t hostSize);
  bool makeParams(const spinc::sim::ContextInfo &info,
                  const std::map<std::string, int64_t> &values,
                  std::vector<uint8_t> &block);
  std::unique_ptr<spinc::sim::Packet> classify(SpinSimLink link,
                                               const uint8_t *bytes,
                                               size_t size,
                                               spinc::sim::Context *&context);
  bool joinMessage(spinc::sim::Packet &packet, spinc::sim::Context &context);
  void endMessage(const spinc::sim::Message &message);
  SpinSimStatus inject(SpinSimLink link, const uint8_t *bytes, size_t size,
                       double start);
  SpinSimStatus bootCard();
};

#endif // SPINC_RUNTIME_SIM_SIMSTATE_H
