// See Wcet.h: from the analysis of each handler to its bound and the account
// of where the cycles of the worst path go.
#include "compiler/Wcet/Wcet.h"
#include "compiler/Wcet/FigureCosts.h"
#include "compiler/Wcet/FlowFacts.h"
#include "compiler/Wcet/Sharing.h"
#include "compiler/Wcet/SymbolSpace.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

char WcetError::ID = 0;

void WcetError::log(raw_ostream &out) const {
  if (line != 0)
    out << file << ':' << line << ": ";
  out << message;
  if (!fix.empty())
    out << "; " << fix;
}

std::error_code WcetError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

ArrayRef<SymbolicCount> HandlerBound::cyclesOf(FigureKind kind) const {
  for (const Figure &figure : figures)
    if (figure.kind == kind)
      return figure.cycles;
  assert(kind == FigureKind::Active && "a bound has all other figures");
  return cycles;
}

std::optional<int64_t>
HandlerBound::evaluate(const SymbolValues &values) const {
  std::optional<int64_t> most;
  for (const SymbolicCount &count : cycles) {
    std::optional<int64_t> value = count.evaluate(values);
    if (!value)
      return std::nullopt;
    most = std::max(most.value_or(INT64_MIN), *value);
  }
  return most;
}

static std::vector<std::string> listAssumptions(const Uses &uses, bool mayTrap,
                                                const WcetOptions &options) {
  std::vector<std::string> list = {
      "warm instruction cache",
      "no other core or DMA engine on the same memory bank"};
  if (options.foreign)
    list.push_back("the stack is in own L1, and what is saved there is written "
                   "by nobody else");
  if (uses.pointers)
    list.push_back(std::string("computed addresses stay in their object") +
                   (options.foreign ? "" : ", as the bounds proofs show"));
  if (uses.home)
    list.push_back("the handler runs in the message's home cluster");
  if (uses.otherClusters)
    list.push_back("waiting for the L1 of another cluster is not counted");
  if (uses.commands || uses.waits)
    list.push_back("waiting for a free command slot or for a command to "
                   "complete is not counted");
  if (uses.unknownMemory)
    list.push_back(std::string("accesses whose memory is not known cost as "
                               "much as the farthest memory") +
                   (options.foreign ? ", and reach no command" : ""));
  if (mayTrap)
    list.push_back("a handler that traps ends with the trap");
  return list;
}

/// Loop ids may be shared by several copies of a loop: one row for each id.
static std::vector<LoopCost> listLoops(const Breakdown &uses,
                                       const LoopTable &loops) {
  std::map<int64_t, LoopCost> byId;
  for (const auto &[tag, cycles] : uses.loops) {
    LoopCost &row = byId[tag->id];
    row.id = tag->id;
    row.attempts = loops.at(tag->id).attempts;
    row.line = tag->line;
    row.bound = tag->bound;
    row.perIteration = std::max(row.perIteration, tag->perIteration);
    row.roundsPerTurn = std::max(row.roundsPerTurn, tag->roundsPerTurn);
    row.hardware |= tag->hardware;
    row.cycles += cycles;
  }
  std::vector<LoopCost> rows;
  for (auto &entry : byId)
    rows.push_back(entry.second);
  llvm::sort(rows, [](const LoopCost &a, const LoopCost &b) {
    return std::make_pair(-a.cycles, a.id) < std::make_pair(-b.cycles, b.id);
  });
  return rows;
}

/// The source line of each instruction. Code that the optimiser made for more
/// than one line has none: it goes with the code before it in its function, or
/// else with what follows.
static std::map<uint32_t, SourceLine> findLines(const Image &image,
                                                const Breakdown &uses) {
  std::map<uint32_t, SourceLine> lines;
  for (const auto &entry : uses.instructions)
    lines[entry.first] = image.lineAt(entry.first);
  auto fill = [&](auto begin, auto end) {
    auto known = end;
    for (auto at = begin; at != end; ++at) {
      if (at->second.line != 0)
        known = at;
      else if (known != end &&
               image.functionAt(known->first) == image.functionAt(at->first))
        at->second = known->second;
    }
  };
  fill(lines.begin(), lines.end());
  fill(lines.rbegin(), lines.rend());
  return lines;
}

