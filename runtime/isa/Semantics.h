//===- Semantics.h - The vocabulary of the instruction rows ---------------===//
//
// Small functions that the expressions of insns/*.def are written with. All
// work on 32-bit values and have no undefined results: shift amounts are
// within 0..31 by the time they arrive or are masked here.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_ISA_SEMANTICS_H
#define SPINC_RUNTIME_ISA_SEMANTICS_H

#include <cstdint>

namespace spinc::isa::semantics {

constexpr int32_t s32(uint32_t x) { return int32_t(x); }
constexpr uint32_t u32(int32_t x) { return uint32_t(x); }
constexpr int32_t s16(uint32_t x) { return int16_t(x); }
constexpr int32_t s8(uint32_t x) { return int8_t(x); }
constexpr uint32_t u16(uint32_t x) { return x & 0xffff; }
constexpr uint32_t u8(uint32_t x) { return x & 0xff; }

// Multiplication and division as RISC-V defines their edges.
constexpr uint32_t mulHigh(int32_t a, int32_t b) {
  return uint64_t(int64_t(a) * b) >> 32;
}
constexpr uint32_t mulHigh(int32_t a, uint32_t b) {
  return uint64_t(int64_t(a) * int64_t(b)) >> 32;
}
constexpr uint32_t mulHigh(uint32_t a, uint32_t b) {
  return uint64_t(a) * b >> 32;
}
constexpr uint32_t divide(uint32_t a, uint32_t b) { return b ? a / b : ~0u; }
constexpr uint32_t remainder(uint32_t a, uint32_t b) { return b ? a % b : a; }
constexpr uint32_t divide(int32_t a, int32_t b) {
  if (b == 0)
    return ~0u;
  return b == -1 ? 0u - uint32_t(a) : uint32_t(a / b);
}
constexpr uint32_t remainder(int32_t a, int32_t b) {
  if (b == 0)
    return a;
  return b == -1 ? 0 : a % b;
}

// Bits.
constexpr uint32_t rotateRight(uint32_t a, uint32_t by) {
  by &= 31;
  return by ? a >> by | a << (32 - by) : a;
}
constexpr uint32_t firstSet(uint32_t a) { return a ? __builtin_ctz(a) : 32; }
constexpr uint32_t lastSet(uint32_t a) {
  return a ? 31 - __builtin_clz(a) : 32;
}
constexpr uint32_t countSet(uint32_t a) { return __builtin_popcount(a); }
/// How many bits below the sign repeat it; 0 for 0.
constexpr uint32_t redundantSignBits(uint32_t a) {
  if (a == 0)
    return 0;
  uint32_t differ = s32(a) < 0 ? ~a : a;
  return differ ? __builtin_clz(differ) - 1 : 31;
}
constexpr uint32_t clip(uint32_t a, int32_t low, int32_t high) {
  return s32(a) <= low ? low : s32(a) >= high ? high : s32(a);
}
constexpr int32_t clipLimit(int32_t width) {
  return width ? s32((1u << (width - 1)) - 1) : 0;
}

/// A field of `length` bits from `position` on; what lies above bit 31 is cut.
struct Field {
  uint32_t length;
  uint32_t position;
};
constexpr Field fieldOf(uint32_t packed) {
  return {(packed >> 5 & 31) + 1, packed & 31};
}
constexpr Field fieldOf(int32_t lengthLess1, int32_t position) {
  return {u32(lengthLess1) + 1, u32(position)};
}
constexpr uint32_t ones(uint32_t length) {
  return 0xffffffffu >> (32 - length);
}
constexpr uint32_t maskOf(Field f) { return ones(f.length) << f.position; }
constexpr uint32_t extract(uint32_t a, Field f) {
  return a >> f.position & ones(f.length);
}
constexpr uint32_t extractSigned(uint32_t a, Field f) {
  uint32_t shifted = s32(a) >> f.position;
  return s32(shifted << (32 - f.length)) >> (32 - f.length);
}
constexpr uint32_t insert(uint32_t into, uint32_t a, Field f) {
  return (into & ~maskOf(f)) | (a << f.position & maskOf(f));
}
/// Shifts left, then reverses the order of groups of 1, 2 or 3 bits.
constexpr uint32_t reverseGroups(uint32_t a, int32_t radix, int32_t points) {
  uint32_t size = (radix & 3) == 3 ? 1 : (radix & 3) + 1;
  uint32_t shifted = a << points, result = 0;
  for (uint32_t low = 0; low + size <= 32; low += size)
    result |= (shifted >> (32 - low - size) & ones(size)) << low;
  return result;
}

// Shifts that normalise a sum or product, rounding half up if asked to.
constexpr uint32_t half(int32_t by) { return by ? 1u << (by - 1) : 0; }
constexpr uint32_t shiftSigned(uint32_t x, int32_t by) { return s32(x) >> by; }
constexpr uint32_t shiftUnsigned(uint32_t x, int32_t by) { return x >> by; }
constexpr uint32_t shiftSignedRound(uint32_t x, int32_t by) {
  return shiftSigned(x + half(by), by);
}
constexpr uint32_t shiftUnsignedRound(uint32_t x, int32_t by) {
  return shiftUnsigned(x + half(by), by);
}
constexpr uint32_t productLowS(uint32_t a, uint32_t b) {
  return s16(a) * s16(b);
}
constexpr uint32_t productLowU(uint32_t a, uint32_t b) {
  return u16(a) * u16(b);
}
constexpr uint32_t productHighS(uint32_t a, uint32_t b) {
  return s16(a >> 16) * s16(b >> 16);
}
constexpr uint32_t productHighU(uint32_t a, uint32_t b) {
  return (a >> 16) * (b >> 16);
}

// Lanes: two halfwords or four bytes, lane 0 lowest.
constexpr uint32_t dupH(uint32_t x) { return u16(x) * 0x00010001u; }
constexpr uint32_t dupB(uint32_t x) { return u8(x) * 0x01010101u; }
constexpr uint32_t laneH(uint32_t x, uint32_t i) {
  return u16(x >> 16 * (i & 1));
}
constexpr uint32_t laneB(uint32_t x, uint32_t i) {
  return u8(x >> 8 * (i & 3));
}
constexpr uint32_t join(uint32_t high, uint32_t low) {
  return high << 16 | u16(low);
}
constexpr uint32_t insertLaneH(uint32_t into, uint32_t i, uint32_t a) {
  return insert(into, a, {16, 16 * (i & 1)});
}
constexpr uint32_t insertLaneB(uint32_t into, uint32_t i, uint32_t a) {
  return insert(into, a, {8, 8 * (i & 3)});
}

/// Applies `op` lane by lane; the U forms give it zero-extended lanes.
template <typename Op>
constexpr uint32_t lanesH(uint32_t a, uint32_t b, Op op) {
  return join(op(s16(a >> 16), s16(b >> 16)), op(s16(a), s16(b)));
}
template <typename Op>
constexpr uint32_t lanesHU(uint32_t a, uint32_t b, Op op) {
  return join(op(s32(a >> 16), s32(b >> 16)), op(s32(u16(a)), s32(u16(b))));
}
template <typename Op>
constexpr uint32_t lanesB(uint32_t a, uint32_t b, Op op) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= u8(op(s8(laneB(a, i)), s8(laneB(b, i)))) << 8 * i;
  return result;
}
template <typename Op>
constexpr uint32_t lanesBU(uint32_t a, uint32_t b, Op op) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= u8(op(s32(laneB(a, i)), s32(laneB(b, i)))) << 8 * i;
  return result;
}

