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

Error HandlerAnalysis::analyze(const EntryPoint &entry) {
  Expected<FunctionResult> result =
      analyzeFunction(entry.address, entry.state, /*withModel=*/true);
  if (!result)
    return result.takeError();
  model = std::move(result->model);
  return Error::success();
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

Expected<HandlerAnalysis::FunctionResult>
HandlerAnalysis::analyzeFunction(uint32_t entry, const MachineState &in,
                                 bool withModel) {
  if (is_contained(callStack, entry))
    return errorAt(image, WcetError::Kind::Recursion, entry, "recursive call");
  callStack.push_back(entry);
  Expected<const FlowGraph *> graph = graphAt(entry);
  if (!graph)
    return graph.takeError();
  Expected<States> states = findStates(**graph, in);
  if (!states)
    return states.takeError();

  FunctionResult result;
  for (unsigned block = 0; block < (*graph)->blocks.size(); ++block) {
    const Block &info = (*graph)->blocks[block];
    if (!info.returns || !(*states)[block])
      continue;
    MachineState state = *(*states)[block];
    for (const Site &site : info.sites)
      execute(site, state);
    if (Error error = checkReturn(info, *(*states)[block]))
      return std::move(error);
    if (result.state)
      result.state->join(state);
    else
      result.state = std::move(state);
  }
  if (withModel) {
    Expected<std::unique_ptr<FunctionModel>> model =
        makeModel(**graph, *states);
    if (!model)
      return model.takeError();
    result.model = std::move(*model);
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
                         const MachineState &before, bool withModel) {
  MachineState in = before;
  execute(site, in);
  in.write(site.insn.rd,
           wcet::Value::returnAddress(returnsTo.size(), site.next()));
  returnsTo.push_back(site.next());
  Expected<FunctionResult> result = analyzeFunction(callee, in, withModel);
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
            runCall(site, *info.callee, *out, /*withModel=*/false);
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

ChargesPtr HandlerAnalysis::edgeCharges(const FunctionModel &function,
                                        const Edge &edge) const {
  const FlowGraph &graph = *function.graph;
  const Site &last = graph.blocks[edge.from].sites.back();
  const Site &first = graph.blocks[edge.to].sites.front();
  int64_t targetExtra = isa::targetExtra(first.address, first.insn.length);
  if (isLoopEnd(graph, graph.blocks[edge.to]))
    targetExtra += kJumpToLoopEnd;
  int64_t stall =
      stallCost(last.insn, function.instructions[edge.from].back().access,
                first.insn, function.instructions[edge.to].front().access);
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
HandlerAnalysis::rareStalls(const Block &block,
                            ArrayRef<FunctionModel::Instruction> instructions,
                            const BaseTracker &bases) {
  std::vector<RareStall> rare;
  for (size_t i = 0; i < instructions.size(); ++i) {
    bool isWayBack = i + 1 == instructions.size();
    size_t behind = isWayBack ? 0 : i + 1;
    const Site &first = block.sites[i], &second = block.sites[behind];
    const AccessInfo &atomic = instructions[i].access;
    const AccessInfo &next = instructions[behind].access;
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

Expected<std::unique_ptr<FunctionModel>>
HandlerAnalysis::makeModel(const FlowGraph &graph, const States &states) {
  auto model = std::make_unique<FunctionModel>();
  model->graph = &graph;
  model->instructions.resize(graph.blocks.size());
  GraphValues values;
  values.results.resize(graph.blocks.size());
  BaseTracker bases;
  for (unsigned block = 0; block < graph.blocks.size(); ++block) {
    const Block &info = graph.blocks[block];
    std::vector<FunctionModel::Instruction> &done = model->instructions[block];
    std::vector<Charge> charges;
    // A block behind a call that never returns is not executed.
    MachineState state = states[block].value_or(MachineState());
    bases.startBlock();
    for (const Site &site : info.sites) {
      codeLines.insert(site.address / isa::icacheLineBytes);
      codeLines.insert((site.next() - 1) / isa::icacheLineBytes);
      AccessInfo access = classify(site, state);
      access.base = bases.addressOf(site.insn);
      bases.execute(site.insn);
      if (states[block])
        note(site, access);
      int64_t cycles =
          instructionCost(site.insn, access, state) + laterStall(image, site);
      if (!done.empty())
        cycles +=
            stallCost((&site - 1)->insn, done.back().access, site.insn, access);
      if (info.callee && &site == &info.sites.back()) {
        Expected<const FlowGraph *> callee = graphAt(*info.callee);
        if (!callee)
          return callee.takeError();
        const Site &entry = (*callee)->blocks[0].sites.front();
        cycles += isa::targetExtra(entry.address, entry.insn.length);
        Expected<FunctionResult> result =
            runCall(site, *info.callee, state, /*withModel=*/true);
        if (!result)
          return result.takeError();
        model->callees[block] = std::move(result->model);
      }
      charges.push_back({site.address, cycles});
      execute(site, state);
      values.results[block].push_back(rangeOf(state.read(site.insn.rd)));
      done.push_back(
          {access, issuesCommand(site.address), waits(site.address)});
    }
    if (isOwnLoop(graph, block))
      model->rare[block] = rareStalls(info, done, bases);
    model->blocks.push_back(
        std::make_shared<const std::vector<Charge>>(std::move(charges)));
  }
  if (!options.foreign)
    addLoopValues(graph, states, values);
  for (const Edge &edge : graph.edges)
    model->edges.push_back(edgeCharges(*model, edge));
  model->planner =
      std::make_unique<PathPlanner>(image, graph, std::move(values));
  return std::move(model);
}
