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
  std::unique_ptr<spinc::sim::Arrivals> arrivals; // since an image is loaded
  std::string report; // behind the pointer of spinSimReport
  struct ProfileLine {
    std::string handler, stack;
    uint32_t pc;
    uint64_t count, cycles;
  };
  std::vector<ProfileLine> profile; // as of the last spinSimProfileCount
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
  SpinSimStatus bootCard();
};

#endif // SPINC_RUNTIME_SIM_SIMSTATE_H
