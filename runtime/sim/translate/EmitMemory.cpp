//===- EmitMemory.cpp - Loads, stores, atomics ----------------------------===//
//
// Memory behind the core's windows is reached directly; what lies outside of
// them, faults included, is left to the interpreter.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/pspin.h"
#include "runtime/isa/Timing.h"
#include "runtime/sim/translate/Emitter.h"
#include <cstddef>

using namespace llvm;
using namespace spinc;
using namespace spinc::sim;
using isa::Format;
using isa::Kind;
using isa::Opcode;

/// Accesses further apart are checked one by one. Less than smallestWindow.
static constexpr int32_t widestGroup = 4096;

/// Whether the address is rs1 + a constant, and the constant.
static bool hasConstantOffset(const Op &op, int32_t &offset) {
  Format format = isa::info(Opcode(op.real)).format;
  offset = format == Format::L || format == Format::S ? op.imm : 0;
  return format != Format::LReg && format != Format::SReg;
}

/// Puts accesses with one value of a base register together.
void Emitter::findGroups(const Block &block) {
  groupOf.clear();
  groups.clear();
  Group *open[2][32] = {};
  for (uint32_t pc : block.pcs) {
    const Op &op = program.peek(pc);
    Kind kind = kindOf(op);
    int32_t offset;
    if ((isLoadKind(kind) || isStoreKind(kind)) &&
        hasConstantOffset(op, offset)) {
      Group *&group = open[isStoreKind(kind)][op.rs1];
      int32_t end = offset + int32_t(shapeOf(kind).size);
      if (!group || std::max(group->high, end) - std::min(group->low, offset) >
                        widestGroup) {
        groups.push_back(std::make_unique<Group>());
        group = groups.back().get();
        group->low = offset;
        group->high = end;
      }
      group->low = std::min(group->low, offset);
      group->high = std::max(group->high, end);
      groupOf[pc] = group;
    }
    for (unsigned reg = 1; reg < 32; ++reg)
      if (writtenBy(op) >> reg & 1)
        open[0][reg] = open[1][reg] = nullptr;
  }
}

/// Whether `span` bytes at `address` (at least 4, as the interpreter compares)
/// lie in a window, and the offset there.
Value *Emitter::windowOffset(const Window *only, uint64_t window,
                             Value *address, int32_t span, Value *&inside,
                             Value *&data) {
  Value *base, *last;
  if (only) {
    base = word(only->base);
    last = word(only->last);
    data = ConstantExpr::getIntToPtr(b.getInt64(uintptr_t(only->data)),
                                     b.getPtrTy());
  } else {
    base = loadField(b.getInt32Ty(), window + offsetof(Window, base), true);
    last = loadField(b.getInt32Ty(), window + offsetof(Window, last), true);
    data = loadField(b.getPtrTy(), window + offsetof(Window, data), true);
  }
  if (span > 4)
    last = b.CreateSub(last, word(uint32_t(span - 4)));
  Value *offset = b.CreateSub(address, base);
  inside = b.CreateICmpULE(offset, last);
  return offset;
}

/// The host's place of `span` bytes at `address`; leaves before `pc` if they
/// are not in a window.
Value *Emitter::place(uint32_t pc, Value *address, int32_t span, bool isStore) {
  uint64_t windows = isStore ? offsetof(CoreState, storeWindows)
                             : offsetof(CoreState, windows);
  const std::optional<Window> &only =
      isStore ? options.onlyStoreWindow : options.onlyWindow;
  auto at = [&](Value *data, Value *offset) {
    return b.CreateGEP(b.getInt8Ty(), data,
                       b.CreateZExt(offset, b.getInt64Ty()));
  };
  Value *inside, *data;
  Value *offset =
      windowOffset(only ? &*only : nullptr, windows + sizeof(Window), address,
                   span, inside, data);
  if (only) {
    leaveIf(b.CreateNot(inside), pc);
    return at(data, offset);
  }
  BasicBlock *second = newBlock("window"), *both = newBlock("found");
  Value *first = at(data, offset);
  BasicBlock *from = b.GetInsertBlock();
  b.CreateCondBr(inside, both, second);
  b.SetInsertPoint(second);
  offset = windowOffset(nullptr, windows, address, span, inside, data);
  leaveIf(b.CreateNot(inside), pc);
  Value *other = at(data, offset);
  BasicBlock *fromSecond = b.GetInsertBlock();
  b.CreateBr(both);
  b.SetInsertPoint(both);
  PHINode *result = b.CreatePHI(b.getPtrTy(), 2);
  result->addIncoming(first, from);
  result->addIncoming(other, fromSecond);
  return result;
}

