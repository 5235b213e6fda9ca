// The obligations of spin operations are in their descriptions (Spin/IR/*.td);
// those of arith and scf.for are in ArithObligations.cpp.
#include "dialect/Spin/Analysis/ObligationBuilder.h"
#include "mlir/IR/Matchers.h"
#include "runtime/abi/pspin.h"

using namespace mlir;
using namespace spinc::spin;

std::string spinc::spin::quote(const std::string &name) {
  bool isNumber = !name.empty() && llvm::all_of(name, llvm::isDigit);
  return isNumber ? name : "'" + name + "'";
}

/// Whether `name` is one, or a member of one.
static bool isPath(StringRef name) {
  return llvm::all_of(
      name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

std::optional<std::string> spinc::spin::spelling(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtUIOp, arith::ExtSIOp>(op))
      break;
    value = op->getOperand(0);
  }
  if (auto param = value.getDefiningOp<ParamOp>())
    return "state." + param.getField().str();
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return describe(value);
  // Two reads of memory may give two values: a guard of one says nothing about
  // the other. A name that is no path is an expression, which may read some.
  std::optional<std::string> name = userName(value);
  if (!name || value.getDefiningOp<StateLoadOp>() ||
      (!isPath(*name) && !value.getDefiningOp<WireLoadOp>()))
    return std::nullopt;
  return name;
}

bool spinc::spin::isLengthOfPart(arith::SubIOp difference) {
  return !difference->use_empty() &&
         llvm::all_of(difference->getUsers(), [&](Operation *user) {
           auto part = dyn_cast<SubsliceOp>(user);
           return part && part.getLength() == difference.getResult() &&
                  part.getOffset() == difference.getRhs();
         });
}

Obligation &ObligationBuilder::add(std::string message, std::string claim,
                                   std::string fix) {
  result.emplace_back();
  result.back().message = std::move(message);
  result.back().claim = std::move(claim);
  result.back().fix = std::move(fix);
  return result.back();
}

std::string ObligationBuilder::lengthName(Value slice) {
  LinearExpr length = evaluator.length(slice);
  if (length.isConstant())
    return evaluator.getVariables().text(length);
  return describe(slice) +
         (slice.getDefiningOp<HostSliceOp>() ? ".size" : ".length");
}

/// bnd-1: an index is below the length.
void ObligationBuilder::index(Value slice, Value index) {
  std::string name = describe(index), limit = lengthName(slice);
  std::string claim = name + " < " + limit;
  Obligation &obligation =
      add("E0401: index may be out of bounds: " + quote(name) +
              " is not below " + quote(limit),
          claim, "");
  LinearExpr number = evaluator.number(index);
  LinearExpr length = evaluator.length(slice);
  std::optional<std::string> written = spelling(index);
  if (number.isConstant() && length.isConstant())
    obligation.fix = "use an index below " + limit;
  else if (written)
    obligation.fix =
        "guard the access, for example `if (" + *written + " < " + limit + ")`";
  else
    obligation.fix = "bind the index with `let` and compare it with " + limit;
  obligation.goals.push_back(notBelow(length - 1, number));
  obligation.display = {{name, number}, {limit, length}};
}

/// bnd-7: a number read at a byte offset lies within the bytes.
void ObligationBuilder::wireAccess(Value slice, Value offset, unsigned bytes) {
  std::string name = describe(offset), limit = lengthName(slice);
  std::string claim = name + " + " + std::to_string(bytes) + " <= " + limit;
  Obligation &obligation = add(
      "E0402: access may be out of bounds: " + std::to_string(bytes) +
          " bytes from " + quote(name) + " on are not within " + quote(limit),
      claim,
      "check the length first, for example `require (" + claim +
          ") else return DROP;`");
  LinearExpr number = evaluator.number(offset);
  LinearExpr length = evaluator.length(slice);
  obligation.goals.push_back(notBelow(length, number + bytes));
  obligation.display = {{name, number}, {limit, length}};
}

/// bnd-2: a part lies within its slice.
void ObligationBuilder::subslice(SubsliceOp part) {
  std::string from = describe(part.getOffset());
  std::string count = describe(part.getLength());
  std::string limit = lengthName(part.getSlice());
  LinearExpr offset = evaluator.number(part.getOffset());
  LinearExpr length = evaluator.number(part.getLength());
  LinearExpr whole = evaluator.length(part.getSlice());
  auto difference = part.getLength().getDefiningOp<arith::SubIOp>();
  if (difference && isLengthOfPart(difference)) {
    std::string end = describe(difference.getLhs());
    std::string claim = end + " <= " + limit;
    Obligation &obligation =
        add("E0403: slice may be out of bounds: its end " + quote(end) +
                " may be behind " + quote(limit),
            claim, "check the end first");
    obligation.goals.push_back(notBelow(whole, offset + length));
    obligation.display = {{end, offset + length}, {limit, whole}};
    return;
  }
  std::string claim = from + " + " + count + " <= " + limit;
  Obligation &obligation = add(
      "E0403: slice may be out of bounds: " + quote(count) + " elements from " +
          quote(from) + " on are not within " + quote(limit),
      claim, "check the range first");
  std::optional<std::string> writtenFrom = spelling(part.getOffset());
  std::optional<std::string> writtenCount = spelling(part.getLength());
  if (writtenFrom && writtenCount)
    obligation.fix += ", for example `require (" + *writtenFrom + " + " +
                      *writtenCount + " <= " + limit + ") else return DROP;`";
  obligation.goals.push_back(notBelow(whole, offset + length));
  obligation.display = {{from, offset}, {count, length}, {limit, whole}};
}