static void fillLines(const Image &image, const Breakdown &uses,
                      HandlerBound &bound) {
  std::map<uint32_t, SourceLine> lines = findLines(image, uses);
  std::map<SourceLine, LineCost> byLine;
  for (const auto &[address, use] : uses.instructions) {
    if (use.executions == 0 && use.cycles == 0)
      continue;
    const SourceLine &place = lines.at(address);
    LineCost &row = byLine[place];
    row.file = place.file;
    row.line = place.line;
    row.executions = std::max(row.executions, use.executions);
    row.cycles += use.cycles;
    row.instructions += use.executions;
  }
  if (uses.slack != 0) {
    LineCost &row = byLine[SourceLine()];
    row.cycles += uses.slack;
    row.executions = std::max<int64_t>(row.executions, 1);
  }
  for (auto &entry : byLine) {
    LineCost &row = entry.second;
    row.each = row.executions > 0
                   ? (row.cycles + row.executions - 1) / row.executions
                   : row.cycles;
    bound.instructions += row.instructions;
    bound.lines.push_back(row);
  }
  llvm::sort(bound.lines, [](const LineCost &a, const LineCost &b) {
    return std::make_tuple(-a.cycles, llvm::StringRef(a.file), a.line) <
           std::make_tuple(-b.cycles, llvm::StringRef(b.file), b.line);
  });
}

/// Drops counts that another one is never below, exactly.
static void dropDominated(const SymbolSpace &space, CostSet &paths) {
  for (size_t i = 0; i < paths.size() && paths.size() > 1;) {
    bool dominated = false;
    for (size_t j = 0; j < paths.size() && !dominated; ++j) {
      if (i == j)
        continue;
      std::optional<SymbolSpace::Point> gap =
          space.maximize(paths[i].cycles, paths[j].cycles);
      dominated = gap && gap->value <= 0;
    }
    if (dominated)
      paths.erase(paths.begin() + i);
    else
      ++i;
  }
}

/// All symbols of the handler's loops have a range, quotients get theirs.
static Expected<SymbolRanges> completeRanges(const Image &image,
                                             const HandlerSpec &handler,
                                             const LoopTable &loops,
                                             ArrayRef<SharedTotal> totals,
                                             uint32_t entry) {
  std::vector<std::string> names;
  for (const auto &entry : loops)
    if (entry.second.handler == handler.symbol || entry.second.handler.empty())
      entry.second.bound.collectSymbols(names);
  for (const SharedTotal &total : totals)
    if (total.handler == handler.symbol)
      total.limit.collectSymbols(names);
  SymbolRanges ranges = SymbolSpace::addQuotients(handler.symbols, names);
  for (const std::string &name : names)
    if (!ranges.count(name))
      return errorAt(image, WcetError::Kind::UnknownSymbol, entry,
                     "a loop bound depends on '" + name +
                         "', whose range is not known");
  for (const auto &[name, range] : ranges)
    if (range.low > range.high)
      return errorAt(image, WcetError::Kind::UnknownSymbol, entry,
                     "'" + name + "' has no possible value");
  return ranges;
}

/// The handler as all figures see it.
struct Subject {
  const HandlerAnalysis &analysis;
  const Image &image;
  const HandlerSpec &handler;
  const LoopTable &loops;
  const WcetOptions &options;
  uint32_t entry;
  SymbolRanges ranges;
  /// Charged once, beside what the paths cost.
  SymbolicCount charge = 0;

  Subject with(const Sharing &sharing) const {
    return {analysis, image, handler, sharing.loops,
            options,  entry, ranges,  sharing.charge};
  }
};

static Expected<CostSet> findPaths(const Subject &subject,
                                   const SymbolSpace &space,
                                   CostAlgebra &algebra, FigureCosts &costs) {
  Expected<CostSet> paths = costs.findPaths();
  if (!paths)
    return paths.takeError();
  if (paths->empty())
    return errorAt(subject.image, WcetError::Kind::UnmarkedLoop, subject.entry,
                   "the handler has no path to its end");
  if (algebra.failed())
    return errorAt(subject.image, WcetError::Kind::TooLarge, subject.entry,
                   "the bound does not fit 64 bits");
  if (subject.charge != SymbolicCount(0))
    paths = algebra.addPrepaid(*paths, subject.charge);
  dropDominated(space, *paths);
  llvm::sort(*paths, [&](const PathCost &a, const PathCost &b) {
    return std::make_pair(-algebra.high(a.cycles), a.cycles.str()) <
           std::make_pair(-algebra.high(b.cycles), b.cycles.str());
  });
  return paths;
}

