// Linking with LLD in this process. LLD reads and writes files only, so the
// object and the image pass through a temporary directory.
#include "compiler/Backend/Image.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace spinc;
using namespace spinc::backend;

namespace {

Error writeFile(StringRef path, StringRef contents) {
  std::error_code error;
  raw_fd_ostream out(path, error);
  if (error)
    return createStringError(error, "cannot write '" + path + "'");
  out << contents;
  out.close();
  if (out.has_error()) {
    error = out.error();
    out.clear_error();
    return createStringError(error, "cannot write '" + path + "'");
  }
  return Error::success();
}

/// LLD's own words, one line: "undefined symbol: memcpy".
std::string firstLinkerError(StringRef output) {
  SmallVector<StringRef> lines;
  output.split(lines, '\n');
  for (StringRef line : lines) {
    size_t at = line.find("error: ");
    if (at != StringRef::npos)
      return line.substr(at + 7).str();
  }
  return output.trim().str();
}

} // namespace

Expected<Bytes> spinc::backend::linkImage(StringRef object,
                                          StringRef runtimeDir,
                                          isa::InstructionSet set,
                                          unsigned codeOffset,
                                          bool allRoutines) {
  SmallString<128> directory;
  if (std::error_code error =
          sys::fs::createUniqueDirectory("spinc-link", directory))
    return createStringError(error, "cannot make a temporary directory");
  scope_exit cleanUp(
      [&] { sys::fs::remove_directories(directory, /*IgnoreErrors=*/true); });

  std::string objectPath = (directory + "/program.o").str();
  std::string imagePath = (directory + "/image.elf").str();
  std::string startPath = (runtimeDir + "/crt0.o").str();
  std::string layoutPath = (runtimeDir + "/pspin.ld").str();
  std::string mathPath = (runtimeDir + "/libspinmath.a").str();
  for (StringRef part :
       {StringRef(startPath), StringRef(layoutPath), StringRef(mathPath)})
    if (!sys::fs::exists(part))
      return createStringError("the device runtime is incomplete: no '" + part +
                               "'");
  if (Error error = writeFile(objectPath, object))
    return std::move(error);

  std::string offset = "--defsym=__spin_code_offset=" + utostr(codeOffset);
  std::string note = std::string("--defsym=") + isa::corevNote + "=1";
  std::vector<const char *> arguments = {"ld.lld",
                                         "-m",
                                         "elf32lriscv",
                                         "-T",
                                         layoutPath.c_str(),
                                         "--nmagic",
                                         "--build-id=none",
                                         "--fatal-warnings",
                                         "--threads=1",
                                         "--orphan-handling=error",
                                         "--discard-locals",
                                         "--no-relax",
                                         startPath.c_str(),
                                         objectPath.c_str(),
                                         allRoutines ? "--whole-archive"
                                                     : "--no-whole-archive",
                                         mathPath.c_str(),
                                         offset.c_str(),
                                         "-o",
                                         imagePath.c_str()};
  if (set == isa::InstructionSet::Corev)
    arguments.push_back(note.c_str());
  std::string output;
  raw_string_ostream outputStream(output);
  lld::Result result = lld::lldMain(arguments, outputStream, outputStream,
                                    {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return createStringError(firstLinkerError(output));

  auto image = MemoryBuffer::getFile(imagePath, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!image)
    return createStringError(image.getError(), "cannot read the linked image");
  StringRef text = (*image)->getBuffer();
  return Bytes(text.begin(), text.end());
}
