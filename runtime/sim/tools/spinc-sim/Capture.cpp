//===- Capture.cpp - Packet captures and output files ---------------------===//
//
// libpcap does the formats; framing that the card stripped is put back here.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/Capture.h"
#include "runtime/abi/portals.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <pcap/pcap.h>

using namespace spinc::sim;
using namespace llvm;

namespace {

constexpr unsigned ethernetBytes = 14, addressBytes = 6;
constexpr uint64_t nanosPerSecond = 1000000000;

bool linkOf(int type, SpinSimLink &link) {
  switch (type) {
  case DLT_EN10MB:
    link = SPINSIM_LINK_ETHERNET;
    return true;
  case DLT_RAW:
  case DLT_IPV4:
  case DLT_IPV6:
    link = SPINSIM_LINK_IP;
    return true;
  default:
    return false;
  }
}

/// An address of the locally administered range, made from a node's number.
void putNodeAddress(uint8_t *to, uint32_t node) {
  to[0] = 0x02;
  to[1] = 0;
  for (unsigned i = 0; i < 4; ++i)
    to[2 + i] = uint8_t(node >> (24 - 8 * i));
}

/// The Ethernet header of a packet that left without one: back to where the
/// answered packet came from, or between node addresses.
std::vector<uint8_t> framed(const SentPacket &packet, const Input &input) {
  std::vector<uint8_t> frame(ethernetBytes);
  constexpr uint32_t ownNode = 0;
  if (packet.link == SPINSIM_LINK_IP && input.link == SPINSIM_LINK_ETHERNET) {
    const std::array<uint8_t, 2 * addressBytes> &asked =
        input.addresses[packet.answers];
    std::copy_n(asked.begin() + addressBytes, addressBytes, frame.begin());
    std::copy_n(asked.begin(), addressBytes, frame.begin() + addressBytes);
  } else {
    putNodeAddress(frame.data(), packet.destination);
    putNodeAddress(frame.data() + addressBytes, ownNode);
  }
  bool version6 = !packet.bytes.empty() && packet.bytes[0] >> 4 == 6;
  uint16_t type = packet.link == SPINSIM_LINK_PORTALS ? PORTALS_ETHERTYPE
                  : version6                          ? 0x86dd
                                                      : 0x0800;
  frame[12] = type >> 8;
  frame[13] = uint8_t(type);
  frame.insert(frame.end(), packet.bytes.begin(), packet.bytes.end());
  return frame;
}

} // namespace

bool spinc::sim::readFile(const std::string &path, std::string &contents,
                          std::string &error) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer) {
    error = path + ": " + buffer.getError().message();
    return false;
  }
  contents = (*buffer)->getBuffer().str();
  return true;
}

bool spinc::sim::writeFile(const std::string &path, StringRef contents,
                           std::string &error) {
  // A device or pipe is written as it is; a file is replaced at the end.
  sys::fs::file_status status;
  bool exists = !sys::fs::status(path, status) && sys::fs::exists(status);
  if (path == "-" || (exists && !sys::fs::is_regular_file(status))) {
    std::error_code code;
    raw_fd_ostream stream(path, code);
    if (!code) {
      stream << contents;
      stream.close();
      code = stream.error();
      stream.clear_error();
    }
    if (code)
      error =
          (path == "-" ? "the standard output" : path) + ": " + code.message();
    return !code;
  }
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!file) {
    error = path + ": " + toString(file.takeError());
    return false;
  }
  raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  stream << contents;
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  if (code) {
    consumeError(file->discard());
    error = path + ": " + code.message();
    return false;
  }
  if (Error reason = file->keep(path)) {
    error = path + ": " + toString(std::move(reason));
    return false;
  }
  return true;
}

bool Capture::open(const std::string &name, std::string &error) {
  path = name;
  sys::fs::file_status status;
  bool twice = !sys::fs::status(path, status) &&
               sys::fs::is_regular_file(status) && status.getSize() > 0;
  if (!twice && !readFile(path, contents, error))
    return false;
  if (!twice && contents.empty()) {
    error = path + ": no packet capture: the file is empty";
    return false;
  }
  if (!begin(error) || !check(error))
    return false;
  return begin(error);
}

