//===- Options.h - What spinc-sim was asked to do -------------------------===//
//
// The command line as a struct, checked.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_OPTIONS_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_OPTIONS_H

#include "runtime/isa/Isa.h"
#include "runtime/sim/Engine.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spinc::sim {

struct ParamSetting {
  std::string context, param;
  int64_t value;
};

enum class Action {
  Run,
  Bare,
  Replay,
  PrintConfig,
  PrintSchema,
  Help,
  Version
};

struct Options {
  Action action = Action::Run;
  std::string image;
  std::string pcap;
  std::string generate; // as TOML
  std::string packetsOut;
  std::optional<double> lineRate;
  std::string preset = "pspin";
  std::optional<isa::InstructionSet> isa; // over the preset and --config
  std::string config;
  uint64_t repeat = 1;
  uint32_t packetsPerMessage = 0;
  std::vector<ParamSetting> params;
  std::map<std::string, uint64_t> hostSizes;  // by context, "" for all
  std::map<std::string, std::string> hostOut; // by context, "" for the one
  std::optional<uint64_t> maxCycles;
  std::string out;
  std::string json;
  std::string traceJson;
  std::string profile; // folder
  bool progress = false;
  std::string gdb; // where a debugger connects
  bool trace = false;
  bool checkAccesses = false;
  bool contention = false;
  EngineChoice engine;
  uint64_t maxInstructions = ~0ull;       // of a bare program
  std::vector<std::string> bareArguments; // from the program's name on
};

/// Nothing after a mistake, which is said on `errs`.
std::optional<Options> parseOptions(llvm::ArrayRef<const char *> args,
                                    llvm::raw_ostream &errs);

void printHelp(llvm::raw_ostream &os);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_OPTIONS_H
