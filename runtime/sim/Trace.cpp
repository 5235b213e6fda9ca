//===- Trace.cpp - A line of text per instruction -------------------------===//
//
// Columns are fixed, so that traces can be compared with diff.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Trace.h"
#include "runtime/abi/pspin.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace spinc::sim;

std::string spinc::sim::traceLine(const Core &core, const Program &program,
                                  const Image &image, uint64_t time) {
  uint32_t hart = 0;
  core.readCsr(PSPIN_CSR_UHARTID, hart);
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::format("%10llu %u.%u %08x ",
                         static_cast<unsigned long long>(time),
                         hart >> PSPIN_HARTID_CLUSTER_SHIFT,
                         hart & PSPIN_HARTID_HPU_MASK, core.pc)
         << isa::disassemble(program.insnAt(core.pc), core.pc);
  const Image::Place &place = image.placeOf(core.pc);
  if (place.line) {
    constexpr size_t column = 52;
    stream.indent(text.size() < column ? unsigned(column - text.size()) : 1)
        << llvm::sys::path::filename(place.file) << ':' << place.line;
  }
  return text;
}
