// What each operation needs, and what the loops of a handler claim.
#include "dialect/Spin/Checker/Facts.h"
#include "mlir/IR/Matchers.h"
#include "runtime/abi/pspin.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::checker;

static bool hasNoObligation(Operation *op) {
  return isa<PacketBytesOp, HeaderBytesOp, SliceLengthOp, ViewAsOp, HostSizeOp,
             HostSliceOp, StridedLengthOp, YieldOp, ParamOp, StateLoadOp,
             StateStoreOp, StateSliceOp, HpuIdOp, ClusterIdOp, PutOp, WaitOp,
             ReturnOp, ExitOp, RequireOp, LoopMarkerOp, LocalOp, TableSliceOp,
             scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp>(op) ||
         isa<arith::ArithDialect>(op->getDialect());
}

/// The loop whose iteration ends with `op`.
static Operation *loopEndedBy(Operation *op) {
  return isa<scf::YieldOp, YieldOp>(op) && !isa<scf::IfOp>(op->getParentOp())
             ? op->getParentOp()
             : nullptr;
}

/// The largest value that `amount`, which is below its width, can have.
static unsigned largestAmount(Value amount) {
  unsigned largest = amount.getType().getIntOrFloatBitWidth() - 1;
  while (auto extend = amount.getDefiningOp<arith::ExtUIOp>())
    amount = extend.getIn();
  llvm::APInt mask;
  if (auto masked = amount.getDefiningOp<arith::AndIOp>())
    if (matchPattern(masked.getRhs(), m_ConstantInt(&mask)))
      largest = mask.getLimitedValue(largest);
  return largest;
}

