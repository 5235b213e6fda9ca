// Calls: functions, atomics, views, and actions with their effects.
#include "test/Reference/Interpreter.h"

using namespace spinc;
using namespace spinc::reference;
using llvm::cast;
using llvm::dyn_cast;

const ast::Expr &spinc::reference::argument(const ast::CallExpr &expr,
                                            unsigned position) {
  for (const ast::Argument &candidate : expr.arguments)
    if (!candidate.name && position-- == 0)
      return *candidate.value;
  llvm_unreachable("Sema checks the arguments of builtins");
}

const ast::Expr *spinc::reference::argument(const ast::CallExpr &expr,
                                            llvm::StringRef label) {
  for (const ast::Argument &candidate : expr.arguments)
    if (candidate.name && candidate.name->text == label)
      return candidate.value.get();
  return nullptr;
}

Value Interpreter::evalCall(const ast::CallExpr &expr) {
  if (!tick(expr.range))
    return {};
  if (const auto *function =
          llvm::dyn_cast_or_null<ast::FunctionDecl>(expr.decl))
    return callFunction(expr, *function);
  switch (expr.builtin) {
  case Builtin::Copy:
    return evalCopy(expr);
  case Builtin::Strided:
    return evalStrided(expr);
  case Builtin::SimdMin:
  case Builtin::SimdMax:
  case Builtin::SimdAvg:
  case Builtin::SimdAbs:
  case Builtin::SimdDot:
    return evalSimdMethod(expr);
  case Builtin::FetchAdd:
  case Builtin::FetchAnd:
  case Builtin::FetchOr:
  case Builtin::FetchXor:
  case Builtin::FetchMax:
  case Builtin::FetchMin:
  case Builtin::Swap:
  case Builtin::Cas:
    return evalAtomic(expr);
  case Builtin::Increment:
  case Builtin::CounterGet:
  case Builtin::CounterSet:
    return evalCounter(expr);
  case Builtin::DmaToHost:
    copyToHost(expr);
    return {};
  case Builtin::DmaFromHost:
    copyFromHost(expr);
    return {};
  case Builtin::Notify:
    notify(expr);
    return {};
  case Builtin::Send:
    send(expr);
    return {};
  case Builtin::Put:
    put(expr);
    return {};
  case Builtin::Wait:
    // Commands take effect when they are issued, which may be here.
    if (const auto *issued = dyn_cast<ast::CallExpr>(&argument(expr, 0)))
      evalCall(*issued);
    return {};
  case Builtin::Yield:
    return {};
  default:
    fail("reference", "an action that is not in the reference", expr.range);
    return {};
  }
}

/// Arguments are evaluated once, in order; `inout` is copied in and out.
Value Interpreter::callFunction(const ast::CallExpr &expr,
                                const ast::FunctionDecl &function) {
  std::vector<Value> arguments;
  for (const ast::Argument &given : expr.arguments)
    arguments.push_back(eval(*given.value));
  if (stopped())
    return {};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ast::ParameterDecl &parameter = *function.parameters[i];
    values[&parameter] =
        convert(arguments[i], parameter.type, *expr.arguments[i].value);
  }
  bool outside = wrapping;
  wrapping = false;
  returned = {};
  exec(*function.body);
  wrapping = outside;
  if (stopped())
    return {};
  Value result = returned;
  for (size_t i = 0; i < arguments.size() && !stopped(); ++i) {
    const ast::ParameterDecl &parameter = *function.parameters[i];
    if (parameter.mode == ast::PassMode::InOut)
      storeTo(*expr.arguments[i].value, values[&parameter]);
  }
  return result;
}

static Number combine(Builtin operation, Number old, Number value,
                      const IntType &type) {
  switch (operation) {
  case Builtin::FetchAdd:
    return wrap(old + value, type);
  case Builtin::FetchAnd:
    return old & value;
  case Builtin::FetchOr:
    return old | value;
  case Builtin::FetchXor:
    return old ^ value;
  case Builtin::FetchMax:
    return old > value ? old : value;
  case Builtin::FetchMin:
    return old < value ? old : value;
  default:
    return value;
  }
}

/// `state.f.copy(n)`: that of a cluster, or of an HPU.
Value Interpreter::evalCopy(const ast::CallExpr &expr) {
  const auto &callee = cast<ast::FieldExpr>(*expr.callee);
  const sema::StateField &field = *stateField(*callee.base);
  std::vector<Region> &copies = machine.state.at(field.decl);
  Number number = evalNumber(argument(expr, 0));
  if (!stopped() && (number < 0 || number >= copies.size()))
    fail("sta-4", "copy " + toText(number), expr.range);
  if (stopped())
    return {};
  return Slice{&copies[size_t(number)], 0, field.count, field.element};
}

/// sta-12
Value Interpreter::evalCounter(const ast::CallExpr &expr) {
  const auto &callee = cast<ast::FieldExpr>(*expr.callee);
  std::optional<Slice> place = memoryPlace(*callee.base);
  if (stopped() || !place)
    return {};
  const auto &type = *as<IntType>(place->element);
  Number old = load(*place, expr).number;
  if (stopped() || expr.builtin == Builtin::CounterGet)
    return old;
  const ast::Expr *by = argument(expr, "by");
  Number value = expr.builtin == Builtin::CounterSet
                     ? evalNumber(argument(expr, 0))
                 : by ? evalNumber(*by)
                      : Number(1);
  value = convert(value, &type, expr);
  if (expr.builtin == Builtin::Increment)
    value = wrap(old + value, type);
  if (!stopped())
    store(*place, value, expr);
  return {};
}

