// See ReportHtml.h.
#include "compiler/Wcet/ReportHtml.h"
#include "runtime/abi/pspin.h"
#include "runtime/isa/Contention.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace spinc;

static constexpr StringLiteral kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>)";
static constexpr StringLiteral kStyle = R"(</title><style>
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 72em; }
h2 { margin-top: 2em; }
table { border-collapse: collapse; }
td, th { padding: 0 .8em; text-align: left; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
table.source { font: 13px/1.5 monospace; white-space: pre; width: 100%; }
.over { color: #a00; }
</style></head><body>
)";

static std::string escape(StringRef text) {
  std::string out;
  raw_string_ostream stream(out);
  printHTMLEscaped(text, stream);
  return out;
}

static void row(raw_ostream &out, StringRef name, const Twine &text) {
  out << "<tr><th>" << name << "</th><td>" << escape(text.str())
      << "</td></tr>\n";
}

static void addChecks(raw_ostream &out, const HandlerChecks &checks) {
  row(out, "proved", Twine(checks.proved) + " operations");
  auto part = [&](StringRef where, const std::vector<Check> &list) {
    for (const Check &check : list)
      row(out, where,
          check.text + (check.line == 0
                            ? std::string()
                            : " (line " + std::to_string(check.line) + ")"));
  };
  part("checked at installation", checks.atInstallation);
  part("checked by the card", checks.byTheCard);
  part("checked at run time", checks.atRunTime);
}

/// Bound, budget and figures of one handler.
static void printSummary(raw_ostream &out, const HandlerReport &handler,
                         const LinkSpec &link) {
  const HandlerBound &bound = *handler.bound;
  std::string at = printValues(bound.worstAt);
  out << "<table>\n";
  row(out, "budget", handler.budgetText.empty() ? "none" : handler.budgetText);
  row(out, "bound", printMaximum(bound.cycles) + " cycles");
  row(out, "worst",
      Twine(bound.worst) + " cycles" + (at.empty() ? "" : " at " + at));
  for (const Figure &figure : bound.figures)
    row(out, figureName(figure.kind),
        printMaximum(figure.cycles) + " cycles, at worst " +
            Twine(figure.worst) + ", if " + figure.assumption);
  std::string rates;
  for (const SustainedRate &rate : ratesOf(handler, link))
    rates += (rates.empty() ? "" : ", ") + std::to_string(rate.packetBytes) +
             " B " + printRate(rate.megabits);
  if (!rates.empty())
    row(out, "sustained", "with " + Twine(link.hpus) + " HPUs: " + rates);
  for (const LoopCost &loop : bound.loops)
    if (!loop.attempts.empty())
      row(out, "loop at line " + std::to_string(loop.line),
          "tried: " + attemptsText(loop));
  row(out, "assumes", join(bound.assumptions, "; "));
  if (handler.checks)
    addChecks(out, *handler.checks);
  out << "</table>\n";
}

/// The file's lines with the cycles of the worst path beside them; the darker,
/// the more of the total.
static void printSource(raw_ostream &out, const HandlerBound &bound,
                        StringRef file, StringRef text) {
  std::map<int64_t, const LineCost *> costs;
  for (const LineCost &line : bound.lines)
    if (line.file == file)
      costs[line.line] = &line;
  out << "<h3>" << escape(sys::path::filename(file)) << "</h3>\n"
      << "<table class=\"source\"><tr><th>cycles</th><th>runs</th>"
         "<th>each</th><th>line</th><th></th></tr>\n";
  SmallVector<StringRef> lines;
  text.rtrim('\n').split(lines, '\n');
  for (size_t number = 1; number <= lines.size(); ++number) {
    auto cost = costs.find(int64_t(number));
    out << "<tr";
    if (cost != costs.end()) {
      int64_t percent =
          100 * cost->second->cycles / std::max<int64_t>(1, bound.worst);
      out << " style=\"background: hsl(30 100% " << 97 - percent * 2 / 5
          << "%)\"><td class=\"n\">" << cost->second->cycles
          << "</td><td class=\"n\">" << cost->second->executions
          << "</td><td class=\"n\">" << cost->second->each << "</td>";
    } else {
      out << "><td></td><td></td><td></td>";
    }
    out << "<td class=\"n\">" << number << "</td><td>"
        << escape(lines[number - 1]) << "</td></tr>\n";
  }
  out << "</table>\n";
}

/// Bytes of the code by handler, function and line.
static void printSizes(raw_ostream &out, const CodeSize &size,
                       const FileText &source) {
  out << "<h2>Size of the code</h2>\n<table>\n";
  row(out, "program memory",
      Twine(size.bytes) + " of " + Twine(PSPIN_PROGRAM_SIZE) + " bytes");
  for (const HandlerSize &handler : size.handlers)
    row(out, handler.symbol,
        Twine(handler.bytes) + " bytes; with what it calls and the runtime " +
            Twine(handler.withRuntime) + ", " + Twine(handler.cached) +
            " of the " + Twine(isa::icacheBytes) +
            " bytes of the instruction cache" +
            (handler.fits() ? "" : ": it does not fit"));
  out << "</table>\n<table class=\"source\"><tr><th>bytes</th>"
         "<th>function, line</th><th></th></tr>\n";
  struct File {
    std::string text;
    SmallVector<StringRef> lines;
  };
  std::map<std::string, File> files;
  for (const FunctionSize &function : size.functions) {
    out << "<tr><td class=\"n\">" << function.bytes << "</td><th>"
        << escape(function.name) << "</th><td></td></tr>\n";
    for (const LineSize &line : function.lines) {
      auto [place, isNew] = files.try_emplace(line.line.file);
      auto &[text, lines] = place->second;
      if (isNew) {
        text = source(line.line.file);
        StringRef(text).split(lines, '\n');
      }
      bool isKnown = size_t(line.line.line) <= lines.size();
      out << "<tr><td class=\"n\">" << line.bytes << "</td><td>"
          << escape(sys::path::filename(line.line.file)) << ':'
          << line.line.line << "</td><td>"
          << (isKnown ? escape(lines[size_t(line.line.line) - 1]) : "")
          << "</td></tr>\n";
    }
  }
  out << "</table>\n";
}

static void printState(raw_ostream &out, const StateSize &state) {
  if (state.isEmpty())
    return;
  out << "<h2>State</h2>\n<table>\n";
  row(out, "state", stateSizeText(state));
  for (const std::string &field : state.movedToL2)
    row(out, field, "in L2, for want of room in L1");
  out << "</table>\n";
}

void spinc::printHtmlReport(raw_ostream &out, StringRef title,
                            ArrayRef<HandlerReport> handlers,
                            const LinkSpec &link, const StateSize &state,
                            const CodeSize &size, const FileText &source) {
  out << kHead << escape(title) << kStyle << "<h1>" << escape(title)
      << "</h1>\n";
  for (const HandlerReport &handler : handlers) {
    out << "<h2>" << escape(handler.name) << "</h2>\n";
    if (handler.bound->cycles.empty()) {
      out << "<p class=\"over\">No bound: see the errors.</p>\n";
      continue;
    }
    printSummary(out, handler, link);
    std::vector<std::string> files;
    int64_t elsewhere = 0;
    for (const LineCost &line : handler.bound->lines) {
      if (line.line == 0)
        elsewhere += line.cycles;
      else if (!is_contained(files, line.file))
        files.push_back(line.file);
    }
    for (const std::string &file : files)
      printSource(out, *handler.bound, file, source(file));
    if (elsewhere != 0)
      out << "<p>" << elsewhere << " cycles have no source line.</p>\n";
  }
  printState(out, state);
  printSizes(out, size, source);
  out << "</body></html>\n";
}
