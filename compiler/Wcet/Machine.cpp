// See Machine.h.
#include "compiler/Wcet/Machine.h"
#include "runtime/abi/pspin.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

using isa::Opcode;

static bool isPostIncrement(const isa::Insn &insn) {
  isa::Kind kind = isa::info(insn.op).kind;
  return (kind >= isa::Kind::PostLoadB && kind <= isa::Kind::PostLoadW) ||
         (kind >= isa::Kind::PostStoreB && kind <= isa::Kind::PostStoreW);
}

/// Bits of an address that name the bank in L1.
static constexpr uint32_t kBankBits = (PSPIN_L1_BANKS - 1) * 4;

void BaseTracker::startBlock() {
  begin = last;
  for (Base &reg : regs)
    reg = {++last, 0};
}

Base BaseTracker::addressOf(const isa::Insn &insn) const {
  if (!isa::isMemoryAccess(insn))
    return {};
  Base base = regs[insn.rs1];
  switch (isa::info(insn.op).format) {
  case isa::Format::L:
  case isa::Format::S:
    base.distance += uint32_t(insn.imm);
    return base;
  case isa::Format::LPost:
  case isa::Format::SPost:
  case isa::Format::Lr:
  case isa::Format::Amo:
    return base;
  default:
    return {};
  }
}

void BaseTracker::execute(const isa::Insn &insn) {
  if (insn.op == Opcode::Invalid)
    return startBlock();
  isa::Format format = isa::info(insn.op).format;
  bool isStep = insn.op == Opcode::Addi;
  bool isPost = format == isa::Format::LPost || format == isa::Format::SPost;
  Base moved = regs[insn.rs1];
  moved.distance += uint32_t(insn.imm);
  uint32_t written = isa::registersWritten(insn);
  for (unsigned reg = 1; reg < regs.size(); ++reg)
    if (written >> reg & 1)
      regs[reg] = {++last, 0};
  if (isStep && insn.rd != 0)
    regs[insn.rd] = moved;
  if (isPost && insn.rs1 != 0 &&
      !(insn.rd == insn.rs1 && format == isa::Format::LPost))
    regs[insn.rs1] = moved;
}

std::optional<uint32_t> BaseTracker::stepOf(const Base &base) const {
  // The registers' values were numbered in their order.
  uint32_t reg = base.value - begin - 1;
  if (base.value == 0 || reg >= regs.size() || regs[reg].value != base.value)
    return std::nullopt;
  return regs[reg].distance;
}

/// rs1 + imm or rs1 + index register, by format.
static Value baseAndOffset(const isa::Insn &insn, const MachineState &state) {
  const Value &base = state.read(insn.rs1);
  switch (isa::info(insn.op).format) {
  case isa::Format::LReg:
  case isa::Format::LPostReg:
    return addValues(base, state.read(insn.rs2));
  case isa::Format::SReg:
  case isa::Format::SPostReg:
    return addValues(base, state.read(insn.rs3));
  case isa::Format::Lr:
  case isa::Format::Amo:
    return base;
  default:
    return addValues(base, Value::constant(uint32_t(insn.imm)));
  }
}

Value spinc::wcet::accessAddress(const isa::Insn &insn,
                                 const MachineState &state) {
  return isPostIncrement(insn) ? state.read(insn.rs1)
                               : baseAndOffset(insn, state);
}

/// Whether an access of this size at this address can cross a word.
static bool mayCrossWord(const Value &address, unsigned size) {
  if (size < 2)
    return false;
  // Of a stack address the low four bits are those of its offset.
  KnownBits bits =
      address.kind == Value::Kind::Stack ? address.bits : address.plainBits();
  if (bits.Zero[0] && (bits.Zero[1] || size == 2))
    return false;
  // A half-word at offset 1 stays inside.
  return !(size == 2 && bits.Zero[1]);
}