/// `state.f.fetch_add(v)`, `state.f[i].fetch_add(v)`
Value Interpreter::evalAtomic(const ast::CallExpr &expr) {
  const auto &callee = cast<ast::FieldExpr>(*expr.callee);
  std::optional<Slice> place = memoryPlace(*callee.base);
  Number value = evalNumber(argument(expr, 0));
  if (stopped() || !place)
    return {};
  const auto &type = *as<IntType>(place->element);
  Number old = load(*place, expr).number;
  value = convert(value, &type, expr);
  Number next = combine(expr.builtin, old, value, type);
  bool isCas = expr.builtin == Builtin::Cas;
  // cas(expected, next): whether it was as expected (sta-13).
  if (isCas)
    next = old == value ? convert(evalNumber(argument(expr, 1)), &type, expr)
                        : old;
  if (!stopped())
    store(*place, next, expr);
  return isCas ? Number(old == value) : old;
}

Value Interpreter::evalStrided(const ast::CallExpr &expr) {
  auto view = std::make_shared<View>();
  view->region = evalSlice(argument(expr, 0));
  view->count = evalNumber(argument(expr, 1));
  view->block = evalNumber(argument(expr, 2));
  view->stride = evalNumber(argument(expr, 3));
  if (stopped())
    return {};
  bool holds =
      view->count >= 1 && view->block >= 1 && view->block <= view->stride &&
      (view->count - 1) * view->stride + view->block <= view->region.length;
  if (!holds)
    fail("bnd-2", "the view leaves its region", expr.range);
  Value value;
  value.view = std::move(view);
  return value;
}

std::vector<uint8_t> Interpreter::bytesOf(const Slice &slice,
                                          const ast::Expr &at) {
  uint64_t size = slice.length * sizeInBytes(slice.element);
  if (!touch(slice, size, at))
    return {};
  for (uint64_t i = 0; i < size && !slice.region->written.empty(); ++i)
    if (!slice.region->written[slice.begin + i])
      fail("typ-11", slice.region->name + " is read before it is written",
           at.range);
  auto first = slice.region->bytes.begin() + slice.begin;
  return {first, first + size};
}

/// bnd-8: the source is no longer than the destination.
void Interpreter::copy(const Slice &to, const Slice &from,
                       const ast::Expr &at) {
  if (stopped())
    return;
  std::vector<uint8_t> bytes = bytesOf(from, at);
  if (!stopped() && bytes.size() > to.length * sizeInBytes(to.element))
    fail("bnd-8",
         std::to_string(bytes.size()) + " bytes into " +
             std::to_string(to.length * sizeInBytes(to.element)),
         at.range);
  if (!touch(to, bytes.size(), at))
    return;
  std::copy(bytes.begin(), bytes.end(), to.region->bytes.begin() + to.begin);
  for (uint64_t i = 0; i < bytes.size() && !to.region->written.empty(); ++i)
    to.region->written[to.begin + i] = true;
}

void Interpreter::copyToHost(const ast::CallExpr &expr) {
  Slice to = evalSlice(argument(expr, 0));
  Slice from = evalSlice(argument(expr, 1));
  copy(to, from, expr);
}

/// The destination is filled: the source is at least as long.
void Interpreter::copyFromHost(const ast::CallExpr &expr) {
  Slice to = evalSlice(argument(expr, 0));
  Slice from = evalSlice(argument(expr, 1));
  copy(to, from, expr);
}

/// bnd-9
void Interpreter::notify(const ast::CallExpr &expr) {
  Slice to = evalSlice(argument(expr, 0));
  Number value = evalNumber(argument(expr, 1));
  if (!stopped() && (to.length != 8 || to.begin % 8 != 0))
    fail("bnd-9",
         "a notification of " + std::to_string(to.length) + " bytes at " +
             std::to_string(to.begin),
         expr.range);
  if (!touch(to, 8, expr))
    return;
  for (unsigned i = 0; i < 8; ++i, value >>= 8)
    to.region->bytes[to.begin + i] = uint8_t(unsigned(value & 0xff));
}

/// Nothing is sent of an empty slice.
void Interpreter::send(const ast::CallExpr &expr) {
  Slice slice = evalSlice(argument(expr, 0));
  if (stopped())
    return;
  Sent sent;
  sent.bytes = bytesOf(slice, expr);
  if (sent.bytes.size() > machine.info.mtu)
    fail("act-1", "a packet of " + std::to_string(sent.bytes.size()) + " bytes",
         expr.range);
  if (!stopped() && !sent.bytes.empty())
    outcome.sent.push_back(std::move(sent));
}

void Interpreter::put(const ast::CallExpr &expr) {
  const ast::Expr &data = argument(expr, 0);
  Sent sent;
  sent.isPut = true;
  if (!data.type->is(TypeKind::None)) {
    Slice slice = evalSlice(data);
    if (!stopped())
      sent.bytes = bytesOf(slice, expr);
  }
  sent.destination = uint64_t(evalNumber(*argument(expr, "to")));
  sent.matchBits = uint64_t(evalNumber(*argument(expr, "match")));
  if (const ast::Expr *header = argument(expr, "hdr_data"))
    sent.hdrData = uint64_t(evalNumber(*header));
  if (!stopped())
    outcome.sent.push_back(std::move(sent));
}
