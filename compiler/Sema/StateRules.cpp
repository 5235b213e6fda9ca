// State fields: what each kind may hold (sta-1 … sta-5), and who may read and
// write it: race freedom is a typing rule. Placement.cpp says where they lie.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

void Analyzer::checkState(ast::ContextDecl &decl) {
  if (!decl.state)
    return;
  Scope names;
  for (const std::unique_ptr<ast::StateFieldDecl> &fieldDecl :
       decl.state->fields) {
    declare(names, fieldDecl.get());
    StateField field;
    if (!stateField(*fieldDecl, field))
      continue;
    if (field.kind == StateKind::Guarded && !findGuard(decl, *fieldDecl)) {
      fieldDecl->type = poison();
      continue;
    }
    context->state.push_back(std::move(field));
    if (context->state.back().lock == LockKind::Mcs)
      context->state.push_back(lockNode(context->state.back()));
  }
  // A condition may name parameters that are declared later.
  for (const std::unique_ptr<ast::StateFieldDecl> &fieldDecl :
       decl.state->fields) {
    if (!fieldDecl->where || fieldDecl->type->isError())
      continue;
    if (fieldDecl->stateKind != ast::StateKind::Param) {
      // sta-1
      diagnostics
          .report(diag::BadStateField, fieldDecl->where->range,
                  fieldDecl->name.text, "has a 'where' and is no parameter")
          .reason("'where' is checked when the context is installed");
      continue;
    }
    if (!fieldDecl->type->is(TypeKind::Int)) {
      diagnostics
          .report(diag::BadStateField, fieldDecl->where->range,
                  fieldDecl->name.text, "has a 'where' and is no integer")
          .reason("conditions speak of parameters that are integers");
      continue;
    }
    PlaceGuard guard(*this, Place::ParamRule);
    if (checkBool(fieldDecl->where)->isError() ||
        !checkInstallForm(*fieldDecl->where))
      continue;
    for (StateField &field : context->state)
      if (field.decl == fieldDecl.get())
        field.where.push_back(fieldDecl->where.get());
  }
}

/// `counter` or an array of them.
bool Analyzer::isCounter(const ast::TypeExpr &type) {
  if (const auto *array = llvm::dyn_cast<ast::ArrayTypeExpr>(&type))
    return isCounter(*array->element);
  const auto *named = llvm::dyn_cast<ast::NamedTypeExpr>(&type);
  return named && named->name == "counter";
}

/// Fills `field` from its declaration; false after an error.
bool Analyzer::stateField(ast::StateFieldDecl &decl, StateField &field) {
  switch (decl.stateKind) {
  case ast::StateKind::PerHpu:
    field.kind = StateKind::PerHpu;
    break;
  case ast::StateKind::Guarded:
    field.kind = StateKind::Guarded;
    break;
  case ast::StateKind::Param:
    field.kind = StateKind::Param;
    break;
  case ast::StateKind::Plain:
    field.kind = StateKind::Plain;
    break;
  case ast::StateKind::Atomic:
    field.kind =
        decl.perCluster ? StateKind::PerClusterAtomic : StateKind::Atomic;
    break;
  }
  const Type *type = nullptr;
  {
    PlaceGuard guard(*this, Place::StateType);
    type = resolveType(*decl.typeExpr);
  }
  decl.type = type;
  if (type->isError())
    return false;
  const auto *array = dynAs<ArrayType>(type);
  if (type->is(TypeKind::Lock))
    return lockField(decl, field);
  field.name = decl.name.text;
  field.decl = &decl;
  field.type = field.element = type;
  if (array) {
    field.element = array->element;
    field.count = array->count;
    field.isArray = true;
  }
  bool isParam = field.kind == StateKind::Param;
  bool isValue = canBeStored(field.element) &&
                 !(isParam && (field.element->is(TypeKind::Process) ||
                               field.element->is(TypeKind::Simd)));
  std::string problem;
  if (isCounter(*decl.typeExpr)) {
    // sta-12: an atomic number with operations of its own.
    if (field.kind != StateKind::Plain)
      problem = "is a counter, which is a kind of its own";
    field.kind = StateKind::Atomic;
  } else if (decl.perCluster && decl.stateKind != ast::StateKind::Atomic)
    problem = "is per_cluster and not atomic"; // sta-4
  else if (isParam && (!isValue || field.element->is(TypeKind::Bool)))
    problem = "is a parameter and cannot hold " + type->str() +
              ": expected an integer of 8, 16, 32 or 64 bits, an enum, a "
              "struct or an array"; // sta-1
  else if (!isValue)
    problem = "cannot hold " + field.element->str() +
              ": expected an integer of 8, 16, 32 or 64 bits, bool, process, "
              "enum, struct or array";
  if (!problem.empty()) {
    decl.type = poison();
    diagnostics.report(diag::BadStateField, decl.range, decl.name.text,
                       problem);
    return false;
  }
  bool isL2 = decl.placement == ast::Placement::L2 ||
              (decl.placement == ast::Placement::Default &&
               field.kind == StateKind::Atomic && comparesAndSwaps(field.name));
  field.space = isL2 ? StateSpace::L2 : StateSpace::L1;
  if (!checkAtomicField(decl, field)) {
    decl.type = poison();
    return false;
  }
  return true;
}

