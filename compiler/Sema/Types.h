// The types of spinc. A type is interned in a TypeContext: two types are the
// same exactly when their pointers are. Everything IRGen and Stubs need to know
// about a type (widths, byte order, constant field offsets) is plain data here;
// nothing has to be computed again from the AST.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace spinc {
namespace ast {
struct Decl;
struct Expr;
struct FieldDecl;
} // namespace ast

namespace sema {
struct ProgramInfo;
} // namespace sema

enum class TypeKind {
  Error,   // poison: the cause has been reported, ask no more
  Void,    // a statement-like call
  None,    // the value `none`, a put without payload
  Literal, // an integer constant that has not met its type yet; no node has
           // it after analyze()
  Bool,
  Int,
  Wire,
  Float,
  Simd,
  Process, // nid/pid of a peer
  Command, // handle of an asynchronous action
  Lock,    // a lock of the state
  Header,
  Struct,
  Enum,
  Array,
  Slice,
  View,   // view strided(base, count, block, stride)
  Pieces, // view.pieces(offset, data), only iterated
  Piece,  // one block of it: .host and .data
  Message,
  Packet,
};

/// Where the bytes of a slice live. A wire or plain load is legal in the first
/// four; host memory is reached by DMA only.
/// `Any` is that of a function's parameter, which each call decides.
enum class MemorySpace { Packet, StateL1, StateL2, Local, Host, Const, Any };

enum class ByteOrder { Big, Little };

class Type {
public:
  explicit Type(TypeKind kind) : kind(kind) {}
  virtual ~Type() = default;
  Type(const Type &) = delete;
  Type &operator=(const Type &) = delete;

  const TypeKind kind;

  bool is(TypeKind k) const { return kind == k; }
  bool isError() const { return kind == TypeKind::Error; }
  /// The spelling a user would write, used by diagnostics and dumps.
  std::string str() const;
};

/// iN or uN. N is 1…64 for what a user can write; 128 occurs only as the type
/// of an arithmetic node inside a comparison (typ-6).
class IntType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Int;
  IntType(unsigned width, bool isSigned)
      : Type(Kind), width(width), isSigned(isSigned) {}
  const unsigned width;
  const bool isSigned;
};

/// be16 … le64: bytes in a fixed order; reading one gives `value`.
class WireType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Wire;
  WireType(unsigned width, ByteOrder order, const IntType *value)
      : Type(Kind), width(width), order(order), value(value) {}
  const unsigned width; // 16, 32, 48 or 64
  const ByteOrder order;
  const IntType *const value; // u16, u32, u48 or u64
};

class FloatType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Float;
  explicit FloatType(unsigned width) : Type(Kind), width(width) {}
  const unsigned width;
};

class SimdType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Simd;
  SimdType(const IntType *element, unsigned lanes)
      : Type(Kind), element(element), lanes(lanes) {}
  const IntType *const element;
  const unsigned lanes;
};

/// A field of a header. Bit offsets count from the first byte's most
/// significant bit (network bit order), so byte = bitOffset / 8, and a field
/// that is not a wire integer is big-endian.
struct HeaderField {
  std::string name;
  const ast::FieldDecl *decl = nullptr;
  const Type *type = nullptr;  // uN, iN, wire integer or array of u8
  const Type *value = nullptr; // what reading it gives: an integer, or `type`
  unsigned bitOffset = 0;
  unsigned bitWidth = 0;
  ByteOrder order = ByteOrder::Big;
  const ast::Expr *where = nullptr; // condition that every matched packet meets

  unsigned byteOffset() const { return bitOffset / 8; }
  /// Whole bytes on a byte boundary: loads need no shift and mask.
  bool isByteAligned() const { return bitOffset % 8 == 0 && bitWidth % 8 == 0; }
};

/// The header before has `field`, and says with `value` that this one follows
/// (pkt-11).
struct FollowRule {
  std::string field;
  uint64_t value = 0;
};

class HeaderType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Header;
  explicit HeaderType(std::string name) : Type(Kind), name(std::move(name)) {}
  const std::string name;
  std::vector<HeaderField> fields;
  unsigned fixedBytes = 0; // the declared fields
  const ast::Expr *sized =
      nullptr;        // sized(e): total bytes as a function of fields
  unsigned bytes = 0; // smallest legal size; offsets behind use it
  // The field that gives the size, and its values for which the size is
  // `bytes`: a rule for the matching engine. Null without sized.
  const HeaderField *sizeField = nullptr;
  uint64_t sizeMin = 0;
  uint64_t sizeMax = 0;
  /// `u8 name[]`, the bytes behind the other fields (pkt-10). Null without.
  const ast::FieldDecl *rest = nullptr;
  std::vector<FollowRule> follows;

  const HeaderField *find(std::string_view field) const;
  const HeaderField *find(const ast::FieldDecl *decl) const;
};

