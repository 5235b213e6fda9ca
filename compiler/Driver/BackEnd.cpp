// The stages from LLVM IR to the image, its bounds and the host's side.
#include "compiler/Backend/Metadata.h"
#include "compiler/Driver/Compilation.h"
#include "compiler/Driver/MlirDiagnostics.h"
#include "compiler/Stubs/Stubs.h"
#include "compiler/Wcet/CodeSize.h"
#include "compiler/Wcet/ReportHtml.h"
#include "compiler/Wcet/ReportJson.h"
#include "compiler/Wcet/SymbolSpace.h"
#include "runtime/abi/pspin.h"
#include "runtime/device/Frame.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::driver;

namespace {

bool isHandler(StringRef symbol) {
  return symbol.ends_with("_hh") || symbol.ends_with("_ph") ||
         symbol.ends_with("_th");
}

} // namespace

/// Of several attempts of one kind, on copies of a loop, a failure is told.
void Compilation::noteAttempts(const backend::LoopAttempts &attempts) {
  for (const auto &entry : attempts)
    for (LoopSpec &loop : facts.loops) {
      if (loop.id != entry.first)
        continue;
      const LoopAttempt &attempt = entry.second;
      auto same = find_if(loop.attempts, [&](const LoopAttempt &other) {
        return other.what == attempt.what;
      });
      if (same == loop.attempts.end())
        loop.attempts.push_back(attempt);
      else if (same->done && !attempt.done)
        *same = attempt;
    }
}

bool Compilation::emitCode() {
  backend::CodeForm form = options.emit == Stage::Asm
                               ? backend::CodeForm::Assembly
                               : backend::CodeForm::Object;
  Expected<backend::Code> made =
      backend::emitCode(*llvmModule, *machine, codegen, form);
  if (!made) {
    session.failInternally(toString(made.takeError()));
    return false;
  }
  code = std::move(*made);
  noteAttempts(code.attempts);
  auto print = [&](raw_ostream &out) { out << backend::asText(code.bytes); };
  return !endsAt(Stage::Asm, print) && !endsAt(Stage::Obj, print);
}

/// "handler payload of Histogram"
static std::string handlerName(const backend::HandlerFacts &entry) {
  return "handler " + entry.handler->decl->name.text + " of " +
         entry.context->name;
}

bool Compilation::checkStack() {
  constexpr uint64_t available = PSPIN_STACK_SIZE - SPINC_RUNTIME_FRAME_BYTES;
  for (const Function &function : *llvmModule) {
    if (function.isDeclaration() || !isHandler(function.getName()))
      continue;
    auto depth = code.stack.find(function.getName());
    // Without a depth the linker or the cycle bound names the cause.
    if (depth != code.stack.end() && depth->second > available)
      session.fail(diag::StackTooLarge, function.getName(), depth->second,
                   available);
  }
  // bud-10
  for (const backend::HandlerFacts &entry : facts.handlers) {
    auto depth = code.stack.find(entry.handler->symbol);
    for (const sema::Budget &budget : entry.handler->budgets)
      if (budget.kind == ast::BudgetKind::Stack && depth != code.stack.end() &&
          depth->second > budget.limit->value->getZExtValue())
        session.diagnostics.report(diag::OverStackBudget,
                                   entry.handler->decl->name.range,
                                   handlerName(entry), depth->second,
                                   budget.limit->value->getZExtValue());
  }
  return !session.failed();
}