std::optional<SmallVector<Obligation>> Facts::obligations() {
  Operation *op = at;
  SmallVector<Obligation> result;
  auto notBelow = [&](const Form &big, const Form &small) {
    result.push_back({{big.minus(small)}});
  };
  auto indexed = [&](Value slice, Value index, int64_t count) {
    notBelow(length(slice), number(index).plus(Form(Int(count))));
  };
  auto inRange = [&](Form form, bool isSigned) {
    unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
    Int half = isSigned ? powerOfTwo(width - 1) : Int(0);
    notBelow(form, Form(-half));
    notBelow(Form(powerOfTwo(width) - half - 1), form);
  };
  // One for each cluster or, of a per_hpu field, each HPU.
  auto copiesOf = [&](StateCopyOp copy) {
    auto field = context.lookupSymbol<StateOp>(copy.getFieldAttr());
    bool isPerHpu = field && field.getKind() == StateKind::PerHpu;
    return moduleNumber("spin.clusters", 4) *
           Int(isPerHpu ? PSPIN_HPUS_PER_CLUSTER : 1);
  };
  auto bytesOf = [](Type type) { return type.getIntOrFloatBitWidth() / 8; };
  if (auto load = dyn_cast<LoadOp>(op))
    indexed(load.getSlice(), load.getIndex(), 1);
  else if (auto store = dyn_cast<StoreOp>(op))
    indexed(store.getSlice(), store.getIndex(), 1);
  else if (auto member = dyn_cast<MemberOp>(op))
    indexed(member.getSlice(), member.getIndex(), 1);
  else if (auto rmw = dyn_cast<AtomicRmwOp>(op))
    indexed(rmw.getSlice(), rmw.getIndex(), 1);
  else if (auto load = dyn_cast<WireLoadOp>(op))
    indexed(load.getSlice(), load.getOffset(), bytesOf(load.getType()));
  else if (auto store = dyn_cast<WireStoreOp>(op))
    indexed(store.getSlice(), store.getOffset(),
            bytesOf(store.getValue().getType()));
  else if (auto part = dyn_cast<SubsliceOp>(op))
    notBelow(length(part.getSlice()),
             number(part.getOffset()).plus(number(part.getLength())));
  else if (auto copy = dyn_cast<DmaToHostOp>(op))
    notBelow(bytes(copy.getDest()), bytes(copy.getSource()));
  else if (auto copy = dyn_cast<DmaFromHostOp>(op))
    notBelow(bytes(copy.getDest()), bytes(copy.getSource()));
  else if (auto send = dyn_cast<SendOp>(op))
    notBelow(Form(Int(context.getMtu())), bytes(send.getData()));
  else if (auto copy = dyn_cast<StateCopyOp>(op))
    notBelow(Form(copiesOf(copy) - 1), number(copy.getCluster()));
  else if (auto notify = dyn_cast<NotifyOp>(op)) {
    Form offset = start(notify.getDest()).second,
         size = length(notify.getDest());
    notBelow(size, Form(Int(8)));
    notBelow(Form(Int(8)), size);
    // The rest of the division by 8 is 0.
    notBelow(quotient(offset, Int(8)).times(Int(8)), offset);
  } else if (auto view = dyn_cast<StridedViewOp>(op)) {
    Form count = number(view.getCount()), block = number(view.getBlock()),
         stride = number(view.getStride());
    notBelow(count, Form(Int(1)));
    notBelow(block, Form(Int(1)));
    notBelow(stride, block);
    notBelow(length(view.getRegion()),
             multiply(count.plus(Form(Int(-1))), stride).plus(block));
  } else if (auto loop = dyn_cast<ForPiecesOp>(op)) {
    auto view = loop.getView().getDefiningOp<StridedViewOp>();
    if (!view)
      return std::nullopt;
    notBelow(multiply(number(view.getCount()), number(view.getBlock())),
             number(loop.getOffset()).plus(bytes(loop.getData())));
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    bool isSigned = !loop.getUnsignedCmp();
    Form step = number(loop.getStep(), isSigned);
    unsigned width = loop.getInductionVar().getType().getIntOrFloatBitWidth();
    if (!isa<IntegerType>(loop.getInductionVar().getType()))
      return std::nullopt;
    notBelow(step, Form(Int(1)));
    // The last index is below the end, and one step behind it does not wrap.
    notBelow(Form(powerOfTwo(width - isSigned)),
             number(loop.getUpperBound(), isSigned).plus(step));
  } else if (!hasNoObligation(op)) {
    return std::nullopt;
  }
  if (isa<scf::ForOp, scf::WhileOp, ForPiecesOp>(op) && !readClaims(op))
    return std::nullopt;
  if (!addClaims(result))
    return std::nullopt;
  // Of vectors nothing is known.
  if (isa<arith::ArithDialect>(op->getDialect()) &&
      !isa<IntegerType, FloatType>(op->getResult(0).getType()))
    return std::nullopt;
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, arith::DivSIOp,
          arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op)) {
    notBelow(number(op->getOperand(1)), Form(Int(1)));
    if (!isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)) {
      Form top = number(op->getOperand(0), true),
           bottom = number(op->getOperand(1), true);
      unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
      result.push_back({{bottom, Form(Int(-2)).minus(bottom),
                         top.plus(Form(powerOfTwo(width - 1) - 1))}});
    }
  }
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    notBelow(Form(Int(op->getResult(0).getType().getIntOrFloatBitWidth() - 1)),
             number(op->getOperand(1)));
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  for (bool isSigned : {false, true})
    if (flags &&
        (isSigned ? flags.hasNoSignedWrap() : flags.hasNoUnsignedWrap())) {
      std::optional<Form> form = exact(op->getResult(0), isSigned);
      // The largest amount of a shift decides.
      if (!form && isa<arith::ShLIOp>(op))
        form = number(op->getOperand(0), isSigned)
                   .times(powerOfTwo(largestAmount(op->getOperand(1))));
      if (!form)
        return std::nullopt;
      inRange(*form, isSigned);
    }
  return result;
}

/// The place that each counted round of a loop passes once: its guard, or the
/// condition of scf.while.
Operation *spinc::spin::checker::roundStart(Operation *loop) {
  if (!isa<scf::ForOp, scf::WhileOp>(loop))
    return nullptr;
  for (Operation &op : loop->getRegions().back().front())
    if (isa<RequireOp>(op) && op.hasAttr("spin.loop_guard"))
      return &op;
  auto test = dyn_cast<scf::WhileOp>(loop);
  return test ? test.getConditionOp().getOperation() : nullptr;
}

