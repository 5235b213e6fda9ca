// The document around the type, and what is wrong with it in one line.
#include "compiler/Ddt/Description/Reader.h"

#include "compiler/Ddt/Description/TypeReader.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace spinc::ddt;

static void checkWhole(const Description &description, const JsonPath &root,
                       Mistake &mistake) {
  const Type &type = *description.type;
  Exact step = Exact(description.count) * type.extent;
  bool fits = (Exact(description.count) * type.size).ok() && step.ok();
  for (Exact end : {step + type.trueLb, step + type.trueUb})
    fits &= end.ok();
  if (!fits)
    mistake.add(
        root.at("count"), "elements within 2^60 bytes",
        formatv("{0} elements of {1} bytes", description.count, type.extent));
}

/// A message is one line, whatever characters the names in it have.
static std::string onOneLine(StringRef text) {
  std::string line;
  for (char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      line += formatv("\\x{0:X-2}", static_cast<unsigned>(c)).str();
    else
      line += c;
  return line;
}

/// True if brackets are nested deeper than in any description. The parser of
/// JSON recurses, so this is asked before it.
static bool nestsTooDeep(StringRef text) {
  constexpr unsigned most = 400; // 64 levels of types are 130 brackets
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > most)
      return true;
    else if (!inString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

Expected<Description> spinc::ddt::readDescription(StringRef text,
                                                  StringRef file) {
  if (nestsTooDeep(text))
    return createStringError(file + ": the document: expected at most 64 "
                                    "levels of types, found more than 400 "
                                    "brackets in each other");
  Expected<json::Value> document = json::parse(text);
  if (!document)
    return createStringError(file + ": " + toString(document.takeError()));
  Mistake mistake;
  JsonPath root;
  Description description;
  if (const json::Object *object = document->getAsObject()) {
    JsonFields fields(*object, root, mistake, sys::path::parent_path(file));
    fields.allowOnly({"spinc_ddt", "name", "source", "count", "strict", "type",
                      "summary", "base_rebased_by", "comment"});
    fields.number("spinc_ddt", {1, 1});
    description.name = fields.has("name") ? fields.string("name")
                                          : sys::path::stem(file).str();
    if (fields.has("source"))
      description.source = fields.string("source");
    description.count = fields.optionalNumber("count", anyCount).value_or(1);
    bool strict = object->getBoolean("strict").value_or(false);
    if (!mistake.found())
      description.type =
          TypeReader(mistake, sys::path::parent_path(file), strict)
              .read(fields.value("type"), root.at("type"));
    if (!mistake.found())
      checkWhole(description, root, mistake);
  } else {
    mistake.add(root, "an object", describe(&*document));
  }
  if (mistake.found())
    return createStringError(file + ": " + onOneLine(mistake.text));
  return description;
}
