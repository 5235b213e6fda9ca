// Declarations at the top of a file: their names, the constants and the types.
// Their order in the file does not matter (nam-1); a constant or header is
// worked out when it is first needed.
#include "compiler/Sema/Analyzer.h"

#include "compiler/Diagnostics/Suggest.h"

#include "llvm/Support/Path.h"

namespace spinc::sema {

void Analyzer::declareTopLevel(ast::Program &program) {
  for (const std::unique_ptr<ast::Decl> &decl : program.decls) {
    if (llvm::isa<ast::ImportDecl>(decl.get()))
      continue;
    if (&program != mainProgram && llvm::isa<ast::ContextDecl>(decl.get())) {
      // mod-4
      diagnostics
          .report(diag::ModuleWithContext, decl->name.range,
                  llvm::sys::path::stem(program.file->path()), decl->name.text)
          .reason("an imported module holds constants, types and functions");
      continue;
    }
    declare(*moduleScope, decl.get());
    if (auto *enumeration = llvm::dyn_cast<ast::EnumDecl>(decl.get()))
      for (const auto &enumerator : enumeration->enumerators)
        declare(*moduleScope, enumerator.get());
  }
}

void Analyzer::checkTopLevel(ast::Program &program) {
  for (const std::unique_ptr<ast::Decl> &decl : program.decls) {
    PlaceGuard guard(*this, Place::Constant);
    switch (decl->kind) {
    case ast::DeclKind::Const:
      ensureConstant(llvm::cast<ast::ConstDecl>(*decl));
      break;
    case ast::DeclKind::Header:
      ensureHeader(llvm::cast<ast::HeaderDecl>(*decl));
      break;
    case ast::DeclKind::Function:
      ensureFunction(llvm::cast<ast::FunctionDecl>(*decl));
      break;
    case ast::DeclKind::Struct:
      ensureStruct(llvm::cast<ast::StructDecl>(*decl));
      break;
    case ast::DeclKind::Enum:
      ensureEnum(llvm::cast<ast::EnumDecl>(*decl));
      break;
    default:
      break;
    }
  }
  if (&program != mainProgram)
    return;
  for (const std::unique_ptr<ast::Decl> &decl : program.decls)
    if (auto *contextDecl = llvm::dyn_cast<ast::ContextDecl>(decl.get()))
      checkContext(*contextDecl);
}

/// con-1: numbers, and tables and structs of what can be stored.
bool Analyzer::canBeConstant(const Type *type) const {
  const Type *element = type;
  while (const auto *array = dynAs<ArrayType>(element))
    element = array->element;
  return type->is(TypeKind::Int) ||
         (canBeStored(type) && !type->is(TypeKind::Process) &&
          !element->is(TypeKind::Simd));
}

/// typ-9: a constant has a value, at compile time, that fits its type.
void Analyzer::ensureConstant(ast::ConstDecl &constant) {
  if (done.count(&constant))
    return;
  if (!inProgress.insert(&constant).second) {
    diagnostics.report(diag::ConstantCycle, constant.name.range,
                       constant.name.text);
    constant.type = poison();
    return;
  }
  PlaceGuard guard(*this, Place::Constant);
  Scopes outer;
  std::swap(outer, scopes);
  const Type *type = nullptr;
  if (constant.typeExpr)
    type = resolveType(*constant.typeExpr);
  const Type *found = type ? type : poison();
  if (!type && llvm::isa<ast::InitListExpr>(constant.init.get()))
    diagnostics.report(diag::TypeMismatch, constant.init->range,
                       "a type before '" + constant.name.text + "'",
                       "a list of values");
  else if (!type)
    found = checkValue(constant.init);
  else if (!type->isError() && !canBeConstant(type))
    diagnostics.report(diag::TypeMismatch, constant.typeExpr->range,
                       "the type of a constant", type->str()),
        found = poison();
  else if (!type->isError() && !checkInitializer(constant.init, type))
    found = poison();
  if (!found->isError() && !isConstantInit(*constant.init))
    found = poison();
  std::swap(outer, scopes);
  constant.type = found->isError() ? found : (type ? type : found);
  inProgress.erase(&constant);
  done.insert(&constant);
}

void Analyzer::ensureHeader(ast::HeaderDecl &decl) {
  if (done.count(&decl))
    return;
  HeaderType *header = types.createHeader(decl.name.text);
  decl.type = header;
  done.insert(&decl);
  layOutHeader(decl, *header);
}

/// uN or iN (typ-1), or null.
static std::optional<std::pair<bool, unsigned>>
integerName(llvm::StringRef name) {
  bool isSigned = name.consume_front("i");
  if (!isSigned && !name.consume_front("u"))
    return std::nullopt;
  unsigned width = 0;
  if (name.empty() || name.front() == '0' || name.getAsInteger(10, width))
    return std::nullopt;
  return std::make_pair(isSigned, width);
}

const Type *Analyzer::builtinType(llvm::StringRef name, SourceRange range) {
  if (name == "bool")
    return types.boolean();
  if (name == "process")
    return types.process();
  if (name == "message")
    return types.message();
  if (name == "packet")
    return types.packet();
  if (name == "void")
    return types.voidType();
  if (name == "f32" || name == "f64")
    return types.floating(name == "f32" ? 32 : 64);
  if (name == "i8x4" || name == "u8x4" || name == "i16x2" || name == "u16x2")
    return types.simd(
        types.integer(name.ends_with("x4") ? 8 : 16, name.starts_with("i")),
        name.ends_with("x4") ? 4 : 2);
  if (name == "command")
    return types.command();
  if (name == "counter") {
    if (place == Place::StateType)
      return types.u(32);
    diagnostics.report(diag::WrongKind, range, name, "a kind of state field",
                       "a type"); // sta-12
    return poison();
  }
  if (lockKind(name)) {
    if (place == Place::StateType)
      return types.lock();
    diagnostics.report(diag::WrongKind, range, name, "a kind of state field",
                       "a type"); // lck-1
    return poison();
  }
  llvm::StringRef digits = name;
  bool isBig = digits.consume_front("be");
  if (isBig || digits.consume_front("le")) {
    unsigned width = 0;
    bool known =
        !digits.getAsInteger(10, width) &&
        (width == 16 || width == 32 || width == 64 || (width == 48 && isBig));
    return known ? types.wire(width, isBig ? ByteOrder::Big : ByteOrder::Little)
                 : nullptr;
  }
  std::optional<std::pair<bool, unsigned>> integer = integerName(name);
  if (!integer || integer->second > 64)
    return nullptr;
  return types.integer(integer->second, integer->first);
}

const Type *Analyzer::namedType(ast::NamedTypeExpr &named) {
  ast::Decl *decl = moduleScope->find(named.name);
  if (decl) {
    named.decl = decl;
    if (auto *header = llvm::dyn_cast<ast::HeaderDecl>(decl)) {
      ensureHeader(*header);
      return decl->type;
    }
    if (auto *record = llvm::dyn_cast<ast::StructDecl>(decl)) {
      ensureStruct(*record);
      return decl->type;
    }
    if (auto *enumeration = llvm::dyn_cast<ast::EnumDecl>(decl)) {
      ensureEnum(*enumeration);
      return decl->type;
    }
    diagnostics.report(diag::WrongKind, named.range, named.name, "no type",
                       "a type");
    return poison();
  }
  if (const Type *type = builtinType(named.name, named.range))
    return type;
  if (importsIncomplete)
    return poison();
  DiagnosticBuilder report =
      diagnostics.report(diag::UnknownType, named.range, named.name);
  std::vector<llvm::StringRef> known = {
      "bool",   "u8",   "u16",  "u32",   "u64",     "i8",      "i16",
      "i32",    "i64",  "be16", "be32",  "be48",    "be64",    "le16",
      "le32",   "le64", "f32",  "f64",   "process", "command", "message",
      "packet", "i8x4", "u8x4", "i16x2", "u16x2"};
  moduleScope->collectNames(known);
  if (integerName(named.name))
    report.reason("integers have 1 to 64 bits");
  else if (std::optional<llvm::StringRef> near = suggest(named.name, known))
    report.fix(("did you mean '" + *near + "'?").str())
        .fixIt(named.range, near->str());
  return poison();
}

static constexpr uint64_t maximumArrayBytes = uint64_t(1) << 31;

const Type *Analyzer::arrayType(ast::ArrayTypeExpr &array) {
  const Type *element = resolveType(*array.element);
  PlaceGuard guard(*this, Place::Constant);
  const Type *size = checkValue(array.size);
  if (element->isError() || size->isError())
    return poison();
  if (!array.size->value) {
    diagnostics.report(diag::NotConstant, array.size->range)
        .reason("the length of an array is part of its type");
    return poison();
  }
  if (!convert(array.size, types.u(32)))
    return poison();
  uint64_t count = array.size->value->getZExtValue();
  if (count == 0 || sizeInBytes(element) == 0) {
    diagnostics.report(diag::TypeMismatch, array.range,
                       "an array of at least one value with a size",
                       element->str() + "[" + std::to_string(count) + "]");
    return poison();
  }
  if (count > maximumArrayBytes / sizeInBytes(element)) {
    diagnostics.report(diag::DoesNotFit, array.range,
                       "an array of " + std::to_string(count) + " elements",
                       "the address space of the card");
    return poison();
  }
  return types.array(element, count);
}

const Type *Analyzer::resolveType(ast::TypeExpr &type) {
  switch (type.kind) {
  case ast::TypeExprKind::Named:
    type.type = namedType(llvm::cast<ast::NamedTypeExpr>(type));
    break;
  case ast::TypeExprKind::Array:
    type.type = arrayType(llvm::cast<ast::ArrayTypeExpr>(type));
    break;
  case ast::TypeExprKind::Slice: {
    auto &slice = llvm::cast<ast::SliceTypeExpr>(type);
    const Type *element = resolveType(*slice.element);
    type.type = element->isError() ? poison()
                                   : types.slice(element, MemorySpace::Packet);
    break;
  }
  case ast::TypeExprKind::OneOf:
    diagnostics
        .report(diag::TypeMismatch, type.range, "a type",
                "'" + type.range.text().str() + "'")
        .reason("one of several headers stands in 'packet { … }' only");
    type.type = poison(); // pkt-11
    break;
  }
  return type.type;
}

} // namespace spinc::sema
