// Counts commands: sums along a block, the larger way of a branch, and in loops
// once for each round.
#include "compiler/Backend/CommandCounts.h"

#include "compiler/Wcet/SymbolSpace.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::backend;

namespace {

/// The maximum of its members.
using Counts = std::vector<SymbolicCount>;

class CommandCounter {
public:
  CommandCounter(ArrayRef<LoopSpec> loops, const SymbolRanges &ranges)
      : loops(loops), ranges(ranges) {}

  std::optional<Counts> count(Region &region);

private:
  std::optional<Counts> count(Operation &op);
  std::optional<Counts> countLoop(Operation &op);
  std::optional<Counts> repeat(const Counts &once, const SymbolicCount &rounds);
  std::optional<SymbolicCount> roundsOf(Operation &loop) const;
  std::optional<int64_t> largest(const Counts &counts) const;

  ArrayRef<LoopSpec> loops;
  const SymbolRanges &ranges;
};

} // namespace

static bool isNothing(const Counts &counts) {
  return counts.size() == 1 && counts.front() == SymbolicCount(0);
}

static void include(Counts &counts, const SymbolicCount &count) {
  if (!llvm::is_contained(counts, count))
    counts.push_back(count);
}

static std::optional<Counts> sum(const Counts &first, const Counts &second) {
  Counts result;
  for (const SymbolicCount &a : first)
    for (const SymbolicCount &b : second) {
      std::optional<SymbolicCount> both = a.add(b);
      if (!both)
        return std::nullopt;
      include(result, *both);
    }
  return result;
}

std::optional<int64_t> CommandCounter::largest(const Counts &counts) const {
  int64_t most = 0;
  for (const SymbolicCount &count : counts) {
    std::optional<int64_t> upper = count.upperBound(ranges);
    if (!upper)
      return std::nullopt;
    most = std::max(most, *upper);
  }
  return most;
}

std::optional<Counts> CommandCounter::repeat(const Counts &once,
                                             const SymbolicCount &rounds) {
  Counts result;
  if (rounds.isConstant()) {
    for (const SymbolicCount &count : once) {
      std::optional<SymbolicCount> all = count.multiply(rounds.getConstant());
      if (!all)
        return std::nullopt;
      include(result, *all);
    }
    return result;
  }
  std::optional<int64_t> most = largest(once);
  std::optional<SymbolicCount> all =
      most ? rounds.multiply(*most) : std::nullopt;
  return all ? std::optional<Counts>({*all}) : std::nullopt;
}

/// How often the mark in the body of `loop` is passed.
std::optional<SymbolicCount> CommandCounter::roundsOf(Operation &loop) const {
  auto whileLoop = dyn_cast<scf::WhileOp>(loop);
  Block &body =
      whileLoop ? *whileLoop.getAfterBody() : loop.getRegion(0).front();
  for (auto marker : body.getOps<spin::LoopMarkerOp>())
    for (const LoopSpec &spec : loops)
      if (spec.id == static_cast<int64_t>(marker.getId()))
        return spec.bound;
  return std::nullopt;
}

/// A condition runs once more than the body, and the body of a loop with a
/// guard starts once more than its mark is passed.
std::optional<Counts> CommandCounter::countLoop(Operation &op) {
  Counts once = {SymbolicCount(0)};
  for (Region &region : op.getRegions()) {
    std::optional<Counts> inner = count(region);
    std::optional<Counts> both = inner ? sum(once, *inner) : std::nullopt;
    if (!both)
      return std::nullopt;
    once = std::move(*both);
  }
  if (isNothing(once))
    return once;
  std::optional<SymbolicCount> rounds = roundsOf(op);
  bool isExact = !llvm::isa<scf::WhileOp>(op);
  if (rounds && !isExact)
    rounds = rounds->add(SymbolicCount(1));
  return rounds ? repeat(once, *rounds) : std::nullopt;
}

std::optional<Counts> CommandCounter::count(Operation &op) {
  if (auto call = llvm::dyn_cast<spin::CallOp>(op); call && call.getIssues())
    return count(op.getParentOfType<spin::ContextOp>()
                     .lookupSymbol<spin::HandlerOp>(call.getCallee())
                     .getBody());
  if (op.getNumRegions() == 0) {
    bool isCommand = llvm::isa<spin::SpinDialect>(op.getDialect()) &&
                     llvm::any_of(op.getResultTypes(), [](mlir::Type type) {
                       return llvm::isa<spin::CommandType>(type);
                     });
    return Counts{SymbolicCount(isCommand ? 1 : 0)};
  }
  if (!llvm::isa<scf::IfOp>(op))
    return countLoop(op);
  Counts ways;
  for (Region &region : op.getRegions()) {
    std::optional<Counts> inner = count(region);
    if (!inner)
      return std::nullopt;
    for (const SymbolicCount &way : *inner)
      include(ways, way);
  }
  return ways;
}

std::optional<Counts> CommandCounter::count(Region &region) {
  // More ways than these are taken for the worst of them.
  constexpr size_t maxWays = 16;
  Counts result = {SymbolicCount(0)};
  for (Operation &op : region.getOps()) {
    std::optional<Counts> inner = count(op);
    std::optional<Counts> both = inner ? sum(result, *inner) : std::nullopt;
    if (!both)
      return std::nullopt;
    result = std::move(*both);
    if (result.size() <= maxWays)
      continue;
    std::optional<int64_t> most = largest(result);
    if (!most)
      return std::nullopt;
    result = {SymbolicCount(*most)};
  }
  return result;
}

std::optional<Counts>
spinc::backend::countCommands(spin::HandlerOp op, ArrayRef<LoopSpec> loops,
                              const SymbolRanges &ranges) {
  std::vector<std::string> names;
  for (const LoopSpec &loop : loops)
    loop.bound.collectSymbols(names);
  SymbolRanges all = wcet::SymbolSpace::addQuotients(ranges, names);
  return CommandCounter(loops, all).count(op.getBody());
}