AccessInfo spinc::wcet::classifyAccess(const isa::Insn &insn,
                                       const MachineState &state) {
  AccessInfo info;
  info.exists = isa::isMemoryAccess(insn);
  if (!info.exists)
    return info;
  Value address = accessAddress(insn, state);
  info.address = address.asConstant();
  if (address.isNumber() && address.bits.isConstant())
    info.region =
        regionOfAddress(uint32_t(address.bits.getConstant().getZExtValue()));
  else if (address.kind == Value::Kind::Pointer)
    info.region = address.region;
  else if (address.kind == Value::Kind::Stack)
    info.region = Region::OwnL1;
  info.assumedInside = !info.address && !address.asStackOffset() &&
                       info.region != Region::Unmapped;
  if (address.homeFactor != 0) {
    info.assumedHome = info.region == Region::RemoteL1 &&
                       address.homeFactor == PSPIN_L1_STRIDE;
    info.region = info.assumedHome ? Region::OwnL1 : Region::Unmapped;
  }
  // What another cluster's L1 takes longer is waiting, in the simulator too.
  if (info.region == Region::RemoteL1) {
    info.otherCluster = true;
    info.region = Region::OwnL1;
  }
  info.crossesWord = mayCrossWord(address, isa::accessSize(insn));
  // Of a stack address the low four bits are those of its offset.
  bool onStack = address.kind == Value::Kind::Stack;
  KnownBits bits = onStack ? address.bits : address.plainBits();
  uint32_t named = onStack ? kBankBits & 15 : kBankBits;
  info.bankZeros = uint32_t(bits.Zero.getZExtValue()) & named;
  info.bankOnes = uint32_t(bits.One.getZExtValue()) & named;
  info.mayBeOwnL1 = info.region == Region::OwnL1 ||
                    info.region == Region::RemoteL1 ||
                    info.region == Region::Unmapped;
  return info;
}

static int64_t dearestAccess(isa::Access access) {
  unsigned worst = 0;
  for (Region region :
       {Region::OwnL1, Region::RemoteL1, Region::L2Handler, Region::L2Packet,
        Region::HpuDriver, Region::ClusterDma, Region::EventUnit,
        Region::ClusterPeripheral, Region::SocPeripheral, Region::Stdout,
        Region::Program, Region::Unmapped})
    worst = std::max(worst, isa::accessCost(region, access));
  return worst;
}

static int64_t divideBound(const isa::Insn &insn, const Value &divisor) {
  bool isSigned = isa::isSignedDivide(insn.op);
  KnownBits bits = divisor.isNumber() ? divisor.plainBits() : KnownBits(32);
  // The fewer significant bits, the longer: least magnitude of either sign.
  int64_t worst = 0;
  if (!isSigned || !bits.isNegative()) {
    uint32_t least = uint32_t(bits.getMinValue().getZExtValue());
    if (isSigned)
      least &= 0x7fffffff;
    worst = isa::divideCost(isSigned, least);
  }
  if (isSigned && !bits.isNonNegative()) {
    uint32_t most = uint32_t(bits.getMaxValue().getZExtValue()) | 0x80000000;
    worst = std::max<int64_t>(worst, isa::divideCost(true, most));
  }
  return worst;
}

int64_t spinc::wcet::instructionCost(const isa::Insn &insn,
                                     const AccessInfo &access,
                                     const MachineState &state) {
  if (insn.op == Opcode::Invalid)
    return isa::trapEntryCost;
  int64_t cost = isa::baseCost(insn);
  if (isa::info(insn.op).timing == isa::TimingClass::Divide)
    return divideBound(insn, state.read(insn.rs2));
  if (!access.exists)
    return cost;
  isa::Kind kind = isa::info(insn.op).kind;
  isa::Access way = isa::Access::Load;
  if (kind == isa::Kind::Atomic)
    way = isa::Access::Atomic;
  else if (isa::isAtomic(insn))
    way = isa::Access::Reserve;
  else if (isa::isStore(insn))
    way = isa::Access::Store;
  bool crosses =
      mayCrossWord(accessAddress(insn, state), isa::accessSize(insn));
  int64_t once = access.region == Region::Unmapped
                     ? dearestAccess(way)
                     : int64_t(isa::accessCost(access.region, way));
  // The base cost holds the one cycle of an access to the own L1.
  if (access.region == Region::OwnL1)
    return cost - 1 + once + (crosses ? isa::misalignedExtra : 0);
  return cost - 1 + once * (crosses ? 2 : 1);
}

