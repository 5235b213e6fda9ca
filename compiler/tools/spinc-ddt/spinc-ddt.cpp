// spinc-ddt turns the description of an MPI datatype into its normal form and
// into handlers for it. Exit status: 0 success, 1 refused, 2 usage.
#include "compiler/Ddt/Description/Reader.h"
#include "compiler/Ddt/Emit/Picture.h"
#include "compiler/Ddt/Emit/Text.h"
#include "compiler/tools/spinc-ddt/Handler.h"
#include "compiler/tools/spinc-ddt/Options.h"
#include "runtime/Support/StandardOutput.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
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

static Error writeFile(const std::string &path, StringRef text) {
  std::error_code error;
  ToolOutputFile out(path, error, sys::fs::OF_None);
  if (error)
    return createStringError(path + ": " + error.message());
  out.os() << text;
  out.os().flush();
  if (out.os().has_error()) {
    std::string reason = out.os().error().message();
    out.os().clear_error();
    return createStringError(path + ": " + reason);
  }
  out.keep();
  return Error::success();
}

/// The description without folder and suffix.
static std::string baseName(const Options &options) {
  return options.input == "-" ? "handler"
                              : sys::path::stem(options.input).str();
}

/// The two files of --emit=stubs without suffix; what they are called is also
/// what one includes the other by.
static std::string stubsBase(const Options &options) {
  std::string base =
      options.output.empty() ? baseName(options) : options.output;
  for (StringRef suffix : {".h", ".c"})
    if (StringRef(base).ends_with(suffix))
      base.resize(base.size() - suffix.size());
  return base;
}

static Error writeStubs(const Options &options, const Handler &handler) {
  std::string base = stubsBase(options);
  if (Error error = writeFile(base + ".h", handler.stubHeader()))
    return error;
  return writeFile(base + ".c", handler.stubSource());
}

/// What --emit asks for, of the layout or of a handler for it.
static Error emit(const Options &options, const Description &description,
                  Placed layout, StringRef executable) {
  std::string text;
  raw_string_ostream out(text);
  std::string path = options.output.empty() ? "-" : options.output;
  switch (options.emit) {
  case Output::Dataloop:
    printDataloop(out, description.name, layout);
    return writeFile(path, text);
  case Output::Blocks:
    printBlocks(out, description.name, layout);
    return writeFile(path, text);
  case Output::Picture:
    printPicture(out, description.name, layout, options.payload);
    return writeFile(path, text);
  default:
    break;
  }
  Handler handler(options, description, layout);
  std::string base = options.emit == Output::Stubs
                         ? sys::path::filename(stubsBase(options)).str()
                         : sys::path::stem(baseName(options)).str();
  if (Error error = handler.make(base, executable))
    return error;
  switch (options.emit) {
  case Output::Spinc:
    return writeFile(path, handler.compiled().program.source);
  case Output::Plan:
    handler.printPlan(out);
    return writeFile(path, text);
  case Output::Stubs:
    return writeStubs(options, handler);
  default:
    return writeFile(options.output.empty() ? base + ".elf" : options.output,
                     handler.image());
  }
}

static Error act(const Options &options, StringRef executable) {
  Expected<Description> description = readFile(options.input);
  if (!description)
    return description.takeError();
  LayoutPool pool;
  Placed layout = normalise(*description, pool, options.normalise);
  if (options.action == Action::Emit)
    return emit(options, *description, layout, executable);
  Handler handler(options, *description, layout);
  if (options.action == Action::Explain) {
    handler.explain(outs());
    return Error::success();
  }
  if (Error error = handler.make(baseName(options), executable))
    return error;
  return handler.verify(outs(), executable);
}

static int checkStandardOutput() {
  std::optional<std::string> unwritten = spinc::finishStandardOutput();
  return unwritten ? fail(*unwritten) : 0;
}

int main(int argc, char **argv) {
  std::optional<Options> options = spinc::ddt::parseOptions(
      ArrayRef<const char *>(argv + 1, argv + argc), errs());
  if (!options)
    return 2;
  if (options->action == Action::Help) {
    spinc::ddt::printHelp(outs());
    return checkStandardOutput();
  }
  if (options->action == Action::Version) {
    outs() << "spinc-ddt " SPINC_VERSION "\n";
    return checkStandardOutput();
  }
  // Only its address counts, to find the executable.
  static const int anchor = 0;
  std::string executable =
      sys::fs::getMainExecutable(argv[0], const_cast<int *>(&anchor));
  if (Error error = act(*options, executable))
    return fail(toString(std::move(error)));
  return checkStandardOutput();
}
