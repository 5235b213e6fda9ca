// What the last stages have to know of each handler, gathered while the
// program is still in the spin dialect: loop bounds, budgets, and the ranges of
// the quantities in them.
#ifndef SPINC_COMPILER_BACKEND_PROGRAMFACTS_H
#define SPINC_COMPILER_BACKEND_PROGRAMFACTS_H

#include "compiler/Sema/Info.h"
#include "compiler/Wcet/Budget.h"
#include "compiler/Wcet/Checks.h"
#include "mlir/IR/Location.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace spinc::backend {

/// The card as the command line describes it.
struct CardOptions {
  LinkSpec link;
  /// Every payload handler has to keep up with the line rate.
  bool lineRateForAll = false;
};

struct HandlerFacts {
  const sema::ContextInfo *context = nullptr;
  const sema::HandlerInfo *handler = nullptr;
  /// As written, with "line_rate" added where the command line asks for it;
  /// empty for none.
  std::string budgetText;
  /// Each limits the active cycles.
  std::vector<BudgetClause> budgets;
  /// What limits the cycles with waits for commands, if anything does.
  std::optional<SymbolicCount> occupancy;
  SymbolRanges symbols;
  HandlerChecks checks;
  /// The commands it issues are at most the maximum of these; none if that is
  /// not known.
  std::optional<std::vector<SymbolicCount>> commands;
  std::optional<SymbolicCount> commandBudget;
};

/// A function that is compiled by itself, in one context.
struct FunctionFacts {
  std::string context, name, symbol;
  mlir::Location place;
  std::string budgetText;
  std::optional<BudgetClause> budget;
  HandlerChecks checks;
  /// The registers in which it gets addresses, and of which memory.
  std::map<unsigned, isa::Region> arguments;
};

struct ProgramFacts {
  std::vector<HandlerFacts> handlers;
  /// Those that are called.
  std::vector<FunctionFacts> functions;
  std::vector<LoopSpec> loops;
  std::vector<SharedTotal> totals;
};

/// `module` is optimised (it has the attribute `spin.loops`) and not yet
/// lowered; `program` is what it was made from.
ProgramFacts collectFacts(mlir::ModuleOp module,
                          const sema::ProgramInfo &program,
                          const CardOptions &card);

/// Gives the handlers of `module` the bounds of their machine code.
void attachBounds(mlir::ModuleOp module, llvm::ArrayRef<HandlerBound> bounds);

/// Values of p.length and of the parameters of a context. From the `where`
/// conditions only comparisons of a parameter with a constant or another
/// parameter are used; the ranges may be too large, never too small.
SymbolRanges quantityRanges(const sema::ContextInfo &context);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_PROGRAMFACTS_H
