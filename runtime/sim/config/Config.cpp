//===- Config.cpp - The machine of a run as TOML --------------------------===//
//
// Everything goes over the rows of Machine.def.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/config/Config.h"
#include "runtime/abi/pspin.h"
#include "runtime/isa/Timing.h"
#include "runtime/sim/config/Toml.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace spinc;
using namespace spinc::sim;
using llvm::formatv;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A row of Machine.def. Values pass as doubles, which hold all of them.
struct Row {
  const char *section, *key, *text;
  bool isFlag, isWhole;
  double low, high, standard;
  double (*get)(const SpinSimConfig &);
  void (*set)(SpinSimConfig &, double);
};

struct Section {
  const char *name, *text;
};

template <typename T> constexpr bool isWhole(const T &) {
  return std::numeric_limits<T>::is_integer;
}

const std::vector<Section> &sections() {
  static const std::vector<Section> all = {
#define MACHINE_SECTION(name, text) {name, text},
#define MACHINE_KEY(...)
#define MACHINE_FLAG(...)
#include "runtime/sim/config/Machine.def"
  };
  return all;
}

template <typename T> void assign(T &field, double value) { field = T(value); }

const std::vector<Row> &rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> rows;
    const char *section = "";
    SpinSimConfig sample = {};
#define MACHINE_SECTION(name, text) section = name;
#define MACHINE_KEY(key, field, low, high, standard, text)                     \
  rows.push_back(                                                              \
      {section, key, text, false, isWhole(sample.field), double(low),          \
       double(high), double(standard),                                         \
       [](const SpinSimConfig &c) { return double(c.field); },                 \
       [](SpinSimConfig &c, double value) { assign(c.field, value); }});
#define MACHINE_FLAG(key, field, text)                                         \
  rows.push_back(                                                              \
      {section, key, text, true, true, 0, 1, 0,                                \
       [](const SpinSimConfig &c) { return double(c.field); },                 \
       [](SpinSimConfig &c, double value) { assign(c.field, value); }});
#include "runtime/sim/config/Machine.def"
    return rows;
  }();
  return all;
}

struct Preset {
  const char *name, *about, *text;
};

/// What differs from `pspin`. FPsPIN: clock, board and link from README.md of
/// spcl/FPsPIN, clusters and queues from its mqnic_app_block.v, memories from
/// the configuration of its PsPIN. SC'17: section 4 of the paper; its model of
/// DMA has no limit on writes under way, and a write takes the bus but no HPU
/// while it travels.
constexpr Preset presets[] = {
    {"pspin", "the published design: 4 clusters of 8 HPUs at 1 GHz", ""},
    {"fpspin",
     "PsPIN on an FPGA: 2 clusters at 40 MHz behind 100 Gbit/s, "
     "smaller memories, a host across PCIe",
     R"([machine]
clusters = 2
clock_mhz = 40
[memory]
l1 = 262144
l2_handler = 1048576
l2_packets = 524288
[scheduler]
message_queues = 16
[link]
rate_gbps = 100
drop_when_full = true
[host]
write_ns = 400
read_ns = 800
rate_gbps = 128
)"},
    {"sc17",
     "the set-up of the SC'17 paper with PsPIN's cores: 4 HPUs at "
     "2.5 GHz, matching in 30 and 2 ns, a discrete NIC",
     R"([machine]
clusters = 1
hpus_per_cluster = 4
clock_mhz = 2500
[link]
rate_gbps = 400
inbound_cycles = 5
first_packet_cycles = 70
[commands]
per_interface = 64
[host]
write_ns = 250
posted_writes = true
read_ns = 500
rate_gbps = 512
)"}};

std::string shown(const Row &row, double value) {
  if (row.isFlag)
    return value != 0 ? "true" : "false";
  std::string text;
  llvm::raw_string_ostream os(text);
  if (value == std::floor(value) && std::fabs(value) < 1e15)
    os << int64_t(value);
  else
    os << llvm::format("%.17g", value);
  return text;
}

std::string range(const Row &row) {
  if (row.isFlag)
    return "true or false";
  return formatv("a {0}number from {1} to {2}", row.isWhole ? "whole " : "",
                 shown(row, row.low), shown(row, row.high));
}

const Row *findRow(StringRef section, StringRef key) {
  for (const Row &row : rows())
    if (section == row.section && key == row.key)
      return &row;
  return nullptr;
}

std::string keysOf(StringRef section) {
  std::string keys;
  for (const Row &row : rows())
    if (section == row.section)
      keys += (keys.empty() ? "" : ", ") + std::string(row.key);
  return keys;
}

/// The value if it is one of the row's.
bool valueOf(const Row &row, const TomlEntry &entry, double &value) {
  if (const bool *flag = std::get_if<bool>(&entry.value)) {
    value = *flag;
    return row.isFlag;
  }
  if (const int64_t *integer = std::get_if<int64_t>(&entry.value))
    value = double(*integer);
  else if (const double *number = std::get_if<double>(&entry.value))
    value = *number;
  else
    return false;
  return !row.isFlag && value >= row.low && value <= row.high &&
         (!row.isWhole || value == std::floor(value));
}

bool readEntry(StringRef file, const TomlTable &table, const TomlEntry &entry,
               SpinSimConfig &config, std::string &error) {
  const Row *row = findRow(table.name, entry.key);
  if (!row) {
    error = formatv("{0}: [{1}] has no key '{2}'; it has {3}",
                    placeOf(file, entry.line), table.name, entry.key,
                    keysOf(table.name));
    return false;
  }
  double value;
  if (!valueOf(*row, entry, value)) {
    error =
        formatv("{0}: the value of '{1}.{2}' is not {3}",
                placeOf(file, entry.line), table.name, entry.key, range(*row));
    return false;
  }
  row->set(config, value);
  return true;
}

/// The keys before the first table.
bool readTop(StringRef file, const TomlTable &top, SpinSimConfig &config,
             std::string &error) {
  for (const TomlEntry &entry : top.entries) {
    const std::string *name = std::get_if<std::string>(&entry.value);
    if (entry.key != "preset") {
      error = formatv("{0}: no key '{1}' outside of a table; there is 'preset'",
                      placeOf(file, entry.line), entry.key);
      return false;
    }
    if (!name || !applyPreset(*name, config)) {
      error = formatv("{0}: the value of 'preset' is not one of {1}",
                      placeOf(file, entry.line), presetNames());
      return false;
    }
  }
  return true;
}

bool checkTogether(StringRef file, const SpinSimConfig &config,
                   std::string &error) {
  if (config.machine.l1Bytes <
      PSPIN_L1_PACKET_OFFSET + config.machine.l1PacketBytes) {
    error = formatv("{0}: memory.l1 = {1} has no space for memory.l1_packets "
                    "= {2}, which begin at {3}",
                    file, config.machine.l1Bytes, config.machine.l1PacketBytes,
                    PSPIN_L1_PACKET_OFFSET);
    return false;
  }
  return true;
}

} // namespace