/// The place of an access and its address.
Value *Emitter::accessPlace(uint32_t pc, const Op &op, Value *&address) {
  Kind kind = kindOf(op);
  address = isPostKind(kind) ? read(op.rs1) : row(pc, op);
  auto found = groupOf.find(pc);
  if (found == groupOf.end())
    return place(pc, address, shapeOf(kind).size, isStoreKind(kind));
  Group &group = *found->second;
  int32_t offset;
  hasConstantOffset(op, offset);
  if (!group.place)
    group.place =
        place(pc, b.CreateAdd(read(op.rs1), word(uint32_t(group.low))),
              group.high - group.low, isStoreKind(kind));
  return b.CreateConstGEP1_64(b.getInt8Ty(), group.place, offset - group.low);
}

void Emitter::addMisaligned(Value *address, unsigned size) {
  if (size == 1 || !options.keepsTime)
    return;
  Value *low = b.CreateAnd(address, word(3));
  addCycles(b.CreateICmpUGT(low, word(4 - size)));
}

void Emitter::emitAccess(uint32_t pc, const Op &op) {
  Kind kind = kindOf(op);
  unsigned size = shapeOf(kind).size;
  Type *type = b.getIntNTy(8 * size);
  Value *address;
  Value *where = accessPlace(pc, op, address);
  Value *next = isPostKind(kind) ? row(pc, op) : nullptr;
  if (isStoreKind(kind)) {
    b.CreateAlignedStore(b.CreateTrunc(read(op.rs2), type), where, Align(1));
    if (next)
      write(op.rs1, next);
  } else {
    Value *value = b.CreateAlignedLoad(type, where, Align(1));
    value = shapeOf(kind).isSigned ? b.CreateSExt(value, b.getInt32Ty())
                                   : b.CreateZExt(value, b.getInt32Ty());
    if (next)
      write(op.rs1, next);
    write(op.rd, value);
  }
  addMisaligned(address, size);
}

/// The address of an access that has not happened yet.
Value *Emitter::nextAddress(const Op &next) {
  Value *address = read(next.rs1);
  switch (isa::info(Opcode(next.real)).format) {
  case Format::L:
  case Format::S:
    return b.CreateAdd(address, word(next.imm));
  case Format::LReg:
    return b.CreateAdd(address, read(next.rs2));
  case Format::SReg:
    return b.CreateAdd(address, read(next.rs3));
  default:
    return address;
  }
}

void Emitter::emitAtomic(uint32_t pc, const Op &op) {
  Value *address = read(op.rs1);
  leaveIf(b.CreateICmpNE(b.CreateAnd(address, word(3)), word(0)), pc);
  Value *where = place(pc, address, 4, true);
  Value *old = b.CreateAlignedLoad(b.getInt32Ty(), where, Align(1));
  b.CreateAlignedStore(row(pc, op, old), where, Align(1));
  write(op.rd, old);
  if (!op.bankCheck || !options.keepsTime)
    return;
  // As Core::sameBankNext.
  Value *other = nextAddress(program.peek(pc + 2 * op.slots));
  Value *own = b.getFalse();
  for (unsigned i = 0; i < 2; ++i) {
    Value *inside, *data;
    windowOffset(options.onlyWindow ? &*options.onlyWindow : nullptr,
                 offsetof(CoreState, windows) + i * sizeof(Window), other, 4,
                 inside, data);
    own = b.CreateOr(own, inside);
  }
  Value *differ =
      b.CreateAnd(b.CreateXor(address, other), word((PSPIN_L1_BANKS - 1) * 4));
  Value *busy = b.CreateAnd(own, b.CreateICmpEQ(differ, word(0)));
  addCycles(b.CreateSelect(busy, word(isa::amoBankExtra), word(0)));
}