void Capture::close() {
  if (file)
    pcap_close(file);
  file = nullptr;
}

/// Goes to the first packet.
bool Capture::begin(std::string &error) {
  close();
  errno = 0;
  FILE *stream = contents.empty()
                     ? fopen(path.c_str(), "rb")
                     : fmemopen(contents.data(), contents.size(), "rb");
  if (!stream) {
    error = path + ": " + std::strerror(errno);
    return false;
  }
  char reason[PCAP_ERRBUF_SIZE] = "";
  file = pcap_fopen_offline(stream, reason);
  if (!file) {
    fclose(stream);
    error = path + ": no packet capture: " + reason;
    return false;
  }
  if (linkOf(pcap_datalink(file), kind))
    return true;
  const char *name = pcap_datalink_val_to_name(pcap_datalink(file));
  error = formatv("{0}: packets of link type {1}; expected Ethernet (EN10MB) "
                  "or raw IP (RAW)",
                  path, name ? name : "unknown");
  return false;
}

/// Reads all packets once.
bool Capture::check(std::string &error) {
  pcap_pkthdr *header;
  const u_char *bytes;
  int got;
  uint64_t number = 0;
  for (; (got = pcap_next_ex(file, &header, &bytes)) == 1; ++number) {
    if (header->caplen < header->len)
      error = formatv("{0}: packet {1} is cut: {2} of {3} bytes were captured",
                      path, number, header->caplen, header->len);
    else if (header->caplen == 0)
      error = formatv("{0}: packet {1} is empty", path, number);
    if (!error.empty())
      return false;
  }
  if (got == PCAP_ERROR)
    error =
        formatv("{0}: after packet {1}: {2}", path, number, pcap_geterr(file));
  else if (number == 0)
    error = path + ": no packets in the capture";
  return error.empty();
}

int Capture::next(void *user, const void **bytes, size_t *size) {
  auto &capture = *static_cast<Capture *>(user);
  std::string ignored;
  pcap_pkthdr *header;
  const u_char *data;
  while (capture.file && pcap_next_ex(capture.file, &header, &data) != 1)
    if (++capture.round >= capture.rounds || !capture.begin(ignored))
      return 0;
  if (!capture.file)
    return 0;
  *bytes = data;
  *size = header->caplen;
  return 1;
}

void Capture::restart(void *user) {
  auto &capture = *static_cast<Capture *>(user);
  std::string ignored;
  capture.round = 0;
  capture.begin(ignored);
}

SpinSimFeed Capture::feed(uint64_t times) {
  rounds = times;
  return {kind, next, restart, this};
}

bool spinc::sim::writeCapture(const std::string &path, const Input &input,
                              const std::vector<SentPacket> &sent,
                              std::string &error) {
  bool raw = input.link == SPINSIM_LINK_IP &&
             std::all_of(sent.begin(), sent.end(), [](const SentPacket &p) {
               return p.link == SPINSIM_LINK_IP;
             });
  char *data = nullptr;
  size_t size = 0;
  FILE *memory = open_memstream(&data, &size);
  constexpr int snapLength = 65535;
  pcap_t *format = pcap_open_dead_with_tstamp_precision(
      raw ? DLT_RAW : DLT_EN10MB, snapLength, PCAP_TSTAMP_PRECISION_NANO);
  pcap_dumper_t *dumper = memory ? pcap_dump_fopen(format, memory) : nullptr;
  if (!dumper) {
    error = path + ": out of memory";
    pcap_close(format);
    return false;
  }
  for (const SentPacket &packet : sent) {
    bool whole = raw || packet.link == SPINSIM_LINK_ETHERNET;
    std::vector<uint8_t> frame = whole ? packet.bytes : framed(packet, input);
    pcap_pkthdr header = {};
    header.ts.tv_sec = packet.nanos / nanosPerSecond;
    header.ts.tv_usec = packet.nanos % nanosPerSecond;
    header.caplen = header.len = frame.size();
    pcap_dump(reinterpret_cast<u_char *>(dumper), &header, frame.data());
  }
  pcap_dump_close(dumper);
  pcap_close(format);
  bool written = writeFile(path, StringRef(data, size), error);
  free(data);
  return written;
}
