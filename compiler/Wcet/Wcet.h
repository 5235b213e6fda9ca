// The cycle bound of each handler, computed on the final ELF: what the driver
// calls after linking and before the metadata section is written. Everything
// is taken from the machine code, its DWARF line table and the loop markers in
// section .spin.loops; only the loop bounds come from the compiler.
#ifndef SPINC_COMPILER_WCET_WCET_H
#define SPINC_COMPILER_WCET_WCET_H

#include "compiler/Wcet/SymbolicCount.h"
#include "runtime/isa/Contention.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spinc {

/// What the compiler tried in order to make a loop faster.
struct LoopAttempt {
  std::string what; ///< "unroll"
  bool done = false;
  std::string detail; ///< how, or why not
};

/// What the compiler knows of one source loop (list "loops" of .spin.meta):
/// its marker runs at most `bound` times for each run of the parent's marker,
/// or of the handler when parent is -1.
struct LoopSpec {
  int64_t id = 0;
  std::string handler;
  int64_t line = 0;
  SymbolicCount bound;
  int64_t parent = -1;
  /// Most runs of the marker that lead back to the loop's header, in one call
  /// of the function: where that is less than the bounds multiply to.
  std::optional<SymbolicCount> total;
  /// A loop that waits for a lock: `bound` is found by boundWaits().
  struct Wait {
    int64_t lock = 0; ///< its number in section .spin.locks
    /// How many others may be before it. Unset: it waits for the next in the
    /// queue to say who it is.
    std::optional<int64_t> others;
  };
  std::optional<Wait> wait;
  std::vector<LoopAttempt> attempts;
  /// While a bound is computed: what each run of the marker is cheaper, because
  /// a shared total has been charged (Sharing.h), and the cycles of the longest
  /// iteration for the report, which does not show that.
  int64_t prepaid = 0;
  std::optional<int64_t> perIteration;
};

/// Loops that share a limit: in one call of `handler`, the runs of their
/// markers, each times its weight, add up to at most `limit`.
struct SharedTotal {
  std::string handler;
  SymbolicCount limit;
  std::map<int64_t, int64_t> weights; ///< positive, by the ids of the loops
};

/// What somebody says of a loop that carries no marker (flow-fact file): each
/// time the loop is entered, its header runs at most `iterations` times, and
/// in one call of the function control returns to it at most `total` times.
/// The loop is named by its header's offset in the function or by a line.
struct HeaderFact {
  std::string function;
  std::optional<int64_t> offset;
  std::optional<int64_t> line;
  SymbolicCount iterations;
  std::optional<SymbolicCount> total;
};

/// Which handler to bound, and over which symbol values. `symbols` must name
/// every symbol of its loop bounds, except quotients "a / b" of two symbols
/// that are named.
struct HandlerSpec {
  std::string symbol;
  SymbolRanges symbols;
  /// The runtime of spinc calls it, and passes what handlers get. Anything
  /// else may be called by anybody.
  bool byRuntime = false;
};

/// What a bound counts besides the active cycles of an isolated core with a
/// warm instruction cache.
enum class FigureKind {
  Active,    ///< nothing
  Cold,      ///< each line of the code is fetched once, or each time it is
             ///< entered where the cache does not hold them all
  Occupancy, ///< waits for commands, each within the declared latency
  Contended, ///< every memory access waits for all other cores
  Elapsed,   ///< time: with waits for all others and far memory
};

struct WcetOptions {
  /// Blocks analysed per handler (calls included) before giving up.
  int64_t workLimit = 200000;
  std::vector<HeaderFact> headers;
  std::vector<SharedTotal> totals;
  /// Of a function that is bounded by itself: the registers in which it gets
  /// addresses, and of which memory.
  std::map<unsigned, isa::Region> arguments;
  /// All memory is the core's own L1: a core without a card around it.
  bool bareMemory = false;
  /// Code of another compiler: no proof says what memory its stores reach, so
  /// that nothing is concluded from what it loads.
  bool foreign = false;
  /// Fill HandlerBound::graph.
  bool graph = false;
  /// Cycles from issue to completion of any command, for the occupancy.
  int64_t commandLatency = isa::declaredCommandLatency;
};