/// A function of two sign- or zero-extended lanes, cut to the lane afterwards.
using Lane = uint32_t (*)(int32_t, int32_t);
constexpr Lane laneAdd = [](int32_t x, int32_t y) { return u32(x + y); };
constexpr Lane laneSub = [](int32_t x, int32_t y) { return u32(x - y); };
constexpr Lane laneMin = [](int32_t x, int32_t y) {
  return u32(x < y ? x : y);
};
constexpr Lane laneMax = [](int32_t x, int32_t y) {
  return u32(x > y ? x : y);
};
constexpr Lane laneAbs = [](int32_t x, int32_t) { return u32(x < 0 ? -x : x); };
constexpr Lane laneShiftHalfLeft = [](int32_t x, int32_t y) {
  return u32(x) << (y & 15);
};
constexpr Lane laneShiftByteLeft = [](int32_t x, int32_t y) {
  return u32(x) << (y & 7);
};
constexpr Lane laneShiftHalfRight = [](int32_t x, int32_t y) {
  return u32(x >> (y & 15));
};
constexpr Lane laneShiftByteRight = [](int32_t x, int32_t y) {
  return u32(x >> (y & 7));
};
constexpr Lane laneShiftHalfRightU = [](int32_t x, int32_t y) {
  return u16(x) >> (y & 15);
};
constexpr Lane laneShiftByteRightU = [](int32_t x, int32_t y) {
  return u8(x) >> (y & 7);
};
constexpr uint32_t allOnes(bool condition) { return condition ? ~0u : 0; }
constexpr Lane laneEq = [](int32_t x, int32_t y) { return allOnes(x == y); };
constexpr Lane laneNe = [](int32_t x, int32_t y) { return allOnes(x != y); };
constexpr Lane laneGt = [](int32_t x, int32_t y) { return allOnes(x > y); };
constexpr Lane laneGe = [](int32_t x, int32_t y) { return allOnes(x >= y); };
constexpr Lane laneLt = [](int32_t x, int32_t y) { return allOnes(x < y); };
constexpr Lane laneLe = [](int32_t x, int32_t y) { return allOnes(x <= y); };

