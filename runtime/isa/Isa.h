//===- Isa.h - The instructions of a PsPIN core
//----------------------------===//
//
// Decodes RV32IMAC, Zicsr and Xpulp words into one operand form, prints them,
// and answers what an instruction reads, writes and does. Everything follows
// from the rows of insns/all.def (and insns/rv32c.def for 16-bit forms).
// Knows nothing of time (Timing.h) or of the card's memories.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_ISA_ISA_H
#define SPINC_RUNTIME_ISA_ISA_H

#include <cstdint>
#include <optional>
#include <string>

namespace spinc::isa {

enum class Opcode : uint16_t {
#define INSN(Id, ...) Id,
#include "runtime/isa/insns/all.def"
#undef INSN
  Invalid
};

/// The cores: RI5CY with Xpulp as on PsPIN, or CV32E40P with CORE-V's
/// encodings of the same instructions (xcv in the rows), which also has dot
/// products. Its hardware loops end behind their last instruction, in steps of
/// four bytes; decoded they look like PsPIN's.
enum class InstructionSet : uint8_t { Pspin, Corev };

/// "pspin", "corev".
const char *nameOf(InstructionSet set);
std::optional<InstructionSet> instructionSetOf(const std::string &name);

/// The symbol by which an image says that it is for Corev.
constexpr const char *corevNote = "__spin_corev";

constexpr unsigned numOpcodes = unsigned(Opcode::Invalid);

/// Where the operands of a word are. `Post` forms write rs1 too, `Acc` forms
/// read rd too (as rs3).
enum class Format : uint8_t {
  None,       // no operands
  R,          // rd, rs1, rs2
  RUnary,     // rd, rs1
  RAcc,       // rd (also read), rs1, rs2
  RImm,       // rd, rs1, unsigned imm in the rs2 field
  RNorm,      // rd, rs1, rs2, imm = shift in [29:25]
  RNormAcc,   // the same, rd also read
  RField,     // rd, rs1, imm = length-1 in [29:25], imm2 = position in [24:20]
  RFieldAcc,  // the same, rd also read
  VecImm,     // rd, rs1, signed imm6 = {[24:20],[25]}
  VecImmU,    // the same, unsigned
  VecImmAcc,  // signed, rd also read
  VecImmUAcc, // unsigned, rd also read
  I,          // rd, rs1, imm12
  IShift,     // rd, rs1, shift amount
  U,          // rd, imm = upper 20 bits in place
  J,          // rd, imm = offset
  B,          // rs1, rs2, imm = offset
  BImm,       // rs1, imm2 = signed value in the rs2 field, imm = offset
  L,          // rd, imm(rs1)
  LPost,      // rd, imm(rs1!)
  LReg,       // rd, rs2(rs1)
  LPostReg,   // rd, rs2(rs1!)
  S,          // rs2, imm(rs1)
  SPost,      // rs2, imm(rs1!)
  SReg,       // rs2, rs3(rs1), rs3 in the rd field
  SPostReg,   // rs2, rs3(rs1!)
  Lr,         // rd, (rs1)
  Amo,        // rd, rs2, (rs1)
  Csr,        // rd, imm2 = register number, rs1
  CsrImm,     // rd, imm2 = register number, imm = unsigned value
  LoopImm,    // imm2 = loop, imm = unsigned 12 bits
  LoopReg,    // imm2 = loop, rs1, imm = unsigned 12 bits
  LoopSetup,  // imm2 = loop, imm = count, rs3 holds the 5-bit end offset
};

/// What the row's expression is and what happens with it.
enum class Kind : uint8_t {
  Value,        // rd = expression
  Jump,         // rd = next pc, go to the expression
  JumpRegister, // the same
  Branch,       // go to pc + imm if the expression holds
  LoadB,        // rd = memory at the expression
  LoadBu,
  LoadH,
  LoadHu,
  LoadW,
  PostLoadB, // rd = memory at rs1, then rs1 = expression
  PostLoadBu,
  PostLoadH,
  PostLoadHu,
  PostLoadW,
  StoreB, // memory at the expression = rs2
  StoreH,
  StoreW,
  PostStoreB, // memory at rs1 = rs2, then rs1 = expression
  PostStoreH,
  PostStoreW,
  LoadReserved,     // address = expression
  StoreConditional, // memory at rs1 = rs2 if still reserved
  Atomic,           // rd = old memory at rs1, memory = expression
  Csr,              // rd = old register, register = expression
  HwLoop,           // by opcode
  Trap,             // ecall, ebreak
  TrapReturn,
  FenceI,
  Nothing,
  Hang, // of no instruction, and of floating-point ones
};

/// Classes of the timing table, Timing.h.
enum class TimingClass : uint8_t {
  Alu,
  MulHigh,
  Divide,
  Branch,
  Jump,
  JumpRegister,
  Load,
  EventLoad,
  Store,
  Amo,
  Csr,
  Fence,
  HwLoop,
  System,
  Hang,
};

/// One decoded instruction. Register fields that the format does not have are
/// 0; immediates are sign- or zero-extended as the format says.
struct Insn {
  Opcode op = Opcode::Invalid;
  uint8_t rd = 0;
  uint8_t rs1 = 0;
  uint8_t rs2 = 0;
  uint8_t rs3 = 0;
  uint8_t length = 0; // bytes: 2 or 4
  int32_t imm = 0;
  int32_t imm2 = 0;
  uint32_t word = 0; // as fetched; 16-bit forms keep their 16 bits
};

/// A row of the table, without its expression.
struct OpcodeInfo {
  const char *mnemonic;
  Format format;
  uint32_t mask;
  uint32_t match;
  uint32_t xcvMatch; // 0: no CORE-V twin
  TimingClass timing;
  Kind kind;
};

const OpcodeInfo &info(Opcode op);

/// Decodes the instruction whose first 16 bits are the low half of `word`.
/// 16-bit forms decode to the instruction they stand for, with length 2.
/// Returns false, and an Insn of op Invalid with the length its low bits say,
/// for words that no row has.
bool decode(uint32_t word, Insn &insn,
            InstructionSet set = InstructionSet::Pspin);

/// The same from memory. Reads 2 bytes, and 4 only if `available` allows it
/// and the first two ask for it.
bool decode(const uint8_t *bytes, uint64_t available, Insn &insn,
            InstructionSet set = InstructionSet::Pspin);

/// The 32-bit word of an instruction, whatever its length. What is in no
/// operand's bits is 0; an operand that does not fit is cut off.
uint32_t encode(const Insn &insn, InstructionSet set = InstructionSet::Pspin);

/// The bits of the row's words that hold operands.
uint32_t operandBits(Opcode op);

/// The bits of the row's words, under its mask, that name the instruction;
/// nothing if the cores do not have it.
std::optional<uint32_t> matchOf(Opcode op, InstructionSet set);

/// The 32-bit word that a 16-bit form stands for.
std::optional<uint32_t> expandCompressed(uint16_t word);

/// "zero", "ra", … of the 32 registers.
const char *registerName(unsigned number);

/// Text as an assembler for this core would take it; branch targets are
/// absolute, from `pc`.
std::string disassemble(const Insn &insn, uint32_t pc);

/// The 32-bit word of a line that `disassemble` prints for address `pc`, or
/// nothing if it is none: an unknown mnemonic, wrong operands, or a value that
/// the instruction cannot hold. `.word` and `.half` give their number.
std::optional<uint32_t> assemble(const std::string &text, uint32_t pc,
                                 InstructionSet set = InstructionSet::Pspin);

/// Sets of registers as bit masks; bit 0 is x0. What is read includes x0 (the
/// core's load-use check does), what is written excludes it.
uint32_t registersRead(const Insn &insn);
uint32_t registersWritten(const Insn &insn);
inline bool reads(const Insn &insn, unsigned reg) {
  return registersRead(insn) >> reg & 1;
}
inline bool writes(const Insn &insn, unsigned reg) {
  return registersWritten(insn) >> reg & 1;
}

bool isBranch(const Insn &insn); // conditional
bool isJump(const Insn &insn);   // jal and jalr in every role
bool isCall(const Insn &insn);   // links into ra
bool isReturn(const Insn &insn); // jalr x0, 0(ra)
bool isIndirect(const Insn &insn);
bool isLoad(const Insn &insn);
bool isStore(const Insn &insn);
bool isAtomic(const Insn &insn); // amo*, lr, sc
bool isCsr(const Insn &insn);
bool isHwLoop(const Insn &insn);
/// A legal encoding that stops the core for ever, or no instruction.
bool isHang(const Insn &insn, InstructionSet set = InstructionSet::Pspin);
inline bool isMemoryAccess(const Insn &insn) {
  return isLoad(insn) || isStore(insn) || isAtomic(insn);
}
/// Whether control goes on at the next address in every case.
bool fallsThrough(const Insn &insn);

/// Bytes that a memory access moves, 0 for other instructions.
unsigned accessSize(const Insn &insn);

/// Where a memory access goes; `registers` are the 32 before it.
uint32_t accessAddress(const Insn &insn, const uint32_t *registers);

/// Where a branch or direct jump goes.
std::optional<uint32_t> directTarget(const Insn &insn, uint32_t pc);

/// First and last instruction of the body that lp.setup and lp.setupi declare.
/// The last one is part of the body.
struct LoopRange {
  unsigned loop;
  uint32_t start;
  uint32_t end;
};
std::optional<LoopRange> hwLoopRange(const Insn &insn, uint32_t pc);

/// The Xpulp word of a CORE-V word, or nothing if `word` is no CORE-V one. To
/// be applied once, to code only: the maps overlap.
std::optional<uint32_t> reencodeXcv(uint32_t word);

} // namespace spinc::isa

#endif // SPINC_RUNTIME_ISA_ISA_H
