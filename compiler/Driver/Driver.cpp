// The order of the stages, one call each. A stage returns false when the
// compilation is over: it failed, or `--emit` named it and its result is
// written. What holds after a stage is said here; how it is done, there.
#include "compiler/Driver/Driver.h"
#include "compiler/Driver/BudgetUnrolling.h"
#include "compiler/Driver/FixProgram.h"
#include "runtime/Support/StandardOutput.h"
#include "llvm/Support/raw_ostream.h"

using namespace spinc::driver;

namespace {

/// From text to a module of the spin dialect. False ends the compilation.
bool runFrontEnd(Compilation &compilation) {
  // Text to tokens to an AST. After this the program is well formed, and each
  // node knows its place in the text.
  if (!compilation.parse())
    return false;

  // Names, types, layouts and the rules of the language. After this every
  // expression has a type and every name its declaration. Where not, handlers
  // without a mistake are proved all the same, so that one run tells more.
  if (!compilation.analyze()) {
    compilation.proveWholeHandlers();
    return false;
  }

  // Handlers as operations. What the program may not do is either gone or an
  // obligation on an operation.
  return compilation.generate();
}

/// From a spin module to RISC-V code. False ends the compilation.
bool runBackEnd(Compilation &compilation) {
  // Prove every access, bound every loop and mark it. After this no check is
  // missing: what could not be proved was an error.
  if (!compilation.optimizeSpin())
    return false;

  // Lower contexts and handlers to functions and globals, and these to LLVM's
  // dialect. After this nothing knows what a packet is.
  if (!compilation.lowerToLlvmDialect())
    return false;

  // LLVM IR, optimised. Loop markers keep every loop recognisable.
  if (!compilation.makeLlvmIr())
    return false;

  // RISC-V instructions in CORE-V encodings, as text or as an object.
  return compilation.emitCode();
}

/// From a source to final code and its bounds. False ends the compilation.
bool runToBounds(Compilation &compilation) {
  // Read the source. From here on every message can name a place.
  if (!compilation.read())
    return false;

  // Files of IR start in the middle of the pipeline.
  bool goesOn = compilation.startsAsIr() ? compilation.parseIr()
                                         : runFrontEnd(compilation);
  if (!goesOn || !runBackEnd(compilation))
    return false;

  // Link with the device runtime, change to the encodings of the card, and
  // look at every instruction. After this the code is final.
  if (!compilation.link())
    return false;

  // Bound the cycles of every handler on the final code.
  return compilation.boundCycles();
}

/// One compilation, of `text` where that is not what the file holds.
std::unique_ptr<Compilation> runStages(const Options &options,
                                       llvm::StringRef executable,
                                       const std::optional<std::string> &text) {
  auto compilation = std::make_unique<Compilation>(options, executable);
  if (text)
    compilation->replaceSource(*text);
  if (!runToBounds(*compilation))
    return compilation;

  // Where only budgets are missed, look for other unrolling that keeps them:
  // the same stages again. After this the code is chosen.
  compilation = unrollForBudgets(std::move(compilation), options, executable,
                                 runToBounds);

  // Hold the bounds against the budgets (bud-5). After this the program is
  // accepted. Put the metadata into the image, and write the image or the
  // host's side.
  if (compilation->enforceBudgets())
    compilation->writeImage();
  return compilation;
}

ExitStatus compile(const Options &options, llvm::StringRef executable) {
  auto run = [&](const std::optional<std::string> &text) {
    return runStages(options, executable, text);
  };
  // Compile, repair and compile again as long as that helps.
  if (options.fix != FixMode::Off)
    return fixProgram(options, run);

  // Print the messages, or compare them with what the source expects.
  return run(std::nullopt)->finish();
}

int checkStandardOutput(int status) {
  std::optional<std::string> unwritten = spinc::finishStandardOutput();
  if (!unwritten)
    return status;
  llvm::errs() << "spinc: error: " << *unwritten << " [E0702]\n";
  return Rejected;
}

} // namespace

int spinc::driver::run(const Options &options, llvm::StringRef executable) {
  switch (options.action) {
  case Action::Help:
    printHelp(llvm::outs());
    return checkStandardOutput(Success);
  case Action::Version:
    llvm::outs() << "spinc " SPINC_VERSION "\n";
    return checkStandardOutput(Success);
  case Action::Explain:
    return checkStandardOutput(explain(options.explainCode));
  case Action::Compile:
    return compile(options, executable);
  }
  return Internal;
}
