// Contexts and what they declare: state becomes globals, handlers become
// functions. Contracts and `where` conditions are the host's to check.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "runtime/abi/pspin.h"
#include "runtime/device/Frame.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Globals are at multiples of this, so that the next one is too.
constexpr unsigned kGlobalAlignment = 8;
/// Tables may be read by words.
constexpr unsigned kTableAlignment = 4;

/// A record is an array of integers as large as its alignment.
Type elementType(StateOp field) {
  unsigned align = field.getElementAlignment();
  unsigned bits = field.getElement().getIntOrFloatBitWidth();
  if (!field.getAlignment())
    return field.getElement();
  return LLVM::LLVMArrayType::get(
      IntegerType::get(field.getContext(), 8 * align), bits / (8 * align));
}

Type fieldType(StateOp field) {
  Type element = elementType(field);
  if (field.getCount() == 1)
    return element;
  return LLVM::LLVMArrayType::get(element, field.getCount());
}

/// The copies of a per_hpu field in one cluster.
Type copiesType(StateOp field) {
  Type byte = IntegerType::get(field.getContext(), 8);
  return LLVM::LLVMArrayType::get(
      LLVM::LLVMArrayType::get(byte, hpuStride(field)), PSPIN_HPUS_PER_CLUSTER);
}

void createGlobal(OpBuilder &builder, Location loc, StringRef name, Type type,
                  StringRef section, uint64_t alignment = kGlobalAlignment) {
  OpBuilder::InsertionGuard guard(builder);
  auto global = LLVM::GlobalOp::create(
      builder, loc, type, /*isConstant=*/false, LLVM::Linkage::External, name,
      /*value=*/Attribute(), alignment, /*addrSpace=*/0,
      /*dsoLocal=*/true);
  global.setSection(section);
  builder.createBlock(&global.getInitializerRegion());
  Value zero = LLVM::ZeroOp::create(builder, loc, type);
  LLVM::ReturnOp::create(builder, loc, zero);
}

/// Gives the global in the alias of the own L1 its name in L1 of `cluster`.
void createAlias(OpBuilder &builder, Location loc, StringRef name,
                 unsigned cluster) {
  OpBuilder::InsertionGuard guard(builder);
  Type byte = builder.getI8Type();
  auto alias =
      LLVM::AliasOp::create(builder, loc, byte, LLVM::Linkage::External,
                            globalAlias(name), /*dsoLocal=*/true);
  builder.createBlock(&alias.getInitializerRegion());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value own = LLVM::AddressOfOp::create(builder, loc, pointer, name);
  int32_t distance =
      PSPIN_L1_BASE - PSPIN_L1_ALIAS + int32_t(cluster) * PSPIN_L1_STRIDE;
  Value there = LLVM::GEPOp::create(builder, loc, pointer, byte, own,
                                    ArrayRef<LLVM::GEPArg>{distance});
  LLVM::ReturnOp::create(builder, loc, there);
}

} // namespace

uint64_t spinc::spin::hpuStride(StateOp field) {
  uint64_t bytes =
      llvm::divideCeil(field.getElement().getIntOrFloatBitWidth(), 8) *
      field.getCount();
  return llvm::alignTo(bytes, kGlobalAlignment);
}

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

MessageLayout spinc::spin::messageLayout(ContextOp context, MemorySpace space,
                                         StateOp wanted) {
  MessageLayout layout;
  uint64_t end = 0;
  for (StateOp field : context.getBody().getOps<StateOp>()) {
    if (field.getKind() != StateKind::Plain || field.getSpace() != space)
      continue;
    uint64_t bytes =
        llvm::divideCeil(field.getElement().getIntOrFloatBitWidth(), 8);
    end = llvm::alignTo(end, field.getElementAlignment());
    if (field == wanted)
      layout.offset = end;
    end += bytes * field.getCount();
  }
  layout.blocks = abi::messageBlocks(end, space == MemorySpace::StateL1);
  return layout;
}

static void createMessages(ContextOp context, MemorySpace space,
                           OpBuilder &builder) {
  spinc::abi::MessageBlocks blocks =
      messageLayout(context, space, StateOp()).blocks;
  if (blocks.stride == 0)
    return;
  Type block = LLVM::LLVMArrayType::get(builder.getI8Type(), blocks.stride);
  createGlobal(builder, context.getLoc(), messagesName(context, space),
               LLVM::LLVMArrayType::get(block, blocks.copies),
               space == MemorySpace::StateL1 ? ".spin.l1.messages"
                                             : ".spin.l2.messages",
               blocks.alignment);
  if (space == MemorySpace::StateL1)
    createAlias(builder, context.getLoc(), messagesName(context, space), 0);
}

