// See SelectOperations.h. Bit fields, multiplications and byte orders that
// LLVM would spell out in several instructions. Users are looked at before
// what they use, so that the largest pattern wins.
#include "compiler/Backend/SelectOperations.h"
#include "runtime/isa/BitField.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsRISCV.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Pass.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace spinc::backend;

namespace {

constexpr unsigned wordBits = 32;

/// A run of bits of a word.
using Field = spinc::isa::BitField;

std::optional<Field> fieldOf(const APInt &mask) {
  unsigned position, length;
  if (mask.getBitWidth() != wordBits || !mask.isShiftedMask(position, length))
    return std::nullopt;
  return Field{position, length};
}

bool fitsImmediate(const APInt &value) { return value.isSignedIntN(12); }

/// A factor of 16 bits: the low or high half of `word`.
struct Half {
  Value *word;
  bool isHigh, isSigned;
};

class Selector {
public:
  Selector(Function &function, const SelectedOperations &selected)
      : function(function), selected(selected),
        layout(function.getParent()->getDataLayout()),
        builder(function.getContext()), word(builder.getInt32Ty()) {}

  bool run() {
    SmallVector<WeakVH> work;
    for (Instruction &instr : instructions(function))
      work.push_back(&instr);
    bool changed = false;
    for (const WeakVH &handle : reverse(work)) {
      auto *instr = cast_or_null<Instruction>(handle);
      if (!instr)
        continue;
      builder.SetInsertPoint(instr);
      Value *better = replacement(*instr);
      if (!better)
        continue;
      instr->replaceAllUsesWith(better);
      RecursivelyDeleteTriviallyDeadInstructions(instr);
      changed = true;
    }
    return changed;
  }

private:
  Value *replacement(Instruction &instr) {
    Value *better = nullptr;
    if (selected.multiplications && instr.getType() == word)
      better = product(instr);
    auto *call = dyn_cast<IntrinsicInst>(&instr);
    if (!better && selected.clips && call && call->getType() == word)
      better = clipped(instr);
    if (!better && selected.bits)
      better = call                      ? counted(*call)
               : instr.getType() == word ? bits(instr)
                                         : nullptr;
    return better;
  }

  Value *product(Instruction &instr);
  Value *accumulated(Value &sum, Value &product);
  Value *halfProduct(Value &a, Value &b, Value *sum, unsigned shift,
                     std::optional<bool> isSigned);
  std::optional<Half> halfOf(Value &value) const;
  bool fitsHalf(Value &value, bool isSigned) const;

  Value *bits(Instruction &instr);
  Value *extracted(Instruction &instr);
  Value *chosenByBit(Instruction &instr);
  Value *inserted(Value &keeper, Value &value);
  Value *masked(Instruction &instr);
  Value *clipped(Instruction &instr);
  Value *counted(IntrinsicInst &call);
  Value *leadingZeros(Value &value, bool zeroIsPoison);
  Value *leadingZerosOf(Value &value, bool zeroIsPoison);
  SmallVector<Value *> wordsOf(Value &value);
  Value *swapped(Value &value);

  Value *call(Intrinsic::ID id, ArrayRef<Value *> operands) {
    return builder.CreateIntrinsic(word, id, operands);
  }
  /// One instruction that LLVM has no intrinsic for.
  Value *assembly(StringRef text, ArrayRef<Value *> operands) {
    SmallVector<Type *> types(operands.size(), word);
    auto *type = FunctionType::get(word, types, /*isVarArg=*/false);
    StringRef constraints = operands.size() == 1 ? "=r,r" : "=r,r,r";
    return builder.CreateCall(
        type, InlineAsm::get(type, text, constraints, /*sideeffects=*/false),
        operands);
  }
  Value *field(Intrinsic::ID id, Value *value, Field field) {
    return call(id, {value, builder.getInt32(field.operand())});
  }

