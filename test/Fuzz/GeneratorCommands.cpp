// Random commands that are waited for: in front of loops and behind them, which
// is where spin-schedule-commands moves them, or must not.
#include "test/Fuzz/Generator.h"

using namespace spinc::fuzz;

static const IntKind u32{false, 32}, u64{false, 64};

/// An async command with a handle that is waited for.
void Generator::command() {
  if (!hasHost || loops || kind != Handler::Payload || flying > 2)
    return countAndCopy();
  const SliceName *source = nullptr;
  for (const SliceName &slice : slices)
    if (slice.most * slice.bytes <= hostLeast && !slice.isLocal)
      source = &slice;
  if (!source)
    return countAndCopy();
  std::string handle = fresh();
  std::string end = std::to_string(source->most * source->bytes);
  line((chance(50) ? "let " : "command ") + handle +
       " = async dma_to_host(out[0 ..+ " + end + "], " + source->text + ");");
  issued(true);
  // What is made in the block is not seen behind it.
  if (chance(60))
    declare();
  line("wait(" + handle + ");");
  --flying;
}

/// Bytes of the host into memory of the handler, or into the packet.
void Generator::fromHost() {
  std::vector<SliceName> fitting;
  for (const SliceName &slice : slices)
    if (slice.least && slice.least * slice.bytes <= hostLeast &&
        (slice.isLocal || (slice.isPacket && !packetBusy)))
      fitting.push_back(slice);
  if (!hasHost || fitting.empty() || !mayBlock())
    return writeLocal();
  SliceName slice = any(fitting);
  uint64_t size = slice.least * slice.bytes + (risky() ? 1 : 0);
  uint64_t room = hostLeast > size ? hostLeast - size : 0;
  std::string handle = chance(30) ? fresh() : "";
  line((handle.empty() ? "" : "let " + handle + " = async ") +
       "dma_from_host(" + slice.text + "[0 ..< " + std::to_string(slice.least) +
       "], out[" + std::to_string(pick(room + 1)) + " ..+ " +
       std::to_string(size) + "]);");
  if (!handle.empty())
    line("wait(" + handle + ");");
}

/// A loop whose rounds copy what touches on both sides, which is what
/// spin-merge-loop-copies looks for, or nearly so.
void Generator::copyingLoop() {
  uint64_t size = any(std::vector<uint64_t>{1, 2, 4, 8, 16});
  uint64_t first = chance(60) ? 0 : 1 + pick(3), step = chance(70) ? 1 : 2;
  // What is known to be there, or all of the payload.
  uint64_t rounds = lengthLeast / size;
  bool isAll = rounds <= first + 1 || chance(40);
  if (isAll)
    first = 0;
  std::string name = fresh(), head = std::to_string(first) + " ..< ";
  if (isAll)
    head += "p.length / " + std::to_string(size * step);
  else if (rounds > 7 && chance(50))
    head += "(" + convert(expr(1), {false, 8}).text + " & 7)";
  else
    head += std::to_string(pick(rounds + 2 - step));
  if (!isAll && step > 1)
    head += " step " + std::to_string(step);
  auto part = [&](uint64_t from, uint64_t stride) {
    std::string at = name + " * " + std::to_string(stride);
    std::string begin = from ? std::to_string(from) + " + " + at : at;
    return "[" + begin + " ..+ " + std::to_string(size * step) + "]";
  };
  uint64_t stride = isAll ? size * step : size;
  std::string host =
      "out" + part(chance(50) ? pick(100) : 0, stride + (chance(10) ? 1 : 0));
  std::string data = "p.payload" + part(0, stride);
  bool fills = !packetBusy && mayBlock() && chance(15);
  bool waits = fills || (mayBlock() && chance(40));
  bool hasHandle = waits && chance(50);
  std::string handle = hasHandle ? fresh() : "", sum = fresh();
  bool adds = chance(40);
  if (adds)
    line("u32 " + sum + " = 0;");
  line("for (" + name + " : " + head + ") {");
  line("  " + (hasHandle ? "let " + handle + " = " : "") +
       (hasHandle || !waits ? "async " : "") +
       (fills ? "dma_from_host(" + data + ", " + host
              : "dma_to_host(" + host + ", " + data) +
       ");");
  if (adds && !fills)
    line("  " + sum + " +%= p.payload[" + name + "];");
  else if (adds)
    line("  " + sum + " ^= " + name + ";");
  if (hasHandle)
    line("  wait(" + handle + ");");
  line("}");
  if (!waits)
    flying += 100, packetBusy = true;
  if (adds)
    variables.push_back({{sum, u32, 0, u32.high()}, true});
}

