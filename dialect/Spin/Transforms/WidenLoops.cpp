// spin-widen-loops: loops that work on bytes one by one, four bytes at a time.
// A byte of the result of and, or, xor depends on the same bytes of the
// operands only, so the body runs on words unchanged.
//
// The slices that the loop stores to and reads from may be the same or lie in
// different kinds of memory; anything else might overlap, where a word would
// read what the bytes before it have written.
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINWIDENLOOPS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

constexpr unsigned wordBytes = 4;

bool isNumber(Value value, uint64_t expected) {
  llvm::APInt number;
  return matchPattern(value, m_ConstantInt(&number)) && number == expected;
}

/// The array, packet or state field that a slice is part of, and how it is cut
/// out, as far as that is one chain of parts.
Value rootOf(Value slice) {
  while (Operation *op = slice.getDefiningOp()) {
    if (!isa<SubsliceOp, ViewAsOp, MemberOp>(op))
      break;
    slice = op->getOperand(0);
  }
  return slice;
}

/// Whether two slices are the same bytes: one value, or the same part of one.
bool areSame(Value a, Value b) {
  if (a == b)
    return true;
  auto left = a.getDefiningOp<SubsliceOp>();
  auto right = b.getDefiningOp<SubsliceOp>();
  return left && right && left.getOffset() == right.getOffset() &&
         areSame(left.getSlice(), right.getSlice());
}

/// Memory that cannot overlap: two spaces, or two local arrays.
bool areApart(Value a, Value b) {
  Value left = rootOf(a), right = rootOf(b);
  auto space = [](Value slice) {
    return cast<SliceType>(slice.getType()).getSpace();
  };
  if (space(left) != space(right))
    return true;
  return left != right && left.getDefiningOp<LocalOp>() &&
         right.getDefiningOp<LocalOp>();
}

bool isBitOperation(Operation *op) {
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op);
}

/// A loop over bytes, and the copy of it that works on words.
class Widener {
public:
  explicit Widener(scf::ForOp loop)
      : loop(loop), builder(loop.getLoc(), loop) {}

  bool canWiden();
  void run();

private:
  bool isByteAccess(Value slice, Value index) {
    return cast<SliceType>(slice.getType()).getElement().isInteger(8) &&
           index == loop.getInductionVar();
  }
  /// A slice from outside of the loop, or a part of one whose place and length
  /// are from outside.
  bool isInvariant(Value value) {
    if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
      return true;
    Operation *op = value.getDefiningOp();
    return op &&
           isa<SubsliceOp, SliceLengthOp, StateSliceOp, TableSliceOp,
               arith::ConstantOp, arith::SubIOp, arith::AddIOp>(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isInvariant(operand); });
  }
  void wideBody(Value offset, unsigned bytes);
  void body(Value index);

  scf::ForOp loop;
  ImplicitLocOpBuilder builder;
};

/// From 0 by 1 over bytes, nothing carried, and only loads and stores at the
/// index, and bit operations on what was loaded.
bool Widener::canWiden() {
  if (!loop.getUnsignedCmp() || !isNumber(loop.getLowerBound(), 0) ||
      !isNumber(loop.getStep(), 1) || !loop.getInitArgs().empty() ||
      !loop.getInductionVar().getType().isInteger(32))
    return false;
  llvm::APInt count;
  if (matchPattern(loop.getUpperBound(), m_ConstantInt(&count)) &&
      count.ult(2 * wordBytes))
    return false;
  SmallVector<Value> read, written;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (!isByteAccess(load.getSlice(), load.getIndex()) ||
          !isInvariant(load.getSlice()))
        return false;
      read.push_back(load.getSlice());
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      if (!isByteAccess(store.getSlice(), store.getIndex()) ||
          !isInvariant(store.getSlice()))
        return false;
      written.push_back(store.getSlice());
    } else if (isBitOperation(&op)) {
      if (!op.getResult(0).getType().isInteger(8))
        return false;
    } else if (op.getNumResults() != 1 || !isInvariant(op.getResult(0))) {
      return false;
    }
  }
  // Byte values are those of loads and bit operations, or broadcast constants.
  auto isByteValue = [&](Value value) {
    Operation *op = value.getDefiningOp();
    bool isInside = op && op->getBlock() == loop.getBody();
    return op && (isa<arith::ConstantOp>(op) ||
                  (isInside && (isa<LoadOp>(op) || isBitOperation(op))));
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto store = dyn_cast<StoreOp>(op))
      if (!isByteValue(store.getValue()))
        return false;
    if (isBitOperation(&op) && !llvm::all_of(op.getOperands(), isByteValue))
      return false;
  }
  for (Value target : written) {
    for (Value other : read)
      if (!areSame(target, other) && !areApart(target, other))
        return false;
    for (Value other : written)
      if (!areSame(target, other) && !areApart(target, other))
        return false;
  }
  return !written.empty();
}

