// Random statements: variables, branches, guards and loops.
#include "test/Fuzz/Generator.h"

using namespace spinc::fuzz;

static const IntKind u32{false, 32};

void Generator::line(const std::string &text) {
  out.append(2 * indent, ' ');
  out += text + "\n";
}

std::string Generator::fresh() { return "v" + std::to_string(++names); }

std::string Generator::let(const Term &term) {
  std::string name = fresh();
  line("let " + name + " = " + term.text + ";");
  return name;
}

/// A block with a scope of its own.
void Generator::body(const std::string &head, unsigned depth,
                     const std::vector<Variable> &more) {
  auto outer = copyOf(sight());
  line(head + " {");
  ++indent;
  variables.insert(variables.end(), more.begin(), more.end());
  for (unsigned count = unsigned(1 + pick(3)); count-- > 0;)
    statement(depth ? depth - 1 : 0);
  --indent;
  line("}");
  sight() = outer;
}

void Generator::assign() {
  std::vector<Term> targets;
  for (const Variable &variable : variables)
    if (variable.mutableNow)
      targets.push_back(variable.term);
  if (targets.empty())
    return declare();
  Term target = any(targets);
  static const std::vector<std::string> operators = {
      "", "", "+%", "-%", "*%", "^", "|", "&", "+", "-", "+|", "-|"};
  std::string op = any(operators);
  bool plain = op == "+" || op == "-";
  if (plain && !wrapping && !risky())
    op += "%";
  Term value = convert(expr(unsigned(1 + pick(2))), target.type, true);
  line(target.text + " " + op + "= " + value.text + ";");
}

void Generator::declare() {
  Term term = expr(unsigned(1 + pick(2)));
  if (chance(50)) {
    std::string name = let(term);
    term.text = name;
    term.isMath = false;
    variables.push_back({term, false});
    return;
  }
  IntKind type = intKind();
  term = convert(term, type, true);
  std::string name = fresh();
  line(type.text() + " " + name + " = " + term.text + ";");
  variables.push_back({{name, type, type.low(), type.high()}, true});
}

void Generator::branch(unsigned depth) {
  body("if (" + condition(unsigned(pick(3))) + ")", depth);
  if (chance(40))
    body("else", depth);
}

/// An `if` or a `require` that bounds a variable.
void Generator::narrow(unsigned depth) {
  std::vector<Term> fixed;
  for (const Variable &variable : variables)
    if (!variable.mutableNow && variable.term.high > variable.term.low)
      fixed.push_back(variable.term);
  if (fixed.empty())
    return;
  Term term = any(fixed);
  static const std::vector<Wide> cuts = {0, 1, 7, 15, 63, 200, 1000, 70000};
  Wide cut = any(cuts);
  if (cut < term.low || cut > term.high)
    return;
  Wide slip = risky() ? 1 : 0;
  bool strict = chance(50);
  std::string guard = term.text + (strict ? " < " : " <= ") +
                      std::to_string(uint64_t(cut + slip + (strict ? 1 : 0)));
  term.high = cut;
  Variable less{term, false};
  if (depth > 0 && chance(60))
    return body("if (" + guard + ")", depth, {less});
  line("require (" + guard + ") else return " + leaving() + ";");
  variables.push_back(less);
}

/// A guard that relates two variables: facts that are not intervals.
void Generator::relate(unsigned depth) {
  std::vector<Term> fixed;
  for (const Variable &variable : variables)
    if (!variable.mutableNow && !variable.term.type.isSigned &&
        variable.term.type.width <= 32)
      fixed.push_back(variable.term);
  if (fixed.size() < 2)
    return declare();
  Term a = any(fixed), b = any(fixed);
  if (a.text == b.text)
    return;
  std::string name = fresh();
  bool reversed = risky();
  std::string guard = a.text + (reversed ? " >= " : " <= ") + b.text;
  if (depth > 0 && chance(70)) {
    line("if (" + guard + ") {");
    ++indent;
  } else {
    line("require (" + guard + ") else return " + leaving() + ";");
    depth = 0;
  }
  IntKind type{false, std::max({a.type.width, b.type.width, 32u})};
  line("let " + name + " = " + b.text + " - " + a.text + ";");
  Variable difference{{name, type, 0, b.high}, false};
  if (depth > 0) {
    std::vector<Variable> outer = variables;
    variables.push_back(difference);
    statement(depth - 1);
    --indent;
    line("}");
    variables = outer;
  } else {
    variables.push_back(difference);
  }
}

