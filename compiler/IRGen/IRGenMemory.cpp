// Arrays, structs and what is in them, wherever they lie: a place in memory is
// an element of a slice, a field of a struct is a slice within it.
#include "compiler/IRGen/HandlerGenerator.h"

#include "runtime/abi/portals.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

IntegerType irgen::memoryType(MLIRContext *context, const sema::Type *type) {
  return IntegerType::get(context, 8 * sema::sizeInBytes(type));
}

static bool isAggregate(const sema::Type *type) {
  return type->is(sema::TypeKind::Array) || type->is(sema::TypeKind::Struct);
}

/// What the elements of an array or slice are in memory.
static const sema::Type *elementOf(const sema::Type *type) {
  if (const auto *array = sema::dynAs<sema::ArrayType>(type))
    return array->element;
  return sema::as<sema::SliceType>(type)->element;
}

const sema::Type *HandlerGenerator::storedType(const ast::Expr &place) const {
  if (const sema::StateField *field = stateField(place))
    return field->type;
  if (const auto *index = llvm::dyn_cast<ast::IndexExpr>(&place))
    return elementOf(index->base->type);
  const auto *field = llvm::dyn_cast<ast::FieldExpr>(&place);
  if (field)
    if (const auto *record = sema::dynAs<sema::StructType>(field->base->type))
      return record->find(field->decl)->type;
  return place.type;
}

/// Whether `place` is an element, or a field of a struct, and no header field.
/// A single wire integer of the state is one as well.
bool HandlerGenerator::isElement(const ast::Expr &place) const {
  if (const sema::StateField *state = stateField(place))
    return state->type->is(sema::TypeKind::Wire);
  const auto *field = llvm::dyn_cast<ast::FieldExpr>(&place);
  const auto *index = llvm::dyn_cast<ast::IndexExpr>(&place);
  return (index && !index->base->type->is(sema::TypeKind::Simd)) ||
         (field && field->base->type &&
          field->base->type->is(sema::TypeKind::Struct));
}

spin::SliceType HandlerGenerator::sliceOf(const sema::Type *element,
                                          Value like) {
  return spin::SliceType::get(
      builder.getContext(), memoryType(builder.getContext(), element),
      llvm::cast<spin::SliceType>(like.getType()).getSpace());
}

/// A field of the struct at `record`, or an inner array, as a slice of its
/// elements.
Value HandlerGenerator::emitMember(Location at, Element record, unsigned offset,
                                   const sema::Type *type) {
  const auto *array = sema::dynAs<sema::ArrayType>(type);
  const sema::Type *element = array ? array->element : type;
  return spin::MemberOp::create(builder, at, sliceOf(element, record.slice),
                                record.slice, record.index, offset,
                                array ? array->count : 1, spin::ProofAttr());
}

/// The array that `expr` names.
Value HandlerGenerator::emitArray(const ast::Expr &expr) {
  Location at = loc(expr.range);
  if (const sema::StateField *field = stateField(expr))
    return spin::StateSliceOp::create(builder, at, stateSlice(*field),
                                      field->name);
  if (const auto *named = llvm::dyn_cast<ast::NameExpr>(&expr)) {
    if (const auto *constant =
            llvm::dyn_cast_or_null<ast::ConstDecl>(named->decl))
      return emitTable(at, *constant);
    return bindings.lookup(named->decl).value;
  }
  if (const auto *index = llvm::dyn_cast<ast::IndexExpr>(&expr)) {
    Value outer = emitSlice(*index->base);
    return emitMember(at, {outer, emitU32(*index->index)}, 0, expr.type);
  }
  const auto &field = llvm::cast<ast::FieldExpr>(expr);
  if (field.base->type->is(sema::TypeKind::Header)) {
    // pkt-2: an array in a header.
    FieldPlace place = fieldPlace(field);
    Value part = spin::SubsliceOp::create(
        builder, at, packetBytes.getType(), packetBytes,
        behindHeader(at, place.after, place.byteOffset),
        constant(at, place.bytes), spin::ProofAttr());
    return viewAs(at, part, elementOf(expr.type));
  }
  const auto *record = sema::as<sema::StructType>(field.base->type);
  return emitMember(at, emitElement(*field.base),
                    record->find(field.decl)->offset, expr.type);
}

