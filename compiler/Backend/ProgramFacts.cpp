// Gathers loops, budgets and ranges of all handlers.
#include "compiler/Backend/ProgramFacts.h"
#include "compiler/Backend/CommandCounts.h"
#include "compiler/Backend/HandlerChecks.h"
#include "dialect/Spin/IR/SpinDialect.h"

using namespace spinc;
using namespace spinc::backend;

namespace {

SymbolicCount toCount(spin::BoundAttr bound) {
  std::vector<std::string> names;
  for (mlir::StringAttr name : bound.getSymbols())
    names.push_back(name.getValue().str());
  std::optional<SymbolicCount> count =
      SymbolicCount::fromAffine(bound.getMap().getResult(0), names);
  assert(count && "bounds are linear with quotients by constants");
  return *count;
}

std::vector<LoopSpec> collectLoops(mlir::ModuleOp module) {
  std::vector<LoopSpec> loops;
  auto entries = module->getAttrOfType<mlir::ArrayAttr>("spin.loops");
  if (!entries)
    return loops;
  for (mlir::Attribute attribute : entries) {
    auto entry = llvm::cast<mlir::DictionaryAttr>(attribute);
    LoopSpec loop;
    loop.id = entry.getAs<mlir::IntegerAttr>("id").getInt();
    loop.handler = entry.getAs<mlir::StringAttr>("handler").getValue().str();
    loop.line = entry.getAs<mlir::IntegerAttr>("line").getInt();
    loop.bound = toCount(entry.getAs<spin::BoundAttr>("bound"));
    loop.parent = entry.getAs<mlir::IntegerAttr>("parent").getInt();
    if (auto lock = entry.getAs<mlir::IntegerAttr>("lock")) {
      loop.wait = LoopSpec::Wait{lock.getInt(), std::nullopt};
      if (auto others = entry.getAs<mlir::IntegerAttr>("others"))
        loop.wait->others = others.getInt();
    }
    if (auto attempts = entry.getAs<mlir::ArrayAttr>("attempts"))
      for (auto attempt : attempts.getAsRange<spin::AttemptAttr>())
        loop.attempts.push_back({attempt.getWhat().str(), attempt.getDone(),
                                 attempt.getDetail().str()});
    loops.push_back(std::move(loop));
  }
  return loops;
}

spin::BoundAttr toBound(const SymbolicCount &count,
                        mlir::MLIRContext *context) {
  std::vector<std::string> names;
  count.collectSymbols(names);
  llvm::SmallVector<mlir::StringAttr> symbols;
  for (const std::string &name : names)
    symbols.push_back(mlir::StringAttr::get(context, name));
  mlir::AffineMap map =
      mlir::AffineMap::get(0, symbols.size(), count.toAffine(context, names));
  return spin::BoundAttr::get(context, map, symbols);
}

std::vector<SharedTotal> collectTotals(mlir::ModuleOp module) {
  std::vector<SharedTotal> totals;
  auto entries = module->getAttrOfType<mlir::ArrayAttr>("spin.totals");
  if (!entries)
    return totals;
  for (auto entry : entries.getAsRange<mlir::DictionaryAttr>()) {
    SharedTotal total{entry.getAs<mlir::StringAttr>("handler").getValue().str(),
                      toCount(entry.getAs<spin::BoundAttr>("limit")),
                      {}};
    for (auto [id, weight] : llvm::zip_equal(
             entry.getAs<mlir::DenseI64ArrayAttr>("loops").asArrayRef(),
             entry.getAs<mlir::DenseI64ArrayAttr>("weights").asArrayRef()))
      total.weights[id] = weight;
    totals.push_back(std::move(total));
  }
  return totals;
}

void collectBudget(spin::HandlerOp op, const CardOptions &card,
                   HandlerFacts &facts) {
  bool hasPayload = facts.handler->kind == sema::HandlerKind::Payload;
  // bud-6: the rate is that of the command line.
  std::vector<BudgetClause> atLineRate =
      lineRateBudget(card.link, facts.context->packet.headerBytes, hasPayload);
  spin::BudgetAttr budget = op.getBudgetAttr();
  for (const sema::Budget &clause : facts.handler->budgets)
    facts.budgetText += (facts.budgetText.empty() ? "" : ", ") + clause.text;
  if (budget) {
    if (spin::BoundAttr occupancy = budget.getOccupancy())
      facts.occupancy = toCount(occupancy);
    if (spin::BoundAttr commands = budget.getCommands())
      facts.commandBudget = toCount(commands);
    if (spin::BoundAttr cycles = budget.getCycles())
      facts.budgets.push_back({toCount(cycles), std::nullopt});
    if (budget.getLineRate()) {
      llvm::append_range(facts.budgets, atLineRate);
      return;
    }
  }
  if (!card.lineRateForAll || !hasPayload)
    return;
  facts.budgetText += facts.budgetText.empty() ? "line_rate" : ", line_rate";
  llvm::append_range(facts.budgets, atLineRate);
}

/// Words in which a value is passed.
unsigned wordsOf(mlir::Type type) {
  return type.isInteger() && type.getIntOrFloatBitWidth() > 32 ? 2 : 1;
}

/// Memory of the card as the cycle bound knows it.
isa::Region regionOf(spin::MemorySpace space) {
  switch (space) {
  case spin::MemorySpace::PacketL1:
  case spin::MemorySpace::Local:
    return isa::Region::OwnL1;
  case spin::MemorySpace::StateL1: // of any cluster
    return isa::Region::RemoteL1;
  case spin::MemorySpace::PacketL2:
    return isa::Region::L2Packet;
  case spin::MemorySpace::StateL2:
  case spin::MemorySpace::Const:
    return isa::Region::L2Handler;
  case spin::MemorySpace::Host:
    break;
  }
  llvm_unreachable("functions get no slices of the host");
}

/// By the calling convention: words go to a0, a1 … a7 one after the other, a
/// slice as its address and its length. Results of more than two words go to
/// the caller's stack, to an address that comes first.
std::map<unsigned, isa::Region> argumentsOf(spin::HandlerOp function) {
  constexpr unsigned a0 = 10, a7 = 17;
  mlir::Block &body = function.getBody().front();
  unsigned results = 0, reg = a0;
  for (mlir::Type type : body.back().getOperandTypes())
    results += wordsOf(type);
  std::map<unsigned, isa::Region> arguments;
  if (results > 2)
    arguments[reg++] = isa::Region::OwnL1; // the caller's stack
  for (mlir::Type type : body.getArgumentTypes()) {
    auto slice = llvm::dyn_cast<spin::SliceType>(type);
    if (slice && reg <= a7)
      arguments[reg] = regionOf(slice.getSpace());
    reg += slice ? 2 : wordsOf(type);
  }
  return arguments;
}

void collectFunctions(mlir::ModuleOp module, ProgramFacts &facts) {
  module.walk([&](spin::HandlerOp op) {
    if (!op.isFunction())
      return;
    auto context = llvm::cast<spin::ContextOp>(op->getParentOp());
    llvm::StringRef name = op.getSymName();
    name.consume_front("fn.");
    spin::BudgetAttr budget = op.getBudgetAttr();
    FunctionFacts entry{context.getSymName().str(),
                        name.str(),
                        op.getImageSymbol(),
                        op.getLoc(),
                        "",
                        std::nullopt,
                        backend::collectChecks(op),
                        argumentsOf(op)};
    if (budget) {
      entry.budgetText = budget.getText().str();
      entry.budget = {toCount(budget.getCycles()), std::nullopt};
    }
    facts.functions.push_back(std::move(entry));
  });
}

} // namespace

