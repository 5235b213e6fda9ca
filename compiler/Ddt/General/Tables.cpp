// Layouts as programs, and a run of the interpreter to take checkpoints and to
// count steps.
#include "compiler/Ddt/General/Tables.h"

#include "compiler/Ddt/Plan/Plan.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace llvm;
using namespace spinc::ddt;

namespace {

class Assembler {
public:
  Assembler(GeneralTables &tables) : tables(tables) {}

  void add(const Layout &layout, unsigned depth) {
    deepest = std::max(deepest, depth);
    switch (layout.kind) {
    case LayoutKind::Run:
      return op(Op::Rows, 1, layout.length, 0);
    case LayoutKind::Repeat:
      if (layout.child->kind == LayoutKind::Run)
        return op(Op::Rows, layout.count, layout.child->length, layout.stride);
      return loop(layout, depth);
    case LayoutKind::List:
      if (layout.child->kind == LayoutKind::Run) {
        op(Op::List, layout.places.size(), layout.child->length, lists());
        for (int64_t place : layout.places)
          list(place);
        return;
      }
      return loop(layout, depth);
    case LayoutKind::RunsList:
      op(Op::Runs, layout.places.size(), 0, lists());
      for (size_t i = 0; i < layout.places.size(); ++i) {
        list(layout.places[i]);
        list(layout.lengths[i]);
      }
      return;
    case LayoutKind::Sequence:
      for (const Placed &part : layout.parts) {
        move(part.place);
        add(*part.layout, depth);
        move(-part.place);
      }
      return;
    }
  }

  void move(int64_t distance) {
    // Two moves in a row are one.
    size_t n = tables.program.size();
    if (n >= wordsPerOp &&
        tables.program[n - wordsPerOp] == uint32_t(Op::Move)) {
      distance += int32_t(tables.program[n - 2]);
      tables.program.resize(n - wordsPerOp);
    }
    if (distance != 0)
      op(Op::Move, 0, distance, 0);
  }

  void op(Op kind, int64_t a, int64_t b, int64_t c) {
    for (int64_t word : {int64_t(kind), a, b, c})
      tables.program.push_back(static_cast<uint32_t>(word));
  }

  unsigned deepest = 0;

private:
  void loop(const Layout &layout, unsigned depth) {
    bool rows = layout.kind == LayoutKind::Repeat;
    int64_t count = rows ? layout.count : int64_t(layout.places.size());
    op(Op::Loop, rows ? count : lists(), 0, 0);
    int64_t first = lists();
    if (!rows)
      for (int64_t i = 0; i < count; ++i)
        list(i + 1 == count ? -layout.places.back()
                            : layout.places[i + 1] - layout.places[i]);
    // What the loop begins with stays: a jump leads to it.
    int64_t begin = static_cast<int64_t>(tables.program.size());
    if (layout.child->kind == LayoutKind::Sequence)
      op(Op::Move, 0, 0, 0);
    add(*layout.child, depth + 1);
    if (rows)
      return op(Op::End, begin, layout.stride, layout.count * layout.stride);
    op(Op::EndList, begin, first + count, 0);
  }

  void list(int64_t word) {
    tables.lists.push_back(static_cast<uint32_t>(word));
  }
  int64_t lists() const { return static_cast<int64_t>(tables.lists.size()); }

  GeneralTables &tables;
};

/// The interpreter of the card, without commands.
class Segment {
public:
  explicit Segment(const GeneralTables &tables) : tables(&tables) {}

  uint32_t stream = 0, pc = 0, base = 0, entry = 0, depth = 0;
  uint32_t left[deepestSegment] = {};

  /// One step; bytes of the run that it went over, -1 at the end.
  int64_t step() {
    const uint32_t *op = &tables->program[pc];
    switch (static_cast<Op>(op[0])) {
    case Op::Stop:
      return -1;
    case Op::Loop:
      left[depth++] = op[1];
      break;
    case Op::End:
      base += op[2];
      if (--left[depth - 1] != 0) {
        pc = op[1];
        return 0;
      }
      base -= op[3];
      --depth;
      break;
    case Op::EndList: {
      uint32_t &round = left[depth - 1];
      base += tables->lists[round];
      if (++round != op[2]) {
        pc = op[1];
        return 0;
      }
      --depth;
      break;
    }
    case Op::Move:
      base += op[2];
      break;
    case Op::Rows:
    case Op::List:
    case Op::Runs:
      if (entry < op[1]) {
        uint32_t length = static_cast<Op>(op[0]) == Op::Runs
                              ? tables->lists[op[3] + 2 * entry + 1]
                              : op[2];
        ++entry;
        stream += length;
        return length;
      }
      entry = 0;
      break;
    }
    pc += wordsPerOp;
    return 0;
  }