/// sta-3, sta-6: what PsPIN's atomic operations can work on, and where.
bool Analyzer::checkAtomicField(const ast::StateFieldDecl &decl,
                                const StateField &field) {
  bool isL2 = field.space == StateSpace::L2;
  if (field.kind == StateKind::Param && isL2) {
    diagnostics.report(diag::BadStateField, decl.range, field.name,
                       "is a parameter: each cluster has a copy in its L1");
    return false;
  }
  if (field.kind == StateKind::PerClusterAtomic && isL2) {
    diagnostics.report(diag::BadStateField, decl.range, field.name,
                       "is per_cluster: L2 belongs to all clusters");
    return false;
  }
  if (field.kind == StateKind::PerHpu && isL2) {
    diagnostics.report(diag::BadStateField, decl.range, field.name,
                       "is per_hpu: L2 belongs to all HPUs"); // sta-11
    return false;
  }
  bool isAtomic = field.kind == StateKind::Atomic ||
                  field.kind == StateKind::PerClusterAtomic;
  if (isAtomic && field.element != types.u(32) &&
      field.element != types.i(32)) {
    diagnostics
        .report(diag::TargetLacks, decl.range,
                "has atomic operations on u32 and i32, not on " +
                    field.element->str())
        .fix("declare '" + field.name + "' as u32");
    return false;
  }
  return true;
}

const StateField *Analyzer::stateFieldOf(const ast::Expr &expr) const {
  if (const auto *index = llvm::dyn_cast<ast::IndexExpr>(&expr))
    return stateFieldOf(*index->base);
  if (const auto *slice = llvm::dyn_cast<ast::SliceExpr>(&expr))
    return stateFieldOf(*slice->base);
  const auto *field = llvm::dyn_cast<ast::FieldExpr>(&expr);
  if (field && field->base->type && field->base->type->is(TypeKind::Struct))
    return stateFieldOf(*field->base);
  return field && context ? context->findState(field->decl) : nullptr;
}

static bool isAtomic(const StateField &field) {
  return field.kind == StateKind::Atomic ||
         field.kind == StateKind::PerClusterAtomic;
}

/// sta-3: an atomic field is never read as a plain value.
bool Analyzer::checkRead(const ast::Expr &expr) {
  const StateField *field = stateFieldOf(expr);
  if (!field || !isAtomic(*field))
    return true;
  DiagnosticBuilder report =
      diagnostics.report(diag::AtomicAccess, expr.range, field->name);
  if (field->kind == StateKind::PerClusterAtomic && field->isArray)
    report.fix("read it with fetch_add(0), or in the completion handler "
               "with .copy(c)");
  else
    report.fix("read it with fetch_add(0)");
  return false;
}

/// The atomic operation that does what `=` or `op=` was meant to do.
static const char *atomicFor(std::optional<ast::BinaryOp> op) {
  if (!op)
    return "swap(…)";
  switch (*op) {
  case ast::BinaryOp::Add:
  case ast::BinaryOp::WrapAdd:
    return "fetch_add(…)";
  case ast::BinaryOp::BitAnd:
    return "fetch_and(…)";
  case ast::BinaryOp::BitOr:
    return "fetch_or(…)";
  case ast::BinaryOp::BitXor:
    return "fetch_xor(…)";
  default:
    return "an atomic operation";
  }
}

