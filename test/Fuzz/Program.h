// A program in memory, compiled in this process: the front end and the prover
// once, the back end once for each level. What a run of the tools would say is
// here as data.
#ifndef SPINC_TEST_FUZZ_PROGRAM_H
#define SPINC_TEST_FUZZ_PROGRAM_H

#include "compiler/Driver/Compilation.h"
#include "llvm/ADT/StringSet.h"
#include <memory>
#include <string>

namespace spinc::fuzz {

/// A way to make an image.
struct Way {
  unsigned level = 2;
  bool forSize = false;
  isa::InstructionSet target = isa::InstructionSet::Pspin;

  /// The options that ask for it.
  std::string name() const;
};

/// How far a program got.
enum class Verdict {
  Accepted,
  RejectedBySema,    // syntax, names, types, rules
  RejectedByProver,  // an obligation or a loop bound
  RejectedByBackEnd, // stack, budget, cycle bound
  Internal,          // the compiler has erred
};

class Program {
public:
  /// `executable`: beside it lie the device runtime and the standard library.
  /// `forSize`: what every image of it is made for; `disabled`: what is left
  /// out of all of them.
  Program(std::string text, llvm::StringRef executable,
          std::vector<std::string> importDirs = {}, bool forSize = false,
          const backend::Ablations &disabled = {});

  /// What a budget may ask for: so many iterations per turn of every loop. Call
  /// before prove().
  void unrollBy(unsigned iterations) { unrolled = iterations; }
  /// Keeps the names of the passes that change the program. Call before
  /// prove().
  void notePasses() {
    compilation.watchPasses(
        [this](llvm::StringRef pass) { changers.insert(pass); });
  }
  const llvm::StringSet<> &passesThatChanged() const { return changers; }
  /// Everything up to the lowered module. Accepted: images can be made.
  Verdict prove();
  /// The object code; not Accepted if there is none.
  Verdict makeObject(const Way &way);
  llvm::StringRef object() const { return compilation.objectCode(); }
  /// The image of the object code; not Accepted if there is none.
  Verdict makeImage();

  isa::InstructionSet target() const { return options.target; }
  bool analyzed() const { return hasTypes; }
  const std::string &text() const { return source; }
  const ast::Program &ast() const { return *compilation.ast(); }
  const sema::ProgramInfo &info() const { return compilation.info(); }
  const backend::Bytes &image() const { return compilation.finishedImage(); }
  driver::Compilation &stages() { return compilation; }
  const backend::ProgramFacts &facts() const {
    return compilation.programFacts();
  }
  llvm::ArrayRef<HandlerBound> bounds() const {
    return compilation.handlerBounds();
  }
  /// Code of the first error, "" if there is none.
  std::string errorCode() const;
  /// All messages as text.
  std::string messages() const;

private:
  Verdict verdictOf(Verdict rejection) const;

  const std::string source;
  /// The target changes with the images.
  driver::Options options;
  driver::Compilation compilation;
  bool hasTypes = false;
  /// 0: as many as without a budget.
  unsigned unrolled = 0;
  llvm::StringSet<> changers;
};

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_PROGRAM_H
