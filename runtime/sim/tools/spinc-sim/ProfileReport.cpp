//===- ProfileReport.cpp - Where in the source the cycles go --------------===//
//
// A line costs what its instructions cost together; it ran as often as the one
// of them that ran most.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/ProfileReport.h"
#include "runtime/sim/tools/spinc-sim/Capture.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>

using namespace spinc::sim;
using namespace llvm;

namespace {

struct LineCost {
  uint64_t count = 0, cycles = 0;
};

/// All that the formats show.
struct Sums {
  std::map<std::string, std::map<uint32_t, LineCost>> files; // by line
  std::map<std::string, uint64_t> stacks;
  uint64_t cycles = 0, unknown = 0; // without a line
};

Sums collect(SpinSim *sim) {
  Sums sums;
  uint64_t count = spinSimProfileCount(sim);
  for (uint64_t i = 0; i < count; ++i) {
    SpinSimProfileEntry entry;
    spinSimProfile(sim, i, &entry);
    sums.cycles += entry.cycles;
    if (entry.line) {
      LineCost &line = sums.files[entry.file][entry.line];
      line.count = std::max(line.count, entry.count);
      line.cycles += entry.cycles;
    } else {
      sums.unknown += entry.cycles;
    }
    if (!entry.handler || !entry.cycles)
      continue;
    std::string stack = entry.handler;
    SmallVector<StringRef> functions;
    StringRef(entry.stack).split(functions, ';', -1, false);
    for (StringRef function : functions)
      if (function != entry.handler)
        stack += (";" + function).str();
    if (entry.line)
      stack += formatv(";{0}:{1}", sys::path::filename(entry.file), entry.line);
    sums.stacks[stack] += entry.cycles;
  }
  return sums;
}

/// The lines of a source file, or none if it is not there any more.
std::vector<std::string> linesOf(const std::string &file) {
  std::string text, error;
  std::vector<std::string> lines;
  if (!readFile(file, text, error))
    return lines;
  SmallVector<StringRef> parts;
  StringRef(text).split(parts, '\n');
  for (StringRef part : parts)
    lines.push_back(part.str());
  if (!lines.empty() && lines.back().empty())
    lines.pop_back();
  return lines;
}

/// Calls `show` with number, cost (null: no code) and text of each line.
template <typename Show>
void forEachLine(const std::string &file,
                 const std::map<uint32_t, LineCost> &costs, Show show) {
  std::vector<std::string> lines = linesOf(file);
  uint32_t last = std::max<uint32_t>(lines.size(), costs.rbegin()->first);
  for (uint32_t number = 1; number <= last; ++number) {
    auto cost = costs.find(number);
    if (cost == costs.end() && number > lines.size())
      continue;
    show(number, cost == costs.end() ? nullptr : &cost->second,
         number <= lines.size() ? lines[number - 1] : std::string());
  }
}

double share(const Sums &sums, uint64_t cycles) {
  return sums.cycles ? double(cycles) / double(sums.cycles) : 0;
}

std::string annotated(const Sums &sums) {
  std::string text;
  raw_string_ostream os(text);
  for (const auto &[file, costs] : sums.files) {
    os << file << "\n\n"
       << formatv("{0,12} {1,12} {2,6}\n", "runs", "cycles", "");
    forEachLine(
        file, costs,
        [&](uint32_t number, const LineCost *cost, const std::string &line) {
          if (cost)
            os << formatv("{0,12} {1,12} {2,6:p1} {3,5}  {4}\n", cost->count,
                          cost->cycles, share(sums, cost->cycles), number,
                          line);
          else
            os << formatv("{0,32} {1,5}  {2}\n", "", number, line);
        });
    os << '\n';
  }
  os << formatv("{0} cycles, {1} of them without a source line\n", sums.cycles,
                sums.unknown);
  return text;
}

std::string page(const Sums &sums) {
  std::string text;
  raw_string_ostream os(text);
  os << "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">"
        "<title>Cycles by source line</title>\n<style>\n"
        "body { font-family: sans-serif }\n"
        "table { border-collapse: collapse; font-family: monospace }\n"
        "td { padding: 0 0.6em; white-space: pre }\n"
        "td.n { text-align: right; color: #666 }\n"
        "tr.never td { color: #b00 }\n"
        "</style></head><body>\n";
  for (const auto &[file, costs] : sums.files) {
    os << "<h2>";
    printHTMLEscaped(file, os);
    os << "</h2>\n<table>\n<tr><th>runs<th>cycles<th>share<th>line<th></tr>\n";
    forEachLine(
        file, costs,
        [&](uint32_t number, const LineCost *cost, const std::string &line) {
          double part = cost ? share(sums, cost->cycles) : 0;
          os << (cost && !cost->count ? "<tr class=\"never\">" : "<tr>");
          if (cost)
            os << formatv(
                "<td class=\"n\">{0}<td class=\"n\">{1}<td class=\"n\" "
                "style=\"background: rgba(255,120,0,{2:f2})\">{3:p1}",
                cost->count, cost->cycles, std::min(1.0, 2 * part), part);
          else
            os << "<td><td><td>";
          os << formatv("<td class=\"n\">{0}<td>", number);
          printHTMLEscaped(line, os);
          os << "</tr>\n";
        });
    os << "</table>\n";
  }
  os << formatv("<p>{0} cycles, {1} of them without a source line</p>\n"
                "</body></html>\n",
                sums.cycles, sums.unknown);
  return text;
}

std::string folded(const Sums &sums) {
  std::string text;
  for (const auto &[stack, cycles] : sums.stacks)
    text += formatv("{0} {1}\n", stack, cycles);
  return text;
}

std::string coverage(const Sums &sums) {
  std::string text;
  raw_string_ostream os(text);
  for (const auto &[file, costs] : sums.files) {
    unsigned hit = 0;
    os << "TN:\nSF:" << file << '\n';
    for (const auto &[line, cost] : costs) {
      os << formatv("DA:{0},{1}\n", line, cost.count);
      hit += cost.count != 0;
    }
    os << formatv("LF:{0}\nLH:{1}\nend_of_record\n", costs.size(), hit);
  }
  return text;
}

} // namespace

bool spinc::sim::writeProfile(SpinSim *sim, const std::string &folder,
                              std::string &error) {
  if (std::error_code code = sys::fs::create_directories(folder)) {
    error = folder + ": " + code.message();
    return false;
  }
  Sums sums = collect(sim);
  auto write = [&](const char *name, const std::string &text) {
    return writeFile(folder + "/" + name, text, error);
  };
  return write("source.txt", annotated(sums)) &&
         write("source.html", page(sums)) &&
         write("stacks.folded", folded(sums)) &&
         write("coverage.info", coverage(sums));
}
