// Verifiers of the declarations, and of the uses of declared symbols.
#include "dialect/Spin/IR/SpinDialect.h"

using namespace mlir;
using namespace spinc::spin;

LogicalResult ContextOp::verify() {
  if (getGuaranteedBytes() > getMtu() || getHeaderBytes() > getMtu())
    return emitOpError() << "has headers beyond its mtu of " << getMtu();
  llvm::SmallDenseSet<HandlerKind> seen;
  for (HandlerOp handler : getBody().getOps<HandlerOp>())
    if (!handler.isFunction() && !seen.insert(handler.getKind()).second)
      return handler.emitOpError()
             << "is the second " << stringifyHandlerKind(handler.getKind())
             << " handler of its context";
  return success();
}

LogicalResult StateOp::verify() {
  if (getSpace() != MemorySpace::StateL1 && getSpace() != MemorySpace::StateL2)
    return emitOpError() << "lies in state_l1 or state_l2, not "
                         << stringifyMemorySpace(getSpace());
  if (getPerCluster() && getKind() != StateKind::Atomic)
    return emitOpError() << "is per_cluster but not atomic";
  if (getPerCluster() && getSpace() != MemorySpace::StateL1)
    return emitOpError() << "is per_cluster but not in state_l1";
  if (getKind() == StateKind::PerHpu && getSpace() != MemorySpace::StateL1)
    return emitOpError() << "is per_hpu but not in state_l1";
  if (getWhere().empty())
    return success();
  if (getKind() != StateKind::Param)
    return emitOpError() << "has a where region but is not a param";
  if (getWhere().getNumArguments() != 1 ||
      getWhere().getArgument(0).getType() != getElement())
    return emitOpError() << "needs a where region with one argument of type "
                         << getElement();
  return success();
}

unsigned StateOp::getElementAlignment() {
  if (std::optional<uint32_t> given = getAlignment())
    return *given;
  return std::max(getElement().getIntOrFloatBitWidth() / 8, 1u);
}

/// Whether handlers of `kind` know the quantity: `p.length`, a parameter (or a
/// member of one), a quotient of two such.
static bool isQuantity(ContextOp context, HandlerKind kind, StringRef name) {
  auto [left, right] = name.split(" / ");
  if (!right.empty())
    return isQuantity(context, kind, left) && isQuantity(context, kind, right);
  if (name == "p.length")
    return kind == HandlerKind::Payload;
  auto field = context.lookupSymbol<StateOp>(name.split('.').first);
  return field && field.getKind() == StateKind::Param;
}

/// A count of a budget or of the machine bound.
static LogicalResult verifyCount(HandlerOp handler, StringRef what,
                                 BoundAttr count) {
  if (!count)
    return success();
  auto context = cast<ContextOp>(handler->getParentOp());
  for (StringAttr name : count.getSymbols())
    if (!isQuantity(context, handler.getKind(), name))
      return handler.emitOpError()
             << "has " << what << " that depend on " << name
             << ", which is no quantity of the handler";
  auto constant = dyn_cast<AffineConstantExpr>(count.getMap().getResult(0));
  if (constant && constant.getValue() < 0)
    return handler.emitOpError() << "has a negative number of " << what;
  return success();
}

static LogicalResult verifyBudget(HandlerOp handler, BudgetAttr budget) {
  if (budget.getLineRate() && handler.getKind() != HandlerKind::Payload)
    return handler.emitOpError() << "has a line rate but not for each packet";
  BoundAttr stack = budget.getStack();
  if (stack && !isa<AffineConstantExpr>(stack.getMap().getResult(0)))
    return handler.emitOpError() << "has a budget of stack that is no constant";
  if (!budget.getLineRate() && !budget.getCycles() && !budget.getOccupancy() &&
      !budget.getCommands() && !stack)
    return handler.emitOpError() << "has a budget that limits nothing";
  return success(
      succeeded(verifyCount(handler, "cycles", budget.getCycles())) &&
      succeeded(verifyCount(handler, "cycles", budget.getOccupancy())) &&
      succeeded(verifyCount(handler, "commands", budget.getCommands())) &&
      succeeded(verifyCount(handler, "bytes of stack", stack)));
}

static bool isSliceOfCard(Type type) {
  auto slice = dyn_cast<SliceType>(type);
  return slice && slice.getSpace() != MemorySpace::Host;
}

