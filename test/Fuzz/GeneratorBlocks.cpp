// Random uses of switch, chunks, floats, functions, counters and locks.
#include "test/Fuzz/Generator.h"
#include <algorithm>

using namespace spinc::fuzz;

static const IntKind u8{false, 8}, u32{false, 32};

void Generator::switchStatement(unsigned depth) {
  IntKind type = any(std::vector<IntKind>{u8, {false, 16}, u32});
  Term subject = convert(expr(2), type, true);
  std::string name =
      let({"(" + subject.text + " & 15) as " + type.text(), type, 0, 15});
  line("switch (" + name + ") {");
  ++indent;
  uint64_t next = pick(3);
  for (unsigned count = unsigned(1 + pick(3)); count-- > 0;) {
    uint64_t last = next + (chance(30) ? 2 : 0);
    std::string labels = std::to_string(next);
    if (last > next)
      labels += ", " + std::to_string(last);
    body("case " + labels + ":", depth,
         {{{name, type, Wide(next), Wide(last)}, false}});
    next = last + 1 + pick(4);
  }
  if (chance(70))
    body("default:", depth);
  --indent;
  line("}");
}

void Generator::chunks(unsigned depth) {
  std::vector<SliceName> fitting;
  for (const SliceName &slice : slices)
    if (loops < 2 || slice.most <= 64)
      fitting.push_back(slice);
  if (fitting.empty())
    return rangeLoop(depth);
  SliceName slice = any(fitting);
  uint64_t size = any(std::vector<uint64_t>{1, 2, 4, 7, 16});
  std::string part = fresh(), tail = fresh();
  std::vector<SliceName> outer = slices;
  SliceName inner = slice;
  inner.text = part, inner.least = inner.most = size;
  slices.push_back(inner);
  body("for (" + part + " : " + slice.text + ".chunks(" + std::to_string(size) +
           "))",
       depth);
  slices = outer;
  if (chance(30))
    return;
  inner.text = tail, inner.least = 0, inner.most = size - 1;
  slices.push_back(inner);
  inLoop = false;
  body("else (" + tail + ")", depth);
  slices = outer;
}

/// Floats made of integers, computed with, compared, and made integers again:
/// which NaN there is, nobody sees.
void Generator::floats() {
  std::string type = chance(70) ? "f32" : "f64";
  if (floatNames.empty() || chance(40)) {
    std::string name = fresh();
    line(type + " " + name + " = " + expr(1).text + " as " + type + ";");
    floatNames.push_back(type + name);
    return chance(75) ? floats() : void();
  }
  std::string name = any(floatNames);
  type = name.substr(0, 3), name = name.substr(3);
  static const std::vector<std::string> operations = {"+", "-", "*", "/"};
  switch (pick(4)) {
  case 0:
    return line(name + " " + any(operations) + "= " + expr(1).text + " as " +
                type + ";");
  case 1:
    return line(
        name + " = " + name + " " + any(operations) + " " +
        any(std::vector<std::string>{"0.5", "3.25", "1000000.5", "0.0"}) + ";");
  case 2:
    flags.push_back(fresh());
    return line("bool " + flags.back() + " = " + name +
                any(std::vector<std::string>{" < ", " >= ", " == ", " != "}) +
                (chance(50) ? "-" : "") + name + " * " + name + ";");
  default: {
    IntKind kind = any(std::vector<IntKind>{u8, u32, {true, 32}, {false, 64}});
    std::string value = let({"(" + name + " as " + kind.text() + ")", kind,
                             kind.low(), kind.high()});
    variables.push_back({{value, kind, kind.low(), kind.high()}, false});
  }
  }
}

void Generator::flag() {
  std::string name = fresh();
  line("bool " + name + " = " + condition(2) + ";");
  if (chance(30))
    line("if (" + condition(1) + ") " + name + " = !" + name + ";");
  flags.push_back(name);
}

/// Packed values, made of numbers and made numbers again.
void Generator::packed() {
  std::string type =
      any(std::vector<std::string>{"u8x4", "i8x4", "u16x2", "i16x2"});
  unsigned bits = type.back() == '4' ? 8 : 16;
  auto word = [&] {
    return "(" + convert(expr(1), u32).text + " as " + type + ")";
  };
  std::string name = fresh(), other = fresh();
  line("let " + other + " = " + word() + ";");
  line(type + " " + name + " = " + word() + ";");
  std::string text;
  switch (pick(5)) {
  case 0:
    text = name + "." + any(std::vector<std::string>{"min", "max", "avg"}) +
           "(" + other + ")";
    break;
  case 1:
    text = name + ".abs()";
    break;
  case 2:
    text = name + any(std::vector<std::string>{" <<% ", " >> "}) +
           std::to_string(pick(bits));
    break;
  case 3:
    text = "(" + name +
           any(std::vector<std::string>{" < ", " == ", " >= ", " != "}) +
           other + ")";
    break;
  default:
    text = name +
           any(std::vector<std::string>{" +% ", " -% ", " +| ", " -| ", " & ",
                                        " ^ "}) +
           other;
  }
  if (chance(40))
    line(name + "[" + std::to_string(pick(32 / bits)) + "] = " +
         convert(literal({type[0] == 'i', bits}), {type[0] == 'i', bits}).text +
         ";");
  bool isDot = chance(25);
  IntKind kind{isDot && type[0] == 'i', 32};
  std::string value =
      let({isDot ? name + ".dot(" + other + ")" : "((" + text + ") as u32)",
           kind, kind.low(), kind.high()});
  variables.push_back({{value, kind, kind.low(), kind.high()}, false});
}

