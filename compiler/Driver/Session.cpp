// Files and messages of one compilation. Output appears whole or not at all:
// it is written to a temporary beside the target and renamed.
#include "compiler/Driver/Session.h"
#include "compiler/Diagnostics/Explain.h"
#include "compiler/Diagnostics/Sarif.h"
#include "compiler/Diagnostics/Suggest.h"
#include "compiler/Driver/MlirDiagnostics.h"
#include "compiler/Driver/VerifyDiagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::driver;

namespace {

/// A name in a make rule: blanks and dollars need quoting.
void printMakeName(raw_ostream &os, StringRef name) {
  for (char c : name) {
    if (c == ' ' || c == '#')
      os << '\\';
    if (c == '$')
      os << '$';
    os << c;
  }
}

Error writeStream(raw_fd_ostream &out, StringRef contents) {
  out << contents;
  out.flush();
  std::error_code error = out.error();
  out.clear_error();
  return errorCodeToError(error);
}

/// Pipes and devices cannot be renamed over; they are written as they are.
bool isSpecialFile(StringRef path) {
  sys::fs::file_status status;
  return !sys::fs::status(path, status) &&
         status.type() != sys::fs::file_type::regular_file;
}

Error writeSpecialFile(StringRef path, StringRef contents) {
  std::error_code error;
  raw_fd_ostream out(path, error);
  if (error)
    return errorCodeToError(error);
  return writeStream(out, contents);
}

Error writeWhole(StringRef path, StringRef contents) {
  if (path == "-")
    return writeStream(outs(), contents);
  if (sys::fs::is_directory(path))
    return errorCodeToError(std::make_error_code(std::errc::is_a_directory));
  if (isSpecialFile(path))
    return writeSpecialFile(path, contents);
  Expected<sys::fs::TempFile> temporary =
      sys::fs::TempFile::create(path + ".tmp-%%%%%%");
  if (!temporary)
    return temporary.takeError();
  raw_fd_ostream out(temporary->FD, /*shouldClose=*/false);
  if (Error error = writeStream(out, contents))
    return joinErrors(std::move(error), temporary->discard());
  return temporary->keep(path);
}

/// How a message calls an output.
std::string nameOf(StringRef path) {
  return path == "-" ? "the standard output" : ("'" + path + "'").str();
}

/// The last sentence of what LLVM says about a file, without its name.
std::string reasonOf(Error error) {
  std::string reason;
  handleAllErrors(std::move(error), [&](const ErrorInfoBase &info) {
    if (reason.empty())
      reason = info.convertToErrorCode().message();
  });
  return reason;
}

} // namespace

Session::Session(const Options &options) : options(options) {
  diagnostics.setWarningsAreErrors(options.warningsAreErrors);
}

void Session::replaceSource(std::string text) {
  sources.add(options.input, std::move(text));
}

const SourceFile *Session::readSource() {
  if (sys::fs::is_directory(options.input)) {
    fail(diag::CannotRead, options.input, "it is a directory");
    return nullptr;
  }
  std::error_code error;
  const SourceFile *file = sources.load(options.input, error);
  if (!file)
    fail(diag::CannotRead, options.input, error.message());
  return file;
}

bool Session::writeFile(StringRef path, StringRef contents) {
  if (sys::fs::equivalent(path, options.input)) {
    fail(diag::CannotWrite, nameOf(path), "it is the source file");
    return false;
  }
  if (Error error = writeWhole(path, contents)) {
    fail(diag::CannotWrite, nameOf(path), reasonOf(std::move(error)));
    return false;
  }
  return true;
}

void Session::addDependency(StringRef path) {
  dependencies.push_back(path.str());
}

void Session::writeOutput(StringRef contents) {
  writeOutputs({{outputPath(options), contents}});
}

void Session::writeOutputs(ArrayRef<Output> outputs) {
  if (options.verifyDiagnostics || options.fix == FixMode::Dry || failed())
    return;
  if (options.writeDependencies)
    writeDependencies();
  for (const Output &output : outputs)
    if (!failed())
      writeFile(output.path, output.contents);
}

