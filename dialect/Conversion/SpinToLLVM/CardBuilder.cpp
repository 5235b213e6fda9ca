// Builds LLVM operations that deal with the card.
#include "dialect/Conversion/SpinToLLVM/CardBuilder.h"
#include "mlir/IR/Matchers.h"
#include "runtime/abi/pspin.h"
#include "runtime/isa/BitField.h"

using namespace mlir;
using namespace spinc::spin;

Value CardBuilder::constant(int64_t value) {
  return LLVM::ConstantOp::create(*this, getI32Type(),
                                  getI32IntegerAttr(value));
}

Value CardBuilder::add(Value left, Value right) {
  return LLVM::AddOp::create(*this, left, right);
}

Value CardBuilder::shiftLeft(Value value, unsigned amount) {
  if (amount == 0)
    return value;
  return LLVM::ShlOp::create(*this, value, constant(amount));
}

Value CardBuilder::shiftRight(Value value, unsigned amount) {
  if (amount == 0)
    return value;
  return LLVM::LShrOp::create(*this, value, constant(amount));
}

Value CardBuilder::toPointer(Value address) {
  return LLVM::IntToPtrOp::create(*this, pointerType(), address);
}

Value CardBuilder::toAddress(Value pointer) {
  return LLVM::PtrToIntOp::create(*this, getI32Type(), pointer);
}

Value CardBuilder::ofAnyObject(Value address) {
  return compute("", "=r,0", address);
}

Value CardBuilder::scaled(Value count, unsigned bytes) {
  if (llvm::isPowerOf2_32(bytes))
    return shiftLeft(count, llvm::Log2_32(bytes));
  return LLVM::MulOp::create(*this, count, constant(bytes));
}

Value CardBuilder::element(Value pointer, Type type, Value index) {
  // LLVM would pad a record to what it takes for the size of the integer.
  unsigned bytes = type.getIntOrFloatBitWidth() / 8;
  if (!llvm::isPowerOf2_32(bytes) || bytes > 8)
    type = LLVM::LLVMArrayType::get(getI8Type(), bytes);
  return LLVM::GEPOp::create(
      *this, pointerType(), type, pointer, ArrayRef<LLVM::GEPArg>{index},
      LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
}

Value CardBuilder::readTask(unsigned reg) {
  // Unordered atomic: registers take words only, so LLVM must not read less of
  // one when only part of it is used.
  return LLVM::LoadOp::create(
      *this, getI32Type(), toPointer(constant(PSPIN_HPU_BASE + reg)),
      /*alignment=*/4, /*isVolatile=*/false, /*isNonTemporal=*/false,
      /*isInvariant=*/true, /*isInvariantGroup=*/false,
      LLVM::AtomicOrdering::unordered);
}

std::optional<unsigned> CardBuilder::taskRegister(LLVM::LoadOp load) {
  auto pointer = load.getAddr().getDefiningOp<LLVM::IntToPtrOp>();
  llvm::APInt address;
  if (!load.getInvariant() || !pointer ||
      !matchPattern(pointer.getArg(), m_ConstantInt(&address)))
    return std::nullopt;
  return unsigned(address.getZExtValue()) - PSPIN_HPU_BASE;
}

static std::string hartIdText() {
  return "csrr $0, " + std::to_string(PSPIN_CSR_UHARTID);
}

bool CardBuilder::isHartId(LLVM::InlineAsmOp op) {
  return op.getAsmString() == hartIdText();
}

Value CardBuilder::hartId() { return compute(hartIdText(), "=r", {}); }

Value CardBuilder::compute(const std::string &text, StringRef constraints,
                           ValueRange operands) {
  return LLVM::InlineAsmOp::create(*this, TypeRange{getI32Type()}, operands,
                                   getStringAttr(text),
                                   getStringAttr(constraints),
                                   /*has_side_effects=*/UnitAttr(),
                                   /*is_align_stack=*/UnitAttr(),
                                   LLVM::TailCallKindAttr::get(
                                       getContext(), LLVM::TailCallKind::None),
                                   /*asm_dialect=*/LLVM::AsmDialectAttr(),
                                   /*operand_attrs=*/ArrayAttr())
      .getRes();
}

Value CardBuilder::clusterId() {
  return shiftRight(hartId(), PSPIN_HARTID_CLUSTER_SHIFT);
}

/// Position in an address of the cluster whose L1 it is in.
static constexpr unsigned kStrideBits = llvm::ConstantLog2<PSPIN_L1_STRIDE>();

Value CardBuilder::withField(Value word, unsigned position, unsigned length,
                             Value field) {
  // Where the instruction is not wanted, the backend expands it.
  unsigned operand = isa::BitField{position, length}.operand();
  return LLVM::CallIntrinsicOp::create(
             *this, getI32Type(),
             getStringAttr("llvm.riscv.cv.bitmanip.insert"),
             ValueRange{field, constant(operand), word})
      .getResult(0);
}

Value CardBuilder::inCluster(Value address, Value cluster) {
  static_assert(PSPIN_L1_BASE % (PSPIN_CLUSTERS * PSPIN_L1_STRIDE) == 0,
                "the bits of the cluster are zero in cluster 0");
  static_assert(PSPIN_CLUSTERS == 1 << PSPIN_FLOW_SLOT_SHIFT,
                "a flow's low bits are the number of a cluster");
  return withField(address, kStrideBits, llvm::Log2_32(PSPIN_CLUSTERS),
                   cluster);
}

Value CardBuilder::fromAlias(Value address, Value cluster) {
  static_assert(PSPIN_L1_ALIAS % PSPIN_L1_STRIDE == 0,
                "an address keeps the bits below the stride");
  Value high = add(cluster, constant(PSPIN_L1_BASE >> kStrideBits));
  return withField(address, kStrideBits, 32 - kStrideBits, high);
}

void CardBuilder::writeRegister(unsigned reg, Value value) {
  LLVM::StoreOp::create(*this, value, toPointer(constant(PSPIN_HPU_BASE + reg)),
                        /*alignment=*/4, /*isVolatile=*/true);
}

Value CardBuilder::readRegister(unsigned reg) {
  return LLVM::LoadOp::create(*this, getI32Type(),
                              toPointer(constant(PSPIN_HPU_BASE + reg)),
                              /*alignment=*/4, /*isVolatile=*/true);
}

void CardBuilder::compilerFence() {
  LLVM::FenceOp::create(*this, LLVM::AtomicOrdering::seq_cst, "singlethread");
}

SliceParts CardBuilder::unpack(Value slice) {
  auto outer = slice.getDefiningOp<LLVM::InsertValueOp>();
  auto inner = outer ? outer.getContainer().getDefiningOp<LLVM::InsertValueOp>()
                     : LLVM::InsertValueOp();
  if (inner && outer.getPosition() == ArrayRef<int64_t>{1} &&
      inner.getPosition() == ArrayRef<int64_t>{0})
    return {inner.getValue(), outer.getValue()};
  return {LLVM::ExtractValueOp::create(*this, slice, ArrayRef<int64_t>{0}),
          LLVM::ExtractValueOp::create(*this, slice, ArrayRef<int64_t>{1})};
}

Value CardBuilder::pack(SliceParts parts) {
  Type type = LLVM::LLVMStructType::getLiteral(
      getContext(), {parts.start.getType(), parts.length.getType()});
  Value empty = LLVM::PoisonOp::create(*this, type);
  Value started = LLVM::InsertValueOp::create(*this, empty, parts.start,
                                              ArrayRef<int64_t>{0});
  return LLVM::InsertValueOp::create(*this, started, parts.length,
                                     ArrayRef<int64_t>{1});
}