// The sum of an average wraps in the lane before it is halved.
constexpr uint32_t averageH(uint32_t a, uint32_t b) {
  return lanesH(lanesH(a, b, laneAdd), dupH(1), laneShiftHalfRight);
}
constexpr uint32_t averageB(uint32_t a, uint32_t b) {
  return lanesB(lanesB(a, b, laneAdd), dupB(1), laneShiftByteRight);
}
constexpr uint32_t averageHU(uint32_t a, uint32_t b) {
  return lanesH(lanesH(a, b, laneAdd), dupH(1), laneShiftHalfRightU);
}
constexpr uint32_t averageBU(uint32_t a, uint32_t b) {
  return lanesB(lanesB(a, b, laneAdd), dupB(1), laneShiftByteRightU);
}
constexpr uint32_t halveH(uint32_t lanes, uint32_t times) {
  return lanesH(lanes, dupH(times), laneShiftHalfRight);
}

constexpr uint32_t shuffleH(uint32_t a, uint32_t selector) {
  return join(laneH(a, selector >> 16), laneH(a, selector));
}
constexpr uint32_t shuffleB(uint32_t a, uint32_t selector) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= laneB(a, laneB(selector, i)) << 8 * i;
  return result;
}
/// Each lane comes from `a` where the selector's next bit is set, else from
/// `c`.
constexpr uint32_t shuffle2H(uint32_t a, uint32_t c, uint32_t selector) {
  auto pick = [&](uint32_t s) { return laneH(s & 2 ? a : c, s); };
  return join(pick(selector >> 16), pick(selector));
}
constexpr uint32_t shuffle2B(uint32_t a, uint32_t c, uint32_t selector) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t s = laneB(selector, i);
    result |= laneB(s & 4 ? a : c, s) << 8 * i;
  }
  return result;
}
// Sums of the lanes' products.
constexpr bool signedLanes = true, unsignedLanes = false;
constexpr uint32_t dotH(uint32_t a, uint32_t b, bool aSigned, bool bSigned) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < 2; ++i) {
    uint32_t x = laneH(a, i), y = laneH(b, i);
    sum += (aSigned ? s16(x) : x) * (bSigned ? s16(y) : y);
  }
  return sum;
}
constexpr uint32_t dotB(uint32_t a, uint32_t b, bool aSigned, bool bSigned) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t x = laneB(a, i), y = laneB(b, i);
    sum += (aSigned ? s8(x) : x) * (bSigned ? s8(y) : y);
  }
  return sum;
}
/// Parts of a product of complex numbers, real part in the low halfword.
constexpr uint32_t productReal(uint32_t a, uint32_t b, uint32_t shift) {
  return s32(productLowS(a, b) - productHighS(a, b)) >> shift;
}
constexpr uint32_t productImaginary(uint32_t a, uint32_t b, uint32_t shift) {
  return s32(productLowS(a >> 16, b) + productLowS(a, b >> 16)) >> shift;
}
/// Selectors of the immediate forms: a bit or two per lane, lane 0 lowest;
/// the top lane of the byte form is in the opcode.
constexpr uint32_t selectorH(uint32_t imm) {
  return join(imm >> 1 & 1, imm & 1);
}
constexpr uint32_t selectorB(uint32_t imm, uint32_t top) {
  return top << 24 | (imm >> 4 & 3) << 16 | (imm >> 2 & 3) << 8 | (imm & 3);
}

/// (a - b) times -j on complex numbers of two halfwords, then halved.
constexpr uint32_t subtractRotated(uint32_t a, uint32_t b, uint32_t times) {
  return halveH(join(laneH(b, 0) - laneH(a, 0), laneH(a, 1) - laneH(b, 1)),
                times);
}

} // namespace spinc::isa::semantics

#endif // SPINC_RUNTIME_ISA_SEMANTICS_H
