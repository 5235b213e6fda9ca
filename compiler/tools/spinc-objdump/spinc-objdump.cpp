// spinc-objdump prints the instructions of an image.
// Exit status: 0 printed, 1 bad input, 2 usage.
#include "compiler/Wcet/Image.h"
#include "compiler/tools/Files.h"
#include "compiler/tools/spinc-objdump/Listing.h"
#include "runtime/Support/StandardOutput.h"

using namespace llvm;
using namespace spinc;
using spinc::objdump::Action;
using spinc::objdump::Options;

static Error listFile(const Options &options) {
  Expected<std::string> elf = readFile(options.image);
  if (!elf)
    return elf.takeError();
  if (elf->empty())
    return createFileError(options.image,
                           createStringError("the file is empty"));
  Expected<wcet::Image> image = wcet::Image::parse(*elf);
  if (!image)
    return createFileError(options.image, image.takeError());
  if (Error error = objdump::list(*image, options, outs()))
    return createFileError(options.image, std::move(error));
  return Error::success();
}

static int fail(const Twine &message) {
  errs() << "spinc-objdump: error: " << message << "\n";
  return 1;
}

static int runAction(const Options &options) {
  if (options.action == Action::Help) {
    objdump::printHelp(outs());
    return 0;
  }
  if (options.action == Action::Version) {
    outs() << "spinc-objdump " SPINC_VERSION "\n";
    return 0;
  }
  Error error = listFile(options);
  return error ? fail(toString(std::move(error))) : 0;
}

int main(int argc, char **argv) {
  std::optional<Options> options = objdump::parseOptions(
      ArrayRef<const char *>(argv + 1, argv + argc), errs());
  if (!options)
    return 2;
  int status = runAction(*options);
  std::optional<std::string> unwritten = finishStandardOutput();
  return unwritten ? fail(*unwritten) : status;
}
