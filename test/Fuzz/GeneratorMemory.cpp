// Random uses of memory: parts of slices, packet and state, host, commands.
#include "test/Fuzz/Generator.h"

using namespace spinc::fuzz;

static const IntKind u32{false, 32}, u64{false, 64};

const Generator::Field *Generator::fieldOf(const std::string &kinds,
                                           bool array) {
  std::vector<const Field *> fitting;
  for (const Field &field : fields)
    if (kinds.find(field.kind) != std::string::npos &&
        (field.count > 0) == array)
      fitting.push_back(&field);
  return fitting.empty() ? nullptr : any(fitting);
}

/// An effect behind a guard of its claim, in one of the usual forms.
std::string Generator::guarded(const std::string &claim,
                               const std::string &effect) {
  if (risky())
    return effect;
  if (chance(50) || loops)
    return "if (" + claim + ") " + effect;
  line("require (" + claim + ") else return " + leaving() + ";");
  return effect;
}

/// A command that is not waited for: in a loop, any number of them.
void Generator::issued(bool ofPacket) {
  flying += loops ? 100 : 1;
  packetBusy |= ofPacket;
}

/// `let s = slice[a ..+ n]`, with run-time or constant ends.
void Generator::cutSlice() {
  if (slices.empty())
    return declare();
  SliceName slice = any(slices);
  std::string name = fresh();
  SliceName made = slice;
  made.text = name, made.least = 0;
  uint64_t slip = risky() ? 1 : 0;
  if (slice.least > 0 && chance(50)) {
    uint64_t from = pick(slice.least), count = pick(slice.least - from + 1);
    bool toEnd = chance(50);
    line("let " + name + " = " + slice.text + "[" + std::to_string(from) +
         (toEnd ? " ..< " : " ..+ ") +
         std::to_string((toEnd ? from + count : count) + slip) + "];");
    made.least = made.most = count;
    slices.push_back(made);
    return;
  }
  if (indent > 3 || loops)
    return;
  std::string from = let(convert(expr(1), u32));
  bool toEnd = chance(50);
  std::string extent = let(convert(expr(1), u32));
  std::string length = slice.text + ".length";
  std::string claim =
      toEnd ? from + " <= " + extent + " && " + extent +
                  (slip ? " <= 1 + " : " <= ") + length
            : from + " + " + extent + (slip ? " <= 1 + " : " <= ") + length;
  line("require (" + claim + ") else return " + leaving() + ";");
  line("let " + name + " = " + slice.text + "[" + from +
       (toEnd ? " ..< " : " ..+ ") + extent + "];");
  slices.push_back(made);
  variables.push_back({{from, u32, 0, u32.high()}, false});
  variables.push_back({{extent, u32, 0, u32.high()}, false});
}

/// A loop over the indices of a slice, with accesses around the index: the
/// off-by-one is what matters.
void Generator::walk(unsigned depth) {
  if (slices.empty())
    return rangeLoop(depth);
  SliceName slice = any(slices);
  if (loops > 1 && slice.most > 64)
    return rangeLoop(depth);
  unsigned step = any(std::vector<unsigned>{1, 1, 2, 4});
  uint64_t ahead = pick(3);
  std::string name = fresh();
  uint64_t claimed = risky() && ahead ? ahead - 1 : ahead;
  std::string end = slice.text + ".length";
  if (claimed) {
    if (chance(50)) {
      line("if (" + end + " >= " + std::to_string(claimed) + ") {");
      line("  let " + name + "n = " + end + " - " + std::to_string(claimed) +
           ";");
    } else {
      line("{");
      line("  let " + name + "n = " + end + " -| " + std::to_string(claimed) +
           ";");
    }
    end = name + "n";
  } else {
    line("{");
  }
  ++indent;
  IntKind type{false, 8 * slice.bytes};
  std::string head = "for (" + name + " : 0 ..< " + end +
                     (step > 1 ? " step " + std::to_string(step) : "") + ")";
  Variable counter{{name, u32, 0, 1500}, false};
  Variable value{{slice.text + "[" + name +
                      (ahead ? " + " + std::to_string(ahead) : "") + "]",
                  type, 0, type.high()},
                 false};
  body(head, depth, {counter, value, value});
  --indent;
  line("}");
}

