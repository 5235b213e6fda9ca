// Writes spinc source: one block for each part of a plan. All arithmetic on
// places wraps, as strides may be negative; the guard before each command is
// what the proofs rest on, and it never fires with the tables of the plan.
#include "compiler/Ddt/Generate/Source.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace spinc::ddt;

namespace {

class Writer {
public:
  template <typename... Arguments>
  void line(const char *format, Arguments &&...arguments) {
    if (*format)
      text.append(2 * depth, ' ');
    text += formatv(format, std::forward<Arguments>(arguments)...).str();
    text += '\n';
  }
  template <typename... Arguments>
  void open(const char *format, Arguments &&...arguments) {
    line(format, std::forward<Arguments>(arguments)...);
    ++depth;
  }
  void close() {
    --depth;
    line("}");
  }
  void elseOpen() {
    --depth;
    line("} else {{");
    ++depth;
  }

  std::string text;

private:
  unsigned depth = 0;
};

class Generator {
public:
  Generator(const Plan &plan, StringRef name, Direction direction,
            StringRef budget)
      : plan(plan), name(name), direction(direction), budget(budget) {}

  Program make();

private:
  void writeState();
  void writeReceive();
  void writeSend();
  void writeParts();
  void writePart(size_t number, const Part &part);
  void writeRun(const Part &part);
  void writeRows(const Part &part);
  void writeEntry(size_t number, const Part &part);
  void writeList(size_t number, const Part &part);
  void writeLengths(size_t number, const Part &part);
  void writeSearch(size_t number, const Part &part);
  void writeDigits(const Part &part, StringRef first);
  void writeStep(const Part &part, StringRef moved, StringRef variable);
  void writeCommand();
  void addTable(const Twine &table, unsigned bytes, ArrayRef<int64_t> values);

  /// Modulo 2^32, as places are computed.
  static std::string plus(int64_t distance) {
    distance %= int64_t(1) << 32;
    return distance < 0 ? formatv(" -% {0}", -distance).str()
                        : formatv(" +% {0}", distance).str();
  }
  StringRef data() const {
    return direction == Direction::Receive ? "p.payload" : "data";
  }
  StringRef give() const { return "return FAIL"; }

  const Plan &plan;
  std::string name;
  Direction direction;
  std::string budget;
  Program program;
  Writer out;
};

} // namespace

std::string spinc::ddt::contextName(StringRef name) {
  std::string made;
  bool upper = true;
  for (char c : name) {
    if (!isAlnum(c)) {
      upper = true;
      continue;
    }
    made += upper ? toUpper(c) : c;
    upper = false;
  }
  if (made.empty() || isDigit(made[0]))
    made.insert(0, "Ddt");
  return made;
}

/// How many runs a stretch of `length` bytes of the list can touch, as
/// `length / divisor + more`; the list may be one of several in a row.
static std::pair<int64_t, int64_t> piecesOf(const Part &part) {
  if (part.starts.empty())
    return {part.run, 2};
  int64_t n = static_cast<int64_t>(part.places.size());
  int64_t total = part.starts.back();
  auto startOf = [&](int64_t i) { return part.starts[i % n] + i / n * total; };
  int64_t rounds = part.levels.empty() ? 1 : 2;
  std::pair<int64_t, int64_t> best{part.shortest, 3};
  auto most = [](std::pair<int64_t, int64_t> pieces) {
    return 2048 / pieces.first + pieces.second;
  };
  for (int64_t divisor = std::max<int64_t>(total / n, 1);
       divisor > part.shortest; divisor = divisor * 3 / 4) {
    int64_t extra = 0, highest = INT64_MIN;
    for (int64_t i = 0; i <= rounds * n; ++i) {
      int64_t level = i * divisor - startOf(i);
      if (highest != INT64_MIN)
        extra = std::max(extra, level - highest < 0 ? 0 : level - highest);
      highest = highest == INT64_MIN ? level : std::min(highest, level);
    }
    std::pair<int64_t, int64_t> pieces{divisor,
                                       (extra + divisor - 1) / divisor + 3};
    if (most(pieces) < most(best))
      best = pieces;
  }
  return best;
}