static LogicalResult verifyFunction(HandlerOp function) {
  for (Type type : function.getBody().getArgumentTypes())
    if (!isa<IntegerType>(type) && !isSliceOfCard(type))
      return function.emitOpError()
             << "is a function with an argument of type " << type;
  // A call touches nothing but its slices, and is dropped if it writes none,
  // issues no commands and nobody asks for its results.
  WalkResult inside = function.getBody().walk([](Operation *op) {
    bool hasEffect = op->hasAttr("field") || op->hasAttr("region") ||
                     isa<DmaToHostOp, DmaFromHostOp, NotifyOp>(op);
    return hasEffect ? WalkResult(op->emitOpError()
                                  << "touches in a function what lies outside")
                     : WalkResult::advance();
  });
  if (inside.wasInterrupted())
    return failure();
  auto give = dyn_cast<GiveOp>(function.getBody().front().getTerminator());
  if (!give)
    return function.emitOpError()
           << "is a function and must end with spin.give";
  if (function.mayFail() && (give.getValues().empty() ||
                             !give.getValues().back().getType().isInteger(1)))
    return function.emitOpError()
           << "may fail and does not say at last whether it has";
  return success();
}

static LogicalResult verifyPhase(HandlerOp handler) {
  MLIRContext *context = handler.getContext();
  Type expected = handler.getKind() == HandlerKind::Payload
                      ? Type(PacketType::get(context))
                      : Type(MessageType::get(context));
  Region &body = handler.getBody();
  if (body.getNumArguments() != 1 || body.getArgument(0).getType() != expected)
    return handler.emitOpError() << "needs one argument of type " << expected;
  if (!isa<ReturnOp>(body.front().getTerminator()))
    return handler.emitOpError() << "must end with spin.return";
  return success();
}

LogicalResult HandlerOp::verify() {
  if (failed(isFunction() ? verifyFunction(*this) : verifyPhase(*this)))
    return failure();
  if (getBudget() && failed(verifyBudget(*this, *getBudget())))
    return failure();
  if (!getBound())
    return success();
  if (getBound()->getCycles().empty())
    return emitOpError() << "has a bound without cycles";
  return success(llvm::all_of(getBound()->getCycles(), [&](BoundAttr count) {
    return succeeded(verifyCount(*this, "cycles", count));
  }));
}

bool HandlerOp::mayFail() {
  return isFunction() && getBody()
                             .walk([](Operation *op) {
                               return isa<RequireOp, ExitOp>(op)
                                          ? WalkResult::interrupt()
                                          : WalkResult::advance();
                             })
                             .wasInterrupted();
}

bool HandlerOp::issuesCommands() {
  return getBody()
      .walk([](Operation *op) {
        auto call = dyn_cast<CallOp>(op);
        bool issues =
            (call && call.getIssues()) ||
            llvm::any_of(op->getResultTypes(), llvm::IsaPred<CommandType>);
        return issues ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

std::string HandlerOp::getImageSymbol() {
  if (isFunction())
    return (cast<ContextOp>((*this)->getParentOp()).getSymName() + "." +
            getSymName())
        .str();
  StringRef suffix = getKind() == HandlerKind::Header    ? "_hh"
                     : getKind() == HandlerKind::Payload ? "_ph"
                                                         : "_th";
  return (cast<ContextOp>((*this)->getParentOp()).getSymName() + suffix).str();
}

/// Finds the field or region `name` of the context around `op`.
template <typename Decl>
static FailureOr<Decl> lookUp(Operation *op, FlatSymbolRefAttr name) {
  auto context = op->getParentOfType<ContextOp>();
  auto decl = context ? context.lookupSymbol<Decl>(name) : Decl();
  if (!decl)
    return op->emitOpError() << "names " << name << ", which is no "
                             << Decl::getOperationName() << " of its context";
  return decl;
}

/// Checks a use of a state field as `kind` (any if absent) with element type
/// `element`.
static LogicalResult verifyField(Operation *op, FlatSymbolRefAttr name,
                                 std::optional<StateKind> kind, Type element,
                                 bool scalar) {
  FailureOr<StateOp> field = lookUp<StateOp>(op, name);
  if (failed(field))
    return failure();
  if (kind && field->getKind() != *kind)
    return op->emitOpError()
           << "needs a " << stringifyStateKind(*kind) << " field; " << name
           << " is " << stringifyStateKind(field->getKind());
  if (field->getElement() != element)
    return op->emitOpError() << "has element type " << element << "; " << name
                             << " has " << field->getElement();
  if (scalar && field->getCount() != 1)
    return op->emitOpError() << "needs a scalar field; " << name << " has "
                             << field->getCount() << " elements";
  return success();
}

LogicalResult ParamOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyField(*this, getFieldAttr(), StateKind::Param, getType(), true);
}

/// The field is one that handlers load and store like a variable.
static LogicalResult verifyPlainAccess(Operation *op, FlatSymbolRefAttr name,
                                       Type element) {
  FailureOr<StateOp> field = lookUp<StateOp>(op, name);
  if (failed(field))
    return failure();
  StateKind kind = field->getKind();
  bool isVariable = kind == StateKind::PerHpu || kind == StateKind::Guarded;
  return verifyField(op, name, isVariable ? kind : StateKind::Plain, element,
                     true);
}

LogicalResult StateLoadOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyPlainAccess(*this, getFieldAttr(), getType());
}

LogicalResult StateStoreOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<StateOp> field = lookUp<StateOp>(*this, getFieldAttr());
  if (failed(field))
    return failure();
  auto handler = (*this)->getParentOfType<HandlerOp>();
  if (handler && handler.getKind() == HandlerKind::Payload &&
      field->getKind() == StateKind::Plain)
    return emitOpError() << "writes plain state in a payload handler";
  return verifyPlainAccess(*this, getFieldAttr(), getValue().getType());
}

