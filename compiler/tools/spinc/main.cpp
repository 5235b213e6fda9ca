// The program spinc: reads the command line, runs the compiler, and turns a
// crash of the compiler into exit status 70 with a file for the bug report.
#include "compiler/Driver/Driver.h"
#include "compiler/Driver/Session.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace spinc::driver;

namespace {

[[noreturn]] void dieOf(const char *reason, void *options) {
  llvm::errs() << "spinc: internal error: " << reason << '\n';
  writeReproducer(llvm::errs(), *static_cast<const Options *>(options), reason);
  _exit(Internal);
}

/// A compilation is short and frees most of what it takes: memory that is given
/// back to the system is asked for again at once.
void keepMemory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 4 << 20);
#endif
}

} // namespace

int main(int argc, char **argv) {
  keepMemory();
  llvm::ArrayRef<const char *> arguments(argv + 1, argv + argc);
  std::optional<Options> options = parseOptions(arguments, llvm::errs());
  if (!options)
    return BadCommandLine;

  llvm::install_fatal_error_handler(
      [](void *options, const char *reason, bool) { dieOf(reason, options); },
      &*options);
  llvm::sys::AddSignalHandler(
      [](void *options) { dieOf("the compiler crashed", options); }, &*options);

  // Only its address counts, to find the executable.
  static const int anchor = 0;
  std::string executable =
      llvm::sys::fs::getMainExecutable(argv[0], const_cast<int *>(&anchor));
  return run(*options, executable);
}
