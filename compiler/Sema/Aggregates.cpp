// Enums, structs and what is stored in memory: their layout (typ-18 … typ-21),
// initial values in braces (typ-22), and local arrays (mem-1 … mem-3).
#include "compiler/Sema/Analyzer.h"

#include "runtime/abi/pspin.h"

namespace spinc::sema {

static unsigned alignTo(unsigned offset, unsigned align) {
  return (offset + align - 1) / align * align;
}

//===-- Enums -------------------------------------------------------------===//

/// typ-18: without a written type, the first of u32 and i32 that holds all.
static const IntType *underlyingOf(TypeContext &types, const Number &low,
                                   const Number &high) {
  for (const IntType *type :
       {types.u(32), types.i(32), types.u(64), types.i(64)})
    if (fits(low, type) && fits(high, type))
      return type;
  return types.i(64);
}

/// An enumerator is one more than the one before, or a constant that may name
/// those before.
bool Analyzer::enumeratorValue(ast::EnumeratorDecl &decl, Number &value) {
  if (!decl.init)
    return true;
  if (checkValue(decl.init)->isError())
    return false;
  bool isNumber =
      isInteger(decl.init->type) || decl.init->type->is(TypeKind::Enum);
  if (!decl.init->value || !isNumber) {
    diagnostics.report(diag::NotConstant, decl.init->range);
    return false;
  }
  value = widen(*decl.init->value);
  defaultLiteral(*decl.init);
  return true;
}

void Analyzer::ensureEnum(ast::EnumDecl &decl) {
  if (done.count(&decl) || decl.type)
    return;
  EnumType *type = types.createEnum(decl.name.text);
  decl.type = type;
  PlaceGuard guard(*this, Place::Constant);
  Scopes outer;
  std::swap(outer, scopes);
  const IntType *written = nullptr;
  if (decl.underlying) {
    const Type *found = resolveType(*decl.underlying);
    written = dynAs<IntType>(found);
    bool isMachineSize = written && sizeInBytes(written) * 8 == written->width;
    if (!found->isError() && !isMachineSize) {
      diagnostics.report(diag::TypeMismatch, decl.underlying->range,
                         "an integer of 8, 16, 32 or 64 bits", found->str());
      written = nullptr;
    }
  }
  Number next = number(0), low = number(0), high = number(0);
  for (const auto &enumerator : decl.enumerators) {
    Number value = next;
    if (!enumeratorValue(*enumerator, value))
      value = next;
    if (written && !fits(value, written)) {
      diagnostics.report(diag::DoesNotFit, enumerator->range, toString(value),
                         written->str());
      value = number(0);
    }
    enumerator->type = type;
    enumerator->value = value;
    low = std::min(low, value);
    high = std::max(high, value);
    next = Number(value + number(1));
  }
  type->underlying = written ? written : underlyingOf(types, low, high);
  for (const auto &enumerator : decl.enumerators) {
    enumerator->value = narrow(widen(*enumerator->value), type->underlying);
    type->members.push_back({enumerator->name.text,
                             enumerator->value->extOrTrunc(64).getZExtValue()});
  }
  std::swap(outer, scopes);
  done.insert(&decl);
}

//===-- Structs -----------------------------------------------------------===//

/// typ-19: what can lie in memory.
bool Analyzer::canBeStored(const Type *type) const {
  switch (type->kind) {
  case TypeKind::Bool:
  case TypeKind::Process:
  case TypeKind::Wire:
  case TypeKind::Float:
  case TypeKind::Simd:
  case TypeKind::Enum:
  case TypeKind::Struct:
    return true;
  case TypeKind::Int:
    return sizeInBytes(type) * 8 == as<IntType>(type)->width;
  case TypeKind::Array:
    return canBeStored(as<ArrayType>(type)->element);
  default:
    return false;
  }
}

static constexpr uint64_t maximumStructBytes = 64 * 1024;

/// typ-20: the layout of C.
void Analyzer::layOutStruct(const std::vector<ast::FieldPtr> &fields,
                            StructType &type) {
  Scope names;
  for (const ast::FieldPtr &field : fields) {
    declare(names, field.get());
    const Type *found = resolveType(*field->typeExpr);
    field->type = found;
    if (field->where)
      diagnostics
          .report(diag::TypeMismatch, field->where->range, "';'", "'where'")
          .reason("rules stand at fields of headers and at parameters");
    if (found->isError())
      continue;
    if (!canBeStored(found)) {
      diagnostics.report(diag::TypeMismatch, field->typeExpr->range,
                         "an integer of 8, 16, 32 or 64 bits, a wire integer, "
                         "a float, bool, enum, "
                         "struct or array of these",
                         found->str());
      field->type = poison();
      continue;
    }
    unsigned align = alignInBytes(found);
    unsigned offset = alignTo(type.size, align);
    type.fields.push_back({field->name.text, found, offset, field.get()});
    uint64_t end = uint64_t(offset) + sizeInBytes(found);
    if (end > maximumStructBytes) {
      diagnostics.report(diag::DoesNotFit, field->range,
                         "'" + field->name.text + "'",
                         "a struct of at most " +
                             std::to_string(maximumStructBytes) + " bytes");
      return;
    }
    type.size = static_cast<unsigned>(end);
    type.align = std::max(type.align, align);
  }
  type.size = alignTo(type.size, type.align);
}

void Analyzer::ensureStruct(ast::StructDecl &decl) {
  if (done.count(&decl))
    return;
  if (!inProgress.insert(&decl).second) {
    diagnostics.report(diag::ConstantCycle, decl.name.range, decl.name.text);
    decl.type = poison();
    return;
  }
  StructType *type = types.createStruct(decl.name.text);
  layOutStruct(decl.fields, *type);
  if (decl.fields.empty())
    diagnostics.report(diag::TypeMismatch, decl.name.range, "a field",
                       "an empty struct");
  if (!decl.type) // not part of itself
    decl.type = type->size == 0 ? poison() : type;
  inProgress.erase(&decl);
  done.insert(&decl);
}

//===-- Initial values ----------------------------------------------------===//

/// typ-22: `{ 1, 2 }` for an array, `{ 1, 2 }` or `{ x: 1, y: 2 }` for a
/// struct,
/// `{ 1, 2, 3, 4 }` for a SIMD value. What is left out is zero.
bool Analyzer::checkInitializer(ast::ExprPtr &init, const Type *type) {
  auto *list = llvm::dyn_cast<ast::InitListExpr>(init.get());
  const auto *simd = dynAs<SimdType>(type);
  const auto *array = dynAs<ArrayType>(type);
  const auto *record = dynAs<StructType>(type);
  if (list && (array || simd)) {
    list->type = type;
    return checkElements(*list, array ? array->element : simd->element,
                         array ? array->count : simd->lanes);
  }
  if (list && record) {
    list->type = type;
    return checkMembers(*list, *record);
  }
  if (list) {
    diagnostics.report(diag::TypeMismatch, init->range, type->str(),
                       "a list of values");
    return false;
  }
  if (array) {
    diagnostics.report(diag::TypeMismatch, init->range, "{ … }",
                       "'" + init->range.text().str() + "'");
    return false;
  }
  if (record)
    return checkRecord(init, record);
  return checkAs(init, valueOf(type));
}

bool Analyzer::checkElements(ast::InitListExpr &list, const Type *element,
                             uint64_t count) {
  if (list.elements.size() > count) {
    diagnostics.report(diag::TypeMismatch, list.range,
                       "at most " + std::to_string(count) + " values",
                       std::to_string(list.elements.size()));
    return false;
  }
  bool ok = true;
  for (ast::Argument &value : list.elements) {
    if (value.name) {
      diagnostics.report(diag::TypeMismatch, value.name->range, "a value",
                         "'" + value.name->text + ":'");
      ok = false;
      continue;
    }
    ok &= checkInitializer(value.value, element);
  }
  return ok;
}

bool Analyzer::checkMembers(ast::InitListExpr &list, const StructType &record) {
  bool ok = true;
  std::set<const StructField *> given;
  for (size_t i = 0; i < list.elements.size(); ++i) {
    ast::Argument &value = list.elements[i];
    const StructField *field = nullptr;
    if (value.name) {
      field = record.find(std::string_view(value.name->text));
      if (!field) {
        std::vector<std::string> names;
        for (const StructField &known : record.fields)
          names.push_back(known.name);
        noMember("struct '" + record.name + "'", *value.name, names);
      }
    } else if (list.elements.front().name) {
      diagnostics.report(diag::TypeMismatch, value.value->range, "'name: …'",
                         "a value without a name");
    } else if (i < record.fields.size()) {
      field = &record.fields[i];
    } else {
      diagnostics.report(diag::TypeMismatch, list.range,
                         "at most " + std::to_string(record.fields.size()) +
                             " values",
                         std::to_string(list.elements.size()));
      return false;
    }
    if (!field) {
      ok = false;
      continue;
    }
    if (!given.insert(field).second) {
      diagnostics.report(diag::DeclaredTwice, value.value->range, field->name);
      ok = false;
      continue;
    }
    ok &= checkInitializer(value.value, field->type);
  }
  return ok;
}

/// typ-21: a struct is copied from one of its type.
bool Analyzer::checkRecord(ast::ExprPtr &value, const StructType *type) {
  const Type *found = checkThing(value);
  if (found->isError())
    return false;
  if (found != type) {
    diagnostics.report(diag::TypeMismatch, value->range, type->str(),
                       found->str());
    return false;
  }
  return checkRead(*value);
}

/// Whether all values of an initial value are constants, which a table in L2
/// needs.
bool Analyzer::isConstantInit(const ast::Expr &init) {
  const auto *list = llvm::dyn_cast<ast::InitListExpr>(&init);
  if (!list) {
    if (!init.value)
      diagnostics.report(diag::NotConstant, init.range);
    return init.value.has_value();
  }
  bool ok = true;
  for (const ast::Argument &value : list->elements)
    ok &= isConstantInit(*value.value);
  return ok;
}

//===-- Places in memory --------------------------------------------------===//

/// Where the bytes of a place lie: an element, a field of a struct, an array.
MemorySpace Analyzer::spaceOf(const ast::Expr &place) const {
  if (const auto *slice = dynAs<SliceType>(place.type))
    return slice->space;
  if (const auto *index = llvm::dyn_cast<ast::IndexExpr>(&place))
    return spaceOf(*index->base);
  if (const auto *part = llvm::dyn_cast<ast::SliceExpr>(&place))
    return spaceOf(*part->base);
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&place))
    return llvm::isa_and_nonnull<ast::ConstDecl>(name->decl)
               ? MemorySpace::Const
               : MemorySpace::Local;
  const auto *field = llvm::dyn_cast<ast::FieldExpr>(&place);
  if (!field)
    return MemorySpace::Local;
  if (field->base->type && field->base->type->is(TypeKind::Struct))
    return spaceOf(*field->base);
  if (const StateField *state = stateFieldOf(place))
    return state->space == StateSpace::L2 ? MemorySpace::StateL2
                                          : MemorySpace::StateL1;
  return MemorySpace::Packet;
}

