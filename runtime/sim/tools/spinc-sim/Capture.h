//===- Capture.h - Packet captures and output files -----------------------===//
//
// Checks whole captures with libpcap before anything runs and gives their
// packets one by one, and writes outputs so that a file is there completely or
// not at all.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_CAPTURE_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_CAPTURE_H

#include "runtime/sim/spinsim.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

struct pcap;

namespace spinc::sim {

/// A capture that can be gone through any number of times.
class Capture {
public:
  Capture() = default;
  Capture(const Capture &) = delete;
  ~Capture() { close(); }

  /// Returns false and says why if the file is no capture of Ethernet or IP
  /// packets, or damaged.
  bool open(const std::string &path, std::string &error);
  /// Its packets `rounds` times. The capture must outlive the feed.
  SpinSimFeed feed(uint64_t rounds);
  SpinSimLink link() const { return kind; }

private:
  bool begin(std::string &error);
  bool check(std::string &error);
  void close();
  static int next(void *user, const void **bytes, size_t *size);
  static void restart(void *user);

  std::string path;
  std::string contents; // of what is no file that can be read twice
  SpinSimLink kind = SPINSIM_LINK_ETHERNET;
  pcap *file = nullptr;
  uint64_t rounds = 1, round = 0;
};

/// Where the packets that came were from, for those that answer them.
struct Input {
  SpinSimLink link = SPINSIM_LINK_ETHERNET;
  /// Destination and source of each, if they have Ethernet headers.
  std::vector<std::array<uint8_t, 12>> addresses;
};

/// A packet that the card sent.
struct SentPacket {
  SpinSimLink link;
  std::vector<uint8_t> bytes;
  uint64_t nanos; // when its last byte had left
  uint32_t destination;
  uint64_t answers; // number of the packet that it answers
};

/// Writes raw IP if the input was raw IP and nothing else was sent, and
/// Ethernet otherwise. Returns false and says why.
bool writeCapture(const std::string &path, const Input &input,
                  const std::vector<SentPacket> &sent, std::string &error);

/// Writes a whole file or nothing.
bool writeFile(const std::string &path, llvm::StringRef contents,
               std::string &error);

bool readFile(const std::string &path, std::string &contents,
              std::string &error);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_CAPTURE_H
