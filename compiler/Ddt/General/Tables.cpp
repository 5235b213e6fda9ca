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
      if (layout.child->kind != LayoutKind::Run)
        return loop(layout, depth);
      op(Op::List, layout.places.size(), layout.child->length, lists());
      for (int64_t place : layout.places)
        list(place);
      return;
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
    if (layout.child->kind == LayoutKind::Sequence)
      op(Op::Move, 0, 0, 0);
    add(*layout.child, depth + 1);
    if (rows)
      return op(Op::End, begin, layout.stride, count * layout.stride);
    op(Op::EndList, begin, first + count, 0);
  }

  void list(int64_t word) {
    tables.lists.push_back(static_cast<uint32_t>(word));
  }
  int64_t lists() const { return static_cast<int64_t>(tables.lists.size()); }

  GeneralTables &tables;
};

/// The interpreter of the card on its way to a byte.
class Segment {
public:
  explicit Segment(const GeneralTables &tables) : tables(&tables) {}

  /// To the run that holds byte `first`, which is not before the own run.
  void advance(uint32_t first) {
    uint32_t skip = first - stream;
    while (!isInRun(skip)) {
    }
    stream = first - skip;
  }

  void save(std::vector<uint32_t> &words) const {
    words.insert(words.end(), {stream, pc, base, entry, depth});
    words.insert(words.end(), left, left + deepestSegment);
  }

private:
  /// One step, which goes over bytes that it takes off `skip`; true if there
  /// is none because they end in the own run.
  bool isInRun(uint32_t &skip) {
    auto [kind, a, b, c] = opAt(pc);
    switch (kind) {
    case Op::Stop:
      return true;
    case Op::Move:
      base += b;
      break;
    case Op::Loop:
      left[depth++] = a;
      if (b != 0)
        pass(skip, b, c);
      break;
    case Op::End:
      base += b;
      if (--left[depth - 1] != 0) {
        pass(skip, opAt(a - wordsPerOp).b, b);
        pc = a;
        return false;
      }
      base -= c;
      --depth;
      break;
    case Op::EndList: {
      uint32_t &round = left[depth - 1];
      base += tables->lists[round];
      if (++round != b) {
        pc = a;
        return false;
      }
      --depth;
      break;
    }
    case Op::Rows:
    case Op::List:
    case Op::Runs:
      if (entry < a) {
        uint32_t length =
            kind == Op::Runs ? tables->lists[c + 2 * entry + 1] : b;
        if (skip < length)
          return true;
        uint32_t passed =
            kind == Op::Runs ? 1 : std::min(skip / length, a - entry);
        skip -= passed * length;
        entry += passed;
        return false;
      }
      entry = 0;
      break;
    }
    pc += wordsPerOp;
    return false;
  }

  /// Over rounds of the innermost loop, but not the last one.
  void pass(uint32_t &skip, uint32_t bytes, uint32_t distance) {
    uint32_t &rounds = left[depth - 1];
    uint32_t passed = std::min(skip / bytes, rounds - 1);
    rounds -= passed;
    base += passed * distance;
    skip -= passed * bytes;
  }

  struct Operation {
    Op kind;
    uint32_t a, b, c;
  };
  Operation opAt(uint32_t word) const {
    const uint32_t *op = &tables->program[word];
    return {static_cast<Op>(op[0]), op[1], op[2], op[3]};
  }

  const GeneralTables *tables;
  uint32_t stream = 0, pc = 0, base = 0, entry = 0, depth = 0;
  uint32_t left[deepestSegment] = {};
};

/// Steps on the way to a byte, where runs of one length and rounds of rows
/// before it are passed at once: at most `all` from the beginning of a part of
/// the program to a byte in it or behind it, `rest` from a place within.
struct Walk {
  int64_t all = 0, rest = 0;

  Walk &operator+=(const Walk &next) {
    rest = std::max(rest + next.all, next.rest);
    all += next.all;
    return *this;
  }
};

struct WalkRules {
  using Result = Walk;

  Walk step(int64_t) const { return {1, 1}; }
  Walk equalRuns(int64_t, int64_t) const { return {1, 1}; }
  /// Of rows the round it is in and, with the loop begun once more, one
  /// further on; of a list every round.
  Walk loop(const Walk &round, int64_t count, bool isList) const {
    if (isList)
      return {count * round.all, round.rest + (count - 1) * round.all};
    return {round.all, round.rest + 1 + round.all};
  }
};

/// Steps over all runs, one by one.
struct Count {
  int64_t steps = 0;
  /// Sums of the divisor less the bytes of a step: of all, and the largest of
  /// those at the beginning, at the end, in a row anywhere.
  int64_t sum = 0, first = 0, last = 0, most = 0;

