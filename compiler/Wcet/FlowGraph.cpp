// See FlowGraph.h. Code is found by following control from the entry; bytes
// that control cannot reach are never looked at.
#include "compiler/Wcet/FlowGraph.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

Expected<uint32_t> spinc::wcet::entryOf(const Image &image, StringRef symbol) {
  if (std::optional<uint32_t> entry = image.findFunction(symbol))
    return *entry;
  return make_error<WcetError>(
      WcetError::Kind::BadElf,
      ("the image has no function '" + symbol + "'").str());
}

Error spinc::wcet::errorAt(const Image &image, WcetError::Kind kind,
                           uint32_t address, const Twine &message,
                           std::string fix) {
  SourceLine line = image.lineAt(address);
  std::string text = (message + " (" + image.functionAt(address) +
                      ", address 0x" + utohexstr(address, true) + ")")
                         .str();
  return make_error<WcetError>(kind, text, line.file, line.line,
                               std::move(fix));
}

namespace {

/// Where control goes after one instruction.
struct Flow {
  bool falls = false;
  bool returns = false;
  bool traps = false;
  std::optional<uint32_t> taken;
  std::optional<uint32_t> jump;
  std::optional<uint32_t> callee;
  bool usesPrevious = false; ///< target built by the instruction before
  bool endsBlock() const {
    return !falls || taken || callee || jump || returns || traps;
  }
};

class Builder {
public:
  Builder(const Image &image, uint32_t entry) : image(image) {
    graph.entry = entry;
  }

  Expected<FlowGraph> build() {
    reach(graph.entry);
    while (!work.empty()) {
      uint32_t address = work.back();
      work.pop_back();
      if (Error error = scan(address))
        return std::move(error);
    }
    if (Error error = checkHardwareLoops())
      return std::move(error);
    makeBlocks();
    if (Error error = checkLoopParts())
      return std::move(error);
    if (Error error = makeEdges())
      return std::move(error);
    if (Error error = findLoops(image, graph))
      return std::move(error);
    return std::move(graph);
  }

private:
  Error scan(uint32_t address);
  Expected<Site> decodeAt(uint32_t address);
  Expected<Flow> flowAfter(const Site &site, const Site *previous);
  void declareHardwareLoop(const Site &site);
  void addMixedLoops();
  Error checkHardwareLoops();
  Error checkLoopParts();
  void makeBlocks();
  Error makeEdges();

  void reach(uint32_t address) {
    if (leaders.insert(address).second)
      work.push_back(address);
  }

