//===- Toml.cpp - Settings from TOML text ---------------------------------===//
//
// The only file that sees toml++. Its tables have no order; lines give one.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/config/Toml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

using namespace spinc::sim;
using llvm::formatv;
using llvm::StringRef;

namespace {

class Reader {
public:
  Reader(StringRef file, std::vector<TomlTable> &tables, std::string &error)
      : file(file), tables(tables), error(error) {}

  bool root(const toml::table &table) {
    TomlTable top;
    for (const auto &[key, node] : table) {
      StringRef name = key.str();
      bool read = true;
      if (const toml::table *inner = node.as_table())
        read = section(name, *inner, false);
      else if (const toml::array *array = node.as_array())
        read = sections(name, *array);
      else
        read = entry(top, name, node);
      if (!read)
        return false;
    }
    order(top.entries);
    tables.insert(tables.begin(), std::move(top));
    order(tables);
    return true;
  }

private:
  template <typename T> static void order(std::vector<T> &values) {
    llvm::sort(values, [](const T &a, const T &b) { return a.line < b.line; });
  }

  static unsigned lineOf(const toml::node &node) {
    return node.source().begin.line;
  }

  bool fail(const toml::node &node, const std::string &what) {
    error = formatv("{0}: {1}", placeOf(file, lineOf(node)), what);
    return false;
  }

  bool sections(StringRef name, const toml::array &array) {
    for (const toml::node &element : array) {
      const toml::table *table = element.as_table();
      if (!table)
        return fail(element, formatv("'{0}' is a list of values; expected a "
                                     "value or tables [[{0}]]",
                                     name));
      if (!section(name, *table, true))
        return false;
    }
    return true;
  }

  bool section(StringRef name, const toml::table &table, bool inArray) {
    TomlTable read;
    read.name = name.str();
    read.inArray = inArray;
    read.line = lineOf(table);
    for (const auto &[key, node] : table)
      if (!entry(read, key.str(), node))
        return false;
    order(read.entries);
    tables.push_back(std::move(read));
    return true;
  }

  bool entry(TomlTable &table, StringRef key, const toml::node &node) {
    TomlEntry entry;
    entry.key = key.str();
    entry.line = lineOf(node);
    if (const auto *flag = node.as_boolean())
      entry.value = flag->get();
    else if (const auto *integer = node.as_integer())
      entry.value = int64_t(integer->get());
    else if (const auto *number = node.as_floating_point())
      entry.value = number->get();
    else if (const auto *text = node.as_string())
      entry.value = text->get();
    else
      return fail(node, formatv("'{0}' is no plain value; expected a number, "
                                "a text, true or false",
                                key));
    table.entries.push_back(std::move(entry));
    return true;
  }

  StringRef file;
  std::vector<TomlTable> &tables;
  std::string &error;
};

} // namespace

std::string spinc::sim::placeOf(StringRef file, unsigned line) {
  return line ? formatv("{0}:{1}", file, line).str() : file.str();
}

bool spinc::sim::readToml(StringRef text, StringRef file,
                          std::vector<TomlTable> &tables, std::string &error) {
  toml::parse_result result =
      toml::parse(std::string_view(text.data(), text.size()));
  if (!result) {
    const toml::parse_error &reason = result.error();
    error = formatv("{0}: {1}", placeOf(file, reason.source().begin.line),
                    StringRef(reason.description()));
    return false;
  }
  tables.clear();
  return Reader(file, tables, error).root(result.table());
}
