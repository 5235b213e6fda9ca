// See Report.h.
#include "compiler/Wcet/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace spinc;

static std::string placeOf(const LineCost &line) {
  if (line.line == 0)
    return "(no source line)";
  return sys::path::filename(line.file).str() + ":" + std::to_string(line.line);
}

/// Pads to a width, on the left or on the right.
static std::string cell(std::string text, size_t width, bool right = true) {
  size_t missing = width > text.size() ? width - text.size() : 0;
  return right ? std::string(missing, ' ') + text
               : text + std::string(missing, ' ');
}

std::vector<std::string> spinc::lineTable(const HandlerBound &bound,
                                          size_t limit,
                                          const SourceText &source) {
  size_t width = 4;
  for (const LineCost &line : bound.lines)
    width = std::max(width, placeOf(line).size());
  auto row = [&](const std::string &cycles, const std::string &runs,
                 const std::string &each, const std::string &place,
                 StringRef text) {
    std::string out = cell(cycles, 8) + cell(runs, 8) + cell(each, 7) + "  " +
                      cell(place, width, false) + "  " + text.str();
    return StringRef(out).rtrim().str();
  };
  std::vector<std::string> rows = {
      row("cycles", "runs", "each", "line", "worst path")};
  int64_t rest = 0;
  size_t shown = 0;
  for (const LineCost &line : bound.lines) {
    if (shown == limit) {
      rest += line.cycles;
      continue;
    }
    ++shown;
    std::string text =
        line.line != 0 && source
            ? StringRef(source(line.file, line.line)).trim().str()
            : "";
    rows.push_back(row(std::to_string(line.cycles),
                       std::to_string(line.executions),
                       std::to_string(line.each), placeOf(line), text));
  }
  if (rest != 0)
    rows.push_back(row(std::to_string(rest), "", "", "other lines", ""));
  return rows;
}

std::vector<SustainedRate> spinc::ratesOf(const HandlerReport &handler,
                                          const LinkSpec &link) {
  if (!handler.perPacket)
    return {};
  return sustainedRates(*handler.bound, link, handler.headerBytes);
}

StringRef spinc::figureName(FigureKind kind) {
  switch (kind) {
  case FigureKind::Active:
    return "cycles";
  case FigureKind::Cold:
    return "cold";
  case FigureKind::Occupancy:
    return "occupancy";
  case FigureKind::Contended:
    return "contended";
  case FigureKind::Elapsed:
    return "elapsed";
  }
  llvm_unreachable("not a figure");
}

std::optional<FigureKind> spinc::figureNamed(StringRef name) {
  for (FigureKind kind : {FigureKind::Active, FigureKind::Cold,
                          FigureKind::Occupancy, FigureKind::Contended})
    if (figureName(kind) == name)
      return kind;
  return std::nullopt;
}

/// "HPUs below 512 B, link from there": the limit of each size.
static std::string limitsText(ArrayRef<SustainedRate> rates) {
  std::string text;
  for (size_t i = 0; i < rates.size(); ++i) {
    if (i != 0 && rates[i].limit == rates[i - 1].limit)
      continue;
    text += text.empty() ? "" : ", ";
    text += limitName(rates[i].limit).str();
    if (i != 0)
      text += " from " + std::to_string(rates[i].packetBytes) + " B on";
  }
  return text;
}

/// What the compiler made of a loop.
static std::string shapeOf(const LoopCost &loop) {
  std::string text;
  if (loop.roundsPerTurn > 1)
    text += ", unrolled " + std::to_string(loop.roundsPerTurn) + " times";
  if (loop.hardware)
    text += ", a hardware loop";
  return text;
}

std::string spinc::attemptsText(const LoopCost &loop) {
  std::string text;
  for (const LoopAttempt &attempt : loop.attempts)
    text += (text.empty() ? "" : "; ") + attempt.what +
            (attempt.done ? ": " : " not done: ") + attempt.detail;
  return text;
}

