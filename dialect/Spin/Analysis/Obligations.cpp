// The obligations of spin operations are in their descriptions (Spin/IR/*.td);
// those of arith are the overflow flags, divisors and shift amounts; those of
// scf.for keep its index from wrapping round.
#include "dialect/Spin/Analysis/Obligations.h"
#include "mlir/IR/Matchers.h"
#include "runtime/abi/pspin.h"

using namespace mlir;
using namespace spinc::spin;

/// A goal that nothing implies, for obligations that cannot be stated.
static Constraint unprovable() { return {LinearExpr::number(-1), false}; }

static Constraint notBelow(const LinearExpr &a, const LinearExpr &b) {
  return {a - b, false};
}

/// `'name'`, or a plain number.
static std::string quote(const std::string &name) {
  bool isNumber = !name.empty() && llvm::all_of(name, llvm::isDigit);
  return isNumber ? name : "'" + name + "'";
}

namespace {

class ObligationBuilder {
public:
  ObligationBuilder(Operation *op, Evaluator &evaluator)
      : op(op), evaluator(evaluator) {}

  std::vector<Obligation> build();

private:
  void index(Value slice, Value index);
  void wireAccess(Value slice, Value offset, unsigned bytes);
  void subslice(SubsliceOp part);
  void copy(Value dest, Value source);
  void stridedView(StridedViewOp view);
  void forPieces(ForPiecesOp loop);
  void notify(NotifyOp notify);
  void send(SendOp send);
  void clusterCopy(StateCopyOp copy);
  void overflow(bool isSigned);
  void order(arith::SubIOp difference);
  void division();
  void shift(int64_t width);
  void loopStep(scf::ForOp loop);

  Obligation &add(std::string message, std::string claim, std::string fix);
  std::string lengthName(Value slice);

  Operation *op;
  Evaluator &evaluator;
  std::vector<Obligation> result;
};

/// How a handler's code writes `value`; nothing if only messages have a name
/// for it.
static std::optional<std::string> spelling(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtUIOp, arith::ExtSIOp>(op))
      break;
    value = op->getOperand(0);
  }
  if (auto param = value.getDefiningOp<ParamOp>())
    return "state." + param.getField().str();
  // Two reads of memory may give two values: a guard of one says nothing about
  // the other.
  if (value.getDefiningOp<StateLoadOp>())
    return std::nullopt;
  IntegerAttr constant;
  if (userName(value) || matchPattern(value, m_Constant(&constant)))
    return describe(value);
  return std::nullopt;
}

