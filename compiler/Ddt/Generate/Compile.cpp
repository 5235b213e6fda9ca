// The stages of the driver, called one by one.
#include "compiler/Ddt/Generate/Compile.h"

#include "compiler/Driver/Compilation.h"
#include "compiler/Stubs/Stubs.h"
#include "compiler/Wcet/SymbolSpace.h"
#include "runtime/abi/portals.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::ddt;

namespace {

bool runStages(driver::Compilation &compilation) {
  return compilation.parse() && compilation.analyze() &&
         compilation.generate() && compilation.optimizeSpin() &&
         compilation.lowerToLlvmDialect() && compilation.makeLlvmIr() &&
         compilation.emitCode() && compilation.link() &&
         compilation.boundCycles() && compilation.enforceBudgets() &&
         compilation.completeImage();
}

/// The compiler refuses what this library has written: show both.
Error refused(const driver::Compilation &compilation, StringRef source) {
  std::string text;
  raw_string_ostream out(text);
  out << "the compiler refuses the generated handler:\n";
  compilation.state().diagnostics.render(out);
  out << compilation.state().internalMessage() << "\n" << source;
  return createStringError(text);
}

/// The bound with the parameters that the program has, for any packet.
int64_t worstOf(const HandlerBound &bound, const Program &program) {
  wcet::SymbolSpace space(bound.symbols);
  for (const Table &table : program.tables)
    if (!table.isArray && space.getRanges().count(table.name))
      space = space.restrict(table.name, {table.values[0], table.values[0]});
  int64_t worst = 0;
  for (const SymbolicCount &cycles : bound.cycles)
    worst = std::max(
        worst, cycles.upperBound(space.getRanges()).value_or(bound.worst));
  return worst;
}

Expected<Compiled> compileOnce(Program program, StringRef base,
                               const CompileOptions &how, bool stubs) {
  driver::Options options;
  options.input = (base + ".spinc").str();
  options.mtu = how.mtu + PORTALS_HEADER_BYTES;
  driver::Compilation compilation(options, how.executable);
  compilation.readText(program.source);
  if (!runStages(compilation))
    return refused(compilation, program.source);
  Compiled made;
  const backend::Bytes &image = compilation.finishedImage();
  made.image.assign(image.begin(), image.end());
  for (const HandlerBound &bound : compilation.handlerBounds())
    if (StringRef(bound.symbol).ends_with("_ph")) {
      made.cycles = bound.cycles;
      made.worst = worstOf(bound, program);
      made.commands = bound.commands;
    }
  if (stubs) {
    Expected<stubs::Files> files =
        stubs::generate(compilation.info(), base, made.image,
                        /*checksTables=*/true);
    if (!files)
      return files.takeError();
    made.stubHeader = std::move(files->header);
    made.stubSource = std::move(files->source);
  }
  made.program = std::move(program);
  return made;
}

} // namespace

Expected<Compiled>
spinc::ddt::compileProgram(function_ref<Program(StringRef budget)> make,
                           StringRef base, const CompileOptions &options) {
  Expected<Compiled> first = compileOnce(make(""), base, options, false);
  if (!first)
    return first.takeError();
  // A budget is one formula; where the bound is a maximum of several, the
  // largest packet takes its constant.
  std::string budget = first->cycles.size() == 1 ? first->cycles[0].budgetText()
                                                 : std::to_string(first->worst);
  // A quotient by a parameter has to have a name (bud-3).
  const std::string quotient = "(p.length / state.divisor)";
  size_t at = budget.find(quotient);
  if (at != std::string::npos)
    budget.replace(at, quotient.size(), "rounds");
  budget = " budget(cycles <= " + budget + ")";
  if (at != std::string::npos)
    budget += " where rounds = p.length / state.divisor";
  return compileOnce(make(budget), base, options, true);
}
