//===- Disassemble.cpp - Instructions as text -----------------------------===//
//
// One printer per operand format.
//
//===----------------------------------------------------------------------===//
#include "runtime/isa/Isa.h"
#include <cstdio>

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
static const char *patternOf(const Insn &insn) {
  switch (info(insn.op).format) {
  case Format::None:
    return "";
  case Format::R:
  case Format::RAcc:
    return "d, 1, 2";
  case Format::RUnary:
    return "d, 1";
  case Format::RImm:
  case Format::VecImm:
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
    return insn.op == Opcode::LpCounti ? "j, i" : "j, e";
  case Format::LoopReg:
    return insn.op == Opcode::LpCount ? "j, 1" : "j, 1, e";
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
  const char *pattern = patternOf(insn);
  if (*pattern)
    text += ' ';
  for (; *pattern; ++pattern)
    text += operand(*pattern, insn, pc);
  return text;
}
