//===- GdbServer.cpp - GDB's remote protocol over the card ----------------===//
//
// The packets that GDB needs for all-stop debugging of threads; to others the
// answer is empty, which means "not known". Numbers in packets are hex.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/debug/GdbServer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace spinc;
using namespace spinc::sim;
using llvm::formatv;
using llvm::StringRef;

namespace {

/// Signals as GDB numbers them.
constexpr unsigned signalInterrupt = 2, signalIllegal = 4, signalTrap = 5,
                   signalSegment = 11;
constexpr unsigned pcRegister = 32, registerCount = 33;
constexpr unsigned pollInterval = 4096; // instructions

std::string hexWord(uint32_t value) {
  return llvm::toHex(
      StringRef(reinterpret_cast<const char *>(&value), sizeof value),
      /*LowerCase=*/true);
}

bool readHexWord(StringRef hex, uint32_t &value) {
  std::string bytes;
  if (hex.size() != 8 || !llvm::tryGetFromHex(hex, bytes))
    return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  return true;
}

bool readNumber(StringRef text, uint32_t &value) {
  return !text.getAsInteger(16, value);
}

/// "address,size".
bool readRange(StringRef text, uint32_t &address, uint32_t &size) {
  auto [first, second] = text.split(',');
  return readNumber(first, address) && readNumber(second, size);
}

std::string targetDescription() {
  std::string text = "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM "
                     "\"gdb-target.dtd\"><target><architecture>riscv:rv32"
                     "</architecture><feature name=\"org.gnu.gdb.riscv.cpu\">";
  for (unsigned number = 0; number < pcRegister; ++number)
    text += formatv("<reg name=\"{0}\" bitsize=\"32\" regnum=\"{1}\"/>",
                    isa::registerName(number), number);
  return text + "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\" "
                "regnum=\"32\"/></feature></target>";
}

} // namespace

uint32_t GdbServer::numberOf(const Hpu &hpu) const {
  return hpu.clusterNumber() * PSPIN_HPUS_PER_CLUSTER + hpu.number() + 1;
}

Hpu *GdbServer::thread(uint32_t number) const {
  if (number == 0)
    return current;
  uint32_t cluster = (number - 1) / PSPIN_HPUS_PER_CLUSTER,
           hpu = (number - 1) % PSPIN_HPUS_PER_CLUSTER;
  return cluster < card->config.clusters && hpu < card->config.hpusPerCluster
             ? &card->hpu(cluster, hpu)
             : nullptr;
}

void GdbServer::attach(Card &made) {
  card = &made;
  current = selected = &card->hpu(0, 0);
}

bool GdbServer::beforeInstruction(Hpu &hpu) {
  if (state == State::Detached)
    return true;
  if (state == State::Waiting) {
    std::string error;
    if (!connection.accept(error)) {
      card->fail(error);
      return false;
    }
    state = State::Attached;
    return stop(hpu, "");
  }
  std::string hit = std::move(watchHit);
  watchHit.clear();
  const Core &core = hpu.state();
  // An instruction that had to let others go first is no new one.
  if (&hpu == current && core.instructions == stoppedAt)
    return true;
  if (!hit.empty() || stepping == &hpu || breakpoints.count(core.pc))
    return stop(hpu, hit);
  if (++untilPoll < pollInterval)
    return true;
  untilPoll = 0;
  return !connection.interrupted() ||
         stop(hpu, formatv("{0:x-2}", signalInterrupt));
}

void GdbServer::onAccess(Hpu &hpu, uint32_t address, unsigned size,
                         bool isStore) {
  for (const Watch &watch : watches) {
    bool wanted = watch.kind == '4' || (watch.kind == '2') == isStore;
    if (!wanted || address >= watch.address + watch.size ||
        watch.address >= address + size)
      continue;
    const char *name = watch.kind == '2'   ? "watch"
                       : watch.kind == '3' ? "rwatch"
                                           : "awatch";
    watchHit = formatv("05{0}:{1:x-};", name, watch.address);
  }
}

bool GdbServer::onFault(Hpu &hpu, uint32_t cause) {
  if (state != State::Attached)
    return state == State::Detached;
  unsigned signal =
      cause == PSPIN_FAULT_ILLEGAL ? signalIllegal : signalSegment;
  return stop(hpu, formatv("{0:x-2}", signal));
}