void spinc::backend::attachBounds(mlir::ModuleOp module,
                                  llvm::ArrayRef<HandlerBound> bounds) {
  mlir::MLIRContext *context = module.getContext();
  module.walk([&](spin::HandlerOp op) {
    for (const HandlerBound &bound : bounds) {
      if (bound.symbol != op.getImageSymbol())
        continue;
      llvm::SmallVector<spin::BoundAttr> cycles;
      for (const SymbolicCount &count : bound.cycles)
        cycles.push_back(toBound(count, context));
      op.setBoundAttr(
          spin::MachineBoundAttr::get(context, bound.worst, cycles));
    }
  });
}

ProgramFacts spinc::backend::collectFacts(mlir::ModuleOp module,
                                          const sema::ProgramInfo &program,
                                          const CardOptions &card) {
  std::map<std::string, spin::HandlerOp> ops;
  module.walk([&](spin::HandlerOp op) { ops[op.getImageSymbol()] = op; });

  ProgramFacts facts;
  facts.loops = collectLoops(module);
  facts.totals = collectTotals(module);
  for (const std::unique_ptr<sema::ContextInfo> &context : program.contexts)
    for (const sema::HandlerInfo &handler : context->handlers) {
      HandlerFacts entry;
      entry.context = context.get();
      entry.handler = &handler;
      entry.symbols = quantityRanges(*context);
      collectBudget(ops.at(handler.symbol), card, entry);
      entry.commands =
          countCommands(ops.at(handler.symbol), facts.loops, entry.symbols);
      entry.checks = collectChecks(ops.at(handler.symbol), *context);
      facts.handlers.push_back(std::move(entry));
    }
  collectFunctions(module, facts);
  return facts;
}
