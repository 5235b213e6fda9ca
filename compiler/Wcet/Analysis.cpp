// See Analysis.h.
#include "compiler/Wcet/Analysis.h"
#include "runtime/abi/pspin.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

Expected<EntryPoint> EntryPoint::find(const Image &image,
                                      const HandlerSpec &handler,
                                      const WcetOptions &options) {
  Expected<uint32_t> address = entryOf(image, handler.symbol);
  if (!address)
    return address.takeError();
  bool isHandler = handler.byRuntime && !options.bareMemory;
  EntryPoint entry{*address, isHandler ? MachineState::atHandlerEntry()
                                       : MachineState::atEntry()};
  entry.state.memory = {.holdsAddresses = options.foreign,
                        .hasDevices = !options.bareMemory};
  for (auto [reg, region] : options.arguments)
    entry.state.write(reg, wcet::Value::pointer(region, /*alignBits=*/0));
  return entry;
}

Expected<CostSet> HandlerAnalysis::analyze(const EntryPoint &entry) {
  Expected<FunctionResult> result =
      analyzeFunction(entry.address, entry.state, true);
  if (!result)
    return result.takeError();
  CostSet paths = std::move(result->cost.returns);
  uses.traps = !result->cost.traps.empty();
  algebra.unite(paths, result->cost.traps);
  return paths;
}

std::map<int64_t, int64_t> HandlerAnalysis::longestIterations() const {
  std::map<int64_t, int64_t> longest;
  for (const LoopTag &tag : tags) {
    int64_t &cycles = longest[tag.id];
    cycles = std::max(cycles, tag.perIteration);
  }
  return longest;
}

Expected<const FlowGraph *> HandlerAnalysis::graphAt(uint32_t entry) {
  auto known = graphs.find(entry);
  if (known != graphs.end())
    return &known->second;
  Expected<FlowGraph> graph = FlowGraph::build(image, entry);
  if (!graph)
    return graph.takeError();
  return &graphs.emplace(entry, std::move(*graph)).first->second;
}

Expected<HandlerAnalysis::EnteredFunction>
HandlerAnalysis::enter(uint32_t entry, const MachineState &in) {
  if (is_contained(callStack, entry))
    return errorAt(image, WcetError::Kind::Recursion, entry, "recursive call");
  callStack.push_back(entry);
  Expected<const FlowGraph *> graph = graphAt(entry);
  if (!graph)
    return graph.takeError();
  Expected<States> states = findStates(**graph, in);
  if (!states)
    return states.takeError();
  return EnteredFunction{*graph, std::move(*states)};
}

Expected<HandlerAnalysis::FunctionResult>
HandlerAnalysis::analyzeFunction(uint32_t entry, const MachineState &in,
                                 bool withCosts) {
  Expected<EnteredFunction> entered = enter(entry, in);
  if (!entered)
    return entered.takeError();
  const auto &[graph, states] = *entered;

  FunctionResult result;
  for (unsigned block = 0; block < graph->blocks.size(); ++block) {
    const Block &info = graph->blocks[block];
    if (!info.returns || !states[block])
      continue;
    MachineState state = *states[block];
    for (const Site &site : info.sites)
      execute(site, state);
    if (Error error = checkReturn(info, *states[block]))
      return std::move(error);
    if (result.state)
      result.state->join(state);
    else
      result.state = std::move(state);
  }
  if (withCosts) {
    Expected<FunctionCost> cost = findCosts(*graph, states);
    if (!cost)
      return cost.takeError();
    result.cost = std::move(*cost);
  }
  callStack.pop_back();
  return std::move(result);
}

/// A return must use the address that this very call came with.
Error HandlerAnalysis::checkReturn(const Block &block, MachineState state) {
  const Site &last = block.sites.back();
  for (const Site &site : block.sites)
    if (site.address != last.address)
      execute(site, state);
  if (state.read(last.insn.rs1) ==
      wcet::Value::returnAddress(returnsTo.size() - 1, returnsTo.back()))
    return Error::success();
  return errorAt(image, WcetError::Kind::IndirectJump, last.address,
                 "jump to an address that is not known: " +
                     isa::disassemble(last.insn, last.address));
}

Expected<HandlerAnalysis::FunctionResult>
HandlerAnalysis::runCall(const Site &site, uint32_t callee,
                         const MachineState &before, bool withCosts) {
  MachineState in = before;
  execute(site, in);
  in.write(site.insn.rd,
           wcet::Value::returnAddress(returnsTo.size(), site.next()));
  returnsTo.push_back(site.next());
  Expected<FunctionResult> result = analyzeFunction(callee, in, withCosts);
  returnsTo.pop_back();
  return result;
}

