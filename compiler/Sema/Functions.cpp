// Functions: their parameters and results (fun-1, fun-2), calls (fun-3, fun-4),
// that none calls itself (fun-5), and what a call may do to the memory behind a
// slice (fun-6). A body is checked once, whatever memory its slices lie in;
// each call then answers for the memory that it hands over.
#include "compiler/Sema/Analyzer.h"

#include "llvm/Support/SaveAndRestore.h"

namespace spinc::sema {

static bool isScalar(const Type *type) {
  switch (type->kind) {
  case TypeKind::Bool:
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Simd:
  case TypeKind::Process:
  case TypeKind::Enum:
    return true;
  default:
    return false;
  }
}

/// fun-1: scalars, by value or `inout`, and slices.
void Analyzer::checkParameter(ast::ParameterDecl &parameter) {
  const Type *type = valueOf(resolveType(*parameter.typeExpr));
  if (const auto *slice = dynAs<SliceType>(type))
    type = types.slice(slice->element, MemorySpace::Any);
  bool isSlice = type->is(TypeKind::Slice);
  if (!type->isError() && !isScalar(type) && !isSlice) {
    diagnostics.report(diag::FunctionForm, parameter.typeExpr->range,
                       "parameter '" + parameter.name.text + "' is " +
                           type->str() + ": expected a scalar or a slice");
    type = poison();
  }
  if (isSlice && parameter.mode == ast::PassMode::InOut) {
    diagnostics
        .report(diag::FunctionForm, parameter.range,
                "slice '" + parameter.name.text + "' is inout")
        .reason("what is written to the elements of a slice is seen by the "
                "caller anyway")
        .fix("leave out 'inout'");
    type = poison();
  }
  parameter.type = type;
}

void Analyzer::ensureSignature(ast::FunctionDecl &function) {
  if (function.type)
    return;
  const Type *result = valueOf(resolveType(*function.resultType));
  if (!result->isError() && !isScalar(result) && !result->is(TypeKind::Void)) {
    diagnostics
        .report(diag::FunctionForm, function.resultType->range,
                "result is " + result->str() + ": expected a scalar or void")
        .reason("slices are passed down, never out");
    result = poison();
  }
  function.type = result;
  for (const ast::ParameterPtr &parameter : function.parameters)
    checkParameter(*parameter);
}

/// Whether the body of `function` could be checked, now or earlier.
void Analyzer::ensureFunction(ast::FunctionDecl &function) {
  ensureSignature(function);
  if (done.count(&function))
    return;
  inProgress.insert(&function);
  if (function.budget)
    checkFunctionBudget(function);
  HandlerInfo inner; // the strictest kind: a function may be called in any
  inner.kind = HandlerKind::Payload;
  llvm::SaveAndRestore<HandlerInfo *> inFunction(handler, &inner);
  llvm::SaveAndRestore<ast::FunctionDecl *> here(this->function, &function);
  llvm::SaveAndRestore<ContextInfo *> noContext(context, nullptr);
  llvm::SaveAndRestore<unsigned> notWrapping(wrappingDepth, 0);
  llvm::SaveAndRestore<unsigned> noArgument(argumentDepth, 0);
  llvm::SaveAndRestore<JumpTarget *> noLoop(jumpTarget, nullptr);
  PlaceGuard guard(*this, Place::Body);
  Scopes outer;
  std::swap(outer, scopes);
  scopes.push();
  for (const ast::ParameterPtr &parameter : function.parameters)
    declare(scopes.innermost(), parameter.get());
  bool ends = checkBlock(*function.body);
  if (!ends && !function.type->isError() &&
      !function.type->is(TypeKind::Void)) {
    SourceRange end = function.body->range;
    end.begin = end.end > end.begin ? end.end - 1 : end.begin;
    diagnostics.report(diag::MissingReturn, end, handlerName()); // fun-2
  }
  std::swap(outer, scopes);
  inProgress.erase(&function);
  done.insert(&function);
}

/// fun-2: a value of the result type, or none.
void Analyzer::checkFunctionReturn(ast::ExprPtr &result, SourceRange range) {
  const Type *wanted = function->type;
  if (!result) {
    if (!wanted->isError() && !wanted->is(TypeKind::Void))
      diagnostics.report(diag::TypeMismatch, range,
                         "a result of type " + wanted->str(), "none");
    return;
  }
  if (wanted->is(TypeKind::Void)) {
    diagnostics.report(diag::TypeMismatch, result->range, "no result",
                       "'" + result->range.text().str() + "'");
    return;
  }
  const Type *found = checkValue(result);
  if (!found->isError() && !wanted->isError())
    convert(result, wanted);
}

/// The parameter of the function being checked that a slice comes from.
ast::ParameterDecl *Analyzer::sliceParameter(const ast::Expr &slice) const {
  const ast::Expr *expr = &slice;
  while (expr) {
    if (const auto *part = llvm::dyn_cast<ast::SliceExpr>(expr)) {
      expr = part->base.get();
    } else if (const auto *index = llvm::dyn_cast<ast::IndexExpr>(expr)) {
      expr = index->base.get();
    } else if (const auto *field = llvm::dyn_cast<ast::FieldExpr>(expr);
               field && field->base->type &&
               field->base->type->is(TypeKind::Struct)) {
      expr = field->base.get();
    } else if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(expr)) {
      expr = cast->operand.get();
    } else if (const auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
      const auto *method = llvm::dyn_cast<ast::FieldExpr>(call->callee.get());
      expr = method ? method->base.get() : nullptr;
    } else if (const auto *name = llvm::dyn_cast<ast::NameExpr>(expr)) {
      if (auto *parameter =
              llvm::dyn_cast_or_null<ast::ParameterDecl>(name->decl))
        return parameter;
      const auto *local = llvm::dyn_cast_or_null<ast::LocalDecl>(name->decl);
      expr = local ? local->init.get() : nullptr;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

/// fun-3: a call names a function of the module.
const Type *Analyzer::checkFunctionCall(ast::CallExpr &call,
                                        ast::FunctionDecl &callee) {
  if (place != Place::Body) {
    diagnostics.report(diag::WrongKind, call.range, callee.name.text,
                       "a function", "a constant");
    return poison();
  }
  if (call.isAsync) {
    diagnostics.report(diag::BadArguments, call.range, callee.name.text,
                       "has no asynchronous form");
    return poison();
  }
  if (inProgress.count(&callee)) {
    // fun-5
    diagnostics.report(diag::Recursion, call.range, callee.name.text)
        .note(callee.name.range, "declared here")
        .reason("the stack and the cycles of a handler are bounded");
    return poison();
  }
  ensureFunction(callee);
  // What is compiled by itself has no loop in the caller, who looks whether it
  // has failed.
  sawLoop |= callee.budget ? callee.mayFail : callee.hasLoop;
  if (function) {
    function->mayFail |= callee.mayFail;
    function->hasLoop |= callee.budget ? callee.mayFail : callee.hasLoop;
  }
  call.decl = &callee;
  if (call.arguments.size() != callee.parameters.size()) {
    diagnostics
        .report(diag::BadArguments, call.range, callee.name.text,
                "takes " + std::to_string(callee.parameters.size()) +
                    " arguments, found " +
                    std::to_string(call.arguments.size()))
        .note(callee.name.range, "declared here");
    return poison();
  }
  bool ok = true;
  for (size_t i = 0; i < call.arguments.size(); ++i)
    ok &= checkFunctionArgument(call.arguments[i], *callee.parameters[i]);
  return ok ? callee.type : poison();
}

bool Analyzer::checkFunctionArgument(ast::Argument &argument,
                                     const ast::ParameterDecl &parameter) {
  if (argument.name && argument.name->text != parameter.name.text) {
    DiagnosticBuilder report = diagnostics.report(
        diag::BadArguments, argument.name->range, parameter.name.text,
        "is the parameter in this place, found '" + argument.name->text + "'");
    suggestName(report, argument.name->text, argument.name->range,
                {parameter.name.text});
    return false;
  }
  const auto *slice = dynAs<SliceType>(parameter.type);
  if (slice)
    return checkSliceArgument(argument.value, *slice, parameter);
  if (parameter.mode == ast::PassMode::InOut)
    return checkInOutArgument(argument.value, parameter);
  const Type *found = checkValue(argument.value);
  return !found->isError() && !parameter.type->isError() &&
         convert(argument.value, parameter.type);
}

/// fun-4: a place of exactly the parameter's type.
bool Analyzer::checkInOutArgument(ast::ExprPtr &value,
                                  const ast::ParameterDecl &parameter) {
  const Type *found = checkValue(value);
  if (found->isError() || parameter.type->isError())
    return false;
  if (!checkPlace(*value, std::nullopt))
    return false;
  if (found != parameter.type) {
    diagnostics.report(diag::TypeMismatch, value->range,
                       parameter.type->str() + " for inout '" +
                           parameter.name.text + "'",
                       found->str());
    return false;
  }
  return true;
}

/// fun-6: what the function writes, the caller may write.
bool Analyzer::checkSliceArgument(ast::ExprPtr &value, const SliceType &wanted,
                                  const ast::ParameterDecl &parameter) {
  // A slice that is only read does not let the packet escape (pkt-6).
  argumentDepth += !parameter.isWritten;
  const Type *found = checkValue(value);
  argumentDepth -= !parameter.isWritten;
  if (found->isError())
    return false;
  const auto *slice = dynAs<SliceType>(found);
  if (!slice || slice->element != wanted.element ||
      slice->space == MemorySpace::Host) {
    diagnostics.report(diag::TypeMismatch, value->range,
                       wanted.element->str() + "[] in memory of the card",
                       found->str());
    return false;
  }
  return !parameter.isWritten || checkDestination(*value, slice->space);
}

} // namespace spinc::sema
