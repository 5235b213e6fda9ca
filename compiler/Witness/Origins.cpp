// See Origins.h.
#include "compiler/Witness/Origins.h"
#include "runtime/abi/pspin.h"
#include "runtime/isa/Semantics.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::witness;

using isa::Opcode;

/// Values of one run of a message; what comes later is not followed.
static constexpr size_t kMaxNodes = 1 << 16;

void Origins::clear() {
  nodes.assign(1, Node());
  enter();
}

void Origins::enter() {
  held = {};
  arriving.reset();
  packet.reset();
}

Origins::Id Origins::append(Node node) {
  if (nodes.size() >= kMaxNodes)
    return 0;
  nodes.push_back(std::move(node));
  return Id(nodes.size() - 1);
}

/// Of a load from the packet.
std::optional<Origins::Id> Origins::load(const isa::Insn &insn,
                                         uint32_t address) {
  if (!packet || address - *packet >= PSPIN_L1_PACKET_SIZE)
    return std::nullopt;
  return append({insn, address - *packet, {}, {}});
}

void Origins::see(const isa::Insn &insn, uint32_t address,
                  const uint32_t *registers) {
  if (arriving)
    packet = registers[*arriving];
  arriving.reset();
  uint32_t written = isa::registersWritten(insn) & ~1u;
  Id made = 0;
  if (isa::isLoad(insn)) {
    if (address == PSPIN_HPU_BASE + PSPIN_TASK_PACKET && insn.rd != 0)
      arriving = insn.rd;
    made = load(insn, address).value_or(0);
  } else if (!isa::isMemoryAccess(insn) && (written >> insn.rd & 1)) {
    uint32_t read = isa::registersRead(insn);
    Node node{insn, 0, {}, {}};
    const unsigned regs[] = {insn.rs1, insn.rs2, insn.rs3};
    bool isOfPacket = false;
    for (unsigned i = 0; i < 3; ++i) {
      if (!(read >> regs[i] & 1))
        continue;
      node.operands[i] = registers[regs[i]];
      node.origins[i] = held[regs[i]];
      isOfPacket |= held[regs[i]] != 0;
    }
    if (isOfPacket)
      made = append(std::move(node));
  }
  for (unsigned reg = 1; reg < held.size(); ++reg)
    if (written >> reg & 1)
      held[reg] = reg == insn.rd ? made : 0;
}

bool Origins::store(const Node &load, uint32_t goal, Packet &packet) {
  unsigned size = isa::accessSize(load.insn), unused = 32 - 8 * size;
  isa::Kind kind = isa::info(load.insn.op).kind;
  bool isSigned = kind == isa::Kind::LoadB || kind == isa::Kind::LoadH ||
                  kind == isa::Kind::PostLoadB || kind == isa::Kind::PostLoadH;
  uint32_t loaded = isSigned ? uint32_t(int32_t(goal << unused) >> unused)
                             : goal << unused >> unused;
  if (loaded != goal || load.offset + size > packet.size())
    return false;
  for (unsigned at = 0; at < size; ++at)
    packet[load.offset + at] = uint8_t(goal >> 8 * at);
  return true;
}

/// x with x * factor = goal, the bits of `old` where any will do.
static std::optional<uint32_t> divideExactly(uint32_t goal, uint32_t factor,
                                             uint32_t old) {
  if (factor == 0)
    return std::nullopt;
  unsigned zeros = unsigned(countr_zero(factor));
  if (goal & ((1u << zeros) - 1))
    return std::nullopt;
  uint32_t odd = factor >> zeros, inverse = odd;
  for (unsigned i = 0; i < 5; ++i) // doubles the bits that are right
    inverse *= 2 - odd * inverse;
  uint32_t mask = ~0u >> zeros;
  return ((goal >> zeros) * inverse & mask) | (old & ~mask);
}

/// The value under a byte shuffle, the bytes of `old` where none is taken.
static std::optional<uint32_t> unshuffle(uint32_t goal, uint32_t selector,
                                         uint32_t old) {
  uint32_t places = isa::semantics::shuffleB(0x03020100, selector),
           result = old;
  for (unsigned at = 0; at < 4; ++at) {
    unsigned shift = 8 * (places >> 8 * at & 3);
    result = (result & ~(0xffu << shift)) | (goal >> 8 * at & 0xff) << shift;
  }
  if (isa::semantics::shuffleB(result, selector) != goal)
    return std::nullopt;
  return result;
}