/// The bound of the loop over the pieces of a part.
static std::string roundsOf(const Part &part) {
  auto [divisor, more] = piecesOf(part);
  return divisor == 1 ? "MTU"
                      : formatv("length / {0} + {1}", divisor, more).str();
}

void Generator::addTable(const Twine &table, unsigned bytes,
                         ArrayRef<int64_t> values) {
  program.tables.push_back({table.str(), bytes, values.vec(), true});
}

void Generator::writeState() {
  program.largestStart = UINT32_MAX - plan.span;
  for (size_t i = 0; i < plan.parts.size(); ++i) {
    const Part &part = plan.parts[i];
    if (part.places.empty())
      continue;
    addTable("places" + Twine(i), 4, part.places);
    if (part.starts.empty())
      continue;
    addTable("starts" + Twine(i), 4, part.starts);
    addTable("grains" + Twine(i), 4, part.grains);
  }
  out.open("state {{");
  out.line("// Where the lowest byte of the layout lies in dst.");
  out.line("param u32 start where start <= {0};", program.largestStart);
  for (const Table &table : program.tables)
    out.line("param u{0} {1}[{2}];", table.bytesEach * 8, table.name,
             table.values.size());
  if (direction == Direction::Send)
    out.line("process asker;");
  out.close();
}

/// `digit[i]` for all levels but the outermost, and the place as `row`. They
/// are in local memory, which the optimiser turns into registers, so that the
/// prover does not follow them: nothing rests on their values.
/// `first` counts elements of the innermost level.
void Generator::writeDigits(const Part &part, StringRef first) {
  size_t n = part.levels.size();
  if (n > 1)
    out.line("local u32 digit[{0}];", n);
  std::string rest = first.str();
  std::string sum = std::to_string(part.place);
  for (size_t i = n; i-- > 0;) {
    const Level &level = part.levels[i];
    std::string digit = rest;
    if (i != 0) {
      digit = formatv("digit[{0}]", i);
      out.line("{0} = {1} % {2};", digit, rest, level.count);
      rest = formatv("{0} / {1}", rest, level.count);
    }
    std::string factor = i == 0 && n > 1 ? "(" + digit + ")" : digit;
    sum += level.stride < 0
               ? formatv(" -% {0} *% {1}", factor, -level.stride).str()
               : formatv(" +% {0} *% {1}", factor, level.stride).str();
  }
  out.line("u32 row = {0};", sum);
}

/// To the next element of the innermost level, of which `variable` is the
/// place; carries into the outer levels. `moved` bytes of its run are done
/// already, if it is not empty.
void Generator::writeStep(const Part &part, StringRef moved,
                          StringRef variable) {
  size_t n = part.levels.size();
  unsigned opened = 0;
  for (size_t i = n; i-- > 0;) {
    int64_t back =
        i + 1 == n ? 0 : part.levels[i + 1].count * part.levels[i + 1].stride;
    int64_t distance = part.levels[i].stride - back;
    if (i + 1 == n && !moved.empty())
      out.line("{0} = {0} +% {1}{2};", variable, moved,
               plus(distance - part.run));
    else
      out.line("{0} = {0}{1};", variable, plus(distance));
    if (i == 0)
      break;
    out.line("digit[{0}] = digit[{0}] +% 1;", i);
    out.open("if (digit[{0}] == {1}) {{", i, part.levels[i].count);
    out.line("digit[{0}] = 0;", i);
    ++opened;
  }
  while (opened-- > 0)
    out.close();
}

/// `take` bytes between `at` in the packet and `where` in the layout.
void Generator::writeCommand() {
  out.line("require (take <= {0} && place <= {0} - take) else {1};", plan.span,
           give());
  const char *host = "dst[state.start + place ..+ take]";
  if (direction == Direction::Receive)
    out.line("async dma_to_host({0}, bytes[at ..+ take]);", host);
  else
    out.line("dma_from_host(bytes[at ..+ take], {0});", host);
  out.line("at += take;");
}

void Generator::writeRun(const Part &part) {
  out.open("if (at < stop) {{");
  out.line("let take = stop - at;");
  out.line("let place = {0} +% from;", part.place);
  writeCommand();
  out.close();
}

