// --witness and --replay: the dearest run of each handler, found or read, and
// what the reports say of it.
#ifndef SPINC_COMPILER_TOOLS_SPINC_WCET_WITNESSES_H
#define SPINC_COMPILER_TOOLS_SPINC_WCET_WITNESSES_H

#include "compiler/Witness/Search.h"
#include "compiler/tools/spinc-wcet/Options.h"

namespace spinc::wcet {

class Witnesses {
public:
  /// An error if there is nothing to run, or a run breaks its bound.
  static llvm::Expected<Witnesses> find(llvm::StringRef elf,
                                        llvm::ArrayRef<HandlerBound> bounds,
                                        const Options &options);

  void print(llvm::raw_ostream &out, const HandlerBound &bound) const;
  /// As key "witness"; null if none was found.
  void addTo(llvm::json::Object &object, const HandlerBound &bound) const;

private:
  std::map<std::string, witness::Witness> bySymbol;
};

} // namespace spinc::wcet

#endif // SPINC_COMPILER_TOOLS_SPINC_WCET_WITNESSES_H