void Generator::lengthGuard(unsigned depth) {
  if (kind != Handler::Payload)
    return declare();
  static const std::vector<uint64_t> sizes = {1, 4, 8, 16, 33, 64};
  uint64_t size = any(sizes);
  uint64_t outer = lengthLeast;
  uint64_t known = size + (risky() ? 1 : 0);
  auto widen = [&] {
    lengthLeast = std::max(outer, known);
    for (SliceName &slice : slices)
      if (slice.text == "p.payload")
        slice.least = lengthLeast;
  };
  if (depth > 0 && chance(60)) {
    std::vector<SliceName> saved = slices;
    widen();
    body("if (p.length >= " + std::to_string(size) + ")", depth);
    lengthLeast = outer;
    slices = saved;
    return;
  }
  line("require (p.length >= " + std::to_string(size) + ") else return " +
       leaving() + ";");
  widen();
}

void Generator::rangeLoop(unsigned depth) {
  static const std::vector<IntKind> kinds = {{false, 8}, u32, u32, u32};
  static const std::vector<unsigned> steps = {1, 1, 1, 2, 3, 7};
  IntKind type = any(kinds);
  unsigned step = any(steps);
  uint64_t low = any(std::vector<uint64_t>{0, 0, 0, 1, 5});
  std::string end, form = " ..< ";
  Wide high;
  if (loops == 1 && kind == Handler::Payload && chance(40)) {
    type = u32;
    end = "p.length", high = 1500 - headerBytes;
    if (chance(30)) {
      unsigned part = any(std::vector<unsigned>{2, 4, 8});
      end = "p.length / " + std::to_string(part);
      high = high / part;
    }
  } else if (chance(50)) {
    uint64_t mask = any(std::vector<uint64_t>{3, 7, 15});
    end = "(" + convert(expr(1), {false, 8}).text + " & " +
          std::to_string(mask) + ")";
    high = mask;
  } else {
    high = Wide(pick(13));
    end = std::to_string(uint64_t(high));
  }
  if (chance(20) && type.width == 32)
    form = " ..+ ", high += Wide(low);
  std::string name = fresh();
  Variable counter{{name, type, Wide(low), std::max(Wide(low), high - 1)},
                   false};
  body("for (" + type.text() + " " + name + " : " + std::to_string(low) + form +
           end + (step > 1 ? " step " + std::to_string(step) : "") + ")",
       depth, {counter});
}

void Generator::elementLoop(unsigned depth) {
  if (slices.empty())
    return rangeLoop(depth);
  SliceName slice = any(slices);
  if (loops > 1 && slice.most > 64)
    return rangeLoop(depth);
  std::string text = slice.text, view = "u" + std::to_string(8 * slice.bytes);
  unsigned bytes = slice.bytes;
  if (slice.bytes == 1 && slice.isPacket && chance(60)) {
    static const std::vector<std::pair<std::string, unsigned>> views = {
        {"le16", 2}, {"be16", 2}, {"le32", 4},
        {"be32", 4}, {"le64", 8}, {"u32", 4}};
    const auto &[name, size] = any(views);
    text += " as " + name + "[]";
    view = name;
    bytes = size;
  } else if (slice.bytes != 1) {
    view.clear();
  }
  std::string name = fresh();
  IntKind type{false, 8 * bytes};
  Variable value{{name, type, 0, type.high()}, false};
  body("for (" + (view.empty() ? view : view + " ") + name + " : " + text + ")",
       depth, {value});
}