void Generator::writeRows(const Part &part) {
  out.line("let run = from / {0};", part.run);
  out.line("let skip = from % {0};", part.run);
  writeDigits(part, "run");
  out.line("u32 place = row +% skip;");
  out.line("u32 room = {0} - skip;", part.run);
  out.open("while (at < stop) bound({0}) {{", roundsOf(part));
  out.line("let take = smaller(room, stop - at);");
  writeCommand();
  writeStep(part, "room", "place");
  out.line("room = {0};", part.run);
  out.close();
}

/// The rest of a turn of a loop over a list: `take` bytes of its run `entry`
/// from `skip` on, and to the next run.
void Generator::writeEntry(size_t number, const Part &part) {
  bool rows = !part.levels.empty();
  out.line("let place = {0} +% state.places{1}[entry] +% skip;",
           rows ? "row" : std::to_string(part.place), number);
  writeCommand();
  out.line("skip = 0;");
  out.line("entry = entry +% 1;");
  if (!rows)
    return;
  out.open("if (entry == {0}) {{", part.places.size());
  out.line("entry = 0;");
  writeStep(part, "", "row");
  out.close();
}

void Generator::writeList(size_t number, const Part &part) {
  bool rows = !part.levels.empty();
  size_t n = part.places.size();
  out.line("let run = from / {0};", part.run);
  out.line("u32 skip = from % {0};", part.run);
  if (rows) {
    out.line("u32 entry = run % {0};", n);
    out.line("let cycle = run / {0};", n);
    writeDigits(part, "cycle");
  } else {
    out.line("u32 entry = run;");
  }
  out.open("while (at < stop) bound({0}) {{", roundsOf(part));
  out.line("require (entry < {0} && skip < {1}) else {2};", n, part.run,
           give());
  out.line("let take = smaller({0} - skip, stop - at);", part.run);
  writeEntry(number, part);
  out.close();
}

/// `entry`: the run of the list that holds byte `inner`.
void Generator::writeSearch(size_t number, const Part &part) {
  int64_t widest = 1;
  for (size_t i = 1; i < part.grains.size(); ++i)
    widest = std::max(widest, part.grains[i] - part.grains[i - 1] + 1);
  size_t n = part.places.size();
  out.line("let grain = inner / {0};", part.grain);
  out.line("require (grain < {0}) else {1};", part.grains.size() - 1, give());
  out.line("u32 entry = state.grains{0}[grain];", number);
  out.line("u32 high = state.grains{0}[grain + 1];", number);
  out.open("while (entry < high) bound({0}) {{",
           Log2_64_Ceil(static_cast<uint64_t>(widest)) + 1);
  out.line("let middle = high - (high - entry) / 2;");
  out.line("require (middle < {0}) else {1};", n, give());
  out.open("if (state.starts{0}[middle] <= inner) {{", number);
  out.line("entry = middle;");
  out.elseOpen();
  out.line("high = middle - 1;");
  out.close();
  out.close();
  out.line("require (entry < {0}) else {1};", n, give());
}

void Generator::writeLengths(size_t number, const Part &part) {
  bool rows = !part.levels.empty();
  size_t n = part.places.size();
  if (rows) {
    out.line("let inner = from % {0};", part.listBytes());
    out.line("let cycle = from / {0};", part.listBytes());
    writeDigits(part, "cycle");
  } else {
    out.line("let inner = from;");
  }
  writeSearch(number, part);
  out.line("u32 skip = inner -% state.starts{0}[entry];", number);
  out.open("while (at < stop) bound({0}) {{", roundsOf(part));
  out.line("require (entry < {0}) else {1};", n, give());
  out.line("let begin = state.starts{0}[entry] +% skip;", number);
  out.line("let take = smaller(state.starts{0}[entry + 1] -% begin, "
           "stop - at);",
           number);
  out.line("require (take != 0) else {0};", give());
  writeEntry(number, part);
  out.close();
}

static std::string describePart(const Part &part) {
  std::string text;
  for (const Level &level : part.levels)
    text += formatv("{0} rows {1} bytes apart of ", level.count, level.stride);
  if (part.places.empty())
    text += formatv("{0} bytes", part.run);
  else if (part.starts.empty())
    text += formatv("{0} runs of {1} bytes", part.places.size(), part.run);
  else
    text += formatv("{0} runs of {1} to {2} bytes", part.places.size(),
                    part.shortest, part.run);
  return text;
}

