//===- RowBodies.cpp - The expressions of the rows as functions -----------===//
//
// Compiled to LLVM bitcode at build time, not linked: the translator puts
// these bodies into its code, so that the rows of runtime/isa/insns stay the
// only definition of what an instruction computes.
//
//===----------------------------------------------------------------------===//
#include "runtime/isa/Semantics.h"
#include "runtime/isa/Timing.h"

using namespace spinc::isa::semantics;

extern "C" {

#define INSN(Id, Mnemonic, F, Mask, Match, Xcv, T, K, ...)                     \
  uint32_t spincRow##Id(                                                       \
      [[maybe_unused]] uint32_t a, [[maybe_unused]] uint32_t b,                \
      [[maybe_unused]] uint32_t c, [[maybe_unused]] uint32_t old,              \
      [[maybe_unused]] int32_t imm, [[maybe_unused]] int32_t imm2,             \
      [[maybe_unused]] uint32_t pc) {                                          \
    return __VA_ARGS__;                                                        \
  }
#include "runtime/isa/insns/all.def"
#undef INSN

/// The cycles of a division, Timing.h.
uint32_t spincDivideCost(uint32_t a, uint32_t b, uint32_t, uint32_t,
                         int32_t isSigned, int32_t, uint32_t) {
  return spinc::isa::divideCost(isSigned, b);
}

} // extern "C"