/// Whether an access may go to the bank of the atomic right before it.
static bool mayShareBank(const AccessInfo &atomic, const AccessInfo &next) {
  if (!atomic.mayBeOwnL1 || !next.exists || !next.mayBeOwnL1)
    return false;
  if ((atomic.bankZeros & next.bankOnes) || (atomic.bankOnes & next.bankZeros))
    return false;
  // Atomics are aligned.
  bool isKnown = atomic.base.value != 0 && atomic.base.value == next.base.value;
  return !isKnown ||
         ((next.base.distance - atomic.base.distance) & kBankBits) == 0;
}

std::optional<StallRate> spinc::wcet::bankStallRate(const AccessInfo &next,
                                                    uint32_t step) {
  // The distance takes each multiple of `part` once before it comes again, and
  // is of one bank if it is one of four: atomics are aligned.
  constexpr uint32_t all = PSPIN_L1_BANKS * 4;
  step %= all;
  if (step == 0 || next.crossesWord)
    return std::nullopt;
  uint32_t part = step & -step;
  return StallRate{std::max<int64_t>(1, 4 / part), all / part};
}

int64_t spinc::wcet::stallCost(const isa::Insn &first,
                               const AccessInfo &firstAccess,
                               const isa::Insn &second,
                               const AccessInfo &secondAccess) {
  if (first.op == Opcode::Invalid || second.op == Opcode::Invalid)
    return 0;
  int64_t stall = isa::stallBetween(first, second);
  bool sameBank = isa::info(first.op).kind == isa::Kind::Atomic &&
                  mayShareBank(firstAccess, secondAccess);
  return std::max<int64_t>(stall, sameBank ? isa::amoBankExtra : 0);
}

/// What a word read from a fixed device register is.
static Value deviceWord(uint32_t address) {
  switch (address - PSPIN_HPU_BASE) {
  case PSPIN_TASK_PACKET:
    return Value::pointer(Region::OwnL1, 6);
  case PSPIN_TASK_HANDLER_MEM:
    return Value::pointer(Region::L2Handler, 0);
  case PSPIN_TASK_L2_PACKET:
    return Value::pointer(Region::L2Packet, 6);
  case PSPIN_TASK_SCRATCHPAD:
  case PSPIN_TASK_SCRATCHPAD + 4:
  case PSPIN_TASK_SCRATCHPAD + 8:
  case PSPIN_TASK_SCRATCHPAD + 12:
    return Value::pointer(Region::RemoteL1, 0);
  case PSPIN_TASK_HOME_CLUSTER: {
    Value home = Value::constant(0);
    home.homeFactor = 1;
    return home;
  }
  case PSPIN_TASK_FLOW: {
    Value flow = Value::number();
    flow.homeFactor = 1;
    flow.bits.Zero.setLowBits(PSPIN_FLOW_SLOT_SHIFT);
    return flow;
  }
  default:
    return Value::number();
  }
}

static Value loadedValue(const isa::Insn &insn, const MachineState &state) {
  Value address = accessAddress(insn, state);
  switch (isa::info(insn.op).kind) {
  case isa::Kind::LoadBu:
  case isa::Kind::PostLoadBu:
    return Value::numberBelow(0x100);
  case isa::Kind::LoadHu:
  case isa::Kind::PostLoadHu:
    return Value::numberBelow(0x10000);
  case isa::Kind::LoadW:
  case isa::Kind::PostLoadW:
    if (std::optional<uint32_t> fixed = address.asConstant();
        fixed && state.memory.hasDevices &&
        regionOfAddress(*fixed) == Region::HpuDriver)
      return deviceWord(*fixed);
    return state.loadWord(address);
  default:
    return Value::number();
  }
}

