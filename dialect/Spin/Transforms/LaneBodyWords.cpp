// The body of a loop on words: LaneBody's copies, once it has been analyzed.
#include "dialect/Spin/Transforms/LaneBody.h"

using namespace mlir;
using namespace spinc::spin;

Value LaneBody::number(int64_t value) {
  return arith::ConstantIntOp::create(*builder, builder->getI32Type(), value);
}

Value LaneBody::lanesOp(LaneKind kind, Value left, Value right) {
  return LanesOp::create(*builder, kind, left, right, lanes());
}

/// What is the same in every iteration is so in every lane.
Value LaneBody::lanesOf(Value value, unsigned word) {
  auto found = wordsOf.find(value);
  if (found != wordsOf.end())
    return found->second[word];
  Value number = uniform.lookupOrDefault(value);
  Type i32 = builder->getI32Type();
  if (widthOf(number) < 32)
    number = builder->createOrFold<arith::ExtUIOp>(i32, number);
  return builder->createOrFold<SplatOp>(number, lanes());
}

/// The slice of bytes that elements are loaded from and stored to.
Value LaneBody::bytesOf(Value slice) {
  if (bits > 8)
    slice = slice.getDefiningOp<ViewAsOp>().getSlice();
  return uniform.lookupOrDefault(slice);
}

Value LaneBody::emitExtension(Operation *op, unsigned word) {
  Value lanes = lanesOf(op->getOperand(0), word);
  if (isa<arith::ExtUIOp>(op) && infos[op->getOperand(0)].isMask) {
    return arith::AndIOp::create(
        *builder, lanes,
        builder->createOrFold<SplatOp>(number(1), this->lanes()));
  }
  return lanes;
}

Value LaneBody::emitSelect(arith::SelectOp select, unsigned word) {
  Value a = lanesOf(select.getTrueValue(), word),
        b = lanesOf(select.getFalseValue(), word);
  if (!infos.contains(select.getCondition()))
    return arith::SelectOp::create(
        *builder, uniform.lookupOrDefault(select.getCondition()), a, b);
  Value mask = lanesOf(select.getCondition(), word);
  Value differ = arith::AndIOp::create(
      *builder, arith::XOrIOp::create(*builder, a, b), mask);
  return arith::XOrIOp::create(*builder, b, differ);
}

Value LaneBody::emitValue(Operation *op, unsigned word) {
  if (isa<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return emitExtension(op, word);
  auto operand = [&](unsigned index) {
    return lanesOf(op->getOperand(index), word);
  };
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return lanesOp(*comparison(cmp), operand(0), operand(1));
  if (std::optional<LaneKind> kind = minMax(op)) {
    unsigned first = isa<arith::SelectOp>(op) ? 1 : 0;
    return lanesOp(*kind, operand(first), operand(first + 1));
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return emitSelect(select, word);
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op)) {
    Value amount = number(*getConstantIntValue(op->getOperand(1)));
    bool toLeft = isa<arith::ShLIOp>(op);
    bool asSigned =
        isa<arith::ShRSIOp>(op) && infoOf(op->getOperand(0))->asSigned;
    return lanesOp(toLeft     ? LaneKind::Shl
                   : asSigned ? LaneKind::ShrS
                              : LaneKind::ShrU,
                   operand(0), amount);
  }
  if (isa<arith::AddIOp>(op))
    return lanesOp(LaneKind::Add, operand(0), operand(1));
  if (isa<arith::SubIOp>(op))
    return lanesOp(LaneKind::Sub, operand(0), operand(1));
  if (isa<arith::MulIOp>(op))
    return arith::MulIOp::create(
        *builder, operand(0),
        builder->createOrFold<arith::ExtUIOp>(
            Type(builder->getI32Type()),
            uniform.lookupOrDefault(op->getOperand(1))));
  OperationState state(op->getLoc(), op->getName());
  state.addOperands({operand(0), operand(1)});
  state.addTypes(builder->getI32Type());
  return builder->create(state)->getResult(0);
}

