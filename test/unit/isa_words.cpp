// Prints what the instruction table makes of words: one hexadecimal word per
// line in, its text out; with argument `reencode`, the text of its Xpulp twin
// or '-'; with `rows`, a random word and its text for each row with a CORE-V
// twin. For tests only.
#include "runtime/isa/Isa.h"
#include <iostream>
#include <random>

using namespace spinc::isa;

static std::string textOf(uint32_t word) {
  Insn insn;
  decode(word, insn);
  return disassemble(insn, 0);
}

/// Operand bits that the row leaves open, at random.
static void printRows() {
  std::mt19937 random(1);
  for (unsigned op = 0; op < numOpcodes; ++op) {
    const OpcodeInfo &row = info(Opcode(op));
    if (row.xcvMatch)
      std::cout << std::hex << (row.xcvMatch | (random() & ~row.mask)) << ' '
                << row.mnemonic << '\n';
  }
}

/// No word may be two instructions.
static bool checkOverlap() {
  bool good = true;
  for (unsigned a = 0; a < numOpcodes; ++a)
    for (unsigned b = 0; b < a; ++b) {
      const OpcodeInfo &x = info(Opcode(a)), &y = info(Opcode(b));
      if (((x.match ^ y.match) & x.mask & y.mask) == 0) {
        std::cout << x.mnemonic << " overlaps " << y.mnemonic << '\n';
        good = false;
      }
    }
  return good;
}

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "rows") {
    printRows();
    return checkOverlap() ? 0 : 1;
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    uint32_t word = uint32_t(std::stoul(line, nullptr, 16));
    if (mode != "reencode") {
      std::cout << textOf(word) << '\n';
      continue;
    }
    std::optional<uint32_t> twin = reencodeXcv(word);
    std::cout << (twin ? textOf(*twin) : "-") << '\n';
  }
  return 0;
}
