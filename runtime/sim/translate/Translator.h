//===- Translator.h - Hot code as functions of the host -------------------===//
//
// Counts how often the interpreter begins at a place and, once it is hot,
// translates the region around it through LLVM. One translator serves all
// cores that run one program. See docs/adr/009-fast-engine.md.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TRANSLATE_TRANSLATOR_H
#define SPINC_RUNTIME_SIM_TRANSLATE_TRANSLATOR_H

#include "runtime/sim/CoreState.h"
#include "runtime/sim/Engine.h"
#include "runtime/sim/Program.h"
#include <memory>
#include <optional>
#include <vector>

namespace spinc::sim {

struct TranslatorOptions {
  bool keepsTime = true;
  /// A place is translated when the interpreter has begun there so often.
  unsigned threshold = defaultThreshold;
  /// If given, both windows of every core are this one.
  std::optional<Window> onlyWindow, onlyStoreWindow;
  /// Whether handlers run, whose stack is checked.
  bool checksStack = true;
};

class Translator {
public:
  Translator(Program &program, const TranslatorOptions &options);
  ~Translator();

  /// By half-word of the program; entries that are not translated return
  /// Exit::Lookup at once.
  const Entry *entries() const { return table.data(); }
  bool keepsTime() const { return options.keepsTime; }

  /// The code for `pc`, or null: counts the call, and translates when it is
  /// time.
  Entry find(uint32_t pc) {
    uint32_t slot = (pc - program.base()) / 2;
    if (slot >= heat.size() || pc & 1)
      return nullptr;
    if (known[slot])
      return known[slot];
    return ++heat[slot] < options.threshold ? nullptr : translate(pc);
  }
  /// Forgets all code, after the program has changed.
  void forget();
  uint64_t regions() const { return count; }

private:
  Entry translate(uint32_t pc);

  Program &program;
  TranslatorOptions options;
  std::vector<Entry> table; // never null
  std::vector<Entry> known; // null where there is none
  std::vector<uint32_t> heat;
  uint64_t count = 0;
  struct Jit;
  std::unique_ptr<Jit> jit;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TRANSLATE_TRANSLATOR_H