bool Compilation::link() {
  if (!checkStack())
    return false;
  Expected<backend::Bytes> linked = backend::linkImage(
      backend::asText(code.bytes), installed(""), options.target, codeOffset,
      /*allRoutines=*/options.disabled.has(backend::Ablation::UsedRoutines));
  if (!linked) {
    session.fail(diag::CannotLink, toString(linked.takeError()));
    return false;
  }
  image = std::move(*linked);
  bool isPspin = options.target == isa::InstructionSet::Pspin;
  // LLVM writes CORE-V's encodings.
  if (isPspin)
    if (Error error = backend::reencodeImage(image)) {
      session.failInternally(toString(std::move(error)));
      return false;
    }
  Error problem =
      backend::checkInstructions(backend::asText(image), options.target);
  if (!problem)
    problem =
        backend::checkHardwareLoops(backend::asText(image), options.target);
  if (problem) {
    session.fail(diag::BadInstruction, toString(std::move(problem)));
    return false;
  }
  return true;
}

std::string Compilation::triedFor(const std::string &symbol) const {
  auto found = tried.find(symbol);
  return found == tried.end() ? "" : found->second;
}

HandlerReport Compilation::reportOf(size_t handler) const {
  const backend::HandlerFacts &entry = facts.handlers[handler];
  HandlerReport report;
  report.bound = &bounds[handler];
  report.checks = &entry.checks;
  report.name = handlerName(entry);
  report.budgetText = entry.budgetText;
  report.budget = entry.budgets;
  report.occupancy = entry.occupancy;
  report.tried = triedFor(report.bound->symbol);
  report.headerBytes = entry.context->packet.headerBytes;
  report.perPacket = entry.handler->kind == ast::HandlerKind::Payload;
  return report;
}

HandlerReport Compilation::reportOfFunction(size_t function) const {
  const backend::FunctionFacts &entry = facts.functions[function];
  HandlerReport report;
  report.bound = &functionBounds[function];
  report.checks = &entry.checks;
  report.name = "function " + entry.name + " of " + entry.context;
  report.budgetText = entry.budgetText;
  report.tried = triedFor(report.bound->symbol);
  if (entry.budget)
    report.budget = {*entry.budget};
  return report;
}

std::string Compilation::sourceLine(StringRef path, int64_t line) {
  std::error_code error;
  const SourceFile *file = session.sources.load(path, error);
  if (!file)
    return "";
  StringRef rest = file->text();
  for (int64_t current = 1; current < line; ++current)
    rest = rest.split('\n').second;
  return rest.split('\n').first.trim().str();
}

/// bud-11. False, and reported, if the handler may issue more commands than it
/// says.
bool Compilation::checkCommandBudget(const backend::HandlerFacts &entry) {
  if (!entry.commandBudget)
    return true;
  SourceRange place = entry.handler->decl->name.range;
  if (!entry.commands) {
    reportNoBound(session.diagnostics, place, source,
                  createStringError("the number of commands is not known"));
    return false;
  }
  HandlerBound counts;
  counts.cycles = *entry.commands;
  std::vector<std::string> names;
  for (const SymbolicCount &count : counts.cycles)
    count.collectSymbols(names);
  counts.symbols = wcet::SymbolSpace::addQuotients(entry.symbols, names);
  bool holds = true;
  std::optional<BudgetViolation> found =
      findViolation(session.diagnostics, place, counts,
                    {{*entry.commandBudget, std::nullopt}}, holds);
  if (!found)
    return holds;
  DiagnosticBuilder report = session.diagnostics.report(
      diag::OverCommandBudget, place, handlerName(entry), found->cycles,
      found->allowed);
  if (!found->at.empty())
    report.witness(printValues(found->at));
  report.reason("it issues at most " + printMaximum(*entry.commands) +
                " commands");
  report.fix("commands <= " + found->passing.budgetText());
  return false;
}

static HandlerSpec specOf(const backend::HandlerFacts &entry) {
  return {entry.handler->symbol, entry.symbols, /*byRuntime=*/true};
}

/// bud-12: with the machine code of all handlers, for each may hold a lock that
/// another waits for.
bool Compilation::boundLockWaits() {
  std::vector<HandlerSpec> specs;
  for (const backend::HandlerFacts &entry : facts.handlers)
    specs.push_back(specOf(entry));
  Error error = boundWaits(backend::asText(image), specs, facts.loops);
  if (!error)
    return true;
  reportNoBound(session.diagnostics,
                source ? source->range(0, 0) : SourceRange(), source,
                std::move(error));
  return false;
}

