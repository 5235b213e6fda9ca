// --emit=picture: an SVG of a layout and of how packets map onto it.
#ifndef SPINC_COMPILER_DDT_EMIT_PICTURE_H
#define SPINC_COMPILER_DDT_EMIT_PICTURE_H

#include "compiler/Ddt/Layout/Layout.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace spinc::ddt {

/// Three drawings, one colour for each packet (or for each group of packets,
/// if there are many): the message cut into packets of `payload` bytes, how
/// many DMA writes a packet takes, and host memory from the lowest byte of the
/// layout to its highest. Memory is a grid; a cell stands for as many bytes as
/// it takes to keep the grid small, and is as opaque as it is full.
void printPicture(llvm::raw_ostream &out, llvm::StringRef name, Placed layout,
                  int64_t payload);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_EMIT_PICTURE_H
