// Packet bytes, cuts of slices, and loads and stores through them.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "runtime/abi/pspin.h"
#include "runtime/device/Frame.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

class LowerPacketBytes : public SpinPattern<PacketBytesOp> {
public:
  using SpinPattern::SpinPattern;
  // The packet itself has no value at run time, hence one operand to none.
  LogicalResult
  matchAndRewrite(PacketBytesOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    bool inL1 = op.getType().getSpace() == MemorySpace::PacketL1;
    Value address =
        builder.readTask(inL1 ? PSPIN_TASK_PACKET : PSPIN_TASK_L2_PACKET);
    Value length = builder.readTask(PSPIN_TASK_PACKET_SIZE);
    rewriter.replaceOp(op, builder.pack({builder.toPointer(address), length}));
    return success();
  }
};

class LowerHeaderBytes : public SpinPattern<HeaderBytesOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(HeaderBytesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getBytes());
    return success();
  }
};

class LowerSliceLength : public SpinPattern<SliceLengthOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(SliceLengthOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, builder.unpack(adaptor.getSlice()).length);
    return success();
  }
};

class LowerSubslice : public SpinPattern<SubsliceOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(SubsliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    auto type = cast<SliceType>(op.getType());
    Value start = builder.unpack(adaptor.getSlice()).start;
    if (type.getSpace() == MemorySpace::Host)
      start = builder.add(
          start, builder.scaled(adaptor.getOffset(), type.getElementBytes()));
    else
      start = builder.element(start, type.getElement(), adaptor.getOffset());
    rewriter.replaceOp(op, builder.pack({start, adaptor.getLength()}));
    return success();
  }
};

class LowerViewAs : public SpinPattern<ViewAsOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(ViewAsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    SliceParts parts = builder.unpack(adaptor.getSlice());
    unsigned bytes = cast<SliceType>(op.getType()).getElementBytes();
    if (llvm::isPowerOf2_32(bytes))
      parts.length = builder.shiftRight(parts.length, llvm::Log2_32(bytes));
    else
      parts.length =
          LLVM::UDivOp::create(builder, parts.length, builder.constant(bytes));
    rewriter.replaceOp(op, builder.pack(parts));
    return success();
  }
};

class LowerMember : public SpinPattern<MemberOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(MemberOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    Value record = builder.element(builder.unpack(adaptor.getSlice()).start,
                                   op.getSlice().getType().getElement(),
                                   adaptor.getIndex());
    Value start = builder.element(record, builder.getI8Type(),
                                  builder.constant(op.getOffset()));
    rewriter.replaceOp(op,
                       builder.pack({start, builder.constant(op.getCount())}));
    return success();
  }
};

class LowerTableSlice : public SpinPattern<TableSliceOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(TableSliceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    Value start = LLVM::AddressOfOp::create(builder, builder.pointerType(),
                                            tableName(op.getTable()));
    rewriter.replaceOp(op,
                       builder.pack({start, builder.constant(op.getCount())}));
    return success();
  }
};

/// On the stack, or at the HPU's part of the area for what is too large.
class LowerLocal : public SpinPattern<LocalOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(LocalOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    const LocalPlaces &places = facts.locals;
    auto offset = places.inArea.find(op);
    Value start = offset == places.inArea.end() ? onStack(op, builder)
                  : offset->second.isHandlers
                      ? inPassedPart(op, builder, offset->second.offset)
                      : inArea(builder, places, offset->second.offset);
    rewriter.replaceOp(op,
                       builder.pack({start, builder.constant(op.getCount())}));
    return success();
  }

private:
  /// In the entry block: in a loop the stack would grow.
  static Value onStack(LocalOp op, CardBuilder &builder) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        &builder.getInsertionBlock()->getParent()->front());
    Value one = builder.constant(1);
    return LLVM::AllocaOp::create(
        builder, builder.pointerType(),
        LLVM::LLVMArrayType::get(builder.getI8Type(),
                                 op.getCount() *
                                     op.getType().getElementBytes()),
        one, kLocalAlignment);
  }

  /// Of a handler: by the address that engines know, which costs the HPU no
  /// more than its alias.
  static Value inPassedPart(LocalOp op, CardBuilder &builder, uint32_t offset) {
    Value passed = op->getParentOfType<LLVM::LLVMFuncOp>()
                       .getBody()
                       .front()
                       .getArguments()
                       .back();
    Value place = builder.element(passed, builder.getI8Type(),
                                  builder.constant(SPINC_ARGS_LOCALS));
    Value part = LLVM::LoadOp::create(
        builder, builder.getI32Type(), place, /*alignment=*/4,
        /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/true);
    return builder.element(builder.toPointer(part), builder.getI8Type(),
                           builder.constant(offset));
  }

  /// Of a function, which is not passed anything by the runtime.
  static Value inArea(CardBuilder &builder, const LocalPlaces &places,
                      uint32_t offset) {
    Value area =
        LLVM::AddressOfOp::create(builder, builder.pointerType(), kLocalArea);
    Value hpu = LLVM::AndOp::create(builder, builder.hartId(),
                                    builder.constant(PSPIN_HARTID_HPU_MASK));
    Value own = builder.element(area, builder.getI8Type(),
                                builder.scaled(hpu, places.areaBytes));
    return builder.element(own, builder.getI8Type(), builder.constant(offset));
  }
};

