// Calls of functions. A function without a budget is inlined where it is
// called: its parameters are bound to values that are computed once, and its
// `return` is a jump. One with a budget becomes a function of the context.
#include "compiler/IRGen/HandlerGenerator.h"
#include "compiler/IRGen/Math.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

Location HandlerGenerator::loc(SourceRange range) {
  Location place = locationOf(builder.getContext(), range);
  return callSites.empty()
             ? place
             : Location(CallSiteLoc::get(place, callSites.back()));
}

Location HandlerGenerator::loc(SourceRange range, StringRef name) {
  return NameLoc::get(builder.getStringAttr(name), loc(range));
}

//===-- Places ------------------------------------------------------------===//

HandlerGenerator::Place HandlerGenerator::emitPlace(const ast::Expr &expr) {
  const auto *lane = llvm::dyn_cast<ast::IndexExpr>(&expr);
  if (lane && lane->base->type->is(sema::TypeKind::Simd)) {
    Place whole = emitPlace(*lane->base);
    whole.lane = emitU32(*lane->index);
    return whole;
  }
  Place place{&expr, Value(), Value(), Value()};
  if (isElement(expr)) {
    Element element = emitElement(expr);
    place.slice = element.slice;
    place.index = element.index;
  }
  return place;
}

Value HandlerGenerator::readPlace(const Place &place) {
  if (place.lane) {
    Value word = readPlace({place.expr, place.slice, place.index, Value()});
    return emitLane(loc(place.expr->range), word, place.lane,
                    *sema::as<sema::SimdType>(place.expr->type));
  }
  if (!place.slice)
    return emitScalar(*place.expr);
  const ast::Expr &expr = *place.expr;
  return emitStoredValue(loc(expr.range), {place.slice, place.index},
                         storedType(expr));
}

void HandlerGenerator::writePlace(const Place &place, Value value) {
  const ast::Expr &expr = *place.expr;
  if (place.lane) {
    Place whole{place.expr, place.slice, place.index, Value()};
    return writePlace(
        whole, emitWithLane(loc(expr.range), readPlace(whole), place.lane,
                            value, *sema::as<sema::SimdType>(expr.type)));
  }
  if (place.slice)
    emitElementStore(loc(expr.range), {place.slice, place.index}, value,
                     storedType(expr));
  else if (const auto *named = llvm::dyn_cast<ast::NameExpr>(&expr))
    bindings[named->decl] = {name(*named->decl, value), {}};
  else
    emitStore(expr, value);
}

//===-- Calls -------------------------------------------------------------===//

/// fun-3, fun-4: arguments from left to right, each once; the values of `inout`
/// parameters go back when the function has ended.
Value HandlerGenerator::emitFunctionCall(const ast::CallExpr &call) {
  const auto &function = llvm::cast<ast::FunctionDecl>(*call.decl);
  SmallVector<BackCopy> backs;
  SmallVector<Value> values;
  for (auto [argument, parameter] :
       llvm::zip_equal(call.arguments, function.parameters)) {
    const ast::Expr &expr = *argument.value;
    if (parameter->mode == ast::PassMode::InOut) {
      backs.push_back({parameter.get(), emitPlace(expr)});
      values.push_back(readPlace(backs.back().second));
    } else if (parameter->type->is(sema::TypeKind::Slice)) {
      values.push_back(emitSlice(expr));
    } else {
      values.push_back(emitAs(expr, parameter->type));
    }
  }
  Location at = loc(call.range);
  if (function.budget)
    return emitCallOf(function, at, values, backs);
  callSites.push_back(at);
  Value result = emitFunctionBody(function, at, values);
  callSites.pop_back();
  for (const auto &[parameter, place] : backs)
    writePlace(place, bindings.lookup(parameter).value);
  return result;
}

/// Runs the body with these arguments. Then the parameters are bound to what
/// has become of them; gives the result, null without one.
Value HandlerGenerator::emitFunctionBody(const ast::FunctionDecl &function,
                                         Location at, ValueRange values) {
  for (auto [value, parameter] : llvm::zip_equal(values, function.parameters))
    bindings[parameter.get()] = {value, {}};
  JumpScope scope{JumpScope::Function};
  scope.live = makeVariable("live");
  bindings[scope.live] = {constant(at, 1, 1), {}};
  if (!function.type->is(sema::TypeKind::Void)) {
    scope.result = makeVariable("result");
    unsigned bits = scalarType(builder.getContext(), function.type).getWidth();
    bindings[scope.result] = {constant(at, 0, bits), {}};
  }
  jumpScopes.push_back(scope);
  {
    llvm::SaveAndRestore<bool> plain(wrapping, false);
    emitBlock(*function.body);
  }
  jumpScopes.pop_back();
  return scope.result ? bindings.lookup(scope.result).value : Value();
}