/// bnd-8: what is copied fits its destination.
void ObligationBuilder::copy(Value dest, Value source) {
  std::string from = describe(source), to = describe(dest);
  std::string claim = from + ".length <= " + to + ".length";
  Obligation &obligation =
      add("E0404: copy may be out of bounds: " + quote(from) +
              " may be longer than " + quote(to),
          claim, "copy a part that fits, or check both lengths first");
  LinearExpr room = evaluator.bytes(dest), data = evaluator.bytes(source);
  obligation.goals.push_back(notBelow(room, data));
  obligation.display = {{from + ".length", data}, {to + ".length", room}};
}

void ObligationBuilder::stridedView(StridedViewOp view) {
  LinearExpr count = evaluator.number(view.getCount());
  LinearExpr block = evaluator.number(view.getBlock());
  LinearExpr stride = evaluator.number(view.getStride());
  LinearExpr room = evaluator.length(view.getRegion());
  std::string names[] = {describe(view.getCount()), describe(view.getBlock()),
                         describe(view.getStride()),
                         describe(view.getRegion()) + ".size"};
  std::string extent = "(" + names[0] + " - 1) * " + names[2] + " + " +
                       names[1] + " <= " + names[3];
  std::optional<LinearExpr> covered =
      evaluator.getVariables().multiply(count - 1, stride);
  auto claim = [&](std::string text, Constraint goal) {
    Obligation &obligation = add(
        "E0405: strided view may be out of bounds: '" + text + "' is not known",
        text, "state it in a `where` or `contract`: " + text);
    obligation.goals.push_back(goal);
    obligation.display = {{names[0], count},
                          {names[1], block},
                          {names[2], stride},
                          {names[3], room}};
  };
  claim("1 <= " + names[0], notBelow(count, LinearExpr::number(1)));
  claim("1 <= " + names[1], notBelow(block, LinearExpr::number(1)));
  claim(names[1] + " <= " + names[2], notBelow(stride, block));
  claim(extent, covered ? notBelow(room, *covered + block) : unprovable());
}

void ObligationBuilder::forPieces(ForPiecesOp loop) {
  std::string from = describe(loop.getOffset());
  std::string data = describe(loop.getData()) + ".length";
  std::string limit = describe(loop.getView()) + ".length";
  std::string claim = from + " + " + data + " <= " + limit;
  Obligation &obligation = add(
      "E0406: pieces may be out of bounds: " + quote(data) + " bytes from " +
          quote(from) + " on are not within " + quote(limit),
      claim,
      "check the range first, for example `require (" + claim +
          ") else return DROP;`");
  LinearExpr offset = evaluator.number(loop.getOffset());
  LinearExpr length = evaluator.bytes(loop.getData());
  std::optional<LinearExpr> whole = evaluator.stridedLength(loop.getView());
  obligation.goals.push_back(whole ? notBelow(*whole, offset + length)
                                   : unprovable());
  obligation.display = {{from, offset}, {data, length}};
  if (whole)
    obligation.display.emplace_back(limit, *whole);
}

/// bnd-9: 8 bytes at a multiple of 8.
void ObligationBuilder::notify(NotifyOp notify) {
  std::string name = describe(notify.getDest());
  LinearExpr length = evaluator.length(notify.getDest());
  Obligation &size = add("E0407: notification needs a slice of 8 bytes: "
                         "length of " +
                             quote(name) + " may differ",
                         name + ".length == 8", "use a slice `[e ..+ 8]`");
  size.goals.push_back({length - 8, true});
  size.display = {{name + ".length", length}};
  LinearExpr offset = evaluator.place(notify.getDest()).offset;
  Obligation &aligned = add(
      "E0407: notification needs an offset that is a multiple of 8: that of " +
          quote(name) + " may not be",
      "offset of " + name + " % 8 == 0",
      "round the offset down to a multiple of 8");
  LinearExpr whole = evaluator.getVariables().floorDivide(offset, Integer(8));
  aligned.goals.push_back({offset - whole * Integer(8), true});
  aligned.display = {{"offset of " + name, offset}};
}