void GdbServer::onEnd() {
  if (state == State::Attached)
    connection.send("W00");
  state = State::Detached;
}

/// Tells the debugger that `hpu` stopped, and does what it asks for until it
/// lets the card go on.
bool GdbServer::stop(Hpu &hpu, const std::string &reason) {
  current = selected = &hpu;
  stepping = nullptr;
  stoppedAt = hpu.state().instructions;
  bool isFirst = lastStop.empty();
  std::string why = reason;
  if (why.empty())
    why = formatv("{0:x-2}", signalTrap);
  lastStop = formatv("T{0}thread:{1:x-};", why, numberOf(hpu));
  // The first time it is the debugger that begins, and asks.
  if (!isFirst)
    connection.send(lastStop);
  return serve();
}

bool GdbServer::serve() {
  std::string packet;
  while (state == State::Attached) {
    if (!connection.receive(packet)) {
      state = State::Killed;
      break;
    }
    if (!answer(packet))
      break;
  }
  if (state == State::Killed)
    card->fail("the debugger ended the run");
  return state != State::Killed;
}

/// False when the card is to go on.
bool GdbServer::answer(const std::string &packet) {
  StringRef rest = StringRef(packet).drop_front(packet.empty() ? 0 : 1);
  bool resumed = false;
  std::string reply;
  switch (packet.empty() ? 0 : packet[0]) {
  case '?':
    reply = lastStop;
    break;
  case 'g':
    reply = registers();
    break;
  case 'G':
    reply = writeRegisters(rest);
    break;
  case 'p':
  case 'P':
    reply = oneRegister(packet);
    break;
  case 'm':
    reply = readMemory(rest);
    break;
  case 'M':
    reply = writeMemory(rest);
    break;
  case 'Z':
  case 'z':
    reply = breakpoint(packet);
    break;
  case 'H':
    reply = selectThread(rest);
    break;
  case 'T': {
    uint32_t number;
    reply = readNumber(rest, number) && thread(number) ? "OK" : "E01";
    break;
  }
  case 'c':
  case 's':
  case 'v':
    reply = resume(packet, resumed);
    break;
  case 'q':
  case 'Q':
    reply = query(packet);
    break;
  case 'D':
    connection.send("OK");
    state = State::Detached;
    return false;
  case 'k':
    state = State::Killed;
    return false;
  default:
    break;
  }
  if (resumed)
    return false;
  connection.send(reply);
  if (packet == "QStartNoAckMode")
    connection.dropAcknowledgements();
  return true;
}

std::string GdbServer::query(StringRef packet) {
  if (packet.starts_with("qSupported"))
    return "PacketSize=4000;qXfer:features:read+;QStartNoAckMode+;"
           "vContSupported+;hwbreak+";
  if (packet == "QStartNoAckMode")
    return "OK";
  if (packet == "qAttached")
    return "1";
  if (packet == "qC")
    return formatv("QC{0:x-}", numberOf(*selected));
  if (packet == "qfThreadInfo") {
    std::string list = "m";
    for (uint32_t number = 1; number <= PSPIN_HPUS; ++number)
      if (thread(number))
        list += formatv("{0}{1:x-}", list.size() > 1 ? "," : "", number);
    return list;
  }
  if (packet == "qsThreadInfo")
    return "l";
  if (packet.consume_front("qThreadExtraInfo,")) {
    uint32_t number;
    Hpu *hpu = readNumber(packet, number) ? thread(number) : nullptr;
    return hpu ? llvm::toHex(describeThread(*hpu), true) : "E01";
  }
  if (packet.consume_front("qXfer:features:read:target.xml:"))
    return transfer(packet);
  std::string command;
  if (packet.consume_front("qRcmd,") && llvm::tryGetFromHex(packet, command))
    return llvm::toHex(monitor(command), true);
  return "";
}

/// A part of the target description, "offset,length".
std::string GdbServer::transfer(StringRef request) const {
  uint32_t offset, length;
  if (!readRange(request, offset, length))
    return "E01";
  std::string text = targetDescription();
  if (offset >= text.size())
    return "l";
  std::string part = text.substr(offset, length);
  return (offset + part.size() < text.size() ? "m" : "l") + part;
}

