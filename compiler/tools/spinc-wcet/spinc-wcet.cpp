// spinc-wcet bounds the cycles of handlers in a linked RV32 image: its own
// metadata, or a file, says which handlers and how often their loops run.
// Exit status: 0 bounds printed and all budgets hold, 1 not, 2 usage.
#include "compiler/Wcet/Metadata.h"
#include "compiler/Wcet/Report.h"
#include "compiler/tools/spinc-wcet/Options.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace spinc;
using spinc::wcet::Action;
using spinc::wcet::Options;

/// A line of a source file, read again for each line: reports are short.
static std::string sourceText(StringRef file, int64_t line) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return "";
  StringRef rest = (*buffer)->getBuffer();
  for (int64_t skip = 1; skip < line && !rest.empty(); ++skip)
    rest = rest.split('\n').second;
  return rest.split('\n').first.str();
}

static json::Object toJSON(const HandlerEntry &handler,
                           const HandlerBound &bound, bool holds) {
  json::Array cycles, lines, loops, assumptions;
  for (const SymbolicCount &count : bound.cycles)
    cycles.push_back(count.toJSON());
  for (const LineCost &line : bound.lines)
    lines.push_back(json::Object{{"file", line.file},
                                 {"line", line.line},
                                 {"each", line.each},
                                 {"executions", line.executions},
                                 {"cycles", line.cycles},
                                 {"instructions", line.instructions}});
  for (const LoopCost &loop : bound.loops)
    loops.push_back(json::Object{{"id", loop.id},
                                 {"line", loop.line},
                                 {"bound", loop.bound.toJSON()},
                                 {"perIteration", loop.perIteration},
                                 {"cycles", loop.cycles}});
  for (const std::string &text : bound.assumptions)
    assumptions.push_back(text);
  json::Object at;
  for (const auto &[name, value] : bound.worstAt)
    at[name] = value;
  json::Object object{{"symbol", bound.symbol},
                      {"budgetHolds", holds},
                      {"cycles", std::move(cycles)},
                      {"formula", printMaximum(bound.cycles)},
                      {"worst", bound.worst},
                      {"worstAt", std::move(at)},
                      {"instructions", bound.instructions},
                      {"commands", bound.commands},
                      {"waits", bound.waits},
                      {"lines", std::move(lines)},
                      {"loops", std::move(loops)},
                      {"assumptions", std::move(assumptions)}};
  if (bound.graph)
    object["graph"] = *bound.graph;
  return object;
}

static Expected<std::string> readFile(const std::string &path) {
  // LLVM reads a folder as far as its first error, without saying which.
  if (sys::fs::is_directory(path))
    return createFileError(path,
                           std::make_error_code(std::errc::is_a_directory));
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createFileError(path, buffer.getError());
  return (*buffer)->getBuffer().str();
}

/// True if every budget holds.
static Expected<bool> boundAll(StringRef elf, const WcetInput &input,
                               const Options &options) {
  DiagnosticEngine engine;
  json::Array list;
  WcetOptions how;
  how.headers = input.headers;
  how.bareMemory = options.bare;
  how.graph = options.graph;
  for (const HandlerEntry &handler : input.handlers) {
    Expected<std::vector<HandlerBound>> bounds =
        boundHandlers(elf, handler.spec, input.loops, how);
    if (!bounds)
      return bounds.takeError();
    HandlerReport report{&bounds->front(), handler.name, handler.budgetText,
                         handler.budget, handler.headerBytes};
    bool holds = enforceBudget(engine, {}, report, input.link, sourceText);
    if (options.json)
      list.push_back(toJSON(handler, bounds->front(), holds));
    else
      printReport(outs(), report, input.link, sourceText);
  }
  if (options.json)
    outs() << formatv("{0:2}", json::Value(std::move(list))) << "\n";
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
  if (!text->empty()) {
    Expected<WcetInput> read = readWcetInput(*text);
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
  // A full disk or a closed pipe is said once.
  outs().flush();
  if (std::error_code error = outs().error()) {
    outs().clear_error();
    return fail("the standard output: " + error.message());
  }
  return status;
}
