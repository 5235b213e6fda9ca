//===- RspConnection.cpp - Packets of GDB's remote protocol ---------------===//
//
// Blocking sockets or pipes; a debugger that goes away ends the connection.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/debug/RspConnection.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace spinc::sim;
using llvm::StringRef;

static constexpr int interruptByte = 3;

RspConnection::~RspConnection() {
  if (input > STDERR_FILENO)
    close(input);
  if (listener >= 0)
    close(listener);
}

bool RspConnection::open(const std::string &address, uint16_t &port,
                         std::string &error) {
  port = 0;
  if (address == "-") {
    input = STDIN_FILENO;
    output = STDOUT_FILENO;
    return true;
  }
  auto [host, number] = StringRef(address).rsplit(':');
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  std::string name = host.empty() ? "127.0.0.1" : host.str();
  if (!StringRef(address).contains(':') || number.getAsInteger(10, port) ||
      inet_pton(AF_INET, name.c_str(), &place.sin_addr) != 1) {
    error = "'" + address +
            "' is no place for a debugger to connect to; "
            "expected [<IPv4 address>]:<port>, or - for the "
            "standard input and output";
    return false;
  }
  place.sin_port = htons(port);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  int yes = 1;
  if (listener >= 0)
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  socklen_t size = sizeof place;
  auto *generic = reinterpret_cast<sockaddr *>(&place);
  if (listener < 0 || bind(listener, generic, size) != 0 ||
      listen(listener, 1) != 0 || getsockname(listener, generic, &size) != 0) {
    error =
        "listening for a debugger at " + address + ": " + std::strerror(errno);
    return false;
  }
  port = ntohs(place.sin_port);
  return true;
}

bool RspConnection::accept(std::string &error) {
  if (listener < 0)
    return true;
  input = output = ::accept(listener, nullptr, nullptr);
  if (input < 0) {
    error = std::string("waiting for a debugger: ") + std::strerror(errno);
    return false;
  }
  int yes = 1;
  setsockopt(input, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return true;
}

/// A byte, or -1 at the end.
int RspConnection::nextByte() {
  unsigned char byte;
  ssize_t got;
  do
    got = read(input, &byte, 1);
  while (got < 0 && errno == EINTR);
  return got == 1 ? byte : -1;
}

bool RspConnection::sendRaw(const std::string &bytes) {
  for (size_t sent = 0; sent < bytes.size();) {
    ssize_t part =
        listener >= 0 ? ::send(output, bytes.data() + sent, bytes.size() - sent,
                               MSG_NOSIGNAL)
                      : write(output, bytes.data() + sent, bytes.size() - sent);
    if (part < 0 && errno == EINTR)
      continue;
    if (part <= 0)
      return false;
    sent += size_t(part);
  }
  return true;
}

bool RspConnection::receive(std::string &data) {
  for (;;) {
    int byte = nextByte();
    if (byte < 0)
      return false;
    if (byte != '$') // acknowledgements, and interrupts of what has stopped
      continue;
    data.clear();
    uint8_t sum = 0;
    while ((byte = nextByte()) != '#') {
      if (byte < 0)
        return false;
      sum += uint8_t(byte);
      data += char(byte);
    }
    int high = nextByte(), low = nextByte();
    if (high < 0 || low < 0)
      return false;
    if (!acknowledges)
      return true;
    bool good =
        llvm::hexDigitValue(char(high)) * 16 + llvm::hexDigitValue(char(low)) ==
        sum;
    if (!sendRaw(good ? "+" : "-"))
      return false;
    if (good)
      return true;
  }
}

void RspConnection::send(const std::string &data) {
  uint8_t sum = 0;
  for (char c : data)
    sum += uint8_t(c);
  // A debugger that does not listen is noticed at the next receive().
  sendRaw("$" + data + "#" +
          llvm::toHex(StringRef(reinterpret_cast<const char *>(&sum), 1),
                      /*LowerCase=*/true));
}

bool RspConnection::interrupted() {
  pollfd waiting = {input, POLLIN, 0};
  while (poll(&waiting, 1, 0) > 0) {
    int byte = nextByte();
    if (byte < 0)
      return false;
    if (byte == interruptByte)
      return true;
  }
  return false;
}