/// The body on the `bytes` bytes at `offset`: `spin.load` of a byte becomes
/// `spin.wire_load` of as many.
void Widener::wideBody(Value offset, unsigned bytes) {
  IRMapping mapping;
  Type word = builder.getIntegerType(8 * bytes);
  auto wide = [&](Value byte) -> Value {
    llvm::APInt number;
    if (!matchPattern(byte, m_ConstantInt(&number)))
      return mapping.lookup(byte);
    llvm::APInt all = llvm::APInt::getSplat(8 * bytes, number);
    return arith::ConstantOp::create(builder,
                                     builder.getIntegerAttr(word, all));
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    builder.setLoc(op.getLoc());
    if (auto load = dyn_cast<LoadOp>(op)) {
      Value slice = mapping.lookupOrDefault(load.getSlice());
      Value value = WireLoadOp::create(builder, word, slice, offset,
                                       ByteOrder::Little, ProofAttr());
      mapping.map(load.getResult(), value);
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      WireStoreOp::create(builder, wide(store.getValue()),
                          mapping.lookupOrDefault(store.getSlice()), offset,
                          ByteOrder::Little, ProofAttr());
    } else if (isBitOperation(&op)) {
      OperationState state(op.getLoc(), op.getName());
      state.addOperands({wide(op.getOperand(0)), wide(op.getOperand(1))});
      state.addTypes(word);
      mapping.map(op.getResult(0), builder.create(state)->getResult(0));
    } else {
      builder.clone(op, mapping);
    }
  }
}

/// The body for one byte.
void Widener::body(Value index) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), index);
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
}

/// Groups of words, then single words, then of what is left, less than a word,
/// a half of one and a byte.
void Widener::run() {
  constexpr unsigned wordsPerTurn = 4;
  Value count = loop.getUpperBound();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, builder.getI32Type(), value);
  };
  Value begin = loop.getLowerBound();
  for (unsigned words : {wordsPerTurn, 1u}) {
    builder.setInsertionPoint(loop);
    builder.setLoc(loop.getLoc());
    Value step = number(words * wordBytes);
    Value rest = arith::RemUIOp::create(builder, count, step);
    Value end = arith::SubIOp::create(builder, count, rest,
                                      arith::IntegerOverflowFlags::nuw);
    SmallVector<Value> offsets;
    for (unsigned word = 0; word != words; ++word)
      offsets.push_back(number(word * wordBytes));
    auto wide = scf::ForOp::create(builder, begin, end, step, ValueRange(),
                                   /*bodyBuilder=*/nullptr,
                                   /*unsignedCmp=*/true);
    builder.setInsertionPointToStart(wide.getBody());
    for (unsigned word = 0; word != words; ++word) {
      Value offset = wide.getInductionVar();
      if (word != 0)
        offset = arith::AddIOp::create(builder, offset, offsets[word],
                                       arith::IntegerOverflowFlags::nuw);
      wideBody(offset, wordBytes);
    }
    begin = end;
  }
  builder.setInsertionPoint(loop);
  builder.setLoc(loop.getLoc());
  constexpr unsigned halfBytes = wordBytes / 2;
  Value left = arith::RemUIOp::create(builder, count, number(wordBytes));
  auto when = [&](arith::CmpIPredicate predicate, Value value, int64_t limit,
                  llvm::function_ref<void()> fill) {
    Value holds =
        arith::CmpIOp::create(builder, predicate, value, number(limit));
    auto branch = scf::IfOp::create(builder, holds);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    fill();
  };
  when(arith::CmpIPredicate::uge, left, halfBytes,
       [&] { wideBody(begin, halfBytes); });
  Value odd = arith::RemUIOp::create(builder, left, number(halfBytes));
  when(arith::CmpIPredicate::ne, odd, 0, [&] {
    body(arith::SubIOp::create(builder, count, number(1),
                               arith::IntegerOverflowFlags::nuw));
  });
  loop.erase();
}

class WidenLoops : public spinc::spin::impl::SpinWidenLoopsBase<WidenLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (Widener(loop).canWiden())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      Widener(loop).run();
  }
};

} // namespace