  Function &function;
  const SelectedOperations &selected;
  const DataLayout &layout;
  IRBuilder<> builder;
  Type *word;
};

bool Selector::fitsHalf(Value &value, bool isSigned) const {
  if (isSigned)
    return ComputeNumSignBits(&value, layout) > wordBits / 2;
  return computeKnownBits(&value, layout).countMinLeadingZeros() >=
         wordBits / 2;
}

/// If an instruction takes the half out of a word.
std::optional<Half> Selector::halfOf(Value &value) const {
  Value *from;
  if (match(&value, m_AShr(m_Shl(m_Value(from), m_SpecificInt(16)),
                           m_SpecificInt(16))) ||
      (match(&value, m_SExt(m_Trunc(m_Value(from)))) &&
       cast<CastInst>(value).getSrcTy()->isIntegerTy(16) &&
       from->getType() == word))
    return Half{from, false, true};
  if (match(&value, m_AShr(m_Value(from), m_SpecificInt(16))))
    return Half{from, true, true};
  if (match(&value, m_LShr(m_Value(from), m_SpecificInt(16))))
    return Half{from, true, false};
  if (match(&value, m_And(m_Value(from), m_SpecificInt(0xffff))) ||
      (match(&value, m_ZExt(m_Trunc(m_Value(from)))) &&
       cast<CastInst>(value).getSrcTy()->isIntegerTy(16) &&
       from->getType() == word))
    return Half{from, false, false};
  return std::nullopt;
}

/// `sum + a * b`, or `(a * b) >> shift`, of halves. With a shift, signed
/// factors need a signed one.
Value *Selector::halfProduct(Value &a, Value &b, Value *sum, unsigned shift,
                             std::optional<bool> isSigned) {
  std::optional<Half> half = halfOf(a), other = halfOf(b);
  if (!half)
    return other ? halfProduct(b, a, sum, shift, isSigned) : nullptr;
  bool alike = other && other->isHigh == half->isHigh &&
               other->isSigned == half->isSigned;
  if ((!alike && (half->isHigh || !fitsHalf(b, half->isSigned))) ||
      isSigned.value_or(half->isSigned) != half->isSigned)
    return nullptr;
  static constexpr Intrinsic::ID products[] = {
      Intrinsic::riscv_cv_mac_muluN, Intrinsic::riscv_cv_mac_mulsN,
      Intrinsic::riscv_cv_mac_mulhhuN, Intrinsic::riscv_cv_mac_mulhhsN};
  static constexpr Intrinsic::ID sums[] = {
      Intrinsic::riscv_cv_mac_macuN, Intrinsic::riscv_cv_mac_macsN,
      Intrinsic::riscv_cv_mac_machhuN, Intrinsic::riscv_cv_mac_machhsN};
  unsigned which = half->isHigh * 2 + half->isSigned;
  SmallVector<Value *> operands = {half->word, alike ? other->word : &b};
  if (sum)
    operands.push_back(sum);
  operands.push_back(builder.getInt32(shift));
  return call(sum ? sums[which] : products[which], operands);
}

/// Multiplications by powers of two stay shifts.
bool isShift(Value *factor) {
  return match(factor, m_Power2()) || match(factor, m_NegatedPower2());
}

/// `sum + product`.
Value *Selector::accumulated(Value &sum, Value &product) {
  Value *a, *b;
  if (!match(&product, m_OneUse(m_Mul(m_Value(a), m_Value(b)))) || isShift(b))
    return nullptr;
  if (Value *made = halfProduct(*a, *b, &sum, 0, std::nullopt))
    return made;
  return call(Intrinsic::riscv_cv_mac_mac, {a, b, &sum});
}

Value *Selector::product(Instruction &instr) {
  Value *a, *b, *sum;
  const APInt *shift;
  // Sums of more than 32 bits would be shifted whole: products only.
  if (match(&instr,
            m_Shr(m_OneUse(m_Mul(m_Value(a), m_Value(b))), m_APInt(shift))) &&
      shift->ult(wordBits)) {
    bool isSigned = instr.getOpcode() == Instruction::AShr;
    if (Value *made =
            halfProduct(*a, *b, nullptr, shift->getZExtValue(), isSigned))
      return made;
    // Halves already: the shift is free.
    if (!isShift(b) && fitsHalf(*a, isSigned) && fitsHalf(*b, isSigned))
      return call(isSigned ? Intrinsic::riscv_cv_mac_mulsN
                           : Intrinsic::riscv_cv_mac_muluN,
                  {a, b, builder.getInt32(shift->getZExtValue())});
    return nullptr;
  }
  if (match(&instr, m_Mul(m_Value(a), m_Value(b))))
    return halfProduct(*a, *b, nullptr, 0, std::nullopt);
  if (match(&instr, m_Add(m_Value(a), m_Value(b)))) {
    Value *made = accumulated(*a, *b);
    return made ? made : accumulated(*b, *a);
  }
  if (match(&instr,
            m_Sub(m_Value(sum), m_OneUse(m_Mul(m_Value(a), m_Value(b))))) &&
      !match(sum, m_Zero()) && !isShift(b))
    return call(Intrinsic::riscv_cv_mac_msu, {a, b, sum});
  return nullptr;
}

/// A signed or unsigned field of a word. What one instruction does already,
/// stays: shifts alone, small masks, bytes and halfwords at position 0.
Value *Selector::extracted(Instruction &instr) {
  Value *from;
  const APInt *left, *right;
  bool isSigned = true;
  Field field;
  if (match(&instr, m_AShr(m_OneUse(m_Shl(m_Value(from), m_APInt(left))),
                           m_APInt(right))) &&
      left->ule(*right) && right->ult(wordBits)) {
    unsigned length = wordBits - unsigned(right->getZExtValue());
    field = {unsigned(right->getZExtValue() - left->getZExtValue()), length};
  } else if (match(&instr, m_Neg(m_And(m_Value(from), m_One())))) {
    field = {0, 1};
  } else if (match(&instr, m_ZExtOrSExt(m_Trunc(m_Value(from)))) &&
             from->getType() == word) {
    field = {0, cast<CastInst>(instr).getSrcTy()->getIntegerBitWidth()};
    isSigned = isa<SExtInst>(instr);
  } else if (match(&instr, m_And(m_Value(from), m_APInt(left))) &&
             left->isMask()) {
    field = {0, left->countTrailingOnes()};
    isSigned = false;
  } else {
    return nullptr;
  }
  Value *whole;
  if (field.position == 0 &&
      match(from, m_OneUse(m_Shr(m_Value(whole), m_APInt(right)))) &&
      right->ule(wordBits - field.length)) {
    field.position = right->getZExtValue();
    from = whole;
  }
  bool isByteOrHalf = field.length == 8 || field.length == 16;
  bool isCheap =
      isSigned ? isByteOrHalf : field.length <= 11 || field.length == 16;
  if ((field.position == 0 && isCheap) || field.length == wordBits ||
      field.position + field.length == wordBits)
    return nullptr;
  return this->field(isSigned ? Intrinsic::riscv_cv_bitmanip_extract
                              : Intrinsic::riscv_cv_bitmanip_extractu,
                     from, field);
}

/// A word with a field of another one in it: `kept | value`.
Value *Selector::inserted(Value &keeper, Value &value) {
  Value *into;
  const APInt *kept, *shift;
  if (!match(&keeper, m_OneUse(m_And(m_Value(into), m_APInt(kept)))) ||
      !value.hasOneUse())
    return nullptr;
  std::optional<Field> hole = fieldOf(~*kept);
  if (!hole || !kept->isSubsetOf(computeKnownBits(&value, layout).Zero))
    return nullptr;
  const APInt *mask;
  Value *from = &value, *inner;
  if (match(from, m_And(m_Value(inner), m_APInt(mask))) && *mask == ~*kept)
    from = inner;
  if (hole->position != 0 &&
      (!match(from, m_Shl(m_Value(inner), m_APInt(shift))) ||
       *shift != hole->position))
    return nullptr;
  if (hole->position != 0)
    from = inner;
  // Its bits above the field are not looked at.
  if (match(from, m_And(m_Value(inner), m_APInt(mask))) && mask->isMask() &&
      mask->countTrailingOnes() >= hole->length)
    from = inner;
  return call(Intrinsic::riscv_cv_bitmanip_insert,
              {from, builder.getInt32(hole->operand()), into});
}

/// A run of bits cleared or set that no immediate names.
Value *Selector::masked(Instruction &instr) {
  Value *from;
  const APInt *mask;
  if (match(&instr, m_And(m_Value(from), m_APInt(mask))) &&
      !fitsImmediate(*mask) && *mask != 0xffff)
    if (std::optional<Field> cleared = fieldOf(~*mask))
      return field(Intrinsic::riscv_cv_bitmanip_bclr, from, *cleared);
  if (match(&instr, m_Or(m_Value(from), m_APInt(mask))) &&
      !fitsImmediate(*mask))
    if (std::optional<Field> set = fieldOf(*mask))
      return field(Intrinsic::riscv_cv_bitmanip_bset, from, *set);
  return nullptr;
}

/// Between -2^n and 2^n - 1, or 0 and 2^n - 1.
Value *Selector::clipped(Instruction &instr) {
  Value *value;
  const APInt *low, *high;
  bool isUnsigned =
      match(&instr, m_UMin(m_OneUse(m_SMax(m_Value(value), m_APInt(low))),
                           m_APInt(high))) &&
      low->isZero();
  if (!isUnsigned &&
      !match(&instr, m_SMin(m_OneUse(m_SMax(m_Value(value), m_APInt(low))),
                            m_APInt(high))) &&
      !match(&instr, m_SMax(m_OneUse(m_SMin(m_Value(value), m_APInt(high))),
                            m_APInt(low))))
    return nullptr;
  if (!high->isMask() || high->isNegative() || high->isZero())
    return nullptr;
  Value *bound = builder.getInt32(high->getZExtValue());
  if (*low == ~*high)
    return call(Intrinsic::riscv_cv_alu_clip, {value, bound});
  if (low->isZero())
    return call(Intrinsic::riscv_cv_alu_clipu, {value, bound});
  return nullptr;
}

/// `a` or 0, as the lowest bit of a word says: all bits of the word are that
/// bit, in one instruction.
Value *Selector::chosenByBit(Instruction &instr) {
  Value *from, *chosen;
  if (!match(&instr, m_Select(m_OneUse(m_Trunc(m_Value(from))), m_Value(chosen),
                              m_Zero())) ||
      from->getType() != word)
    return nullptr;
  Value *mask = field(Intrinsic::riscv_cv_bitmanip_extract, from, Field{0, 1});
  return builder.CreateAnd(mask, chosen);
}

Value *Selector::bits(Instruction &instr) {
  if (Value *made = extracted(instr))
    return made;
  if (Value *made = chosenByBit(instr))
    return made;
  Value *a, *b;
  if (match(&instr, m_Or(m_Value(a), m_Value(b)))) {
    if (Value *made = inserted(*a, *b))
      return made;
    if (Value *made = inserted(*b, *a))
      return made;
  }
  return masked(instr);
}

/// LLVM 22 takes ctlz for cv.fl1, the index of the highest bit. That of 0 is
/// 32.
Value *Selector::leadingZeros(Value &value, bool zeroIsPoison) {
  Value *index = assembly("cv.fl1 $0, $1", {&value});
  Value *zeros = builder.CreateXor(index, wordBits - 1);
  if (zeroIsPoison || isKnownNonZero(&value, SimplifyQuery(layout)))
    return zeros;
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, zeros,
                                       builder.getInt32(wordBits));
}

