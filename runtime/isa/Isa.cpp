//===- Isa.cpp - Encoding and decoding ------------------------------------===//
//
// The table of rows, the decoder over it and what follows from formats alone.
//
//===----------------------------------------------------------------------===//
#include "runtime/isa/Isa.h"
#include <array>
#include <cstring>

using namespace spinc::isa;

namespace {

constexpr OpcodeInfo rows[numOpcodes + 1] = {
#define INSN(Id, Mnemonic, F, Mask, Match, Xcv, T, K, ...)                     \
  {Mnemonic, Format::F, Mask, Match, Xcv, TimingClass::T, Kind::K},
#include "runtime/isa/insns/all.def"
#undef INSN
    {"invalid", Format::None, 0, 1, 0, TimingClass::Hang, Kind::Hang}};

constexpr uint32_t matchIn(const OpcodeInfo &row, InstructionSet set) {
  return set == InstructionSet::Corev && row.xcvMatch ? row.xcvMatch
                                                      : row.match;
}

/// Rows without a CORE-V twin are those of the base instruction set, hardware
/// loops and, on PsPIN, the floating-point ones that stop it.
constexpr bool isIn(const OpcodeInfo &row, InstructionSet set) {
  return set == InstructionSet::Pspin || row.xcvMatch ||
         (row.kind != Kind::HwLoop && row.kind != Kind::Hang);
}

/// Rows sorted by major opcode (bits 6:2), so that decoding tries few.
struct Buckets {
  std::array<uint16_t, numOpcodes> order{};
  std::array<uint16_t, 33> first{};
};

constexpr Buckets makeBuckets(InstructionSet set) {
  Buckets buckets;
  for (unsigned op = 0; op < numOpcodes; ++op)
    if (isIn(rows[op], set))
      ++buckets.first[(matchIn(rows[op], set) >> 2 & 31) + 1];
  for (unsigned major = 0; major < 32; ++major)
    buckets.first[major + 1] += buckets.first[major];
  std::array<uint16_t, 32> next{};
  for (unsigned op = 0; op < numOpcodes; ++op) {
    if (!isIn(rows[op], set))
      continue;
    unsigned major = matchIn(rows[op], set) >> 2 & 31;
    buckets.order[buckets.first[major] + next[major]++] = op;
  }
  return buckets;
}

constexpr Buckets bucketsOf[] = {makeBuckets(InstructionSet::Pspin),
                                 makeBuckets(InstructionSet::Corev)};

constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((1u << (high - low + 1)) - 1);
}

constexpr int32_t signExtend(uint32_t value, unsigned width) {
  return int32_t(value << (32 - width)) >> (32 - width);
}

int32_t branchOffset(uint32_t word) {
  return signExtend(bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 |
                        bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1,
                    13);
}

int32_t jumpOffset(uint32_t word) {
  return signExtend(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 |
                        bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1,
                    21);
}

int32_t storeOffset(uint32_t word) {
  return signExtend(bits(word, 31, 25) << 5 | bits(word, 11, 7), 12);
}

uint32_t laneImmediate(uint32_t word) {
  return bits(word, 24, 20) << 1 | bits(word, 25, 25);
}

/// What the fields of a format are used for.
struct Fields {
  bool rd : 1, rs1 : 1, rs2 : 1, rs3 : 1, writesRs1 : 1;
};

Fields fieldsOf(Format format) {
  switch (format) {
  case Format::None:
  case Format::LoopImm:
  case Format::LoopSetup:
    return {0, 0, 0, 0, 0};
  case Format::U:
  case Format::J:
  case Format::CsrImm:
    return {1, 0, 0, 0, 0};
  case Format::RUnary:
  case Format::RImm:
  case Format::RField:
  case Format::VecImm:
  case Format::VecImmU:
  case Format::I:
  case Format::IShift:
  case Format::L:
  case Format::Lr:
  case Format::Csr:
    return {1, 1, 0, 0, 0};
  case Format::RFieldAcc:
  case Format::VecImmAcc:
  case Format::VecImmUAcc:
    return {1, 1, 0, 1, 0};
  case Format::R:
  case Format::RNorm:
  case Format::LReg:
  case Format::Amo:
    return {1, 1, 1, 0, 0};
  case Format::RAcc:
  case Format::RNormAcc:
    return {1, 1, 1, 1, 0};
  case Format::LPost:
    return {1, 1, 0, 0, 1};
  case Format::LPostReg:
    return {1, 1, 1, 0, 1};
  case Format::B:
  case Format::S:
    return {0, 1, 1, 0, 0};
  case Format::SPost:
    return {0, 1, 1, 0, 1};
  case Format::SReg:
    return {0, 1, 1, 1, 0};
  case Format::SPostReg:
    return {0, 1, 1, 1, 1};
  case Format::BImm:
  case Format::LoopReg:
    return {0, 1, 0, 0, 0};
  }
  return {0, 0, 0, 0, 0};
}

