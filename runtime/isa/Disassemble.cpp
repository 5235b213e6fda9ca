//===- Disassemble.cpp - Instructions as text, and back -------------------===//
//
// One pattern per operand format, printed and read.
//
//===----------------------------------------------------------------------===//
#include "runtime/isa/Isa.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace spinc::isa;

static const char *const registerNames[32] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

const char *spinc::isa::registerName(unsigned number) {
  return registerNames[number % 32];
}

/// Operands by pattern: d, 1, 2, 3 registers, i imm, j imm2, u upper
/// immediate, t absolute branch target, x imm2 in hexadecimal, e loop end.
static const char *patternOf(Opcode op) {
  switch (info(op).format) {
  case Format::None:
    return "";
  case Format::R:
  case Format::RAcc:
    return "d, 1, 2";
  case Format::RUnary:
    return "d, 1";
  case Format::RImm:
  case Format::VecImm:
  case Format::VecImmAcc:
  case Format::VecImmU:
  case Format::VecImmUAcc:
  case Format::I:
  case Format::IShift:
    return "d, 1, i";
  case Format::RNorm:
  case Format::RNormAcc:
    return "d, 1, 2, i";
  case Format::RField:
  case Format::RFieldAcc:
    return "d, 1, i, j";
  case Format::U:
    return "d, u";
  case Format::J:
    return "d, t";
  case Format::B:
    return "1, 2, t";
  case Format::BImm:
    return "1, j, t";
  case Format::L:
    return "d, i(1)";
  case Format::LPost:
    return "d, i(1!)";
  case Format::LReg:
    return "d, 2(1)";
  case Format::LPostReg:
    return "d, 2(1!)";
  case Format::S:
    return "2, i(1)";
  case Format::SPost:
    return "2, i(1!)";
  case Format::SReg:
    return "2, 3(1)";
  case Format::SPostReg:
    return "2, 3(1!)";
  case Format::Lr:
    return "d, (1)";
  case Format::Amo:
    return "d, 2, (1)";
  case Format::Csr:
    return "d, x, 1";
  case Format::CsrImm:
    return "d, x, i";
  case Format::LoopImm:
    return op == Opcode::LpCounti ? "j, i" : "j, e";
  case Format::LoopReg:
    return op == Opcode::LpCount ? "j, 1" : "j, 1, e";
  case Format::LoopSetup:
    return "j, i, e";
  }
  return "";
}

static std::string hexadecimal(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", value);
  return text;
}

static std::string operand(char code, const Insn &insn, uint32_t pc) {
  switch (code) {
  case 'd':
    return registerNames[insn.rd];
  case '1':
    return registerNames[insn.rs1];
  case '2':
    return registerNames[insn.rs2];
  case '3':
    return registerNames[insn.rs3];
  case 'i':
    return std::to_string(insn.imm);
  case 'j':
    return std::to_string(insn.imm2);
  case 'u':
    return hexadecimal(uint32_t(insn.imm) >> 12);
  case 't':
    return hexadecimal(pc + insn.imm);
  case 'x':
    return hexadecimal(insn.imm2);
  case 'e': {
    unsigned halves =
        info(insn.op).format == Format::LoopSetup ? insn.rs3 : insn.imm;
    return hexadecimal(pc + (halves << 1));
  }
  default:
    return std::string(1, code);
  }
}

std::string spinc::isa::disassemble(const Insn &insn, uint32_t pc) {
  if (insn.op == Opcode::Invalid)
    return (insn.length == 2 ? ".half " : ".word ") + hexadecimal(insn.word);
  std::string text = info(insn.op).mnemonic;
  const char *pattern = patternOf(insn.op);
  if (*pattern)
    text += ' ';
  for (; *pattern; ++pattern)
    text += operand(*pattern, insn, pc);
  return text;
}

namespace {

/// Reads the operands of one line.
class Reader {
public:
  Reader(const char *text, uint32_t pc) : at(text), pc(pc) {}