std::string spinc::sim::presetNames() {
  std::string names;
  for (const Preset &preset : presets)
    names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return names;
}

bool spinc::sim::applyPreset(StringRef name, SpinSimConfig &config) {
  for (const Preset &preset : presets) {
    if (name != preset.name)
      continue;
    for (const Row &row : rows())
      row.set(config, row.standard);
    std::string error;
    return readConfig(preset.text, preset.name, config, error);
  }
  return false;
}

bool spinc::sim::readConfig(StringRef text, StringRef file,
                            SpinSimConfig &config, std::string &error) {
  std::vector<TomlTable> tables;
  if (!readToml(text, file, tables, error))
    return false;
  SpinSimConfig read = config;
  for (const TomlTable &table : tables) {
    if (table.name.empty()) {
      if (!readTop(file, table, read, error))
        return false;
      continue;
    }
    if (table.name == "traffic" && table.inArray)
      continue;
    if (keysOf(table.name).empty() || table.inArray) {
      error = formatv("{0}: no table '{1}' is known; there are",
                      placeOf(file, table.line), table.name);
      for (const Section &section : sections())
        error += std::string(" [") + section.name + "]";
      error += " and [[traffic]]";
      return false;
    }
    for (const TomlEntry &entry : table.entries)
      if (!readEntry(file, table, entry, read, error))
        return false;
  }
  if (!checkTogether(file, read, error))
    return false;
  config = read;
  return true;
}

std::string spinc::sim::printConfig(const SpinSimConfig &config) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Section &section : sections()) {
    if (!text.empty())
      os << '\n';
    os << "# " << section.text << "\n[" << section.name << "]\n";
    for (const Row &row : rows())
      if (StringRef(section.name) == row.section)
        os << formatv(
            "{0,-32} # {1}\n",
            formatv("{0} = {1}", row.key, shown(row, row.get(config))).str(),
            row.text);
  }
  return text;
}

std::string spinc::sim::configSchema() {
  json::Object tables{{"preset", json::Object{}}};
  json::Array names;
  for (const Preset &preset : presets)
    names.push_back(preset.name);
  tables["preset"] =
      json::Object{{"description", "Machine that the other keys change"},
                   {"enum", std::move(names)}};
  for (const Section &section : sections()) {
    json::Object keys;
    for (const Row &row : rows()) {
      if (StringRef(section.name) != row.section)
        continue;
      json::Object key{{"description", row.text},
                       {"type", row.isFlag    ? "boolean"
                                : row.isWhole ? "integer"
                                              : "number"}};
      if (!row.isFlag) {
        key["minimum"] = row.low;
        key["maximum"] = row.high;
        key["default"] = row.standard;
      }
      keys[row.key] = std::move(key);
    }
    tables[section.name] = json::Object{{"description", section.text},
                                        {"type", "object"},
                                        {"additionalProperties", false},
                                        {"properties", std::move(keys)}};
  }
  tables["traffic"] = json::Object{{"type", "array"}};
  return formatv(
             "{0:2}\n",
             json::Value(json::Object{
                 {"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Machine of spinc-sim"},
                 {"type", "object"},
                 {"additionalProperties", false},
                 {"properties", std::move(tables)}}))
      .str();
}
