// Translates conditions; Conditions.h says what. An operator without an exact
// meaning on numbers of any size is refused by name, never approximated.
#include "compiler/Stubs/Conditions.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace spinc::stubs {

namespace {

CExpr constant(const llvm::APSInt &value) {
  if (value.isNegative()) {
    llvm::APSInt magnitude((-value.extend(value.getBitWidth() + 1)),
                           /*isUnsigned=*/true);
    return CExpr::call("spin_negate", {constant(magnitude)});
  }
  // A number above 32 bits needs a suffix that is wide everywhere.
  const char *suffix = value.getActiveBits() > 32 ? "ULL" : "U";
  return CExpr::call("spin_unsigned",
                     {CExpr::plain(llvm::toString(value, 10) + suffix)});
}

CExpr constant(uint64_t value) {
  return constant(llvm::APSInt(llvm::APInt(64, value), /*isUnsigned=*/true));
}

/// The function of spin_exact.h for `op`, or null.
const char *functionOf(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Add:
    return "spin_add";
  case ast::BinaryOp::Sub:
    return "spin_subtract";
  case ast::BinaryOp::Mul:
    return "spin_multiply";
  case ast::BinaryOp::Div:
    return "spin_divide";
  case ast::BinaryOp::Rem:
    return "spin_remainder";
  case ast::BinaryOp::Shl:
    return "spin_shift_left";
  case ast::BinaryOp::Shr:
    return "spin_shift_right";
  case ast::BinaryOp::Less:
    return "spin_less";
  case ast::BinaryOp::LessEqual:
    return "spin_less_equal";
  case ast::BinaryOp::Greater:
    return "spin_greater";
  case ast::BinaryOp::GreaterEqual:
    return "spin_greater_equal";
  case ast::BinaryOp::Equal:
    return "spin_equal";
  case ast::BinaryOp::NotEqual:
    return "spin_not_equal";
  case ast::BinaryOp::BitAnd:
    return "spin_bit_and";
  case ast::BinaryOp::BitXor:
    return "spin_bit_xor";
  case ast::BinaryOp::BitOr:
    return "spin_bit_or";
  case ast::BinaryOp::And:
    return "spin_and";
  case ast::BinaryOp::Or:
    return "spin_or";
  default:
    return nullptr;
  }
}

class Translator {
public:
  Translator(const sema::ContextInfo &context, llvm::ArrayRef<Value> values)
      : context(context), values(values) {}

  llvm::Expected<CExpr> translate(const ast::Expr &expr);
  std::vector<unsigned> reads;

private:
  llvm::Expected<CExpr> read(llvm::StringRef name);
  llvm::Expected<CExpr> translateName(const ast::NameExpr &name);
  llvm::Expected<CExpr> translateField(const ast::FieldExpr &field);
  llvm::Expected<CExpr> call(const char *function,
                             llvm::ArrayRef<const ast::Expr *> operands);
  static llvm::Error refuse(const ast::Expr &expr) {
    return llvm::createStringError("the host cannot check '" +
                                   expr.range.text() +
                                   "' when the context is installed");
  }

  const sema::ContextInfo &context;
  llvm::ArrayRef<Value> values;
};

llvm::Expected<CExpr> Translator::read(llvm::StringRef name) {
  const auto *found =
      std::find_if(values.begin(), values.end(),
                   [&](const Value &v) { return v.name == name; });
  if (found == values.end())
    return llvm::createStringError("the host has no value for '" + name + "'");
  unsigned index = found - values.begin();
  if (std::find(reads.begin(), reads.end(), index) == reads.end())
    reads.push_back(index);
  return CExpr::plain(found->local);
}

llvm::Expected<CExpr> Translator::translateName(const ast::NameExpr &name) {
  if (name.decl)
    if (const auto *field = context.findState(name.decl))
      return read(field->name);
  if (const auto *decl = llvm::dyn_cast_or_null<ast::ConstDecl>(name.decl))
    if (decl->init)
      return translate(*decl->init);
  if (name.builtin == Builtin::Mtu)
    return constant(context.mtu);
  return refuse(name);
}

llvm::Expected<CExpr> Translator::translateField(const ast::FieldExpr &field) {
  switch (field.builtin) {
  case Builtin::ClusterCount:
    return CExpr::call("spin_unsigned", {CExpr::plain("SPIN_CLUSTERS")});
  case Builtin::HpuCount:
    return CExpr::call("spin_unsigned", {CExpr::plain("SPIN_HPUS")});
  case Builtin::HostSize:
    if (const auto *base = llvm::dyn_cast<ast::NameExpr>(field.base.get()))
      return read(base->name + ".size");
    return refuse(field);
  default:
    break;
  }
  if (field.decl)
    if (const auto *state = context.findState(field.decl))
      return read(state->name);
  return refuse(field);
}

