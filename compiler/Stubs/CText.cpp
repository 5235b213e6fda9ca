// C text for the stub writer; CText.h says what.
#include "compiler/Stubs/CText.h"

#include "llvm/ADT/StringExtras.h"

namespace spinc::stubs {

namespace {

constexpr unsigned lineWidth = 80;
constexpr unsigned continuation = 4;

/// Keywords of C11 and C++20, macros and types of the headers included, and
/// the names that functions of a stub use themselves.
// clang-format off
constexpr llvm::StringLiteral reserved[] = {
    "NULL", "alignas", "alignof", "and", "asm", "auto", "bitand", "bitor",
    "bool", "break", "card", "case", "catch", "char", "class", "compl",
    "concept", "const", "continue", "decltype", "default", "delete", "do",
    "double", "else", "enum", "error", "explicit", "export", "extern", "false",
    "float", "for", "friend", "goto", "holds", "if", "image", "inline", "int",
    "int16_t", "int32_t", "int64_t", "int8_t", "linux", "long", "mutable",
    "namespace", "new", "noexcept", "not", "nullptr", "offsetof", "operator",
    "options", "or", "params", "private", "protected", "public", "register",
    "requires", "restrict", "return", "setup", "short", "signed", "size_t",
    "sizeof", "static", "status", "struct", "switch", "template", "this",
    "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
    "uint16_t", "uint32_t", "uint64_t", "uint8_t", "union", "unix", "unsigned",
    "using", "values", "virtual", "void", "volatile", "wchar_t", "while", "xor",
};
// clang-format on

bool isReserved(llvm::StringRef name) {
  return llvm::is_contained(reserved, name) ||
         name.starts_with_insensitive("spin_") || name.starts_with("__") ||
         name.starts_with("INT") || name.starts_with("UINT");
}

std::string scalar(const sema::Type *type) {
  if (const auto *integer = sema::dynAs<sema::IntType>(type)) {
    unsigned bits = sema::sizeInBytes(type) * 8;
    if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
      return (integer->isSigned ? "int" : "uint") + std::to_string(bits) + "_t";
  }
  if (const auto *real = sema::dynAs<sema::FloatType>(type))
    return real->width == 32 ? "float" : "double";
  if (type->is(sema::TypeKind::Bool))
    return "bool";
  if (type->is(sema::TypeKind::Process) || type->is(sema::TypeKind::Simd))
    return "uint32_t";
  return {};
}

} // namespace

std::string identifier(llvm::StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? c : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(result.begin(), '_');
  if (isReserved(result))
    result += '_';
  return result;
}

std::string literal(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    // An octal escape ends after three digits, whatever follows; '?' could
    // start a trigraph.
    if (llvm::isPrint(c) && c != '?')
      result += c;
    else
      for (char digit : {'\\', char('0' + ((c >> 6) & 3)),
                         char('0' + ((c >> 3) & 7)), char('0' + (c & 7))})
        result += digit;
  }
  return result + "\"";
}

std::string commentText(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (!llvm::isPrint(c))
      c = ' ';
    char before = result.empty() ? ' ' : result.back();
    if (c == ' ' && before == ' ')
      continue;
    if ((before == '*' && c == '/') || (before == '/' && c == '*'))
      result += ' ';
    result += c;
  }
  return result;
}

std::string member(const sema::Type *type, llvm::StringRef name) {
  std::string extents;
  while (const auto *array = sema::dynAs<sema::ArrayType>(type)) {
    extents += "[" + std::to_string(array->count) + "]";
    type = array->element;
  }
  std::string base = scalar(type);
  if (const auto *record = sema::dynAs<sema::StructType>(type)) {
    base = "struct { ";
    for (const sema::StructField &field : record->fields)
      base += member(field.type, identifier(field.name)) + "; ";
    base += "}";
  } else if (const auto *enumeration = sema::dynAs<sema::EnumType>(type)) {
    base = scalar(enumeration->underlying);
  }
  if (base.empty()) {
    base = "uint8_t";
    extents += "[" + std::to_string(sema::sizeInBytes(type)) + "]";
  }
  return base + " " + name.str() + extents;
}

std::string CExpr::flat() const {
  if (!isCall)
    return text;
  std::string result = text + "(";
  for (size_t i = 0; i < arguments.size(); ++i)
    result += (i ? ", " : "") + arguments[i].flat();
  return result + ")";
}

/// The same within a broken line; the cursor is at column `indent`.
static void printAt(llvm::raw_ostream &os, const CExpr &expr, unsigned indent,
                    const std::string &after) {
  std::string flat = expr.flat();
  if (!expr.isCall || indent + flat.size() + after.size() <= lineWidth) {
    os << flat << after;
    return;
  }
  os << expr.text << '(';
  unsigned inner = indent + continuation;
  for (size_t i = 0; i < expr.arguments.size(); ++i) {
    os << '\n' << std::string(inner, ' ');
    bool last = i + 1 == expr.arguments.size();
    printAt(os, expr.arguments[i], inner, last ? ")" + after : ",");
  }
}

void print(llvm::raw_ostream &os, llvm::StringRef before, const CExpr &expr,
           llvm::StringRef after) {
  std::string line = before.str() + expr.flat() + after.str();
  if (line.size() <= lineWidth) {
    os << line << '\n';
    return;
  }
  unsigned indent = before.size() - before.ltrim().size() + continuation;
  os << before.rtrim() << '\n' << std::string(indent, ' ');
  printAt(os, expr, indent, after.str());
  os << '\n';
}

void printBytes(llvm::raw_ostream &os, llvm::ArrayRef<uint8_t> bytes) {
  constexpr size_t perLine = 16;
  for (size_t i = 0; i < bytes.size(); ++i) {
    os << (i % perLine == 0 ? "    " : "") << unsigned(bytes[i]) << ',';
    if (i % perLine == perLine - 1 || i + 1 == bytes.size())
      os << '\n';
  }
}

} // namespace spinc::stubs
