// Proves the obligations of every operation of every handler, or says why one
// cannot be proved and with which values it fails. An operation with a proof
// from an earlier run is proved again, because passes in between may have
// changed what it computes.
#include "dialect/Spin/Analysis/HandlerFacts.h"
#include "dialect/Spin/Analysis/LoopClaims.h"
#include "dialect/Spin/Analysis/Obligations.h"
#include "dialect/Spin/Analysis/Replay.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "dialect/Spin/Transforms/UnboundedLoop.h"
#include "llvm/Support/FormatVariadic.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINPROVEBOUNDS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

class HandlerProver {
public:
  HandlerProver(HandlerOp handler, HandlerFacts &facts, bool keepRejected)
      : handler(handler), keepRejected(keepRejected), facts(facts) {}

  LogicalResult prove() {
    facts.walk([&](Operation *op) { proveOperation(op); });
    if (rejected.empty())
      writeClaims(handler, facts);
    return success(rejected.empty());
  }

  /// Tells the loops without a bound, which no pass does once this one has
  /// failed.
  void tellUnbounded();

private:
  void proveOperation(Operation *op);
  /// One cause, one error: what follows an error may rely on what failed.
  void assume(const Obligation &obligation);
  /// The facts of the proof, or nothing and an error.
  std::optional<std::vector<std::string>> prove(const Obligation &obligation,
                                                Operation *op);
  void report(const Obligation &obligation, Operation *op,
              const std::optional<Sample> &sample);
  std::string witness(const Obligation &obligation, const Sample &sample);
  bool isInner(const Constraint &goal);

  HandlerOp handler;
  bool keepRejected;
  HandlerFacts &facts;
  /// The counterexample of the last failure, for those who replay it.
  std::optional<Sample> replayed;
  /// The last failure is about values that no packet is known to lead to.
  bool isInside = false;
  /// Operations of which an obligation is not proved.
  SmallVector<Operation *> rejected;
};

/// Whether the operation was proved by the law of the construct from which
/// `spin-expand-pieces` made it.
bool isProvedByLaw(Operation *op) {
  auto proof = op->getAttrOfType<ProofAttr>("proof");
  return proof && !proof.getFacts().empty() &&
         proof.getFacts().front().getValue().starts_with("law of ");
}

void HandlerProver::proveOperation(Operation *op) {
  if (isProvedByLaw(op))
    return;
  std::vector<Obligation> obligations =
      getObligations(op, facts.getEvaluator());
  if (obligations.empty())
    return;
  SmallVector<StringAttr> used;
  bool failedBefore = false;
  for (const Obligation &obligation : obligations) {
    if (failedBefore && obligation.followsPrevious)
      continue;
    std::optional<std::vector<std::string>> texts = prove(obligation, op);
    failedBefore = !texts;
    if (!texts) {
      rejected.push_back(op);
      used.push_back(StringAttr::get(op->getContext(), "rejected"));
      assume(obligation);
      continue;
    }
    for (const std::string &text : *texts) {
      StringAttr fact = StringAttr::get(op->getContext(), text);
      if (!llvm::is_contained(used, fact))
        used.push_back(fact);
    }
  }
  if (used.empty())
    used.push_back(StringAttr::get(op->getContext(), "holds for all values"));
  if (hasProofSlot(op))
    op->setAttr("proof", ProofAttr::get(op->getContext(), used));
}

/// A loop whose numbers may overflow has no bound for that reason, which was
/// told.
void HandlerProver::tellUnbounded() {
  (void)demandLoopBounds(handler, [&](Operation *loop) {
    return llvm::any_of(rejected, [&](Operation *op) {
      return isa<arith::ArithDialect>(op->getDialect()) &&
             loop->isProperAncestor(op);
    });
  });
}

void HandlerProver::assume(const Obligation &obligation) {
  Formula fact;
  for (const Constraint &goal : obligation.goals)
    if (!obligation.anyOf && !goal.expr.isConstant())
      fact.constraints.push_back(goal);
  facts.assume(std::move(fact));
}

std::optional<std::vector<std::string>>
HandlerProver::prove(const Obligation &obligation, Operation *op) {
  Solver solver = facts.getSolver();
  std::vector<std::string> texts;
  replayed.reset();
  if (obligation.anyOf) {
    if (isImplied(obligation, solver))
      return texts;
    report(obligation, op, std::nullopt);
    return std::nullopt;
  }
  SmallVector<LinearExpr> display;
  for (const auto &[name, value] : obligation.display)
    display.push_back(value);
  bool wantsFacts = hasProofSlot(op);
  for (const Constraint &goal : obligation.goals) {
    if (!wantsFacts && solver.implies(goal))
      continue;
    QueryResult result = solver.query(goal, display);
    if (!result.proved) {
      isInside = isInner(goal);
      if (keepRejected)
        replayed = solver.completeCounterexample(
            goal, replayVariables(facts.getEvaluator().getVariables()));
      report(obligation, op, result.counterexample);
      return std::nullopt;
    }
    texts.insert(texts.end(), result.facts.begin(), result.facts.end());
  }
  return texts;
}