/// A loop that halves, counts, or moves a cursor, or one with an enforced
/// bound; the body may change the variable in other ways as well.
void Generator::whileLoop(unsigned depth) {
  std::string name = fresh();
  Term begin = convert(expr(1), u32, true);
  unsigned choice = unsigned(pick(4));
  bool isEnforced = choice == 3 || chance(30);
  if (choice == 0) {
    line("u32 " + name + " = " + begin.text + ";");
  } else {
    line("u32 " + name + " = " + std::to_string(pick(5)) + ";");
    // A cursor; half of the time its end is not a constant.
    begin.text = chance(50) || kind != Handler::Payload || loops > 1
                     ? std::to_string(pick(40))
                     : "p.length";
  }
  std::string head = choice == 0   ? "while (" + name + " > 0)"
                     : choice == 1 ? "while (" + name + " < " + begin.text + ")"
                     : choice == 2
                         ? "while (" + name + " + 3 <= " + begin.text + ")"
                         : "while " + condition(1);
  if (isEnforced)
    head += " bound(" + std::to_string(1 + pick(12)) + ")";
  auto outer = copyOf(sight());
  line(head + " {");
  ++indent;
  variables.push_back({{name, u32, 0, u32.high()}, false});
  statement(depth ? depth - 1 : 0);
  if (chance(30))
    line("if (" + condition(1) +
         (chance(60) ? ") break;" : ") return " + leaving() + ";"));
  if (choice == 0)
    line(name + (chance(50) ? " = " + name + " / 2;" : " >>= 1;"));
  else if (choice == 1)
    line(name + " += " + std::to_string(1 + pick(3)) + ";");
  else
    line(name + (choice == 2 ? " += (" : " +%= (") +
         convert(expr(1), {false, 8}).text + " & 7) + 1;");
  --indent;
  line("}");
  sight() = outer;
  variables.push_back({{name, u32, 0, u32.high()}, false});
}

void Generator::wrappingBlock() {
  std::vector<Variable> outer = variables;
  line("wrapping {");
  ++indent;
  wrapping = true;
  assign();
  assign();
  wrapping = false;
  --indent;
  line("}");
  variables = outer;
}

/// An early return behind a condition.
void Generator::leave() {
  std::string how = "return " + leaving();
  if (inLoop && chance(60))
    how = chance(50) ? "break" : "continue";
  line("if (" + condition(1) + ") " + how + ";");
}

void Generator::loop(unsigned depth) {
  bool outer = inLoop;
  ++loops;
  inLoop = true;
  switch (pick(12)) {
  case 0:
  case 1:
  case 2:
    elementLoop(depth);
    break;
  case 3:
  case 4:
  case 5:
    rangeLoop(depth);
    break;
  case 6:
  case 7:
    walk(depth);
    break;
  case 8:
    chunks(depth);
    break;
  default:
    whileLoop(depth);
  }
  --loops;
  inLoop = outer;
}

void Generator::statement(unsigned depth) {
  if (++statements > 14)
    return;
  if (loops == 0 && chance(8))
    return wrappingBlock();
  if (depth > 0 && chance(35)) {
    if (loops < 2 && chance(45))
      return loop(depth);
    if (hasAlternatives && kind == Handler::Payload && chance(30))
      return matchStatement(depth);
    return chance(25) ? switchStatement(depth) : branch(depth);
  }
  simpleStatement(depth);
}

/// Statements that may stand anywhere, and those that handlers have.
void Generator::simpleStatement(unsigned depth) {
  bool isHandler = kind != Handler::Function;
  bool isPayload = kind == Handler::Payload;
  if (isHandler && !lock.empty() && !isLocked && !wrapping && chance(15))
    return lockBlock(depth);
  // No command while a lock is held (lck-6).
  if (isLocked && chance(40))
    return useGuarded();
  switch (pick(isLocked ? 12 : isHandler ? 28 : 11)) {
  case 0:
  case 1:
    return assign();
  case 2:
    return declare();
  case 3:
    return narrow(depth);
  case 4:
    return relate(depth);
  case 5:
    return chance(40) ? cutSlice() : chance(60) ? writePacket() : changeEach();
  case 6:
    return writeLocal();
  case 7:
    return chance(50) ? floats() : chance(50) ? flag() : packed();
  case 8:
    return chance(50) ? enumeration() : localStruct();
  case 9:
    return chance(60) ? leave() : callFunction();
  case 10:
    return localArray();
  case 11:
    return atomic();
  case 12:
  case 13:
    return isPayload ? writePacket() : writeState();
  case 14:
    return isPayload ? cutSlice() : writeState();
  case 15:
    return copyToHost();
  case 16:
  case 17:
    return lengthGuard(depth);
  case 18:
    return notify();
  case 19:
    return chance(70) ? pieces() : cutSlice();
  case 20:
    return countAndCopy();
  case 21:
    return chance(70) ? command() : fromHost();
  case 22:
    return callFunction();
  case 23:
  case 24:
    return overlap(depth);
  case 25:
  case 26:
    return touchingCopies();
  default:
    return send();
  }
}