Expected<HandlerAnalysis::States>
HandlerAnalysis::findStates(const FlowGraph &graph, const MachineState &in) {
  States states(graph.blocks.size());
  states[0] = in;
  std::vector<bool> pending(graph.blocks.size());
  pending[0] = true;
  bool again = true;
  while (again) {
    again = false;
    for (unsigned block : graph.order) {
      if (!pending[block])
        continue;
      pending[block] = false;
      const Block &info = graph.blocks[block];
      if (--workLeft < 0)
        return errorAt(image, WcetError::Kind::TooLarge,
                       info.sites.front().address,
                       "the handler is too large to bound");
      std::optional<MachineState> out = *states[block];
      for (const Site &site : info.sites) {
        bool isCall = info.callee && &site == &info.sites.back();
        if (!isCall) {
          execute(site, *out);
          continue;
        }
        Expected<FunctionResult> result =
            runCall(site, *info.callee, *out, false);
        if (!result)
          return result.takeError();
        out = std::move(result->state);
      }
      if (!out)
        continue;
      for (unsigned number : info.out) {
        unsigned to = graph.edges[number].to;
        bool changed = !states[to] || states[to]->join(*out);
        if (!states[to])
          states[to] = *out;
        if (changed)
          again = pending[to] = true;
      }
    }
  }
  return std::move(states);
}

AccessInfo HandlerAnalysis::classify(const Site &site,
                                     const MachineState &state) const {
  AccessInfo access = classifyAccess(site.insn, state);
  if (access.exists && options.bareMemory) {
    access.region = Region::OwnL1;
    access.mayBeOwnL1 = true;
    access.assumedHome = access.assumedInside = false;
  }
  return access;
}

/// Remembers what the worst path may rest on.
void HandlerAnalysis::note(const Site &site, const AccessInfo &access) {
  if (!access.exists)
    return;
  uses.home |= access.assumedHome;
  uses.otherClusters |= access.otherCluster;
  uses.pointers |= access.assumedInside;
  uses.unknownMemory |= access.region == Region::Unmapped;
  if (!access.address || options.bareMemory)
    return;
  uint32_t device = *access.address;
  if (device == PSPIN_HPU_BASE + PSPIN_CMD_ISSUE && isa::isLoad(site.insn)) {
    issues.insert(site.address);
    uses.commands = true;
  }
  if (device == PSPIN_HPU_BASE + PSPIN_CMD_WAIT && isa::isStore(site.insn)) {
    waitSites.insert(site.address);
    uses.waits = true;
  }
}

/// What an access waits for all others. To another cluster's L1 the way counts
/// as waiting.
static int64_t contendedExtra(const AccessInfo &access) {
  if (!access.exists)
    return 0;
  int64_t extra = isa::contentionExtra(
      access.otherCluster ? isa::Region::RemoteL1 : access.region);
  return access.crossesWord ? 2 * extra : extra;
}

/// What an access may take longer than its cycles: it waits for all others, and
/// own L1 may be that of another cluster.
static int64_t elapsedExtra(const AccessInfo &access) {
  if (!access.exists)
    return 0;
  int64_t extra = isa::contentionExtra(access.region);
  if (access.mayBeOwnL1) {
    int64_t farther = 0;
    for (isa::Access way :
         {isa::Access::Load, isa::Access::Store, isa::Access::Atomic})
      farther = std::max<int64_t>(
          farther, isa::accessCost(isa::Region::RemoteL1, way) +
                       isa::contentionExtra(isa::Region::RemoteL1));
    extra = std::max(extra, farther);
  }
  return access.crossesWord ? 2 * extra : extra;
}

/// Lines of the instruction cache that an instruction enters behind another, or
/// behind a jump.
static int64_t linesEntered(const Site &site, const Site *previous) {
  uint32_t first = site.address / isa::icacheLineBytes;
  uint32_t last = (site.next() - 1) / isa::icacheLineBytes;
  bool isSame =
      previous && (previous->next() - 1) / isa::icacheLineBytes == first;
  return int64_t(last - first) + (isSame ? 0 : 1);
}

/// At most four commands are under way and each completes within the latency,
/// so any four issues in a row wait no longer than one latency in all: a
/// quarter for each, and one more for the handler (Wcet.cpp).
int64_t HandlerAnalysis::extraCost(const Site &site,
                                   const AccessInfo &access) const {
  if (figure == FigureKind::Contended)
    return contendedExtra(access);
  if (figure == FigureKind::Elapsed)
    return elapsedExtra(access);
  if (figure != FigureKind::Occupancy)
    return 0;
  if (waitSites.count(site.address))
    return options.commandLatency;
  if (issues.count(site.address))
    return (options.commandLatency + PSPIN_COMMANDS_PER_HPU - 1) /
           PSPIN_COMMANDS_PER_HPU;
  return 0;
}

