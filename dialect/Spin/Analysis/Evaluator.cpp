// Values that do not come from arithmetic: arguments of regions, results of
// structured control flow, slices, and what the spin operations give.
#include "dialect/Spin/Analysis/Evaluator.h"
#include "runtime/abi/portals.h"

using namespace mlir;
using namespace spinc::spin;

static unsigned moduleNumber(Operation *op, StringRef name, unsigned fallback) {
  for (Operation *at = op; at; at = at->getParentOp())
    if (auto number = at->getAttrOfType<IntegerAttr>(name))
      return number.getInt();
  return fallback;
}

unsigned spinc::spin::getClusterCount(Operation *op) {
  return moduleNumber(op, "spin.clusters", 4);
}

unsigned spinc::spin::getHpuCount(Operation *op) {
  return moduleNumber(op, "spin.hpus", 32);
}

Evaluator::Evaluator(HandlerOp handler)
    : context(handler->getParentOfType<ContextOp>()) {
  for (StateOp state : context.getBody().getOps<StateOp>()) {
    if (state.getKind() != StateKind::Param || state.getWhere().empty())
      continue;
    LinearExpr param = symbolVariable(
        Variable::Kind::Param, state.getSymName(),
        Interval::unsignedBits(state.getElement().getIntOrFloatBitWidth()));
    readInstallRegion(state.getWhere(), &param);
  }
  for (ContractOp contract : context.getBody().getOps<ContractOp>())
    readInstallRegion(contract.getCondition(), nullptr);
}

LinearExpr Evaluator::symbolVariable(Variable::Kind kind, StringRef symbol,
                                     Interval interval) {
  auto [entry, isNew] = symbols.try_emplace({unsigned(kind), symbol.str()}, 0);
  if (isNew) {
    Variable variable;
    variable.kind = kind;
    variable.symbol = symbol.str();
    variable.interval = interval;
    entry->second = variables.create(std::move(variable));
  }
  return LinearExpr::variable(entry->second);
}

LinearExpr Evaluator::opaque(Value value, Interval interval) {
  Variable variable;
  variable.value = value;
  variable.interval = interval;
  return LinearExpr::variable(variables.create(std::move(variable)));
}

LinearExpr Evaluator::number(Value value, Reading reading) {
  if (const LinearExpr *known = knownNumber(value, reading))
    return *known;
  auto type = dyn_cast<IntegerType>(value.getType());
  LinearExpr result;
  if (!type) {
    result = opaque(value, Interval());
  } else if (std::optional<LinearExpr> direct = compute(value, reading)) {
    result = *direct;
  } else {
    // One variable per value: the other reading is derived from the first.
    Reading other =
        reading == Reading::Unsigned ? Reading::Signed : Reading::Unsigned;
    auto known = numbers.find({value, unsigned(other)});
    std::optional<LinearExpr> bits =
        known != numbers.end() ? std::optional<LinearExpr>(known->second)
                               : compute(value, other);
    if (!bits) {
      other = Reading::Unsigned;
      bits = opaque(value, Interval::unsignedBits(type.getWidth()));
    }
    numbers[{value, unsigned(other)}] = *bits;
    if (reading == other)
      result = *bits;
    else if (reading == Reading::Unsigned)
      result = variables.wrap(*bits, type.getWidth());
    else
      result = variables.wrapSigned(*bits, type.getWidth());
  }
  // A sum that grows from line to line, as a parser's cursor does, would soon
  // be more than a query has room for.
  constexpr size_t maxTerms = 6;
  if (result.getTerms().size() > maxTerms)
    result = variables.named(result);
  numbers[{value, unsigned(reading)}] = result;
  return result;
}

/// Whether a constraint of `facts` puts `low` at or below `high`.
static bool isBelow(const Formula &facts, const LinearExpr &low,
                    const LinearExpr &high) {
  return llvm::any_of(facts.constraints, [&](const Constraint &constraint) {
    LinearExpr rest = high - low - constraint.expr;
    return !constraint.equality && rest.isConstant() && rest.getConstant() >= 0;
  });
}