  Count &operator+=(const Count &next) {
    steps += next.steps;
    most = std::max({most, next.most, last + next.first});
    first = std::max(first, sum + next.first);
    last = std::max(next.last, last + next.sum);
    sum += next.sum;
    return *this;
  }
};

struct CountRules {
  using Result = Count;
  int64_t divisor;

  Count step(int64_t bytes) const {
    int64_t sum = divisor - bytes, most = std::max<int64_t>(sum, 0);
    return {1, sum, most, most, most};
  }
  Count equalRuns(int64_t bytes, int64_t count) const {
    return loop(step(bytes), count, false);
  }
  Count loop(const Count &round, int64_t count, bool) const {
    int64_t gain = std::max<int64_t>(round.sum, 0);
    Count all = {count * round.steps, count * round.sum,
                 (count - 1) * gain + round.first,
                 (count - 1) * gain + round.last, round.most};
    if (count > 1)
      all.most =
          std::max(round.most, round.last + (count - 2) * gain + round.first);
    return all;
  }
};

/// What the rules make of the steps of the whole program.
template <typename Rules>
typename Rules::Result evaluate(const GeneralTables &tables,
                                const Rules &rules) {
  using Result = typename Rules::Result;
  struct Open {
    Result before;
    int64_t begin; ///< rounds, or the index of the first distance
  };
  SmallVector<Open, deepestSegment> open;
  Result all;
  ArrayRef<uint32_t> program = tables.program;
  for (; program[0] != uint32_t(Op::Stop);
       program = program.drop_front(wordsPerOp)) {
    const int64_t a = program[1], b = program[2], c = program[3];
    switch (static_cast<Op>(program[0])) {
    case Op::Loop:
      all += rules.step(0);
      open.push_back({all, a});
      all = {};
      continue;
    case Op::End:
    case Op::EndList: {
      bool isList = program[0] == uint32_t(Op::EndList);
      all += rules.step(0);
      Open loop = open.pop_back_val();
      loop.before +=
          rules.loop(all, isList ? b - loop.begin : loop.begin, isList);
      all = loop.before;
      continue;
    }
    case Op::Rows:
    case Op::List:
      all += rules.equalRuns(b, a);
      break;
    case Op::Runs:
      for (int64_t i = 0; i < a; ++i)
        all += rules.step(tables.lists[c + 2 * i + 1]);
      break;
    default:
      break;
    }
    all += rules.step(0);
  }
  return all;
}

} // namespace

static void takeCheckpoints(GeneralTables &tables) {
  Segment segment(tables);
  for (int64_t at = 0; at < tables.bytes; at += int64_t(1) << tables.shift) {
    segment.advance(static_cast<uint32_t>(at));
    segment.save(tables.checkpoints);
  }
}

/// Sets reach and bounds, with the divisors that are best for 2 KiB.
static void boundSteps(GeneralTables &tables) {
  tables.reach = evaluate(tables, WalkRules()).rest;
  Count count = evaluate(tables, CountRules{1});
  int64_t average =
      std::max<int64_t>(tables.bytes / std::max<int64_t>(count.steps, 1), 1);
  auto atTwoKiB = [](const StepBound &bound) {
    return bound.more + 2048 / bound.divisor;
  };
  auto offer = [&](StepBound &best, int64_t divisor, int64_t reach) {
    // Up to the first byte, the packet, and what ends before and behind it.
    StepBound bound = {divisor, reach + count.most / divisor + 5};
    if (best.more == 0 || atTwoKiB(bound) < atTwoKiB(best))
      best = bound;
  };
  for (int64_t divisor :
       {int64_t(1), std::max<int64_t>(average / 2, 1), average}) {
    if (divisor != 1)
      count = evaluate(tables, CountRules{divisor});
    offer(tables.fromAnywhereBefore, divisor, tables.reach);
    offer(tables.fromCheckpoint, divisor,
          std::min(tables.reach, (int64_t(1) << tables.shift) / divisor));
  }
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
  if (layout.layout) {
    tables.low = layout.place + layout.layout->low;
    tables.span = layout.layout->high - layout.layout->low;
    tables.bytes = layout.layout->bytes;
    if (tables.span > INT32_MAX || tables.bytes > INT32_MAX)
      return createStringError("it spans more than 2^31 bytes");
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
  tables.shift = shiftOf(tables, payload, limits);
  boundSteps(tables);
  takeCheckpoints(tables);
  if (tables.checkpoints.empty())
    Segment(tables).save(tables.checkpoints);
  if (tables.lists.empty())
    tables.lists.push_back(0);
  return tables;
}
