// Constant tables and structs: their bytes, and the symbols that hold them.
#include "compiler/IRGen/HandlerGenerator.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

/// Writes the low `bytes` bytes of a number in the order of `type`.
static void putNumber(const llvm::APInt &number, const sema::Type *type,
                      llvm::MutableArrayRef<int8_t> place) {
  unsigned bytes = sema::sizeInBytes(type);
  bool isBig = byteOrder(type) == spin::ByteOrder::Big;
  llvm::APInt wide = number.zextOrTrunc(64);
  for (unsigned i = 0; i != bytes; ++i)
    place[isBig ? bytes - 1 - i : i] =
        static_cast<int8_t>(wide.extractBitsAsZExtValue(8, 8 * i));
}

static void putInitial(const ast::Expr &init, const sema::Type *type,
                       llvm::MutableArrayRef<int8_t> place) {
  const auto *list = llvm::dyn_cast<ast::InitListExpr>(&init);
  if (!list) {
    llvm::APInt value = *init.value;
    bool isNegative = init.value->isSigned() && value.isNegative();
    putNumber(isNegative ? value.sextOrTrunc(64) : value.zextOrTrunc(64), type,
              place);
    return;
  }
  if (const auto *simd = sema::dynAs<sema::SimdType>(type)) {
    unsigned bytes = sema::sizeInBytes(simd->element);
    for (size_t i = 0; i < list->elements.size(); ++i)
      putInitial(*list->elements[i].value, simd->element,
                 place.slice(i * bytes, bytes));
    return;
  }
  for (size_t i = 0; i < list->elements.size(); ++i) {
    auto [inner, offset] = initialType(*list, i, type);
    putInitial(*list->elements[i].value, inner,
               place.slice(offset, sema::sizeInBytes(inner)));
  }
}

/// con-1: the slice of a constant, whose symbol is made at its first use.
Value HandlerGenerator::emitTable(Location at, const ast::ConstDecl &constant) {
  const auto *array = sema::dynAs<sema::ArrayType>(constant.type);
  const sema::Type *element = array ? array->element : constant.type;
  MLIRContext *mlir = builder.getContext();
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  StringAttr &symbol = tables[&constant];
  if (!symbol) {
    llvm::SmallVector<int8_t> bytes(sema::sizeInBytes(constant.type), 0);
    putInitial(*constant.init, constant.type, bytes);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    // Modules may each have a constant of the name.
    std::string name = constant.name.text;
    for (unsigned copy = 1; module.lookupSymbol(name); ++copy)
      name = constant.name.text + "." + std::to_string(copy);
    auto table = spin::TableOp::create(
        builder, locationOf(mlir, constant.range), builder.getStringAttr(name),
        sema::alignInBytes(constant.type), builder.getDenseI8ArrayAttr(bytes));
    symbol = table.getSymNameAttr();
  }
  auto type = spin::SliceType::get(mlir, memoryType(mlir, element),
                                   spin::MemorySpace::Const);
  return spin::TableSliceOp::create(builder, at, type, symbol,
                                    array ? array->count : 1);
}