/// Which of the alternatives a packet holds, and its fields.
void Generator::matchStatement(unsigned depth) {
  std::string name = fresh();
  line("match (p.up) {");
  ++indent;
  std::vector<Variable> fields;
  for (const char *field : {"src_port", "length"})
    fields.push_back({{name + "." + field, {false, 16}, 0, 65535}, false});
  body("case Udp " + name + ":", depth, fields);
  if (chance(60))
    body("case Other " + name + ":", depth,
         {{{name + ".mark", u32, 0, u32.high()}, false}});
  body("default:", depth);
  --indent;
  line("}");
}

/// A call, or "" if there is nothing to pass.
std::string Generator::callText(const Function &function) {
  std::string text;
  for (const Parameter &parameter : function.parameters) {
    text += text.empty() ? "" : ", ";
    if (parameter.mode == Parameter::Value) {
      text += convert(expr(1), parameter.type, true).text;
    } else if (parameter.mode == Parameter::InOut) {
      std::string name = fresh();
      line(parameter.type.text() + " " + name + " = " +
           convert(expr(1), parameter.type, true).text + ";");
      variables.push_back(
          {{name, parameter.type, parameter.type.low(), parameter.type.high()},
           true});
      text += name;
    } else {
      std::vector<std::string> fitting;
      for (const SliceName &slice : slices)
        if (slice.bytes == 1 && slice.isPacket &&
            (!packetBusy || slice.isLocal) && (loops < 2 || slice.most <= 64) &&
            !(slice.isLocal && function.sends == 'l'))
          fitting.push_back(slice.text);
      if (fitting.empty())
        return "";
      text += any(fitting);
    }
  }
  return function.name + "(" + text + ")";
}

void Generator::callFunction() {
  if (functions.empty() || wrapping)
    return declare();
  const Function &function = any(functions);
  if (kind == Handler::Function && !function.isPlain)
    return declare();
  if (function.sends &&
      (kind != Handler::Payload || isLocked || loops || !mayBlock()))
    return declare();
  std::string call = callText(function);
  if (call.empty())
    return declare();
  if (function.sends == 'l')
    issued(true);
  if (!function.result)
    return line(call + ";");
  IntKind type = *function.result;
  std::string name = let({call, type, type.low(), type.high()});
  variables.push_back({{name, type, type.low(), type.high()}, false});
}

/// Counters and state of the HPU.
void Generator::countAndCopy() {
  const Field *counter = fieldOf("n", chance(40));
  const Field *own = fieldOf("h", chance(50));
  if (own && (chance(50) || !counter)) {
    std::string place = "state." + own->name;
    if (own->count)
      place += "[" + index(own->count) + "]";
    std::string op = any(std::vector<std::string>{"", "+%", "^", "+|"});
    return line(place + " " + op + "= " +
                convert(expr(2), own->type, true).text + ";");
  }
  if (!counter)
    return declare();
  std::string place = "state." + counter->name;
  if (counter->count)
    place += "[" + index(counter->count) + "]";
  switch (pick(4)) {
  case 0:
    return line(place + ".increment();");
  case 1:
    return line(place + ".increment(by: " + convert(expr(1), u32, true).text +
                ");");
  case 2:
    return line(place + ".set(" + convert(expr(1), u32, true).text + ");");
  default: {
    std::string value = let({place + ".get()", u32, 0, u32.high()});
    variables.push_back({{value, u32, 0, u32.high()}, false});
  }
  }
}

/// A block that holds the lock.
void Generator::lockBlock(unsigned depth) {
  isLocked = true;
  isShared = lock == "rw_lock" && chance(40);
  std::vector<Variable> inside;
  for (const Field &field : fields)
    if (field.kind == 'g' && !field.count)
      inside.push_back({{"state." + field.name, field.type, field.type.low(),
                         field.type.high()},
                        !isShared});
  body(std::string("with (state.door") + (isShared ? ".shared)" : ")"), depth,
       inside);
  isLocked = isShared = false;
}

void Generator::useGuarded() {
  const Field *field = fieldOf("g", chance(60));
  if (!field)
    return assign();
  std::string place = "state." + field->name;
  if (field->count)
    place += "[" + index(field->count) + "]";
  if (isShared || chance(40)) {
    Term read{place, field->type, field->type.low(), field->type.high()};
    read.text = let(read);
    variables.push_back({read, false});
    return;
  }
  std::string op = any(std::vector<std::string>{"", "+%", "^", "-|"});
  line(place + " " + op + "= " + convert(expr(2), field->type, true).text +
       ";");
}
