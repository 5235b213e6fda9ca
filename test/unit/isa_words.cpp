// Prints what the instruction table makes of words: one hexadecimal word per
// line in, its text out; with argument `reencode`, the text of its Xpulp twin
// or '-'; with `rows`, a random word and its text for each row with a CORE-V
// twin; with `corev`, its CORE-V word; with `assemble`, the word of each line
// of text or '-'; with `roundtrip`, whether words become text that becomes the
// same words. For tests only.
#include "runtime/isa/Isa.h"
#include <iostream>
#include <random>

using namespace spinc::isa;

static std::string textOf(uint32_t word) {
  Insn insn;
  decode(word, insn);
  return disassemble(insn, 0);
}

/// Operand bits that the row leaves open, at random, several times.
static void printRows() {
  constexpr unsigned rounds = 32;
  std::mt19937 random(1);
  for (unsigned op = 0; op < numOpcodes; ++op) {
    const OpcodeInfo &row = info(Opcode(op));
    for (unsigned round = 0; row.xcvMatch && round < rounds; ++round) {
      uint32_t word = row.xcvMatch | (random() & operandBits(Opcode(op)));
      Insn insn;
      decode(word, insn, InstructionSet::Corev);
      std::cout << std::hex << word << ' ' << disassemble(insn, 0) << '\n';
    }
  }
}

/// No word may be two instructions.
static bool checkOverlap(InstructionSet set) {
  bool good = true;
  for (unsigned a = 0; a < numOpcodes; ++a)
    for (unsigned b = 0; b < a; ++b) {
      const OpcodeInfo &x = info(Opcode(a)), &y = info(Opcode(b));
      std::optional<uint32_t> one = matchOf(Opcode(a), set);
      std::optional<uint32_t> other = matchOf(Opcode(b), set);
      if (one && other && ((*one ^ *other) & x.mask & y.mask) == 0) {
        std::cout << x.mnemonic << " overlaps " << y.mnemonic << " on "
                  << nameOf(set) << '\n';
        good = false;
      }
    }
  return good;
}

/// Random operands of every row, at random places; bits that are none are 0,
/// and setting them changes nothing.
static bool checkRoundTrips(InstructionSet set) {
  constexpr unsigned rounds = 1000;
  std::mt19937 random(1);
  unsigned count = 0;
  for (unsigned op = 0; op < numOpcodes; ++op) {
    std::optional<uint32_t> match = matchOf(Opcode(op), set);
    if (!match)
      continue;
    ++count;
    const OpcodeInfo &row = info(Opcode(op));
    uint32_t operands = operandBits(Opcode(op));
    for (unsigned round = 0; round < rounds; ++round) {
      uint32_t pc = random() & ~1u, noise = random();
      uint32_t word = *match | (random() & operands);
      uint32_t other = word | (noise & ~row.mask & ~operands);
      Insn insn, same;
      if (!decode(word, insn, set) || insn.op != Opcode(op) ||
          encode(insn, set) != word ||
          assemble(disassemble(insn, pc), pc, set) != word ||
          !decode(other, same, set) ||
          disassemble(same, pc) != disassemble(insn, pc)) {
        std::cout << std::hex << word << " at " << pc << ": '"
                  << disassemble(insn, pc) << "' is not read back\n";
        return false;
      }
    }
  }
  std::cout << count << " instructions of " << nameOf(set)
            << " are read back\n";
  return true;
}

/// 16-bit forms read as the 32-bit instruction that they stand for.
static bool checkCompressed() {
  unsigned known = 0;
  for (uint32_t half = 0; half < 0x10000; ++half) {
    Insn insn;
    if ((half & 3) == 3 || !decode(half, insn))
      continue;
    ++known;
    if (assemble(disassemble(insn, 0x100), 0x100) != expandCompressed(half)) {
      std::cout << std::hex << half << ": '" << disassemble(insn, 0x100)
                << "' is not read back\n";
      return false;
    }
  }
  std::cout << known << " 16-bit words are read back\n";
  return true;
}

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "rows") {
    printRows();
    return checkOverlap(InstructionSet::Pspin) &&
                   checkOverlap(InstructionSet::Corev)
               ? 0
               : 1;
  }
  if (mode == "roundtrip")
    return checkRoundTrips(InstructionSet::Pspin) &&
                   checkRoundTrips(InstructionSet::Corev) && checkCompressed()
               ? 0
               : 1;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (mode == "assemble") {
      std::optional<uint32_t> word = assemble(line, 0);
      std::cout << std::hex;
      word ? std::cout << *word << '\n' : std::cout << "-\n";
      continue;
    }
    uint32_t word = uint32_t(std::stoul(line, nullptr, 16));
    if (mode == "corev") {
      Insn insn;
      decode(word, insn);
      std::cout << std::hex << encode(insn, InstructionSet::Corev) << '\n';
      continue;
    }
    if (mode != "reencode") {
      std::cout << textOf(word) << '\n';
      continue;
    }
    std::optional<uint32_t> twin = reencodeXcv(word);
    std::cout << (twin ? textOf(*twin) : "-") << '\n';
  }
  return 0;
}
