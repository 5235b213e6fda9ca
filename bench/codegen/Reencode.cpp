// codegen-reencode IN OUT: gives an image that clang made with CORE-V
// instructions the encodings of PsPIN, with the compiler's own re-encoder, and
// refuses it if an instruction is left that the card does not have.

#include "compiler/Backend/Image.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;
using namespace spinc::backend;

static Error convert(const char *from, const char *to) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(from);
  if (!file)
    return createStringError(file.getError(), "cannot read '%s'", from);
  Bytes image((*file)->getBufferStart(), (*file)->getBufferEnd());
  if (Error error = reencodeImage(image))
    return error;
  if (Error error =
          checkInstructions(asText(image), spinc::isa::InstructionSet::Pspin))
    return error;
  std::error_code failed;
  ToolOutputFile out(to, failed, sys::fs::OF_None);
  if (failed)
    return createStringError(failed, "cannot write '%s'", to);
  out.os() << asText(image);
  out.keep();
  return Error::success();
}

int main(int argc, char **argv) {
  if (argc != 3) {
    errs() << "usage: codegen-reencode IN OUT\n";
    return 2;
  }
  if (Error error = convert(argv[1], argv[2])) {
    errs() << "codegen-reencode: error: " << toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