/// Whether the goal depends on a value that is neither read from memory, nor
/// counted by a loop, nor given from outside: what is known of it is what the
/// prover knows, and it may be that no packet leads to the witness.
bool HandlerProver::isInner(const Constraint &goal) {
  const VariableTable &variables = facts.getEvaluator().getVariables();
  return llvm::any_of(goal.expr.getTerms(), [&](const auto &term) {
    const Variable &variable = variables[term.first];
    if (variable.kind == Variable::Kind::Named)
      return true;
    return variable.kind == Variable::Kind::Value &&
           !isa<BlockArgument>(variable.value) &&
           !isa_and_nonnull<LoadOp, WireLoadOp>(variable.value.getDefiningOp());
  });
}

/// The values of a counterexample: those of the operation first, then others
/// that have a meaning in the source (bnd-10).
std::string HandlerProver::witness(const Obligation &obligation,
                                   const Sample &sample) {
  constexpr unsigned maxShown = 6;
  const VariableTable &variables = facts.getEvaluator().getVariables();
  std::string text;
  llvm::raw_string_ostream out(text);
  std::vector<std::string> shown;
  auto show = [&](const std::string &name, const Integer &value) {
    bool isNumber = llvm::all_of(name, llvm::isDigit);
    if (isNumber || llvm::is_contained(shown, name) || shown.size() >= maxShown)
      return;
    out << (shown.empty() ? "" : ", ") << name << " = " << value;
    shown.push_back(name);
  };
  for (const auto &[name, expr] : obligation.display) {
    bool known = true;
    Integer value = expr.evaluate([&](VarId id) {
      auto found = sample.find(id);
      known &= found != sample.end();
      return found == sample.end() ? Integer(0) : found->second;
    });
    if (known)
      show(name, value);
  }
  int64_t header = facts.getEvaluator().getContext().getHeaderBytes();
  for (const auto &[id, value] : sample) {
    const Variable &variable = variables[id];
    VarId shownId = id;
    if (llvm::any_of(obligation.display, [&](const auto &entry) {
          llvm::ArrayRef<LinearExpr::Term> terms = entry.second.getTerms();
          return terms.size() == 1 && terms[0].first == shownId &&
                 terms[0].second == 1;
        }))
      continue;
    bool isMeaningful =
        variable.kind == Variable::Kind::Param ||
        variable.kind == Variable::Kind::HostSize ||
        (variable.kind == Variable::Kind::Value && userName(variable.value));
    if (isMeaningful)
      show(variables.name(id), value);
    else if (variable.kind == Variable::Kind::PacketLength && value < 0)
      show("packet length", value + header);
    else if (variable.kind == Variable::Kind::PacketLength)
      show(variables.name(id), value);
  }
  return text;
}

void HandlerProver::report(const Obligation &obligation, Operation *op,
                           const std::optional<Sample> &sample) {
  InFlightDiagnostic error = op->emitError(obligation.message);
  error.attachNote() << "reason: the guards and declarations that hold here "
                        "do not imply '"
                     << obligation.claim << "'";
  if (sample) {
    std::string values = witness(obligation, *sample);
    if (!values.empty())
      error.attachNote() << "witness: " << values
                         << (isInside ? " (inside the handler: no packet is "
                                        "known that leads there)"
                                      : "");
    if (keepRejected)
      error.attachNote() << "replay: "
                         << llvm::formatv("{0}",
                                          llvm::json::Value(describeReplay(
                                              handler, facts.getEvaluator(),
                                              replayed.value_or(*sample))))
                                .str();
  }
  if (!obligation.fix.empty())
    error.attachNote() << "fix: " << obligation.fix;
}

struct ProveBoundsPass
    : public spinc::spin::impl::SpinProveBoundsBase<ProveBoundsPass> {
  using SpinProveBoundsBase::SpinProveBoundsBase;

  void runOnOperation() override {
    bool failed = false;
    std::vector<HandlerProver> provers;
    getOperation().walk([&](HandlerOp handler) {
      auto &facts = getAnalysisManager()
                        .nest(handler)
                        .getAnalysis<HandlerFacts, HandlerOp>();
      provers.emplace_back(handler, facts, keepRejected);
      failed |= mlir::failed(provers.back().prove());
    });
    if (failed && !keepRejected) {
      for (HandlerProver &prover : provers)
        prover.tellUnbounded();
      signalPassFailure();
    }
    // Not with what was assumed of rejected operations. For the rest only
    // attributes came and went: nothing that needs to be verified.
    if (failed)
      getAnalysisManager().clear();
    markAllAnalysesPreserved();
  }
};

} // namespace