/// Swaps the bytes of an integer of any whole number of bytes.
Value swapBytes(CardBuilder &builder, Value value) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (width == 8)
    return value;
  unsigned wide = llvm::PowerOf2Ceil(width);
  if (wide == width)
    return LLVM::ByteSwapOp::create(builder, value);
  Type wideType = builder.getIntegerType(wide);
  Value extended = LLVM::ZExtOp::create(builder, wideType, value);
  Value amount =
      LLVM::ConstantOp::create(builder, wideType, int64_t(wide - width));
  Value swapped = LLVM::ByteSwapOp::create(builder, extended);
  Value shifted = LLVM::LShrOp::create(builder, swapped, amount);
  return LLVM::TruncOp::create(builder, value.getType(), shifted);
}

/// A big-endian number of its bytes, each loaded for itself and joined by
/// shifts, where LLVM may not make words of them again.
Value joinBytes(CardBuilder &builder, Type type, Value pointer) {
  unsigned bytes = type.getIntOrFloatBitWidth() / 8;
  Value joined;
  for (unsigned at = 0; at < bytes; ++at) {
    Value place =
        builder.element(pointer, builder.getI8Type(), builder.constant(at));
    Value byte = LLVM::LoadOp::create(builder, builder.getI8Type(), place,
                                      /*alignment=*/1, /*isVolatile=*/true);
    Value wide = LLVM::ZExtOp::create(builder, type, byte);
    Value amount =
        LLVM::ConstantOp::create(builder, type, int64_t(8 * (bytes - 1 - at)));
    wide = LLVM::ShlOp::create(builder, wide, amount);
    joined = joined ? LLVM::OrOp::create(builder, joined, wide) : wide;
  }
  return joined;
}

Value emitLoad(CardBuilder &builder, Type type, Value pointer,
               unsigned alignment, ByteOrder order) {
  Value value = LLVM::LoadOp::create(builder, type, pointer, alignment);
  return order == ByteOrder::Big ? swapBytes(builder, value) : value;
}

void emitStore(CardBuilder &builder, Value value, Value pointer,
               unsigned alignment, ByteOrder order) {
  if (order == ByteOrder::Big)
    value = swapBytes(builder, value);
  LLVM::StoreOp::create(builder, value, pointer, alignment);
}

/// Element accesses and wire accesses differ in the unit of their position.
template <typename Op> struct Position;
template <> struct Position<LoadOp> {
  static Value of(LoadOp::Adaptor adaptor) { return adaptor.getIndex(); }
};
template <> struct Position<WireLoadOp> {
  static Value of(WireLoadOp::Adaptor adaptor) { return adaptor.getOffset(); }
};
template <> struct Position<StoreOp> {
  static Value of(StoreOp::Adaptor adaptor) { return adaptor.getIndex(); }
};
template <> struct Position<WireStoreOp> {
  static Value of(WireStoreOp::Adaptor adaptor) { return adaptor.getOffset(); }
};

/// Address that an access at its position in its slice goes to.
template <typename Op>
Value accessPointer(CardBuilder &builder, Op op, typename Op::Adaptor adaptor) {
  return builder.element(builder.unpack(adaptor.getSlice()).start,
                         op.getSlice().getType().getElement(),
                         Position<Op>::of(adaptor));
}

template <typename Op> class LowerLoad : public SpinPattern<Op> {
public:
  using SpinPattern<Op>::SpinPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    unsigned alignment = this->facts.alignments.lookup(op);
    Value pointer = accessPointer(builder, op, adaptor);
    bool inBytes = !this->facts.wireWords && op.getOrder() == ByteOrder::Big &&
                   op.getType().getIntOrFloatBitWidth() > 8;
    rewriter.replaceOp(op, inBytes ? joinBytes(builder, op.getType(), pointer)
                                   : emitLoad(builder, op.getType(), pointer,
                                              alignment, op.getOrder()));
    return success();
  }
};

template <typename Op> class LowerStore : public SpinPattern<Op> {
public:
  using SpinPattern<Op>::SpinPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    unsigned alignment = this->facts.alignments.lookup(op);
    emitStore(builder, adaptor.getValue(), accessPointer(builder, op, adaptor),
              alignment, op.getOrder());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

Type spinc::spin::loweredSlice(SliceType type) {
  MLIRContext *context = type.getContext();
  Type word = IntegerType::get(context, 32);
  Type start = type.getSpace() == MemorySpace::Host
                   ? word
                   : LLVM::LLVMPointerType::get(context);
  return LLVM::LLVMStructType::getLiteral(context, {start, word});
}

void spinc::spin::addSliceConversions(LLVMTypeConverter &converter) {
  converter.addConversion(loweredSlice);
  converter.addConversion([](CommandType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
  // Everything about a packet or message comes from the task registers.
  converter.addConversion(
      [](Type type, SmallVectorImpl<Type> &) -> std::optional<LogicalResult> {
        if (isa<PacketType, MessageType>(type))
          return success();
        return std::nullopt;
      });
}

void spinc::spin::populateMemoryPatterns(const LLVMTypeConverter &converter,
                                         const LoweringFacts &facts,
                                         RewritePatternSet &patterns) {
  patterns.add<LowerPacketBytes, LowerHeaderBytes, LowerSliceLength,
               LowerSubslice, LowerViewAs, LowerMember, LowerTableSlice,
               LowerLocal, LowerLoad<LoadOp>, LowerLoad<WireLoadOp>,
               LowerStore<StoreOp>, LowerStore<WireStoreOp>>(converter, facts);
}
