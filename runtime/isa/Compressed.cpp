//===- Compressed.cpp - 16-bit forms to the words they stand for ----------===//
//
// The vocabulary of insns/rv32c.def and the search over its rows.
//
//===----------------------------------------------------------------------===//
#include "runtime/isa/Isa.h"

namespace {

constexpr uint32_t opImm = 0x13, opLoad = 0x03, opJalr = 0x67;

constexpr uint32_t field(uint32_t w, unsigned high, unsigned low) {
  return w >> low & ((1u << (high - low + 1)) - 1);
}
constexpr uint32_t bit(uint32_t w, unsigned from, unsigned to) {
  return (w >> from & 1) << to;
}

// Registers: the two 3-bit fields (x8 to x15) and the two 5-bit ones.
constexpr uint32_t high(uint32_t w) { return 8 + field(w, 9, 7); }
constexpr uint32_t low(uint32_t w) { return 8 + field(w, 4, 2); }
constexpr uint32_t full(uint32_t w) { return field(w, 11, 7); }
constexpr uint32_t second(uint32_t w) { return field(w, 6, 2); }

// Immediates, by the layout they have.
constexpr uint32_t shiftImm(uint32_t w) {
  return bit(w, 12, 5) | field(w, 6, 2);
}
constexpr uint32_t signedImm(uint32_t w) {
  return field(w, 6, 2) - (bit(w, 12, 5));
}
constexpr uint32_t stackWordImm(uint32_t w) {
  return field(w, 12, 11) << 4 | field(w, 10, 7) << 6 | bit(w, 6, 2) |
         bit(w, 5, 3);
}
constexpr uint32_t wordImm(uint32_t w) {
  return field(w, 12, 10) << 3 | bit(w, 6, 2) | bit(w, 5, 6);
}
constexpr uint32_t stackImm(uint32_t w) {
  return (bit(w, 6, 4) | bit(w, 2, 5) | bit(w, 5, 6) | field(w, 4, 3) << 7) -
         bit(w, 12, 9);
}
constexpr uint32_t loadStackImm(uint32_t w) {
  return bit(w, 12, 5) | field(w, 6, 4) << 2 | field(w, 3, 2) << 6;
}
constexpr uint32_t storeStackImm(uint32_t w) {
  return field(w, 12, 9) << 2 | field(w, 8, 7) << 6;
}
constexpr uint32_t jumpImm(uint32_t w) {
  return (bit(w, 11, 4) | field(w, 10, 9) << 8 | bit(w, 8, 10) | bit(w, 7, 6) |
          bit(w, 6, 7) | field(w, 5, 3) << 1 | bit(w, 2, 5)) -
         bit(w, 12, 11);
}
constexpr uint32_t branchImm(uint32_t w) {
  return (field(w, 11, 10) << 3 | field(w, 6, 5) << 6 | field(w, 4, 3) << 1 |
          bit(w, 2, 5)) -
         bit(w, 12, 8);
}

constexpr uint32_t encodeI(uint32_t op, uint32_t f3, uint32_t rd, uint32_t rs1,
                           uint32_t imm) {
  return op | rd << 7 | f3 << 12 | rs1 << 15 | imm << 20;
}
constexpr uint32_t encodeR(uint32_t f7, uint32_t f3, uint32_t rd, uint32_t rs1,
                           uint32_t rs2) {
  return 0x33 | rd << 7 | f3 << 12 | rs1 << 15 | rs2 << 20 | f7 << 25;
}
constexpr uint32_t encodeS(uint32_t f3, uint32_t rs1, uint32_t rs2,
                           uint32_t imm) {
  return 0x23 | field(imm, 4, 0) << 7 | f3 << 12 | rs1 << 15 | rs2 << 20 |
         field(imm, 11, 5) << 25;
}
constexpr uint32_t encodeU(uint32_t rd, uint32_t upper) {
  return 0x37 | rd << 7 | upper << 12;
}
constexpr uint32_t encodeJ(uint32_t rd, uint32_t imm) {
  return 0x6f | rd << 7 | field(imm, 19, 12) << 12 | bit(imm, 11, 20) |
         field(imm, 10, 1) << 21 | bit(imm, 20, 31);
}
constexpr uint32_t encodeB(uint32_t f3, uint32_t rs1, uint32_t imm) {
  return 0x63 | bit(imm, 11, 7) | field(imm, 4, 1) << 8 | f3 << 12 | rs1 << 15 |
         field(imm, 10, 5) << 25 | bit(imm, 12, 31);
}

} // namespace

std::optional<uint32_t> spinc::isa::expandCompressed(uint16_t word) {
  uint32_t w = word;
#define COMPRESSED(Mnemonic, Mask, Match, Condition, Expansion)                \
  if ((w & Mask) == Match) {                                                   \
    if (Condition)                                                             \
      return uint32_t(Expansion);                                              \
    return std::nullopt;                                                       \
  }
#include "runtime/isa/insns/rv32c.def"
#undef COMPRESSED
  return std::nullopt;
}