/// c, s, vCont;…: at most one thread is to make a step, the others go on.
std::string GdbServer::resume(StringRef packet, bool &resumed) {
  if (packet == "vCont?")
    return "vCont;c;C;s;S";
  bool isLong = packet.consume_front("vCont;");
  if (!isLong && packet[0] == 'v')
    return "";
  stepping = nullptr;
  llvm::SmallVector<StringRef> actions;
  packet.split(actions, ';');
  for (StringRef action : actions) {
    auto [what, name] = action.split(':');
    if (what.empty() || (what[0] != 's' && what[0] != 'S'))
      continue;
    uint32_t number = 0;
    Hpu *hpu =
        name.empty() || readNumber(name, number) ? thread(number) : nullptr;
    if (!hpu)
      return "E01";
    stepping = hpu;
  }
  resumed = true;
  return "";
}

std::string GdbServer::breakpoint(StringRef packet) {
  bool set = packet[0] == 'Z';
  if (packet.size() < 4)
    return "E01";
  char kind = packet[1];
  uint32_t address, size;
  if (!readRange(packet.drop_front(3).split(';').first, address, size))
    return "E01";
  if (kind == '0' || kind == '1') {
    if (set)
      breakpoints.insert(address);
    else
      breakpoints.erase(address);
    return "OK";
  }
  if (kind > '4' || size == 0)
    return "";
  if (set)
    watches.insert({kind, address, size});
  else
    watches.erase({kind, address, size});
  return "OK";
}

std::string GdbServer::registers() const {
  std::string text;
  for (unsigned number = 0; number < pcRegister; ++number)
    text += hexWord(selected->state().regs[number]);
  return text + hexWord(selected->state().pc);
}

std::string GdbServer::writeRegisters(StringRef hex) {
  if (hex.size() != 8 * registerCount)
    return "E01";
  for (unsigned number = 0; number < registerCount; ++number)
    if (oneRegister(
            formatv("P{0:x-}={1}", number, hex.substr(8 * number, 8)).str()) !=
        "OK")
      return "E01";
  return "OK";
}

/// pN and PN=value.
std::string GdbServer::oneRegister(StringRef packet) {
  bool writes = packet[0] == 'P';
  auto [name, text] = packet.drop_front().split('=');
  uint32_t number, value;
  if (!readNumber(name, number) || number > pcRegister)
    return "E01";
  Core &core = selected->state();
  uint32_t &place = number == pcRegister ? core.pc : core.regs[number];
  if (!writes)
    return hexWord(place);
  if (!readHexWord(text, value))
    return "E01";
  if (number != 0)
    place = value;
  return "OK";
}

/// Bytes as an HPU sees them; null where there is no memory.
uint8_t *GdbServer::memory(const Hpu &hpu, uint32_t address,
                           uint32_t size) const {
  if (address - PSPIN_L1_ALIAS < PSPIN_L1_SIZE)
    address += l1Address(hpu.clusterNumber(), 0) - PSPIN_L1_ALIAS;
  return card->memory.find(address, size);
}

std::string GdbServer::readMemory(StringRef packet) const {
  uint32_t address, size;
  const uint8_t *place = readRange(packet, address, size)
                             ? memory(*selected, address, size)
                             : nullptr;
  if (!place)
    return "E0e";
  return llvm::toHex(StringRef(reinterpret_cast<const char *>(place), size),
                     /*LowerCase=*/true);
}

/// Data memory only: code is decoded already.
std::string GdbServer::writeMemory(StringRef packet) {
  auto [range, hex] = packet.split(':');
  uint32_t address, size;
  std::string bytes;
  if (!readRange(range, address, size) || !llvm::tryGetFromHex(hex, bytes) ||
      bytes.size() != size)
    return "E01";
  uint8_t *place =
      address < PSPIN_PROGRAM_BASE ? memory(*selected, address, size) : nullptr;
  if (!place)
    return "E0e";
  std::memcpy(place, bytes.data(), size);
  return "OK";
}

std::string GdbServer::selectThread(StringRef packet) {
  uint32_t number;
  StringRef name = packet.drop_front(packet.empty() ? 0 : 1);
  if (name == "-1")
    return "OK";
  Hpu *hpu = readNumber(name, number) ? thread(number) : nullptr;
  if (!hpu)
    return "E01";
  if (packet[0] == 'g')
    selected = hpu;
  return "OK";
}