LogicalResult StateSliceOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<StateOp> field = lookUp<StateOp>(*this, getFieldAttr());
  if (failed(field))
    return failure();
  // A value that proofs speak of has no other way to it.
  bool isValue = false;
  if (field->getKind() == StateKind::Param)
    (*field)->getParentOp()->walk(
        [&](ParamOp op) { isValue |= op.getFieldAttr() == getFieldAttr(); });
  if (isValue)
    return emitOpError() << "makes a slice of " << getFieldAttr()
                         << ", which spin.param reads";
  return verifyField(*this, getFieldAttr(), std::nullopt,
                     getType().getElement(), false);
}

LogicalResult StateCopyOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<StateOp> field = lookUp<StateOp>(*this, getFieldAttr());
  if (failed(field))
    return failure();
  if (!field->getPerCluster() && field->getKind() != StateKind::PerHpu)
    return emitOpError() << "needs a per_cluster or per_hpu field";
  return verifyField(*this, getFieldAttr(), field->getKind(),
                     getType().getElement(), false);
}

/// The arguments of `function` that it may write through `slice`: the one that
/// the slice was cut from, or all where that is not plain to see.
static void addWritten(HandlerOp function, Value slice,
                       llvm::SmallSetVector<unsigned, 4> &written) {
  while (isa_and_nonnull<SubsliceOp, ViewAsOp, MemberOp>(slice.getDefiningOp()))
    slice = slice.getDefiningOp()->getOperand(0);
  if (slice.getDefiningOp<LocalOp>())
    return;
  for (BlockArgument argument : function.getBody().getArguments())
    if (isa<SliceType>(argument.getType()) &&
        (slice == argument || slice.getDefiningOp() ||
         slice.getParentBlock() != argument.getOwner()))
      written.insert(argument.getArgNumber());
}

static llvm::SmallSetVector<unsigned, 4> writtenBy(HandlerOp function) {
  llvm::SmallSetVector<unsigned, 4> written;
  function.getBody().walk([&](Operation *op) {
    if (auto store = dyn_cast<StoreOp>(op))
      addWritten(function, store.getSlice(), written);
    else if (auto store = dyn_cast<WireStoreOp>(op))
      addWritten(function, store.getSlice(), written);
    else if (auto call = dyn_cast<CallOp>(op))
      for (auto [place, input] : llvm::enumerate(call.getInputs()))
        if (call.mayWrite(place))
          addWritten(function, input, written);
  });
  return written;
}

bool CallOp::mayWritePacket() {
  for (auto [place, input] : llvm::enumerate(getInputs()))
    if (auto slice = dyn_cast<SliceType>(input.getType());
        slice && mayWrite(place) && slice.isInPacket())
      return true;
  return false;
}

void CallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // Which memory is left open, as for loads and stores.
  if (getIssues() ||
      llvm::any_of(getInputs().getTypes(), llvm::IsaPred<SliceType>))
    effects.emplace_back(MemoryEffects::Read::get());
  if (getIssues() || getWrites())
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<HandlerOp> callee = lookUp<HandlerOp>(*this, getCalleeAttr());
  if (failed(callee))
    return failure();
  auto give = callee->isFunction()
                  ? dyn_cast<GiveOp>(callee->getBody().front().back())
                  : GiveOp();
  if (!give)
    return emitOpError() << "calls " << getCalleeAttr()
                         << ", which is no function";
  if (getOperandTypes() != callee->getBody().getArgumentTypes() ||
      getResultTypes() != give.getOperandTypes())
    return emitOpError() << "does not have the types of " << getCalleeAttr();
  if (callee->issuesCommands() && !getIssues())
    return emitOpError() << "does not say that " << getCalleeAttr()
                         << " issues commands";
  for (unsigned argument : writtenBy(*callee))
    if (!mayWrite(argument))
      return emitOpError() << "does not say that " << getCalleeAttr()
                           << " writes its argument " << argument;
  return success();
}

LogicalResult HostSizeOp::verifySymbolUses(SymbolTableCollection &) {
  return success(succeeded(lookUp<HostOp>(*this, getRegionAttr())));
}

LogicalResult HostSliceOp::verifySymbolUses(SymbolTableCollection &) {
  return success(succeeded(lookUp<HostOp>(*this, getRegionAttr())));
}
