// Interning, sizes and spelling of types. No AST here.
#include "compiler/Sema/Types.h"

#include "compiler/Sema/Info.h"

namespace spinc {

static const char *simpleName(TypeKind kind) {
  switch (kind) {
  case TypeKind::Error:
    return "<error>";
  case TypeKind::Void:
    return "nothing";
  case TypeKind::None:
    return "none";
  case TypeKind::Literal:
    return "integer constant";
  case TypeKind::Bool:
    return "bool";
  case TypeKind::Process:
    return "process";
  case TypeKind::Command:
    return "command";
  case TypeKind::Lock:
    return "lock";
  case TypeKind::Message:
    return "message";
  case TypeKind::Packet:
    return "packet";
  case TypeKind::View:
    return "view";
  case TypeKind::Pieces:
    return "pieces";
  case TypeKind::Piece:
    return "piece";
  default:
    return "";
  }
}

static std::string intName(const IntType *type) {
  return (type->isSigned ? "i" : "u") + std::to_string(type->width);
}

static const char *spaceName(MemorySpace space) {
  switch (space) {
  case MemorySpace::Packet:
    return "packet";
  case MemorySpace::StateL1:
  case MemorySpace::StateL2:
    return "state";
  case MemorySpace::Local:
    return "local";
  case MemorySpace::Any:
    return "any";
  case MemorySpace::Host:
    return "host";
  case MemorySpace::Const:
    return "const";
  }
  return "";
}

std::string Type::str() const {
  switch (kind) {
  case TypeKind::Int:
    return intName(as<IntType>(this));
  case TypeKind::Wire: {
    const auto *wire = as<WireType>(this);
    return (wire->order == ByteOrder::Big ? "be" : "le") +
           std::to_string(wire->width);
  }
  case TypeKind::Float:
    return "f" + std::to_string(as<FloatType>(this)->width);
  case TypeKind::Simd: {
    const auto *simd = as<SimdType>(this);
    return intName(simd->element) + "x" + std::to_string(simd->lanes);
  }
  case TypeKind::Header:
    return as<HeaderType>(this)->name;
  case TypeKind::Struct:
    return as<StructType>(this)->name;
  case TypeKind::Enum:
    return as<EnumType>(this)->name;
  case TypeKind::Array: {
    const auto *array = as<ArrayType>(this);
    return array->element->str() + "[" + std::to_string(array->count) + "]";
  }
  case TypeKind::Slice: {
    const auto *slice = as<SliceType>(this);
    return std::string(spaceName(slice->space)) + " " + slice->element->str() +
           "[]";
  }
  default:
    return simpleName(kind);
  }
}

const HeaderField *HeaderType::find(std::string_view field) const {
  for (const HeaderField &f : fields)
    if (f.name == field)
      return &f;
  return nullptr;
}

const HeaderField *HeaderType::find(const ast::FieldDecl *decl) const {
  for (const HeaderField &f : fields)
    if (f.decl == decl)
      return &f;
  return nullptr;
}

const StructField *StructType::find(const ast::Decl *decl) const {
  for (const StructField &f : fields)
    if (f.decl == decl)
      return &f;
  return nullptr;
}

const StructField *StructType::find(std::string_view field) const {
  for (const StructField &f : fields)
    if (f.name == field)
      return &f;
  return nullptr;
}

/// Bytes of an integer of `width` bits in memory: the next power of two.
static unsigned intBytes(unsigned width) {
  unsigned bytes = 1;
  while (bytes * 8 < width)
    bytes *= 2;
  return bytes;
}

unsigned sizeInBytes(const Type *type) {
  switch (type->kind) {
  case TypeKind::Bool:
    return 1;
  case TypeKind::Int:
    return intBytes(as<IntType>(type)->width);
  case TypeKind::Wire:
    return as<WireType>(type)->width / 8;
  case TypeKind::Float:
    return as<FloatType>(type)->width / 8;
  case TypeKind::Simd:
  case TypeKind::Process:
    return 4;
  case TypeKind::Header:
    return as<HeaderType>(type)->bytes;
  case TypeKind::Struct:
    return as<StructType>(type)->size;
  case TypeKind::Enum:
    return sizeInBytes(as<EnumType>(type)->underlying);
  case TypeKind::Array: {
    const auto *array = as<ArrayType>(type);
    return static_cast<unsigned>(sizeInBytes(array->element) * array->count);
  }
  default:
    return 0;
  }
}

unsigned alignInBytes(const Type *type) {
  switch (type->kind) {
  case TypeKind::Wire:
  case TypeKind::Header:
    return 1;
  case TypeKind::Struct:
    return as<StructType>(type)->align;
  case TypeKind::Enum:
    return alignInBytes(as<EnumType>(type)->underlying);
  case TypeKind::Array:
    return alignInBytes(as<ArrayType>(type)->element);
  default:
    return sizeInBytes(type);
  }
}

TypeContext::TypeContext() : info(std::make_unique<sema::ProgramInfo>()) {
  for (TypeKind kind :
       {TypeKind::Error, TypeKind::Void, TypeKind::None, TypeKind::Literal,
        TypeKind::Bool, TypeKind::Process, TypeKind::Command, TypeKind::Lock,
        TypeKind::Message, TypeKind::Packet, TypeKind::View, TypeKind::Pieces,
        TypeKind::Piece})
    simples[kind] = own(std::make_unique<Type>(kind));
}

TypeContext::~TypeContext() = default;

template <typename T> T *TypeContext::own(std::unique_ptr<T> type) {
  T *raw = type.get();
  owned.push_back(std::move(type));
  return raw;
}

const Type *TypeContext::simple(TypeKind kind) const {
  return simples.at(kind);
}

const IntType *TypeContext::integer(unsigned width, bool isSigned) {
  const IntType *&slot = integers[{width, isSigned}];
  if (!slot)
    slot = own(std::make_unique<IntType>(width, isSigned));
  return slot;
}

const WireType *TypeContext::wire(unsigned width, ByteOrder order) {
  const IntType *value = u(width);
  const WireType *&slot = wires[{width, order}];
  if (!slot)
    slot = own(std::make_unique<WireType>(width, order, value));
  return slot;
}

const FloatType *TypeContext::floating(unsigned width) {
  const FloatType *&slot = floats[width];
  if (!slot)
    slot = own(std::make_unique<FloatType>(width));
  return slot;
}

const SimdType *TypeContext::simd(const IntType *element, unsigned lanes) {
  const SimdType *&slot = simds[{element, lanes}];
  if (!slot)
    slot = own(std::make_unique<SimdType>(element, lanes));
  return slot;
}

const ArrayType *TypeContext::array(const Type *element, uint64_t count) {
  const ArrayType *&slot = arrays[{element, count}];
  if (!slot)
    slot = own(std::make_unique<ArrayType>(element, count));
  return slot;
}

const SliceType *TypeContext::slice(const Type *element, MemorySpace space) {
  const SliceType *&slot = slices[{element, space}];
  if (!slot)
    slot = own(std::make_unique<SliceType>(element, space));
  return slot;
}

HeaderType *TypeContext::createHeader(std::string name) {
  return own(std::make_unique<HeaderType>(std::move(name)));
}

StructType *TypeContext::createStruct(std::string name) {
  return own(std::make_unique<StructType>(std::move(name)));
}

EnumType *TypeContext::createEnum(std::string name) {
  return own(std::make_unique<EnumType>(std::move(name)));
}

} // namespace spinc
