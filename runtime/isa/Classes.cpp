//===- Classes.cpp - What kind of instruction it is -----------------------===//
//
// Questions about decoded instructions that their kind answers.
//
//===----------------------------------------------------------------------===//
#include "runtime/isa/Isa.h"

using namespace spinc::isa;

static bool kindIn(const Insn &insn, Kind first, Kind last) {
  Kind kind = info(insn.op).kind;
  return kind >= first && kind <= last;
}

bool spinc::isa::isBranch(const Insn &insn) {
  return info(insn.op).kind == Kind::Branch;
}
bool spinc::isa::isJump(const Insn &insn) {
  return kindIn(insn, Kind::Jump, Kind::JumpRegister);
}
bool spinc::isa::isCall(const Insn &insn) {
  return isJump(insn) && insn.rd == 1;
}
bool spinc::isa::isReturn(const Insn &insn) {
  return info(insn.op).kind == Kind::JumpRegister && insn.rd == 0 &&
         insn.rs1 == 1 && insn.imm == 0;
}
bool spinc::isa::isIndirect(const Insn &insn) {
  return info(insn.op).kind == Kind::JumpRegister;
}
bool spinc::isa::isLoad(const Insn &insn) {
  return kindIn(insn, Kind::LoadB, Kind::PostLoadW);
}
bool spinc::isa::isStore(const Insn &insn) {
  return kindIn(insn, Kind::StoreB, Kind::PostStoreW);
}
bool spinc::isa::isAtomic(const Insn &insn) {
  return kindIn(insn, Kind::LoadReserved, Kind::Atomic);
}
bool spinc::isa::isCsr(const Insn &insn) {
  return info(insn.op).kind == Kind::Csr;
}
bool spinc::isa::isHwLoop(const Insn &insn) {
  return info(insn.op).kind == Kind::HwLoop;
}
bool spinc::isa::isHang(const Insn &insn, InstructionSet set) {
  const OpcodeInfo &row = info(insn.op);
  return row.kind == Kind::Hang ||
         (set == InstructionSet::Pspin && row.timing == TimingClass::Hang);
}

bool spinc::isa::fallsThrough(const Insn &insn) {
  switch (info(insn.op).kind) {
  case Kind::Jump:
  case Kind::JumpRegister:
  case Kind::Branch:
  case Kind::Trap:
  case Kind::TrapReturn:
  case Kind::Hang:
    return false;
  default:
    return insn.op != Opcode::Invalid;
  }
}

unsigned spinc::isa::accessSize(const Insn &insn) {
  switch (info(insn.op).kind) {
  case Kind::LoadB:
  case Kind::LoadBu:
  case Kind::PostLoadB:
  case Kind::PostLoadBu:
  case Kind::StoreB:
  case Kind::PostStoreB:
    return 1;
  case Kind::LoadH:
  case Kind::LoadHu:
  case Kind::PostLoadH:
  case Kind::PostLoadHu:
  case Kind::StoreH:
  case Kind::PostStoreH:
    return 2;
  case Kind::LoadW:
  case Kind::PostLoadW:
  case Kind::StoreW:
  case Kind::PostStoreW:
  case Kind::LoadReserved:
  case Kind::StoreConditional:
  case Kind::Atomic:
    return 4;
  default:
    return 0;
  }
}

uint32_t spinc::isa::accessAddress(const Insn &insn,
                                   const uint32_t *registers) {
  const uint32_t base = registers[insn.rs1];
  switch (info(insn.op).format) {
  case Format::L:
  case Format::S:
    return base + uint32_t(insn.imm);
  case Format::LReg:
    return base + registers[insn.rs2];
  case Format::SReg:
    return base + registers[insn.rs3];
  default: // post-increment, atomics
    return base;
  }
}

std::optional<uint32_t> spinc::isa::directTarget(const Insn &insn,
                                                 uint32_t pc) {
  Kind kind = info(insn.op).kind;
  if (kind == Kind::Branch || kind == Kind::Jump)
    return pc + insn.imm;
  return std::nullopt;
}

std::optional<LoopRange> spinc::isa::hwLoopRange(const Insn &insn,
                                                 uint32_t pc) {
  if (insn.op == Opcode::LpSetup)
    return LoopRange{unsigned(insn.imm2), pc + 4, pc + (insn.imm << 1)};
  if (insn.op == Opcode::LpSetupi)
    return LoopRange{unsigned(insn.imm2), pc + 4, pc + (insn.rs3 << 1)};
  return std::nullopt;
}
