// Layout of header types: bit offsets in network order (pkt-1), what a field
// may be (pkt-2), and the sizes of a header whose size a field gives (pkt-3,
// pkt-10).
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

static constexpr unsigned maximumHeaderBytes = 1024;

/// Integers fill exactly their bits; wire integers and arrays of u8 fill whole
/// bytes and start on one.
bool Analyzer::headerField(ast::FieldDecl &decl, HeaderField &field) {
  field.name = decl.name.text;
  field.decl = &decl;
  field.where = decl.where.get();
  const Type *type = resolveType(*decl.typeExpr);
  decl.type = type;
  if (type->isError())
    return false;
  field.type = type;
  if (const auto *integer = dynAs<IntType>(type)) {
    field.value = type;
    field.bitWidth = integer->width;
    return true;
  }
  if (const auto *wire = dynAs<WireType>(type)) {
    field.value = wire->value;
    field.bitWidth = wire->width;
    field.order = wire->order;
    decl.type = wire->value;
    return true;
  }
  const auto *array = dynAs<ArrayType>(type);
  if (array &&
      (array->element == types.u(8) || array->element == types.i(8) ||
       array->element->is(TypeKind::Wire)) &&
      sizeInBytes(type) <= maximumHeaderBytes) {
    field.value = type;
    field.bitWidth = 8 * sizeInBytes(type);
    return true;
  }
  diagnostics.report(diag::TypeMismatch, decl.typeExpr->range,
                     "an integer, a wire integer, a bit field or an array of "
                     "bytes or wire integers",
                     type->str());
  decl.type = poison();
  return false;
}

/// pkt-10: `u8 name[]` at the end of a sized header.
bool Analyzer::isRest(const ast::HeaderDecl &decl, ast::FieldDecl &field,
                      HeaderType &header) {
  if (field.typeExpr->kind != ast::TypeExprKind::Slice)
    return false;
  const Type *type = resolveType(*field.typeExpr);
  field.type = poison();
  if (type->isError())
    return true;
  if (!decl.size || &field != decl.fields.back().get() ||
      as<SliceType>(type)->element != types.u(8) || field.where) {
    diagnostics
        .report(diag::BadHeader, field.range, decl.name.text,
                "'" + field.name.text + "' has no length")
        .reason("'u8 " + field.name.text +
                "[]' is the rest of a header with sized(…), behind all fields");
    return true;
  }
  field.type = type;
  header.rest = &field;
  return true;
}

void Analyzer::layOutHeader(ast::HeaderDecl &decl, HeaderType &header) {
  PlaceGuard guard(*this, Place::HeaderRule);
  Scopes outer;
  std::swap(outer, scopes);
  scopes.push();
  unsigned bits = 0;
  bool complete = true;
  for (const std::unique_ptr<ast::FieldDecl> &fieldDecl : decl.fields) {
    HeaderField field;
    declare(scopes.innermost(), fieldDecl.get());
    if (isRest(decl, *fieldDecl, header))
      continue;
    if (!headerField(*fieldDecl, field)) {
      complete = false;
      continue;
    }
    field.bitOffset = bits;
    bits += field.bitWidth;
    bool needsByte = field.type->is(TypeKind::Wire) ||
                     field.type->is(TypeKind::Array) || field.bitWidth > 32;
    if (needsByte && field.bitOffset % 8 != 0 && complete) {
      diagnostics
          .report(diag::BadHeader, fieldDecl->range, decl.name.text,
                  "'" + field.name + "' does not start on a byte")
          .reason("it starts at bit " + std::to_string(field.bitOffset % 8) +
                  " of byte " + std::to_string(field.bitOffset / 8));
      complete = false;
    }
    header.fields.push_back(std::move(field));
  }
  for (const std::unique_ptr<ast::FieldDecl> &fieldDecl : decl.fields)
    if (fieldDecl->where && fieldDecl->type && !fieldDecl->type->isError())
      checkBool(fieldDecl->where);
  if (complete && bits % 8 != 0)
    diagnostics
        .report(diag::BadHeader, decl.name.range, decl.name.text,
                "the bit fields do not fill whole bytes")
        .reason(std::to_string(bits % 8) + " bits are in the last byte");
  if (complete && bits == 0)
    diagnostics.report(diag::BadHeader, decl.name.range, decl.name.text,
                       "it has no fields");
  if (bits / 8 > maximumHeaderBytes)
    diagnostics.report(diag::BadHeader, decl.name.range, decl.name.text,
                       "it has more than " +
                           std::to_string(maximumHeaderBytes) + " bytes");
  header.fixedBytes = (bits + 7) / 8;
  header.bytes = header.fixedBytes;
  if (decl.size && complete) {
    const Type *type = checkValue(decl.size);
    if (!type->isError() && convert(decl.size, types.u(32))) {
      header.sized = decl.size.get();
      chooseSize(decl, header);
    }
  }
  std::swap(outer, scopes);
  addFollowRules(decl, header);
}

