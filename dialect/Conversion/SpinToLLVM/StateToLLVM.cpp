// State of a context: parameters and own copies at constant addresses of the
// executing cluster's L1; plain state in the block of the message, in the L1 of
// its home cluster or in L2; other state at constant addresses of the context's
// home cluster or of L2. Identities of the executing HPU.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "runtime/abi/pspin.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

unsigned elementBytes(StateOp field) {
  return field.getElement().getIntOrFloatBitWidth() / 8;
}

/// Address that `name` says; of what each L1 has, that in cluster 0.
Value addressOf(CardBuilder &builder, StringRef name) {
  return builder.toAddress(
      LLVM::AddressOfOp::create(builder, builder.pointerType(), name));
}

/// Address in L1 of `cluster` of what has the address `first` in cluster 0. A
/// number that loops count is added: LLVM folds it or counts along.
Value addressInCluster(CardBuilder &builder, Value first, Value cluster) {
  return builder.add(
      first, builder.shiftLeft(cluster, llvm::Log2_32(PSPIN_L1_STRIDE)));
}

/// Address of the block that the low bits of `slot` say; that of block 0 is
/// `address`.
Value blockAddress(CardBuilder &builder,
                   const spinc::abi::MessageBlocks &blocks, Value address,
                   Value slot) {
  if (blocks.areFields())
    return builder.withField(address, llvm::Log2_64(blocks.stride),
                             llvm::Log2_64(blocks.copies), slot);
  Value number =
      LLVM::AndOp::create(builder, slot, builder.constant(blocks.copies - 1));
  Value distance =
      LLVM::MulOp::create(builder, number, builder.constant(blocks.stride));
  return builder.add(address, distance);
}

/// Address of a plain field of the message that is handled.
Value messagePointer(CardBuilder &builder, StateOp field) {
  auto context = cast<ContextOp>(field->getParentOp());
  bool inL1 = field.getSpace() == MemorySpace::StateL1;
  MessageLayout layout = messageLayout(context, field.getSpace(), field);
  std::string name = messagesName(context, field.getSpace());
  Value slot = builder.readTask(PSPIN_TASK_FLOW);
  Value address = addressOf(builder, inL1 ? globalAlias(name) : name);
  if (inL1) {
    // Its low bits are the home cluster.
    address = builder.inCluster(address, slot);
    slot = builder.shiftRight(slot, PSPIN_FLOW_SLOT_SHIFT);
  }
  address = blockAddress(builder, layout.blocks, address, slot);
  return builder.toPointer(
      builder.add(address, builder.constant(layout.offset)));
}

/// The copy of the HPU with this number in the cluster whose copies are at
/// `address`.
Value hpuCopy(CardBuilder &builder, StateOp field, Value address,
              Value number) {
  Value distance =
      LLVM::MulOp::create(builder, number, builder.constant(hpuStride(field)));
  return builder.toPointer(builder.add(address, distance));
}

} // namespace

/// See the head of the file.
Value spinc::spin::fieldPointer(CardBuilder &builder, StateOp field) {
  if (field.getKind() == StateKind::Plain)
    return messagePointer(builder, field);
  Value global = LLVM::AddressOfOp::create(builder, builder.pointerType(),
                                           globalName(field));
  if (field.getKind() == StateKind::Param)
    return LLVM::GEPOp::create(
        builder, builder.pointerType(),
        paramsType(cast<ContextOp>(field->getParentOp())), global,
        ArrayRef<LLVM::GEPArg>{0, int32_t(paramIndex(field))},
        LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
  if (field.getKind() == StateKind::PerHpu) {
    Value number = LLVM::AndOp::create(builder, builder.hartId(),
                                       builder.constant(PSPIN_HARTID_HPU_MASK));
    return hpuCopy(builder, field, builder.toAddress(global), number);
  }
  if (field.getPerCluster() || field.getSpace() == MemorySpace::StateL2)
    return global;
  return LLVM::AddressOfOp::create(builder, builder.pointerType(),
                                   globalAlias(globalName(field)));
}

namespace {

class LowerParam : public SpinPattern<ParamOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(ParamOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    StateOp field = facts.fields.lookup(op);
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
        op, op.getType(), fieldPointer(builder, field), elementBytes(field),
        /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/true);
    return success();
  }
};

class LowerStateLoad : public SpinPattern<StateLoadOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(StateLoadOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    StateOp field = facts.fields.lookup(op);
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
        op, op.getType(), fieldPointer(builder, field), elementBytes(field));
    return success();
  }
};

class LowerStateStore : public SpinPattern<StateStoreOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(StateStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    StateOp field = facts.fields.lookup(op);
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValue(),
                                               fieldPointer(builder, field),
                                               elementBytes(field));
    return success();
  }
};

class LowerStateSlice : public SpinPattern<StateSliceOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(StateSliceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    StateOp field = facts.fields.lookup(op);
    Value start = fieldPointer(builder, field);
    Value count = builder.constant(field.getCount());
    rewriter.replaceOp(op, builder.pack({start, count}));
    return success();
  }
};

