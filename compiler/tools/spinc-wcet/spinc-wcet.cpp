// spinc-wcet bounds the cycles of handlers in a linked RV32 image: its own
// metadata, or a file, says which handlers and how often their loops run.
// Exit status: 0 bounds printed and all budgets hold, 1 not, 2 usage.
#include "compiler/Wcet/Metadata.h"
#include "compiler/Wcet/Report.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace spinc;

namespace {
/// The command line; llvm::cl wants these to outlive parsing only.
struct CommandLine {
  cl::OptionCategory category{"spinc-wcet options"};
  cl::opt<std::string> image{cl::Positional, cl::desc("<image.elf>"),
                             cl::Required, cl::cat(category)};
  cl::opt<std::string> loops{
      "loops",
      cl::desc("JSON file with the lists 'handlers' and 'loops', in "
               "place of the image's metadata"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> json{"json", cl::desc("print the bounds as JSON"),
                     cl::cat(category)};
};
} // namespace

/// A line of a source file, read again for each line: reports are short.
static std::string sourceText(StringRef file, int64_t line) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return "";
  StringRef rest = (*buffer)->getBuffer();
  for (int64_t skip = 1; skip < line; ++skip)
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
  return json::Object{{"symbol", bound.symbol},
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
}

static Expected<bool> run(const CommandLine &options) {
  auto open = [](const std::string &path) -> Expected<std::string> {
    auto buffer = MemoryBuffer::getFile(path);
    if (!buffer)
      return createStringError(buffer.getError(), "cannot read '%s'",
                               path.c_str());
    return (*buffer)->getBuffer().str();
  };
  Expected<std::string> elf = open(options.image);
  if (!elf)
    return elf.takeError();
  Expected<std::string> text =
      options.loops.empty() ? metadataOf(*elf) : open(options.loops);
  if (!text)
    return text.takeError();
  if (text->empty())
    return createStringError(
        "the image has no metadata: name its handlers with --loops=FILE");
  Expected<WcetInput> input = readWcetInput(*text);
  if (!input)
    return input.takeError();

  DiagnosticEngine engine;
  json::Array list;
  for (const HandlerEntry &handler : input->handlers) {
    Expected<std::vector<HandlerBound>> bounds =
        boundHandlers(*elf, handler.spec, input->loops);
    if (!bounds)
      return bounds.takeError();
    HandlerReport report{&bounds->front(), handler.name, handler.budgetText,
                         handler.budget, handler.headerBytes};
    bool holds = enforceBudget(engine, {}, report, input->link, sourceText);
    if (options.json)
      list.push_back(toJSON(handler, bounds->front(), holds));
    else
      printReport(outs(), report, input->link, sourceText);
  }
  if (options.json)
    outs() << formatv("{0:2}", json::Value(std::move(list))) << "\n";
  outs().flush();
  engine.render(errs());
  return !engine.hasErrors();
}

int main(int argc, char **argv) {
  CommandLine options;
  cl::HideUnrelatedOptions(options.category);
  if (!cl::ParseCommandLineOptions(argc, argv, "bounds handler cycles\n",
                                   &errs()))
    return 2;
  Expected<bool> result = run(options);
  if (result)
    return *result ? 0 : 1;
  errs() << "spinc-wcet: error: " << toString(result.takeError()) << "\n";
  return 1;
}
