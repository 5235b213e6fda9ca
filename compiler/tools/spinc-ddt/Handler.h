// One handler for one description, from the choice of a strategy to the image.
#ifndef SPINC_COMPILER_TOOLS_SPINC_DDT_HANDLER_H
#define SPINC_COMPILER_TOOLS_SPINC_DDT_HANDLER_H

#include "compiler/Ddt/Generate/Compile.h"
#include "compiler/tools/spinc-ddt/Options.h"

namespace spinc::ddt {

class Handler {
public:
  Handler(const Options &options, const Description &description,
          Placed layout);

  /// Says on `out` what each strategy would cost.
  void explain(llvm::raw_ostream &out) const;

  /// Generates and compiles. Refuses to receive into a layout whose bytes
  /// overlap.
  llvm::Error make(llvm::StringRef base, llvm::StringRef executable);

  // After make().
  const Compiled &compiled() const { return result; }
  llvm::StringRef image() const;
  std::string stubHeader() const;
  std::string stubSource() const;
  void printPlan(llvm::raw_ostream &out) const;
  /// Compares with the description, or with an MPI library whose helper
  /// program lies beside `executable`.
  llvm::Error verify(llvm::raw_ostream &out, llvm::StringRef executable) const;

private:
  const Options &options;
  const Description &description;
  Placed layout;
  Plan plan;
  std::optional<GeneralTables> tables;
  Choice choice;
  StrategyKind kind = StrategyKind::Specialised;
  Compiled result;
};

} // namespace spinc::ddt

#endif // SPINC_COMPILER_TOOLS_SPINC_DDT_HANDLER_H
