// The listing of an image: functions, source lines, instructions and costs.
#ifndef SPINC_COMPILER_TOOLS_SPINC_OBJDUMP_LISTING_H
#define SPINC_COMPILER_TOOLS_SPINC_OBJDUMP_LISTING_H

#include "compiler/Wcet/Image.h"
#include "compiler/tools/spinc-objdump/Options.h"

namespace spinc::objdump {

/// An error if a function that `options` names is not in the image.
llvm::Error list(const wcet::Image &image, const Options &options,
                 llvm::raw_ostream &out);

} // namespace spinc::objdump

#endif // SPINC_COMPILER_TOOLS_SPINC_OBJDUMP_LISTING_H
