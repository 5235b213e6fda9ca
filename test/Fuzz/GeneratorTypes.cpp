// Random enums, structs, tables and functions, and local memory.
#include "test/Fuzz/Generator.h"

using namespace spinc::fuzz;

static const IntKind u8{false, 8}, u32{false, 32};

static std::string number(Wide value) {
  return std::to_string(uint64_t(value));
}

void Generator::chooseTypes() {
  if (chance(40)) {
    Enum made{"E0", chance(50) ? u8 : IntKind{false, 16}, {}};
    for (unsigned i = unsigned(2 + pick(3)); i-- > 0;)
      made.values.push_back("A" + std::to_string(names++));
    enums.push_back(made);
  }
  if (chance(40)) {
    static const std::vector<IntKind> kinds = {
        u8, {false, 16}, u32, {false, 64}, {true, 16}, {true, 32}};
    Struct made{"S0", {}};
    for (unsigned i = unsigned(1 + pick(4)); i-- > 0;) {
      Struct::Member member{"m" + std::to_string(names++), any(kinds)};
      if (chance(25))
        member.count = 1 + pick(5);
      if (!enums.empty() && !member.count && chance(25)) {
        member.enumeration = 0;
        member.type = enums[0].type;
      }
      made.members.push_back(member);
    }
    structs.push_back(made);
    if (chance(50))
      stateStruct = 0;
  }
  for (unsigned i = unsigned(pick(3)); i-- > 0;) {
    static const std::vector<IntKind> kinds = {
        u8, {false, 16}, u32, {false, 64}, {true, 32}};
    tables.push_back({"T" + std::to_string(i), any(kinds),
                      any(std::vector<uint64_t>{1, 4, 7, 16}), false});
  }
}

std::string Generator::typesText() const {
  std::string text;
  for (const Enum &made : enums) {
    text += "enum " + made.name + " : " + made.type.text() + " { ";
    unsigned place = 0;
    for (const std::string &value : made.values)
      text += value + (place++ == 1 ? " = 7, " : ", ");
    text.resize(text.size() - 2);
    text += " }\n";
  }
  for (const Struct &made : structs) {
    text += "struct " + made.name + " { ";
    for (const Struct::Member &member : made.members) {
      bool isWire = !member.type.isSigned && member.type.width > 8 &&
                    member.enumeration < 0 && member.name.back() % 3 == 0;
      text += member.enumeration >= 0 ? enums[member.enumeration].name
              : isWire                ? "be" + std::to_string(member.type.width)
                                      : member.type.text();
      text += " " + member.name;
      if (member.count)
        text += "[" + std::to_string(member.count) + "]";
      text += "; ";
    }
    text += "}\n";
  }
  for (const ArrayName &table : tables) {
    text += "const " + table.type.text() + " " + table.text + "[" +
            std::to_string(table.count) + "] = { ";
    Wide value = 3;
    for (uint64_t i = 0; i < table.count; ++i) {
      text += (i ? ", " : "") + number(value);
      value = value * 2654435761 % (table.type.high() + 1);
    }
    text += " };\n";
  }
  return text;
}

//===-- Functions ---------------------------------------------------------===//

std::string Generator::leaving() {
  if (kind != Handler::Function) {
    static const std::vector<std::string> codes = {"SUCCESS", "DROP", "FAIL"};
    if (kind == Handler::Header)
      return chance(85) ? "PROCESS_DATA" : chance(50) ? "DROP" : "FAIL";
    return kind == Handler::Payload ? any(codes) : "SUCCESS";
  }
  return result ? literal(*result).text : "";
}

/// A function; later ones, and the handlers, may call it.
std::string Generator::function() {
  static const std::vector<IntKind> kinds = {u8,  {false, 16}, u32,
                                             u32, {false, 64}, {true, 32}};
  Function made{"f" + std::to_string(functions.size()), {}, {}, true};
  kind = Handler::Function;
  out.clear();
  indent = 1;
  statements = 9;
  variables.clear(), slices.clear(), arrays.clear(), records.clear();
  floatNames.clear(), flags.clear();
  std::string text;
  for (unsigned i = unsigned(1 + pick(3)); i-- > 0;) {
    std::string name = fresh();
    Parameter parameter{Parameter::Value, any(kinds)};
    unsigned choice = unsigned(pick(10));
    if (choice < 2)
      parameter.mode = Parameter::InOut;
    else if (choice < 5)
      parameter = {Parameter::Slice, u8};
    text += text.empty() ? "" : ", ";
    if (parameter.mode == Parameter::Slice) {
      text += "u8[] " + name;
      slices.push_back({name, 1, true, 0, 1500});
    } else {
      bool isMutable = parameter.mode == Parameter::InOut;
      text += (isMutable ? "inout " : "") + parameter.type.text() + " " + name;
      variables.push_back(
          {{name, parameter.type, parameter.type.low(), parameter.type.high()},
           isMutable});
    }
    made.isPlain &= parameter.mode == Parameter::Value;
    made.parameters.push_back(parameter);
  }
  if (chance(80))
    made.result = any(kinds);
  result = made.result;
  loops = made.isPlain && chance(60) ? 2 : 1;
  made.isPlain &= loops == 2;
  bool ownsCode = chance(50);
  // Its loops have constant bounds.
  for (SliceName &slice : slices)
    if (ownsCode) {
      slice.most = 64;
      line("require (" + slice.text + ".length <= 64) else return" +
           (result ? " " + leaving() : "") + ";");
    }
  for (unsigned count = unsigned(1 + pick(3)); count-- > 0;)
    statement(2);
  if (!made.isPlain && !slices.empty() && !slices.front().isLocal && chance(40))
    made.sends = sendSlice(slices.front().text);
  if (result)
    line("return " + convert(expr(2), *result, true).text + ";");
  loops = 0;
  functions.push_back(made);
  return (result ? result->text() : "void") + " " + made.name + "(" + text +
         ") " + (ownsCode ? "budget(cycles <= 1000000) " : "") + "{\n" + out +
         "}\n";
}

