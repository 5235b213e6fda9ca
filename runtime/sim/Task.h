//===- Task.h - Packets, messages and tasks -------------------------------===//
//
// What moves through the card: a packet belongs to a message of a context; a
// task is one run of a handler for one packet of a message.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TASK_H
#define SPINC_RUNTIME_SIM_TASK_H

#include "runtime/sim/Metadata.h"
#include <deque>
#include <list>
#include <memory>

namespace spinc::sim {

struct Message;

/// A packet as handlers see it, its link header stripped. It is there from its
/// arrival until the NIC has its feedback.
struct Packet {
  uint64_t number = 0; // of the injected packet
  std::vector<uint8_t> bytes;
  uint64_t arrival = 0;
  std::shared_ptr<Message> message;
  bool last = false;                 // of its message
  uint32_t l2Offset = 0;             // in the L2 packet buffer
  std::list<Packet>::iterator place; // among the card's packets
};

/// A context that was installed.
struct Context {
  uint32_t index = 0; // in the image
  const ContextInfo *info = nullptr;
  uint32_t functions[3] = {}; // by SpinSimHandlerKind; 0: absent
  uint8_t *host = nullptr;
  uint64_t hostSize = 0;
  uint64_t hostAddress = 0;
  std::vector<uint8_t> params; // as they go to paramsAddress
};

/// Header handler, then payload handlers in parallel, then the completion
/// handler: the states of a message processing queue.
enum class MessageState : uint8_t {
  Free,
  HeaderRunning,
  Payload,
  Draining,
  CompletionRunning,
  Done
};

/// Lives as long as a packet of it or one that may still come.
struct Message {
  const Context *context = nullptr;
  uint32_t flow = 0;
  bool matched = false;  // its first packet came
  uint64_t begin = 0;    // when
  bool hasQueue = false; // owns a message processing queue, number = flow
  MessageState state = MessageState::Free;
  std::deque<Packet *> queue;
  unsigned inFlight = 0; // payload tasks sent and not finished
  Packet *lastPacket = nullptr;
};

struct Task {
  SpinSimHandlerKind kind = SPINSIM_PAYLOAD;
  Message *message = nullptr;
  Packet *packet = nullptr;
  bool freesPacket = false; // the NIC gets the packet's space back after it
  unsigned cluster = 0;
  unsigned ring = 0;
  uint32_t l1Offset = 0;           // in that ring
  std::list<Task>::iterator place; // among the card's tasks

  uint32_t function() const { return message->context->functions[kind]; }
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TASK_H
