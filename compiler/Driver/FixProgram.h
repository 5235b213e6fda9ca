// `--fix` and `--fix=dry`: compiles, makes the repairs that the messages name,
// and compiles the result, for later stages speak only when earlier ones are
// content.
#ifndef SPINC_COMPILER_DRIVER_FIXPROGRAM_H
#define SPINC_COMPILER_DRIVER_FIXPROGRAM_H

#include "compiler/Driver/Compilation.h"

namespace spinc::driver {

/// Runs one compilation: of a text, or of what the file holds.
using RunCompilation = llvm::function_ref<std::unique_ptr<Compilation>(
    const std::optional<std::string> &)>;

/// Prints the messages that are left, or, for `--fix=dry`, those of the program
/// as it is, and the difference.
ExitStatus fixProgram(const Options &options, RunCompilation compile);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_FIXPROGRAM_H
