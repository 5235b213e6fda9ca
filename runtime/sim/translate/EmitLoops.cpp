//===- EmitLoops.cpp - Hardware loops -------------------------------------===//
//
// Their registers stay in the core: few instructions look at them. Going back
// at the end of a body stays in the region if one of its own instructions set
// the loop up; other loops are left to the interpreter.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/translate/Emitter.h"
#include <cstddef>

using namespace llvm;
using namespace spinc;
using namespace spinc::sim;
using isa::Kind;
using isa::Opcode;

static constexpr uint64_t loopOffset(unsigned loop) {
  return offsetof(CoreState, loops) + sizeof(HwLoop) * loop;
}
static constexpr uint64_t startField = offsetof(HwLoop, start),
                          endField = offsetof(HwLoop, end),
                          countField = offsetof(HwLoop, count);

static bool setsUp(const Op &op) {
  return Opcode(op.real) == Opcode::LpSetup ||
         Opcode(op.real) == Opcode::LpSetupi;
}
static uint32_t endOfSetup(uint32_t pc, const Op &op) {
  bool immediate = Opcode(op.real) == Opcode::LpSetupi;
  return pc + ((immediate ? op.rs3 : op.imm) << 1);
}

void Emitter::emitLoopSetup(uint32_t pc, const Op &op) {
  uint64_t loop = loopOffset(op.imm2);
  auto set = [&](uint64_t field, Value *value) {
    storeField(value, loop + field);
  };
  switch (Opcode(op.real)) {
  case Opcode::LpStarti:
    return set(startField, word(pc + (op.imm << 1)));
  case Opcode::LpEndi:
    return set(endField, word(pc + (op.imm << 1)));
  case Opcode::LpCount:
    return set(countField, read(op.rs1));
  case Opcode::LpCounti:
    return set(countField, word(op.imm));
  default:
    break;
  }
  bool immediate = Opcode(op.real) == Opcode::LpSetupi;
  set(startField, word(pc + 4));
  set(endField, word(endOfSetup(pc, op)));
  set(countField, immediate ? word(op.imm) : read(op.rs1));
}

/// Where loops of this region that end at `pc` go back to.
std::vector<uint32_t> Emitter::loopStarts(uint32_t pc) const {
  std::vector<uint32_t> starts;
  for (const auto &[unused, block] : region.blocks)
    for (uint32_t each : block.pcs) {
      const Op &op = program.peek(each);
      if (kindOf(op) == Kind::HwLoop && setsUp(op) &&
          endOfSetup(each, op) == pc && each + 4 != pc &&
          region.contains(each + 4))
        starts.push_back(each + 4);
    }
  return starts;
}

/// Before the last instruction of a body: leaves if a loop would go back to
/// where only the interpreter can.
void Emitter::emitLoopGuard(uint32_t pc) {
  std::vector<uint32_t> starts = loopStarts(pc);
  for (unsigned loop = 0; loop < 2; ++loop) {
    Value *ends = b.CreateICmpEQ(
        loadField(b.getInt32Ty(), loopOffset(loop) + endField), word(pc));
    Value *counts = b.CreateICmpUGT(
        loadField(b.getInt32Ty(), loopOffset(loop) + countField), word(1));
    Value *foreign = b.CreateAnd(ends, counts);
    Value *start = loadField(b.getInt32Ty(), loopOffset(loop) + startField);
    for (uint32_t known : starts)
      foreign = b.CreateAnd(foreign, b.CreateICmpNE(start, word(known)));
    leaveIf(foreign, pc);
  }
}

/// After it, as Core::finishLoopEnd.
void Emitter::emitLoopEnd(uint32_t pc, const Op &op) {
  flush();
  Value *kept[32];
  std::copy(std::begin(current), std::end(current), kept);
  BasicBlock *inLine = newBlock("loop.over");
  for (unsigned loop = 0; loop < 2; ++loop) {
    BasicBlock *next = loop == 0 ? newBlock("outer") : inLine;
    BasicBlock *ends = newBlock("loop.end"), *back = newBlock("loop.back");
    Value *end = loadField(b.getInt32Ty(), loopOffset(loop) + endField);
    Value *count = loadField(b.getInt32Ty(), loopOffset(loop) + countField);
    b.CreateCondBr(b.CreateAnd(b.CreateICmpEQ(end, word(pc)),
                               b.CreateICmpNE(count, word(0))),
                   ends, next);
    b.SetInsertPoint(ends);
    storeField(b.CreateSub(count, word(1)), loopOffset(loop) + countField);
    b.CreateCondBr(b.CreateICmpEQ(count, word(1)), next, back);
    b.SetInsertPoint(back);
    emitLoopBack(pc, loop);
    std::copy(std::begin(kept), std::end(kept), current);
    b.SetInsertPoint(next);
  }
  goTo(pc + 2 * op.slots);
}

void Emitter::emitLoopBack(uint32_t pc, unsigned loop) {
  Value *start = loadField(b.getInt32Ty(), loopOffset(loop) + startField);
  BasicBlock *none = newBlock("no.start");
  SwitchInst *starts = b.CreateSwitch(start, none);
  for (uint32_t known : loopStarts(pc)) {
    if (starts->findCaseValue(word(known)) != starts->case_default())
      continue;
    BasicBlock *block = newBlock("again");
    starts->addCase(word(known), block);
    b.SetInsertPoint(block);
    pendingCycles += program.loopBackExtra(pc, known);
    transfer(known);
  }
  b.SetInsertPoint(none);
  b.CreateUnreachable();
}