/// The element of memory that `expr` names; it is no array.
HandlerGenerator::Element HandlerGenerator::emitElement(const ast::Expr &expr) {
  Location at = loc(expr.range);
  if (const auto *index = llvm::dyn_cast<ast::IndexExpr>(&expr)) {
    Value slice = emitSlice(*index->base);
    return {slice, emitU32(*index->index)};
  }
  const auto *field = llvm::dyn_cast<ast::FieldExpr>(&expr);
  if (field && field->builtin == Builtin::MessageUser) {
    unsigned bytes = context.user->size;
    Value part = spin::SubsliceOp::create(
        builder, at, packetBytes.getType(), packetBytes,
        constant(at, PORTALS_HEADER_BYTES), constant(at, bytes),
        spin::ProofAttr());
    return {viewAs(at, part, context.user), constant(at, 0)};
  }
  if (field && field->base->type &&
      field->base->type->is(sema::TypeKind::Struct)) {
    const auto *record = sema::as<sema::StructType>(field->base->type);
    const sema::StructField *member = record->find(field->decl);
    Element outer = emitElement(*field->base);
    return {emitMember(at, outer, member->offset, member->type),
            constant(at, 0)};
  }
  return {emitArray(expr), constant(at, 0)};
}

/// Bytes seen as elements.
Value HandlerGenerator::viewAs(Location at, Value bytes,
                               const sema::Type *element) {
  spin::SliceType type = sliceOf(element, bytes);
  if (type == bytes.getType())
    return bytes;
  return spin::ViewAsOp::create(builder, at, type, bytes);
}

//===-- Values in memory --------------------------------------------------===//

/// The value that the bits of a `type` in memory stand for.
Value HandlerGenerator::fromMemory(Location at, Value bits,
                                   const sema::Type *type) {
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  if (type->is(sema::TypeKind::Bool) && width != 1)
    return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ne, bits,
                                 constant(at, 0, width));
  if (type->is(sema::TypeKind::Wire))
    return extend(at, bits, false,
                  scalarType(builder.getContext(), type).getWidth());
  return bits;
}

Value HandlerGenerator::toMemory(Location at, Value value,
                                 const sema::Type *type) {
  IntegerType bits = memoryType(builder.getContext(), type);
  if (type->is(sema::TypeKind::Bool))
    return extend(at, value, false, bits.getWidth());
  if (value.getType() != bits) // a be48, computed in 64 bits
    return arith::TruncIOp::create(builder, at, bits, value);
  return value;
}

Value HandlerGenerator::emitElementLoad(const ast::Expr &expr) {
  if (std::optional<Value> field = emitUserField(expr))
    return *field;
  return emitStoredValue(loc(expr.range), emitElement(expr), storedType(expr));
}

Value HandlerGenerator::emitStoredValue(Location at, Element element,
                                        const sema::Type *type) {
  Value bits = spin::LoadOp::create(
      builder, at, memoryType(builder.getContext(), type), element.slice,
      element.index, byteOrder(type), spin::ProofAttr());
  return fromMemory(at, bits, type);
}

/// A number in the user header, which is read once.
std::optional<Value> HandlerGenerator::emitUserField(const ast::Expr &expr) {
  unsigned offset = PORTALS_HEADER_BYTES;
  const ast::Expr *at = &expr;
  while (const auto *field = llvm::dyn_cast<ast::FieldExpr>(at)) {
    if (field->builtin == Builtin::MessageUser) {
      const sema::Type *type = storedType(expr);
      Location named = NameLoc::get(builder.getStringAttr(expr.range.text()),
                                    loc(expr.range));
      Value bits = readHeader(named, -1, offset, 8 * sema::sizeInBytes(type),
                              byteOrder(type));
      return fromMemory(loc(expr.range), bits, type);
    }
    const auto *record = field->base->type
                             ? sema::dynAs<sema::StructType>(field->base->type)
                             : nullptr;
    if (!record)
      return std::nullopt;
    offset += record->find(field->decl)->offset;
    at = field->base.get();
  }
  return std::nullopt;
}

void HandlerGenerator::emitElementStore(Location at, Element element,
                                        Value value, const sema::Type *type) {
  spin::StoreOp::create(builder, at, toMemory(at, value, type), element.slice,
                        element.index, byteOrder(type), spin::ProofAttr());
}