/// The path with the largest value, and where that is.
static Expected<const PathCost *> findWorst(const Subject &subject,
                                            const SymbolSpace &space,
                                            const CostSet &paths,
                                            SymbolSpace::Point &worst) {
  const PathCost *found = nullptr;
  for (const PathCost &path : paths) {
    std::optional<SymbolSpace::Point> top = space.maximize(path.cycles);
    if (!top)
      return errorAt(subject.image, WcetError::Kind::TooLarge, subject.entry,
                     "the bound does not fit 64 bits");
    if (!found || top->value > worst.value) {
      worst = std::move(*top);
      found = &path;
    }
  }
  return found;
}

static std::string assumptionOf(FigureKind kind, const WcetOptions &options) {
  switch (kind) {
  case FigureKind::Active:
  case FigureKind::Elapsed:
    return "";
  case FigureKind::Cold:
    return "each line of code is fetched once, " +
           std::to_string(isa::icacheRefill) + " cycles each";
  case FigureKind::Occupancy:
    return "a command completes within " +
           std::to_string(options.commandLatency) + " cycles of its issue";
  case FigureKind::Contended:
    return "every access waits for all other cores of the card";
  }
  llvm_unreachable("not a figure");
}

/// The best use of what the handler's loops share, for one figure.
static Sharing shareTotals(const Subject &subject, FigureKind kind) {
  std::vector<SharedTotal> totals;
  for (const SharedTotal &total : subject.options.totals)
    if (total.handler == subject.handler.symbol)
      totals.push_back(total);
  auto tryOut = [&](const Sharing &sharing) -> std::optional<Trial> {
    CostAlgebra algebra(subject.ranges);
    FigureCosts costs(subject.analysis, sharing.loops, algebra, kind);
    Expected<CostSet> paths = costs.findPaths();
    if (!paths) {
      consumeError(paths.takeError());
      return std::nullopt;
    }
    int64_t worst = algebra.high(algebra.addPrepaid(*paths, sharing.charge));
    if (paths->empty() || algebra.failed())
      return std::nullopt;
    return Trial{worst, costs.longestIterations()};
  };
  return chooseSharing(subject.loops, totals, tryOut);
}

/// A figure from its own costs, with `base` cycles that no instruction has.
static Expected<Figure> findFigure(const Subject &plain,
                                   const SymbolSpace &space, FigureKind kind,
                                   int64_t base) {
  const Sharing sharing = shareTotals(plain, kind);
  const Subject subject = plain.with(sharing);
  CostAlgebra algebra(subject.ranges);
  FigureCosts costs(subject.analysis, subject.loops, algebra, kind);
  Expected<CostSet> paths = findPaths(subject, space, algebra, costs);
  if (!paths)
    return paths.takeError();
  SymbolSpace::Point worst;
  Expected<const PathCost *> path = findWorst(subject, space, *paths, worst);
  if (!path)
    return path.takeError();
  Figure figure{
      kind, {}, worst.value + base, assumptionOf(kind, subject.options)};
  for (const PathCost &each : *paths)
    figure.cycles.push_back(each.cycles.add(SymbolicCount(base)).value());
  return figure;
}

/// The active cycles and some more in each run.
static Figure addToActive(const Subject &subject, const HandlerBound &bound,
                          FigureKind kind, int64_t more) {
  Figure figure{
      kind, {}, bound.worst + more, assumptionOf(kind, subject.options)};
  for (const SymbolicCount &count : bound.cycles)
    figure.cycles.push_back(count.add(SymbolicCount(more)).value_or(count));
  return figure;
}

/// Where the cache holds all lines, each is fetched once; else perhaps each
/// time that it is entered.
static Expected<Figure> findCold(const Subject &subject,
                                 const SymbolSpace &space,
                                 const HandlerBound &bound) {
  int64_t lines = subject.analysis.countCodeLines();
  if (lines * isa::icacheLineBytes > isa::icacheBytes) {
    Expected<Figure> cold = findFigure(subject, space, FigureKind::Cold, 0);
    if (cold)
      cold->assumption =
          "each line of code is fetched whenever it is entered, " +
          std::to_string(isa::icacheRefill) + " cycles each";
    return cold;
  }
  return addToActive(subject, bound, FigureKind::Cold,
                     lines * isa::icacheRefill);
}

