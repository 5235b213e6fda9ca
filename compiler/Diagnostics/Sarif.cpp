// The SARIF writer. Lines and columns count from 1, columns in code points, as
// the log's columnKind says; an end column is behind the last character.
#include "compiler/Diagnostics/Sarif.h"

#include "compiler/Diagnostics/Explain.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace spinc {

namespace json = llvm::json;

namespace {

struct RuleName {
  llvm::StringLiteral code;
  llvm::StringLiteral name;
  Severity severity;
};

constexpr RuleName ruleNames[] = {
#define DIAG(CODE, NAME, SEVERITY, FORMAT, ARGUMENTS)                          \
  {llvm::StringLiteral(#CODE), llvm::StringLiteral(#NAME), Severity::SEVERITY},
#include "compiler/Diagnostics/Codes.def"
};

llvm::StringRef levelOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  return "none";
}

/// JSON strings are Unicode; a path or a quoted source may hold other bytes.
std::string unicode(llvm::StringRef text) { return json::fixUTF8(text); }

json::Object message(llvm::StringRef text) {
  return json::Object{{"text", unicode(text)}};
}

/// A path as a URI reference: bytes that are no part of a plain path name are
/// written %XX.
std::string uriOf(llvm::StringRef path) {
  std::string uri =
      llvm::sys::path::is_absolute(path) ? std::string("file://") : "";
  for (char c : path) {
    if (llvm::isAlnum(c) || llvm::StringRef("/-._~").contains(c))
      uri += c;
    else
      uri += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
  }
  return uri;
}

json::Object artifact(const SourceFile &file) {
  return json::Object{{"uri", uriOf(file.path())}};
}

/// Characters of the line of `offset` that are before it, plus one.
unsigned columnInCharacters(const SourceFile &file, uint32_t offset) {
  unsigned bytes = file.lineColumn(offset).column - 1;
  llvm::StringRef before = file.text().substr(offset - bytes, bytes);
  unsigned characters = 1;
  for (char c : before)
    characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return characters;
}

json::Object region(SourceRange range) {
  const SourceFile &file = *range.file;
  uint32_t begin = std::min(range.begin, file.size());
  uint32_t end = std::min(std::max(range.end, begin), file.size());
  return json::Object{{"startLine", file.lineColumn(begin).line},
                      {"startColumn", columnInCharacters(file, begin)},
                      {"endLine", file.lineColumn(end).line},
                      {"endColumn", columnInCharacters(file, end)}};
}

json::Object physicalLocation(SourceRange range) {
  return json::Object{{"artifactLocation", artifact(*range.file)},
                      {"region", region(range)}};
}

json::Array strings(const std::vector<std::string> &texts) {
  json::Array array;
  for (const std::string &text : texts)
    array.push_back(unicode(text));
  return array;
}

/// A page's first line without "# E0401: ", and the paragraph behind it.
std::pair<std::string, std::string> summaryOf(llvm::StringRef page) {
  auto [title, rest] = page.split('\n');
  std::string heading = title.split(": ").second.str();
  std::string paragraph = rest.ltrim().split("\n\n").first.str();
  llvm::replace(paragraph, '\n', ' ');
  return {heading, paragraph};
}

/// Writes the results of one run and collects the rules they name.
class Writer {
public:
  explicit Writer(const SarifRun &run) : run(run) {}

  json::Object log(const DiagnosticEngine &engine);

private:
  json::Object result(const Diagnostic &diagnostic);
  json::Object rule(llvm::StringRef code) const;
  json::Object fix(const Diagnostic &diagnostic) const;
  json::Array invocations(const DiagnosticEngine &engine) const;

  const SarifRun &run;
  /// The codes that occur, in their order, with their place in `rules`.
  llvm::MapVector<llvm::StringRef, size_t> rules;
};

json::Object Writer::rule(llvm::StringRef code) const {
  json::Object entry{{"id", code}};
  for (const RuleName &row : ruleNames) {
    if (row.code != code)
      continue;
    entry["name"] = row.name;
    entry["defaultConfiguration"] =
        json::Object{{"level", levelOf(row.severity)}};
  }
  if (std::optional<llvm::StringRef> page = explain(code)) {
    auto [heading, paragraph] = summaryOf(*page);
    entry["shortDescription"] = message(heading);
    entry["fullDescription"] = message(paragraph);
    entry["help"] =
        json::Object{{"text", unicode(*page)}, {"markdown", unicode(*page)}};
  }
  return entry;
}

/// All replacements of a diagnostic belong together: they are one fix.
json::Object Writer::fix(const Diagnostic &diagnostic) const {
  llvm::MapVector<const SourceFile *, json::Array> files;
  for (const FixIt &fixIt : diagnostic.fixIts)
    files[fixIt.range.file].push_back(
        json::Object{{"deletedRegion", region(fixIt.range)},
                     {"insertedContent", message(fixIt.replacement)}});
  json::Array changes;
  for (auto &[file, replacements] : files)
    changes.push_back(json::Object{{"artifactLocation", artifact(*file)},
                                   {"replacements", std::move(replacements)}});
  json::Object entry{{"artifactChanges", std::move(changes)}};
  if (!diagnostic.fixes.empty())
    entry["description"] = message(llvm::join(diagnostic.fixes, "; "));
  return entry;
}

json::Object Writer::result(const Diagnostic &diagnostic) {
  size_t index = rules.insert({diagnostic.code, rules.size()}).first->second;
  json::Object entry{{"ruleId", diagnostic.code},
                     {"ruleIndex", static_cast<int64_t>(index)},
                     {"level", levelOf(diagnostic.severity)},
                     {"message", message(diagnostic.message)}};
  if (diagnostic.range.isValid())
    entry["locations"] = json::Array{
        json::Object{{"physicalLocation", physicalLocation(diagnostic.range)}}};
  json::Array related;
  for (const DiagnosticNote &note : diagnostic.notes) {
    json::Object place{{"id", static_cast<int64_t>(related.size())},
                       {"message", message(note.message)}};
    if (note.range.isValid())
      place["physicalLocation"] = physicalLocation(note.range);
    related.push_back(std::move(place));
  }
  if (!related.empty())
    entry["relatedLocations"] = std::move(related);
  if (!diagnostic.fixIts.empty())
    entry["fixes"] = json::Array{fix(diagnostic)};
  json::Object properties;
  if (!diagnostic.reasons.empty())
    properties["reasons"] = strings(diagnostic.reasons);
  if (!diagnostic.witnesses.empty())
    properties["witnesses"] = strings(diagnostic.witnesses);
  if (!diagnostic.fixes.empty())
    properties["advice"] = strings(diagnostic.fixes);
  if (!properties.empty())
    entry["properties"] = std::move(properties);
  return entry;
}

json::Array Writer::invocations(const DiagnosticEngine &engine) const {
  json::Object invocation{{"executionSuccessful", run.internalError.empty()}};
  json::Array notifications;
  if (!run.internalError.empty())
    notifications.push_back(json::Object{
        {"level", "error"},
        {"message", message("internal error: " + run.internalError)}});
  if (unsigned hidden = engine.hiddenErrorCount())
    notifications.push_back(json::Object{
        {"level", "note"},
        {"message",
         message(std::to_string(hidden) + " more errors not shown")}});
  if (!notifications.empty())
    invocation["toolExecutionNotifications"] = std::move(notifications);
  return json::Array{std::move(invocation)};
}

json::Object Writer::log(const DiagnosticEngine &engine) {
  json::Array results;
  for (const Diagnostic *diagnostic : engine.inOrderOfText())
    results.push_back(result(*diagnostic));
  json::Array ruleList;
  for (const auto &[code, index] : rules)
    ruleList.push_back(rule(code));
  json::Object driver{{"name", "spinc"},
                      {"version", run.toolVersion},
                      {"rules", std::move(ruleList)}};
  json::Object runObject{{"tool", json::Object{{"driver", std::move(driver)}}},
                         {"columnKind", "unicodeCodePoints"},
                         {"invocations", invocations(engine)},
                         {"results", std::move(results)}};
  return json::Object{
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                  "schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::Array{std::move(runObject)}}};
}

} // namespace

void writeSarif(llvm::raw_ostream &out, const DiagnosticEngine &engine,
                const SarifRun &run) {
  out << llvm::formatv("{0:2}", json::Value(Writer(run).log(engine))) << '\n';
}

} // namespace spinc