struct StructField {
  std::string name;
  const Type *type = nullptr;
  unsigned offset = 0; // bytes, natural alignment
  const ast::FieldDecl *decl = nullptr;
};

class StructType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Struct;
  explicit StructType(std::string name) : Type(Kind), name(std::move(name)) {}
  const std::string name;
  std::vector<StructField> fields;
  unsigned size = 0;
  unsigned align = 1;

  const StructField *find(std::string_view field) const;
  const StructField *find(const ast::Decl *decl) const;
};

struct EnumMember {
  std::string name;
  uint64_t value = 0;
};

class EnumType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Enum;
  explicit EnumType(std::string name) : Type(Kind), name(std::move(name)) {}
  const std::string name;
  const IntType *underlying = nullptr;
  std::vector<EnumMember> members;
};

class ArrayType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Array;
  ArrayType(const Type *element, uint64_t count)
      : Type(Kind), element(element), count(count) {}
  const Type *const element;
  const uint64_t count;
};

class SliceType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Slice;
  SliceType(const Type *element, MemorySpace space)
      : Type(Kind), element(element), space(space) {}
  const Type *const element;
  const MemorySpace space;
};

/// Size and alignment in NIC and host memory (identical on both sides; host
/// stubs assert it). Slices, views and handles have none: 0.
unsigned sizeInBytes(const Type *type);
unsigned alignInBytes(const Type *type);

inline bool isInteger(const Type *t) {
  return t->kind == TypeKind::Int || t->kind == TypeKind::Literal;
}

/// `t` as a T, or null. Works on null.
template <typename T> const T *dynAs(const Type *t) {
  return t && t->kind == T::Kind ? static_cast<const T *>(t) : nullptr;
}
/// `t` as a T; the caller knows that it is one.
template <typename T> const T *as(const Type *t) {
  return static_cast<const T *>(t);
}

/// Owns every type of a compilation, and the facts Sema found out about the
/// program (Info.h).
class TypeContext {
public:
  TypeContext();
  ~TypeContext();
  TypeContext(const TypeContext &) = delete;
  TypeContext &operator=(const TypeContext &) = delete;

  const Type *error() const { return simple(TypeKind::Error); }
  const Type *voidType() const { return simple(TypeKind::Void); }
  const Type *none() const { return simple(TypeKind::None); }
  const Type *literal() const { return simple(TypeKind::Literal); }
  const Type *boolean() const { return simple(TypeKind::Bool); }
  const Type *process() const { return simple(TypeKind::Process); }
  const Type *command() const { return simple(TypeKind::Command); }
  const Type *lock() const { return simple(TypeKind::Lock); }
  const Type *message() const { return simple(TypeKind::Message); }
  const Type *packet() const { return simple(TypeKind::Packet); }
  const Type *view() const { return simple(TypeKind::View); }
  const Type *pieces() const { return simple(TypeKind::Pieces); }
  const Type *piece() const { return simple(TypeKind::Piece); }

  const IntType *integer(unsigned width, bool isSigned);
  const IntType *u(unsigned width) { return integer(width, false); }
  const IntType *i(unsigned width) { return integer(width, true); }
  const WireType *wire(unsigned width, ByteOrder order);
  const FloatType *floating(unsigned width);
  const SimdType *simd(const IntType *element, unsigned lanes);
  const ArrayType *array(const Type *element, uint64_t count);
  const SliceType *slice(const Type *element, MemorySpace space);

  /// Nominal types: one per declaration, filled in by the caller.
  HeaderType *createHeader(std::string name);
  StructType *createStruct(std::string name);
  EnumType *createEnum(std::string name);

  /// Facts about the analysed program; empty before analyze().
  sema::ProgramInfo &program() { return *info; }
  const sema::ProgramInfo &program() const { return *info; }

private:
  const Type *simple(TypeKind kind) const;
  template <typename T> T *own(std::unique_ptr<T> type);

  std::vector<std::unique_ptr<Type>> owned;
  std::map<TypeKind, const Type *> simples;
  std::map<std::pair<unsigned, bool>, const IntType *> integers;
  std::map<std::pair<unsigned, ByteOrder>, const WireType *> wires;
  std::map<unsigned, const FloatType *> floats;
  std::map<std::pair<const IntType *, unsigned>, const SimdType *> simds;
  std::map<std::pair<const Type *, uint64_t>, const ArrayType *> arrays;
  std::map<std::pair<const Type *, MemorySpace>, const SliceType *> slices;
  std::unique_ptr<sema::ProgramInfo> info;
};

namespace sema {
using namespace spinc; // sema::Type and spinc::Type are the same name
} // namespace sema

} // namespace spinc