/// typ-21: copies a struct, in units of its alignment from the first to the
/// last. Both are the same place or do not overlap.
void HandlerGenerator::emitCopy(Location at, Element to, Element from,
                                const sema::Type *type) {
  constexpr unsigned straightUnits = 16;
  unsigned unit = std::min(sema::alignInBytes(type), 4u);
  unsigned count = sema::sizeInBytes(type) / unit;
  auto units = [&](Element place) -> Value {
    auto slice = spin::SliceType::get(
        builder.getContext(), builder.getIntegerType(8 * unit),
        llvm::cast<spin::SliceType>(place.slice.getType()).getSpace());
    return spin::MemberOp::create(builder, at, slice, place.slice, place.index,
                                  0, count, spin::ProofAttr());
  };
  Value target = units(to), source = units(from);
  auto copyOne = [&](Value index) {
    Value bits = spin::LoadOp::create(
        builder, at, builder.getIntegerType(8 * unit), source, index,
        spin::ByteOrder::Little, spin::ProofAttr());
    spin::StoreOp::create(builder, at, bits, target, index,
                          spin::ByteOrder::Little, spin::ProofAttr());
  };
  if (count <= straightUnits) {
    for (unsigned i = 0; i != count; ++i)
      copyOne(constant(at, i));
    return;
  }
  auto loop =
      scf::ForOp::create(builder, at, constant(at, 0), constant(at, count),
                         constant(at, 1), ValueRange(), /*bodyBuilder=*/nullptr,
                         /*unsignedCmp=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  copyOne(loop.getInductionVar());
}

//===-- Local memory ------------------------------------------------------===//

/// How many numbers an initial value gives, and how many its type holds.
static uint64_t leaves(const sema::Type *type) {
  if (const auto *array = sema::dynAs<sema::ArrayType>(type))
    return array->count * leaves(array->element);
  const auto *record = sema::dynAs<sema::StructType>(type);
  if (!record)
    return 1;
  uint64_t sum = 0;
  for (const sema::StructField &field : record->fields)
    sum += leaves(field.type);
  return sum;
}

static uint64_t given(const ast::Expr &init, const sema::Type *type) {
  const auto *list = llvm::dyn_cast<ast::InitListExpr>(&init);
  if (!list || !isAggregate(type))
    return leaves(type);
  uint64_t sum = 0;
  for (size_t i = 0; i < list->elements.size(); ++i)
    sum += given(*list->elements[i].value, initialType(*list, i, type).first);
  return sum;
}

std::pair<const sema::Type *, unsigned>
irgen::initialType(const ast::InitListExpr &list, size_t position,
                   const sema::Type *type) {
  if (const auto *array = sema::dynAs<sema::ArrayType>(type))
    return {array->element,
            unsigned(position * sema::sizeInBytes(array->element))};
  const auto *record = sema::as<sema::StructType>(type);
  const ast::Argument &value = list.elements[position];
  const sema::StructField &field =
      value.name ? *record->find(value.name->text) : record->fields[position];
  return {field.type, field.offset};
}

/// mem-1: `local T a[N]`, `Point p`. What has padding is filled as well, so
/// that copies of it have no bytes of an earlier handler.
void HandlerGenerator::emitLocal(const ast::LocalDecl &local) {
  Location at = locationOf(builder.getContext(), local.range, local.name.text);
  const sema::Type *type = local.type;
  unsigned bytes = sema::sizeInBytes(type);
  bool isCopy = local.init && type->is(sema::TypeKind::Struct) &&
                !llvm::isa<ast::InitListExpr>(*local.init);
  std::optional<Element> source;
  if (isCopy)
    source = emitElement(*local.init);
  bool isComplete = isCopy || (local.init && !hasPadding(type) &&
                               given(*local.init, type) == leaves(type));
  Value memory =
      spin::LocalOp::create(builder, at, byteSlice(spin::MemorySpace::Local),
                            bytes, /*zero=*/!isComplete);
  const auto *array = sema::dynAs<sema::ArrayType>(type);
  const sema::Type *element = array ? array->element : type;
  Value slice = viewAs(at, memory, element);
  if (isCopy)
    emitCopy(at, {slice, constant(at, 0)}, *source, type);
  else if (local.init)
    emitInitial(slice, *local.init, type);
  bindings[&local] = {slice, {}};
}

/// Whether a `type` has bytes that no number of it fills.
bool irgen::hasPadding(const sema::Type *type) {
  if (const auto *array = sema::dynAs<sema::ArrayType>(type))
    return hasPadding(array->element);
  const auto *record = sema::dynAs<sema::StructType>(type);
  if (!record)
    return false;
  unsigned filled = 0;
  for (const sema::StructField &field : record->fields) {
    if (hasPadding(field.type))
      return true;
    filled += sema::sizeInBytes(field.type);
  }
  return filled != record->size;
}

/// Stores an initial value of a `type` whose elements (of an array) or self are
/// `slice`.
void HandlerGenerator::emitInitial(Value slice, const ast::Expr &init,
                                   const sema::Type *type) {
  Location at = loc(init.range);
  const auto *list = llvm::dyn_cast<ast::InitListExpr>(&init);
  if (!list || !isAggregate(type)) {
    Element place = {slice, constant(at, 0)};
    if (type->is(sema::TypeKind::Struct))
      emitCopy(at, place, emitElement(init), type);
    else
      emitElementStore(at, place, emitValue(init, type), type);
    return;
  }
  bool isArray = type->is(sema::TypeKind::Array);
  for (size_t i = 0; i < list->elements.size(); ++i) {
    const ast::Expr &value = *list->elements[i].value;
    auto [inner, offset] = initialType(*list, i, type);
    Element place = {slice, constant(at, isArray ? i : 0)};
    if (isArray && !isAggregate(inner))
      emitElementStore(loc(value.range), place, emitValue(value, inner), inner);
    else
      emitInitial(emitMember(at, place, isArray ? 0 : offset, inner), value,
                  inner);
  }
}