/// Names, fields and elements that may stand left of '='.
bool Analyzer::checkWrite(const ast::Expr &target,
                          std::optional<ast::BinaryOp> op) {
  if (const StateField *field = stateFieldOf(target)) {
    if (isAtomic(*field)) {
      diagnostics.report(diag::AtomicAccess, target.range, field->name)
          .fix(std::string("write it with ") + atomicFor(op)); // sta-3
      return false;
    }
    if (field->kind == StateKind::Param) {
      diagnostics
          .report(diag::StateWrite, target.range, handlerName(), field->name,
                  "a parameter")
          .reason("the host sets parameters when it installs the context");
      return false; // sta-1
    }
    if (handler->kind == HandlerKind::Payload &&
        field->kind == StateKind::Plain) {
      diagnostics
          .report(diag::StateWrite, target.range, handlerName(), field->name,
                  "plain state")
          .reason("payload handlers of one message run at the same time")
          .fix("declare it atomic, or write it in the header or completion "
               "handler");
      return false; // sta-2
    }
    return field->kind != StateKind::Guarded || checkSharedWrite(target);
  }
  if (llvm::isa<ast::NameExpr>(&target))
    return true;
  return checkMemoryWrite(target, spaceOf(target));
}

/// `p.ip.ttl`: pkt-6 follows these by name.
static bool isHeaderField(const ast::Expr &target) {
  const auto *field = llvm::dyn_cast<ast::FieldExpr>(&target);
  return field && field->base->type && field->base->type->is(TypeKind::Header);
}

/// The state field that a place lies in, also by way of slices bound by `let`.
/// Null if that is not known.
const StateField *Analyzer::rootField(const ast::Expr &place) const {
  if (const StateField *field = stateFieldOf(place))
    return field;
  if (const auto *index = llvm::dyn_cast<ast::IndexExpr>(&place))
    return rootField(*index->base);
  if (const auto *part = llvm::dyn_cast<ast::SliceExpr>(&place))
    return rootField(*part->base);
  if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(&place))
    return rootField(*cast->operand);
  const auto *field = llvm::dyn_cast<ast::FieldExpr>(&place);
  if (field && field->base->type && field->base->type->is(TypeKind::Struct))
    return rootField(*field->base);
  const auto *name = llvm::dyn_cast<ast::NameExpr>(&place);
  const auto *local =
      name ? llvm::dyn_cast_or_null<ast::LocalDecl>(name->decl) : nullptr;
  return local && local->localKind == ast::LocalKind::Let && local->init
             ? rootField(*local->init)
             : nullptr;
}

/// sta-1, sta-2, lck-3: what is written through a slice of state. Of a slice
/// that comes from a loop it is not known which field that is.
bool Analyzer::checkStateSliceWrite(const ast::Expr &target) {
  const StateField *field = rootField(target);
  bool isPayload = handler->kind == HandlerKind::Payload;
  bool mayBeParam = llvm::any_of(context->state, [&](const StateField &each) {
    return each.kind == StateKind::Param &&
           (field ? field == &each
                  : each.type->is(TypeKind::Array) ||
                        each.type->is(TypeKind::Struct));
  });
  bool mayBePlain = !field || field->kind == StateKind::Plain;
  if (mayBeParam || (isPayload && mayBePlain)) {
    diagnostics
        .report(diag::StateWrite, target.range, handlerName(),
                target.range.text(),
                isPayload && mayBePlain ? "plain state"
                : field                 ? "a parameter"
                                        : "perhaps a parameter")
        .reason(isPayload && mayBePlain
                    ? "payload handlers of one message run at the same time"
                    : "the host sets parameters when it installs the context");
    return false;
  }
  return (field && field->kind != StateKind::Guarded) ||
         checkSharedWrite(target);
}

/// Writes through slices, and into the destination of a DMA.
bool Analyzer::checkMemoryWrite(const ast::Expr &target, MemorySpace space) {
  if (space == MemorySpace::Const) {
    diagnostics
        .report(diag::NotAssignable, target.range,
                "'" + target.range.text().str() + "'")
        .reason("a constant is never written"); // con-2
    return false;
  }
  // fun-6: each call answers for the memory of its arguments. What a loop gives
  // may be part of any of them.
  if (space == MemorySpace::Any) {
    ast::ParameterDecl *known = sliceParameter(target);
    for (const ast::ParameterPtr &parameter : function->parameters)
      parameter->isWritten |= known ? known == parameter.get()
                                    : parameter->type->is(TypeKind::Slice);
  }
  bool isState = space == MemorySpace::StateL1 || space == MemorySpace::StateL2;
  if (isState && !checkStateSliceWrite(target))
    return false;
  if (space == MemorySpace::Packet && !isHeaderField(target))
    packetBytesWritten = true;
  return true;
}

} // namespace spinc::sema
