// Contexts and what they declare: state becomes globals, handlers become
// functions. Contracts and `where` conditions are the host's to check.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Globals are at multiples of this, so that the next one is too.
constexpr unsigned kGlobalAlignment = 8;

Type fieldType(StateOp field) {
  Type element = field.getElement();
  if (field.getCount() == 1)
    return element;
  return LLVM::LLVMArrayType::get(element, field.getCount());
}

void createGlobal(OpBuilder &builder, Location loc, StringRef name, Type type,
                  StringRef section) {
  OpBuilder::InsertionGuard guard(builder);
  auto global = LLVM::GlobalOp::create(
      builder, loc, type, /*isConstant=*/false, LLVM::Linkage::External, name,
      /*value=*/Attribute(), kGlobalAlignment, /*addrSpace=*/0,
      /*dsoLocal=*/true);
  global.setSection(section);
  builder.createBlock(&global.getInitializerRegion());
  Value zero = LLVM::ZeroOp::create(builder, loc, type);
  LLVM::ReturnOp::create(builder, loc, zero);
}

} // namespace

std::string spinc::spin::globalName(StateOp field) {
  StringRef context = cast<ContextOp>(field->getParentOp()).getSymName();
  StringRef name =
      field.getKind() == StateKind::Param ? "params" : field.getSymName();
  return (context + "." + name).str();
}

unsigned spinc::spin::paramIndex(StateOp field) {
  unsigned index = 0;
  auto context = cast<ContextOp>(field->getParentOp());
  for (StateOp other : context.getBody().getOps<StateOp>()) {
    if (other == field)
      break;
    index += other.getKind() == StateKind::Param;
  }
  return index;
}

LLVM::LLVMStructType spinc::spin::paramsType(ContextOp context) {
  SmallVector<Type> types;
  for (StateOp field : context.getBody().getOps<StateOp>())
    if (field.getKind() == StateKind::Param)
      types.push_back(fieldType(field));
  return LLVM::LLVMStructType::getLiteral(context.getContext(), types);
}

void spinc::spin::createGlobals(ContextOp context, OpBuilder &builder) {
  bool hasParams = false;
  for (StateOp field : context.getBody().getOps<StateOp>()) {
    bool isParam = field.getKind() == StateKind::Param;
    if (!isParam)
      createGlobal(builder, field.getLoc(), globalName(field), fieldType(field),
                   field.getSpace() == MemorySpace::StateL1 ? ".spin.l1"
                                                            : ".spin.l2");
    else if (!hasParams)
      createGlobal(builder, context.getLoc(), globalName(field),
                   paramsType(context), ".spin.params");
    hasParams |= isParam;
  }
}

LLVM::LLVMFuncOp spinc::spin::outlineHandler(HandlerOp handler,
                                             OpBuilder &builder) {
  Type code = builder.getI32Type();
  auto function = LLVM::LLVMFuncOp::create(
      builder, handler.getLoc(), handler.getImageSymbol(),
      LLVM::LLVMFunctionType::get(code, {}), LLVM::Linkage::External,
      /*dsoLocal=*/true);
  function.getBody().takeBody(handler.getBody());
  return function;
}