  const Image &image;
  FlowGraph graph;
  std::vector<uint32_t> work;
  std::set<uint32_t> leaders;
  std::map<uint32_t, Site> sites;
  std::map<uint32_t, Flow> flows;
  /// Bodies of hardware loops: first and last instruction.
  std::set<std::pair<uint32_t, uint32_t>> hardwareLoops;
  std::map<unsigned, std::set<uint32_t>> starts, ends;
  /// Loop registers whose start and end are set by instructions of their own.
  std::set<unsigned> inParts;
};

Expected<Site> Builder::decodeAt(uint32_t address) {
  return wcet::decodeAt(image, address);
}

Expected<Flow> Builder::flowAfter(const Site &site, const Site *previous) {
  Flow flow;
  const isa::Insn &insn = site.insn;
  bool linksWeird = isa::isJump(insn) && insn.rd > 1 && insn.rd != 5;
  std::optional<uint32_t> target = isa::directTarget(insn, site.address);
  switch (isa::info(insn.op).kind) {
  case isa::Kind::Trap:
  case isa::Kind::TrapReturn:
  case isa::Kind::Hang:
    flow.traps = true;
    return flow;
  case isa::Kind::Branch:
    flow.falls = true;
    flow.taken = target;
    return flow;
  case isa::Kind::Jump:
    break;
  case isa::Kind::JumpRegister:
    if (insn.rd == 0 && (insn.rs1 == 1 || insn.rs1 == 5) && insn.imm == 0) {
      flow.returns = true;
      return flow;
    }
    // The long form of a direct jump: the instruction before builds the base.
    if (previous && previous->insn.rd == insn.rs1 && insn.rs1 != 0) {
      if (previous->insn.op == isa::Opcode::Auipc)
        target = previous->address + previous->insn.imm + insn.imm;
      else if (previous->insn.op == isa::Opcode::Lui)
        target = previous->insn.imm + insn.imm;
      flow.usesPrevious = true;
    }
    break;
  default:
    if (insn.op == isa::Opcode::Wfi ||
        isa::info(insn.op).timing == isa::TimingClass::EventLoad)
      return errorAt(image, WcetError::Kind::UnknownCode, site.address,
                     "how long the core sleeps is not known: " +
                         isa::disassemble(insn, site.address));
    flow.falls = true;
    return flow;
  }
  if (!target || linksWeird)
    return errorAt(image, WcetError::Kind::IndirectJump, site.address,
                   "jump to an address that is not known: " +
                       isa::disassemble(insn, site.address));
  (insn.rd == 0 ? flow.jump : flow.callee) = *target & ~1u;
  flow.falls = insn.rd != 0;
  return flow;
}

void Builder::declareHardwareLoop(const Site &site) {
  const isa::Insn &insn = site.insn;
  uint32_t target = site.address + (uint32_t(insn.imm) << 1);
  unsigned loop = unsigned(insn.imm2);
  if (std::optional<isa::LoopRange> range =
          isa::hwLoopRange(insn, site.address)) {
    starts[range->loop].insert(range->start);
    ends[range->loop].insert(range->end);
    hardwareLoops.insert({range->start, range->end});
    reach(range->start);
  } else if (insn.op == isa::Opcode::LpStarti) {
    starts[loop].insert(target);
    inParts.insert(loop);
  } else if (insn.op == isa::Opcode::LpEndi) {
    ends[loop].insert(target);
    inParts.insert(loop);
  } else {
    return;
  }
  addMixedLoops();
}

/// Where start and end are set apart from each other, any start may meet any
/// end.
void Builder::addMixedLoops() {
  for (unsigned loop : inParts)
    for (uint32_t first : starts[loop])
      for (uint32_t last : ends[loop]) {
        hardwareLoops.insert({first, last});
        reach(first);
      }
}

Error Builder::scan(uint32_t address) {
  const Site *previous = nullptr;
  while (!sites.count(address)) {
    Expected<Site> decoded = decodeAt(address);
    if (!decoded)
      return decoded.takeError();
    const Site &site = sites[address] = *decoded;
    Expected<Flow> flow = flowAfter(site, previous);
    if (!flow)
      return flow.takeError();
    flows[address] = *flow;
    if (flow->taken)
      reach(*flow->taken);
    if (flow->jump)
      reach(*flow->jump);
    if (isa::isHwLoop(site.insn))
      declareHardwareLoop(site);
    if (flow->endsBlock()) {
      if (flow->falls)
        reach(site.next());
      return Error::success();
    }
    previous = &site;
    address = site.next();
  }
  // Control runs into code that was found before: it starts a block there.
  leaders.insert(address);
  return Error::success();
}

Error Builder::checkHardwareLoops() {
  for (auto [first, last] : hardwareLoops) {
    auto end = sites.find(last);
    if (end == sites.end())
      return errorAt(image, WcetError::Kind::Irreducible, first,
                     "the end of a hardware loop is not in its function");
    if (isa::isJump(end->second.insn))
      return errorAt(image, WcetError::Kind::Irreducible, last,
                     "a hardware loop ends with a jump");
    leaders.insert(end->second.next());
  }
  return Error::success();
}

/// Where a block sets only one of the two, the other may be of any loop that
/// was run before.
Error Builder::checkLoopParts() {
  for (const Block &block : graph.blocks) {
    std::set<unsigned> withStart, withEnd;
    for (const Site &site : block.sites) {
      if (site.insn.op == isa::Opcode::LpStarti)
        withStart.insert(unsigned(site.insn.imm2));
      else if (site.insn.op == isa::Opcode::LpEndi)
        withEnd.insert(unsigned(site.insn.imm2));
    }
    if (withStart != withEnd)
      return errorAt(image, WcetError::Kind::Irreducible,
                     block.sites.front().address,
                     "start and end of a hardware loop are not set together");
  }
  return Error::success();
}

void Builder::makeBlocks() {
  auto add = [&](uint32_t leader) {
    Block block;
    for (uint32_t address = leader; sites.count(address);) {
      const Site &site = sites[address];
      block.sites.push_back(site);
      const Flow &flow = flows[address];
      address = site.next();
      if (flow.endsBlock() || leaders.count(address)) {
        block.callee = flow.callee;
        block.returns = flow.returns;
        block.traps = flow.traps;
        break;
      }
    }
    graph.blocks.push_back(std::move(block));
  };
  add(graph.entry);
  for (uint32_t leader : leaders)
    if (leader != graph.entry && sites.count(leader))
      add(leader);
}

Error Builder::makeEdges() {
  std::map<uint32_t, unsigned> blockAt;
  for (unsigned block = 0; block < graph.blocks.size(); ++block)
    blockAt[graph.blocks[block].sites.front().address] = block;
  auto connect = [&](unsigned from, uint32_t to, EdgeKind kind) {
    unsigned number = graph.edges.size();
    graph.edges.push_back({from, blockAt.at(to), kind});
    graph.blocks[from].out.push_back(number);
    graph.blocks[blockAt.at(to)].in.push_back(number);
  };
  for (unsigned block = 0; block < graph.blocks.size(); ++block) {
    const Site last = graph.blocks[block].sites.back();
    const Flow &flow = flows[last.address];
    if (flow.usesPrevious && leaders.count(last.address))
      return errorAt(image, WcetError::Kind::IndirectJump, last.address,
                     "jump to an address that is not known: " +
                         isa::disassemble(last.insn, last.address));
    if (flow.falls)
      connect(block, last.next(),
              flow.callee ? EdgeKind::Return : EdgeKind::Fall);
    if (flow.taken)
      connect(block, *flow.taken, EdgeKind::Taken);
    if (flow.jump)
      connect(block, *flow.jump, EdgeKind::Jump);
    for (auto [first, end] : hardwareLoops)
      if (end == last.address && flow.falls)
        connect(block, first, EdgeKind::Hardware);
  }
  return Error::success();
}

} // namespace

Expected<Site> spinc::wcet::decodeAt(const Image &image, uint32_t address) {
  Site site;
  site.address = address;
  std::optional<uint16_t> low = image.codeAt(address);
  std::optional<uint16_t> high = image.codeAt(address + 2);
  bool isLong = low && (*low & 3) == 3;
  uint32_t word = low.value_or(0) | uint32_t(isLong ? high.value_or(0) : 0)
                                        << 16;
  bool unimp = low && *low == 0;
  isa::InstructionSet set = image.instructionSet();
  bool known = isa::decode(word, site.insn, set);
  if (!low || (isLong && !high) || (!known && !unimp) ||
      isa::isHang(site.insn, set)) {
    if (!unimp)
      return errorAt(image, WcetError::Kind::UnknownCode, address,
                     "no instruction of this card");
    site.insn.length = 2;
  }
  return site;
}

Expected<FlowGraph> FlowGraph::build(const Image &image, uint32_t entry) {
  return Builder(image, entry).build();
}
