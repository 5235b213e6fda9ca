// Reads off the structure of handlers what the patterns want to know: it is
// plain to see before the rewriting and gone after it.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Packets lie at multiples of this in packet memory.
constexpr unsigned kPacketAlignment = 64;

/// The largest power of two, at most kPacketAlignment, that divides `bytes`.
unsigned factorOf(uint64_t bytes) {
  return bytes == 0 ? kPacketAlignment
                    : 1u << std::min<unsigned>(llvm::countr_zero(bytes),
                                               llvm::Log2_32(kPacketAlignment));
}

/// A power of two, at most kPacketAlignment, that divides `value`.
unsigned knownFactor(Value value) {
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return 1u << std::min(constant.countr_zero(),
                          llvm::Log2_32(kPacketAlignment));
  Operation *op = value.getDefiningOp();
  unsigned factor = 1;
  if (isa_and_nonnull<arith::MulIOp>(op))
    factor = knownFactor(op->getOperand(0)) * knownFactor(op->getOperand(1));
  else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    factor = std::min(knownFactor(op->getOperand(0)),
                      knownFactor(op->getOperand(1)));
  return std::min(factor, kPacketAlignment);
}

/// Alignment of a field of state: of one register, or as it was declared.
template <typename Op> unsigned stateAlignment(Op op) {
  auto field =
      op->template getParentOfType<ContextOp>().template lookupSymbol<StateOp>(
          op.getField());
  return field.getElementAlignment();
}

/// Alignment of the first element of `slice`.
unsigned knownAlignment(Value slice) {
  Operation *op = slice.getDefiningOp();
  if (!op)
    return 1;
  return llvm::TypeSwitch<Operation *, unsigned>(op)
      .Case([](PacketBytesOp) { return kPacketAlignment; })
      .Case<StateSliceOp, StateCopyOp>(
          [](auto state) { return stateAlignment(state); })
      .Case([](LocalOp) { return kLocalAlignment; })
      .Case([](TableSliceOp slice) {
        return slice->getParentOfType<ModuleOp>()
            .lookupSymbol<TableOp>(slice.getTable())
            .getAlignment();
      })
      .Case([](ViewAsOp view) { return knownAlignment(view.getSlice()); })
      .Case([](MemberOp member) {
        unsigned record = knownAlignment(member.getSlice());
        unsigned step = knownFactor(member.getIndex()) *
                        factorOf(member.getSlice().getType().getElementBytes());
        return std::min({record, step, factorOf(member.getOffset())});
      })
      .Case([](SubsliceOp cut) {
        unsigned bytes =
            factorOf(cast<SliceType>(cut.getType()).getElementBytes());
        return std::min(knownAlignment(cut.getSlice()),
                        knownFactor(cut.getOffset()) * bytes);
      })
      .Default(1u);
}

/// Alignment of element `index` of `slice`, as far as any access cares.
unsigned accessAlignment(Value slice, Value index) {
  unsigned bytes = factorOf(cast<SliceType>(slice.getType()).getElementBytes());
  return std::min({knownAlignment(slice), knownFactor(index) * bytes, 8u});
}

/// Whether `slice` surely has an element.
bool isNonEmpty(Value slice) {
  Operation *op = slice.getDefiningOp();
  if (isa_and_nonnull<StateSliceOp, StateCopyOp, LocalOp, MemberOp,
                      TableSliceOp>(op))
    return true;
  if (auto packet = dyn_cast_or_null<PacketBytesOp>(op))
    return packet->getParentOfType<ContextOp>().getGuaranteedBytes() > 0;
  auto cut = dyn_cast_or_null<SubsliceOp>(op);
  return cut && (cut->hasAttr("spin.nonempty") ||
                 matchPattern(cut.getLength(), m_NonZero()));
}

AddressForm formOf(Value slice, const LoweringFacts &facts) {
  MemorySpace space = cast<SliceType>(slice.getType()).getSpace();
  if (space != MemorySpace::StateL1 && space != MemorySpace::Local)
    return AddressForm::Global;
  Operation *op = slice.getDefiningOp();
  while (isa_and_nonnull<SubsliceOp, ViewAsOp, MemberOp>(op))
    op = op->getOperand(0).getDefiningOp();
  if (isa_and_nonnull<LocalOp>(op))
    return !facts.locals.inArea.contains(op) ||
                   facts.locals.inArea.lookup(op).isHandlers
               ? AddressForm::Global
               : AddressForm::OwnAlias;
  if (isa_and_nonnull<StateCopyOp>(op))
    return AddressForm::Global;
  if (!isa_and_nonnull<StateSliceOp>(op))
    return AddressForm::Unknown;
  StateOp field = facts.fields.lookup(op);
  bool own = field.getPerCluster() || field.getKind() == StateKind::Param ||
             field.getKind() == StateKind::PerHpu;
  return own ? AddressForm::OwnAlias : AddressForm::Global;
}

