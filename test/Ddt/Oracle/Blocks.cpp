// ddt-blocks [--flatten-limit=N] FILE: --emit=blocks of each description in
// FILE (JSON lines), {"error": …}, or {"runs": …} if there are more than a
// million. One process for thousands of cases.

#include "compiler/Ddt/Description/Reader.h"
#include "compiler/Ddt/Emit/Text.h"
#include "compiler/Ddt/Layout/Normalise.h"
#include "runtime/Support/ForEachLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace spinc::ddt;

static void printCase(StringRef line, const NormaliseOptions &options) {
  Expected<Description> description = readDescription(line, "case");
  if (!description) {
    json::Object refused{{"error", toString(description.takeError())}};
    outs() << json::Value(std::move(refused)) << '\n';
    return;
  }
  LayoutPool pool;
  Placed layout = normalise(*description, pool, options);
  if (layout.layout && layout.layout->runs > 1000000) {
    outs() << json::Value(json::Object{{"runs", layout.layout->runs}}) << '\n';
    return;
  }
  std::string text;
  raw_string_ostream stream(text);
  printBlocks(stream, description->name, layout);
  // The form for people has a run on each line.
  for (char c : text)
    if (c != '\n')
      outs() << c;
  outs() << '\n';
}

int main(int argc, char **argv) {
  NormaliseOptions options;
  StringRef file;
  for (StringRef word : ArrayRef<const char *>(argv + 1, argv + argc))
    if (!word.consume_front("--flatten-limit="))
      file = word;
    else if (word.getAsInteger(10, options.flattenLimit))
      return 2;
  return spinc::forEachLine("ddt-blocks", file,
                            [&](StringRef line) { printCase(line, options); })
             ? 0
             : 1;
}