/// The words of an integer, lowest first; above its bits are zeros.
SmallVector<Value *> Selector::wordsOf(Value &value) {
  unsigned count = divideCeil(value.getType()->getIntegerBitWidth(), wordBits);
  Value *wide = builder.CreateZExt(&value, builder.getIntNTy(count * wordBits));
  SmallVector<Value *> words;
  for (unsigned index = 0; index < count; ++index)
    words.push_back(
        builder.CreateTrunc(builder.CreateLShr(wide, index * wordBits), word));
  return words;
}

/// From the lowest word up: zeros of one that is not 0 are those of the whole.
Value *Selector::leadingZerosOf(Value &value, bool zeroIsPoison) {
  SmallVector<Value *> words = wordsOf(value);
  Value *zeros = leadingZeros(*words.front(), zeroIsPoison);
  for (Value *above : drop_begin(words))
    zeros = builder.CreateSelect(
        builder.CreateICmpNE(above, builder.getInt32(0)),
        leadingZeros(*above, true),
        builder.CreateAdd(zeros, builder.getInt32(wordBits)));
  unsigned width = value.getType()->getIntegerBitWidth();
  zeros = builder.CreateSub(zeros,
                            builder.getInt32(words.size() * wordBits - width));
  return builder.CreateZExtOrTrunc(zeros, value.getType());
}

