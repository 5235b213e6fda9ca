// spinc-wcet bounds the cycles of handlers in a linked RV32 image: its own
// metadata, or a file, says which handlers and how often their loops run.
// Exit status: 0 bounds printed and all budgets hold, 1 not, 2 usage.
#include "compiler/Wcet/Metadata.h"
#include "compiler/Wcet/ReportHtml.h"
#include "compiler/Wcet/ReportJson.h"
#include "compiler/tools/Files.h"
#include "compiler/tools/spinc-wcet/Options.h"
#include "compiler/tools/spinc-wcet/Witnesses.h"
#include "runtime/Support/StandardOutput.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace spinc;
using spinc::wcet::Action;
using spinc::wcet::Options;
using spinc::wcet::Witnesses;

static std::string wholeFile(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// True if every budget holds.
static Expected<bool> boundAll(StringRef elf, const WcetInput &input,
                               const Options &options) {
  DiagnosticEngine engine;
  WcetOptions how;
  how.headers = input.headers;
  how.totals = input.totals;
  how.bareMemory = options.bare;
  how.foreign = input.isForeign;
  how.graph = options.graph;
  how.commandLatency = options.commandLatency;
  std::vector<HandlerBound> bounds;
  for (const HandlerEntry &handler : input.handlers) {
    Expected<std::vector<HandlerBound>> bound =
        boundHandlers(elf, handler.spec, input.loops, how);
    if (!bound)
      return bound.takeError();
    bounds.push_back(std::move(bound->front()));
  }
  std::optional<Witnesses> witnesses;
  if (options.witness || !options.replay.empty()) {
    Expected<Witnesses> found = Witnesses::find(elf, bounds, options);
    if (!found)
      return found.takeError();
    witnesses = std::move(*found);
  }
  std::vector<HandlerReport> reports;
  json::Array list;
  for (auto [handler, bound] : zip(input.handlers, bounds)) {
    reports.push_back({&bound, handler.name, handler.budgetText, handler.budget,
                       handler.headerBytes, handler.perPacket, nullptr,
                       /*occupancy=*/{}, /*tried=*/{}});
    bool holds =
        enforceBudget(engine, {}, reports.back(), input.link, sourceText);
    if (options.format == ReportFormat::Json) {
      json::Object object = reportToJSON(reports.back(), input.link, holds);
      if (witnesses)
        witnesses->addTo(object, bound);
      list.push_back(std::move(object));
    } else if (options.format == ReportFormat::Text) {
      printReport(outs(), reports.back(), input.link, sourceText);
      if (witnesses)
        witnesses->print(outs(), bound);
    }
  }
  if (options.format == ReportFormat::Json)
    outs() << formatv("{0:2}", json::Value(std::move(list))) << "\n";
  if (options.format == ReportFormat::Html) {
    std::vector<std::string> symbols;
    for (const HandlerEntry &handler : input.handlers)
      symbols.push_back(handler.spec.symbol);
    Expected<CodeSize> size = measureCode(elf, symbols);
    if (!size)
      return size.takeError();
    printHtmlReport(outs(), sys::path::filename(options.image), reports,
                    input.link, /*state=*/{}, *size, wholeFile);
  }
  outs().flush();
  engine.render(errs());
  return !engine.hasErrors();
}

/// What the flow-fact file or else the image says, and the functions named on
/// the command line.
static Expected<WcetInput> readInput(const Options &options, StringRef elf) {
  const std::string &source =
      options.facts.empty() ? options.image : options.facts;
  Expected<std::string> text =
      options.facts.empty() ? metadataOf(elf) : readFile(options.facts);
  if (!text)
    return options.facts.empty() ? createFileError(source, text.takeError())
                                 : text.takeError();
  WcetInput input;
  input.isForeign = true;
  if (!text->empty()) {
    Expected<WcetInput> read =
        readWcetInput(*text, /*isForeign=*/!options.facts.empty());
    if (!read)
      return createFileError(source, read.takeError());
    input = std::move(*read);
  }
  for (const std::string &function : options.functions) {
    input.handlers.emplace_back();
    input.handlers.back().spec.symbol = function;
    input.handlers.back().name = "function " + function;
  }
  if (input.handlers.empty())
    return createFileError(
        source, createStringError("no handler is named: use --function=<name> "
                                  "or a file for --facts"));
  return input;
}

static Expected<bool> run(const Options &options) {
  Expected<std::string> elf = readFile(options.image);
  if (!elf)
    return elf.takeError();
  if (elf->empty())
    return createFileError(options.image,
                           createStringError("the file is empty"));
  Expected<WcetInput> input = readInput(options, *elf);
  if (!input)
    return input.takeError();
  Expected<bool> holds = boundAll(*elf, *input, options);
  if (!holds)
    return createFileError(options.image, holds.takeError());
  return holds;
}

static int fail(const Twine &message) {
  errs() << "spinc-wcet: error: " << message << "\n";
  return 1;
}

static int runAction(const Options &options) {
  if (options.action == Action::Help) {
    spinc::wcet::printHelp(outs());
    return 0;
  }
  if (options.action == Action::Version) {
    outs() << "spinc-wcet " SPINC_VERSION "\n";
    return 0;
  }
  Expected<bool> holds = run(options);
  if (!holds)
    return fail(toString(holds.takeError()));
  return *holds ? 0 : 1;
}

int main(int argc, char **argv) {
  std::optional<Options> options = spinc::wcet::parseOptions(
      ArrayRef<const char *>(argv + 1, argv + argc), errs());
  if (!options)
    return 2;
  int status = runAction(*options);
  std::optional<std::string> unwritten = finishStandardOutput();
  return unwritten ? fail(*unwritten) : status;
}
