// Runs the helper program of a library and reads its answer.
#include "compiler/tools/spinc-ddt/MpiOracle.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace spinc::ddt;

/// The helper program, or nothing if it was not built.
static std::string helperOf(StringRef library, StringRef executable) {
  SmallString<128> path = sys::path::parent_path(executable);
  sys::path::append(path, "spinc-ddt-mpi-" + library);
  return sys::fs::can_execute(path) ? path.str().str() : "";
}

static Expected<json::Value> readJson(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return createFileError(file, buffer.getError());
  return json::parse((*buffer)->getBuffer());
}

/// An empty temporary file that goes with the object.
static Expected<FileRemover> temporary(StringRef suffix,
                                       SmallString<128> &path) {
  if (std::error_code error =
          sys::fs::createTemporaryFile("spinc-ddt", suffix, path))
    return errorCodeToError(error);
  return FileRemover(path);
}

/// The answer of the helper to the description.
static Expected<json::Value> ask(const std::string &helper, StringRef file) {
  Expected<json::Value> given = readJson(file);
  if (!given)
    return given.takeError();
  SmallString<128> question, answer;
  Expected<FileRemover> removeQuestion = temporary("json", question);
  if (!removeQuestion)
    return removeQuestion.takeError();
  Expected<FileRemover> removeAnswer = temporary("json", answer);
  if (!removeAnswer)
    return removeAnswer.takeError();
  std::error_code error;
  raw_fd_ostream(question, error) << *given << '\n';
  if (error)
    return errorCodeToError(error);
  std::string reason;
  int status = sys::ExecuteAndWait(
      helper, {helper, "--seconds=120", "--blocks=4294967295", question.str()},
      std::nullopt, {StringRef(""), answer.str(), StringRef("")}, 0, 0,
      &reason);
  if (status != 0)
    return createStringError(
        formatv("{0} ended with {1} {2}", helper, status, reason));
  return readJson(answer);
}

static Expected<std::vector<Stretch>> blocksOf(const json::Object &answer) {
  for (StringRef trouble : {"error", "died"})
    if (auto text = answer.getString(trouble))
      return createStringError(*text);
  if (answer.getInteger("not_moved").value_or(0) != 0)
    return createStringError("it leaves bytes of the message where they are");
  StringRef unpack = answer.getString("unpack").value_or("same");
  if (unpack != "same")
    return createStringError(unpack);
  std::vector<Stretch> stretches;
  const json::Array *blocks = answer.getArray("blocks");
  for (size_t i = 0; blocks && i < blocks->size(); ++i) {
    const json::Array &block = *(*blocks)[i].getAsArray();
    stretches.push_back({*block[0].getAsInteger(), *block[1].getAsInteger(),
                         *block[2].getAsInteger()});
  }
  return stretches;
}

Expected<std::vector<Stretch>> spinc::ddt::unpackedBy(StringRef library,
                                                      StringRef file,
                                                      StringRef executable) {
  std::string helper;
  for (StringRef name : {"mpich", "openmpi"})
    if (helper.empty() && (library == name || library == "mpi"))
      helper = helperOf(name, executable);
  if (helper.empty())
    return createStringError("spinc-ddt was built without the library '" +
                             library + "'");
  Expected<json::Value> answer = ask(helper, file);
  if (!answer)
    return answer.takeError();
  const json::Object *object = answer->getAsObject();
  Expected<std::vector<Stretch>> stretches =
      blocksOf(object ? *object : json::Object());
  if (!stretches)
    return createStringError(sys::path::filename(helper) + ": " +
                             toString(stretches.takeError()));
  return stretches;
}
