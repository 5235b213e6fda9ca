//===- Metadata.h - What an image says about its program ------------------===//
//
// The contexts of section .spin.meta as structs, and the evaluation of the
// conditions that hold between parameters and host memory.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_METADATA_H
#define SPINC_RUNTIME_SIM_METADATA_H

#include "runtime/sim/spinsim.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spinc::sim {

/// A field at a fixed offset whose masked value lies in a range.
struct MatchRule {
  uint32_t offset = 0;
  uint32_t width = 0; // bytes, 1..4
  uint32_t mask = 0;
  uint32_t min = 0, max = 0;
  bool bigEndian = true;

  bool holds(llvm::ArrayRef<uint8_t> packet) const;
};

struct PortalsMatch {
  uint64_t bits = 0;
  uint64_t ignore = 0;
};

struct StateInfo {
  std::string name;
  std::string type; // of an element
  bool inL1 = true;
  bool perCluster = false;
  bool isShared = false; // handlers of all clusters write all copies
  bool isLock = false;
  uint32_t address = 0; // in L1: offset from its base
  uint32_t size = 0;
  uint32_t stride = 0; // not 0: a copy for each message, so far apart
  std::optional<uint32_t> homeCluster; // where the only copy is, in L1
};

struct ParamInfo {
  std::string name;
  std::string type; // u8 … u64, i8 … i64, bool
  uint32_t offset = 0;
  std::vector<llvm::json::Value> where;

  unsigned bytes() const;
  bool isSigned() const { return type[0] == 'i'; }
};

struct ContractInfo {
  std::string text;
  llvm::json::Value condition = nullptr;
};

struct HandlerInfo {
  SpinSimHandlerKind kind = SPINSIM_PAYLOAD;
  std::string symbol;
};

struct ContextInfo {
  std::string name;
  SpinSimLink link = SPINSIM_LINK_ETHERNET;
  /// The least; the most where a packet says itself how many there are.
  uint32_t headerBytes = 0;
  uint32_t maxHeaderBytes = 0;
  std::vector<MatchRule> rules;
  std::optional<PortalsMatch> portals;
  std::vector<StateInfo> state;
  std::vector<ParamInfo> params;
  uint32_t paramsAddress = 0;
  uint32_t paramsSize = 0;
  std::vector<std::string> hosts;
  std::vector<ContractInfo> contracts;
  std::vector<HandlerInfo> handlers;

  /// Whether a packet that starts at this context's first header is its own.
  bool matches(llvm::ArrayRef<uint8_t> packet) const;
};

struct Metadata {
  std::string program;
  uint32_t mtu = 0;
  std::vector<ContextInfo> contexts;

  bool hasLocks() const;
  /// There if the image is of a program that the compiler rejects: what it
  /// rejects, and what to replay.
  std::optional<llvm::json::Array> rejected;

  /// Reads the section's text; says in `error` what is wrong with it.
  static bool read(const std::string &text, Metadata &metadata,
                   std::string &error);
};

/// Values that conditions name.
struct ConditionInputs {
  std::map<std::string, __int128> params;
  std::map<std::string, __int128> hostSizes;
  uint32_t clusters = 0;
};

/// The value of a condition in mathematical integers; nothing if it divides
/// by zero, leaves 128 bits or names something unknown.
std::optional<__int128> evaluate(const llvm::json::Value &condition,
                                 const ConditionInputs &inputs);

/// "a = 1, b = 2" for everything that a condition names.
std::string describeInputs(const llvm::json::Value &condition,
                           const ConditionInputs &inputs);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_METADATA_H
