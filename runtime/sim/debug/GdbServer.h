//===- GdbServer.h - GDB's remote protocol over the card ------------------===//
//
// HPUs are threads, number cluster * 8 + HPU + 1. All stop together: while the
// debugger looks at one nothing moves. Stops are taken before an instruction,
// so a breakpoint is an address and nothing in memory changes.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_DEBUG_GDBSERVER_H
#define SPINC_RUNTIME_SIM_DEBUG_GDBSERVER_H

#include "runtime/sim/Card.h"
#include "runtime/sim/debug/Inspector.h"
#include "runtime/sim/debug/RspConnection.h"
#include <set>

namespace spinc::sim {

class GdbServer : public Inspector {
public:
  /// See RspConnection::open.
  bool open(const std::string &address, uint16_t &port, std::string &error) {
    return connection.open(address, port, error);
  }

  void attach(Card &card) override;
  bool beforeInstruction(Hpu &hpu) override;
  void onAccess(Hpu &hpu, uint32_t address, unsigned size,
                bool isStore) override;
  bool onFault(Hpu &hpu, uint32_t cause) override;
  void onEnd() override;

private:
  enum class State : uint8_t { Waiting, Attached, Detached, Killed };
  struct Watch {
    char kind; // of the protocol: 2 write, 3 read, 4 both
    uint32_t address, size;
    bool operator<(const Watch &other) const {
      return std::tie(kind, address, size) <
             std::tie(other.kind, other.address, other.size);
    }
  };

  bool stop(Hpu &hpu, const std::string &reason);
  bool serve();
  bool answer(const std::string &packet);
  std::string query(llvm::StringRef packet);
  std::string transfer(llvm::StringRef request) const;
  std::string resume(llvm::StringRef packet, bool &resumed);
  std::string breakpoint(llvm::StringRef packet);
  std::string registers() const;
  std::string writeRegisters(llvm::StringRef hex);
  std::string oneRegister(llvm::StringRef packet);
  std::string readMemory(llvm::StringRef packet) const;
  std::string writeMemory(llvm::StringRef packet);
  std::string selectThread(llvm::StringRef packet);
  Hpu *thread(uint32_t number) const;
  uint32_t numberOf(const Hpu &hpu) const;
  uint8_t *memory(const Hpu &hpu, uint32_t address, uint32_t size) const;

  // GdbMonitor.cpp: what only this target can tell.
  std::string monitor(llvm::StringRef command) const;
  std::string describeThread(const Hpu &hpu) const;
  std::string describePacket(const Hpu &hpu) const;
  std::string describeState(const Hpu &hpu) const;

  RspConnection connection;
  State state = State::Waiting;
  Card *card = nullptr;
  Hpu *current = nullptr;  // that stopped
  Hpu *selected = nullptr; // whose registers are meant
  Hpu *stepping = nullptr;
  std::string lastStop;
  std::set<uint32_t> breakpoints;
  std::set<Watch> watches;
  std::string watchHit;       // of the instruction that is over
  uint64_t stoppedAt = ~0ull; // instructions of `current` at its last stop
  unsigned untilPoll = 0;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_DEBUG_GDBSERVER_H
