// Layouts as programs, and a run of the interpreter to take checkpoints and to
// count steps.
#include "compiler/Ddt/General/Tables.h"

#include "compiler/Ddt/Plan/Plan.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace llvm;
using namespace spinc::ddt;

namespace {

/// Steps on the way to a byte, where runs of one length and rounds of rows
/// before it are passed at once: at most `all` from the beginning of a part of
/// the layout to a byte in it or behind it, `rest` from a place within.
struct Walk {
  int64_t all = 0, rest = 0;

  /// The part `next` follows.
  Walk &operator+=(const Walk &next) {
    rest = std::max(rest + next.all, next.rest);
    all += next.all;
    return *this;
  }
};

class Assembler {
public:
  Assembler(GeneralTables &tables) : tables(tables) {}

  Walk add(const Layout &layout, unsigned depth) {
    deepest = std::max(deepest, depth);
    switch (layout.kind) {
    case LayoutKind::Run:
      return rows(1, layout.length, 0);
    case LayoutKind::Repeat:
      if (layout.child->kind == LayoutKind::Run)
        return rows(layout.count, layout.child->length, layout.stride);
      return loop(layout, depth);
    case LayoutKind::List: {
      if (layout.child->kind != LayoutKind::Run)
        return loop(layout, depth);
      op(Op::List, layout.places.size(), layout.child->length, lists());
      for (int64_t place : layout.places)
        list(place);
      return {2, 2};
    }
    case LayoutKind::RunsList: {
      op(Op::Runs, layout.places.size(), 0, lists());
      for (size_t i = 0; i < layout.places.size(); ++i) {
        list(layout.places[i]);
        list(layout.lengths[i]);
      }
      int64_t steps = static_cast<int64_t>(layout.places.size()) + 1;
      return {steps, steps};
    }
    case LayoutKind::Sequence: {
      Walk walk;
      for (const Placed &part : layout.parts) {
        walk += move(part.place);
        walk += add(*part.layout, depth);
        walk += move(-part.place);
      }
      return walk;
    }
    }
    return {};
  }

  Walk move(int64_t distance) {
    // Two moves in a row are one.
    size_t n = tables.program.size();
    if (n >= wordsPerOp &&
        tables.program[n - wordsPerOp] == uint32_t(Op::Move)) {
      distance += int32_t(tables.program[n - 2]);
      tables.program.resize(n - wordsPerOp);
    }
    if (distance != 0)
      op(Op::Move, 0, distance, 0);
    return {1, 1};
  }

  void op(Op kind, int64_t a, int64_t b, int64_t c) {
    for (int64_t word : {int64_t(kind), a, b, c})
      tables.program.push_back(static_cast<uint32_t>(word));
  }

  unsigned deepest = 0;

private:
  Walk rows(int64_t count, int64_t length, int64_t stride) {
    op(Op::Rows, count, length, stride);
    return {2, 2};
  }

