// What the compiler says about handler costs: the text of --emit=report and
// the diagnostics of handlers that break their budget or have no bound.
#ifndef SPINC_COMPILER_WCET_REPORT_H
#define SPINC_COMPILER_WCET_REPORT_H

#include "compiler/Diagnostics/Engine.h"
#include "compiler/Wcet/Budget.h"
#include "compiler/Wcet/Checks.h"
#include <functional>

namespace spinc {

/// A handler as the report shows it.
struct HandlerReport {
  const HandlerBound *bound = nullptr;
  std::string name;       ///< "handler payload of Histogram"
  std::string budgetText; ///< as written; empty without a budget
  std::vector<BudgetClause> budget;
  int64_t headerBytes = 0;
  bool perPacket = false; ///< runs for each packet: it has a sustained rate
  const HandlerChecks *checks = nullptr; ///< null where only the code is known
  /// What limits the cycles with waits for commands.
  std::optional<SymbolicCount> occupancy;
  /// What else was compiled in order to keep the budget; empty if nothing.
  std::string tried;
};

/// What the handler sustains with all HPUs; nothing if it does not run for
/// each packet.
std::vector<SustainedRate> ratesOf(const HandlerReport &handler,
                                   const LinkSpec &link);

enum class ReportFormat { Text, Json, Html };

/// The word for a figure in reports and budgets.
llvm::StringRef figureName(FigureKind kind);
std::optional<FigureKind> figureNamed(llvm::StringRef name);

/// Text of a source line, empty if the file is not at hand.
using SourceText =
    std::function<std::string(llvm::StringRef file, int64_t line)>;

void printReport(llvm::raw_ostream &out, const HandlerReport &handler,
                 const LinkSpec &link, const SourceText &source);

/// The table of the worst path (bud-9): cycles, executions, cycles each, line,
/// text. At most `limit` rows; the rest is summed up in one.
std::vector<std::string> lineTable(const HandlerBound &bound, size_t limit,
                                   const SourceText &source);

/// What was tried to make the loop faster: "unroll: 4 iterations per turn;
/// hardware loop not done: …".
std::string attemptsText(const LoopCost &loop);

/// How the bound breaks the budget, if it does for some values; `holds` becomes
/// false then. Also if that cannot be decided, which is reported at `where`.
std::optional<BudgetViolation>
findViolation(DiagnosticEngine &engine, SourceRange where,
              const HandlerBound &bound, llvm::ArrayRef<BudgetClause> budget,
              bool &holds);

/// Checks the budget and reports [E0510] at `where` if it does not hold for
/// all values. True if it holds.
bool enforceBudget(DiagnosticEngine &engine, SourceRange where,
                   const HandlerReport &handler, const LinkSpec &link,
                   const SourceText &source);

/// Reports why a handler has no bound, at the source line that the error
/// names or else at `where`.
void reportNoBound(DiagnosticEngine &engine, SourceRange where,
                   const SourceFile *file, llvm::Error error);

} // namespace spinc

#endif // SPINC_COMPILER_WCET_REPORT_H
