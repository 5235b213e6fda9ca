//===- Program.cpp - Decoding into slots ----------------------------------===//
//
// Where static costs are folded: a stall between two instructions in line is
// charged to the first of them.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Program.h"
#include "runtime/isa/Timing.h"
#include "runtime/sim/AccessKind.h"
#include <algorithm>
#include <iterator>

using namespace spinc;
using namespace spinc::sim;
using isa::Insn;
using isa::Opcode;

Program::Program(uint32_t base, const uint8_t *bytes, uint32_t size,
                 isa::InstructionSet set)
    : start(base), length(size & ~1u), bytes(bytes), set(set),
      ops(length / 2 + 1), loopEnds(length / 2 + 1) {
  invalidate();
}

/// The lowest bits of all instructions that set up a loop.
uint32_t Program::loopOpcode() const {
  return isa::matchOf(Opcode::LpSetup, set).value_or(0) & 0x7f;
}

/// Loop ends are immediates of the loop instructions, so all of them can be
/// found beforehand. Words that only look like one cost time, nothing else.
void Program::findLoopEnds() {
  const uint32_t opcode = loopOpcode();
  for (uint32_t offset = 0; offset + 4 <= length; offset += 2) {
    if ((bytes[offset] & 0x7f) != opcode)
      continue;
    Insn insn = insnAt(start + offset);
    if (insn.op != Opcode::LpEndi && insn.op != Opcode::LpSetup &&
        insn.op != Opcode::LpSetupi)
      continue;
    uint32_t halves = insn.op == Opcode::LpSetupi ? insn.rs3 : insn.imm;
    uint32_t end = offset / 2 + halves;
    if (end < loopEnds.size())
      loopEnds[end] = true;
  }
}

Insn Program::insnAt(uint32_t pc) const {
  Insn insn;
  uint32_t offset = pc - start;
  if (offset < length && !(offset & 1))
    isa::decode(bytes + offset, length - offset, insn, set);
  return insn;
}

void Program::findExtras() {
  extras.assign(length / 2 + 1, 0);
  for (uint32_t pc = (start | 15) - 1; pc - start < length; pc += 16)
    extras[(pc - start) / 2] = isa::targetExtra(pc, insnAt(pc).length);
}

void Program::invalidate() {
  stale = false;
  std::fill(ops.begin(), ops.end(), Op());
  ops.back().code = ops.back().warm = ops.back().real = codeInvalid;
  std::fill(std::begin(loopBacks), std::end(loopBacks), LoopBack());
  loopEnds.assign(loopEnds.size(), false);
  findLoopEnds();
  findExtras();
}

/// What was not decoded yet matters too if loop ends or the costs of jumps
/// were read off it.
void Program::noteStore(uint32_t address, unsigned size) {
  const uint32_t opcode = loopOpcode();
  uint32_t first = (address - start) & ~1u;
  for (uint32_t at = first >= 2 ? first - 2 : 0;
       at < first + size + 1 && at + 2 <= length; at += 2)
    stale |= ops[at / 2].code != codeUndecoded ||
             (bytes[at] & 0x7f) == opcode || ((start + at) & 15) == 14;
}

void Program::decode(Op *op) {
  uint32_t pc = pcOf(op);
  Insn insn = insnAt(pc);
  if (insn.op == Opcode::Invalid) {
    op->code = op->warm = op->real = codeInvalid;
    return;
  }
  Insn next = insnAt(pc + insn.length);
  bool divides = isa::info(insn.op).timing == isa::TimingClass::Divide;
  unsigned stall = isa::stallBetween(insn, next);
  op->rd = insn.rd ? insn.rd : 32;
  op->rs1 = insn.rs1;
  op->rs2 = insn.rs2;
  op->rs3 = insn.rs3;
  op->imm = insn.imm;
  op->imm2 = insn.imm2;
  op->slots = insn.length / 2;
  unsigned later =
      isa::stallAcross(insn, next, insnAt(pc + insn.length + next.length));
  op->cost = (divides ? 0 : isa::baseCost(insn)) + stall + later;
  op->bankCheck = isa::isAtomic(insn) &&
                  ((isa::isMemoryAccess(next) && stall == 0) || isLoopEnd(op));
  if (std::optional<uint32_t> target = isa::directTarget(insn, pc)) {
    Op *slot = at(*target);
    op->jump = int32_t(slot - op);
    op->taken = isa::takenExtra(insn) +
                isa::targetExtra(*target, insnAt(*target).length) +
                (isLoopEnd(slot) ? 1 : 0);
  }
  op->real = isa::isHang(insn, set) ? uint16_t(codeHangs) : uint16_t(insn.op);
  op->code = op->real;
  op->writesStack = isa::writes(insn, 2);
  op->isPlain = op->real != codeHangs && isPlainKind(isa::info(insn.op).kind);
  if (op->writesStack)
    op->code = codeStackCheck;
  if (isLoopEnd(op))
    op->code = codeLoopEnd;
  op->warm = op->code;
  if (cache && !cache->isWarm(pc))
    op->code = codeCold;
}

void Program::useCache(InstructionCache &used) {
  cache = &used;
  invalidate();
}

unsigned Program::fetch(uint32_t pc, uint64_t time) {
  bool warm;
  uint32_t evicted;
  unsigned takes = cache->fetch(pc, time, warm, evicted);
  if (evicted)
    setLine(evicted, false);
  if (warm)
    setLine(pc, true);
  return takes;
}

/// Instructions of a line go through fetch() or not.
void Program::setLine(uint32_t pc, bool isWarm) {
  uint32_t first = pc & ~(InstructionCache::lineBytes - 1);
  for (uint32_t at = first; at < first + InstructionCache::lineBytes; at += 2) {
    Op &op = ops[contains(at) ? (at - start) / 2 : length / 2];
    if (op.warm != codeUndecoded)
      op.code = isWarm ? op.warm : codeCold;
  }
}

int Program::loopBackExtra(uint32_t last, uint32_t first) const {
  LoopBack &kept = loopBacks[(last + first) / 2 % loopBacksKept];
  if (kept.last != last || kept.first != first)
    kept = {last, first, findLoopBack(last, first)};
  return kept.extra;
}

int Program::findLoopBack(uint32_t last, uint32_t first) const {
  Insn lastInsn = insnAt(last), firstInsn = insnAt(first);
  Insn inLine = insnAt(last + lastInsn.length);
  Insn second = insnAt(first + firstInsn.length);
  Insn behind = insnAt(last + lastInsn.length + inLine.length);
  int extra = int(isa::stallBetween(lastInsn, firstInsn)) +
              int(isa::stallAcross(lastInsn, firstInsn, second)) -
              int(isa::stallBetween(lastInsn, inLine)) -
              int(isa::stallAcross(lastInsn, inLine, behind));
  return extra +
         int(isa::loopStartExtra(first, firstInsn.length, second.length));
}
