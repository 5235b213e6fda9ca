// Commands: words to the HPU driver's registers, then a read that issues. All
// words are written each time, for which handler wrote them last is not known;
// compiler/Backend/CommandWords.cpp leaves out what a handler writes twice.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "runtime/abi/pspin.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Handle of a command that was skipped because there was nothing to move.
constexpr int64_t kNoCommand = -1;

/// Writes the words of one command and issues it.
class CommandWriter {
public:
  explicit CommandWriter(CardBuilder &builder) : builder(builder) {
    builder.compilerFence();
  }

  void word(unsigned number, Value value) {
    builder.writeRegister(PSPIN_CMD_WORD0 + 4 * number, value);
  }
  void word(unsigned number, int64_t value) {
    word(number, builder.constant(value));
  }

  /// The 64-bit address `offset` bytes into the host region, low half first.
  /// The region lies between two multiples of 4 GiB: there is no carry.
  void hostAddress(unsigned low, unsigned high, Value offset) {
    word(low, builder.add(builder.readTask(PSPIN_TASK_HOST_LOW), offset));
    word(high, builder.readTask(PSPIN_TASK_HOST_HIGH));
  }

  /// Returns the number of the command.
  Value issue(unsigned kind) {
    builder.writeRegister(PSPIN_CMD_INFO,
                          builder.constant(kind << PSPIN_CMD_KIND_SHIFT));
    Value number = builder.readRegister(PSPIN_CMD_ISSUE);
    builder.compilerFence();
    return number;
  }

private:
  CardBuilder &builder;
};

/// Address of a slice's start as the engines that execute commands see it.
Value engineAddress(CardBuilder &builder, Value pointer, AddressForm form) {
  Value address = builder.toAddress(pointer);
  if (form == AddressForm::Global)
    return address;
  Value global = builder.fromAlias(address, builder.clusterId());
  if (form == AddressForm::OwnAlias)
    return global;
  Value offset =
      LLVM::SubOp::create(builder, address, builder.constant(PSPIN_L1_ALIAS));
  Value isAlias = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult,
                                       offset, builder.constant(PSPIN_L1_SIZE));
  return LLVM::SelectOp::create(builder, isAlias, global, address);
}

Value bytesOf(CardBuilder &builder, Value length, Type sliceType) {
  return builder.scaled(length, cast<SliceType>(sliceType).getElementBytes());
}

template <typename Op> class CommandPattern : public SpinPattern<Op> {
public:
  using SpinPattern<Op>::SpinPattern;

protected:
  /// Replaces `op` by what `issue` emits, skipped at run time if `length` may
  /// be and is zero.
  void replaceCommand(Op op, Value length, ConversionPatternRewriter &rewriter,
                      function_ref<Value(CardBuilder &)> issue) const {
    if (this->facts.unconditional.contains(op)) {
      CardBuilder builder(op.getLoc(), rewriter);
      rewriter.replaceOp(op, issue(builder));
      return;
    }
    Location loc = op.getLoc();
    Type word = rewriter.getI32Type();
    Block *before = op->getBlock();
    Block *after = rewriter.splitBlock(before, op->getIterator());
    after->addArgument(word, loc);
    Block *inside = rewriter.createBlock(after);
    CardBuilder insideBuilder(loc, rewriter);
    Value number = issue(insideBuilder);
    LLVM::BrOp::create(insideBuilder, number, after);

    rewriter.setInsertionPointToEnd(before);
    CardBuilder builder(loc, rewriter);
    Value some = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, length,
                                      builder.constant(0));
    Value none = builder.constant(kNoCommand);
    LLVM::CondBrOp::create(builder, some, inside, ValueRange(), after,
                           ValueRange(none));
    rewriter.replaceOp(op, after->getArgument(0));
  }
};

/// A copy between host and NIC memory, of as many bytes as the source has.
template <typename Op> class LowerDma : public CommandPattern<Op> {
public:
  using CommandPattern<Op>::CommandPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    constexpr bool kToHost = std::is_same_v<Op, DmaToHostOp>;
    CardBuilder builder(op.getLoc(), rewriter);
    SliceParts source = builder.unpack(adaptor.getSource());
    SliceParts dest = builder.unpack(adaptor.getDest());
    const SliceParts &host = kToHost ? dest : source;
    const SliceParts &nic = kToHost ? source : dest;
    Type sourceType = op.getSource().getType();
    AddressForm form = this->facts.forms.lookup(op);
    auto issue = [&](CardBuilder &builder) {
      CommandWriter command(builder);
      command.hostAddress(PSPIN_COPY_HOST_LOW, PSPIN_COPY_HOST_HIGH,
                          host.start);
      command.word(PSPIN_COPY_ADDRESS, engineAddress(builder, nic.start, form));
      command.word(PSPIN_COPY_LENGTH,
                   bytesOf(builder, source.length, sourceType));
      command.word(PSPIN_COPY_DIRECTION, kToHost ? 1 : 0);
      return command.issue(PSPIN_CMD_KIND_HOST_COPY);
    };
    this->replaceCommand(op, source.length, rewriter, issue);
    return success();
  }
};

