// The command line as a value. Options.cpp is the only file that knows how
// options are spelled; everything after it reads this struct.
#ifndef SPINC_COMPILER_DRIVER_OPTIONS_H
#define SPINC_COMPILER_DRIVER_OPTIONS_H

#include "compiler/Backend/Ablations.h"
#include "compiler/Wcet/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace spinc::driver {

/// The arrows of the pipeline, in the order in which data flows. Stubs and
/// Report are side exits: stubs of the typed AST, the report of the image.
enum class Stage {
  Tokens,
  Ast,
  TypedAst,
  Stubs,
  Spin,
  SpinOpt,
  LlvmMlir,
  Llvm,
  Asm,
  Obj,
  Report,
  SpinBound,
  Elf,
};

enum class Action { Compile, Help, Version, Explain };

enum class MessageForm { Text, Sarif };

/// Whether machine-applicable repairs are made, or only shown.
enum class FixMode { Off, Write, Dry };

struct Options {
  Action action = Action::Compile;
  std::string explainCode;

  std::string input;
  /// Empty: the default of the stage (see outputPath).
  std::string output;
  Stage emit = Stage::Elf;
  ReportFormat report = ReportFormat::Text;
  /// Declared latency of commands in cycles, for the occupancy.
  unsigned commandLatency = isa::declaredCommandLatency;

  unsigned optLevel = 2;
  bool forSize = false;
  backend::Ablations disabled;
  bool debugInfo = false;
  /// Makes an image even of a program that the prover rejects.
  bool emitRejected = false;

  isa::InstructionSet target = isa::InstructionSet::Pspin;
  /// Gbit/s. Given on the command line, it binds every payload handler.
  unsigned lineRate = 400;
  bool lineRateGiven = false;
  unsigned mtu = 1500;
  unsigned hpus = 32;

  std::vector<std::string> importDirs;
  bool writeDependencies = false;
  std::string dependencyFile;

  bool warningsAreErrors = false;
  bool verifyDiagnostics = false;
  /// Prints how long the passes over MLIR took.
  bool timeReport = false;
  MessageForm messageForm = MessageForm::Text;
  FixMode fix = FixMode::Off;
};

/// Reads the arguments (without the program's name). On a bad command line
/// says what is wrong on `errs` and returns nothing: exit status 2.
std::optional<Options> parseOptions(llvm::ArrayRef<const char *> args,
                                    llvm::raw_ostream &errs);

/// Switches off what does not go with the level: passes that make several loops
/// of one, whose copies need much stack where nothing optimises them.
void disableForLevel(Options &options);

/// The text of --help.
void printHelp(llvm::raw_ostream &os);

/// Where the output goes: `-o`, or the default of the stage. "-" is the
/// standard output.
std::string outputPath(const Options &options);

/// Path of the two files of --emit=stubs without their suffixes.
std::string stubsBase(const Options &options);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_OPTIONS_H
