//===- Toml.h - Settings from TOML text -----------------------------------===//
//
// toml++ parses; what the simulator's files need of it is tables of plain
// values with the line of each, so that every later complaint can name it.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_CONFIG_TOML_H
#define SPINC_RUNTIME_SIM_CONFIG_TOML_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace spinc::sim {

struct TomlEntry {
  std::string key;
  std::variant<bool, int64_t, double, std::string> value;
  unsigned line = 0;
};

/// A table `[name]`, one of an array `[[name]]`, or the keys before the first
/// table, whose name is empty.
struct TomlTable {
  std::string name;
  bool inArray = false;
  unsigned line = 0;
  std::vector<TomlEntry> entries; // in the order of the text
};

/// Reads the tables of `text` in the order of their lines. Returns false and
/// says in `error` what is wrong, as "file:line: …".
bool readToml(llvm::StringRef text, llvm::StringRef file,
              std::vector<TomlTable> &tables, std::string &error);

/// "file:line" for messages.
std::string placeOf(llvm::StringRef file, unsigned line);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_CONFIG_TOML_H