/// The instruction at an address, of length 0 if there is none.
static isa::Insn insnAt(const Image &image, uint32_t address) {
  if (Expected<Site> site = decodeAt(image, address))
    return site->insn;
  else
    consumeError(site.takeError());
  return {};
}

/// What a jump waits for `load` across the instruction between them, charged to
/// the load, whichever way goes on from there.
static int64_t laterStall(const Image &image, const Site &load) {
  if (!isa::isLoad(load.insn) && !isa::isAtomic(load.insn))
    return 0;
  isa::Insn between = insnAt(image, load.next());
  isa::Insn jump = insnAt(image, load.next() + between.length);
  return isa::stallAcross(load.insn, between, jump);
}

/// What a hardware loop's way back to `first` takes; a second instruction that
/// does not exist is taken for a long one, and a jump for one that waits for
/// what the end of the body loads (isa::stallAcross).
static int64_t loopStartExtra(const Image &image, const Site &first) {
  auto jumps = [](const isa::Insn &insn) {
    return isa::info(insn.op).kind == isa::Kind::JumpRegister;
  };
  isa::Insn second = insnAt(image, first.next());
  unsigned length = second.length == 0 ? 4 : second.length;
  return (jumps(first.insn) || jumps(second)) +
         isa::loopStartExtra(first.address, first.insn.length, length);
}

/// What a jump or taken branch to the last instruction of a hardware loop's
/// body adds, as measured on the card. spinc makes no such code, so that the
/// simulator does not know of it.
static constexpr int64_t kJumpToLoopEnd = 1;

static bool isLoopEnd(const FlowGraph &graph, const Block &block) {
  return block.sites.size() == 1 && any_of(block.out, [&](unsigned edge) {
           return graph.edges[edge].kind == EdgeKind::Hardware;
         });
}

ChargesPtr
HandlerAnalysis::edgeCharges(const FlowGraph &graph, const Edge &edge,
                             const std::vector<AccessInfo> &firstAccess,
                             const std::vector<AccessInfo> &lastAccess) const {
  const Site &last = graph.blocks[edge.from].sites.back();
  const Site &first = graph.blocks[edge.to].sites.front();
  int64_t targetExtra = isa::targetExtra(first.address, first.insn.length);
  if (isLoopEnd(graph, graph.blocks[edge.to]))
    targetExtra += kJumpToLoopEnd;
  int64_t stall = stallCost(last.insn, lastAccess[edge.from], first.insn,
                            firstAccess[edge.to]);
  std::vector<Charge> charges;
  auto add = [&](uint32_t address, int64_t cycles) {
    if (cycles != 0)
      charges.push_back({address, cycles, false});
  };
  switch (edge.kind) {
  case EdgeKind::Fall:
    add(first.address, stall);
    break;
  case EdgeKind::Taken:
    add(last.address, isa::takenExtra(last.insn) + targetExtra);
    break;
  case EdgeKind::Jump:
  case EdgeKind::Return:
    add(last.address, targetExtra);
    break;
  case EdgeKind::Hardware:
    add(first.address, stall + loopStartExtra(image, first));
    break;
  }
  return std::make_shared<const std::vector<Charge>>(std::move(charges));
}

Expected<FunctionCost> HandlerAnalysis::findCosts(const FlowGraph &graph,
                                                  const States &states) {
  Expected<CostedGraph> costed = priceGraph(graph, states);
  if (!costed)
    return costed.takeError();
  if (options.graph && callStack.size() == 1)
    outermost = *costed;
  return PathSolver(image, loops, algebra, tags).solve(*costed);
}

static ConstantRange rangeOf(const wcet::Value &value) {
  if (!value.isNumber())
    return ConstantRange::getFull(32);
  return ConstantRange::fromKnownBits(value.plainBits(), /*IsSigned=*/false);
}

static RegisterRanges rangesOf(const MachineState &state) {
  RegisterRanges ranges;
  for (unsigned reg = 0; reg < state.regs.size(); ++reg)
    ranges.push_back(rangeOf(state.read(reg)));
  return ranges;
}

/// What registers hold at the loops' headers, and on the ways into the loops.
void HandlerAnalysis::addLoopValues(const FlowGraph &graph,
                                    const States &states, GraphValues &values) {
  for (unsigned loop = 1; loop < graph.loops.size(); ++loop) {
    const Loop &body = graph.loops[loop];
    if (!states[body.header])
      continue;
    values.atHeader.emplace(loop, rangesOf(*states[body.header]));
    std::optional<RegisterRanges> entering;
    for (unsigned edge : graph.blocks[body.header].in) {
      unsigned from = graph.edges[edge].from;
      if (body.contains[from] || !states[from])
        continue;
      const Block &info = graph.blocks[from];
      MachineState state = *states[from];
      for (const Site &site : info.sites)
        execute(site, state);
      RegisterRanges ranges =
          rangesOf(info.callee ? MachineState() : std::move(state));
      if (entering)
        for (unsigned reg = 0; reg < ranges.size(); ++reg)
          ranges[reg] = ranges[reg].unionWith((*entering)[reg]);
      entering = std::move(ranges);
    }
    if (entering)
      values.entering.emplace(loop, std::move(*entering));
  }
}

