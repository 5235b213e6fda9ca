// One compilation and its intermediate results, stage by stage. The stages run
// in the order of Driver.cpp; each returns false when the compilation is over.
#ifndef SPINC_COMPILER_DRIVER_COMPILATION_H
#define SPINC_COMPILER_DRIVER_COMPILATION_H

#include "compiler/AST/Ast.h"
#include "compiler/Backend/Codegen.h"
#include "compiler/Backend/Image.h"
#include "compiler/Backend/Metadata.h"
#include "compiler/Backend/ProgramFacts.h"
#include "compiler/Driver/Session.h"
#include "compiler/Sema/Types.h"
#include "compiler/Wcet/Report.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <functional>
#include <map>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace spinc::driver {

/// Iterations per turn that loops of handlers and functions get in place of the
/// usual ones, by the symbols in the image.
using Unrolling = std::map<std::string, unsigned>;

class Compilation {
public:
  Compilation(const Options &options, llvm::StringRef executable);

  bool read();
  /// Instead of read(): the program's text, under the name of the input.
  void readText(std::string text);

  /// Takes `text` for the source file in place of what the file holds.
  void replaceSource(std::string text) {
    session.replaceSource(std::move(text));
  }

  // FrontEnd.cpp
  bool parse();
  bool analyze();
  bool generate();
  /// When analyze() has failed: tells what the prover finds in the handlers
  /// that the errors leave whole.
  void proveWholeHandlers();

  // MiddleEnd.cpp
  bool startsAsIr() const;
  bool parseIr();
  bool optimizeSpin();
  bool lowerToLlvmDialect();
  bool makeLlvmIr();

  // BackEnd.cpp
  bool emitCode();
  bool link();
  bool boundLockWaits();
  bool boundCycles();
  bool enforceBudgets();
  /// Puts the metadata into the image.
  bool completeImage();
  void writeImage();

  // For BudgetUnrolling.cpp.
  /// Before optimizeSpin().
  void setUnrolling(Unrolling asked) { unrolling = std::move(asked); }
  struct Miss {
    std::string symbol;
    int64_t over = 0; ///< cycles, where it is most over its budget
    bool hasLoops = false;
  };
  /// Who misses a budget of cycles by the bounds.
  std::vector<Miss> findMisses() const;
  /// Whether the code of `symbol`, a handler's or a function's, stays in the
  /// instruction cache while it runs for packet after packet.
  bool staysInCache(const std::string &symbol) const;
  /// What the error of a budget says of other attempts to keep it.
  void noteTried(const std::string &symbol, std::string text) {
    tried[symbol] = std::move(text);
  }
  llvm::StringRef sourceText() const { return source->text(); }

  // For tools that look at a compilation in their own process.
  /// Goes back to the lowered module, to make an image at another level and for
  /// the cores that the options name by now.
  void setOptLevel(unsigned level);
  /// Tells `watcher` of each pass over the dialects that changes the program.
  void watchPasses(std::function<void(llvm::StringRef pass)> watcher) {
    passWatcher = std::move(watcher);
  }
  /// Leaves so many bytes before the handlers, for tests of their bounds.
  void setCodeOffset(unsigned bytes) { codeOffset = bytes; }
  const ast::Program *ast() const { return program.get(); }
  const sema::ProgramInfo &info() const { return types.program(); }
  mlir::ModuleOp spinModule() { return *module; }
  const backend::Bytes &finishedImage() const { return image; }
  llvm::StringRef objectCode() const { return backend::asText(code.bytes); }
  llvm::ArrayRef<HandlerBound> handlerBounds() const { return bounds; }
  const backend::ProgramFacts &programFacts() const { return facts; }
  const Session &state() const { return session; }

  ExitStatus finish() { return session.finish(); }

  /// For the messages at the end, and what repairs them.
  Session &getSession() { return session; }

private:
  /// Writes the text that `print` makes if `--emit` asks for `stage`; true if
  /// the compilation is over.
  bool endsAt(Stage stage, llvm::function_ref<void(llvm::raw_ostream &)> print);
  bool runPasses(llvm::function_ref<void(mlir::OpPassManager &)> build);
  void markUnrolling();
  /// False if something is not proved, or is not allowed.
  bool proveAccesses();
  /// Refuses budgets that no code can keep.
  bool checkBudgets();
  bool parseMlir();
  bool parseLlvm();
  bool checkStack();
  /// Passes behind the spin dialect tell what they tried on marked loops.
  void noteAttempts(const backend::LoopAttempts &attempts);
  bool checkCommandBudget(const backend::HandlerFacts &entry);
  std::string triedFor(const std::string &symbol) const;
  HandlerReport reportOf(size_t handler) const;
  HandlerReport reportOfFunction(size_t function) const;
  /// The bound of one symbol of the image, reported at `place` without one.
  HandlerBound boundOf(const HandlerSpec &spec, SourceRange place,
                       WcetOptions how = {});
  void printReports(llvm::raw_ostream &out, const std::vector<bool> &holds);
  LinkSpec linkSpec() const;
  /// What the prover did not accept and --unsafe-emit-rejected kept.
  std::vector<backend::RejectedAccess> rejectedAccesses() const;
  std::string sourceLine(llvm::StringRef file, int64_t line);
  void writeStubs();

  /// A file or folder that is installed beside the compiler.
  std::string installed(llvm::StringRef name) const;
  /// The name of the program: of its file, without folder and suffix.
  std::string programName() const;

  const Options &options;
  const std::string executable;
  Session session;
  const SourceFile *source = nullptr;

  TypeContext types;
  std::unique_ptr<ast::Program> program;

  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler bridge;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  backend::ProgramFacts facts;
  /// The module before it was lowered, where --emit asks for it.
  mlir::OwningOpRef<mlir::ModuleOp> provedModule;

  backend::CodegenOptions codegen;
  std::unique_ptr<llvm::TargetMachine> machine;
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule;

  std::function<void(llvm::StringRef pass)> passWatcher;
  unsigned codeOffset = 0;
  backend::Code code;
  backend::Bytes image;
  std::vector<HandlerBound> bounds, functionBounds;

  Unrolling unrolling;
  std::map<std::string, std::string> tried;
};

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_COMPILATION_H