void spinc::printReport(raw_ostream &out, const HandlerReport &handler,
                        const LinkSpec &link, const SourceText &source) {
  const HandlerBound &bound = *handler.bound;
  out << handler.name << "\n";
  out << "  budget: "
      << (handler.budgetText.empty() ? "none" : handler.budgetText) << "\n";
  if (bound.cycles.empty()) {
    out << "  bound:  none, see the errors\n";
    return;
  }
  out << "  bound:  " << printMaximum(bound.cycles) << " cycles\n";
  out << "  worst:  " << bound.worst << " cycles";
  if (!bound.worstAt.empty())
    out << " at " << printValues(bound.worstAt);
  out << "; " << bound.instructions << " instructions";
  if (bound.commands != 0)
    out << ", " << bound.commands << " commands";
  if (bound.waits != 0)
    out << ", " << bound.waits << " waits";
  out << "\n";
  for (const std::string &row : lineTable(bound, SIZE_MAX, source))
    out << "  " << row << "\n";
  for (const LoopCost &loop : bound.loops) {
    out << "  loop";
    if (loop.line != 0)
      out << " at line " << loop.line;
    out << ": at most " << loop.bound.str() << " times, " << loop.perIteration
        << " cycles each, " << loop.cycles << " cycles in all" << shapeOf(loop)
        << "\n";
    if (!loop.attempts.empty())
      out << "    tried: " << attemptsText(loop) << "\n";
  }
  for (const Figure &figure : bound.figures)
    out << "  " << figureName(figure.kind) << ": "
        << printMaximum(figure.cycles) << " cycles, at worst " << figure.worst
        << ", if " << figure.assumption << "\n";
  std::vector<SustainedRate> rates = ratesOf(handler, link);
  for (const SustainedRate &rate : rates) {
    if (&rate == &rates.front())
      out << "  sustained with " << link.hpus << " HPUs:";
    out << (&rate == &rates.front() ? " " : ", ") << rate.packetBytes << " B "
        << printRate(rate.megabits);
    if (rate.megabits >= link.lineRate * 1000)
      out << " (line rate)";
  }
  out << (rates.empty() ? "" : "\n");
  if (!rates.empty()) {
    out << "  needs for " << link.lineRate << " Gbit/s:";
    ListSeparator between(",");
    for (const SustainedRate &rate : rates)
      out << between << " " << rate.packetBytes << " B " << rate.hpusNeeded
          << " HPUs and " << rate.memoryNeeded << " B of L1";
    out << "; limited by " << limitsText(rates) << "\n";
  }
  out << "  assumes: ";
  ListSeparator separator("; ");
  for (const std::string &assumption : bound.assumptions)
    out << separator << assumption;
  out << "\n";
  if (handler.checks)
    printChecks(out, *handler.checks);
}

std::optional<BudgetViolation>
spinc::findViolation(DiagnosticEngine &engine, SourceRange where,
                     const HandlerBound &bound, ArrayRef<BudgetClause> budget,
                     bool &holds) {
  Expected<std::optional<BudgetViolation>> violation =
      checkBudget(bound, budget);
  if (!violation)
    reportNoBound(engine, where, where.file, violation.takeError());
  if (!violation || *violation)
    holds = false;
  return violation ? std::move(*violation) : std::nullopt;
}

/// "p.length = 3: 12 cycles, the budget allows 9"
static std::string witnessText(const BudgetViolation &found) {
  std::string at = printValues(found.at);
  return (at.empty() ? "" : at + ": ") + std::to_string(found.cycles) +
         " cycles, the budget allows " + std::to_string(found.allowed);
}

/// bud-13: the cycles with the waits for commands.
static bool enforceOccupancy(DiagnosticEngine &engine, SourceRange where,
                             const HandlerReport &handler) {
  if (!handler.occupancy)
    return true;
  HandlerBound bound;
  bound.symbols = handler.bound->symbols;
  for (const Figure &figure : handler.bound->figures)
    if (figure.kind == FigureKind::Occupancy)
      bound.cycles = figure.cycles;
  bool holds = true;
  if (std::optional<BudgetViolation> found =
          findViolation(engine, where, bound,
                        BudgetClause{*handler.occupancy, std::nullopt}, holds))
    engine
        .report(diag::OverOccupancy, where, handler.name,
                std::to_string(found->over))
        .reason("it takes up to " + printMaximum(bound.cycles) + " cycles")
        .witness(witnessText(*found))
        .fix("budget(occupancy <= " + found->passing.budgetText() + ") holds");
  return holds;
}