/// Copies of bytes that touch on both sides, in a row or by a loop.
void Generator::touchingCopies() {
  if (!hasHost || loops || kind != Handler::Payload)
    return declare();
  if (hostLeast >= 4096 && chance(60))
    return copyingLoop();
  std::vector<const SliceName *> fitting;
  for (const SliceName &slice : slices)
    if (slice.bytes == 1 && !slice.isLocal && 2 <= slice.least &&
        slice.least <= hostLeast)
      fitting.push_back(&slice);
  if (fitting.empty())
    return declare();
  const SliceName &slice = *any(fitting);
  uint64_t middle = 1 + pick(slice.least - 1);
  uint64_t at = pick(hostLeast - slice.least + 1);
  bool isAsync = !mayBlock() || chance(50);
  auto copy = [&](uint64_t from, uint64_t to) {
    std::string size = " ..+ " + std::to_string(to - from) + "]";
    line((isAsync ? "async dma_to_host(out[" : "dma_to_host(out[") +
         std::to_string(at + from) + size + ", " + slice.text + "[" +
         std::to_string(from) + size + ");");
    if (isAsync)
      issued(true);
  };
  copy(0, middle);
  copy(middle, slice.least);
}

//===-- Commands around a loop --------------------------------------------===//

/// A copy to the host with a place for all of the slice, a packet, a message or
/// a notification; "" where there is none to be had. The value is part of those
/// that have one.
std::string Generator::commandText(const std::string &value, bool &ofPacket) {
  std::vector<const SliceName *> sources;
  if (kind == Handler::Payload)
    for (const SliceName &slice : slices)
      if (!slice.isLocal)
        sources.push_back(&slice);
  ofPacket = !sources.empty() && chance(75);
  if (!ofPacket && hasHost)
    return "notify(out[" + std::to_string(8 * pick(hostLeast / 8)) +
           " ..+ 8], " + value + ")";
  if (sources.empty())
    return "";
  const SliceName &source = *any(sources);
  uint64_t most = source.most * source.bytes;
  if (hasHost && most <= hostLeast && chance(60)) {
    uint64_t at = pick(hostLeast - most + 1);
    std::string size = source.most == source.least && chance(50)
                           ? std::to_string(most)
                       : source.bytes == 1 ? source.text + ".length"
                                           : std::to_string(most);
    return "dma_to_host(out[" + std::to_string(at) + " ..+ " + size + "], " +
           source.text + ")";
  }
  if (!isPortals)
    return "send(" + (chance(50) ? "p.all" : source.text) + ")";
  return "put(" + (chance(30) ? "none" : source.text) +
         ", to: state.who, match: " + value + ")";
}

/// Issues a command that does without the value of a loop, or with it.
void Generator::startCommand(std::vector<std::string> &started,
                             const std::string &value) {
  bool ofPacket = false;
  std::string call = commandText(value, ofPacket);
  if (call.empty())
    return;
  // The card tells only so many apart.
  if (!mayBlock() || chance(25)) {
    issued(ofPacket);
    return line((call[0] == 'd' ? "async " : "") + call + ";");
  }
  if (call[0] == 'd' && chance(25))
    return line(call + ";");
  issued(ofPacket);
  std::string handle = fresh();
  line((chance(70) ? "let " : "command ") + handle + " = async " + call + ";");
  started.push_back(handle);
}

/// Waits for some of the commands, in any order, or maybe not.
void Generator::waitForSome(std::vector<std::string> &started,
                            unsigned percent) {
  std::vector<std::string> left;
  while (!started.empty()) {
    size_t at = pick(started.size());
    std::string next = started[at];
    started.erase(started.begin() + ptrdiff_t(at));
    if (!chance(percent)) {
      left.push_back(next);
    } else if (chance(8)) {
      line("if (" + condition(1) + ") wait(" + next + ");");
    } else {
      line("wait(" + next + ");");
      --flying;
    }
  }
  started = left;
}

/// What a round of a loop does besides looking at one value.
void Generator::besides(unsigned depth, const Term &value, bool mayLeave) {
  switch (pick(mayLeave ? 16 : 14)) {
  case 0:
  case 1:
    return line("if (" + value.text + " == " + std::to_string(pick(60)) +
                ") break;");
  case 2:
    return writeLocal();
  case 3:
    return kind == Handler::Payload ? writePacket() : writeState();
  case 4:
    return atomic();
  case 5:
    return assign();
  case 14:
    return line("if (" + value.text + " == " + std::to_string(pick(60)) +
                ") return " + leaving() + ";");
  case 15:
    return statement(depth);
  default:
    return;
  }
}

