// How variables, expressions and SSA values read in messages and proofs.
#include "dialect/Spin/Analysis/Variables.h"
#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace spinc::spin;

static std::optional<std::string> nameIn(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName().str();
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return nameIn(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::optional<std::string> name = nameIn(part))
        return name;
  return std::nullopt;
}

std::optional<std::string> spinc::spin::userName(Value value) {
  // A loop's result is what its variable holds in the end.
  if (auto result = dyn_cast<OpResult>(value))
    if (auto loop = dyn_cast<LoopLikeOpInterface>(result.getOwner()))
      if (BlockArgument carried = loop.getTiedLoopRegionIterArg(result))
        return nameIn(carried.getLoc());
  return nameIn(value.getLoc());
}

static std::string describeArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return loop.getInductionVar() == argument ? "loop index" : "loop variable";
  if (isa<scf::WhileOp>(parent))
    return "loop variable";
  if (isa<ForPiecesOp>(parent))
    return isa<SliceType>(argument.getType()) ? "piece" : "loop variable";
  return "argument";
}

/// Whether `part` is the packet without its headers.
static bool isPayload(SubsliceOp part) {
  auto context = part->getParentOfType<ContextOp>();
  auto length = part.getLength().getDefiningOp<arith::SubIOp>();
  APInt offset;
  return context && length && part.getSlice().getDefiningOp<PacketBytesOp>() &&
         length.getLhs().getDefiningOp<SliceLengthOp>() &&
         (part.getOffset().getDefiningOp<HeaderBytesOp>() ||
          (matchPattern(part.getOffset(), m_ConstantInt(&offset)) &&
           offset == context.getHeaderBytes()));
}

std::string spinc::spin::describe(Value value) {
  if (std::optional<std::string> name = userName(value))
    return *name;
  Operation *op = value.getDefiningOp();
  if (!op)
    return describeArgument(cast<BlockArgument>(value));
  IntegerAttr constant;
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    if ((constant = dyn_cast<IntegerAttr>(constantOp.getValue())))
      return std::to_string(constant.getValue().getLimitedValue());
  if (auto length = dyn_cast<SliceLengthOp>(op))
    return describe(length.getSlice()) + ".length";
  if (auto length = dyn_cast<StridedLengthOp>(op))
    return describe(length.getView()) + ".length";
  if (auto param = dyn_cast<ParamOp>(op))
    return param.getField().str();
  if (auto size = dyn_cast<HostSizeOp>(op))
    return size.getRegion().str() + ".size";
  if (auto slice = dyn_cast<HostSliceOp>(op))
    return slice.getRegion().str();
  if (auto slice = dyn_cast<StateSliceOp>(op))
    return slice.getField().str();
  if (auto slice = dyn_cast<StateCopyOp>(op))
    return slice.getField().str();
  if (auto slice = dyn_cast<SubsliceOp>(op); slice && isPayload(slice))
    return "p.payload";
  if (auto slice = dyn_cast<SubsliceOp>(op))
    return "part of " + describe(slice.getSlice());
  if (auto view = dyn_cast<ViewAsOp>(op))
    return describe(view.getSlice());
  if (isa<PacketBytesOp>(op))
    return "p.all";
  if (isa<LoadOp, WireLoadOp, StateLoadOp>(op))
    return "loaded value";
  if (isa<AtomicRmwOp>(op))
    return "old value";
  if (op->getNumOperands() == 1 && isa<arith::ExtUIOp, arith::ExtSIOp>(op))
    return describe(op->getOperand(0));
  return ("result of " + op->getName().stripDialect()).str();
}

const std::string &VariableTable::name(VarId id) const {
  auto found = names.find(id);
  if (found != names.end())
    return found->second;
  // Finding it makes other names known.
  std::string text = describe(variables[id]);
  return names[id] = std::move(text);
}

std::string VariableTable::describe(const Variable &variable) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  switch (variable.kind) {
  case Variable::Kind::Value:
    text = spin::describe(variable.value);
    if (isa<SliceType>(variable.value.getType()))
      text += ".length";
    break;
  case Variable::Kind::PacketLength:
  case Variable::Kind::Param:
  case Variable::Kind::Named:
    text = variable.symbol;
    break;
  case Variable::Kind::HostSize:
    text = variable.symbol + ".size";
    break;
  case Variable::Kind::Quotient:
    out << "floor(" << this->text(variable.dividend) << " / "
        << variable.divisor << ")";
    break;
  case Variable::Kind::Ratio:
    out << this->text(variable.dividend) << " / "
        << this->text(variable.divisorExpr);
    break;
  case Variable::Kind::Product:
    for (VarId factor : variable.factors)
      out << (text.empty() ? "" : " * ") << name(factor);
    break;
  case Variable::Kind::Alias:
    out << "(" << this->text(variable.dividend) << ")";
    break;
  }
  return text;
}

std::string VariableTable::text(const LinearExpr &expr) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const LinearExpr::Term &term : expr.getTerms()) {
    bool negative = term.second < 0;
    Integer size = negative ? -term.second : term.second;
    out << (text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + "));
    if (size != 1)
      out << size << " * ";
    out << name(term.first);
  }
  const Integer &constant = expr.getConstant();
  if (text.empty())
    out << constant;
  else if (constant != 0)
    out << (constant < 0 ? " - " : " + ") << abs(constant);
  return text;
}

std::string VariableTable::text(const Constraint &constraint) const {
  LinearExpr left, right;
  for (const LinearExpr::Term &term : constraint.expr.getTerms()) {
    if (term.second < 0)
      left.addTerm(term.first, -term.second);
    else
      right.addTerm(term.first, term.second);
  }
  const Integer &constant = constraint.expr.getConstant();
  (constant < 0 ? left : right) =
      (constant < 0 ? left : right) + LinearExpr(abs(constant));
  return text(left) + (constraint.equality ? " == " : " <= ") + text(right);
}

std::string VariableTable::rangeText(VarId id) const {
  const Interval &interval = variables[id].interval;
  std::string text;
  llvm::raw_string_ostream out(text);
  if (interval.low)
    out << *interval.low << " <= ";
  out << name(id);
  if (interval.high)
    out << " <= " << *interval.high;
  return text;
}