HandlerBound Compilation::boundOf(const HandlerSpec &spec, SourceRange place,
                                  WcetOptions how) {
  how.commandLatency = options.commandLatency;
  how.totals = facts.totals;
  Expected<std::vector<HandlerBound>> bound =
      boundHandlers(backend::asText(image), spec, facts.loops, how);
  if (bound)
    return std::move(bound->front());
  reportNoBound(session.diagnostics, place, source, bound.takeError());
  return {};
}

/// Functions first, whose cycles are also those of handlers.
bool Compilation::boundCycles() {
  if (!boundLockWaits())
    return false;
  for (const backend::FunctionFacts &entry : facts.functions) {
    WcetOptions how;
    how.arguments = entry.arguments;
    functionBounds.push_back(boundOf({entry.symbol, {}},
                                     sourceRange(entry.place, session.sources),
                                     std::move(how)));
  }
  for (const backend::HandlerFacts &entry : facts.handlers)
    bounds.push_back(boundOf(specOf(entry), entry.handler->decl->name.range));
  return true;
}

/// bud-5, fun-7
bool Compilation::enforceBudgets() {
  SourceText text = [this](StringRef file, int64_t line) {
    return sourceLine(file, line);
  };
  size_t handlers = facts.handlers.size(), functions = facts.functions.size();
  std::vector<bool> holds(handlers + functions);
  for (size_t i = 0; i < functions; ++i)
    if (!functionBounds[i].cycles.empty())
      holds[handlers + i] =
          enforceBudget(session.diagnostics,
                        sourceRange(facts.functions[i].place, session.sources),
                        reportOfFunction(i), linkSpec(), text);
  for (size_t i = 0; i < handlers; ++i) {
    const backend::HandlerFacts &entry = facts.handlers[i];
    if (bounds[i].cycles.empty())
      continue;
    holds[i] =
        enforceBudget(session.diagnostics, entry.handler->decl->name.range,
                      reportOf(i), linkSpec(), text);
    holds[i] = checkCommandBudget(entry) && holds[i];
  }
  if (endsAt(Stage::Report,
             [&](raw_ostream &out) { printReports(out, holds); }))
    return false;
  return !endsAt(Stage::SpinBound, [&](raw_ostream &out) {
    backend::attachBounds(*provedModule, bounds);
    backend::attachBounds(*provedModule, functionBounds);
    provedModule->print(out);
  });
}

std::vector<Compilation::Miss> Compilation::findMisses() const {
  std::vector<Miss> misses;
  auto look = [&](const HandlerReport &report) {
    const HandlerBound &bound = *report.bound;
    auto found = checkBudget(bound, report.budget);
    if (!found)
      consumeError(found.takeError());
    else if (*found)
      misses.push_back({bound.symbol, (*found)->over, !bound.loops.empty()});
  };
  for (size_t i = 0; i < bounds.size(); ++i)
    look(reportOf(i));
  for (size_t i = 0; i < functionBounds.size(); ++i)
    look(reportOfFunction(i));
  return misses;
}

bool Compilation::staysInCache(const std::string &symbol) const {
  Expected<CodeSize> size = measureCode(backend::asText(image), {symbol});
  if (size)
    return size->handlers.front().fits();
  consumeError(size.takeError());
  return false;
}

static StateSize stateSizeOf(const sema::ProgramInfo &program) {
  StateSize size{
      unsigned(program.l1State.total()), unsigned(program.l2State.total()), {}};
  for (const auto &context : program.contexts)
    for (const sema::StateField &field : context->state)
      if (field.hadNoRoom)
        size.movedToL2.push_back(context->name + "." + field.name);
  return size;
}