/// One question for all words. Of a word that is not whole the upper lanes are
/// not asked.
void LaneBody::emitExit(Operation &op) {
  auto cmp = exitCondition(op).getDefiningOp<arith::CmpIOp>();
  Value differ;
  for (unsigned word = 0; word != offsets.size(); ++word) {
    Value apart = arith::XOrIOp::create(*builder, lanesOf(cmp.getLhs(), word),
                                        lanesOf(cmp.getRhs(), word));
    differ =
        differ ? Value(arith::OrIOp::create(*builder, differ, apart)) : apart;
  }
  if (bytes < 4)
    differ = arith::ShLIOp::create(*builder, differ, number(32 - 8 * bytes));
  Value condition =
      arith::CmpIOp::create(*builder, cmp.getPredicate(), differ, number(0));
  IRMapping mapping;
  mapping.map(exitCondition(op), condition);
  builder->clone(op, mapping);
}

void LaneBody::emitLoad(LoadOp load) {
  Words &words = wordsOf[load.getResult()];
  for (Value offset : offsets) {
    Value loaded = WireLoadOp::create(
        *builder, Type(builder->getIntegerType(8 * bytes)),
        bytesOf(load.getSlice()), offset, ByteOrder::Little, ProofAttr());
    if (bytes < 4)
      loaded =
          arith::ExtUIOp::create(*builder, Type(builder->getI32Type()), loaded);
    words.push_back(loaded);
  }
}

void LaneBody::emitStore(StoreOp store) {
  for (auto [word, offset] : llvm::enumerate(offsets)) {
    Value stored = lanesOf(store.getValue(), word);
    if (bytes < 4)
      stored = arith::TruncIOp::create(
          *builder, Type(builder->getIntegerType(8 * bytes)), stored);
    WireStoreOp::create(*builder, stored, bytesOf(store.getSlice()), offset,
                        ByteOrder::Little, ProofAttr());
  }
}

/// The words of all values, those of one value next to each other.
SmallVector<Value> LaneBody::giveWords(ValueRange values) {
  SmallVector<Value> words;
  for (Value value : values)
    for (unsigned word = 0; word != offsets.size(); ++word)
      words.push_back(lanesOf(value, word));
  return words;
}

void LaneBody::takeWords(ValueRange values, ValueRange words) {
  for (Value value : values) {
    wordsOf[value].assign(words.begin(), words.begin() + offsets.size());
    words = words.drop_front(offsets.size());
  }
}

void LaneBody::emitFor(scf::ForOp inner) {
  auto same = [&](Value value) { return uniform.lookupOrDefault(value); };
  auto wide = scf::ForOp::create(
      *builder, same(inner.getLowerBound()), same(inner.getUpperBound()),
      same(inner.getStep()), giveWords(inner.getInitArgs()),
      /*bodyBuilder=*/nullptr, inner.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(*builder);
  builder->setInsertionPointToStart(wide.getBody());
  uniform.map(inner.getInductionVar(), wide.getInductionVar());
  takeWords(inner.getRegionIterArgs(), wide.getRegionIterArgs());
  emitBlock(*inner.getBody());
  if (wide.getNumResults() != 0)
    scf::YieldOp::create(*builder, giveWords(inner.getYieldedValues()));
  takeWords(inner.getResults(), wide.getResults());
}

void LaneBody::emitIf(scf::IfOp branch) {
  SmallVector<Type> types(branch.getNumResults() * offsets.size(),
                          builder->getI32Type());
  auto wide = scf::IfOp::create(*builder, types,
                                uniform.lookupOrDefault(branch.getCondition()),
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [from, to] : {std::pair(branch.thenBlock(), wide.thenBlock()),
                          std::pair(branch.elseBlock(), wide.elseBlock())}) {
    OpBuilder::InsertionGuard guard(*builder);
    builder->setInsertionPointToStart(to);
    emitBlock(*from);
    scf::YieldOp::create(*builder,
                         giveWords(from->getTerminator()->getOperands()));
  }
  takeWords(branch.getResults(), wide.getResults());
}

void LaneBody::emitOperation(Operation &op) {
  auto reduction = llvm::find_if(reductions, [&](const LaneReduction &each) {
    return each.combine == &op;
  });
  if (reduction != reductions.end()) {
    Value &total = (*carried)[reduction->argument];
    for (unsigned word = 0; word != offsets.size(); ++word)
      total = combine(*reduction, total, lanesOf(reduction->element, word));
  } else if (combining.contains(&op)) {
    return;
  } else if (auto load = dyn_cast<LoadOp>(op)) {
    emitLoad(load);
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    emitStore(store);
  } else if (auto inner = dyn_cast<scf::ForOp>(op)) {
    emitFor(inner);
  } else if (op.getNumResults() == 0) {
    emitExit(op);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    emitIf(branch);
  } else if (isUniform(op.getResult(0))) {
    builder->clone(op, uniform);
  } else {
    Words words;
    for (unsigned word = 0; word != offsets.size(); ++word)
      words.push_back(emitValue(&op, word));
    wordsOf[op.getResult(0)] = std::move(words);
  }
}

void LaneBody::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    builder->setLoc(op.getLoc());
    emitOperation(op);
  }
}