static Error addFigures(const Subject &subject, const SymbolSpace &space,
                        HandlerBound &bound) {
  Expected<Figure> cold = findCold(subject, space, bound);
  if (!cold)
    return cold.takeError();
  bound.figures.push_back(std::move(*cold));
  // Of the last four commands the card waits for the last when the handler
  // has ended.
  int64_t last =
      subject.analysis.getUses().commands ? subject.options.commandLatency : 0;
  for (auto [kind, base] :
       {std::make_pair(FigureKind::Occupancy, last),
        std::make_pair(FigureKind::Contended, int64_t(0))}) {
    if (!addsCycles(subject.analysis, kind)) {
      bound.figures.push_back(addToActive(subject, bound, kind, base));
      continue;
    }
    Expected<Figure> figure = findFigure(subject, space, kind, base);
    if (!figure)
      return figure.takeError();
    bound.figures.push_back(std::move(*figure));
  }
  return Error::success();
}

static Expected<HandlerBound> boundHandler(const Image &image,
                                           const HandlerSpec &handler,
                                           const LoopTable &loops,
                                           const WcetOptions &options) {
  Expected<EntryPoint> entry = EntryPoint::find(image, handler, options);
  if (!entry)
    return entry.takeError();
  Expected<SymbolRanges> ranges =
      completeRanges(image, handler, loops, options.totals, entry->address);
  if (!ranges)
    return ranges.takeError();
  HandlerAnalysis analysis(image, options);
  if (Error error = analysis.analyze(*entry))
    return std::move(error);
  const Subject plain{analysis, image,          handler, loops,
                      options,  entry->address, *ranges};
  const Sharing sharing = shareTotals(plain, FigureKind::Active);
  const Subject subject = plain.with(sharing);
  SymbolSpace space(*ranges);
  CostAlgebra algebra(*ranges);
  FigureCosts costs(analysis, sharing.loops, algebra);
  Expected<CostSet> paths = findPaths(subject, space, algebra, costs);
  if (!paths)
    return paths.takeError();
  SymbolSpace::Point worst;
  Expected<const PathCost *> path = findWorst(subject, space, *paths, worst);
  if (!path)
    return path.takeError();

  HandlerBound bound;
  bound.symbol = handler.symbol;
  bound.symbols = *ranges;
  bound.worst = worst.value;
  bound.worstAt = worst.at;
  std::vector<std::string> named;
  for (const PathCost &each : *paths) {
    bound.cycles.push_back(each.cycles);
    each.cycles.collectSymbols(named);
  }
  Breakdown uses;
  evaluateRecipe((*path)->recipe, 1, bound.worstAt, uses);
  space.chooseDivisors(bound.worstAt, named);
  fillLines(image, uses, bound);
  bound.loops = listLoops(uses, loops);
  for (const auto &[address, use] : uses.instructions) {
    bound.commands += analysis.issuesCommand(address) ? use.executions : 0;
    bound.waits += analysis.waits(address) ? use.executions : 0;
  }
  bound.assumptions =
      listAssumptions(analysis.getUses(), costs.mayTrap(), options);
  for (const auto &entry : loops)
    if (entry.second.handler == handler.symbol && entry.second.wait &&
        entry.second.wait->others) {
      bound.assumptions.push_back("at most " +
                                  std::to_string(*entry.second.wait->others) +
                                  " others are before it at a lock");
      break;
    }
  if (options.graph)
    bound.graph = costs.getGraph();
  if (options.bareMemory)
    bound.assumptions.push_back("all memory is the core's own L1");
  if (!options.headers.empty())
    bound.assumptions.push_back("the flow facts of the loops hold");
  if (any_of(options.totals, [&](const SharedTotal &total) {
        return total.handler == handler.symbol;
      }))
    bound.assumptions.push_back("loops share their rounds, as the bounds "
                                "proofs show");
  if (Error error = addFigures(plain, space, bound))
    return std::move(error);
  return std::move(bound);
}

Expected<std::vector<HandlerBound>>
spinc::boundHandlers(StringRef elf, ArrayRef<HandlerSpec> handlers,
                     ArrayRef<LoopSpec> loops, const WcetOptions &options) {
  Expected<Image> image = Image::parse(elf);
  if (!image)
    return image.takeError();
  LoopTable table;
  for (const LoopSpec &loop : loops)
    table[loop.id] = loop;
  if (Error error = placeHeaderFacts(options.headers, *image, table))
    return std::move(error);
  std::vector<HandlerBound> bounds;
  for (const HandlerSpec &handler : handlers) {
    Expected<HandlerBound> bound =
        boundHandler(*image, handler, table, options);
    if (!bound)
      return bound.takeError();
    bounds.push_back(std::move(*bound));
  }
  return std::move(bounds);
}