class LowerNotify : public CommandPattern<NotifyOp> {
public:
  using CommandPattern::CommandPattern;
  LogicalResult
  matchAndRewrite(NotifyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    constexpr unsigned kBytes = 8;
    CardBuilder builder(op.getLoc(), rewriter);
    Type word = builder.getI32Type();
    Value high = LLVM::LShrOp::create(
        builder, adaptor.getValue(),
        LLVM::ConstantOp::create(builder, builder.getI64Type(), int64_t(32)));
    CommandWriter command(builder);
    command.hostAddress(PSPIN_DIRECT_HOST_LOW, PSPIN_DIRECT_HOST_HIGH,
                        builder.unpack(adaptor.getDest()).start);
    command.word(PSPIN_DIRECT_INFO,
                 PSPIN_DIRECT_TO_HOST | kBytes << PSPIN_DIRECT_SIZE_SHIFT);
    command.word(PSPIN_DIRECT_DATA,
                 LLVM::TruncOp::create(builder, word, adaptor.getValue()));
    command.word(PSPIN_DIRECT_DATA + 1,
                 LLVM::TruncOp::create(builder, word, high));
    rewriter.replaceOp(op, command.issue(PSPIN_CMD_KIND_HOST_DIRECT));
    return success();
  }
};

class LowerSend : public CommandPattern<SendOp> {
public:
  using CommandPattern::CommandPattern;
  LogicalResult
  matchAndRewrite(SendOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    SliceParts data = builder.unpack(adaptor.getData());
    AddressForm form = facts.forms.lookup(op);
    auto issue = [&](CardBuilder &builder) {
      CommandWriter command(builder);
      command.word(PSPIN_SEND_DESTINATION, int64_t(0));
      command.word(PSPIN_SEND_PROTOCOL, PSPIN_PROTOCOL_RAW);
      command.word(PSPIN_SEND_ADDRESS,
                   engineAddress(builder, data.start, form));
      command.word(PSPIN_SEND_HDR_DATA, int64_t(0));
      command.word(PSPIN_SEND_LENGTH,
                   bytesOf(builder, data.length, op.getData().getType()));
      return command.issue(PSPIN_CMD_KIND_NIC_SEND);
    };
    replaceCommand(op, data.length, rewriter, issue);
    return success();
  }
};

class LowerPut : public CommandPattern<PutOp> {
public:
  using CommandPattern::CommandPattern;
  LogicalResult
  matchAndRewrite(PutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    Type word = builder.getI32Type();
    Value none = builder.constant(0);
    Value address = none, length = none;
    if (Value slice = adaptor.getData()) {
      SliceParts data = builder.unpack(slice);
      address = engineAddress(builder, data.start, facts.forms.lookup(op));
      length = bytesOf(builder, data.length, op.getData().getType());
    }
    Value matchHigh = LLVM::LShrOp::create(
        builder, adaptor.getMatchBits(),
        LLVM::ConstantOp::create(builder, builder.getI64Type(), int64_t(32)));
    CommandWriter command(builder);
    command.word(PSPIN_SEND_DESTINATION, adaptor.getTo());
    command.word(PSPIN_SEND_PROTOCOL, PSPIN_PROTOCOL_PUT);
    command.word(PSPIN_SEND_ADDRESS, address);
    command.word(PSPIN_SEND_HDR_DATA,
                 adaptor.getHdrData() ? adaptor.getHdrData() : none);
    command.word(PSPIN_SEND_LENGTH, length);
    command.word(PSPIN_SEND_MATCH_LOW,
                 LLVM::TruncOp::create(builder, word, adaptor.getMatchBits()));
    command.word(PSPIN_SEND_MATCH_HIGH,
                 LLVM::TruncOp::create(builder, word, matchHigh));
    rewriter.replaceOp(op, command.issue(PSPIN_CMD_KIND_NIC_SEND));
    return success();
  }
};

class LowerWait : public SpinPattern<WaitOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(WaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    if (facts.unconditional.contains(op)) {
      emitWait(builder, adaptor.getCommand());
      rewriter.eraseOp(op);
      return success();
    }
    Block *before = op->getBlock();
    Block *after = rewriter.splitBlock(before, op->getIterator());
    Block *inside = rewriter.createBlock(after);
    CardBuilder insideBuilder(op.getLoc(), rewriter);
    emitWait(insideBuilder, adaptor.getCommand());
    LLVM::BrOp::create(insideBuilder, ValueRange(), after);
    builder.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(builder, isIssued(builder, op, adaptor, rewriter),
                           inside, after);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// By the length that the command looked at, where it is known: LLVM then
  /// sees that it is the same question.
  static Value isIssued(CardBuilder &builder, WaitOp op, OpAdaptor adaptor,
                        ConversionPatternRewriter &rewriter) {
    Operation *command = op.getCommand().getDefiningOp();
    Value slice;
    if (auto dma = dyn_cast_or_null<DmaToHostOp>(command))
      slice = dma.getSource();
    else if (auto dma = dyn_cast_or_null<DmaFromHostOp>(command))
      slice = dma.getSource();
    Value known = slice ? rewriter.getRemappedValue(slice) : Value();
    if (!known)
      return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne,
                                  adaptor.getCommand(),
                                  builder.constant(kNoCommand));
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne,
                                builder.unpack(known).length,
                                builder.constant(0));
  }

  static void emitWait(CardBuilder &builder, Value command) {
    builder.writeRegister(PSPIN_CMD_WAIT, command);
    builder.compilerFence();
  }
};

} // namespace

void spinc::spin::populateCommandPatterns(const LLVMTypeConverter &converter,
                                          const LoweringFacts &facts,
                                          RewritePatternSet &patterns) {
  patterns.add<LowerDma<DmaToHostOp>, LowerDma<DmaFromHostOp>, LowerNotify,
               LowerSend, LowerPut, LowerWait>(converter, facts);
}
