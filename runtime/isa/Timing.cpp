//===- Timing.cpp - The numbers of the timing table -----------------------===//
//
// Measured values only; Timing.h says what they mean.
//
//===----------------------------------------------------------------------===//
#include "runtime/isa/Timing.h"
#include "runtime/abi/pspin.h"

using namespace spinc::isa;

ClassCost spinc::isa::classCost(TimingClass timing) {
  switch (timing) {
  case TimingClass::Alu:
  case TimingClass::Load:
  case TimingClass::Store:
  case TimingClass::Amo:
  case TimingClass::Csr:
  case TimingClass::HwLoop:
  case TimingClass::Hang: // where it does not stop the core
    return {1, 0};
  case TimingClass::MulHigh:
    return {5, 0};
  case TimingClass::Divide:
    return {divideWorst, 0};
  case TimingClass::Branch:
    return {1, 2};
  case TimingClass::Jump:
  case TimingClass::JumpRegister:
    return {2, 0};
  case TimingClass::EventLoad:
  case TimingClass::Fence:
    return {4, 0};
  case TimingClass::System:
    return {trapEntryCost, 0};
  }
  return {0, 0};
}

static bool isSlowCsr(uint32_t number) {
  constexpr uint32_t ustatus = 0x000, uepc = 0x041;
  constexpr uint32_t debugFirst = 0x7b0, debugLast = 0x7b3;
  return number == PSPIN_CSR_MSTATUS || number == ustatus || number == uepc ||
         (number >= debugFirst && number <= debugLast);
}

unsigned spinc::isa::baseCost(const Insn &insn) {
  TimingClass timing = info(insn.op).timing;
  if (timing == TimingClass::Csr && isSlowCsr(insn.imm2))
    return 4;
  if (insn.op == Opcode::Mret)
    return trapReturnCost;
  return classCost(timing).base;
}

unsigned spinc::isa::takenExtra(const Insn &insn) {
  return classCost(info(insn.op).timing).taken;
}

unsigned spinc::isa::targetExtra(uint32_t target, unsigned targetLength) {
  return targetLength == 4 && (target & 15) == 14 ? 1 : 0;
}

unsigned spinc::isa::loopStartExtra(uint32_t start, unsigned firstLength,
                                    unsigned secondLength) {
  unsigned extra = targetExtra(start, firstLength);
  if ((start & 15) == 10 && firstLength == 4)
    extra += targetExtra(start + 4, secondLength);
  return extra;
}

/// The register whose value arrives from memory, also when that is x0.
static std::optional<unsigned> loadedRegister(const Insn &insn) {
  if (isLoad(insn) || isAtomic(insn))
    return insn.rd;
  return std::nullopt;
}

unsigned spinc::isa::stallBetween(const Insn &first, const Insn &second) {
  if (!fallsThrough(first) && !isBranch(first))
    return 0;
  std::optional<unsigned> loaded = loadedRegister(first);
  if (info(second.op).kind == Kind::JumpRegister && second.rs1 != 0) {
    if (loaded && *loaded == second.rs1)
      return 2;
    return writes(first, second.rs1) ? 1 : 0;
  }
  return loaded && reads(second, *loaded) ? 1 : 0;
}

unsigned spinc::isa::stallAcross(const Insn &load, const Insn &between,
                                 const Insn &jump) {
  std::optional<unsigned> loaded = loadedRegister(load);
  if (!loaded || info(jump.op).kind != Kind::JumpRegister || jump.rs1 == 0 ||
      *loaded != jump.rs1 || writes(between, jump.rs1))
    return 0;
  bool isDirect = fallsThrough(between) || isBranch(between);
  bool takesOneCycle = info(between.op).timing != TimingClass::Divide &&
                       baseCost(between) == 1 &&
                       stallBetween(load, between) == 0;
  return isDirect && takesOneCycle ? 1 : 0;
}

bool spinc::isa::isSignedDivide(Opcode op) {
  return op == Opcode::Div || op == Opcode::Rem;
}

Region spinc::isa::regionOf(uint32_t address, unsigned ownCluster) {
  auto within = [address](uint32_t base, uint32_t size) {
    return address - base < size;
  };
  if (within(PSPIN_L1_BASE, PSPIN_CLUSTERS * PSPIN_L1_STRIDE)) {
    uint32_t offset = (address - PSPIN_L1_BASE) % PSPIN_L1_STRIDE;
    if (offset >= 2 * PSPIN_L1_SIZE)
      return Region::ClusterPeripheral;
    unsigned cluster = (address - PSPIN_L1_BASE) / PSPIN_L1_STRIDE;
    return cluster == ownCluster ? Region::OwnL1 : Region::RemoteL1;
  }
  if (within(PSPIN_L1_ALIAS, PSPIN_L1_SIZE))
    return Region::OwnL1;
  if (within(PSPIN_L2_HANDLER_BASE, PSPIN_L2_HANDLER_SIZE))
    return Region::L2Handler;
  if (within(PSPIN_L2_PACKET_BASE, PSPIN_L2_PACKET_SIZE))
    return Region::L2Packet;
  if (within(PSPIN_HPU_BASE, 0x100))
    return Region::HpuDriver;
  if (within(PSPIN_DMA_BASE, 0x40))
    return Region::ClusterDma;
  if (within(PSPIN_EVENT_UNIT, 0x400))
    return Region::EventUnit;
  if (within(PSPIN_END_OF_COMPUTATION, 0x4000))
    return Region::ClusterPeripheral;
  if (within(PSPIN_STDOUT, 0x1000))
    return Region::Stdout;
  if (within(PSPIN_SOC_BASE, PSPIN_SOC_SIZE))
    return Region::SocPeripheral;
  if (within(PSPIN_PROGRAM_BASE, PSPIN_PROGRAM_SIZE))
    return Region::Program;
  return Region::Unmapped;
}

unsigned spinc::isa::accessCost(Region region, Access access) {
  struct Row {
    uint8_t load, store, atomic, reserve;
  };
  auto row = [region]() -> Row {
    switch (region) {
    case Region::OwnL1:
    case Region::HpuDriver:
    case Region::ClusterDma:
    case Region::EventUnit:
      return {1, 1, 1, 1};
    case Region::RemoteL1:
      return {22, 23, 24, 24};
    case Region::L2Handler:
      return {21, 21, 27, 22};
    case Region::L2Packet:
      return {20, 21, 22, 22};
    case Region::ClusterPeripheral:
      return {4, 4, 4, 4};
    case Region::SocPeripheral:
      return {18, 18, 18, 18};
    case Region::Stdout:
      return {4, 4, 4, 4};
    case Region::Program:
    case Region::Unmapped:
      return {15, 15, 15, 15};
    }
    return {1, 1, 1, 1};
  }();
  switch (access) {
  case Access::Load:
    return row.load;
  case Access::Store:
    return row.store;
  case Access::Atomic:
    return row.atomic;
  case Access::Reserve:
    return row.reserve;
  }
  return row.load;
}