class LowerStateCopy : public SpinPattern<StateCopyOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(StateCopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    StateOp field = facts.fields.lookup(op);
    Value first = addressOf(builder, globalAlias(globalName(field)));
    // LLVM would take two distances from one symbol for two places, but the own
    // copy has an address of its own, and is one of the copies too.
    if (facts.loadedCopies.contains(op))
      first = builder.ofAnyObject(first);
    Value start;
    if (field.getKind() == StateKind::PerHpu) {
      Value hpu = adaptor.getCluster();
      Value cluster =
          builder.shiftRight(hpu, llvm::Log2_32(PSPIN_HPUS_PER_CLUSTER));
      Value number = LLVM::AndOp::create(
          builder, hpu, builder.constant(PSPIN_HPUS_PER_CLUSTER - 1));
      start = hpuCopy(builder, field, addressInCluster(builder, first, cluster),
                      number);
    } else {
      start = builder.toPointer(
          addressInCluster(builder, first, adaptor.getCluster()));
    }
    Value count = builder.constant(field.getCount());
    rewriter.replaceOp(op, builder.pack({start, count}));
    return success();
  }
};

LLVM::AtomicBinOp atomicOp(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
    return LLVM::AtomicBinOp::add;
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::MaxS:
    return LLVM::AtomicBinOp::max;
  case AtomicKind::MaxU:
    return LLVM::AtomicBinOp::umax;
  case AtomicKind::MinS:
    return LLVM::AtomicBinOp::min;
  case AtomicKind::MinU:
    return LLVM::AtomicBinOp::umin;
  case AtomicKind::Swap:
    return LLVM::AtomicBinOp::xchg;
  case AtomicKind::Cas:
    break;
  }
  llvm_unreachable("all kinds are handled");
}

/// sta-13: once, without a loop: $0 becomes 0 if the store was done. 1 or 0,
/// whether it was.
Value compareAndSwap(CardBuilder &builder, Value pointer, Value expected,
                     Value value) {
  Type word = builder.getI32Type();
  Type pair =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), {word, word});
  auto code = LLVM::InlineAsmOp::create(
      builder, TypeRange{pair}, ValueRange{pointer, expected, value},
      builder.getStringAttr("li $0, 1\nlr.w $1, ($2)\nbne $1, $3, 1f\n"
                            "sc.w $0, $4, ($2)\n1:"),
      builder.getStringAttr("=&r,=&r,r,r,r,~{memory}"),
      /*has_side_effects=*/builder.getUnitAttr(),
      /*is_align_stack=*/UnitAttr(),
      LLVM::TailCallKindAttr::get(builder.getContext(),
                                  LLVM::TailCallKind::None),
      /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
  Value refused = LLVM::ExtractValueOp::create(builder, code.getRes(),
                                               ArrayRef<int64_t>{0});
  Value done = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, refused,
                                    builder.constant(0));
  return LLVM::ZExtOp::create(builder, word, done);
}

/// One instruction without fences: handlers order memory by waiting for
/// commands, not by atomics.
class LowerAtomicRmw : public SpinPattern<AtomicRmwOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(AtomicRmwOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    Value pointer = builder.element(builder.unpack(adaptor.getSlice()).start,
                                    op.getSlice().getType().getElement(),
                                    adaptor.getIndex());
    if (op.getKind() == AtomicKind::Cas) {
      rewriter.replaceOp(op,
                         compareAndSwap(builder, pointer, adaptor.getExpected(),
                                        adaptor.getValue()));
      return success();
    }
    rewriter.replaceOpWithNewOp<LLVM::AtomicRMWOp>(
        op, atomicOp(op.getKind()), pointer, adaptor.getValue(),
        LLVM::AtomicOrdering::monotonic);
    return success();
  }
};

class LowerHpuId : public SpinPattern<HpuIdOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(HpuIdOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    Value hart = builder.hartId();
    Value first =
        builder.shiftLeft(builder.shiftRight(hart, PSPIN_HARTID_CLUSTER_SHIFT),
                          llvm::Log2_32(PSPIN_HPUS_PER_CLUSTER));
    Value inCluster = LLVM::AndOp::create(
        builder, hart, builder.constant(PSPIN_HARTID_HPU_MASK));
    rewriter.replaceOp(op, builder.add(first, inCluster));
    return success();
  }
};

class LowerClusterId : public SpinPattern<ClusterIdOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(ClusterIdOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, builder.clusterId());
    return success();
  }
};

} // namespace

void spinc::spin::populateStatePatterns(const LLVMTypeConverter &converter,
                                        const LoweringFacts &facts,
                                        RewritePatternSet &patterns) {
  patterns.add<LowerParam, LowerStateLoad, LowerStateStore, LowerStateSlice,
               LowerStateCopy, LowerAtomicRmw, LowerHpuId, LowerClusterId>(
      converter, facts);
}