  Walk loop(const Layout &layout, unsigned depth) {
    bool rows = layout.kind == LayoutKind::Repeat;
    int64_t count = rows ? layout.count : int64_t(layout.places.size());
    if (rows)
      op(Op::Loop, count, layout.child->bytes, layout.stride);
    else
      op(Op::Loop, lists(), 0, 0);
    int64_t first = lists();
    if (!rows)
      for (int64_t i = 0; i < count; ++i)
        list(i + 1 == count ? -layout.places.back()
                            : layout.places[i + 1] - layout.places[i]);
    // What the loop begins with stays: a jump leads to it.
    int64_t begin = static_cast<int64_t>(tables.program.size());
    Walk round;
    if (layout.child->kind == LayoutKind::Sequence) {
      op(Op::Move, 0, 0, 0);
      round += {1, 1};
    }
    round += add(*layout.child, depth + 1);
    round += {1, 1}; // the end of the round
    if (rows)
      op(Op::End, begin, layout.stride, count * layout.stride);
    else
      op(Op::EndList, begin, first + count, 0);
    // The round it is in, and of those after it one of rows, each of a list.
    int64_t after = rows ? 1 : count - 1;
    return {1 + (rows ? 1 : count) * round.all,
            1 + round.rest + after * round.all};
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

/// The divisor that is best for 2 KiB; `reach` of it is the most steps to the
/// packet's first byte.
static StepBound boundSteps(const GeneralTables &tables,
                            ArrayRef<uint32_t> starts,
                            function_ref<int64_t(int64_t divisor)> reach) {
  int64_t steps = static_cast<int64_t>(starts.size());
  int64_t average =
      std::max<int64_t>(tables.bytes / std::max<int64_t>(steps, 1), 1);
  StepBound bound;
  int64_t best = INT64_MAX;
  for (int64_t divisor : {average, std::max<int64_t>(average * 3 / 4, 1),
                          std::max<int64_t>(average / 2, 1),
                          std::max<int64_t>(average / 4, 1), int64_t(1)}) {
    // Up to the first byte, the packet, and what ends before and behind it.
    int64_t more = reach(divisor) + extraSteps(starts, divisor) + 4;
    if (more + 2048 / divisor < best) {
      best = more + 2048 / divisor;
      bound = {divisor, more};
    }
  }
  return bound;
}

/// Where each step of the interpreter begins in the stream, at most `most`.
static std::vector<uint32_t> startsOfSteps(const GeneralTables &tables,
                                           size_t most) {
  Segment segment(tables);
  std::vector<uint32_t> starts;
  while (starts.size() <= most) {
    starts.push_back(segment.stream);
    if (segment.step() < 0)
      break;
  }
  return starts;
}

/// The densest checkpoints that memory allows, down to a quarter of a packet.
static unsigned shiftOf(const GeneralTables &tables, int64_t payload,
                        const GeneralLimits &limits) {
  unsigned shift = 4;
  while ((int64_t(4) << shift) < payload ||
         (tables.bytes >> shift) * wordsPerCheckpoint > limits.checkpointWords)
    ++shift;
  return shift;
}

Expected<GeneralTables> spinc::ddt::makeTables(Placed layout, int64_t payload,
                                               const GeneralLimits &limits) {
  GeneralTables tables;
  Assembler assembler(tables);
  Walk walk;
  if (layout.layout) {
    tables.low = layout.place + layout.layout->low;
    tables.span = layout.layout->high - layout.layout->low;
    tables.bytes = layout.layout->bytes;
    if (tables.span > INT32_MAX || tables.bytes > INT32_MAX)
      return createStringError("it spans more than 2^31 bytes");
    if (layout.layout->runs > limits.steps / 4)
      return createStringError("it has too many runs for checkpoints");
    walk += assembler.move(-layout.layout->low);
    walk += assembler.add(*layout.layout, 0);
  }
  assembler.op(Op::Stop, 0, 0, 0);
  if (assembler.deepest > deepestSegment)
    return createStringError("it is nested too deeply");
  if (tables.program.size() > limits.operations * wordsPerOp)
    return createStringError("it has too many loops");
  if (int64_t(tables.lists.size()) > limits.listWords)
    return createStringError("its lists are too long");
  std::vector<uint32_t> starts = startsOfSteps(tables, limits.steps);
  if (int64_t(starts.size()) > limits.steps)
    return createStringError("it takes too many steps");
  tables.shift = shiftOf(tables, payload, limits);
  tables.reach = walk.rest;
  tables.fromAnywhereBefore =
      boundSteps(tables, starts, [&](int64_t) { return tables.reach; });
  tables.fromCheckpoint = boundSteps(tables, starts, [&](int64_t divisor) {
    return std::min(tables.reach, (int64_t(1) << tables.shift) / divisor);
  });
  takeCheckpoints(tables);
  if (tables.checkpoints.empty())
    Segment(tables).save(tables.checkpoints);
  if (tables.lists.empty())
    tables.lists.push_back(0);
  return tables;
}