/// `field` in place of `mask` bits of old, if it has no others.
static std::optional<uint32_t> inBits(uint32_t field, uint32_t mask,
                                      uint32_t old) {
  if (field & ~mask)
    return std::nullopt;
  return field | (old & ~mask);
}

/// What the operand has to be for the instruction to make `goal`. Minimum and
/// maximum are taken to be of this operand.
std::optional<uint32_t> Origins::undo(const Node &node, unsigned operand,
                                      uint32_t goal) {
  const isa::Insn &insn = node.insn;
  const uint32_t old = node.operands[operand];
  uint32_t other = node.operands[operand == 0 ? 1 : 0];
  isa::Format format = isa::info(insn.op).format;
  if (format == isa::Format::I || format == isa::Format::IShift)
    other = uint32_t(insn.imm);
  const unsigned position = unsigned(insn.imm2) & 31;
  const uint32_t field =
      uint32_t(maskTrailingOnes<uint64_t>(unsigned(insn.imm) % 32 + 1));
  switch (insn.op) {
  case Opcode::Add:
  case Opcode::Addi:
    return goal - other;
  case Opcode::Sub:
    return operand == 0 ? goal + other : other - goal;
  case Opcode::Xor:
  case Opcode::Xori:
    return goal ^ other;
  case Opcode::And:
  case Opcode::Andi:
    return inBits(goal, other, old);
  case Opcode::Or:
  case Opcode::Ori:
    if ((goal & other) != other)
      return std::nullopt;
    return inBits(goal & ~other, ~other, old);
  case Opcode::Slli:
    return divideExactly(goal, 1u << (other & 31), old);
  case Opcode::Srli:
    if (goal != goal << (other & 31) >> (other & 31))
      return std::nullopt;
    return inBits(goal << (other & 31), ~0u << (other & 31), old);
  case Opcode::Mul:
    return divideExactly(goal, other, old);
  case Opcode::PMac:
    if (operand == 2)
      return goal - node.operands[0] * node.operands[1];
    return divideExactly(goal - node.operands[2], other, old);
  case Opcode::PExtbz:
    return inBits(goal, 0xff, old);
  case Opcode::PExthz:
    return inBits(goal, 0xffff, old);
  case Opcode::PExtractu:
    if (goal & ~field)
      return std::nullopt;
    return inBits(goal << position, field << position, old);
  case Opcode::PInsert:
    if (operand == 2 || (goal & ~(field << position)) !=
                            (node.operands[2] & ~(field << position)))
      return std::nullopt;
    return inBits(goal >> position & field, field, old);
  case Opcode::PvShuffleI0SciB:
  case Opcode::PvShuffleI1SciB:
  case Opcode::PvShuffleI2SciB:
  case Opcode::PvShuffleI3SciB: {
    static_assert(unsigned(Opcode::PvShuffleI3SciB) ==
                      unsigned(Opcode::PvShuffleI0SciB) + 3,
                  "they stand side by side");
    uint32_t top = uint32_t(insn.op) - uint32_t(Opcode::PvShuffleI0SciB);
    return unshuffle(goal, isa::semantics::selectorB(uint32_t(insn.imm), top),
                     old);
  }
  case Opcode::PMin:
  case Opcode::PMinu:
  case Opcode::PMax:
  case Opcode::PMaxu:
    return goal;
  default:
    return std::nullopt;
  }
}

bool Origins::solve(Id value, uint32_t goal, Packet &packet) const {
  // What a value is made of was there before it.
  while (value != 0) {
    const Node &node = nodes[value];
    if (isa::isLoad(node.insn))
      return store(node, goal, packet);
    std::optional<uint32_t> before;
    for (unsigned operand = 0; operand < 3 && !before; ++operand)
      if (node.origins[operand] != 0) {
        before = undo(node, operand, goal);
        value = node.origins[operand];
      }
    if (!before)
      return false;
    goal = *before;
  }
  return false;
}
