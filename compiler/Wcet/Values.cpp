// See Values.h.
#include "compiler/Wcet/Values.h"
#include "runtime/abi/pspin.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

using Kind = Value::Kind;

Value Value::number() {
  Value value;
  value.kind = Kind::Number;
  return value;
}

Value Value::constant(uint32_t constant) {
  Value value = number();
  value.bits = KnownBits::makeConstant(APInt(32, constant));
  return value;
}

Value Value::numberBelow(uint32_t bound) {
  Value value = number();
  value.bits.Zero.setHighBits(countl_zero(bound - 1));
  return value;
}

Value Value::pointer(Region region, unsigned alignBits) {
  Value value;
  value.kind = Kind::Pointer;
  value.region = region;
  value.bits.Zero.setLowBits(alignBits);
  return value;
}

Value Value::stack(int32_t offset) {
  Value value;
  value.kind = Kind::Stack;
  value.region = Region::OwnL1;
  value.bits = KnownBits::makeConstant(APInt(32, uint32_t(offset)));
  return value;
}

Value Value::returnAddress(unsigned depth) {
  Value value;
  value.kind = Kind::Return;
  value.homeFactor = depth;
  return value;
}

std::optional<uint32_t> Value::asConstant() const {
  if (kind != Kind::Number || !bits.isConstant())
    return std::nullopt;
  return uint32_t(bits.getConstant().getZExtValue());
}

std::optional<int32_t> Value::asStackOffset() const {
  if (kind != Kind::Stack || !bits.isConstant())
    return std::nullopt;
  return int32_t(bits.getConstant().getSExtValue());
}

bool Value::operator==(const Value &other) const {
  return kind == other.kind && region == other.region && bits == other.bits &&
         homeFactor == other.homeFactor;
}

Region spinc::wcet::regionOfAddress(uint32_t address) {
  // Only cluster 0's L1 is a base: others are reached from it by adding
  // multiples of the stride.
  if (address >= PSPIN_L1_BASE && address - PSPIN_L1_BASE < PSPIN_L1_SIZE)
    return Region::RemoteL1;
  Region region = isa::regionOf(address, PSPIN_CLUSTERS);
  return region == Region::RemoteL1 ? Region::Unmapped : region;
}

Value spinc::wcet::joinValues(const Value &a, const Value &b) {
  if (a == b)
    return a;
  // A constant that is an address joins as a pointer with a pointer.
  auto asPointer = [](Value value) {
    std::optional<uint32_t> address = value.asConstant();
    if (address && regionOfAddress(*address) != Region::Unmapped) {
      value.kind = Kind::Pointer;
      value.region = regionOfAddress(*address);
    }
    return value;
  };
  Value left = a.kind == b.kind ? a : asPointer(a);
  Value right = a.kind == b.kind ? b : asPointer(b);
  if (a.isNumber() && b.isNumber() && asPointer(a).region != Region::Unmapped &&
      asPointer(a).region == asPointer(b).region) {
    left = asPointer(a);
    right = asPointer(b);
  }
  if (left.kind != right.kind || left.region != right.region ||
      left.kind == Kind::Unknown || left.kind == Kind::Return)
    return Value::unknown();
  // Two ways to be home's, or not: only equal factors stay known.
  Value joined = left;
  joined.bits = left.bits.intersectWith(right.bits);
  if (left.homeFactor != right.homeFactor)
    joined.homeFactor = 0;
  return joined;
}

/// The value of `base + number` where base is an address.
static Value offsetPointer(const Value &base, const Value &number,
                           const KnownBits &bits) {
  Value result = base;
  result.bits = bits;
  result.homeFactor += number.homeFactor;
  return result;
}

/// Adding a number to a constant address gives a pointer to its region.
static std::optional<Value> constantPointer(const Value &value) {
  std::optional<uint32_t> address = value.asConstant();
  if (!address || regionOfAddress(*address) == Region::Unmapped)
    return std::nullopt;
  Value result = value;
  result.kind = Kind::Pointer;
  result.region = regionOfAddress(*address);
  return result;
}

Value spinc::wcet::addValues(const Value &a, const Value &b) {
  // A move, whatever is moved.
  if (a.asConstant() == 0u)
    return b;
  if (b.asConstant() == 0u)
    return a;
  KnownBits bits = KnownBits::add(a.bits, b.bits);
  if (a.isNumber() && b.isNumber()) {
    Value sum = Value::number();
    sum.bits = bits;
    sum.homeFactor = a.homeFactor + b.homeFactor;
    if (bits.isConstant())
      return sum;
    std::optional<Value> left = constantPointer(a), right = constantPointer(b);
    if (left && right)
      return Value::unknown();
    if (left)
      return offsetPointer(*left, b, bits);
    if (right)
      return offsetPointer(*right, a, bits);
    return sum;
  }
  bool aIsBase = a.kind == Kind::Pointer || a.kind == Kind::Stack;
  bool bIsBase = b.kind == Kind::Pointer || b.kind == Kind::Stack;
  // A small constant stays a number beside a pointer; an address does not.
  if (aIsBase && b.isNumber() && !constantPointer(b))
    return offsetPointer(a, b, bits);
  if (bIsBase && a.isNumber() && !constantPointer(a))
    return offsetPointer(b, a, bits);
  return Value::unknown();
}