/// mem-1, mem-2: an array or struct of the handler that runs.
void Analyzer::declareMemory(ast::LocalDecl &local, const Type *type) {
  local.type = type;
  bool isArray = type->is(TypeKind::Array);
  if (!type->isError() && !isArray && !type->is(TypeKind::Struct)) {
    diagnostics
        .report(diag::TypeMismatch, local.typeExpr->range,
                "an array or a struct", type->str())
        .fix("declare '" + type->str() + " " + local.name.text +
             ";': a variable needs no memory");
    local.type = poison();
  } else if (isArray && local.localKind != ast::LocalKind::Memory) {
    diagnostics
        .report(diag::TypeMismatch, local.typeExpr->range,
                "the type of a variable", type->str())
        .fix("write 'local' before it");
    local.type = poison();
  } else if (!type->isError() && !canBeStored(type)) {
    diagnostics.report(diag::TypeMismatch, local.typeExpr->range,
                       "elements of 8, 16, 32 or 64 bits", type->str());
    local.type = poison();
  }
  local.localKind = ast::LocalKind::Memory;
  if (local.init && !local.type->isError() &&
      !checkInitializer(local.init, local.type))
    local.init = nullptr;
  constexpr uint64_t most = PSPIN_L1_STATE_SIZE / PSPIN_HPUS_PER_CLUSTER;
  if (!local.type->isError() && sizeInBytes(local.type) > most) {
    diagnostics.report(diag::StateTooLarge, local.range, local.name.text,
                       "an HPU's part of L1", sizeInBytes(local.type), most);
    local.type = poison();
  }
}

} // namespace spinc::sema