bool spinc::enforceBudget(DiagnosticEngine &engine, SourceRange where,
                          const HandlerReport &handler, const LinkSpec &link,
                          const SourceText &source) {
  const HandlerBound &bound = *handler.bound;
  bool holds = enforceOccupancy(engine, where, handler);
  std::optional<BudgetViolation> violation =
      findViolation(engine, where, bound, handler.budget, holds);
  if (!violation)
    return holds;
  const BudgetViolation &found = *violation;
  std::string overBy =
      std::to_string(found.over) + (found.over == 1 ? " cycle" : " cycles");
  DiagnosticBuilder report =
      engine.report(diag::OverBudget, where, handler.name, overBy);
  report.witness(witnessText(found));
  report.reason("the bound is " + printMaximum(bound.cyclesOf(found.figure)) +
                " cycles");
  for (const Figure &figure : bound.figures)
    if (figure.kind == found.figure)
      report.reason("of these " + std::to_string(bound.worst) +
                    " are active; " + std::to_string(bound.commands) +
                    " commands, " + std::to_string(bound.waits) +
                    " waits; it holds if " + figure.assumption);
  for (const std::string &row : lineTable(bound, 12, source))
    report.reason(row);
  if (!bound.loops.empty() && bound.loops.front().line != 0) {
    const LoopCost &loop = bound.loops.front();
    report.reason("the loop at line " + std::to_string(loop.line) + " takes " +
                  std::to_string(loop.cycles) + " of the " +
                  std::to_string(bound.worst) + " cycles" + shapeOf(loop));
    if (!loop.attempts.empty())
      report.reason("tried on this loop: " + attemptsText(loop));
  }
  for (const LoopCost &loop :
       ArrayRef(bound.loops)
           .drop_front(std::min<size_t>(bound.loops.size(), 1)))
    if (loop.line != 0 && !loop.attempts.empty())
      report.reason("tried on the loop at line " + std::to_string(loop.line) +
                    ": " + attemptsText(loop));
  if (!handler.tried.empty())
    report.reason("tried for the budget: " + handler.tried);
  std::string rates;
  for (const SustainedRate &rate : ratesOf(handler, link))
    rates += (rates.empty() ? "" : ", ") + std::to_string(rate.packetBytes) +
             " B " + printRate(rate.megabits);
  if (!rates.empty())
    report.reason("sustained with " + std::to_string(link.hpus) +
                  " HPUs: " + rates);
  report.fix("budget(" + figureName(found.figure).str() +
             " <= " + found.passing.budgetText() + ") holds");
  return false;
}

/// The whole of a line, without its indentation.
static SourceRange rangeOfLine(const SourceFile &file, int64_t line) {
  StringRef text = file.text();
  size_t begin = 0;
  for (int64_t skip = 1; skip < line && begin != StringRef::npos; ++skip) {
    begin = text.find('\n', begin);
    begin += begin != StringRef::npos;
  }
  if (begin == StringRef::npos || begin >= text.size())
    return {};
  StringRef rest =
      text.substr(begin).take_until([](char letter) { return letter == '\n'; });
  size_t indent = rest.size() - rest.ltrim().size();
  return file.range(uint32_t(begin + indent),
                    uint32_t(begin + rest.rtrim().size()));
}

void spinc::reportNoBound(DiagnosticEngine &engine, SourceRange where,
                          const SourceFile *file, Error error) {
  handleAllErrors(
      std::move(error),
      [&](const WcetError &wcet) {
        SourceRange place = where;
        bool sameFile = file && sys::path::filename(wcet.file) ==
                                    sys::path::filename(file->path());
        if (wcet.line != 0 && sameFile)
          if (SourceRange line = rangeOfLine(*file, wcet.line); line.isValid())
            place = line;
        const auto &row = wcet.kind == WcetError::Kind::UnmarkedLoop
                              ? diag::LoopNotCarried
                              : diag::NoCycleBound;
        engine.report(row, place, wcet.message);
      },
      [&](const ErrorInfoBase &other) {
        engine.report(diag::NoCycleBound, where, other.message());
      });
}
