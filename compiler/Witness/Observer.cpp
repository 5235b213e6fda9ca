// See Observer.h.
#include "compiler/Witness/Observer.h"
#include "runtime/abi/pspin.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::witness;

/// Comparisons and elements of one run, and steps.
static constexpr size_t kMaxPairs = 400, kMaxSteps = 6, kMaxTouches = 32,
                        kMaxNeighbours = 4096, kMaxLatest = 12;
/// Comparisons of one place in the code: what ends a loop is met again and
/// again, and must not take the room of guards that are met once.
static constexpr unsigned kPairsOfPlace = 6;
/// What may lie between a number of the packet and the one that is compared.
static constexpr int32_t kMaxStep = 64;

Observer::Observer(const Program &program, StringRef symbol,
                   ArrayRef<StateField> fields)
    : fields(fields.vec()) {
  std::string error;
  image.read(program.elf.data(), program.elf.size(), error);
  if (auto at = image.symbols.find(symbol.str()); at != image.symbols.end())
    entry = at->second;
}

void Observer::clear() {
  executed.assign(PSPIN_PROGRAM_SIZE, false);
  pairs.clear();
  latest.clear();
  seen.clear();
  pairsAt.clear();
  steps = {0};
  touches.clear();
  neighbours.clear();
  origins.clear();
  arriving.reset();
  atomic.reset();
  runs = 0;
  inside = false;
}

const isa::Insn &Observer::at(uint32_t pc) {
  auto [entry, isNew] = decoded.try_emplace(pc);
  if (!isNew)
    return entry->second;
  for (const sim::Segment &segment : image.segments) {
    uint32_t offset = pc - segment.address;
    if (segment.executable && offset < segment.bytes.size())
      isa::decode(&segment.bytes[offset], segment.bytes.size() - offset,
                  entry->second, image.instructionSet());
  }
  return entry->second;
}

void Observer::noteAccess(const isa::Insn &insn, uint32_t address) {
  bool reads = isa::isLoad(insn) || isa::isAtomic(insn);
  if (!reads || insn.rd == 0 || touches.size() >= kMaxTouches)
    return;
  if (address - PSPIN_L1_ALIAS < PSPIN_L1_SIZE)
    address += PSPIN_L1_BASE - PSPIN_L1_ALIAS;
  for (size_t field = 0; field < fields.size(); ++field) {
    uint32_t offset = address - fields[field].address;
    if (offset >= fields[field].size)
      continue;
    touches.push_back({field, offset, 0});
    arriving = insn.rd;
  }
}

void Observer::noteNeighbour(const isa::Insn &insn, uint32_t address) {
  if (atomic && isa::isMemoryAccess(insn) &&
      neighbours.size() < kMaxNeighbours) {
    atomic->next = address;
    neighbours.push_back(*atomic);
  }
  atomic.reset();
  if (isa::isAtomic(insn) && origins.of(insn.rs1) != 0)
    atomic = Neighbour{origins.of(insn.rs1), address, 0, runs - 1};
}

void Observer::see(uint32_t pc, const uint32_t *registers) {
  if (pc == entry) {
    inside = true;
    ++runs;
    origins.enter();
    returnsTo = registers[1];
  } else if (inside && pc == returnsTo) {
    inside = false;
  }
  if (arriving)
    touches.back().value = registers[*arriving];
  arriving.reset();
  uint32_t offset = pc - PSPIN_PROGRAM_BASE;
  if (!inside || offset >= executed.size())
    return;
  executed[offset] = true;
  const isa::Insn &insn = at(pc);
  if (insn.op == isa::Opcode::Invalid)
    return;
  uint32_t address = isa::accessAddress(insn, registers);
  noteAccess(insn, address);
  noteNeighbour(insn, address);
  noteComparison(pc, insn, registers);
  origins.see(insn, address, registers);
}

void Observer::noteComparison(uint32_t pc, const isa::Insn &insn,
                              const uint32_t *registers) {
  const isa::OpcodeInfo &info = isa::info(insn.op);
  bool compares = info.kind == isa::Kind::Branch;
  bool moves = insn.op == isa::Opcode::Addi && insn.rs1 != 0 && insn.rs1 != 2;
  if (moves && std::abs(insn.imm) <= kMaxStep && steps.size() < kMaxSteps)
    steps.insert(-insn.imm);
  switch (insn.op) {
  case isa::Opcode::Slt:
  case isa::Opcode::Sltu:
  case isa::Opcode::Sub:
  case isa::Opcode::Xor:
  case isa::Opcode::Slti:
  case isa::Opcode::Sltiu:
  case isa::Opcode::Addi:
  case isa::Opcode::Xori:
  case isa::Opcode::Andi:
  case isa::Opcode::PSlet:
  case isa::Opcode::PSletu:
  case isa::Opcode::PMin:
  case isa::Opcode::PMinu:
  case isa::Opcode::PMax:
  case isa::Opcode::PMaxu:
    compares = true;
    break;
  default:
    break;
  }
  if (!compares)
    return;
  Pair pair{registers[insn.rs1], registers[insn.rs2], origins.of(insn.rs1),
            origins.of(insn.rs2), runs - 1};
  if (info.format == isa::Format::BImm)
    pair.right = uint32_t(insn.imm2);
  else if (info.format == isa::Format::I)
    pair.right = uint32_t(insn.op == isa::Opcode::Addi ? -insn.imm : insn.imm);
  if (info.format == isa::Format::BImm || info.format == isa::Format::I)
    pair.rightOrigin = 0;
  if (pair.leftOrigin != 0 || pair.rightOrigin != 0) {
    latest.push_back(pair);
    if (latest.size() > kMaxLatest)
      latest.pop_front();
  }
  if (pair.left == pair.right)
    executed[(pc - PSPIN_PROGRAM_BASE) | 1] = true;
  else if (pairs.size() < kMaxPairs && pairsAt[pc] < kPairsOfPlace &&
           seen.insert({pair.left, pair.right}).second) {
    ++pairsAt[pc];
    pairs.push_back(pair);
  }
}