void decodeImmediates(Format format, uint32_t word, Insn &insn) {
  switch (format) {
  case Format::RImm:
  case Format::IShift:
    insn.imm = bits(word, 24, 20);
    break;
  case Format::RNorm:
  case Format::RNormAcc:
    insn.imm = bits(word, 29, 25);
    break;
  case Format::RField:
  case Format::RFieldAcc:
    insn.imm = bits(word, 29, 25);
    insn.imm2 = bits(word, 24, 20);
    break;
  case Format::VecImm:
  case Format::VecImmAcc:
    insn.imm = signExtend(laneImmediate(word), 6);
    break;
  case Format::VecImmU:
  case Format::VecImmUAcc:
    insn.imm = laneImmediate(word);
    break;
  case Format::I:
  case Format::L:
  case Format::LPost:
    insn.imm = signExtend(bits(word, 31, 20), 12);
    break;
  case Format::S:
  case Format::SPost:
    insn.imm = storeOffset(word);
    break;
  case Format::U:
    insn.imm = word & 0xfffff000;
    break;
  case Format::J:
    insn.imm = jumpOffset(word);
    break;
  case Format::BImm:
    insn.imm2 = signExtend(bits(word, 24, 20), 5);
    insn.imm = branchOffset(word);
    break;
  case Format::B:
    insn.imm = branchOffset(word);
    break;
  case Format::CsrImm:
    insn.imm = bits(word, 19, 15);
    insn.imm2 = bits(word, 31, 20);
    break;
  case Format::Csr:
    insn.imm2 = bits(word, 31, 20);
    break;
  case Format::LoopSetup:
    insn.rs3 = bits(word, 19, 15);
    insn.imm = bits(word, 31, 20);
    insn.imm2 = bits(word, 7, 7);
    break;
  case Format::LoopImm:
  case Format::LoopReg:
    insn.imm = bits(word, 31, 20);
    insn.imm2 = bits(word, 7, 7);
    break;
  default:
    break;
  }
}

/// `value` into bits high to low of a word.
constexpr uint32_t place(uint32_t value, unsigned high, unsigned low) {
  return bits(value, high - low, 0) << low;
}

uint32_t placeBranchOffset(uint32_t offset) {
  return place(offset >> 12, 31, 31) | place(offset >> 11, 7, 7) |
         place(offset >> 5, 30, 25) | place(offset >> 1, 11, 8);
}

/// The inverse of decodeImmediates.
uint32_t encodeImmediates(Format format, const Insn &insn) {
  uint32_t imm = insn.imm, imm2 = insn.imm2;
  switch (format) {
  case Format::RImm:
  case Format::IShift:
    return place(imm, 24, 20);
  case Format::RNorm:
  case Format::RNormAcc:
    return place(imm, 29, 25);
  case Format::RField:
  case Format::RFieldAcc:
    return place(imm, 29, 25) | place(imm2, 24, 20);
  case Format::VecImm:
  case Format::VecImmAcc:
  case Format::VecImmU:
  case Format::VecImmUAcc:
    return place(imm >> 1, 24, 20) | place(imm, 25, 25);
  case Format::I:
  case Format::L:
  case Format::LPost:
    return place(imm, 31, 20);
  case Format::S:
  case Format::SPost:
    return place(imm >> 5, 31, 25) | place(imm, 11, 7);
  case Format::U:
    return imm & 0xfffff000;
  case Format::J:
    return place(imm >> 20, 31, 31) | place(imm >> 12, 19, 12) |
           place(imm >> 11, 20, 20) | place(imm >> 1, 30, 21);
  case Format::B:
    return placeBranchOffset(imm);
  case Format::BImm:
    return placeBranchOffset(imm) | place(imm2, 24, 20);
  case Format::CsrImm:
    return place(imm, 19, 15) | place(imm2, 31, 20);
  case Format::Csr:
    return place(imm2, 31, 20);
  case Format::LoopSetup:
    return place(insn.rs3, 19, 15) | place(imm, 31, 20) | place(imm2, 7, 7);
  case Format::LoopImm:
  case Format::LoopReg:
    return place(imm, 31, 20) | place(imm2, 7, 7);
  default:
    return 0;
  }
}

/// The operands of an instruction where `format` has them.
uint32_t encodeOperands(Format format, const Insn &insn) {
  Fields fields = fieldsOf(format);
  uint32_t word = encodeImmediates(format, insn);
  if (fields.rd)
    word |= place(insn.rd, 11, 7);
  else if (fields.rs3)
    word |= place(insn.rs3, 11, 7);
  if (fields.rs1)
    word |= place(insn.rs1, 19, 15);
  if (fields.rs2)
    word |= place(insn.rs2, 24, 20);
  return word;
}

/// CORE-V counts the end of a loop in words, to behind its last instruction,
/// which has four bytes; PsPIN in half-words to that instruction.
int32_t loopEndFromWords(int32_t words) { return 2 * words - 2; }
int32_t loopEndToWords(int32_t halves) { return (halves + 2) / 2; }