/// The bytes in the other order.
Value *Selector::swapped(Value &value) {
  // The number in the mnemonic is that of the byte that becomes the highest
  // one; the immediate has two bits for each of the others.
  constexpr const char *swapWord = "cv.shufflei0.sci.b $0, $1, 27";
  constexpr const char *swapHalf = "cv.shufflei3.sci.b $0, $1, 33";
  unsigned width = value.getType()->getIntegerBitWidth();
  SmallVector<Value *> words = wordsOf(value);
  if (width == 16)
    return builder.CreateTrunc(assembly(swapHalf, {words.front()}),
                               value.getType());
  unsigned wideBits = words.size() * wordBits;
  Type *wide = builder.getIntNTy(wideBits);
  Value *whole = ConstantInt::get(wide, 0);
  for (auto [index, part] : enumerate(reverse(words))) {
    Value *other = assembly(swapWord, {part});
    whole = builder.CreateOr(
        whole,
        builder.CreateShl(builder.CreateZExt(other, wide), index * wordBits));
  }
  return builder.CreateTrunc(builder.CreateLShr(whole, wideBits - width),
                             value.getType());
}

/// A rotation by 16, whose amount would need a register.
static bool swapsHalves(const IntrinsicInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  return (id == Intrinsic::fshl || id == Intrinsic::fshr) &&
         call.getType()->isIntegerTy(wordBits) &&
         call.getArgOperand(0) == call.getArgOperand(1) &&
         match(call.getArgOperand(2), m_SpecificInt(wordBits / 2));
}

