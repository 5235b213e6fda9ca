// The operand by which CORE-V's intrinsics and both sets' immediates name a
// field of a word: bits 9:5 its length less one, bits 4:0 its lowest bit.
#ifndef SPINC_RUNTIME_ISA_BITFIELD_H
#define SPINC_RUNTIME_ISA_BITFIELD_H

namespace spinc::isa {

struct BitField {
  unsigned position = 0, length = 1;

  static constexpr BitField ofOperand(unsigned operand) {
    return {operand & 31, (operand >> 5 & 31) + 1};
  }
  constexpr unsigned operand() const { return (length - 1) << 5 | position; }
};

} // namespace spinc::isa

#endif // SPINC_RUNTIME_ISA_BITFIELD_H