void decodeCorevLoop(Insn &insn) {
  if (insn.op == Opcode::LpStarti)
    insn.imm *= 2;
  else if (insn.op == Opcode::LpEndi || insn.op == Opcode::LpSetup)
    insn.imm = loopEndFromWords(insn.imm);
  else if (insn.op == Opcode::LpSetupi)
    insn.rs3 = uint8_t(loopEndFromWords(insn.rs3));
}

Insn encodeCorevLoop(Insn insn) {
  if (insn.op == Opcode::LpStarti)
    insn.imm /= 2;
  else if (insn.op == Opcode::LpEndi || insn.op == Opcode::LpSetup)
    insn.imm = loopEndToWords(insn.imm);
  else if (insn.op == Opcode::LpSetupi)
    insn.rs3 = uint8_t(loopEndToWords(insn.rs3));
  return insn;
}

bool decodeWord(uint32_t word, Insn &insn, InstructionSet set) {
  const Buckets &buckets = bucketsOf[unsigned(set)];
  unsigned major = word >> 2 & 31;
  for (unsigned i = buckets.first[major]; i < buckets.first[major + 1]; ++i) {
    const OpcodeInfo &row = rows[buckets.order[i]];
    if ((word & row.mask) != matchIn(row, set))
      continue;
    insn.op = Opcode(buckets.order[i]);
    Fields fields = fieldsOf(row.format);
    if (fields.rd)
      insn.rd = bits(word, 11, 7);
    if (fields.rs1)
      insn.rs1 = bits(word, 19, 15);
    if (fields.rs2)
      insn.rs2 = bits(word, 24, 20);
    if (fields.rs3)
      insn.rs3 = bits(word, 11, 7);
    decodeImmediates(row.format, word, insn);
    if (set == InstructionSet::Corev && row.kind == Kind::HwLoop)
      decodeCorevLoop(insn);
    return true;
  }
  return false;
}

} // namespace

const OpcodeInfo &spinc::isa::info(Opcode op) { return rows[unsigned(op)]; }

const char *spinc::isa::nameOf(InstructionSet set) {
  return set == InstructionSet::Pspin ? "pspin" : "corev";
}

std::optional<InstructionSet>
spinc::isa::instructionSetOf(const std::string &name) {
  for (InstructionSet set : {InstructionSet::Pspin, InstructionSet::Corev})
    if (name == nameOf(set))
      return set;
  return std::nullopt;
}

std::optional<uint32_t> spinc::isa::matchOf(Opcode op, InstructionSet set) {
  const OpcodeInfo &row = info(op);
  return isIn(row, set) ? std::optional(matchIn(row, set)) : std::nullopt;
}

uint32_t spinc::isa::encode(const Insn &insn, InstructionSet set) {
  const OpcodeInfo &row = info(insn.op);
  bool changes = set == InstructionSet::Corev && row.kind == Kind::HwLoop;
  return matchIn(row, set) |
         encodeOperands(row.format, changes ? encodeCorevLoop(insn) : insn);
}

uint32_t spinc::isa::operandBits(Opcode op) {
  Insn ones;
  ones.rd = ones.rs1 = ones.rs2 = ones.rs3 = 31;
  // lp.count shares its format with lp.setup and has no end.
  ones.imm = op == Opcode::LpCount ? 0 : -1;
  ones.imm2 = -1;
  const OpcodeInfo &row = info(op);
  return encodeOperands(row.format, ones) & ~row.mask;
}

bool spinc::isa::decode(uint32_t word, Insn &insn, InstructionSet set) {
  insn = Insn();
  if ((word & 3) == 3) {
    insn.length = 4;
    insn.word = word;
    return decodeWord(word, insn, set);
  }
  insn.length = 2;
  insn.word = word & 0xffff;
  std::optional<uint32_t> expanded = expandCompressed(uint16_t(word));
  return expanded && decodeWord(*expanded, insn, set);
}

bool spinc::isa::decode(const uint8_t *bytes, uint64_t available, Insn &insn,
                        InstructionSet set) {
  insn = Insn();
  if (available < 2)
    return false;
  uint32_t word = bytes[0] | bytes[1] << 8;
  if ((word & 3) != 3)
    return decode(word, insn, set);
  if (available < 4)
    return false;
  return decode(word | uint32_t(bytes[2]) << 16 | uint32_t(bytes[3]) << 24,
                insn, set);
}

uint32_t spinc::isa::registersRead(const Insn &insn) {
  Fields fields = fieldsOf(info(insn.op).format);
  return uint32_t(fields.rs1) << insn.rs1 | uint32_t(fields.rs2) << insn.rs2 |
         uint32_t(fields.rs3) << insn.rs3;
}

uint32_t spinc::isa::registersWritten(const Insn &insn) {
  Fields fields = fieldsOf(info(insn.op).format);
  uint32_t set = uint32_t(fields.rd) << insn.rd | uint32_t(fields.writesRs1)
                                                      << insn.rs1;
  return set & ~1u;
}

std::optional<uint32_t> spinc::isa::reencodeXcv(uint32_t word) {
  for (const OpcodeInfo &row : rows)
    if (row.xcvMatch && (word & row.mask) == row.xcvMatch)
      return (word & ~row.mask) | row.match;
  return std::nullopt;
}
