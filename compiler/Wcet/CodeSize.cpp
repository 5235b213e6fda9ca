// See CodeSize.h.
#include "compiler/Wcet/CodeSize.h"
#include "compiler/Wcet/FlowGraph.h"
#include "runtime/abi/pspin.h"
#include "runtime/isa/Contention.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

/// The runtime's loop from one handler to the next.
static constexpr const char *runtimeLoop = "hpu_run";

bool HandlerSize::fits() const { return cached <= isa::icacheBytes; }

namespace {

class Measure {
public:
  explicit Measure(const Image &image) : image(image) {}

  void measureRange(uint32_t begin, uint32_t end);
  void sortLines();
  Expected<HandlerSize> measureHandler(const std::string &symbol);

  CodeSize size;

private:
  /// Notes where the function at `entry` and all that it calls have code.
  Error reach(uint32_t entry, std::set<uint32_t> &entries);

  const Image &image;
  std::map<uint32_t, uint32_t> lengths; ///< of the instructions, by address
  std::map<std::string, std::map<SourceLine, unsigned>> lines;
  std::map<std::string, std::pair<uint32_t, uint32_t>> places;
};

} // namespace

void Measure::measureRange(uint32_t begin, uint32_t end) {
  for (uint32_t at = begin; at + 2 <= end;) {
    std::string name = image.functionBeginningAt(at);
    if (!name.empty() || size.functions.empty()) {
      size.functions.push_back({name.empty() ? "the runtime" : name, 0, {}});
      places[size.functions.back().name] = {at, at};
    }
    FunctionSize &function = size.functions.back();
    // Only the length counts; damaged code has been refused before.
    unsigned length = (*image.codeAt(at) & 3) == 3 ? 4 : 2;
    function.bytes += length;
    SourceLine line = image.lineAt(at);
    if (line.line > 0)
      lines[function.name][line] += length;
    at += length;
    places[function.name].second = at;
  }
  size.bytes = std::max(size.bytes, end - PSPIN_PROGRAM_BASE);
}

void Measure::sortLines() {
  for (FunctionSize &function : size.functions)
    for (const auto &[line, bytes] : lines[function.name])
      function.lines.push_back({line, bytes});
}

Error Measure::reach(uint32_t entry, std::set<uint32_t> &entries) {
  if (!entries.insert(entry).second)
    return Error::success();
  Expected<FlowGraph> graph = FlowGraph::build(image, entry);
  if (!graph)
    return graph.takeError();
  for (const Block &block : graph->blocks)
    if (block.callee)
      if (Error error = reach(*block.callee, entries))
        return error;
  return Error::success();
}

Expected<HandlerSize> Measure::measureHandler(const std::string &symbol) {
  HandlerSize handler;
  handler.symbol = symbol;
  std::optional<uint32_t> entry = image.findFunction(symbol);
  if (!entry)
    return createStringError("the image has no function '" + symbol + "'");
  std::set<uint32_t> entries;
  if (Error error = reach(*entry, entries))
    return std::move(error);
  if (std::optional<uint32_t> loop = image.findFunction(runtimeLoop))
    entries.insert(*loop);
  std::set<uint32_t> cacheLines;
  for (uint32_t function : entries) {
    auto [begin, end] = places[image.functionBeginningAt(function)];
    if (function == *entry)
      handler.bytes = end - begin;
    handler.withRuntime += end - begin;
    for (uint32_t line = begin / isa::icacheLineBytes;
         line * isa::icacheLineBytes < end; ++line)
      cacheLines.insert(line);
  }
  handler.cached = unsigned(cacheLines.size()) * isa::icacheLineBytes;
  return handler;
}

Expected<CodeSize> spinc::measureCode(StringRef elf,
                                      ArrayRef<std::string> handlers) {
  Expected<Image> image = Image::parse(elf);
  if (!image)
    return image.takeError();
  Measure measure(*image);
  for (auto [begin, end] : image->codeRanges())
    measure.measureRange(begin, end);
  measure.sortLines();
  for (const std::string &symbol : handlers) {
    Expected<HandlerSize> handler = measure.measureHandler(symbol);
    if (!handler)
      return handler.takeError();
    measure.size.handlers.push_back(*handler);
  }
  return std::move(measure.size);
}

void spinc::printCodeSize(
    raw_ostream &out, const CodeSize &size,
    function_ref<std::string(StringRef, int64_t)> sourceText) {
  out << formatv("code: {0} of {1} bytes of program memory\n", size.bytes,
                 PSPIN_PROGRAM_SIZE);
  for (const HandlerSize &handler : size.handlers)
    out << formatv("  {0}: {1} bytes; with what it calls and the runtime {2}, "
                   "{3} of the {4} bytes of the instruction cache{5}\n",
                   handler.symbol, handler.bytes, handler.withRuntime,
                   handler.cached, isa::icacheBytes,
                   handler.fits() ? "" : ": it does not fit");
  out << "    bytes  function, line\n";
  for (const FunctionSize &function : size.functions) {
    out << formatv("  {0,7}  {1}\n", function.bytes, function.name);
    for (const LineSize &line : function.lines)
      out << formatv(
          "  {0,7}    {1}:{2}  {3}\n", line.bytes,
          sys::path::filename(line.line.file), line.line.line,
          StringRef(sourceText(line.line.file, line.line.line)).trim());
  }
}

json::Object spinc::codeSizeToJSON(const CodeSize &size) {
  json::Array functions, handlers;
  for (const FunctionSize &function : size.functions) {
    json::Array lines;
    for (const LineSize &line : function.lines)
      lines.push_back(json::Object{{"file", line.line.file},
                                   {"line", line.line.line},
                                   {"bytes", line.bytes}});
    functions.push_back(json::Object{{"name", function.name},
                                     {"bytes", function.bytes},
                                     {"lines", std::move(lines)}});
  }
  for (const HandlerSize &handler : size.handlers)
    handlers.push_back(json::Object{{"symbol", handler.symbol},
                                    {"bytes", handler.bytes},
                                    {"withRuntime", handler.withRuntime},
                                    {"cached", handler.cached},
                                    {"fits", handler.fits()}});
  return json::Object{{"bytes", size.bytes},
                      {"programMemory", PSPIN_PROGRAM_SIZE},
                      {"instructionCache", isa::icacheBytes},
                      {"handlers", std::move(handlers)},
                      {"functions", std::move(functions)}};
}
