//===- RspConnection.h - Packets of GDB's remote protocol -----------------===//
//
// A byte stream to a debugger, and the framing "$data#checksum" on it.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_DEBUG_RSPCONNECTION_H
#define SPINC_RUNTIME_SIM_DEBUG_RSPCONNECTION_H

#include <cstdint>
#include <string>

namespace spinc::sim {

class RspConnection {
public:
  RspConnection() = default;
  RspConnection(const RspConnection &) = delete;
  ~RspConnection();

  /// "-": standard input and output. "[host]:port": listens there (port 0: one
  /// that is free); `port` is the one that was taken. Host: 127.0.0.1 if left
  /// out. Returns false and says why in `error`.
  bool open(const std::string &address, uint16_t &port, std::string &error);
  /// Waits for the debugger, if it is to come over a socket.
  bool accept(std::string &error);

  /// The next packet's data; false when the debugger has gone.
  bool receive(std::string &data);
  void send(const std::string &data);
  /// Whether the debugger has asked to stop since the last call.
  bool interrupted();
  /// Acknowledgements are not needed any more.
  void dropAcknowledgements() { acknowledges = false; }

private:
  int nextByte();
  bool sendRaw(const std::string &bytes);

  int listener = -1, input = -1, output = -1;
  bool acknowledges = true;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_DEBUG_RSPCONNECTION_H
