// Random expressions with their types and ranges.
#include "test/Fuzz/Generator.h"
#include <algorithm>

using namespace spinc::fuzz;

static const IntKind u8{false, 8}, u32{false, 32};

std::string IntKind::text() const {
  return (isSigned ? "i" : "u") + std::to_string(width);
}

static std::string toText(Wide value) {
  if (value == 0)
    return "0";
  std::string digits;
  bool negative = value < 0;
  for (unsigned __int128 rest = negative ? -(unsigned __int128)value
                                         : (unsigned __int128)value;
       rest; rest /= 10)
    digits.insert(digits.begin(), char('0' + unsigned(rest % 10)));
  return negative ? "-" + digits : digits;
}

static IntKind promoted(IntKind type) {
  return type.width >= 32 ? type : IntKind{type.isSigned, 32};
}

IntKind Generator::intKind() {
  if (chance(15))
    return {chance(50), unsigned(2 + pick(62))};
  static const std::vector<unsigned> widths = {8, 16, 32, 32, 32, 64};
  return {chance(35), any(widths)};
}

Term Generator::literal(IntKind type) {
  Wide low = type.low(), high = type.high();
  Wide value = 0;
  switch (pick(6)) {
  case 0:
    value = high;
    break;
  case 1:
    value = low;
    break;
  case 2:
    value = 1;
    break;
  case 3:
    value = low + Wide(random() % (unsigned __int128)(high - low + 1));
    break;
  default:
    value = Wide(pick(40));
    break;
  }
  value = std::min(std::max(value, low), high);
  // The language has no literal below -2^63 + 1.
  return {"(" + toText(value) + " as " + type.text() + ")", type, value, value};
}

Term Generator::headerField() {
  const auto &[name, type] = any(headerFields);
  return {"p." + name, type, type.low(), type.high()};
}

/// An element of a slice or an array, at an index that is surely there unless
/// the seed takes risks.
Term Generator::element() {
  if (!slices.empty() && chance(50)) {
    const SliceName &slice = any(slices);
    uint64_t limit = slice.least + (risky() ? 1 : 0);
    if (limit) {
      IntKind type{false, 8 * slice.bytes};
      return {slice.text + "[" + index(limit) + "]", type, 0, type.high()};
    }
  }
  if ((!arrays.empty() || !tables.empty()) && chance(50)) {
    bool isTable = arrays.empty() || (!tables.empty() && chance(40));
    const ArrayName &array = any(isTable ? tables : arrays);
    return {array.text + "[" + index(array.count) + "]", array.type,
            array.type.low(), array.type.high()};
  }
  if (!records.empty() && chance(50))
    return member(any(records), false);
  if (kind == Handler::Completion && chance(40))
    if (const Field *field = fieldOf("ch", true)) {
      unsigned copies = field->kind == 'c' ? 4 : 32;
      return {"state." + field->name + ".copy(" + std::to_string(pick(copies)) +
                  ")[" + index(field->count) + "]",
              field->type, field->type.low(), field->type.high()};
    }
  if (kind != Handler::Function)
    if (const Field *field = fieldOf("p2h", true))
      return {"state." + field->name + "[" + index(field->count) + "]",
              field->type, field->type.low(), field->type.high()};
  return literal(intKind());
}

Term Generator::leaf() {
  unsigned choice = unsigned(pick(100));
  if (!variables.empty() && choice < 45)
    return any(variables).term;
  if (choice < 57)
    return literal(intKind());
  if (choice < 67 && kind == Handler::Payload && !headerFields.empty())
    return headerField();
  if (choice < 80)
    return element();
  if (choice < 84 && !functions.empty() && !wrapping)
    if (const Function &function = any(functions);
        function.isPlain && function.result) {
      IntKind type = *function.result;
      return {callText(function), type, type.low(), type.high()};
    }
  std::vector<Term> terms = outside();
  if (!terms.empty())
    return any(terms);
  static const std::vector<std::string> ids = {"hpu.id", "cluster.id"};
  const std::string &id = any(ids);
  return {id, u32, 0, id == "hpu.id" ? 31 : 3};
}

/// What a handler sees besides its own names.
std::vector<Term> Generator::outside() {
  std::vector<Term> terms;
  if (kind == Handler::Function)
    return terms;
  terms = params;
  if (const Field *field = fieldOf("p2h", false))
    terms.push_back({"state." + field->name, field->type, field->type.low(),
                     field->type.high()});
  if (kind == Handler::Payload)
    terms.push_back({"p.length", u32, Wide(lengthLeast), 1500 - headerBytes});
  if (isPortals && kind == Handler::Payload)
    terms.push_back({"p.offset", u32, 0, u32.high()});
  if (isPortals && kind != Handler::Payload)
    for (const char *name : {"m.length", "m.offset"})
      terms.push_back({name, u32, 0, u32.high()});
  if (kind == Handler::Header)
    for (const auto &[name, type] : userFields)
      terms.push_back({"m.user." + name, type, type.low(), type.high()});
  return terms;
}