/// A loop that does the same with each element of a slice.
void Generator::changeEach() {
  std::vector<const SliceName *> fitting;
  for (const SliceName &slice : slices)
    if (slice.isPacket && (slice.isLocal || !packetBusy) &&
        (!loops || slice.most <= 64))
      fitting.push_back(&slice);
  if (fitting.empty())
    return declare();
  const SliceName &slice = *any(fitting);
  std::string name = fresh();
  std::string by = convert(expr(1), {false, 8 * slice.bytes}, true).text;
  by = chance(60) ? std::to_string(pick(256)) : let({by, {}, 0, 0});
  line("for (" + name + " : 0 ..< " + slice.text + ".length) " + slice.text +
       "[" + name + "] " +
       any(std::vector<std::string>{"", "^", "+%", "|", "+|", "-|"}) + "= " +
       by + ";");
}

void Generator::writePacket() {
  bool isPayload = kind == Handler::Payload;
  if (isPayload && !packetBusy && !headerFields.empty() && chance(50)) {
    const auto &[name, type] = any(headerFields);
    Term value = convert(expr(2), type, true);
    return line("p." + name + " = " + value.text + ";");
  }
  std::vector<SliceName> packets;
  for (const SliceName &slice : slices)
    if (slice.isPacket && (slice.isLocal || !packetBusy))
      packets.push_back(slice);
  if (packets.empty())
    return assign();
  SliceName slice = any(packets);
  static const std::vector<std::pair<std::string, unsigned>> views = {
      {"le16", 2}, {"be16", 2}, {"le32", 4},
      {"be32", 4}, {"be64", 8}, {"u16", 2}};
  std::string place = slice.text;
  unsigned bytes = slice.bytes;
  if (bytes == 1 && chance(50)) {
    const auto &[view, size] = any(views);
    std::string name = fresh();
    line("let " + name + " = " + place + " as " + view + "[];");
    place = name;
    bytes = size;
  }
  std::string at = let(convert(expr(1), u32));
  Term value = convert(expr(2), {false, 8 * bytes}, true);
  std::string op = chance(20) ? "^" : "";
  line(guarded(at + " < " + place + ".length",
               place + "[" + at + "] " + op + "= " + value.text + ";"));
}

/// Plain state, in the header and the completion handler.
void Generator::writeState() {
  const Field *field = fieldOf("p2", chance(50));
  if (!field)
    return assign();
  std::string place = "state." + field->name;
  if (field->count)
    place += "[" + index(field->count) + "]";
  Term value = convert(expr(2), field->type, true);
  line(place + " = " + value.text + ";");
}

void Generator::atomic() {
  const Field *field = fieldOf("ac", chance(60));
  if (!field)
    return assign();
  static const std::vector<std::string> operations = {
      "fetch_add", "fetch_and", "fetch_or", "fetch_xor",
      "fetch_max", "fetch_min", "swap"};
  std::string place = "state." + field->name;
  std::string guard;
  if (field->count && chance(40)) {
    std::string at = let(convert(expr(1), u32));
    place += "[" + at + "]";
    guard = risky() ? "if (" + at + " <= " + std::to_string(field->count) + ") "
                    : "if (" + at + " < " + std::to_string(field->count) + ") ";
  } else if (field->count) {
    place += "[" + index(field->count) + "]";
  }
  Term value = convert(expr(2), u32, true);
  std::string call = place + "." + any(operations) + "(" + value.text + ")";
  if (guard.empty() && chance(50)) {
    std::string name = let({call, u32, 0, u32.high()});
    variables.push_back({{name, u32, 0, u32.high()}, false});
    return;
  }
  line(guard + call + ";");
}

