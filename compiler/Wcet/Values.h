// What the analysis knows of a register or stack slot: enough to tell which
// memory an access reaches, whether it is aligned, and how wide a divisor is.
//
// A pointer keeps its region under pointer arithmetic with numbers; that is
// sound because every access of a handler is proved to stay in its object.
#ifndef SPINC_COMPILER_WCET_VALUES_H
#define SPINC_COMPILER_WCET_VALUES_H

#include "runtime/isa/Timing.h"
#include "llvm/Support/KnownBits.h"
#include <array>
#include <cstdint>
#include <map>
#include <optional>

namespace spinc::wcet {

/// Memory by what an access costs. RemoteL1 stands for any L1 by its global
/// address (homeFactor says if it is home's), Unmapped for any memory at all.
using isa::Region;

struct Value {
  enum class Kind : uint8_t {
    Number,  ///< not the address of anything, as far as accesses go
    Pointer, ///< into `region`
    Stack,   ///< stackOffset bytes above the handler's initial sp
    Return,  ///< `bits`: where the call at depth homeFactor returns to
    Unknown, ///< anything, also a pointer
  };
  Kind kind = Kind::Unknown;
  Region region = Region::Unmapped;
  /// The value is homeFactor * (home cluster's number) + rest; of the rest
  /// these bits are known. Stack: of the offset.
  llvm::KnownBits bits = llvm::KnownBits(32);
  uint32_t homeFactor = 0;
  /// A number that leads from one object into another when added to an
  /// address: a large constant, a multiple of a large power of two.
  bool far = false;

  static Value unknown() { return {}; }
  static Value number();
  static Value constant(uint32_t value);
  static Value numberBelow(uint32_t bound);
  static Value pointer(Region region, unsigned alignBits);
  static Value stack(int32_t offset);
  static Value returnAddress(unsigned depth, uint32_t address);

  std::optional<uint32_t> asConstant() const;
  /// Stack only: the exact offset.
  std::optional<int32_t> asStackOffset() const;
  bool isNumber() const { return kind == Kind::Number; }
  /// Known bits of the value itself.
  llvm::KnownBits plainBits() const;
  bool operator==(const Value &other) const;
};

/// The region of a fixed address; Unmapped outside all memories.
Region regionOfAddress(uint32_t address);

Value joinValues(const Value &a, const Value &b);
Value addValues(const Value &a, const Value &b);
Value subtractValues(const Value &a, const Value &b);
/// and, or, xor by their effect on bits; pointers survive alignment masks.
Value andValues(const Value &a, const Value &b);
Value orValues(const Value &a, const Value &b);
Value shiftLeft(const Value &a, const Value &amount);
/// `into` with `length` bits from `position` on replaced by those of `field`.
Value insertField(const Value &into, const Value &field, unsigned position,
                  unsigned length);
/// Any operation on plain numbers: `bits` if both are, else unknown.
Value numericResult(const Value &a, const Value &b,
                    const llvm::KnownBits &bits);

/// What is known of memory.
struct MemoryRules {
  /// Of code that no proof speaks of: a word may be the address of anything.
  bool holdsAddresses = false;
  /// The devices of the card are where they are on the card.
  bool hasDevices = true;
};

/// Registers and the words of the stack that hold known values.
struct MachineState {
  MemoryRules memory;
  std::array<Value, 32> regs;
  std::map<int32_t, Value> slots;
  /// A command or a device may write to the stack from this offset on, at any
  /// time: what an array holds there is not known.
  int32_t sharedFrom = INT32_MAX;

  /// Nothing known but sp and the return address.
  static MachineState atEntry();
  /// Where the task loop of runtime/device calls a handler.
  static MachineState atHandlerEntry();
  const Value &read(unsigned reg) const { return regs[reg]; }
  void write(unsigned reg, Value value);
  /// In what spinc makes, pointers live in registers and in the own stack
  /// only: a word from any other memory is a number.
  Value loadWord(const Value &address) const;
  void store(const Value &address, unsigned bytes, const Value &value);
  /// Joins `other` into this; true if anything changed.
  bool join(const MachineState &other);

private:
  /// Notes that a device has got an address of the stack: it writes from there
  /// upwards, never below.
  void share(const Value &address);
};

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_VALUES_H