/// The word whose bits below the highest one are set in `value`, if it is made
/// of one.
static Value *filledFrom(Value *value) {
  for (unsigned shift = wordBits / 2; shift > 0; shift /= 2) {
    Value *less;
    if (!match(value, m_c_Or(m_LShr(m_Value(less), m_SpecificInt(shift)),
                             m_Deferred(less))))
      return nullptr;
    value = less;
  }
  return value;
}

Value *Selector::counted(IntrinsicInst &call) {
  if (!call.getType()->isIntegerTy())
    return nullptr;
  Value &value = *call.getArgOperand(0);
  if (call.getIntrinsicID() == Intrinsic::ctlz)
    return leadingZerosOf(value,
                          cast<ConstantInt>(call.getArgOperand(1))->isOne());
  Value *filled;
  if (call.getIntrinsicID() == Intrinsic::ctpop && call.getType() == word &&
      match(&value, m_Not(m_Value(filled))))
    if (Value *from = filledFrom(filled))
      return leadingZerosOf(*from, /*zeroIsPoison=*/false);
  if (call.getIntrinsicID() == Intrinsic::bswap)
    return swapped(value);
  if (swapsHalves(call))
    return assembly("cv.shuffle.sci.h $0, $1, 1", {&value});
  return nullptr;
}

class SelectOperations : public FunctionPass {
public:
  static char ID;
  SelectOperations() : FunctionPass(ID) {}
  explicit SelectOperations(SelectedOperations selected)
      : FunctionPass(ID), selected(selected) {}
  StringRef getPassName() const override { return "spinc select operations"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
  }

  bool runOnFunction(Function &function) override {
    return Selector(function, selected).run();
  }

private:
  SelectedOperations selected;
};

char SelectOperations::ID = 0;

} // namespace

void spinc::backend::addSelectOperations(TargetPassConfig &config,
                                         const SelectedOperations &selected) {
  // Behind loop strength reduction, which would not know the intrinsics.
  std::unique_ptr<FunctionPass> before(createCodeGenPrepareLegacyPass());
  config.insertPass(before->getPassID(), new SelectOperations(selected));
}
