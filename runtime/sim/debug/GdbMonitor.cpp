//===- GdbMonitor.cpp - What only this target can tell a debugger ---------===//
//
// The commands `monitor packet`, `monitor task` and `monitor state`, and what
// `info threads` says about an HPU.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/debug/GdbServer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace spinc::sim;
using llvm::formatv;
using llvm::StringRef;

static constexpr const char *kindNames[] = {"header", "payload", "completion"};
static constexpr uint32_t bytesInLine = 16;

static void dump(std::string &text, const uint8_t *bytes, size_t size) {
  for (size_t line = 0; line < size; line += bytesInLine) {
    text += formatv("{0,6:x-4}:", line);
    for (size_t i = line; i < std::min(size, line + bytesInLine); ++i)
      text += formatv(" {0:x-2}", bytes[i]);
    text += '\n';
  }
}

std::string GdbServer::describeThread(const Hpu &hpu) const {
  std::string place =
      formatv("cluster {0} HPU {1}", hpu.clusterNumber(), hpu.number());
  const Task *task = hpu.currentTask();
  if (!task)
    return place + ": idle";
  return formatv("{0}: {1} of {2}, packet {3}, message {4}{5}", place,
                 kindNames[task->kind], task->message->context->info->name,
                 task->packet->number, task->message->flow,
                 hpu.isInHandler() ? "" : ", in the runtime");
}

std::string GdbServer::describePacket(const Hpu &hpu) const {
  const Task *task = hpu.currentTask();
  if (!task)
    return "this HPU has no packet\n";
  uint32_t size = task->packet->bytes.size();
  uint32_t address = hpu.packetAddress();
  std::string text = formatv("packet {0}: {1} bytes at {2:x}\n",
                             task->packet->number, size, address);
  if (const uint8_t *bytes = memory(hpu, address, size))
    dump(text, bytes, size);
  return text;
}

std::string GdbServer::describeState(const Hpu &hpu) const {
  const Task *task = hpu.currentTask();
  if (!task)
    return "this HPU has no task\n";
  std::string text;
  constexpr uint32_t shown = 4 * bytesInLine;
  for (const StateInfo &field : task->message->context->info->state) {
    uint32_t slot = field.inL1 ? task->message->flow >> PSPIN_FLOW_SLOT_SHIFT &
                                     PSPIN_FLOW_SLOT_MASK
                               : task->message->flow & PSPIN_FLOW_QUEUE_MASK;
    uint32_t address = field.address + slot * field.stride;
    if (field.inL1)
      address = l1Address(
          field.perCluster
              ? hpu.clusterNumber()
              : field.homeCluster.value_or(card->homeCluster(*task->message)),
          address);
    text +=
        formatv("{0}: {1} bytes at {2:x}\n", field.name, field.size, address);
    uint32_t size = std::min(field.size, shown);
    if (const uint8_t *bytes = memory(hpu, address, size))
      dump(text, bytes, size);
  }
  return text.empty() ? "the context has no state\n" : text;
}

/// "packet", "state" and "task", of the thread whose number follows or the one
/// that stopped: GDB leaves another one selected after it listed them.
std::string GdbServer::monitor(StringRef command) const {
  auto [what, name] = command.trim().split(' ');
  uint32_t number = 0;
  Hpu *hpu = name.empty() || !name.trim().getAsInteger(10, number)
                 ? thread(number)
                 : nullptr;
  if (!hpu)
    return "no thread '" + name.str() + "'\n";
  if (what == "packet")
    return describePacket(*hpu);
  if (what == "state")
    return describeState(*hpu);
  if (what != "task")
    return "monitor packet [thread]: the packet of an HPU\n"
           "monitor state [thread]: the state of its context\n"
           "monitor task: what the HPUs work on\n";
  std::string text = formatv("cycle {0}\n", hpu->now());
  for (number = 1; number <= PSPIN_HPUS; ++number)
    if (Hpu *other = thread(number); other && other->currentTask())
      text += formatv("{0} {1}\n", other == current ? "*" : " ",
                      describeThread(*other));
  return text;
}