  void save(std::vector<uint32_t> &words) const {
    words.insert(words.end(), {stream, pc, base, entry, depth});
    words.insert(words.end(), left, left + deepestSegment);
  }

private:
  const GeneralTables *tables;
};

} // namespace

/// The largest number of steps between two places of the stream, less what
/// `divisor` bytes each explain; `starts` says where each step begins.
static int64_t extraSteps(ArrayRef<uint32_t> starts, int64_t divisor) {
  int64_t extra = 0, lowest = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    int64_t level = static_cast<int64_t>(i) * divisor - starts[i];
    if (i == 0)
      lowest = level;
    lowest = std::min(lowest, level);
    extra = std::max(extra, level - lowest);
  }
  return extra / divisor + 1;
}

static void takeCheckpoints(GeneralTables &tables) {
  Segment segment(tables), before = segment;
  int64_t next = 0;
  while (next < tables.bytes) {
    before = segment;
    int64_t length = segment.step();
    if (length < 0)
      return;
    // The run that holds the next place begins at the state before it.
    while (length > 0 && next < int64_t(segment.stream) &&
           next < tables.bytes) {
      before.save(tables.checkpoints);
      next += int64_t(1) << tables.shift;
    }
  }
}

/// Bounds on the steps of a packet, for the divisor that is best for 2 KiB.
static void boundSteps(GeneralTables &tables, ArrayRef<uint32_t> starts,
                       bool whole) {
  int64_t steps = static_cast<int64_t>(starts.size());
  int64_t average =
      std::max<int64_t>(tables.bytes / std::max<int64_t>(steps, 1), 1);
  int64_t best = INT64_MAX;
  for (int64_t divisor : {average, std::max<int64_t>(average * 3 / 4, 1),
                          std::max<int64_t>(average / 2, 1),
                          std::max<int64_t>(average / 4, 1), int64_t(1)}) {
    int64_t window = int64_t(1) << tables.shift;
    // Up to the first byte, the packet, and what ends before and behind it.
    int64_t more = extraSteps(starts, divisor) + window / divisor + 4;
    if (whole)
      more = steps + 4;
    if (more + 2048 / divisor < best) {
      best = more + 2048 / divisor;
      tables.divisor = divisor;
      tables.more = more;
    }
  }
}

Expected<GeneralTables> spinc::ddt::makeTables(Placed layout, int64_t payload,
                                               bool whole,
                                               const GeneralLimits &limits) {
  GeneralTables tables;
  Assembler assembler(tables);
  if (layout.layout) {
    tables.low = layout.place + layout.layout->low;
    tables.span = layout.layout->high - layout.layout->low;
    tables.bytes = layout.layout->bytes;
    if (tables.span > INT32_MAX || tables.bytes > INT32_MAX)
      return createStringError("it spans more than 2^31 bytes");
    if (layout.layout->runs > limits.steps / 4)
      return createStringError("it has too many runs for checkpoints");
    assembler.move(-layout.layout->low);
    assembler.add(*layout.layout, 0);
  }
  assembler.op(Op::Stop, 0, 0, 0);
  if (assembler.deepest > deepestSegment)
    return createStringError("it is nested too deeply");
  if (tables.program.size() > limits.operations * wordsPerOp)
    return createStringError("it has too many loops");
  if (int64_t(tables.lists.size()) > limits.listWords)
    return createStringError("its lists are too long");
  // The densest checkpoints that memory allows, down to a quarter of a packet.
  tables.shift = 4;
  while ((int64_t(4) << tables.shift) < payload ||
         (tables.bytes >> tables.shift) * wordsPerCheckpoint >
             limits.checkpointWords)
    ++tables.shift;
  if (whole)
    tables.shift = 31;
  Segment segment(tables);
  std::vector<uint32_t> starts;
  while (int64_t(starts.size()) <= limits.steps) {
    starts.push_back(segment.stream);
    if (segment.step() < 0)
      break;
  }
  if (int64_t(starts.size()) > limits.steps)
    return createStringError("it takes too many steps");
  boundSteps(tables, starts, whole);
  takeCheckpoints(tables);
  if (tables.checkpoints.empty())
    Segment(tables).save(tables.checkpoints);
  if (tables.lists.empty())
    tables.lists.push_back(0);
  return tables;
}
