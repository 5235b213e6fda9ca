//===- ChromeTrace.h - A run as a picture ---------------------------------===//
//
// Writes what took time on the card in Chrome's JSON format, which
// ui.perfetto.dev shows: a process for each cluster with a lane for each HPU,
// one for the network and one for the host, messages and packets as spans, and
// counters of what is under way.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_CHROMETRACE_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_CHROMETRACE_H

#include "runtime/sim/spinsim.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spinc::sim {

class ChromeTrace {
public:
  ~ChromeTrace();

  /// Begins the file, which has its name only once it is whole.
  bool open(const std::string &path, std::string &error);
  void add(const SpinSim *sim, const SpinSimEvent &event);
  bool close(const SpinSim *sim, std::string &error);

private:
  struct Change {
    uint64_t time;
    int by;
  };
  void record(const std::string &text);
  void span(const SpinSimEvent &event, const std::string &name,
            const char *category, unsigned process, unsigned id);
  void slice(const SpinSimEvent &event, const std::string &name,
             unsigned process, unsigned lane);
  void count(const char *name, std::vector<Change> &changes);
  void nameLanes(const SpinSimConfig &config);
  std::string time(uint64_t cycle) const;

  std::string path;
  std::optional<llvm::sys::fs::TempFile> file;
  std::unique_ptr<llvm::raw_fd_ostream> stream;
  bool first = true;
  double clockMhz = 1000;
  unsigned nextSpan = 0;
  std::vector<Change> packets, handlers; // under way
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_CHROMETRACE_H
