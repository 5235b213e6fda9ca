//===- Capture.h - Packet captures and output files -----------------------===//
//
// Reads whole captures with libpcap before anything runs, and writes outputs
// so that a file is there completely or not at all.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_CAPTURE_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_CAPTURE_H

#include "runtime/sim/spinsim.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace spinc::sim {

struct Capture {
  SpinSimLink link = SPINSIM_LINK_ETHERNET;
  std::vector<std::vector<uint8_t>> packets;

  /// Returns false and says why if the file is no capture of Ethernet or IP
  /// packets, or damaged.
  static bool read(const std::string &path, Capture &capture,
                   std::string &error);
};

/// A packet that the card sent.
struct SentPacket {
  SpinSimLink link;
  std::vector<uint8_t> bytes;
  uint64_t nanos; // when its last byte had left
  uint32_t destination;
  uint64_t answers; // index into the capture
};

/// Writes raw IP if the capture was raw IP and nothing else was sent, and
/// Ethernet otherwise. Returns false and says why.
bool writeCapture(const std::string &path, const Capture &input,
                  const std::vector<SentPacket> &sent, std::string &error);

/// Writes a whole file or nothing.
bool writeFile(const std::string &path, llvm::StringRef contents,
               std::string &error);

bool readFile(const std::string &path, std::string &contents,
              std::string &error);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_CAPTURE_H