std::string spinc::spin::messagesName(ContextOp context, MemorySpace space) {
  StringRef name = space == MemorySpace::StateL1 ? ".messages" : ".messages_l2";
  return (context.getSymName() + name).str();
}

void spinc::spin::createGlobals(ContextOp context, OpBuilder &builder) {
  bool hasParams = false;
  createMessages(context, MemorySpace::StateL1, builder);
  createMessages(context, MemorySpace::StateL2, builder);
  for (StateOp field : context.getBody().getOps<StateOp>()) {
    bool isParam = field.getKind() == StateKind::Param;
    if (field.getKind() == StateKind::Plain)
      continue;
    if (!isParam)
      createGlobal(builder, field.getLoc(), globalName(field),
                   field.getKind() == StateKind::PerHpu ? copiesType(field)
                                                        : fieldType(field),
                   field.getSpace() == MemorySpace::StateL1 ? ".spin.l1"
                                                            : ".spin.l2");
    else if (!hasParams)
      createGlobal(builder, context.getLoc(), globalName(field),
                   paramsType(context), ".spin.params");
    hasParams |= isParam;
    if (!isParam && field.getSpace() == MemorySpace::StateL1)
      createAlias(builder, field.getLoc(), globalName(field),
                  field.getPerCluster() || field.getKind() == StateKind::PerHpu
                      ? 0
                      : context.getHomeCluster());
  }
}

std::string spinc::spin::tableName(StringRef table) {
  return ("table." + table).str();
}

/// In L2, where the linker's layout puts read-only data.
void spinc::spin::createTables(ModuleOp module) {
  for (TableOp table : llvm::make_early_inc_range(module.getOps<TableOp>())) {
    OpBuilder builder(table);
    ArrayRef<int8_t> bytes = table.getBytes();
    StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    LLVM::GlobalOp::create(
        builder, table.getLoc(),
        LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal,
        tableName(table.getSymName()), builder.getStringAttr(text),
        std::max<uint64_t>(table.getAlignment(), kTableAlignment),
        /*addrSpace=*/0, /*dsoLocal=*/true);
    table.erase();
  }
}

void spinc::spin::createLocalArea(ModuleOp module, const LocalPlaces &places,
                                  OpBuilder &builder) {
  if (places.areaBytes == 0)
    return;
  Type type = LLVM::LLVMArrayType::get(
      builder.getI8Type(), places.areaBytes * PSPIN_HPUS_PER_CLUSTER);
  createGlobal(builder, module.getLoc(), kLocalArea, type, ".spin.locals");
}

Type spinc::spin::packedType(TypeRange types, MLIRContext *context) {
  if (types.empty())
    return LLVM::LLVMVoidType::get(context);
  return types.size() == 1 ? types.front()
                           : LLVM::LLVMStructType::getLiteral(
                                 context, llvm::to_vector(types));
}

LLVM::LLVMFuncOp spinc::spin::outlineHandler(HandlerOp handler,
                                             bool readsArguments,
                                             OpBuilder &builder) {
  SmallVector<Type> passed;
  if (readsArguments)
    passed.push_back(LLVM::LLVMPointerType::get(builder.getContext()));
  auto lowered = [](Type type) -> Type {
    auto slice = dyn_cast<SliceType>(type);
    return slice ? loweredSlice(slice) : type;
  };
  LLVM::LLVMFunctionType type =
      handler.isFunction()
          ? LLVM::LLVMFunctionType::get(
                packedType(handler.getBody().front().back().getOperandTypes(),
                           builder.getContext()),
                llvm::map_to_vector(handler.getBody().getArgumentTypes(),
                                    lowered))
          : LLVM::LLVMFunctionType::get(builder.getI32Type(), passed);
  auto function = LLVM::LLVMFuncOp::create(
      builder, handler.getLoc(), handler.getImageSymbol(), type,
      LLVM::Linkage::External, /*dsoLocal=*/true);
  // One code for all calls, with a bound of its own.
  function.setNoInline(handler.isFunction());
  function.getBody().takeBody(handler.getBody());
  if (readsArguments) {
    function.getBody().addArgument(passed.front(), handler.getLoc());
    // So that a read of them may leave a loop.
    function.setArgAttr(0, LLVM::LLVMDialect::getDereferenceableAttrName(),
                        builder.getI64IntegerAttr(SPINC_ARGS_BYTES));
  }
  return function;
}
