// The order of the stages, one call each. A stage returns false when the
// compilation is over: it failed, or `--emit` named it and its result is
// written. What holds after a stage is said here; how it is done, there.
#include "compiler/Driver/Driver.h"
#include "compiler/Driver/Compilation.h"
#include "llvm/Support/raw_ostream.h"

using namespace spinc::driver;

namespace {

ExitStatus compile(const Options &options, llvm::StringRef executable) {
  Compilation compilation(options, executable);

  // Read the source. From here on every message can name a place.
  if (!compilation.read())
    return compilation.finish();

  // IR to a spin module, for files that start in the middle of the pipeline.
  if (!compilation.parseIr())
    return compilation.finish();

  // Prove every access, bound every loop and mark it. After this no check is
  // missing: what could not be proved was an error.
  if (!compilation.optimizeSpin())
    return compilation.finish();

  // Lower contexts and handlers to functions and globals, and these to LLVM's
  // dialect. After this nothing knows what a packet is.
  if (!compilation.lowerToLlvmDialect())
    return compilation.finish();

  // LLVM IR, optimised. Loop markers keep every loop recognisable.
  if (!compilation.makeLlvmIr())
    return compilation.finish();

  // RISC-V instructions in CORE-V encodings, as text or as an object.
  if (!compilation.emitCode())
    return compilation.finish();

  // Link with the device runtime, change to the encodings of the card, and
  // look at every instruction. After this the code is final.
  if (!compilation.link())
    return compilation.finish();

  // Write the metadata that host and simulator read into the image.
  compilation.writeImage();
  return compilation.finish();
}

} // namespace

int spinc::driver::run(const Options &options, llvm::StringRef executable) {
  switch (options.action) {
  case Action::Help:
    printHelp(llvm::outs());
    return Success;
  case Action::Version:
    llvm::outs() << "spinc " SPINC_VERSION "\n";
    return Success;
  case Action::Explain:
  case Action::Compile:
    break;
  }
  return compile(options, executable);
}
