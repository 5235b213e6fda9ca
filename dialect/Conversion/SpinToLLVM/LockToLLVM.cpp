// Locks. Taking one and giving it back is inline assembly, so that the loops
// that wait stay as they are written, with the markers by which compiler/Wcet
// finds them: .spin.loops as of every loop, and .spin.locks with the lock's
// number and which place of the lock this is.
//
// All locks serve in the order of arrival. A spin lock gives out tickets: words
// `next` and `serving`. An rw lock has two words `serving`, for readers and for
// writers: a reader that is served lets the next reader in at once. An mcs lock
// is a queue: its word is the last HPU's node, a node the next one's node and
// whether it is this one's turn.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/abi/LockSites.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

constexpr int32_t kNext = 0, kServing = 4;      // spin
constexpr int32_t kReaders = 4, kWriters = 8;   // rw, tickets at 0
constexpr int32_t kNodeNext = 0, kNodeTurn = 4; // mcs

/// Assembly text with numbered labels of its own.
class LockCode {
public:
  explicit LockCode(int64_t lock) : lock(lock) {}

  LockCode &line(const Twine &text) {
    code += text.str() + "\n";
    return *this;
  }
  /// The next line is this place of the lock.
  LockCode &site(unsigned place) {
    std::string label = ".Lspinlock" + std::to_string(place) + "${:uid}";
    return line(label + ": .pushsection .spin.locks,\"\",@progbits; .word " +
                label + ", " + std::to_string(lock * SPIN_LOCK_PLACES + place) +
                "; .popsection");
  }
  /// The next line starts the rounds of a loop.
  LockCode &loop(const Twine &number, int64_t id) {
    std::string label = ".Lspinwait" + number.str() + "${:uid}";
    return line(label + ": .pushsection .spin.loops,\"\",@progbits; .word " +
                label + ", " + std::to_string(id) + "; .popsection")
        .line(number + ":");
  }
  const std::string &text() const { return code; }

private:
  int64_t lock;
  std::string code;
};

/// Runs `code` on `inputs`, with `temporaries` registers in front of them.
void emit(CardBuilder &builder, const LockCode &code, ValueRange inputs,
          unsigned temporaries) {
  SmallVector<std::string> constraints(temporaries, "=&r");
  constraints.append(inputs.size(), "r");
  constraints.push_back("~{memory}");
  Type word = builder.getI32Type();
  Type result = word;
  if (temporaries > 1)
    result = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), SmallVector<Type>(temporaries, word));
  LLVM::InlineAsmOp::create(
      builder, TypeRange{result}, inputs, builder.getStringAttr(code.text()),
      builder.getStringAttr(llvm::join(constraints, ",")),
      /*has_side_effects=*/builder.getUnitAttr(),
      /*is_align_stack=*/UnitAttr(),
      LLVM::TailCallKindAttr::get(builder.getContext(),
                                  LLVM::TailCallKind::None),
      /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
}

struct LockAddresses {
  Value words;
  /// Of an mcs lock: the own node, and how others see it.
  Value node, name;
};

LockAddresses addressesOf(CardBuilder &builder, const LockPlace &lock) {
  LockAddresses at;
  at.words = builder.toAddress(fieldPointer(builder, lock.words));
  if (!lock.node)
    return at;
  at.node = builder.toAddress(fieldPointer(builder, lock.node));
  at.name = builder.fromAlias(at.node, builder.clusterId());
  return at;
}

/// $0 the ticket, $1 who is served, $2 the words.
void acquireByTicket(CardBuilder &builder, const LockPlace &lock,
                     int32_t serving, bool letsNextIn, int64_t loop) {
  LockCode code(lock.number);
  code.site(SPIN_LOCK_BEGIN)
      .line("li $0, 1")
      .line("amoadd.w $0, $0, ($2)")
      .loop("1", loop)
      .line("lw $1, " + Twine(serving) + "($2)")
      .line("bne $1, $0, 1b");
  // Only the reader that is served writes here.
  if (letsNextIn)
    code.line("addi $1, $1, 1").line("sw $1, " + Twine(serving) + "($2)");
  static_assert(kNext == 0, "the tickets are the first word");
  emit(builder, code, addressesOf(builder, lock).words, 2);
}

/// $0 is 1, from $1 on the words to count up; the last one is the end.
void releaseByTicket(CardBuilder &builder, const LockPlace &lock,
                     ArrayRef<int32_t> words) {
  Value base = addressesOf(builder, lock).words;
  SmallVector<Value> inputs;
  for (int32_t word : words)
    inputs.push_back(builder.add(base, builder.constant(word)));
  LockCode code(lock.number);
  code.line("li $0, 1");
  for (size_t i = 0; i < words.size(); ++i) {
    if (i + 1 == words.size())
      code.site(SPIN_LOCK_END);
    code.line("amoadd.w zero, $0, ($" + Twine(i + 1) + ")");
  }
  emit(builder, code, inputs, 1);
}

