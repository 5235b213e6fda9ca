// `--fix` and `--fix=dry`: compiles, makes the repairs that the messages name,
// and compiles the result, for later stages speak only when earlier ones are
// content.
#ifndef SPINC_COMPILER_DRIVER_FIXPROGRAM_H
#define SPINC_COMPILER_DRIVER_FIXPROGRAM_H

#include "compiler/Driver/Compilation.h"

namespace spinc::driver {

/// `stages` runs one compilation. Prints the messages that are left, or, for
/// `--fix=dry`, those of the program as it is, and the difference.
ExitStatus fixProgram(const Options &options, llvm::StringRef executable,
                      llvm::function_ref<void(Compilation &)> stages);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_FIXPROGRAM_H