/// pkt-11: which field of the header before is meant is known where it stands.
void Analyzer::addFollowRules(ast::HeaderDecl &decl, HeaderType &header) {
  PlaceGuard guard(*this, Place::Constant);
  Scopes outer;
  std::swap(outer, scopes);
  for (ast::FollowRule &rule : decl.follows) {
    if (!checkAs(rule.value, types.u(64)))
      continue;
    if (!rule.value->value) {
      diagnostics.report(diag::NotConstant, rule.value->range);
      continue;
    }
    header.follows.push_back(
        {rule.field.text, rule.value->value->getZExtValue()});
  }
  std::swap(outer, scopes);
}

/// The single field that `expr` reads; null for none or several.
static const ast::FieldDecl *onlyField(const ast::Expr &expr, bool &several) {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr))
    return llvm::dyn_cast_or_null<ast::FieldDecl>(name->decl);
  if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(&expr))
    return onlyField(*cast->operand, several);
  if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(&expr))
    return onlyField(*unary->operand, several);
  const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&expr);
  if (!binary)
    return nullptr;
  const ast::FieldDecl *left = onlyField(*binary->left, several);
  const ast::FieldDecl *right = onlyField(*binary->right, several);
  if (left && right && left != right)
    several = true;
  return left ? left : right;
}

/// pkt-3: tries every value of the size field. The smallest size that holds the
/// declared fields is the header's smallest legal size.
void Analyzer::chooseSize(const ast::HeaderDecl &decl, HeaderType &header) {
  constexpr unsigned maximumFieldBits = 16;
  bool several = false;
  const ast::FieldDecl *field = onlyField(*decl.size, several);
  const HeaderField *info = field ? header.find(field) : nullptr;
  if (!info || several || info->bitWidth > maximumFieldBits) {
    diagnostics
        .report(diag::BadHeader, decl.size->range, decl.name.text,
                "its size is not a function of one field")
        .reason("expected one field of at most 16 bits and constants");
    return;
  }
  std::optional<Number> best;
  for (uint64_t v = 0; v < (uint64_t(1) << info->bitWidth); ++v) {
    Bindings bindings;
    bindings[field] = unsignedNumber(v);
    if (info->where) {
      std::optional<Number> holds = evaluate(*info->where, bindings);
      if (holds && *holds == 0)
        continue;
    }
    std::optional<Number> size = evaluate(*decl.size, bindings);
    if (!size || *size < unsignedNumber(header.fixedBytes))
      continue;
    if (!best || *size < *best) {
      best = size;
      header.sizeMin = header.sizeMax = v;
    } else if (*size == *best && v == header.sizeMax + 1) {
      header.sizeMax = v;
    }
  }
  if (!best || *best > unsignedNumber(maximumHeaderBytes)) {
    diagnostics
        .report(diag::BadHeader, decl.size->range, decl.name.text,
                "no value of '" + info->name + "' gives a possible size")
        .reason("the fields need " + std::to_string(header.fixedBytes) +
                " bytes");
    return;
  }
  header.sizeField = info;
  header.bytes = static_cast<unsigned>(best->getZExtValue());
}

} // namespace spinc::sema