/// What a query knows of `result` without looking at the ways one by one if the
/// condition compares the two values: that it is the smaller or the larger.
static Formula clamped(const LinearExpr &result,
                       std::pair<const Formula &, const LinearExpr &> first,
                       std::pair<const Formula &, const LinearExpr &> second) {
  Formula formula;
  bool isSmaller = isBelow(first.first, first.second, second.second) &&
                   isBelow(second.first, second.second, first.second);
  bool isLarger = isBelow(first.first, second.second, first.second) &&
                  isBelow(second.first, first.second, second.second);
  for (const LinearExpr *value : {&first.second, &second.second})
    if (isSmaller)
      formula.conjoin(atMost(result, *value));
    else if (isLarger)
      formula.conjoin(Formula::atLeast(result, *value));
  return formula;
}

LinearExpr Evaluator::oneOf(Value value, Value condition,
                            const LinearExpr &ifTrue, const LinearExpr &ifFalse,
                            Interval limits, scf::IfOp branch) {
  if (ifTrue == ifFalse)
    return ifTrue;
  Interval range = variables.interval(ifTrue).hull(variables.interval(ifFalse));
  LinearExpr result = opaque(value, range.intersect(limits));
  Formula first = this->condition(condition, true);
  Formula second = this->condition(condition, false);
  Formula clamps = clamped(result, {first, ifTrue}, {second, ifFalse});
  first.conjoin(Formula::equal(result, ifTrue));
  second.conjoin(Formula::equal(result, ifFalse));
  if (branch) {
    unsigned fuel = 32;
    first.conjoin(passed(*branch.thenBlock(), fuel));
    second.conjoin(passed(*branch.elseBlock(), fuel));
  }
  variables[*result.getIfVariable()].definition =
      clamps.conjoin(Formula::either(std::move(first), std::move(second)));
  ways[*result.getIfVariable()] = {ifTrue, ifFalse};
  relate(*result.getIfVariable(), ifTrue, ifFalse);
  return result;
}

Interval Evaluator::distance(const LinearExpr &expr, VarId base) const {
  if (expr.coefficient(base) == 1)
    return variables.interval(expr - LinearExpr::variable(base));
  for (const LinearExpr::Term &term : expr.getTerms()) {
    if (term.second != 1)
      continue;
    Interval rest = variables.interval(expr - LinearExpr::variable(term.first));
    if (variables[term.first].kind == Variable::Kind::Alias)
      return rest + distance(variables[term.first].dividend, base);
    auto found = distances.find(term.first);
    if (found == distances.end())
      continue;
    for (const auto &[id, range] : found->second)
      if (id == base)
        return rest + range;
  }
  return Interval();
}

/// Where both ways add to one variable, as `if (c) n += 1` does, the result
/// lies near it: a query knows it without looking at the ways one by one.
void Evaluator::relate(VarId result, const LinearExpr &first,
                       const LinearExpr &second) {
  constexpr size_t maxBases = 4;
  llvm::SmallVector<VarId, 8> bases;
  auto add = [&](VarId id) {
    if (variables[id].kind == Variable::Kind::Value &&
        bases.size() < maxBases && !llvm::is_contained(bases, id))
      bases.push_back(id);
  };
  for (const LinearExpr &expr : {first, second})
    for (const LinearExpr::Term &term : expr.getTerms()) {
      if (term.second != 1)
        continue;
      add(term.first);
      auto found = distances.find(term.first);
      if (found != distances.end())
        for (const auto &[id, range] : found->second)
          add(id);
    }
  LinearExpr value = LinearExpr::variable(result);
  for (VarId id : bases) {
    Interval range = distance(first, id).hull(distance(second, id));
    if (!range.low || !range.high)
      continue;
    LinearExpr base = LinearExpr::variable(id);
    distances[result].emplace_back(id, range);
    Formula &definition = variables[result].definition;
    definition.conjoin(Formula::atLeast(value, base + LinearExpr(*range.low)));
    definition.conjoin(atMost(value, base + LinearExpr(*range.high)));
  }
}