/// Cycles of one source line on the worst path.
struct LineCost {
  std::string file;
  int64_t line = 0; ///< 0: code without a source line
  /// Cycles in one execution of the line, in the worst case.
  int64_t each = 0;
  int64_t executions = 0;
  /// Total at the worst symbol values; the sum over all lines is `worst`.
  int64_t cycles = 0;
  int64_t instructions = 0;
};

/// One loop of the machine code, for the report.
struct LoopCost {
  int64_t id = 0;
  int64_t line = 0;
  SymbolicCount bound;
  int64_t perIteration = 0; ///< cycles of the longest iteration
  /// Rounds of the source's loop in one of the machine's, and whether it is a
  /// hardware loop.
  int64_t roundsPerTurn = 1;
  bool hardware = false;
  int64_t cycles = 0; ///< all its cycles at the worst symbol values
  std::vector<LoopAttempt> attempts;
};

/// One more figure beside the active cycles.
struct Figure {
  FigureKind kind = FigureKind::Active;
  /// The maximum of these bounds it.
  std::vector<SymbolicCount> cycles;
  int64_t worst = 0;
  std::string assumption;
};

struct HandlerBound {
  std::string symbol;
  /// The maximum of these bounds the active cycles; none dominates another.
  std::vector<SymbolicCount> cycles;
  /// Worst case over all symbol values, and values that reach it.
  int64_t worst = 0;
  SymbolValues worstAt;
  /// Executed instructions and commands/waits on the worst path.
  int64_t instructions = 0;
  int64_t commands = 0;
  int64_t waits = 0;
  std::vector<std::string> assumptions;
  std::vector<LineCost> lines; ///< most cycles first
  std::vector<LoopCost> loops; ///< most cycles first
  std::vector<Figure> figures; ///< all but Active
  /// Ranges of all symbols, quotients included.
  SymbolRanges symbols;
  /// Blocks, edges and loops of the handler with their cycles, on request.
  std::optional<llvm::json::Value> graph;

  /// The counts whose maximum bounds what the figure counts.
  llvm::ArrayRef<SymbolicCount> cyclesOf(FigureKind kind) const;
  /// max over `cycles`.
  std::optional<int64_t> evaluate(const SymbolValues &values) const;
};

/// Why a handler has no bound; the driver turns it into a diagnostic.
class WcetError : public llvm::ErrorInfo<WcetError> {
public:
  static char ID;
  enum class Kind {
    BadElf,        ///< the ELF or its tables cannot be read
    UnknownCode,   ///< bytes that are no instruction of the card
    IndirectJump,  ///< jump whose target is not known
    Recursion,     ///< call cycle
    Irreducible,   ///< loop with two entries
    UnmarkedLoop,  ///< a cycle that passes no marker
    UnknownSymbol, ///< a loop bound names a symbol without a range
    TooLarge,      ///< work limit reached, or no 64-bit bound
  };
  WcetError(Kind kind, std::string message, std::string file = "",
            int64_t line = 0, std::string fix = "")
      : kind(kind), message(std::move(message)), file(std::move(file)),
        line(line), fix(std::move(fix)) {}
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

  Kind kind;
  std::string message;
  std::string file;
  int64_t line;
  /// What would help, if that is known.
  std::string fix;
};

/// Bounds the loops that wait for locks: by how many others are before the
/// handler, times the longest time that any of `handlers` takes from queueing
/// up for the lock until it has given it back. Before boundHandlers().
llvm::Error boundWaits(llvm::StringRef elf,
                       llvm::ArrayRef<HandlerSpec> handlers,
                       llvm::MutableArrayRef<LoopSpec> loops,
                       const WcetOptions &options = {});

/// Bounds each handler in turn; the first that has no bound is the error.
llvm::Expected<std::vector<HandlerBound>>
boundHandlers(llvm::StringRef elf, llvm::ArrayRef<HandlerSpec> handlers,
              llvm::ArrayRef<LoopSpec> loops, const WcetOptions &options = {});

} // namespace spinc

#endif // SPINC_COMPILER_WCET_WCET_H