Term Generator::convert(Term term, IntKind type, bool implicit) {
  if (term.type == type || (implicit && type.holds(term.type)))
    return term;
  Wide low = type.low(), high = type.high();
  bool fits = low <= term.low && term.high <= high;
  std::string cast = "(" + term.text + " as " + type.text() + ")";
  if (wrapping)
    return {cast, type, fits ? term.low : low, fits ? term.high : high};
  if (fits || risky())
    return {cast, type, std::max(low, std::min(term.low, high)),
            std::min(high, std::max(term.high, low))};
  if (term.low >= 0) {
    unsigned bits = 1 + unsigned(pick(type.width - type.isSigned));
    Wide mask = (Wide(1) << bits) - 1;
    return {"((" + term.text + " & " + toText(mask) + ") as " + type.text() +
                ")",
            type, 0, mask};
  }
  std::string name = let(term);
  low = std::max(low, term.low), high = std::min(high, term.high);
  // -2^63 has no literal.
  Wide least = std::max(low, -((Wide(1) << 63) - 1));
  return {"(" + name + " >= " + toText(least) + " && " + name +
              " <= " + toText(high) + " ? " + name + " as " + type.text() +
              " : (" + toText(least) + " as " + type.text() + "))",
          type, least, high};
}

void Generator::unify(Term &left, Term &right, IntKind &type, bool promotes) {
  IntKind l = promotes ? promoted(left.type) : left.type;
  IntKind r = promotes ? promoted(right.type) : right.type;
  if (r.holds(l)) {
    type = r;
  } else if (l.holds(r)) {
    type = l;
  } else {
    right.isMath = false;
    right = convert(right, l);
    type = l;
  }
}

Term Generator::expr(unsigned depth) {
  if (depth == 0 || chance(20))
    return leaf();
  unsigned choice = unsigned(pick(100));
  if (choice < 62)
    return binary(depth);
  if (choice < 73)
    return convert(expr(depth - 1), intKind());
  if (choice < 83) {
    Term a = expr(depth - 1), b = expr(depth - 1);
    IntKind type;
    unify(a, b, type, false);
    return {"(" + condition(depth - 1) + " ? " + a.text + " : " + b.text + ")",
            type, std::min(a.low, b.low), std::max(a.high, b.high)};
  }
  if (choice < 87)
    return {"(" + condition(depth - 1) + " as u8)", u8, 0, 1};
  Term a = expr(depth - 1);
  IntKind type = promoted(a.type);
  if (chance(50) && a.type.isSigned && !wrapping &&
      (a.low > type.low() || risky()))
    return {"(-" + a.text + ")", type, std::max(type.low(), -a.high),
            std::min(type.high(), -a.low)};
  return {"(~" + a.text + ")", a.type, a.type.low(), a.type.high()};
}

static Wide apply(char op, Wide a, Wide b) {
  return op == '+' ? a + b : op == '-' ? a - b : a * b;
}

/// Smallest and largest result of + - * over two ranges; false if they need
/// more than 126 bits.
static bool ends(char op, const Term &a, const Term &b, Wide &low, Wide &high) {
  auto bits = [](Wide value) {
    unsigned count = 0;
    for (unsigned __int128 rest = value < 0 ? -(unsigned __int128)value
                                            : (unsigned __int128)value;
         rest; rest >>= 1)
      ++count;
    return count;
  };
  unsigned left = std::max(bits(a.low), bits(a.high));
  unsigned right = std::max(bits(b.low), bits(b.high));
  if (op == '*' ? left + right > 120 : std::max(left, right) > 120)
    return false;
  Wide all[] = {apply(op, a.low, b.low), apply(op, a.low, b.high),
                apply(op, a.high, b.low), apply(op, a.high, b.high)};
  low = *std::min_element(all, all + 4);
  high = *std::max_element(all, all + 4);
  return true;
}

Term Generator::binary(unsigned depth) {
  static const std::vector<std::string> operators = {
      "+", "-",  "*",  "+",  "-",  "+",  "/",  "%",   "&", "|",
      "^", "+%", "-%", "*%", "+|", "-|", "<<", "<<%", ">>"};
  std::string op = any(operators);
  if (op[0] == '<' || op[0] == '>')
    return shift(op, expr(depth - 1));
  Term a = expr(depth - 1), b = expr(depth - 1);
  if (op == "/" || op == "%")
    return divide(op, a, b);
  bool plain = op.size() == 1 && (op == "+" || op == "-" || op == "*");
  IntKind type;
  unify(a, b, type, plain && !wrapping);
  Wide low = type.low(), high = type.high();
  if (op == "&" || op == "|" || op == "^") {
    if (a.low >= 0 && b.low >= 0) {
      Wide all = 1;
      while (all <= std::max(a.high, b.high))
        all <<= 1;
      low = 0;
      high = op == "&" ? std::min(a.high, b.high) : all - 1;
    }
    return {"(" + a.text + " " + op + " " + b.text + ")", type, low, high};
  }
  Wide least = 0, most = 0;
  bool known = ends(op[0], a, b, least, most);
  bool fits = known && low <= least && most <= high;
  bool exact = plain && !wrapping;
  if (exact && !fits && !risky()) {
    op += "%";
    exact = false;
    unify(a, b, type, false);
    low = type.low(), high = type.high();
  }
  if (fits)
    low = std::max(low, least), high = std::min(high, most);
  return {"(" + a.text + " " + op + " " + b.text + ")", type, low, high, exact};
}