/// $0 the one before, $1 the last in the queue, $2 the own node, $3 its name.
void acquireQueue(CardBuilder &builder, const LockPlace &lock, int64_t loop) {
  LockAddresses at = addressesOf(builder, lock);
  LockCode code(lock.number);
  code.site(SPIN_LOCK_BEGIN)
      .line("sw zero, " + Twine(kNodeNext) + "($2)")
      .line("sw zero, " + Twine(kNodeTurn) + "($2)")
      .site(SPIN_LOCK_LINK_BEGIN)
      .line("amoswap.w $0, $3, ($1)")
      .line("beqz $0, 2f")
      .site(SPIN_LOCK_LINK_END)
      .line("sw $3, " + Twine(kNodeNext) + "($0)")
      .loop("1", loop)
      .line("lw $0, " + Twine(kNodeTurn) + "($2)")
      .line("beqz $0, 1b")
      .line("2:");
  emit(builder, code, {at.words, at.node, at.name}, 1);
}

/// $0 the next one, $1 is 1, $2 the last in the queue, $3 the own node, $4 its
/// name.
void releaseQueue(CardBuilder &builder, const LockPlace &lock, int64_t loop) {
  LockAddresses at = addressesOf(builder, lock);
  LockCode code(lock.number);
  code.line("lw $0, " + Twine(kNodeNext) + "($3)")
      .line("bnez $0, 3f")
      .loop("1", loop)
      .line("lr.w $0, ($2)")
      .line("bne $0, $4, 2f")
      .line("sc.w $0, zero, ($2)")
      .line("bnez $0, 1b")
      .site(SPIN_LOCK_END)
      .line("j 4f")
      .loop("2", loop + 1)
      .line("lw $0, " + Twine(kNodeNext) + "($3)")
      .line("beqz $0, 2b")
      .line("3:")
      .line("li $1, 1")
      .site(SPIN_LOCK_OTHER_END)
      .line("sw $1, " + Twine(kNodeTurn) + "($0)")
      .line("4:");
  emit(builder, code, {at.words, at.node, at.name}, 2);
}

class LowerAcquire : public SpinPattern<AcquireOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(AcquireOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    const LockPlace &lock = facts.locks.find(op)->second;
    int64_t loop = *op.getLoop();
    switch (op.getKind()) {
    case LockKind::Spin:
      acquireByTicket(builder, lock, kServing, false, loop);
      break;
    case LockKind::ReadWrite:
      acquireByTicket(builder, lock, op.getShared() ? kReaders : kWriters,
                      op.getShared(), loop);
      break;
    case LockKind::Mcs:
      acquireQueue(builder, lock, loop);
      break;
    }
    rewriter.eraseOp(op);
    return success();
  }
};

class LowerRelease : public SpinPattern<ReleaseOp> {
public:
  using SpinPattern::SpinPattern;
  LogicalResult
  matchAndRewrite(ReleaseOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CardBuilder builder(op.getLoc(), rewriter);
    const LockPlace &lock = facts.locks.find(op)->second;
    switch (op.getKind()) {
    case LockKind::Spin:
      releaseByTicket(builder, lock, kServing);
      break;
    case LockKind::ReadWrite:
      // A reader lets the next reader in when it comes, a writer when it goes.
      if (op.getShared())
        releaseByTicket(builder, lock, kWriters);
      else
        releaseByTicket(builder, lock, {kReaders, kWriters});
      break;
    case LockKind::Mcs:
      releaseQueue(builder, lock, *op.getLoop());
      break;
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void spinc::spin::expandReleases(ModuleOp module) {
  SmallVector<RequireOp> requirements;
  module.walk([&](RequireOp op) {
    if (op->hasAttr(releasesAttrName))
      requirements.push_back(op);
  });
  for (RequireOp op : requirements) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value fails = arith::XOrIOp::create(builder, loc, op.getCondition(), yes);
    auto branch = scf::IfOp::create(builder, loc, fails);
    builder.setInsertionPointToStart(branch.thenBlock());
    createRelease(builder, loc,
                  op->getAttrOfType<DictionaryAttr>(releasesAttrName));
    ExitOp::create(builder, loc, op.getCode());
    op.erase();
  }
}

void spinc::spin::populateLockPatterns(const LLVMTypeConverter &converter,
                                       const LoweringFacts &facts,
                                       RewritePatternSet &patterns) {
  patterns.add<LowerAcquire, LowerRelease>(converter, facts);
}