//===-- Local memory ------------------------------------------------------===//

void Generator::localArray() {
  static const std::vector<IntKind> kinds = {
      u8, u8, u8, {false, 16}, u32, {false, 64}, {true, 32}};
  IntKind type = any(kinds);
  uint64_t count = any(std::vector<uint64_t>{1, 4, 9, 16, 40});
  std::string name = fresh(), values;
  if (count < 10 && chance(40)) {
    for (uint64_t i = 0; i < 1 + pick(count); ++i)
      values += (i ? ", " : " = { ") + convert(expr(1), type, true).text;
    values += " }";
  }
  line("local " + type.text() + " " + name + "[" + std::to_string(count) + "]" +
       values + ";");
  arrays.push_back({name, type, count, true});
  if (type.isSigned || chance(40))
    return;
  std::string whole = fresh();
  line("let " + whole + " = " + name + "[0 ..< " + std::to_string(count) +
       "];");
  slices.push_back(
      {whole, type.width / 8, type.width == 8, count, count, true});
}

std::string Generator::initialValues(const Struct &type) {
  std::string text;
  for (const Struct::Member &member : type.members)
    if (!member.count && member.enumeration < 0 && chance(70))
      text += (text.empty() ? "" : ", ") + member.name + ": " +
              convert(expr(1), member.type, true).text;
  return text;
}

void Generator::localStruct() {
  if (structs.empty())
    return localArray();
  const Struct &type = structs[0];
  std::string name = fresh();
  if (chance(30)) {
    uint64_t count = 1 + pick(4);
    line("local " + type.name + " " + name + "[" + std::to_string(count) +
         "];");
    records.push_back({name, 0, count, true});
    return;
  }
  std::string values = chance(60) ? initialValues(type) : "";
  line(type.name + " " + name +
       (values.empty() ? ";" : " = { " + values + " };"));
  records.push_back({name, 0, 0, true});
}

/// A member that is a number; as a target without a conversion.
Term Generator::member(const Record &record, bool asTarget) {
  const Struct::Member &member = any(structs[record.type].members);
  std::string text = record.text;
  if (record.count)
    text += "[" + index(record.count) + "]";
  text += "." + member.name;
  if (member.count)
    text += "[" + index(member.count) + "]";
  if (member.enumeration >= 0 && !asTarget)
    text = "(" + text + " as " + member.type.text() + ")";
  if (member.enumeration >= 0 && asTarget)
    text = any(enums[member.enumeration].values) + "\n" + text;
  return {text, member.type, member.type.low(), member.type.high()};
}

/// An element of an array, or a member of a struct, or all of one.
void Generator::writeLocal() {
  std::vector<Record> targets;
  for (const Record &record : records)
    if (record.isWritable)
      targets.push_back(record);
  std::vector<ArrayName> places;
  for (const ArrayName &array : arrays)
    if (array.isWritable)
      places.push_back(array);
  if (!targets.empty() && (chance(50) || places.empty())) {
    const Record &record = any(targets);
    if (records.size() > 1 && chance(30)) {
      const Record &from = any(records);
      std::string left = record.text, right = from.text;
      left += record.count ? "[" + index(record.count) + "]" : "";
      right += from.count ? "[" + index(from.count) + "]" : "";
      if (record.text != from.text)
        return line(left + " = " + right + ";");
    }
    Term target = member(record, true);
    size_t split = target.text.find('\n');
    if (split != std::string::npos)
      return line(target.text.substr(split + 1) + " = " +
                  target.text.substr(0, split) + ";");
    return line(target.text + " = " + convert(expr(2), target.type, true).text +
                ";");
  }
  if (places.empty())
    return chance(60) ? localArray() : localStruct();
  const ArrayName &array = any(places);
  std::string at = chance(50) ? index(array.count) : "";
  Term value = convert(expr(2), array.type, true);
  std::string op = any(std::vector<std::string>{"", "", "^", "+%", "+|"});
  if (!at.empty())
    return line(array.text + "[" + at + "] " + op + "= " + value.text + ";");
  at = let(convert(expr(1), u32));
  std::string limit = std::to_string(array.count + (risky() ? 1 : 0));
  line("if (" + at + " < " + limit + ") " + array.text + "[" + at + "] " + op +
       "= " + value.text + ";");
}

/// A variable of an enum: set, compared, and read as a number.
void Generator::enumeration() {
  if (enums.empty())
    return declare();
  const Enum &type = enums[0];
  std::string name = fresh();
  std::string from = chance(50) ? any(type.values)
                                : "(" + convert(expr(1), type.type).text +
                                      " as " + type.name + ")";
  line(type.name + " " + name + " = " + from + ";");
  line("if (" + name + (chance(50) ? " == " : " != ") + any(type.values) +
       ") " + name + " = " + any(type.values) + ";");
  std::string value = let({"(" + name + " as " + type.type.text() + ")",
                           type.type, 0, type.type.high()});
  variables.push_back({{value, type.type, 0, type.type.high()}, false});
}