  /// One code of a pattern; other characters stand for themselves.
  bool read(char code, Insn &insn);
  bool atEnd() const { return *at == 0; }

private:
  bool readRegister(uint8_t &number);
  bool readNumber(int32_t &value);
  bool readLoopEnd(Insn &insn);

  const char *at;
  uint32_t pc;
};

} // namespace

bool Reader::readRegister(uint8_t &number) {
  size_t length = std::strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
  for (unsigned i = 0; i < 32; ++i)
    if (std::strlen(registerNames[i]) == length &&
        std::strncmp(at, registerNames[i], length) == 0) {
      number = uint8_t(i);
      at += length;
      return true;
    }
  return false;
}

/// Up to 32 bits, signed or not, decimal or 0x….
bool Reader::readNumber(int32_t &value) {
  if (!std::strchr("-0123456789", *at) || *at == 0)
    return false;
  char *end;
  long long read = std::strtoll(at, &end, 0);
  if (end == at || read < INT32_MIN || read > int64_t(UINT32_MAX))
    return false;
  value = int32_t(uint32_t(read));
  at = end;
  return true;
}

bool Reader::readLoopEnd(Insn &insn) {
  int32_t target;
  if (!readNumber(target) || (uint32_t(target) - pc) % 2 != 0)
    return false;
  int32_t halves = int32_t(uint32_t(target) - pc) >> 1;
  if (info(insn.op).format == Format::LoopSetup) {
    insn.rs3 = uint8_t(halves);
    return halves == insn.rs3;
  }
  insn.imm = halves;
  return true;
}

bool Reader::read(char code, Insn &insn) {
  switch (code) {
  case 'd':
    return readRegister(insn.rd);
  case '1':
    return readRegister(insn.rs1);
  case '2':
    return readRegister(insn.rs2);
  case '3':
    return readRegister(insn.rs3);
  case 'i':
    return readNumber(insn.imm);
  case 'j':
  case 'x':
    return readNumber(insn.imm2);
  case 'u': {
    if (!readNumber(insn.imm) || uint32_t(insn.imm) > 0xfffff)
      return false;
    insn.imm = int32_t(uint32_t(insn.imm) << 12);
    return true;
  }
  case 't': {
    if (!readNumber(insn.imm))
      return false;
    insn.imm = int32_t(uint32_t(insn.imm) - pc);
    return true;
  }
  case 'e':
    return readLoopEnd(insn);
  default:
    return *at == code && (++at, true);
  }
}

/// What printing shows is the same: the word holds every operand as it was
/// read.
static bool holds(uint32_t word, const Insn &insn, uint32_t pc,
                  InstructionSet set) {
  Insn decoded;
  return decode(word, decoded, set) && decoded.op == insn.op &&
         disassemble(decoded, pc) == disassemble(insn, pc);
}

std::optional<uint32_t> spinc::isa::assemble(const std::string &text,
                                             uint32_t pc, InstructionSet set) {
  size_t space = text.find(' ');
  std::string mnemonic = text.substr(0, space);
  const char *operands =
      space == std::string::npos ? "" : text.c_str() + space + 1;
  if (mnemonic == ".word" || mnemonic == ".half") {
    Reader reader(operands, pc);
    Insn number;
    if (!reader.read('i', number) || !reader.atEnd())
      return std::nullopt;
    return uint32_t(number.imm);
  }
  for (unsigned op = 0; op < numOpcodes; ++op) {
    Insn insn;
    insn.op = Opcode(op);
    if (mnemonic != info(insn.op).mnemonic || !matchOf(insn.op, set))
      continue;
    Reader reader(operands, pc);
    bool fits = true;
    for (const char *code = patternOf(insn.op); *code && fits; ++code)
      fits = reader.read(*code, insn);
    uint32_t word = encode(insn, set);
    if (fits && reader.atEnd() && holds(word, insn, pc, set))
      return word;
  }
  return std::nullopt;
}
