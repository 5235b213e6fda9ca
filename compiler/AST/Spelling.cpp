// How operators and kinds of handlers are written.
#include "compiler/AST/Ast.h"

#include "llvm/Support/ErrorHandling.h"

namespace spinc::ast {

llvm::StringRef spelling(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return "+";
  case BinaryOp::Sub:
    return "-";
  case BinaryOp::Mul:
    return "*";
  case BinaryOp::Div:
    return "/";
  case BinaryOp::Rem:
    return "%";
  case BinaryOp::WrapAdd:
    return "+%";
  case BinaryOp::WrapSub:
    return "-%";
  case BinaryOp::WrapMul:
    return "*%";
  case BinaryOp::WrapShl:
    return "<<%";
  case BinaryOp::SatAdd:
    return "+|";
  case BinaryOp::SatSub:
    return "-|";
  case BinaryOp::Shl:
    return "<<";
  case BinaryOp::Shr:
    return ">>";
  case BinaryOp::Less:
    return "<";
  case BinaryOp::LessEqual:
    return "<=";
  case BinaryOp::Greater:
    return ">";
  case BinaryOp::GreaterEqual:
    return ">=";
  case BinaryOp::Equal:
    return "==";
  case BinaryOp::NotEqual:
    return "!=";
  case BinaryOp::BitAnd:
    return "&";
  case BinaryOp::BitXor:
    return "^";
  case BinaryOp::BitOr:
    return "|";
  case BinaryOp::And:
    return "&&";
  case BinaryOp::Or:
    return "||";
  }
  llvm_unreachable("unknown binary operator");
}

llvm::StringRef spelling(UnaryOp op) {
  switch (op) {
  case UnaryOp::Negate:
    return "-";
  case UnaryOp::Not:
    return "!";
  case UnaryOp::BitNot:
    return "~";
  }
  llvm_unreachable("unknown unary operator");
}

llvm::StringRef spelling(HandlerKind kind) {
  switch (kind) {
  case HandlerKind::Header:
    return "header";
  case HandlerKind::Payload:
    return "payload";
  case HandlerKind::Completion:
    return "completion";
  }
  llvm_unreachable("unknown kind of handler");
}

} // namespace spinc::ast
