// --emit=stubs: the host side of a program as one C11 header and source. They
// hold the image, a setup structure per context, the checks of its `where` and
// `contract` conditions, and the calls that install it on a card through
// runtime/host/spin_host.h. May assume that sema::analyze() returned true.
#ifndef SPINC_STUBS_STUBS_H
#define SPINC_STUBS_STUBS_H

#include "compiler/Sema/Info.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace spinc::stubs {

/// The texts of `<program>.h` and `<program>.c`.
struct Files {
  std::string header;
  std::string source;
};

/// `program` is the base name of the two files, without a suffix; `image` the
/// linked ELF of the same program. With `checksTables`, who calls adds
/// `int <Context>_check_tables(const <Context>_params *, spin_error *)` to both
/// files, and nothing is installed that it refuses. Deterministic. Fails,
/// naming it, on a condition that the host cannot check.
llvm::Expected<Files> generate(const sema::ProgramInfo &info,
                               llvm::StringRef program,
                               llvm::ArrayRef<uint8_t> image,
                               bool checksTables = false);

} // namespace spinc::stubs

#endif // SPINC_STUBS_STUBS_H