std::optional<LinearExpr> Evaluator::compute(Value value, Reading reading) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument, reading);
  Operation *op = value.getDefiningOp();
  unsigned width = value.getType().getIntOrFloatBitWidth();
  Interval limits = reading == Reading::Unsigned ? Interval::unsignedBits(width)
                                                 : Interval::signedBits(width);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    return oneOf(value, branch.getCondition(),
                 number(branch.thenYield().getOperand(index), reading),
                 number(branch.elseYield().getOperand(index), reading), limits,
                 branch);
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return oneOf(value, select.getCondition(),
                 number(select.getTrueValue(), reading),
                 number(select.getFalseValue(), reading), limits);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return number(loop.getConditionOp()
                      .getArgs()[cast<OpResult>(value).getResultNumber()],
                  reading);
  if (isa<arith::ArithDialect>(op->getDialect()))
    return computeArith(op, reading);
  if (reading == Reading::Unsigned)
    return computeSpin(op);
  return std::nullopt;
}

std::optional<LinearExpr> Evaluator::computeArgument(BlockArgument argument,
                                                     Reading reading) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    Reading own = loop.getUnsignedCmp() ? Reading::Unsigned : Reading::Signed;
    if (loop.getInductionVar() == argument && own == reading)
      return inductionVariable(loop, reading);
    return std::nullopt;
  }
  auto loop = dyn_cast<scf::WhileOp>(parent);
  if (loop && argument.getOwner() == loop.getAfterBody())
    return number(loop.getConditionOp().getArgs()[argument.getArgNumber()],
                  reading);
  return std::nullopt;
}

LinearExpr Evaluator::inductionVariable(scf::ForOp loop, Reading reading) {
  LinearExpr low = number(loop.getLowerBound(), reading);
  LinearExpr high = number(loop.getUpperBound(), reading);
  Interval range{variables.interval(low).low, variables.interval(high).high};
  if (range.high)
    range.high = *range.high - 1;
  LinearExpr step = number(loop.getStep(), reading);
  bool strides = step.isConstant() && step.getConstant() > 1;
  if (strides && range.high && low.isConstant() && *range.high >= *range.low)
    range.high = *range.high - (*range.high - *range.low) % step.getConstant();
  LinearExpr index = opaque(loop.getInductionVar(), range);
  Formula definition = Formula::atLeast(index, low);
  definition.conjoin(atMost(index, high - 1));
  if (strides) {
    LinearExpr passed = index - low;
    LinearExpr rounds = variables.floorDivide(passed, step.getConstant());
    definition.conjoin(Formula::equal(passed, rounds * step.getConstant()));
  }
  variables[*index.getIfVariable()].definition = std::move(definition);
  return index;
}

std::optional<LinearExpr> Evaluator::computeSpin(Operation *op) {
  if (auto param = dyn_cast<ParamOp>(op))
    return symbolVariable(
        Variable::Kind::Param, param.getField(),
        Interval::unsignedBits(param.getType().getIntOrFloatBitWidth()));
  if (auto size = dyn_cast<HostSizeOp>(op))
    return symbolVariable(Variable::Kind::HostSize, size.getRegion(),
                          Interval::unsignedBits(32));
  if (auto headers = dyn_cast<HeaderBytesOp>(op))
    return opaque(headers, Interval::between(context.getHeaderBytes(),
                                             headers.getMost()));
  if (auto lengthOp = dyn_cast<SliceLengthOp>(op))
    return length(lengthOp.getSlice());
  if (auto lengthOp = dyn_cast<StridedLengthOp>(op))
    return stridedLength(lengthOp.getView());
  if (auto load = dyn_cast<WireLoadOp>(op))
    return wireLoad(load);
  if (auto load = dyn_cast<LoadOp>(op)) {
    Integer size(load.getSlice().getType().getElementBytes());
    return packetLoad(load, load.getSlice(), number(load.getIndex()) * size,
                      load.getOrder());
  }
  if (auto id = dyn_cast<HpuIdOp>(op))
    return opaque(id, Interval::between(0, int64_t(getHpuCount(op)) - 1));
  if (auto id = dyn_cast<ClusterIdOp>(op))
    return opaque(id, Interval::between(0, int64_t(getClusterCount(op)) - 1));
  return std::nullopt;
}