Term Generator::divide(const std::string &op, Term a, Term b) {
  IntKind type;
  unify(a, b, type, false);
  std::string guard;
  if (b.low <= 0 && !risky()) {
    if (chance(50)) {
      Wide value = 1 + Wide(pick(uint64_t(std::min<Wide>(type.high(), 100))));
      b = {"(" + toText(value) + " as " + type.text() + ")", type, value,
           value};
    } else {
      std::string name = let(b);
      guard = name + (chance(70) || b.type.isSigned ? " > 0" : " != 0");
      b.text = name;
    }
  }
  Wide far =
      std::max(a.low < 0 ? -a.low : a.low, a.high < 0 ? -a.high : a.high);
  if (op == "%" && b.low > 0)
    far = std::min(far, b.high - 1);
  Wide low = a.low < 0 || b.low < 0 ? std::max(type.low(), -far) : 0;
  Wide high = std::min(far, type.high());
  std::string text = "(" + a.text + " " + op + " " + b.text + ")";
  if (guard.empty())
    return {text, type, low, high, !wrapping};
  return {"(" + guard + " ? " + text + " : (1 as " + type.text() + "))", type,
          std::min<Wide>(low, 1), std::max<Wide>(high, 1)};
}

Term Generator::shift(const std::string &op, Term a) {
  bool grows = op == "<<" && !wrapping;
  IntKind type = grows ? promoted(a.type) : a.type;
  unsigned amount = unsigned(pick(type.width));
  std::string text = std::to_string(amount);
  if (chance(40)) {
    unsigned power = 1;
    while (power * 2 <= type.width)
      power *= 2;
    Term by = convert(expr(1), {false, unsigned(1 + pick(type.width))});
    unsigned mask =
        std::min<unsigned>(power - 1, any(std::vector<unsigned>{3, 7, 31, 63}));
    if (mask <= by.type.high()) {
      text = "(" + by.text + " & " + std::to_string(mask) + ")";
      amount = mask;
    }
  }
  if (op == ">>")
    return {"(" + a.text + " >> " + text + ")", type, std::min<Wide>(a.low, 0),
            std::max<Wide>(a.high, 0)};
  bool small =
      amount < 60 && a.low > -(Wide(1) << 64) && a.high < Wide(1) << 65;
  Wide low =
      small ? std::min(a.low, a.low * (Wide(1) << amount)) : type.low() - 1;
  Wide high =
      small ? std::max(a.high, a.high * (Wide(1) << amount)) : type.high() + 1;
  bool fits = type.low() <= low && high <= type.high();
  std::string spelled = op;
  if (op == "<<" && !fits && !wrapping && !risky()) {
    spelled = "<<%";
    type = a.type;
    text = std::to_string(std::min(amount, type.width - 1));
  }
  if (!fits)
    low = type.low(), high = type.high();
  return {"(" + a.text + " " + spelled + " " + text + ")", type, low, high};
}

/// An operand of a comparison, which is computed without a width (typ-6).
Term Generator::exact(unsigned depth) {
  if (depth > 0 && chance(40) && !wrapping) {
    Term a = exact(depth - 1), b = exact(depth - 1);
    char op = any(std::vector<char>{'+', '-', '*'});
    Wide low, high;
    if (ends(op, a, b, low, high) && low > -(Wide(1) << 100) &&
        high < Wide(1) << 100)
      return {"(" + a.text + " " + op + " " + b.text + ")", a.type, low, high,
              true};
  }
  Term term = expr(depth ? depth - 1 : 0);
  if (term.isMath)
    term.text = "(" + term.text + " as " + term.type.text() + ")";
  term.isMath = false;
  return term;
}

std::string Generator::condition(unsigned depth) {
  unsigned choice = unsigned(pick(100));
  if (depth > 0 && choice < 35)
    return "(" + condition(depth - 1) + (chance(50) ? " && " : " || ") +
           condition(depth - 1) + ")";
  if (depth > 0 && choice < 42)
    return "(!" + condition(depth - 1) + ")";
  if (!flags.empty() && choice < 52)
    return any(flags);
  static const std::vector<std::string> operators = {"<",  "<=", ">",
                                                     ">=", "==", "!="};
  Term a = exact(depth), b = exact(depth);
  return "(" + a.text + " " + any(operators) + " " + b.text + ")";
}

std::string Generator::index(uint64_t limit) {
  if (limit <= 1 || chance(35))
    return std::to_string(pick(limit ? limit : 1));
  Term term = expr(1);
  if (term.low >= 0 && term.high < Wide(limit))
    return convert(term, u32).text;
  term = convert(term, u32);
  uint64_t slip = risky() ? 1 : 0;
  uint64_t mask = 1;
  while (mask * 2 <= limit + slip)
    mask *= 2;
  if (chance(60))
    return "(" + term.text + " & " + std::to_string(mask - 1) + ")";
  return "(" + term.text + " % " + std::to_string(limit + slip) + ")";
}