std::vector<RareStall>
HandlerAnalysis::rareStalls(const Block &block, ArrayRef<AccessInfo> accesses,
                            const BaseTracker &bases) {
  std::vector<RareStall> rare;
  for (size_t i = 0; i < accesses.size(); ++i) {
    bool isWayBack = i + 1 == accesses.size();
    size_t behind = isWayBack ? 0 : i + 1;
    const Site &first = block.sites[i], &second = block.sites[behind];
    const AccessInfo &atomic = accesses[i], &next = accesses[behind];
    int64_t cycles = stallCost(first.insn, atomic, second.insn, next) -
                     int64_t(isa::stallBetween(first.insn, second.insn));
    std::optional<uint32_t> here = bases.stepOf(atomic.base);
    std::optional<uint32_t> there = bases.stepOf(next.base);
    if (cycles <= 0 || !here || !there)
      continue;
    if (std::optional<StallRate> rate = bankStallRate(next, *there - *here))
      rare.push_back({second.address, cycles, *rate, isWayBack});
  }
  return rare;
}

static bool isOwnLoop(const FlowGraph &graph, unsigned block) {
  const Block &info = graph.blocks[block];
  return !info.callee && any_of(info.out, [&](unsigned edge) {
    return graph.edges[edge].to == block &&
           count(graph.loops[info.loop].contains, true) == 1;
  });
}

Expected<CostedGraph> HandlerAnalysis::priceGraph(const FlowGraph &graph,
                                                  const States &states) {
  CostedGraph costed;
  costed.graph = &graph;
  costed.values.results.resize(graph.blocks.size());
  costed.blocks.resize(graph.blocks.size());
  std::vector<AccessInfo> firstAccess(graph.blocks.size());
  std::vector<AccessInfo> lastAccess(graph.blocks.size());
  BaseTracker bases;
  for (unsigned block = 0; block < graph.blocks.size(); ++block) {
    const Block &info = graph.blocks[block];
    std::vector<Charge> charges;
    // A block behind a call that never returns is not executed.
    MachineState state = states[block].value_or(MachineState());
    AccessInfo previous;
    std::vector<AccessInfo> accesses;
    bases.startBlock();
    for (const Site &site : info.sites) {
      bool isFirst = &site == &info.sites.front();
      codeLines.insert(site.address / isa::icacheLineBytes);
      codeLines.insert((site.next() - 1) / isa::icacheLineBytes);
      AccessInfo access = classify(site, state);
      access.base = bases.addressOf(site.insn);
      bases.execute(site.insn);
      if (states[block])
        note(site, access);
      int64_t cycles = instructionCost(site.insn, access, state) +
                       extraCost(site, access) + laterStall(image, site);
      if (figure == FigureKind::Cold)
        cycles += linesEntered(site, isFirst ? nullptr : &site - 1) *
                  int64_t(isa::icacheRefill);
      if (isFirst)
        firstAccess[block] = access;
      else
        cycles += stallCost((&site - 1)->insn, previous, site.insn, access);
      if (info.callee && &site == &info.sites.back()) {
        Expected<const FlowGraph *> callee = graphAt(*info.callee);
        if (!callee)
          return callee.takeError();
        const Site &entry = (*callee)->blocks[0].sites.front();
        cycles += isa::targetExtra(entry.address, entry.insn.length);
        Expected<FunctionResult> result =
            runCall(site, *info.callee, state, true);
        if (!result)
          return result.takeError();
        costed.callees[block] = std::move(result->cost);
      }
      charges.push_back({site.address, cycles});
      execute(site, state);
      costed.values.results[block].push_back(rangeOf(state.read(site.insn.rd)));
      previous = access;
      accesses.push_back(access);
    }
    if (isOwnLoop(graph, block))
      costed.rare[block] = rareStalls(info, accesses, bases);
    lastAccess[block] = previous;
    costed.blocks[block] =
        std::make_shared<const std::vector<Charge>>(std::move(charges));
  }
  if (!options.foreign)
    addLoopValues(graph, states, costed.values);
  for (const Edge &edge : graph.edges)
    costed.edges.push_back(edgeCharges(graph, edge, firstAccess, lastAccess));
  return costed;
}