/// What a load from `offset` bytes into `slice` gives: one variable for all
/// loads that see the same bytes of the packet.
LinearExpr Evaluator::packetLoad(Value loaded, Value slice,
                                 const LinearExpr &offset, ByteOrder order) {
  unsigned width = loaded.getType().getIntOrFloatBitWidth();
  LinearExpr fresh = opaque(loaded, Interval::unsignedBits(width));
  auto epoch = epochs.find(loaded.getDefiningOp());
  SlicePlace start = place(slice);
  if (epoch == epochs.end() || !start.root.getDefiningOp<PacketBytesOp>())
    return fresh;
  std::array<unsigned, 3> kind = {epoch->second, width,
                                  width == 8 ? 0 : unsigned(order)};
  auto [entry, isNew] = packetLoads.try_emplace({kind, start.offset + offset},
                                                *fresh.getIfVariable());
  return LinearExpr::variable(entry->second);
}

/// msg-1: a packet's payload lies within its message.
void Evaluator::boundByMessage(WireLoadOp load, const LinearExpr &loaded,
                               const SlicePlace &place) {
  LinearExpr at = place.offset + number(load.getOffset());
  if (context.getLink() != Link::Portals ||
      at != LinearExpr::number(PORTALS_OFFSET) ||
      !load.getType().isInteger(32) || load.getOrder() != ByteOrder::Little ||
      !place.root.getDefiningOp<PacketBytesOp>())
    return;
  LinearExpr payload =
      length(place.root) - LinearExpr::number(PORTALS_HEADER_BYTES);
  variables[*loaded.getIfVariable()].definition.conjoin(
      atMost(loaded + payload, *messageLength));
}

LinearExpr Evaluator::wireLoad(WireLoadOp load) {
  unsigned width = load.getType().getIntOrFloatBitWidth();
  LinearExpr loaded = packetLoad(load, load.getSlice(),
                                 number(load.getOffset()), load.getOrder());
  if (!pristine.contains(load))
    return loaded;
  SlicePlace slice = place(load.getSlice());
  if (messageLength)
    boundByMessage(load, loaded, slice);
  if (load.getOrder() != ByteOrder::Big && width != 8)
    return loaded;
  LinearExpr offset = slice.offset + number(load.getOffset());
  if (!offset.isConstant() || !slice.root.getDefiningOp<PacketBytesOp>())
    return loaded;
  Formula definition;
  for (Attribute attribute : context.getMatch()) {
    auto rule = cast<MatchRuleAttr>(attribute);
    if (offset.getConstant() != int64_t(rule.getOffset()) ||
        rule.getWidth() * 8 != width)
      continue;
    std::optional<LinearExpr> bits =
        masked(loaded, llvm::APInt(32, rule.getMask()).trunc(width));
    if (!bits)
      continue;
    definition.conjoin(
        Formula::atLeast(*bits, LinearExpr::number(rule.getMin())));
    definition.conjoin(atMost(*bits, LinearExpr::number(rule.getMax())));
  }
  variables[*loaded.getIfVariable()].definition = std::move(definition);
  return loaded;
}

LinearExpr Evaluator::bytes(Value slice) {
  return length(slice) *
         Integer(cast<SliceType>(slice.getType()).getElementBytes());
}

std::optional<LinearExpr> Evaluator::stridedLength(Value view) {
  auto op = view.getDefiningOp<StridedViewOp>();
  if (!op)
    return std::nullopt;
  return variables.multiply(number(op.getCount()), number(op.getBlock()));
}

/// One length for both pieces of an iteration: 1 … length of the data, and no
/// longer than a block.
LinearExpr Evaluator::pieceLength(ForPiecesOp loop) {
  auto found = pieceLengths.find(loop);
  if (found != pieceLengths.end())
    return found->second;
  LinearExpr result =
      opaque(loop.getBody().getArgument(1), {Integer(1), powerOfTwo(32) - 1});
  Formula definition = atMost(result, length(loop.getData()));
  if (auto view = loop.getView().getDefiningOp<StridedViewOp>())
    definition.conjoin(atMost(result, number(view.getBlock())));
  variables[*result.getIfVariable()].definition = std::move(definition);
  pieceLengths[loop] = result;
  return result;
}