/// Whether `difference` is `end - begin` of a part `[begin ..< end]`.
static bool isLengthOfPart(arith::SubIOp difference) {
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

/// The result of `op` as a number if nothing wraps.
std::optional<LinearExpr> unwrapped(Operation *op, Evaluator &evaluator,
                                    Reading reading) {
  VariableTable &variables = evaluator.getVariables();
  LinearExpr left = evaluator.number(op->getOperand(0), reading);
  if (isa<arith::TruncIOp, arith::ExtUIOp>(op))
    return left;
  if (isa<arith::AddIOp>(op))
    return left + evaluator.number(op->getOperand(1), reading);
  if (isa<arith::SubIOp>(op))
    return left - evaluator.number(op->getOperand(1), reading);
  if (isa<arith::MulIOp>(op))
    return variables.multiply(left,
                              evaluator.number(op->getOperand(1), reading));
  if (!isa<arith::ShLIOp>(op))
    return std::nullopt;
  Interval amount = variables.interval(evaluator.number(op->getOperand(1)));
  int64_t width = op->getResult(0).getType().getIntOrFloatBitWidth();
  Interval range = variables.interval(left);
  // Below zero: no value at all, in code that is never reached.
  if (!amount.high || *amount.high < 0 || *amount.high >= width || !range.low ||
      *range.low < 0)
    return std::nullopt;
  // Monotone in the amount, so the largest decides.
  return left * powerOfTwo(int64_t(*amount.high));
}

/// bnd-2: the begin of a part is not behind its end.
void ObligationBuilder::order(arith::SubIOp difference) {
  std::string begin = describe(difference.getRhs());
  std::string end = describe(difference.getLhs());
  Obligation &obligation =
      add("E0403: slice may be out of bounds: its begin " + quote(begin) +
              " may be behind its end " + quote(end),
          begin + " <= " + end, "check that the begin is not behind the end");
  LinearExpr low = evaluator.number(difference.getRhs(), Reading::Unsigned);
  LinearExpr high = evaluator.number(difference.getLhs(), Reading::Unsigned);
  obligation.goals.push_back(notBelow(high, low));
  obligation.display = {{begin, low}, {end, high}};
}

/// bnd-3: no overflow; bnd-6: a truncation keeps the value.
void ObligationBuilder::overflow(bool isSigned) {
  if (auto difference = dyn_cast<arith::SubIOp>(op);
      !isSigned && difference && isLengthOfPart(difference))
    return order(difference);
  bool narrows = isa<arith::TruncIOp>(op);
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  Interval limits =
      isSigned ? Interval::signedBits(width) : Interval::unsignedBits(width);
  std::string type = (isSigned ? "i" : "u") + std::to_string(width);
  std::string left = describe(op->getOperand(0));
  std::string text = left;
  if (op->getNumOperands() == 2) {
    StringRef symbol = isa<arith::AddIOp>(op)   ? " + "
                       : isa<arith::SubIOp>(op) ? " - "
                       : isa<arith::MulIOp>(op) ? " * "
                                                : " << ";
    text = (left + symbol + describe(op->getOperand(1))).str();
  }
  Reading reading = isSigned ? Reading::Signed : Reading::Unsigned;
  std::optional<LinearExpr> value = unwrapped(op, evaluator, reading);
  Obligation &obligation =
      add((narrows ? "E0411: narrowing may lose bits: "
                   : "E0410: arithmetic may "
                     "overflow: ") +
              quote(text) + " may not fit into '" + type + "'",
          text + " fits into " + type,
          narrows ? "check the range first, or mask the value"
                  : "check the operands first, or write the wrapping operator");
  obligation.followsPrevious = isa<arith::ShLIOp>(op);
  if (!value) {
    obligation.goals.push_back(unprovable());
    return;
  }
  obligation.goals.push_back(notBelow(*value, LinearExpr(*limits.low)));
  obligation.goals.push_back(notBelow(LinearExpr(*limits.high), *value));
  for (Value operand : op->getOperands())
    obligation.display.emplace_back(describe(operand),
                                    evaluator.number(operand, reading));
}

/// bnd-4: the divisor is not zero.
void ObligationBuilder::division() {
  Value divisor = op->getOperand(1);
  std::string name = describe(divisor);
  LinearExpr number = evaluator.number(divisor);
  Obligation &zero = add(
      "E0412: division by zero: " + quote(name) + " may be 0", name + " != 0",
      "guard the division, for example `if (" +
          spelling(divisor).value_or(name) + " != 0)`");
  zero.goals.push_back(notBelow(number, LinearExpr::number(1)));
  zero.display = {{name, number}};
  if (!isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
           arith::RemSIOp>(op))
    return;
  Value dividend = op->getOperand(0);
  unsigned width = divisor.getType().getIntOrFloatBitWidth();
  LinearExpr top = evaluator.number(dividend, Reading::Signed);
  LinearExpr bottom = evaluator.number(divisor, Reading::Signed);
  Obligation &least =
      add("E0410: arithmetic may overflow: the least 'i" +
              std::to_string(width) + "' divided by -1",
          describe(dividend) + " is not the least number or " + name + " != -1",
          "exclude the divisor -1");
  least.anyOf = true;
  least.goals = {
      notBelow(bottom, LinearExpr()), notBelow(LinearExpr::number(-2), bottom),
      notBelow(top, LinearExpr(*Interval::signedBits(width).low) + 1)};
}

/// bnd-5: the amount is below the width.
void ObligationBuilder::shift(int64_t width) {
  Value amount = op->getOperand(1);
  std::string name = describe(amount);
  std::string claim = name + " < " + std::to_string(width);
  Obligation &obligation =
      add("E0413: shift amount may be out of range: " + quote(name) +
              " is not below " + std::to_string(width),
          claim,
          "mask the amount, for example `" + spelling(amount).value_or(name) +
              " & " + std::to_string(width - 1) + "`");
  LinearExpr number = evaluator.number(amount);
  obligation.goals.push_back(notBelow(LinearExpr::number(width - 1), number));
  obligation.display = {{name, number}};
}

void ObligationBuilder::loopStep(scf::ForOp loop) {
  auto type = dyn_cast<IntegerType>(loop.getInductionVar().getType());
  Reading reading = loop.getUnsignedCmp() ? Reading::Unsigned : Reading::Signed;
  if (!type) {
    add("E0414: loop index needs an integer type of known width", "", "")
        .goals.push_back(unprovable());
    return;
  }
  LinearExpr step = evaluator.number(loop.getStep(), reading);
  std::string name = describe(loop.getStep());
  Obligation &positive =
      add("E0414: loop may not end: step " + quote(name) + " may be 0",
          name + " >= 1", "use a step of at least 1");
  positive.goals.push_back(notBelow(step, LinearExpr::number(1)));
  positive.display = {{name, step}};
  if (step == LinearExpr::number(1))
    return;
  Interval limits = reading == Reading::Signed
                        ? Interval::signedBits(type.getWidth())
                        : Interval::unsignedBits(type.getWidth());
  LinearExpr index = evaluator.number(loop.getInductionVar(), reading);
  std::string end = describe(loop.getUpperBound());
  Obligation &wraps =
      add("E0414: loop may not end: its index may step over the largest "
          "number before it reaches " +
              quote(end),
          "index + " + name + " fits", "bound " + quote(end) + " first");
  wraps.goals.push_back(notBelow(LinearExpr(*limits.high), index + step));
  wraps.display = {{end, evaluator.number(loop.getUpperBound(), reading)}};
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

} // namespace

std::vector<Obligation> spinc::spin::getObligations(Operation *op,
                                                    Evaluator &evaluator) {
  return ObligationBuilder(op, evaluator).build();
}

bool spinc::spin::hasProofSlot(Operation *op) {
  return llvm::any_of(op->getName().getAttributeNames(), [](StringAttr name) {
    return name.getValue() == "proof";
  });
}
