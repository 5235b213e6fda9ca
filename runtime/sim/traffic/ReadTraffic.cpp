//===- ReadTraffic.cpp - Descriptions of traffic --------------------------===//
//
// Checks the tables [[traffic]] key by key.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/config/Toml.h"
#include "runtime/sim/traffic/Traffic.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace spinc::sim;
using llvm::formatv;
using llvm::StringRef;

namespace {

constexpr const char *knownKeys = "kind"
#define TRAFFIC_KEY(key, field, low, high, text) ", " key
#define TRAFFIC_DRAWN(key, field, text) ", " key
#include "runtime/sim/traffic/Traffic.def"
                                  ", source, destination, protect_ends";

std::string shown(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

/// Reads one entry; what its value should have been if it is wrong.
class EntryReader {
public:
  EntryReader(TrafficSpec &spec, const TomlEntry &entry)
      : spec(spec), entry(entry) {}

  std::string expected;
  bool known = true;

  void read() {
    StringRef key = entry.key;
    if (key == "kind")
      return kind();
    if (key == "source")
      return address(spec.source);
    if (key == "destination")
      return address(spec.destination);
    if (key == "protect_ends") {
      const bool *flag = std::get_if<bool>(&entry.value);
      if (!flag)
        expected = "true or false";
      else
        spec.protectEnds = *flag;
      return;
    }
#define TRAFFIC_KEY(name, field, low, high, text)                              \
  if (key == name)                                                             \
    return number(spec.field, low, high);
#define TRAFFIC_DRAWN(name, field, text)                                       \
  if (key == name)                                                             \
    return drawn(spec.field);
#include "runtime/sim/traffic/Traffic.def"
    known = false;
  }

private:
  bool plain(double &value) const {
    if (const int64_t *integer = std::get_if<int64_t>(&entry.value))
      value = double(*integer);
    else if (const double *real = std::get_if<double>(&entry.value))
      value = *real;
    else
      return false;
    return true;
  }

  template <typename T> void number(T &field, double low, double high) {
    double value;
    if (!plain(value) || !(value >= low && value <= high))
      expected = "a number from " + shown(low) + " to " + shown(high);
    else if (const int64_t *integer = std::get_if<int64_t>(&entry.value))
      field = T(*integer);
    else
      field = T(value);
  }

  void drawn(Distribution &field) {
    double value;
    const std::string *text = std::get_if<std::string>(&entry.value);
    if (plain(value) && value >= 0)
      field = Distribution(value);
    else if (!text || !Distribution::read(*text, field))
      expected = Distribution::syntax;
  }

  void kind() {
    const std::string *text = std::get_if<std::string>(&entry.value);
    if (text && *text == "udp")
      spec.kind = TrafficKind::Udp;
    else if (text && *text == "tcp")
      spec.kind = TrafficKind::Tcp;
    else if (text && *text == "portals")
      spec.kind = TrafficKind::Portals;
    else
      expected = "udp, tcp or portals";
  }

  void address(uint8_t (&bytes)[4]) {
    const std::string *text = std::get_if<std::string>(&entry.value);
    llvm::SmallVector<StringRef> parts;
    if (text)
      StringRef(*text).split(parts, '.');
    bool good = parts.size() == 4;
    for (unsigned i = 0; good && i < 4; ++i)
      good = !parts[i].getAsInteger(10, bytes[i]);
    if (!good)
      expected = "an IPv4 address such as 10.0.0.1";
  }

  TrafficSpec &spec;
  const TomlEntry &entry;
};

} // namespace

bool spinc::sim::readTraffic(StringRef text, StringRef file,
                             std::vector<TrafficSpec> &specs,
                             std::string &error) {
  std::vector<TomlTable> tables;
  if (!readToml(text, file, tables, error))
    return false;
  for (const TomlTable &table : tables) {
    if (table.name != "traffic" || !table.inArray)
      continue;
    TrafficSpec spec;
    for (const TomlEntry &entry : table.entries) {
      EntryReader reader(spec, entry);
      reader.read();
      if (!reader.known)
        error = formatv("{0}: [[traffic]] has no key '{1}'; it has {2}",
                        placeOf(file, entry.line), entry.key, knownKeys);
      else if (!reader.expected.empty())
        error = formatv("{0}: the value of 'traffic.{1}' is not {2}",
                        placeOf(file, entry.line), entry.key, reader.expected);
      if (!error.empty())
        return false;
    }
    specs.push_back(spec);
  }
  return true;
}