/// p.length and the headers. Where the packet says how large these are, that
/// is a number of its own, about which nothing is known before the code that
/// reads it has run: it is anything that it can be.
LinearExpr Evaluator::packetBytes(PacketBytesOp packet) {
  int64_t least = context.getHeaderBytes(), most = least;
  LinearExpr headers = LinearExpr::number(least);
  auto handler = packet->getParentOfType<HandlerOp>();
  for (HeaderBytesOp op : handler.getBody().getOps<HeaderBytesOp>()) {
    most = op.getMost();
    headers = number(op.getResult());
  }
  LinearExpr length = symbolVariable(
      Variable::Kind::PacketLength, "p.length",
      Interval::between(int64_t(context.getGuaranteedBytes()) - most,
                        int64_t(context.getMtu()) - least));
  LinearExpr all = length + headers;
  if (most != least) {
    Formula limits =
        Formula::atLeast(all, LinearExpr::number(context.getGuaranteedBytes()));
    limits.conjoin(atMost(all, LinearExpr::number(context.getMtu())));
    variables[*length.getIfVariable()].definition = std::move(limits);
  }
  return all;
}

LinearExpr Evaluator::length(Value slice) {
  auto found = lengths.find(slice);
  if (found != lengths.end())
    return found->second;
  Interval word = Interval::unsignedBits(32);
  auto field = [&](FlatSymbolRefAttr name) {
    return LinearExpr::number(context.lookupSymbol<StateOp>(name).getCount());
  };
  Operation *op = slice.getDefiningOp();
  LinearExpr result;
  if (auto argument = dyn_cast<BlockArgument>(slice)) {
    auto loop = dyn_cast<ForPiecesOp>(argument.getOwner()->getParentOp());
    result = loop && loop.getData().getType().getElementBytes() == 1
                 ? pieceLength(loop)
                 : opaque(slice, word);
  } else if (isa<PacketBytesOp>(op)) {
    result = packetBytes(cast<PacketBytesOp>(op));
  } else if (auto host = dyn_cast<HostSliceOp>(op)) {
    result = symbolVariable(Variable::Kind::HostSize, host.getRegion(), word);
  } else if (auto state = dyn_cast<StateSliceOp>(op)) {
    result = field(state.getFieldAttr());
  } else if (auto copy = dyn_cast<StateCopyOp>(op)) {
    result = field(copy.getFieldAttr());
  } else if (auto local = dyn_cast<LocalOp>(op)) {
    result = LinearExpr::number(local.getCount());
  } else if (auto table = dyn_cast<TableSliceOp>(op)) {
    result = LinearExpr::number(table.getCount());
  } else if (auto member = dyn_cast<MemberOp>(op)) {
    result = LinearExpr::number(member.getCount());
  } else if (auto part = dyn_cast<SubsliceOp>(op)) {
    result = number(part.getLength());
  } else if (auto view = dyn_cast<ViewAsOp>(op)) {
    result = variables.floorDivide(bytes(view.getSlice()),
                                   Integer(view.getType().getElementBytes()));
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(slice).getResultNumber();
    result = oneOf(slice, branch.getCondition(),
                   length(branch.thenYield().getOperand(index)),
                   length(branch.elseYield().getOperand(index)), word);
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    result = oneOf(slice, select.getCondition(), length(select.getTrueValue()),
                   length(select.getFalseValue()), word);
  } else {
    result = opaque(slice, word);
  }
  lengths[slice] = result;
  return result;
}

SlicePlace Evaluator::place(Value slice) {
  if (auto part = slice.getDefiningOp<SubsliceOp>()) {
    SlicePlace outer = place(part.getSlice());
    Integer size(part.getSlice().getType().getElementBytes());
    return {outer.root, outer.offset + number(part.getOffset()) * size};
  }
  if (auto view = slice.getDefiningOp<ViewAsOp>())
    return place(view.getSlice());
  return {slice, LinearExpr()};
}
