// The tables of the general handler: a layout as a program for the interpreter
// of stdlib/ddt_segment.spinc, and its state every so many bytes.
#ifndef SPINC_COMPILER_DDT_GENERAL_TABLES_H
#define SPINC_COMPILER_DDT_GENERAL_TABLES_H

#include "compiler/Ddt/Layout/Layout.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace spinc::ddt {

/// Kinds of operations; each has four words: kind, a, b, c. The same numbers
/// are in stdlib/ddt_segment.spinc.
enum class Op : uint32_t {
  Stop, ///< the end of the message
  Loop, ///< a rounds of b bytes of the stream, c bytes apart; or from lists[a]
  End,  ///< to word a, b bytes further, but c back after the last round
  EndList, ///< the same by the bytes that the list says; the list ends at b
  Move,    ///< b bytes further
  Rows,    ///< a runs of b bytes, c bytes apart
  List,    ///< a runs of b bytes, at lists[c + i]
  Runs,    ///< a runs, at lists[c + 2 i] with lists[c + 2 i + 1] bytes
};

constexpr unsigned wordsPerOp = 4;
constexpr unsigned deepestSegment = 6;
/// Words of a checkpoint: stream offset, operation, base, entry, depth, and
/// for each loop the rounds left or the place in its list.
constexpr unsigned wordsPerCheckpoint = 5 + deepestSegment;

/// A packet of n bytes takes at most n / divisor + more steps.
struct StepBound {
  int64_t divisor = 1, more = 0;
};

struct GeneralTables {
  std::vector<uint32_t> program, lists, checkpoints;
  int64_t bytes = 0, span = 0, low = 0;
  unsigned shift = 0;           ///< a checkpoint every 2^shift bytes
  int64_t reach = 0;            ///< most steps between any two places
  StepBound fromCheckpoint;     ///< if it begins at the last one before it
  StepBound fromAnywhereBefore; ///< or at any place before it
};

struct GeneralLimits {
  int64_t checkpointWords = 16384;
  int64_t listWords = 150000;
  size_t operations = 256;
};

/// `payload` is the size of packets for which the distance of checkpoints is
/// chosen.
llvm::Expected<GeneralTables> makeTables(Placed layout, int64_t payload,
                                         const GeneralLimits &limits = {});

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_GENERAL_TABLES_H