llvm::Expected<CExpr>
Translator::call(const char *function,
                 llvm::ArrayRef<const ast::Expr *> operands) {
  std::vector<CExpr> arguments;
  for (const ast::Expr *operand : operands) {
    llvm::Expected<CExpr> argument = translate(*operand);
    if (!argument)
      return argument.takeError();
    arguments.push_back(std::move(*argument));
  }
  return CExpr::call(function, std::move(arguments));
}

llvm::Expected<CExpr> Translator::translate(const ast::Expr &expr) {
  // Cluster and HPU counts stay names, so that the text says what it checks.
  if (const auto *field = llvm::dyn_cast<ast::FieldExpr>(&expr);
      field && field->builtin != Builtin::None)
    return translateField(*field);
  if (expr.value)
    return constant(*expr.value);
  switch (expr.kind) {
  case ast::ExprKind::IntLiteral:
    return constant(llvm::cast<ast::IntLiteral>(expr).number);
  case ast::ExprKind::BoolLiteral:
    return constant(llvm::cast<ast::BoolLiteral>(expr).truth ? 1 : 0);
  case ast::ExprKind::Name:
    return translateName(llvm::cast<ast::NameExpr>(expr));
  case ast::ExprKind::Field:
    return translateField(llvm::cast<ast::FieldExpr>(expr));
  case ast::ExprKind::Unary: {
    const auto &unary = llvm::cast<ast::UnaryExpr>(expr);
    if (unary.op == ast::UnaryOp::BitNot)
      return refuse(expr);
    return call(unary.op == ast::UnaryOp::Not ? "spin_not" : "spin_negate",
                {unary.operand.get()});
  }
  case ast::ExprKind::Binary: {
    const auto &binary = llvm::cast<ast::BinaryExpr>(expr);
    const char *function = functionOf(binary.op);
    if (!function)
      return refuse(expr);
    return call(function, {binary.left.get(), binary.right.get()});
  }
  case ast::ExprKind::Conditional: {
    const auto &choice = llvm::cast<ast::ConditionalExpr>(expr);
    return call("spin_choose", {choice.condition.get(), choice.whenTrue.get(),
                                choice.whenFalse.get()});
  }
  case ast::ExprKind::Cast: {
    // Numbers here have no width: a widening cast changes nothing, and one
    // that is written might narrow.
    const auto &cast = llvm::cast<ast::CastExpr>(expr);
    return cast.isImplicit() ? translate(*cast.operand) : refuse(expr);
  }
  default:
    return refuse(expr);
  }
}

CExpr readParameter(const sema::StateField &field,
                    const sema::ContextInfo &context) {
  std::string access = "setup->params." + memberName(field.name, context);
  if (const auto *wire = sema::dynAs<sema::WireType>(field.type))
    return CExpr::call(
        wire->order == sema::ByteOrder::Big ? "spin_big_endian"
                                            : "spin_little_endian",
        {CExpr::plain(access), CExpr::plain("sizeof " + access)});
  const auto *integer = sema::dynAs<sema::IntType>(field.type);
  bool isSigned = integer && integer->isSigned;
  return CExpr::call(isSigned ? "spin_signed" : "spin_unsigned",
                     {CExpr::plain(access)});
}

} // namespace

std::string memberName(llvm::StringRef name, const sema::ContextInfo &context) {
  std::string result = identifier(name);
  // A '_' that was added must not make the name of another member.
  auto isTaken = [&](llvm::StringRef text) {
    return text != name && (llvm::any_of(context.state,
                                         [&](const auto &field) {
                                           return field.name == text;
                                         }) ||
                            (context.host && context.host->name == text));
  };
  while (isTaken(result))
    result += '_';
  return result;
}

std::vector<Value> valuesOf(const sema::ContextInfo &context) {
  std::vector<Value> values;
  for (const sema::StateField &field : context.state)
    if (field.kind == sema::StateKind::Param && !field.isArray)
      values.push_back({field.name, memberName(field.name, context),
                        readParameter(field, context)});
  if (!context.host)
    return values;
  std::string member = memberName(context.host->name, context);
  std::string local = memberName(member + "_size", context);
  values.push_back({context.host->name + ".size", local,
                    CExpr::call("spin_unsigned",
                                {CExpr::plain("setup->" + member + ".size")})});
  return values;
}

llvm::Expected<Condition> translate(const ast::Expr &condition,
                                    const sema::ContextInfo &context,
                                    llvm::ArrayRef<Value> values) {
  Translator translator(context, values);
  llvm::Expected<CExpr> expr = translator.translate(condition);
  if (!expr)
    return expr.takeError();
  return Condition{std::move(*expr), std::move(translator.reads)};
}

} // namespace spinc::stubs
