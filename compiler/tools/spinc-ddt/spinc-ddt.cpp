// spinc-ddt turns the description of an MPI datatype into its normal form and
// into handlers for it. Exit status: 0 success, 1 refused, 2 usage.
#include "compiler/Ddt/Description/Reader.h"
#include "compiler/Ddt/Emit/Picture.h"
#include "compiler/Ddt/Emit/Text.h"
#include "compiler/tools/spinc-ddt/Options.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;
using namespace spinc::ddt;
using spinc::ddt::Action;
using spinc::ddt::Options;

static int fail(const Twine &message) {
  errs() << "spinc-ddt: error: " << message << "\n";
  return 1;
}

static Expected<Description> readFile(const std::string &path) {
  // LLVM reads a folder as far as its first error, without saying which.
  if (sys::fs::is_directory(path))
    return createFileError(path,
                           std::make_error_code(std::errc::is_a_directory));
  auto buffer = MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer)
    return createFileError(path, buffer.getError());
  return readDescription((*buffer)->getBuffer(),
                         path == "-" ? "<stdin>" : path);
}

static void emit(raw_ostream &out, const Options &options,
                 const Description &description) {
  LayoutPool pool;
  Placed layout = normalise(description, pool, options.normalise);
  switch (options.emit) {
  case Output::Dataloop:
    return printDataloop(out, description.name, layout);
  case Output::Blocks:
    return printBlocks(out, description.name, layout);
  case Output::Picture:
    return printPicture(out, description.name, layout, options.payload);
  }
}

static int run(const Options &options) {
  Expected<Description> description = readFile(options.input);
  if (!description)
    return fail(toString(description.takeError()));
  std::error_code error;
  ToolOutputFile out(options.output, error, sys::fs::OF_Text);
  if (error)
    return fail(options.output + ": " + error.message());
  emit(out.os(), options, *description);
  out.os().flush();
  if (out.os().has_error()) {
    std::string reason = out.os().error().message();
    out.os().clear_error();
    return fail(options.output + ": " + reason);
  }
  out.keep();
  return 0;
}

int main(int argc, char **argv) {
  std::optional<Options> options = spinc::ddt::parseOptions(
      ArrayRef<const char *>(argv + 1, argv + argc), errs());
  if (!options)
    return 2;
  if (options->action == Action::Help) {
    spinc::ddt::printHelp(outs());
    return 0;
  }
  if (options->action == Action::Version) {
    outs() << "spinc-ddt " SPINC_VERSION "\n";
    return 0;
  }
  return run(*options);
}