/// Results of instructions whose effect on bits is worth following.
static Value computedValue(const Site &site, const MachineState &state) {
  const isa::Insn &insn = site.insn;
  const Value &a = state.read(insn.rs1);
  const Value &b = state.read(insn.rs2);
  KnownBits aBits = a.plainBits(), bBits = b.plainBits();
  Value imm = Value::constant(uint32_t(insn.imm));
  auto shifted = [&](const Value &amount, bool arithmetic) {
    std::optional<uint32_t> count = amount.asConstant();
    if (!count)
      return numericResult(a, amount, KnownBits(32));
    KnownBits by = KnownBits::makeConstant(APInt(32, *count & 31));
    return numericResult(a, amount,
                         arithmetic ? KnownBits::ashr(aBits, by)
                                    : KnownBits::lshr(aBits, by));
  };
  switch (insn.op) {
  case Opcode::Lui:
    return imm;
  case Opcode::Auipc:
    return Value::constant(site.address + uint32_t(insn.imm));
  case Opcode::Addi:
    return addValues(a, imm);
  case Opcode::Add:
    return addValues(a, b);
  case Opcode::Sub:
    return subtractValues(a, b);
  case Opcode::Andi:
    return andValues(a, imm);
  case Opcode::And:
    return andValues(a, b);
  case Opcode::Ori:
    return orValues(a, imm);
  case Opcode::Or:
    return orValues(a, b);
  case Opcode::Xori:
    return numericResult(a, imm, aBits ^ imm.bits);
  case Opcode::Xor:
    return numericResult(a, b, aBits ^ bBits);
  case Opcode::Slli:
    return shiftLeft(a, imm);
  case Opcode::Sll:
    return shiftLeft(a, b);
  case Opcode::Srli:
    return shifted(imm, false);
  case Opcode::Srl:
    return shifted(b, false);
  case Opcode::Srai:
    return shifted(imm, true);
  case Opcode::Sra:
    return shifted(b, true);
  case Opcode::Mul:
    return numericResult(a, b, KnownBits::mul(aBits, bBits));
  case Opcode::PMac:
    return addValues(state.read(insn.rd),
                     numericResult(a, b, KnownBits::mul(aBits, bBits)));
  case Opcode::PMsu:
    return subtractValues(state.read(insn.rd),
                          numericResult(a, b, KnownBits::mul(aBits, bBits)));
  case Opcode::PMinu:
    return numericResult(a, b, KnownBits::umin(aBits, bBits));
  case Opcode::PMaxu:
    return numericResult(a, b, KnownBits::umax(aBits, bBits));
  case Opcode::PExthz:
    return numericResult(a, a, aBits.trunc(16).zext(32));
  case Opcode::PExtbz:
    return numericResult(a, a, aBits.trunc(8).zext(32));
  case Opcode::PExtractu: {
    unsigned width = std::min(32u, unsigned(insn.imm) + 1);
    KnownBits by = KnownBits::makeConstant(APInt(32, insn.imm2 & 31));
    return numericResult(a, a,
                         KnownBits::lshr(aBits, by).trunc(width).zext(32));
  }
  case Opcode::PInsert:
    return insertField(state.read(insn.rd), a, unsigned(insn.imm2) & 31,
                       unsigned(insn.imm) + 1);
  case Opcode::Slt:
  case Opcode::Slti:
  case Opcode::Sltu:
  case Opcode::Sltiu:
    return Value::numberBelow(2);
  default:
    break;
  }
  // Anything else makes numbers of numbers.
  uint32_t sources = isa::registersRead(insn);
  for (unsigned reg = 0; reg < 32; ++reg)
    if ((sources >> reg & 1) && !state.read(reg).isNumber())
      return Value::unknown();
  return Value::number();
}

void spinc::wcet::execute(const Site &site, MachineState &state) {
  const isa::Insn &insn = site.insn;
  if (insn.op == Opcode::Invalid)
    return;
  Value updated = isPostIncrement(insn) ? baseAndOffset(insn, state) : Value();
  Value result;
  if (isa::isLoad(insn))
    result = loadedValue(insn, state);
  else if (isa::isAtomic(insn))
    result = state.memory.holdsAddresses ? Value::unknown() : Value::number();
  else if (isa::isCsr(insn))
    result = Value::number();
  else
    result = computedValue(site, state);
  if (isa::isStore(insn) || isa::isAtomic(insn)) {
    bool whole = isa::isStore(insn) && isa::accessSize(insn) == 4;
    state.store(accessAddress(insn, state), isa::accessSize(insn),
                whole ? state.read(insn.rs2) : Value::unknown());
  }
  // Of a load into its own base what is loaded stays.
  if (isPostIncrement(insn))
    state.write(insn.rs1, updated);
  if (isa::registersWritten(insn) >> insn.rd & 1)
    state.write(insn.rd, result);
}