void LaneBody::emit(ImplicitLocOpBuilder &target, Value index, unsigned words,
                    unsigned wordBytes, SmallVectorImpl<Value> &totals) {
  builder = &target;
  bytes = wordBytes;
  carried = &totals;
  wordsOf.clear();
  uniform.clear();
  auto nuw = arith::IntegerOverflowFlags::nuw;
  if (bits > 8)
    index = arith::MulIOp::create(target, index, number(bits / 8), nuw);
  offsets.assign(1, index);
  for (unsigned word = 1; word != words; ++word)
    offsets.push_back(
        arith::AddIOp::create(target, index, number(4 * word), nuw));
  emitBlock(*loop.getBody());
}

Value LaneBody::combine(const LaneReduction &reduction, Value a, Value b) {
  if (!reduction.isBitwise)
    return lanesOp(reduction.kind, a, b);
  OperationState state(builder->getLoc(), reduction.combine->getName());
  state.addOperands({a, b});
  state.addTypes(builder->getI32Type());
  return builder->create(state)->getResult(0);
}

Value LaneBody::identity(ImplicitLocOpBuilder &target,
                         const LaneReduction &reduction) {
  llvm::APInt lane(bits, 0);
  if (isa<arith::AndIOp>(reduction.combine) || reduction.kind == LaneKind::MinU)
    lane = llvm::APInt::getMaxValue(bits);
  else if (reduction.kind == LaneKind::MinS)
    lane = llvm::APInt::getSignedMaxValue(bits);
  else if (reduction.kind == LaneKind::MaxS)
    lane = llvm::APInt::getSignedMinValue(bits);
  return arith::ConstantOp::create(
      target, target.getIntegerAttr(target.getI32Type(),
                                    llvm::APInt::getSplat(32, lane)));
}

Value LaneBody::finish(ImplicitLocOpBuilder &target,
                       const LaneReduction &reduction, Value word) {
  builder = &target;
  for (unsigned distance = 16; distance >= bits; distance /= 2) {
    word = combine(reduction, word,
                   arith::ShRUIOp::create(target, word, number(distance)));
  }
  Value element =
      arith::TruncIOp::create(target, target.getIntegerType(bits), word);
  Type type = reduction.element.getType();
  if (type.getIntOrFloatBitWidth() > bits)
    element = reduction.isSigned
                  ? Value(arith::ExtSIOp::create(target, type, element))
                  : Value(arith::ExtUIOp::create(target, type, element));
  IRMapping mapping;
  mapping.map(loop.getRegionIterArgs()[reduction.argument],
              loop.getInitArgs()[reduction.argument]);
  mapping.map(reduction.element, element);
  if (auto select = dyn_cast<arith::SelectOp>(reduction.combine))
    target.clone(*select.getCondition().getDefiningOp(), mapping);
  return target.clone(*reduction.combine, mapping)->getResult(0);
}