/// Gives the variables of a loop and what they are at first, next and last.
static LoopClaims variablesOf(Operation *op) {
  LoopClaims result;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    llvm::append_range(result.arguments, loop.getRegionIterArgs());
    llvm::append_range(result.inits, loop.getInitArgs());
    llvm::append_range(result.yields, loop.getYieldedValues());
    llvm::append_range(result.results, loop.getResults());
    result.arguments.push_back(loop.getInductionVar());
    result.inits.push_back(loop.getLowerBound());
    result.yields.push_back(loop.getInductionVar());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    llvm::append_range(result.arguments, loop.getBeforeArguments());
    llvm::append_range(result.inits, loop.getInits());
    llvm::append_range(result.yields, loop.getYieldOp().getOperands());
  } else {
    auto pieces = cast<ForPiecesOp>(op);
    Block &body = pieces.getBody().front();
    llvm::append_range(result.arguments, body.getArguments().drop_front(2));
    llvm::append_range(result.inits, pieces.getInits());
    llvm::append_range(result.yields, body.getTerminator()->getOperands());
    llvm::append_range(result.results, pieces.getResults());
  }
  return result;
}

/// Whether the atom keeps its value while the loop at this place runs.
bool Facts::isFixed(AtomId id) const {
  const Atom &atom = atoms[id];
  auto areFixed = [&](const Form &form) {
    return llvm::all_of(form.terms,
                        [&](const auto &term) { return isFixed(term.first); });
  };
  return (!atom.value || isAvailable(atom.value)) && areFixed(atom.top) &&
         areFixed(atom.bottom) &&
         llvm::all_of(atom.factors,
                      [&](AtomId factor) { return isFixed(factor); });
}

/// `form` with the values `by` for the loop's variables; nothing if one has no
/// value.
std::optional<Form> Facts::substitute(const Form &form, const LoopClaims &loop,
                                      ArrayRef<Value> by) {
  Form result(form.constant);
  for (const auto &[term, factor] : form.terms) {
    AtomId id = term; // number() may move the atoms
    size_t index =
        llvm::find(loop.arguments, atoms[id].value) - loop.arguments.begin();
    if (index == loop.arguments.size() || !atoms[id].value) {
      result = result.plus(Form::of(id, factor));
      continue;
    }
    if (index >= by.size())
      return std::nullopt;
    // The index of scf.for is yielded by nobody: its next value is one step on.
    bool isIndex = loop.arguments[index] == by[index];
    bool isSigned = atoms[id].kind == AtomKind::Signed;
    Form value = number(by[index], isSigned);
    if (atoms[id].kind == AtomKind::Rounds)
      value = isIndex ? Form::of(id).plus(Form(Int(1))) : Form();
    else if (auto counted = dyn_cast<scf::ForOp>(
                 atoms[id].value.getParentBlock()->getParentOp());
             counted && isIndex && counted.getInductionVar() == atoms[id].value)
      value = value.plus(number(counted.getStep(), isSigned));
    result = result.plus(value, factor);
  }
  return result;
}

/// Reads `constant {coefficient value}` up to `;`. A value is its number, with
/// `s` behind it if it is read as signed.
std::optional<Form> Facts::readForm(StringRef &text) {
  Form result(toInt(nextWord(text)));
  for (StringRef word; (word = nextWord(text)) != ";";) {
    if (word.empty())
      return std::nullopt;
    Int factor = toInt(word);
    StringRef name = nextWord(text);
    bool isSigned = name.consume_back("s");
    unsigned index;
    if (name.getAsInteger(10, index) || index >= values.size())
      return std::nullopt;
    Value value = values[index];
    if (!isa<IntegerType, SliceType>(value.getType()))
      return std::nullopt;
    result =
        result.plus(isa<SliceType>(value.getType()) ? length(value)
                                                    : number(value, isSigned),
                    factor);
  }
  return result;
}

