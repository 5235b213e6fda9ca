// See Values.h.
#include "compiler/Wcet/Values.h"
#include "runtime/abi/pspin.h"
#include "runtime/device/Frame.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

using Kind = Value::Kind;

Value Value::number() {
  Value value;
  value.kind = Kind::Number;
  return value;
}

/// No object of the card is larger: a number beyond is no offset in one.
static constexpr unsigned kObjectBits = 20;

/// A number with these bits, `far` if they or one of its sources say so.
static Value numberOf(const KnownBits &bits, bool far) {
  Value value = Value::number();
  value.bits = bits;
  value.far = far;
  if (bits.isConstant()) {
    int64_t constant = bits.getConstant().getSExtValue();
    value.far = constant >= int64_t(1) << kObjectBits ||
                constant < -(int64_t(1) << kObjectBits);
  } else if (bits.countMinTrailingZeros() >= kObjectBits) {
    value.far = true;
  }
  return value;
}

Value Value::constant(uint32_t constant) {
  return numberOf(KnownBits::makeConstant(APInt(32, constant)), false);
}

KnownBits Value::plainBits() const {
  if (kind == Kind::Stack || kind == Kind::Return)
    return KnownBits(32);
  if (homeFactor == 0)
    return bits;
  // The home cluster's part leaves the bits below its factor alone.
  unsigned low = countr_zero(homeFactor);
  KnownBits plain(32);
  plain.Zero = bits.Zero & APInt::getLowBitsSet(32, low);
  plain.One = bits.One & APInt::getLowBitsSet(32, low);
  return plain;
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

Value Value::returnAddress(unsigned depth, uint32_t address) {
  Value value;
  value.kind = Kind::Return;
  value.homeFactor = depth;
  value.bits = KnownBits::makeConstant(APInt(32, address));
  return value;
}

std::optional<uint32_t> Value::asConstant() const {
  if (kind != Kind::Number || homeFactor != 0 || !bits.isConstant())
    return std::nullopt;
  return uint32_t(bits.getConstant().getZExtValue());
}

std::optional<int32_t> Value::asStackOffset() const {
  if (kind != Kind::Stack || homeFactor != 0 || !bits.isConstant())
    return std::nullopt;
  return int32_t(bits.getConstant().getSExtValue());
}

bool Value::operator==(const Value &other) const {
  return kind == other.kind && region == other.region && bits == other.bits &&
         homeFactor == other.homeFactor && far == other.far;
}

Region spinc::wcet::regionOfAddress(uint32_t address) {
  return isa::regionOf(address, PSPIN_CLUSTERS);
}

/// A number that is a fixed address (of the home cluster's L1: up to the
/// cluster's part), as a pointer.
static std::optional<Value> constantPointer(const Value &value) {
  if (!value.isNumber() || !value.bits.isConstant())
    return std::nullopt;
  uint32_t address = uint32_t(value.bits.getConstant().getZExtValue());
  if (regionOfAddress(address) == Region::Unmapped)
    return std::nullopt;
  Value result = value;
  result.kind = Kind::Pointer;
  result.region = regionOfAddress(address);
  result.far = false;
  return result;
}

Value spinc::wcet::joinValues(const Value &a, const Value &b) {
  if (a == b)
    return a;
  // A constant that is an address joins as a pointer with a pointer.
  auto asPointer = [](Value value) {
    return constantPointer(value).value_or(value);
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
  Value joined = left;
  joined.bits = left.bits.intersectWith(right.bits);
  joined.far = left.far || right.far;
  if (left.homeFactor == right.homeFactor)
    return joined;
  // Once with home's part and once without: only a number can be both.
  if (!joined.isNumber())
    return Value::unknown();
  joined.bits = left.plainBits().intersectWith(right.plainBits());
  joined.homeFactor = 0;
  joined.far = true;
  return joined;
}

/// The value of `base + number` where base is an address.
static Value offsetPointer(const Value &base, const Value &number,
                           const KnownBits &bits) {
  // Multiples of the stride lead from one cluster's L1 to another's.
  bool otherCluster = base.region == Region::RemoteL1 && base.homeFactor == 0 &&
                      number.homeFactor == 0 &&
                      number.bits.countMinTrailingZeros() >= 22;
  static_assert(PSPIN_L1_STRIDE == 1 << 22, "the shift above");
  if (number.far && !otherCluster)
    return Value::unknown();
  Value result = base;
  result.bits = bits;
  result.homeFactor += number.homeFactor;
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
    Value sum = numberOf(bits, a.far || b.far);
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
  if (aIsBase && b.isNumber())
    return offsetPointer(a, b, bits);
  if (bIsBase && a.isNumber())
    return offsetPointer(b, a, bits);
  return Value::unknown();
}

Value spinc::wcet::subtractValues(const Value &a, const Value &b) {
  KnownBits bits = KnownBits::sub(a.bits, b.bits);
  bool aIsBase = a.kind == Kind::Pointer || a.kind == Kind::Stack;
  if (b.isNumber() && (b.asConstant() || !constantPointer(b))) {
    Value minusB = numberOf(
        KnownBits::sub(KnownBits::makeConstant(APInt(32, 0)), b.bits), b.far);
    minusB.homeFactor = 0 - b.homeFactor;
    Value result = addValues(a, minusB);
    if (result.kind != Kind::Unknown)
      result.bits = bits;
    return result;
  }
  // The distance of two addresses in one object is a number.
  if (aIsBase && a.kind == b.kind && a.region == b.region) {
    Value result = numberOf(bits, false);
    result.homeFactor = a.homeFactor - b.homeFactor;
    return result;
  }
  return Value::unknown();
}

Value spinc::wcet::numericResult(const Value &a, const Value &b,
                                 const KnownBits &bits) {
  if (!a.isNumber() || !b.isNumber())
    return Value::unknown();
  // What is small is an offset in an object, however it came about.
  bool isSmall = bits.countMaxActiveBits() <= kObjectBits;
  return numberOf(bits, (a.far || b.far) && !isSmall);
}

/// A mask under which an offset in an object stays one: of 0 or more it clears
/// low bits. Less becomes so large that it leads behind all memories, which are
/// between 0x10000000 and 0x20000000.
static bool clearsLowBits(const Value &mask) {
  std::optional<uint32_t> constant = mask.asConstant();
  return constant && isPowerOf2_64(uint64_t(~(*constant | 0xE0000000)) + 1);
}

Value spinc::wcet::andValues(const Value &a, const Value &b) {
  KnownBits bits = a.plainBits() & b.plainBits();
  if (a.isNumber() && b.isNumber()) {
    if ((clearsLowBits(a) && !b.far) || (clearsLowBits(b) && !a.far))
      return numberOf(bits, false);
    return numericResult(a, b, bits);
  }
  const Value &base = a.isNumber() ? b : a;
  std::optional<uint32_t> mask = (a.isNumber() ? a : b).asConstant();
  // Clearing low bits aligns a pointer down (not those of home's part); what
  // is left of anything under a small mask is below all memories.
  if (base.kind == Kind::Pointer && mask &&
      isPowerOf2_64(uint64_t(~*mask) + 1) &&
      uint32_t(~*mask) < (base.homeFactor & -base.homeFactor) - 1) {
    Value result = base;
    result.bits = base.bits & KnownBits::makeConstant(APInt(32, *mask));
    return result;
  }
  if (mask && *mask < 0x10000)
    return numberOf(bits, false);
  return Value::unknown();
}

Value spinc::wcet::orValues(const Value &a, const Value &b) {
  // Without common bits, or is add. Of a stack address only the low four bits
  // are those of its offset: sp is 16-byte aligned.
  bool onStack = a.kind == Kind::Stack || b.kind == Kind::Stack;
  const Value &other = a.kind == Kind::Stack ? b : a;
  if (onStack && other.bits.countMaxActiveBits() > 4)
    return Value::unknown();
  bool plain = a.homeFactor == 0 && b.homeFactor == 0;
  if (plain && KnownBits::haveNoCommonBitsSet(a.bits, b.bits))
    return addValues(a, b);
  return numericResult(a, b, a.plainBits() | b.plainBits());
}

Value spinc::wcet::shiftLeft(const Value &a, const Value &amount) {
  std::optional<uint32_t> count = amount.asConstant();
  if (!a.isNumber() || !amount.isNumber())
    return Value::unknown();
  if (!count)
    return numberOf(KnownBits(32), true);
  Value result = numberOf(
      KnownBits::shl(a.bits, KnownBits::makeConstant(APInt(32, *count & 31))),
      a.far);
  result.homeFactor = a.homeFactor << (*count & 31);
  return result;
}

Value spinc::wcet::insertField(const Value &into, const Value &field,
                               unsigned position, unsigned length) {
  length = std::min(length, 32 - position);
  APInt hole = APInt::getBitsSet(32, position, position + length);
  // The number of the home cluster fits, and is all that is not cut off.
  static_assert(isPowerOf2_32(PSPIN_CLUSTERS), "as many as its bits can say");
  bool isHome = field.isNumber() && field.homeFactor == 1 &&
                field.bits.countMinTrailingZeros() >= length &&
                length >= Log2_32(PSPIN_CLUSTERS);
  KnownBits kept = into.bits & KnownBits::makeConstant(~hole);
  if (isHome && into.asConstant()) {
    Value home = Value::constant(0);
    home.homeFactor = 1;
    return addValues(numberOf(kept, false),
                     shiftLeft(home, Value::constant(position)));
  }
  KnownBits bits = field.plainBits().trunc(length).zext(32);
  bits = KnownBits::shl(bits, KnownBits::makeConstant(APInt(32, position)));
  // Into zeros it is an addition; the home cluster's part must be above them.
  bool intoZeros =
      (into.isNumber() || into.kind == Kind::Pointer) &&
      hole.isSubsetOf(into.bits.Zero) &&
      (into.homeFactor == 0 ||
       position + length <= unsigned(countr_zero(into.homeFactor)));
  if (intoZeros && field.isNumber())
    return addValues(into, numericResult(field, field, bits));
  return numericResult(
      into, field, (into.plainBits() & KnownBits::makeConstant(~hole)) | bits);
}

MachineState MachineState::atEntry() {
  MachineState state;
  state.regs[0] = Value::constant(0);
  state.regs[1] = Value::returnAddress(0, 0);
  state.regs[2] = Value::stack(0);
  return state;
}

MachineState MachineState::atHandlerEntry() {
  MachineState state = atEntry();
  // What the runtime passes to handlers lies where their stack begins.
  state.regs[10] = Value::stack(0);
  state.slots[SPINC_ARGS_LOCALS] = Value::pointer(Region::OwnL1, 3);
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
  // An element of an array, on the stack or elsewhere: an index into the stack
  // is proved to stay in its array, where no register is saved.
  bool isElement = address.kind == Kind::Pointer ||
                   address.kind == Kind::Stack || constantPointer(address);
  return isElement && !memory.holdsAddresses ? Value::number()
                                             : Value::unknown();
}

/// What is known of a word of the stack to which a device may write, and which
/// held `value`. Arrays hold numbers: an address or a saved register is in
/// none.
static Value sharedValue(const Value &value, const MemoryRules &memory) {
  if (!value.isNumber()) {
    bool isSaved = value.kind == Kind::Return || !memory.holdsAddresses;
    return isSaved ? value : Value::unknown();
  }
  if (constantPointer(value))
    return Value::unknown();
  Value shared = Value::number();
  shared.far = value.far || value.homeFactor != 0;
  return shared;
}

void MachineState::share(const Value &address) {
  sharedFrom =
      std::min(sharedFrom, address.asStackOffset().value_or(INT32_MIN));
  for (auto &[offset, value] : slots)
    if (int64_t(offset) + 3 >= sharedFrom)
      value = sharedValue(value, memory);
}

void MachineState::store(const Value &address, unsigned bytes,
                         const Value &value) {
  if (std::optional<int32_t> offset = address.asStackOffset()) {
    for (int32_t at = *offset - 3; at < *offset + int32_t(bytes); ++at)
      slots.erase(at);
    if (bytes == 4)
      slots[*offset] = int64_t(*offset) + 3 >= sharedFrom
                           ? sharedValue(value, memory)
                           : value;
    return;
  }
  // Of what is not known a device may get the address of an array. The card's
  // memory holds no addresses of the stack.
  std::optional<Value> fixed = constantPointer(address);
  Region region = fixed.value_or(address).region;
  bool isMemory = region == Region::OwnL1 || region == Region::RemoteL1 ||
                  region == Region::L2Handler || region == Region::L2Packet;
  bool isHarmless = isMemory && !memory.holdsAddresses;
  if (bytes == 4 && (value.kind == Kind::Stack ||
                     (value.kind == Kind::Unknown && !isHarmless)))
    share(value);
  // An access that is proved to stay in its object does not reach the slots
  // in which a function saves registers, but may reach those of its arrays.
  if (address.kind != Kind::Pointer && !fixed)
    for (auto slot = slots.begin(); slot != slots.end();)
      slot = slot->second.kind == Kind::Return ? std::next(slot)
                                               : slots.erase(slot);
}

bool MachineState::join(const MachineState &other) {
  bool changed = other.sharedFrom < sharedFrom;
  sharedFrom = std::min(sharedFrom, other.sharedFrom);
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
