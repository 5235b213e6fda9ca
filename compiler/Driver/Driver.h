// The compiler as one call. Driver.cpp is the table of contents of the project:
// read it first.
#ifndef SPINC_COMPILER_DRIVER_DRIVER_H
#define SPINC_COMPILER_DRIVER_DRIVER_H

#include "compiler/Driver/Options.h"

namespace spinc::driver {

/// Does what a parsed command line asks for; returns the exit status.
/// `executable` is the path of the running program: the device runtime and the
/// standard library are found relative to it.
int run(const Options &options, llvm::StringRef executable);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_DRIVER_H