/// fun-7: the context has the function once for all calls whose slices lie in
/// the same memories. Modules may have functions of one name.
spin::HandlerOp HandlerGenerator::functionOf(const ast::FunctionDecl &function,
                                             TypeRange types) {
  Operation *inside = builder.getBlock()->getParentOp();
  auto context = inside->getParentOfType<spin::ContextOp>();
  Location place = locationOf(builder.getContext(), function.name.range);
  std::string first = "fn." + function.name.text;
  for (mlir::Type type : types)
    if (auto slice = dyn_cast<spin::SliceType>(type))
      first += ("." + spin::stringifyMemorySpace(slice.getSpace())).str();
  std::string symbol = first;
  for (unsigned next = 2;; ++next) {
    auto known = context.lookupSymbol<spin::HandlerOp>(symbol);
    if (known && known.getLoc() == place)
      return known;
    if (!known)
      break;
    symbol = first + "." + std::to_string(next);
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&context.getBody().front());
  auto op = spin::HandlerOp::create(
      builder, place, symbol, spin::HandlerKind::Function,
      functionBudgetAttr(builder.getContext(), function), /*bound=*/{});
  HandlerGenerator(builder, this->context, handler, clusters, hpus, tables)
      .generateFunction(op, function, types);
  return op;
}

void HandlerGenerator::generateFunction(spin::HandlerOp op,
                                        const ast::FunctionDecl &function,
                                        TypeRange types) {
  SmallVector<Location> places;
  for (const ast::ParameterPtr &parameter : function.parameters)
    places.push_back(loc(parameter->range, parameter->name.text));
  Block *entry = builder.createBlock(&op.getBody(), {}, types, places);
  Location at = loc(function.range);
  SmallVector<Value> results;
  if (Value result = emitFunctionBody(function, at, entry->getArguments()))
    results.push_back(result);
  for (const ast::ParameterPtr &parameter : function.parameters)
    if (parameter->mode == ast::PassMode::InOut)
      results.push_back(bindings.lookup(parameter.get()).value);
  if (function.mayFail)
    results.push_back(constant(at, 1, 1));
  spin::GiveOp::create(builder, at, results);
}

Value HandlerGenerator::emitCallOf(const ast::FunctionDecl &function,
                                   Location at, ValueRange values,
                                   ArrayRef<BackCopy> backs) {
  spin::HandlerOp callee = functionOf(function, values.getTypes());
  SmallVector<int32_t> written;
  for (auto [number, parameter] : llvm::enumerate(function.parameters))
    if (parameter->isWritten)
      written.push_back(int32_t(number));
  auto call = spin::CallOp::create(
      builder, at, callee.getBody().front().back().getOperandTypes(),
      callee.getSymName(), values,
      written.empty() ? DenseI32ArrayAttr()
                      : builder.getDenseI32ArrayAttr(written),
      callee.issuesCommands());
  ResultRange results = call.getResults();
  if (function.mayFail) {
    Location named = NameLoc::get(
        builder.getStringAttr("no loop of " + function.name.text +
                              " begins more rounds than its bound() says"),
        at);
    markRelease(spin::RequireOp::create(builder, named, results.back(),
                                        spin::ReturnCode::Fail));
    results = results.drop_back();
  }
  bool hasResult = !function.type->is(sema::TypeKind::Void);
  for (auto [back, value] :
       llvm::zip_equal(backs, results.drop_front(hasResult)))
    writePlace(back.second, value);
  return hasResult ? call.getResult(0) : Value();
}

void HandlerGenerator::emitFunctionReturn(Location at,
                                          const ast::Expr *result) {
  if (result) {
    const JumpScope *scope = jumpScopes.end();
    do
      --scope;
    while (scope->kind != JumpScope::Function);
    // Functions that it calls have scopes of their own, for which the others
    // may move.
    const ast::Decl *variable = scope->result;
    // Sema has converted it to the function's type.
    bindings[variable] = {emitScalar(*result), {}};
  }
  emitJump(at, /*breaks=*/false, /*continues=*/false, /*returns=*/true);
}

/// `require (c) else return r;` in a function: `rest` runs if `c` holds.
bool HandlerGenerator::emitRequireOrReturn(const ast::RequireStmt &stmt,
                                           Statements rest) {
  SmallVector<const ast::Stmt *> all = {&stmt};
  llvm::append_range(all, rest);
  Variables carried = assignedIn(all);
  Value condition = emitScalar(*stmt.condition);
  return emitBranches(
      loc(stmt.range), condition, carried, [&] { return emitSequence(rest); },
      [&] {
        emitFunctionReturn(loc(stmt.range), stmt.result.get());
        return true;
      });
}