Value spinc::wcet::subtractValues(const Value &a, const Value &b) {
  KnownBits bits = KnownBits::sub(a.bits, b.bits);
  bool aIsBase = a.kind == Kind::Pointer || a.kind == Kind::Stack;
  if (b.isNumber() && !constantPointer(b)) {
    if (a.isNumber()) {
      Value minusB = Value::number();
      minusB.bits =
          KnownBits::sub(KnownBits::makeConstant(APInt(32, 0)), b.bits);
      minusB.homeFactor = 0 - b.homeFactor;
      Value result = addValues(a, minusB);
      result.bits = bits;
      return result;
    }
    if (aIsBase) {
      Value result = offsetPointer(a, Value::number(), bits);
      result.homeFactor = a.homeFactor - b.homeFactor;
      return result;
    }
  }
  // The distance of two addresses in one object is a number.
  if (aIsBase && a.kind == b.kind && a.region == b.region) {
    Value result = Value::number();
    result.bits = bits;
    result.homeFactor = a.homeFactor - b.homeFactor;
    return result;
  }
  std::optional<uint32_t> left = a.asConstant(), right = b.asConstant();
  if (left && right)
    return Value::constant(*left - *right);
  return Value::unknown();
}

Value spinc::wcet::numericResult(const Value &a, const Value &b,
                                 const KnownBits &bits) {
  if (!a.isNumber() || !b.isNumber())
    return Value::unknown();
  Value result = Value::number();
  result.bits = bits;
  return result;
}

Value spinc::wcet::andValues(const Value &a, const Value &b) {
  KnownBits bits = a.bits & b.bits;
  if (a.isNumber() && b.isNumber())
    return numericResult(a, b, bits);
  const Value &base = a.isNumber() ? b : a;
  std::optional<uint32_t> mask = (a.isNumber() ? a : b).asConstant();
  bool isBase = base.kind == Kind::Pointer || base.kind == Kind::Stack;
  // Clearing low bits aligns a pointer down; what is left of anything under a
  // small mask is below all memories.
  if (isBase && mask && isPowerOf2_64(uint64_t(~*mask) + 1) &&
      base.kind == Kind::Pointer) {
    Value result = base;
    result.bits = bits;
    return result;
  }
  if (mask && *mask < 0x10000) {
    Value result = Value::number();
    // A stack value's bits are those of its offset, not its own.
    result.bits = KnownBits::makeConstant(APInt(32, *mask)) &
                  (base.kind == Kind::Stack ? KnownBits(32) : base.bits);
    return result;
  }
  return Value::unknown();
}

Value spinc::wcet::orValues(const Value &a, const Value &b) {
  // Without common bits, or is add. Of a stack address only the low four bits
  // are those of its offset: sp is 16-byte aligned.
  bool onStack = a.kind == Kind::Stack || b.kind == Kind::Stack;
  const Value &other = a.kind == Kind::Stack ? b : a;
  if (onStack && other.bits.countMaxActiveBits() > 4)
    return Value::unknown();
  if (KnownBits::haveNoCommonBitsSet(a.bits, b.bits))
    return addValues(a, b);
  return numericResult(a, b, a.bits | b.bits);
}

Value spinc::wcet::shiftLeft(const Value &a, const Value &amount) {
  std::optional<uint32_t> count = amount.asConstant();
  if (!a.isNumber() || !amount.isNumber())
    return Value::unknown();
  if (!count)
    return Value::number();
  Value result = Value::number();
  result.bits =
      KnownBits::shl(a.bits, KnownBits::makeConstant(APInt(32, *count & 31)));
  result.homeFactor = a.homeFactor << (*count & 31);
  return result;
}

MachineState MachineState::atEntry() {
  MachineState state;
  state.regs[0] = Value::constant(0);
  state.regs[1] = Value::returnAddress(0);
  state.regs[2] = Value::stack(0);
  return state;
}

void MachineState::write(unsigned reg, Value value) {
  if (reg != 0)
    regs[reg] = std::move(value);
}

Value MachineState::loadWord(const Value &address) const {
  std::optional<int32_t> offset = address.asStackOffset();
  if (offset) {
    auto slot = slots.find(*offset);
    return slot == slots.end() ? Value::unknown() : slot->second;
  }
  return address.kind == Kind::Pointer ? Value::number() : Value::unknown();
}

void MachineState::store(const Value &address, unsigned bytes,
                         const Value &value) {
  if (std::optional<int32_t> offset = address.asStackOffset()) {
    for (int32_t at = *offset - 3; at < *offset + int32_t(bytes); ++at)
      slots.erase(at);
    if (bytes == 4)
      slots[*offset] = value;
    return;
  }
  // An access that is proved to stay in its object does not reach the slots
  // in which a function saves registers, but may reach those of its arrays.
  if (address.kind == Kind::Stack || address.kind == Kind::Unknown)
    for (auto slot = slots.begin(); slot != slots.end();)
      slot = slot->second.kind == Kind::Return ? std::next(slot)
                                               : slots.erase(slot);
}

bool MachineState::join(const MachineState &other) {
  bool changed = false;
  for (unsigned reg = 0; reg < regs.size(); ++reg) {
    Value joined = joinValues(regs[reg], other.regs[reg]);
    changed |= !(joined == regs[reg]);
    regs[reg] = joined;
  }
  for (auto slot = slots.begin(); slot != slots.end();) {
    auto match = other.slots.find(slot->first);
    Value joined = match == other.slots.end()
                       ? Value::unknown()
                       : joinValues(slot->second, match->second);
    changed |= !(joined == slot->second);
    if (joined.kind == Kind::Unknown) {
      slot = slots.erase(slot);
      changed = true;
      continue;
    }
    slot->second = joined;
    ++slot;
  }
  return changed;
}