void Generator::writePart(size_t number, const Part &part) {
  int64_t end = part.begin + part.bytes;
  bool only = plan.parts.size() == 1;
  out.line("// Bytes {0} to {1}: {2}.", part.begin, end - 1,
           describePart(part));
  if (only)
    out.open("if (length != 0) {{");
  else if (part.begin == 0)
    out.open("if (first < {0} && length != 0) {{", end);
  else
    out.open("if (first < {0} && {1} < end) {{", end, part.begin);
  if (only) {
    out.line("let from = first;");
    out.line("u32 at = 0;");
    out.line("let stop = length;");
  } else {
    // Read back from local memory these are numbers like any other to the
    // prover, and the guard is all that it knows; the optimiser drops both.
    out.line("cut[0] = first -| {0};", part.begin);
    out.line("cut[1] = {0} -| first;", part.begin);
    out.line("cut[2] = smaller(length, {0} - first);", end);
    out.line("let from = cut[0];");
    out.line("u32 at = cut[1];");
    out.line("let stop = cut[2];");
    out.line("require (stop <= length) else {0};", give());
  }
  out.line("let bytes = {0}[0 ..< stop];", data());
  if (!part.starts.empty())
    writeLengths(number, part);
  else if (!part.places.empty())
    writeList(number, part);
  else if (part.levels.empty())
    writeRun(part);
  else
    writeRows(part);
  out.close();
}

void Generator::writeParts() {
  if (plan.parts.size() > 1) {
    out.line("let end = first + length;");
    out.line("local u32 cut[3];");
  }
  for (size_t i = 0; i < plan.parts.size(); ++i)
    writePart(i, plan.parts[i]);
}

void Generator::writeReceive() {
  out.open("handler payload(packet p){0} {{", budget);
  out.line("require (p.offset + p.length <= {0}) else return DROP;",
           plan.bytes);
  if (!plan.parts.empty()) {
    out.line("let length = p.length;");
    out.line("let first = p.offset as u32;");
    writeParts();
  }
  out.line("return SUCCESS;");
  out.close();
}

/// Each packet of the message that arrives asks for one packet to be sent: the
/// place in the stream and the length, as two numbers of 32 bits.
void Generator::writeSend() {
  out.open("handler header(message m) {{");
  out.line("state.asker = m.source;");
  out.line("return PROCESS_DATA;");
  out.close();
  out.line("");
  out.open("handler payload(packet p){0} {{", budget);
  out.line("require (p.length >= 8) else return DROP;");
  out.line("let asked = p.payload[0 ..< 8] as le32[];");
  out.line("let first = asked[0];");
  out.line("let length = asked[1];");
  out.line("require (length <= {0} && first + length <= {1}) else return DROP;",
           largestSend, plan.bytes);
  out.line("local u8 data[{0}];", largestSend);
  writeParts();
  out.line("let sent = async put(data[0 ..< length], to: state.asker, match: "
           "0, hdr_data: first);");
  out.line("wait(sent);");
  out.line("return SUCCESS;");
  out.close();
}

Program Generator::make() {
  program.context = contextName(name);
  out.line("// Made by spinc-ddt from '{0}': {1} bytes in {2} runs, {3} bytes "
           "from the lowest to",
           name, plan.bytes, plan.runs, plan.span);
  out.line(
      "// the highest. The host gives `start` and the tables; --emit=stubs "
      "has both.");
  out.line("import ddt;");
  out.line("");
  out.open("context {0} {{", program.context);
  writeState();
  out.line("host dst;");
  out.line("contract dst.size >= state.start + {0};", plan.span);
  out.line("");
  if (direction == Direction::Receive)
    writeReceive();
  else
    writeSend();
  out.close();
  program.source = out.text;
  return program;
}

Program spinc::ddt::makeProgram(const Plan &plan, StringRef name,
                                Direction direction, StringRef budget) {
  return Generator(plan, name, direction, budget).make();
}