void Session::writeDependencies() {
  std::string rule;
  raw_string_ostream out(rule);
  printMakeName(out, outputPath(options));
  out << ':';
  printMakeName(out << " \\\n  ", options.input);
  for (const std::string &path : dependencies)
    printMakeName(out << " \\\n  ", path);
  out << '\n';
  writeFile(options.dependencyFile, rule);
}

void Session::takeDiagnostic(mlir::Diagnostic &diagnostic) {
  if (reportMlirDiagnostic(diagnostic, sources, diagnostics, codes, program,
                           options.emitRejected))
    return;
  // Only who writes IR by hand can cause an error without a code.
  if (StringRef(options.input).ends_with(".mlir"))
    diagnostics.report(diag::CannotReadIr,
                       sourceRange(diagnostic.getLocation(), sources),
                       options.input, "MLIR: " + diagnostic.str());
  else
    failInternally(diagnostic.str());
}

void Session::failInternally(StringRef message) {
  if (internalError.empty())
    internalError = message.str();
}

bool Session::writeSource(StringRef text) {
  Error error = writeWhole(options.input, text);
  if (!error)
    return true;
  fail(diag::CannotWrite, nameOf(options.input), reasonOf(std::move(error)));
  return false;
}

FixResult
Session::repairs(function_ref<bool(const spinc::Diagnostic &)> wanted) const {
  if (!internalError.empty())
    return {};
  // Files that the command line does not name are not ours to change.
  return applyFixes(diagnostics, [&](const spinc::Diagnostic &diagnostic) {
    return wanted(diagnostic) &&
           all_of(diagnostic.fixIts, [&](const FixIt &fixIt) {
             return fixIt.range.file &&
                    fixIt.range.file->path() == options.input;
           });
  });
}

void Session::printMessages() const {
  if (options.messageForm == MessageForm::Sarif)
    return writeSarif(errs(), diagnostics, {SPINC_VERSION, internalError});
  diagnostics.render(errs(), errs().has_colors());
  if (!internalError.empty())
    errs() << "spinc: internal error: " << internalError << '\n';
}

ExitStatus Session::finish() {
  if (options.verifyDiagnostics && internalError.empty())
    return verifyDiagnostics(sources, diagnostics, errs()) ? Success : Rejected;
  printMessages();
  if (!internalError.empty()) {
    bool isText = options.messageForm == MessageForm::Text;
    writeReproducer(isText ? errs() : nulls(), options, internalError);
    return Internal;
  }
  return diagnostics.hasErrors() ? Rejected : Success;
}

ExitStatus spinc::driver::explain(StringRef code) {
  if (std::optional<StringRef> page = spinc::explain(code)) {
    outs() << *page;
    return Success;
  }
  errs() << "spinc: error: there is no error '" << code << "'";
  if (std::optional<StringRef> near = suggest(code, explainedCodes()))
    errs() << "; did you mean '" << *near << "'?";
  errs() << '\n';
  return BadCommandLine;
}

void spinc::driver::writeReproducer(raw_ostream &out, const Options &options,
                                    StringRef message) {
  int descriptor = -1;
  SmallString<128> path;
  if (sys::fs::createTemporaryFile("spinc-failure", "txt", descriptor, path))
    return;
  raw_fd_ostream file(descriptor, /*shouldClose=*/true);
  file << "spinc failed: " << message << "\ntarget "
       << isa::nameOf(options.target) << ", -O"
       << (options.forSize ? "s" : std::to_string(options.optLevel))
       << ", line rate " << options.lineRate << "G, mtu " << options.mtu
       << ", hpus " << options.hpus << "\nsource " << options.input << ":\n";
  if (auto source = MemoryBuffer::getFile(options.input))
    file << (*source)->getBuffer();
  out << "spinc: this is a bug of the compiler; please report it with the file "
      << path << '\n';
}