void Generator::copyToHost() {
  if (!hasHost)
    return declare();
  std::string source, length;
  uint64_t most = 0, unit = 1;
  bool isLocal = false;
  const Field *field = fieldOf("p2", true);
  if (!slices.empty() && (chance(70) || !field)) {
    SliceName slice = any(slices);
    source = slice.text, length = source + ".length", most = slice.most;
    unit = slice.bytes, isLocal = slice.isLocal;
  } else if (field) {
    most = field->count, unit = field->type.width / 8;
    source = "state." + field->name + "[0 ..< " + std::to_string(most) + "]";
    length = std::to_string(most);
  } else {
    return declare();
  }
  bool isAsync = !isLocal && (!mayBlock() || (loops < 2 && chance(30)));
  if (!isAsync && !mayBlock())
    return declare();
  std::string call = isAsync ? "async dma_to_host(" : "dma_to_host(";
  if (isAsync)
    issued(true);
  if (most * unit <= hostLeast && chance(60)) {
    uint64_t room = hostLeast - most * unit;
    uint64_t at = room ? pick(room + 1) : 0;
    uint64_t size = most * unit;
    if (risky() && size)
      --size;
    return line(call + "out[" + std::to_string(at) + " ..+ " +
                std::to_string(size) + "], " + source + ");");
  }
  if (unit != 1)
    return;
  std::string at = let(convert(expr(1), u32));
  line(guarded(at + " + " + length + " <= out.size",
               call + "out[" + at + " ..+ " + length + "], " + source + ");"));
}

void Generator::notify() {
  if (!hasHost || hostLeast < 8)
    return declare();
  Term value = convert(expr(1), u64, true);
  issued(false);
  if (chance(50)) {
    std::string at = std::to_string(8 * pick(hostLeast / 8));
    return line("notify(out[" + at + " ..+ 8], " + value.text + ");");
  }
  std::string at = let(convert(expr(1), {false, 16}));
  std::string place = risky() ? at : "(" + at + " as u32) * 8";
  line(guarded("(" + at + " as u32) * 8 + 8 <= out.size",
               "notify(out[" + place + " ..+ 8], " + value.text + ");"));
}

void Generator::send() {
  if (kind != Handler::Payload || loops)
    return declare();
  if (isPortals) {
    if (slices.empty() || !chance(70))
      return;
    std::vector<std::string> sources = {"none"};
    for (const SliceName &slice : slices)
      if (!slice.isLocal)
        sources.push_back(slice.text);
    Term bits = convert(expr(1), u64, true);
    std::string more =
        chance(50) ? ", hdr_data: " + convert(expr(1), u32, true).text : "";
    issued(true);
    return line("put(" + any(sources) + ", to: state.who, match: " + bits.text +
                more + ");");
  }
  const SliceName *slice = slices.empty() ? nullptr : &any(slices);
  issued(true);
  line("send(" +
       (chance(50) || !slice || slice->isLocal ? "p.all" : slice->text) + ");");
}

/// In a function, with what it takes for the packet to be short enough.
char Generator::sendSlice(const std::string &slice) {
  line("require (" + slice + ".length <= 1500) else return" +
       (result ? " " + leaving() : "") + ";");
  if (chance(50)) {
    line("send(" + slice + ");");
    return 'l';
  }
  std::string handle = fresh();
  line("let " + handle + " = async send(" + slice + ");");
  line("wait(" + handle + ");");
  return 'w';
}

/// A strided view of the host region and its pieces.
void Generator::pieces() {
  if (!hasHost || kind != Handler::Payload || loops || hostLeast < 4096)
    return declare();
  unsigned block = any(std::vector<unsigned>{4, 7, 16, 64});
  unsigned stride = block + unsigned(pick(3)) * 4;
  uint64_t count = (hostLeast - block) / stride + 1;
  count = 1 + pick(count) + (risky() ? 1 : 0);
  std::string view = fresh(), piece = fresh();
  line("view " + view + " = strided(out, " + std::to_string(count) + ", " +
       std::to_string(block) + ", " + std::to_string(stride) + ");");
  std::string at = let(convert(expr(1), u32));
  line("require (" + at + " + p.length <= " + view +
       ".length) else return DROP;");
  line("for (" + piece + " : " + view + ".pieces(" + at + ", p.payload))");
  bool isAsync = !mayBlock() || chance(50);
  line((isAsync ? "  async dma_to_host(" : "  dma_to_host(") + piece +
       ".host, " + piece + ".data);");
  if (isAsync)
    flying = 100, packetBusy = true;
}
