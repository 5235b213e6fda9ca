// The stages from text to the spin dialect.
#include "compiler/AST/AstPrinter.h"
#include "compiler/Driver/Compilation.h"
#include "compiler/IRGen/IRGen.h"
#include "compiler/Sema/Sema.h"
#include "compiler/Sema/WholeHandlers.h"
#include "compiler/Syntax/Parser.h"
#include "mlir/IR/Verifier.h"
#include "runtime/abi/pspin.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::driver;

bool Compilation::parse() {
  if (options.emit == Stage::Tokens) {
    std::string tokens;
    raw_string_ostream out(tokens);
    if (dumpTokens(*source, session.diagnostics, out))
      session.writeOutput(tokens);
    return false;
  }
  program = parseSource(*source, session.diagnostics);
  session.program = program.get();
  return !endsAt(Stage::Ast, [&](raw_ostream &out) { dumpAst(*program, out); });
}

bool Compilation::analyze() {
  sema::SemaOptions semaOptions;
  semaOptions.mtu = options.mtu;
  // What a handler may rely on is the card's shape, not who shares the link.
  semaOptions.hpus = PSPIN_HPUS;
  semaOptions.clusters = PSPIN_CLUSTERS;
  semaOptions.stateInL1 = !options.disabled.has(backend::Ablation::StateInL1);
  semaOptions.importDirs = options.importDirs;
  semaOptions.stdlibDir = installed("stdlib");
  bool accepted =
      sema::analyze(*program, types, session.diagnostics, semaOptions);
  for (const auto &file : types.program().modules.sources.all())
    session.addDependency(file->path());
  if (!accepted) {
    if (!session.failed())
      session.failInternally("the analysis failed without saying why");
    return false;
  }
  auto printType = [](raw_ostream &out, const Type &type) {
    out << type.str();
  };
  return !endsAt(Stage::TypedAst,
                 [&](raw_ostream &out) { dumpAst(*program, out, printType); });
}

bool Compilation::generate() {
  module = generateSpin(types.program(), *source, PSPIN_CLUSTERS, PSPIN_HPUS,
                        context);
  if (mlir::failed(mlir::verify(*module)))
    session.failInternally("the generated module is not valid");
  return !endsAt(Stage::Spin, [&](raw_ostream &out) { module->print(out); });
}

void Compilation::proveWholeHandlers() {
  bool reachesProver =
      options.emit > Stage::Spin || options.emit == Stage::Stubs;
  if (!reachesProver || !session.internalMessage().empty() ||
      !sema::keepWholeHandlers(*program, types.program(), session.diagnostics))
    return;
  generate();
  if (session.internalMessage().empty() && proveAccesses())
    checkBudgets();
}