void ObligationBuilder::send(SendOp send) {
  int64_t mtu = evaluator.getContext().getMtu();
  std::string name = describe(send.getData());
  std::string claim = name + ".length <= " + std::to_string(mtu);
  Obligation &obligation =
      add("E0408: packet may be too long: " + quote(name) +
              " may be longer than the MTU of " + std::to_string(mtu),
          claim, "send a part of at most " + std::to_string(mtu) + " bytes");
  LinearExpr bytes = evaluator.bytes(send.getData());
  obligation.goals.push_back(notBelow(LinearExpr::number(mtu), bytes));
  obligation.display = {{name + ".length", bytes}};
}

void ObligationBuilder::clusterCopy(StateCopyOp copy) {
  auto context = op->getParentOfType<ContextOp>();
  auto field = context.lookupSymbol<StateOp>(copy.getFieldAttr());
  bool isPerHpu = field && field.getKind() == StateKind::PerHpu;
  int64_t clusters =
      getClusterCount(op) * (isPerHpu ? PSPIN_HPUS_PER_CLUSTER : 1);
  std::string name = describe(copy.getCluster());
  std::string claim = name + " < " + std::to_string(clusters);
  Obligation &obligation =
      add("E0409: no such cluster: " + quote(name) + " is not below " +
              std::to_string(clusters),
          claim,
          isPerHpu ? "iterate over the HPUs: `for (h : 0 ..< hpu.count)`"
                   : "iterate over the clusters: `for (c : 0 ..< "
                     "cluster.count)`");
  LinearExpr number = evaluator.number(copy.getCluster());
  obligation.goals.push_back(
      notBelow(LinearExpr::number(clusters - 1), number));
  obligation.display = {{name, number}};
}

std::vector<Obligation> ObligationBuilder::build() {
  if (auto load = dyn_cast<LoadOp>(op))
    index(load.getSlice(), load.getIndex());
  else if (auto store = dyn_cast<StoreOp>(op))
    index(store.getSlice(), store.getIndex());
  else if (auto member = dyn_cast<MemberOp>(op))
    index(member.getSlice(), member.getIndex());
  else if (auto rmw = dyn_cast<AtomicRmwOp>(op))
    index(rmw.getSlice(), rmw.getIndex());
  else if (auto load = dyn_cast<WireLoadOp>(op))
    wireAccess(load.getSlice(), load.getOffset(),
               load.getType().getIntOrFloatBitWidth() / 8);
  else if (auto store = dyn_cast<WireStoreOp>(op))
    wireAccess(store.getSlice(), store.getOffset(),
               store.getValue().getType().getIntOrFloatBitWidth() / 8);
  else if (auto part = dyn_cast<SubsliceOp>(op))
    subslice(part);
  else if (auto dma = dyn_cast<DmaToHostOp>(op))
    copy(dma.getDest(), dma.getSource());
  else if (auto dma = dyn_cast<DmaFromHostOp>(op))
    copy(dma.getDest(), dma.getSource());
  else if (auto view = dyn_cast<StridedViewOp>(op))
    stridedView(view);
  else if (auto loop = dyn_cast<ForPiecesOp>(op))
    forPieces(loop);
  else if (auto write = dyn_cast<NotifyOp>(op))
    notify(write);
  else if (auto packet = dyn_cast<SendOp>(op))
    send(packet);
  else if (auto state = dyn_cast<StateCopyOp>(op))
    clusterCopy(state);
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    loopStep(loop);
  else if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp,
               arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
               arith::FloorDivSIOp>(op))
    division();
  else if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    shift(op->getOperand(1).getType().getIntOrFloatBitWidth());
  else if (auto lanes = dyn_cast<LanesOp>(op); lanes && lanes.isShift())
    shift(lanes.laneBits());
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    if (isa<IntegerType>(op->getResult(0).getType())) {
      if (flags.hasNoUnsignedWrap())
        overflow(false);
      if (flags.hasNoSignedWrap())
        overflow(true);
    }
  return std::move(result);
}

std::vector<Obligation> spinc::spin::getObligations(Operation *op,
                                                    Evaluator &evaluator) {
  return ObligationBuilder(op, evaluator).build();
}

bool spinc::spin::isImplied(const Obligation &obligation,
                            const Solver &solver) {
  auto holds = [&](const Constraint &goal) { return solver.implies(goal); };
  return obligation.anyOf ? llvm::any_of(obligation.goals, holds)
                          : llvm::all_of(obligation.goals, holds);
}

bool spinc::spin::hasProofSlot(Operation *op) {
  return llvm::any_of(op->getName().getAttributeNames(), [](StringAttr name) {
    return name.getValue() == "proof";
  });
}
