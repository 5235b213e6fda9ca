// The text of the interpreter and the values of its parameters.
#include "compiler/Ddt/General/Source.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace spinc::ddt;

// {0} capacity of lists, {1} of checkpoints, {2} name, {3} further state,
// {4} where a segment begins, {5} what is kept of it, {6} the budget.
static const char text[] =
    R"spinc(// The general handler for datatypes, {2}. The host gives the tables;
// docs/datatypes.md, "The general handler", describes them. A wrong table makes the
// handler return FAIL, it never leads out of dst.
import ddt;

context {2} {{
  state {{
    // Where the lowest byte of the layout lies in dst, and bytes to the end.
    param u32 start where start <= 64Ki;
    param u32 span where span <= 2147483647;
    param u32 bytes where bytes <= 2147483647;
    // A checkpoint every 2^shift bytes; a packet takes length / divisor + more steps.
    param u32 shift where shift <= 31;
    param u32 divisor where 1 <= divisor;
    param u32 more where more <= 16Mi;
    param u32 program[1024];
    param u32 lists[{0}];
    param u32 checkpoints[{1}];
    // Of each loop the rounds left, or the index of its next distance.
    per_hpu u32 left[6];{3}
  }
  host dst;
  contract dst.size >= state.start + state.span;

  handler payload(packet p){6} {{
    require (p.offset + p.length <= state.bytes) else return DROP;
    let length = p.length;
    let first = p.offset as u32;
{4}
    u32 at = 0;
    while (at < length) bound(length / state.divisor + state.more) {{
      require (pc <= 1020) else return FAIL;
      let kind = state.program[pc];
      let a = state.program[pc + 1];
      let b = state.program[pc + 2];
      let c = state.program[pc + 3];
      if (kind >= OP_ROWS) {{
        if (entry >= a) {{
          entry = 0;
          pc = pc + 4;
        } else if (kind != OP_RUNS && skip >= b) {{
          // Runs of one length before the packet's first byte are one step.
          let passed = whole_units(skip, b, a - entry);
          skip = skip -% passed *% b;
          entry = entry +% passed;
        } else {{
          u32 run = b;
          u32 place = entry *% c;
          if (kind != OP_ROWS) {{
            let index = c +% (kind == OP_LIST ? entry : entry *% 2);
            require (index <= {0} - 2) else return FAIL;
            place = state.lists[index];
            if (kind != OP_LIST)
              run = state.lists[index + 1];
          }
          if (skip >= run) {{
            skip = skip - run;
            entry = entry +% 1;
          } else {{
            let take = smaller(run - skip, length - at);
            place = base +% place +% skip;
            require (take <= state.span && place <= state.span - take) else return FAIL;
            async dma_to_host(dst[state.start + place ..+ take], p.payload[at ..+ take]);
            at += take;
            skip = skip +% take;
            if (skip == run) {{
              skip = 0;
              entry = entry +% 1;
            }
          }
        }
      } else if (kind == OP_MOVE) {{
        base = base +% b;
        pc = pc + 4;
      } else if (kind == OP_LOOP) {{
        require (depth < 6) else return FAIL;
        // So are rounds of rows before it, but for the last one.
        let rounds = entry == 0 ? a : state.left[depth];
        let passed = whole_units(skip, b, rounds -| 1);
        state.left[depth] = rounds -% passed;
        base = base +% passed *% c;
        skip = skip -% passed *% b;
        entry = 0;
        depth = depth + 1;
        pc = pc + 4;
      } else {{
        require (kind != OP_STOP && 1 <= depth && depth <= 6) else return FAIL;
        u32 round = state.left[depth - 1];
        bool over = false;
        if (kind == OP_END) {{
          base = base +% b;
          round = round -% 1;
          over = round == 0;
        } else {{
          require (round < {0}) else return FAIL;
          base = base +% state.lists[round];
          round = round + 1;
          over = round == b;
        }
        state.left[depth - 1] = round;
        if (over) {{
          if (kind == OP_END)
            base = base -% c;
          depth = depth - 1;
          pc = pc + 4;
        } else if (kind == OP_END && skip != 0) {{
          // Begun once more, with what is left of its rounds.
          entry = 1;
          depth = depth - 1;
          pc = a -% 4;
        } else {{
          pc = a;
        }
      }
    }{5}
    return SUCCESS;
  }
}
)spinc";

static const char fromCheckpoint[] =
    R"spinc(    // The checkpoint at or before the packet's first byte.
    let mark = (first >> state.shift) *% 11;
    require (mark <= {0} - 11) else return FAIL;
    u32 skip = first -% state.checkpoints[mark];
    u32 pc = state.checkpoints[mark + 1];
    u32 base = state.checkpoints[mark + 2];
    u32 entry = state.checkpoints[mark + 3];
    u32 depth = state.checkpoints[mark + 4];
{1})spinc";

static const char takeLoops[] = R"spinc(    for (k : 0 ..< 6)
      state.left[k] = state.checkpoints[mark + 5 + k];)spinc";

static const char takeSegment[] =
    R"spinc(    // Where this HPU stopped, if that is on the way from there.
    if (state.segment[0] <= first && state.segment[0] >= state.checkpoints[mark]) {{
      skip = first -% state.segment[0];
      pc = state.segment[1];
      base = state.segment[2];
      entry = state.segment[3];
      depth = state.segment[4];
    } else {{
      for (k : 0 ..< 6)
        state.left[k] = state.checkpoints[mark + 5 + k];
    }
    // Beyond every message: not valid until the end.
    state.segment[0] = 4294967295;)spinc";

static const char keepSegment[] = R"spinc(
    // The run in which the packet ended.
    state.segment[0] = first +% length -% skip;
    state.segment[1] = pc;
    state.segment[2] = base;
    state.segment[3] = entry;
    state.segment[4] = depth;)spinc";

static std::vector<int64_t> padded(ArrayRef<uint32_t> words, size_t capacity) {
  std::vector<int64_t> all(words.begin(), words.end());
  all.resize(capacity);
  return all;
}

static const char *contextOf(StrategyKind kind) {
  switch (kind) {
  case StrategyKind::HpuLocal:
    return "DdtHpuLocal";
  case StrategyKind::ReadWrite:
    return "DdtReadWrite";
  default:
    return "DdtReadOnly";
  }
}

Program spinc::ddt::makeGeneralProgram(const GeneralTables &tables,
                                       StrategyKind kind, StringRef budget) {
  bool keeps = kind != StrategyKind::ReadOnly;
  bool fromStart = kind == StrategyKind::HpuLocal;
  ArrayRef<uint32_t> checkpoints = tables.checkpoints;
  if (fromStart)
    checkpoints = checkpoints.take_front(wordsPerCheckpoint);
  const StepBound &steps =
      fromStart ? tables.fromAnywhereBefore : tables.fromCheckpoint;
  size_t lists = std::max<size_t>(64, PowerOf2Ceil(tables.lists.size()));
  size_t marks = std::max<size_t>(64, PowerOf2Ceil(checkpoints.size()));
  Program program;
  program.context = contextOf(kind);
  program.largestStart = 65536;
  std::string loops = formatv(keeps ? takeSegment : takeLoops);
  std::string begin = formatv(fromCheckpoint, marks, loops);
  program.source = formatv(text, lists, marks, program.context,
                           keeps ? "\n    per_hpu u32 segment[5];" : "", begin,
                           keeps ? keepSegment : "", budget);
  auto number = [&](const char *name, int64_t value) {
    program.tables.push_back({name, 4, {value}, /*isArray=*/false});
  };
  number("span", tables.span);
  number("bytes", tables.bytes);
  number("shift", fromStart ? 31 : tables.shift);
  number("divisor", steps.divisor);
  number("more", steps.more);
  program.tables.push_back({"program", 4, padded(tables.program, 1024)});
  program.tables.push_back({"lists", 4, padded(tables.lists, lists)});
  program.tables.push_back({"checkpoints", 4, padded(checkpoints, marks)});
  return program;
}
