// The parameter block, as the host fills it.
#include "compiler/Ddt/Generate/Program.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace spinc::ddt;

std::vector<uint8_t> Program::parameters(uint64_t start) const {
  std::vector<uint8_t> block;
  auto add = [&](uint64_t value, unsigned bytes) {
    block.resize(alignTo(block.size(), bytes));
    for (unsigned i = 0; i < bytes; ++i)
      block.push_back(static_cast<uint8_t>(value >> (8 * i)));
  };
  add(start, 4);
  for (const Table &table : tables)
    for (int64_t value : table.values)
      add(static_cast<uint64_t>(value), table.bytesEach);
  return block;
}

uint64_t Program::hashOfTables(ArrayRef<uint8_t> block) const {
  uint64_t hash = fnvStart;
  size_t at = 4; // behind `start`
  for (const Table &table : tables) {
    at = alignTo(at, table.bytesEach);
    for (uint8_t byte : block.slice(at, table.values.size() * table.bytesEach))
      hash = (hash ^ byte) * fnvFactor;
    at += table.values.size() * table.bytesEach;
  }
  return hash;
}
