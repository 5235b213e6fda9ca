//===- Config.h - The machine of a run as TOML ----------------------------===//
//
// Reads, checks and prints SpinSimConfig's machine by the table Machine.def,
// and has the presets. spinsim.h offers the same to C.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_CONFIG_CONFIG_H
#define SPINC_RUNTIME_SIM_CONFIG_CONFIG_H

#include "runtime/sim/spinsim.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace spinc::sim {

/// "pspin, fpspin, sc17" for messages.
std::string presetNames();

/// Sets everything that Machine.def knows. Returns false if there is no such
/// preset.
bool applyPreset(llvm::StringRef name, SpinSimConfig &config);

/// Reads a file's text over what `config` has; its key `preset` starts from a
/// preset. Tables [[traffic]] are left to readTraffic. Returns false and says
/// in `error` which line and key is wrong; `config` is then unchanged.
bool readConfig(llvm::StringRef text, llvm::StringRef file,
                SpinSimConfig &config, std::string &error);

/// The whole machine as a file with comments.
std::string printConfig(const SpinSimConfig &config);

/// JSON Schema of such files, for editors.
std::string configSchema();

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_CONFIG_CONFIG_H
