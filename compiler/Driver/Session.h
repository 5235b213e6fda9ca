// What the stages of one compilation share: the sources, the messages, the
// output and the bridge by which messages of MLIR become ours.
#ifndef SPINC_COMPILER_DRIVER_SESSION_H
#define SPINC_COMPILER_DRIVER_SESSION_H

#include "compiler/AST/Ast.h"
#include "compiler/Diagnostics/ApplyFixes.h"
#include "compiler/Driver/Options.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/StringSaver.h"

namespace mlir {
class Diagnostic;
} // namespace mlir

namespace spinc::driver {

/// What main returns. An internal error is a bug of the compiler.
enum ExitStatus {
  Success = 0,
  Rejected = 1,
  BadCommandLine = 2,
  Internal = 70
};

class Session {
public:
  explicit Session(const Options &options);

  /// The text of the source file, in place of what the file holds.
  void replaceSource(std::string text);

  /// The source file, valid UTF-8 or not; null, with a diagnostic, if it
  /// cannot be read.
  const SourceFile *readSource();

  /// A file that the program was made from, beside the source.
  void addDependency(llvm::StringRef path);

  struct Output {
    std::string path;
    llvm::StringRef contents;
  };
  /// Writes what a stage made to the output of the command line, each file all
  /// or nothing, and the dependency file. Call at most once.
  void writeOutput(llvm::StringRef contents);
  void writeOutputs(llvm::ArrayRef<Output> outputs);

  /// Reports an LLVM error under the driver's own code.
  template <typename... Arguments>
  void fail(const DiagnosticSpec<void(Arguments...)> &spec,
            std::common_type_t<Arguments>... arguments) {
    diagnostics.report(spec, SourceRange(), arguments...);
  }

  /// Takes over a diagnostic of MLIR. Those of our passes begin with "E0401: ";
  /// any other about a spinc program means that the compiler has erred.
  void takeDiagnostic(mlir::Diagnostic &diagnostic);

  /// The compiler has erred; finish() tells the user.
  void failInternally(llvm::StringRef message);

  bool failed() const {
    return diagnostics.hasErrors() || !internalError.empty();
  }

  /// What failInternally was told first; empty if nothing.
  llvm::StringRef internalMessage() const { return internalError; }

  /// Prints or verifies the messages and says how the program ends.
  ExitStatus finish();

  /// Writes a repaired source file; false, with a diagnostic, if it cannot be
  /// written.
  bool writeSource(llvm::StringRef text);

  /// The repairs of the source file that the messages name.
  FixResult repairs(llvm::function_ref<bool(const Diagnostic &)> wanted) const;

  const Options &options;
  SourceManager sources;
  DiagnosticEngine diagnostics;
  /// The program as the messages may repair it; null before it is parsed.
  const ast::Program *program = nullptr;

private:
  void printMessages() const;
  bool writeFile(llvm::StringRef path, llvm::StringRef contents);
  void writeDependencies();

  llvm::BumpPtrAllocator codeMemory;
  llvm::StringSaver codes{codeMemory};
  std::vector<std::string> dependencies;
  std::string internalError;
};

/// --explain: prints the page of an error code.
ExitStatus explain(llvm::StringRef code);

/// Writes a file that lets others repeat a failure, and says so on `out`.
void writeReproducer(llvm::raw_ostream &out, const Options &options,
                     llvm::StringRef message);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_SESSION_H
