// Runs the compiler on generated source, in this process.
#ifndef SPINC_COMPILER_DDT_GENERATE_COMPILE_H
#define SPINC_COMPILER_DDT_GENERATE_COMPILE_H

#include "compiler/Ddt/Generate/Source.h"
#include "compiler/Wcet/SymbolicCount.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace spinc::ddt {

struct CompileOptions {
  /// Beside it lie the device runtime and the standard library.
  std::string executable;
  unsigned mtu = 4096; ///< bytes of payload
};

struct Compiled {
  Program program;
  std::vector<uint8_t> image;
  /// The maximum of these bounds the cycles of the payload handler.
  std::vector<SymbolicCount> cycles;
  int64_t worst = 0; ///< of any packet, with the program's parameters
  int64_t commands = 0;
  /// The files of --emit=stubs: header and source.
  std::string stubHeader, stubSource;
};

/// Compiles what `make` writes for a budget clause, first without one, then
/// with the bound that was found as the budget, so that the source says it.
/// `base` is the name of the stub files without suffix.
llvm::Expected<Compiled>
compileProgram(llvm::function_ref<Program(llvm::StringRef budget)> make,
               llvm::StringRef base, const CompileOptions &options);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_GENERATE_COMPILE_H