/// The slice of NIC memory that a command works on, if any.
Value commandSlice(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([](DmaToHostOp dma) { return dma.getSource(); })
      .Case([](DmaFromHostOp dma) { return dma.getDest(); })
      .Case([](SendOp send) { return send.getData(); })
      .Case([](PutOp put) { return put.getData(); })
      .Default(Value());
}

/// Whether something but commands that read it, and slices of it that only
/// these read, uses the bytes of `slice`.
bool isLoaded(Value slice) {
  return llvm::any_of(slice.getUsers(), [&](Operation *user) {
    if (isa<SubsliceOp, ViewAsOp, MemberOp>(user))
      return isLoaded(user->getResult(0));
    return !isa<DmaToHostOp, SendOp, PutOp, SliceLengthOp>(user);
  });
}

/// Whether the command surely is issued. A put may be of nothing, and a DMA
/// moves what its source holds.
bool isUnconditional(Operation *op) {
  if (auto dma = dyn_cast<DmaFromHostOp>(op))
    return isNonEmpty(dma.getSource());
  if (isa<DmaToHostOp, SendOp>(op))
    return isNonEmpty(commandSlice(op));
  return isa<PutOp, NotifyOp>(op);
}

void addLock(Operation *op, FlatSymbolRefAttr name, LoweringFacts &facts) {
  auto context = op->getParentOfType<ContextOp>();
  facts.locks[op] = {
      context.lookupSymbol<StateOp>(name),
      context.lookupSymbol<StateOp>((name.getValue() + ".node").str()),
      getLockNumber(context, name.getValue())};
}

void addFacts(Operation *op, LoweringFacts &facts) {
  if (auto acquire = dyn_cast<AcquireOp>(op))
    addLock(op, acquire.getLockAttr(), facts);
  if (auto release = dyn_cast<ReleaseOp>(op))
    addLock(op, release.getLockAttr(), facts);
  auto field = op->getAttrOfType<FlatSymbolRefAttr>("field");
  if (field && isa<SpinDialect>(op->getDialect()))
    facts.fields[op] =
        op->getParentOfType<ContextOp>().lookupSymbol<StateOp>(field);
  if (auto call = dyn_cast<CallOp>(op)) {
    auto callee = op->getParentOfType<ContextOp>().lookupSymbol<HandlerOp>(
        call.getCalleeAttr());
    facts.callees[op] =
        StringAttr::get(op->getContext(), callee.getImageSymbol());
  }
  if (isUnconditional(op))
    facts.unconditional.insert(op);
  if (auto wait = dyn_cast<WaitOp>(op)) {
    Operation *command = wait.getCommand().getDefiningOp();
    if (command && isUnconditional(command))
      facts.unconditional.insert(op);
  }
  if (auto copy = dyn_cast<StateCopyOp>(op); copy && isLoaded(copy))
    facts.loadedCopies.insert(op);
  if (Value slice = commandSlice(op))
    facts.forms[op] = formOf(slice, facts);
  llvm::TypeSwitch<Operation *>(op)
      .Case<LoadOp, StoreOp>([&](auto access) {
        facts.alignments[op] =
            accessAlignment(access.getSlice(), access.getIndex());
      })
      .Case<WireLoadOp, WireStoreOp>([&](auto access) {
        facts.alignments[op] =
            accessAlignment(access.getSlice(), access.getOffset());
      });
}

/// An operation with an obligation has an optional attribute `proof`.
bool lacksProof(Operation *op) {
  if (!isa_and_nonnull<SpinDialect>(op->getDialect()))
    return false;
  bool obliged =
      llvm::any_of(op->getName().getAttributeNames(),
                   [](StringAttr name) { return name.getValue() == "proof"; });
  return obliged && !op->getAttrOfType<ProofAttr>("proof");
}

} // namespace

LoweringFacts spinc::spin::collectFacts(ModuleOp module) {
  LoweringFacts facts;
  facts.locals = placeLocals(module);
  for (ContextOp context : module.getOps<ContextOp>())
    for (HandlerOp handler : context.getBody().getOps<HandlerOp>())
      handler.walk([&](Operation *op) { addFacts(op, facts); });
  return facts;
}

LogicalResult spinc::spin::checkConvertible(ModuleOp module) {
  bool convertible = true;
  module.walk([&](Operation *op) {
    if (lacksProof(op)) {
      op->emitOpError() << "has no proof: run spin-prove-bounds first";
      convertible = false;
    }
    auto context = dyn_cast<ContextOp>(op);
    if (context && llvm::range_size(context.getBody().getOps<HostOp>()) > 1) {
      context.emitOpError() << "has several host regions; the card has one";
      convertible = false;
    }
  });
  return success(convertible);
}