/// A loop that mostly only reads; the name of a u32 that it made.
std::string Generator::readingLoop(unsigned depth, bool mayLeave) {
  std::string name = fresh(), sum = fresh(), head;
  line("u32 " + sum + " = " + std::to_string(pick(9)) + ";");
  Term value{name, u32, 0, u32.high()};
  if (!slices.empty() && chance(15)) {
    const SliceName &slice = any(slices);
    line("for (" + name + " : 0 ..< " + slice.text + ".length)");
    line("  if (" + slice.text + "[" + name + "] " +
         (chance(60) ? "==" : ">=") + " " + std::to_string(pick(256)) + ") {");
    line("    " + sum + " = " + name + ";");
    line("    break;");
    line("  }");
    variables.push_back({{sum, u32, 0, u32.high()}, true});
    return sum;
  }
  if (slices.empty()) {
    head = "for (" + name + " : 0 ..< " + std::to_string(1 + pick(20)) + ")";
  } else {
    SliceName slice = any(slices);
    value.type = {false, 8 * slice.bytes};
    if (slice.bytes == 1 && slice.isPacket && chance(40)) {
      static const std::vector<std::pair<std::string, unsigned>> views = {
          {"u32", 32}, {"be16", 16}, {"le32", 32}};
      const auto &[view, width] = any(views);
      head = "for (" + view + " " + name + " : " + slice.text + " as " + view +
             "[])";
      value.type.width = width;
    } else {
      unsigned step = any(std::vector<unsigned>{1, 1, 1, 2, 5});
      head = "for (" + name + " : 0 ..< " + slice.text + ".length" +
             (step > 1 ? " step " + std::to_string(step) + ")" : ")");
      value.text = slice.text + "[" + name + "]";
    }
    value.high = value.type.high();
  }
  auto outer = copyOf(sight());
  bool wasInLoop = inLoop;
  inLoop = true;
  ++loops;
  line(head + " {");
  ++indent;
  std::string op =
      any(std::vector<std::string>{" +%= ", " ^= ", " +|= ", " |= ", " -%= "});
  line(sum + op + convert(value, u32).text + ";");
  variables.push_back({value, false});
  besides(depth, value, mayLeave);
  --indent;
  line("}");
  --loops;
  inLoop = wasInLoop;
  sight() = outer;
  variables.push_back({{sum, u32, 0, u32.high()}, true});
  return sum;
}

/// Starts to fill a local array, which is not to be seen before the wait.
std::string Generator::startFilling(ArrayName &filled) {
  uint64_t size = std::min<uint64_t>(8 * (1 + pick(5)), hostLeast);
  std::string name = fresh(), handle = fresh();
  line("local u8 " + name + "[" + std::to_string(size) + "];");
  line("let " + handle + " = async dma_from_host(" + name + "[0 ..< " +
       std::to_string(size) + "], out[" +
       std::to_string(pick(hostLeast - size + 1)) + " ..+ " +
       std::to_string(size) + "]);");
  filled = {name, {false, 8}, size, true};
  return handle;
}

/// Commands, a loop, and commands again; waits where they may be. What is
/// issued behind the loop may need what it found.
void Generator::overlap(unsigned depth) {
  if (loops || wrapping || isLocked)
    return declare();
  bool wasBusy = packetBusy;
  unsigned before = flying;
  std::vector<std::string> started;
  for (uint64_t count = pick(3); count > 0; --count)
    startCommand(started, convert(expr(1), u64, true).text);
  waitForSome(started, 40);
  if (flying == before)
    packetBusy = wasBusy;
  // The array has to be there when the handler ends (act-8).
  bool fills = hasHost && mayBlock() && chance(15);
  ArrayName array;
  std::string filling = fills ? startFilling(array) : "";
  flying += fills;
  std::string found = readingLoop(depth ? depth - 1 : 0, !fills);
  if (fills) {
    line("wait(" + filling + ");");
    arrays.push_back(array);
  }
  flying -= fills;
  if (chance(15))
    found = let({found + " / (" + convert(expr(1), u32).text + " | 1)", u32, 0,
                 u32.high()});
  waitForSome(started, 50);
  bool isUsed = false;
  for (uint64_t count = pick(3); count > 0; --count) {
    bool needsLoop = chance(40);
    isUsed |= needsLoop;
    startCommand(started, needsLoop ? found : convert(expr(1), u64, true).text);
  }
  waitForSome(started, 70);
  if (flying == before)
    packetBusy = wasBusy;
  // What nobody wants is not computed.
  if (!isUsed)
    line("state.one.fetch_add(" + found + ");");
}
