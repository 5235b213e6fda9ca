// Reads what the bound needs from the JSON of section .spin.meta, or from a
// flow-fact file with the lists "handlers" and "loops" (docs/flow-facts.md).
#ifndef SPINC_COMPILER_WCET_METADATA_H
#define SPINC_COMPILER_WCET_METADATA_H

#include "compiler/Wcet/Budget.h"

namespace spinc {

struct HandlerEntry {
  HandlerSpec spec;
  std::string name; ///< for the report
  std::string budgetText;
  std::vector<BudgetClause> budget;
  int64_t headerBytes = 0;
  bool perPacket = false;
};

struct WcetInput {
  std::vector<HandlerEntry> handlers;
  std::vector<LoopSpec> loops;
  std::vector<HeaderFact> headers;
  std::vector<SharedTotal> totals;
  LinkSpec link;
  bool isForeign = false; ///< of code that spinc has not made
};

llvm::Expected<WcetInput> readWcetInput(llvm::StringRef json, bool isForeign);

/// The JSON text in section .spin.meta; empty without one.
llvm::Expected<std::string> metadataOf(llvm::StringRef elf);

} // namespace spinc

#endif // SPINC_COMPILER_WCET_METADATA_H