/// bud-8: each bound is printed with what it assumes.
void Compilation::printReports(raw_ostream &out,
                               const std::vector<bool> &holds) {
  std::vector<HandlerReport> reports;
  std::vector<std::string> symbols;
  for (size_t i = 0; i < facts.handlers.size(); ++i) {
    reports.push_back(reportOf(i));
    symbols.push_back(facts.handlers[i].handler->symbol);
  }
  for (size_t i = 0; i < facts.functions.size(); ++i)
    reports.push_back(reportOfFunction(i));
  Expected<CodeSize> size = measureCode(backend::asText(image), symbols);
  if (!size)
    return session.failInternally(toString(size.takeError()));
  StateSize state = stateSizeOf(types.program());
  switch (options.report) {
  case ReportFormat::Text:
    for (const HandlerReport &report : reports)
      printReport(out, report, linkSpec(),
                  [this](StringRef file, int64_t line) {
                    return sourceLine(file, line);
                  });
    printStateSize(out, state);
    printCodeSize(out, *size, [this](StringRef file, int64_t line) {
      return sourceLine(file, line);
    });
    break;
  case ReportFormat::Json: {
    json::Array list;
    for (size_t i = 0; i < reports.size(); ++i)
      list.push_back(reportToJSON(reports[i], linkSpec(), holds[i]));
    list.push_back(json::Object{{"code", codeSizeToJSON(*size)},
                                {"state", stateSizeToJSON(state)}});
    out << formatv("{0:2}", json::Value(std::move(list))) << '\n';
    break;
  }
  case ReportFormat::Html:
    printHtmlReport(out, programName(), reports, linkSpec(), state, *size,
                    [this](StringRef file) {
                      std::error_code error;
                      const SourceFile *loaded =
                          session.sources.load(file, error);
                      return loaded ? loaded->text().str() : "";
                    });
    break;
  }
}

std::vector<backend::RejectedAccess> Compilation::rejectedAccesses() const {
  std::vector<backend::RejectedAccess> accesses;
  for (const Diagnostic &diagnostic : session.diagnostics.diagnostics()) {
    SourceRange range = diagnostic.range;
    if (!diagnostic.code.starts_with("E04") || !range.isValid())
      continue;
    LineColumn place = range.file->lineColumn(range.begin);
    accesses.push_back({diagnostic.code.str(), diagnostic.message,
                        range.file->path().str(), place.line, place.column,
                        diagnostic.replay});
  }
  return accesses;
}

bool Compilation::completeImage() {
  Expected<backend::ImageLayout> layout =
      backend::readLayout(backend::asText(image));
  if (!layout) {
    session.failInternally(toString(layout.takeError()));
    return false;
  }
  backend::MetadataInput input;
  input.program = programName();
  input.set = options.target;
  input.link = linkSpec();
  input.info = &types.program();
  input.facts = &facts;
  input.bounds = bounds;
  input.stack = &code.stack;
  input.layout = &*layout;
  if (options.emitRejected)
    input.rejected = rejectedAccesses();
  Expected<backend::Bytes> finished = backend::finishImage(
      backend::asText(image), backend::makeMetadata(input), options.debugInfo);
  if (!finished) {
    session.failInternally(toString(finished.takeError()));
    return false;
  }
  image = std::move(*finished);
  return true;
}

void Compilation::writeImage() {
  if (!completeImage())
    return;
  if (options.emit == Stage::Stubs)
    writeStubs();
  else
    session.writeOutput(backend::asText(image));
}

void Compilation::writeStubs() {
  std::string base = stubsBase(options);
  Expected<stubs::Files> files = stubs::generate(
      types.program(), sys::path::filename(base),
      {reinterpret_cast<const uint8_t *>(image.data()), image.size()});
  if (!files) {
    session.fail(diag::CannotMakeStubs, toString(files.takeError()));
    return;
  }
  session.writeOutputs(
      {{base + ".h", files->header}, {base + ".c", files->source}});
}