/// Reads `inv FORM`, `rank STEP FORM`, `halve FORM`, `double FORM` in any
/// number and order.
bool Facts::readClaims(Operation *op) {
  LoopClaims claims = variablesOf(op);
  auto attribute = op->getAttrOfType<StringAttr>("spin.claims");
  StringRef text = attribute ? attribute.getValue() : "";
  while (!text.empty()) {
    StringRef kind = nextWord(text);
    if (kind == "rank")
      claims.step = toInt(nextWord(text));
    std::optional<Form> form = readForm(text);
    if (!form)
      return false;
    for (const auto &[id, factor] : form->terms)
      if (!llvm::is_contained(claims.arguments, atoms[id].value) &&
          !isFixed(id))
        return false;
    if (kind == "inv")
      claims.invariants.push_back(*form);
    else
      claims.measure = *form;
    claims.rank = kind == "rank"     ? LoopClaims::Linear
                  : kind == "halve"  ? LoopClaims::Halving
                  : kind == "double" ? LoopClaims::Doubling
                                     : claims.rank;
  }
  loops[op] = std::move(claims);
  return true;
}

/// What the claims of loops need here.
bool Facts::addClaims(SmallVector<Obligation> &to) {
  auto notBelow = [&](const std::optional<Form> &big,
                      const std::optional<Form> &small) {
    to.push_back({{big && small ? big->minus(*small) : Form(Int(-1))}});
  };
  auto hold = [&](const LoopClaims &claims, ArrayRef<Value> values) {
    for (const Form &form : claims.invariants)
      notBelow(substitute(form, claims, values), Form());
  };
  if (Operation *loop = loopEndedBy(at)) {
    LoopClaims &claims = loops[loop];
    hold(claims, claims.yields);
    const Form &now = claims.measure;
    std::optional<Form> next = substitute(now, claims, claims.yields);
    if (claims.rank == LoopClaims::Linear)
      notBelow(now.plus(Form(-claims.step)), next);
    else if (claims.rank == LoopClaims::Halving)
      notBelow(now, next ? std::optional(next->times(Int(2))) : next);
    else if (claims.rank == LoopClaims::Doubling)
      notBelow(next, now.times(Int(2)));
  }
  bool isStart = roundStart(at->getParentOp()) == at;
  if (!isStart && !isa<scf::ForOp, scf::WhileOp, ForPiecesOp>(at))
    return true;
  Operation *loop = isStart ? at->getParentOp() : at;
  LoopClaims &claims = loops[loop];
  if (!isStart)
    hold(claims, claims.inits);
  auto attribute = loop->getAttrOfType<BoundAttr>("spin.bound");
  if (!attribute)
    return true;
  std::optional<Form> bound = boundForm(attribute);
  bool isRanked = claims.rank != LoopClaims::None;
  bool isGeometric = isRanked && claims.rank != LoopClaims::Linear;
  if (!bound || (isRanked && !roundStart(loop)) ||
      (isGeometric &&
       (!bound->terms.empty() || bound->constant > 128 || bound->constant < 0)))
    return false;
  // 2^bound - 1, which as many halvings make 0.
  Form largest =
      isGeometric ? Form(powerOfTwo(int64_t(bound->constant)) - 1) : Form();
  if (isStart) {
    if (isRanked)
      notBelow(claims.measure, Form(Int(1)));
    if (claims.rank == LoopClaims::Doubling)
      notBelow(largest, claims.measure);
    return true;
  }
  to.push_back({{*bound}, true});
  std::optional<Form> first = substitute(claims.measure, claims, claims.inits);
  auto counted = dyn_cast<scf::ForOp>(at);
  auto pieces = dyn_cast<ForPiecesOp>(at);
  if (claims.rank == LoopClaims::Linear && claims.step >= 1)
    notBelow(bound->times(claims.step), first);
  else if (claims.rank == LoopClaims::Halving)
    notBelow(largest, first);
  else if (!isRanked && counted)
    notBelow(
        number(counted.getLowerBound(), !counted.getUnsignedCmp())
            .plus(multiply(number(counted.getStep(), !counted.getUnsignedCmp()),
                           *bound)),
        number(counted.getUpperBound(), !counted.getUnsignedCmp()));
  else if (!isRanked && pieces)
    notBelow(
        bound,
        ratio(
            bytes(pieces.getData()),
            number(pieces.getView().getDefiningOp<StridedViewOp>().getBlock()))
            .plus(Form(Int(2))));
  else
    return claims.rank == LoopClaims::Doubling;
  return true;
}
