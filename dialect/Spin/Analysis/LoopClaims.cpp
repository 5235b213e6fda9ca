#include "dialect/Spin/Analysis/LoopClaims.h"
#include "dialect/Spin/IR/Loops.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Spells invariants with the numbers of values.
class ClaimWriter {
public:
  ClaimWriter(HandlerOp handler, Evaluator &evaluator)
      : numbers(handler), evaluator(evaluator) {
    // The variables of a loop before what it computes from them.
    handler.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value result : op->getResults())
        note(result);
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          note(argument);
    });
  }

  /// `inv` claims; nothing for a constraint with a variable that no value is.
  std::string write(const Constraint &constraint) const {
    std::string result = one(constraint.expr);
    if (constraint.equality && !result.empty())
      result += one(constraint.expr * Integer(-1));
    return result;
  }

private:
  /// A value, and how far the variable is above it.
  struct Name {
    std::string text;
    Integer above;
  };

  /// No invariant has variables that would come into being here. Arguments and
  /// what a loop gives may be other names of those that are there.
  void note(Value value) {
    if (isa<SliceType>(value.getType())) {
      if (const LinearExpr *known = evaluator.knownLength(value))
        note(*known, value, "");
      return;
    }
    if (!isa<IntegerType>(value.getType()))
      return;
    if (isa<BlockArgument>(value) || value.getDefiningOp<scf::WhileOp>())
      (void)evaluator.number(value);
    for (Reading reading : {Reading::Unsigned, Reading::Signed})
      if (const LinearExpr *known = evaluator.knownNumber(value, reading))
        note(*known, value, reading == Reading::Signed ? "s" : "");
  }

  void note(const LinearExpr &expr, Value value, StringRef suffix) {
    if (expr.getTerms().size() == 1 && expr.getTerms()[0].second == 1)
      names.try_emplace(
          expr.getTerms()[0].first,
          Name{(Twine(numbers.numberOf(value)) + suffix + " ").str(),
               -expr.getConstant()});
  }

  std::string one(const LinearExpr &expr) const {
    std::string terms;
    llvm::raw_string_ostream out(terms);
    Integer constant = expr.getConstant();
    for (const LinearExpr::Term &term : expr.getTerms()) {
      auto found = names.find(term.first);
      if (found == names.end())
        return "";
      constant += term.second * found->second.above;
      out << term.second << ' ' << found->second.text;
    }
    std::string text;
    llvm::raw_string_ostream(text)
        << "inv " << constant << ' ' << terms << "; ";
    return text;
  }

  meaning::Numbers numbers;
  Evaluator &evaluator;
  std::map<VarId, Name> names;
};

} // namespace

void spinc::spin::writeClaims(HandlerOp handler, HandlerFacts &facts) {
  std::optional<ClaimWriter> writer;
  handler.walk([&](Operation *loop) {
    std::string text;
    for (const Constraint &constraint : facts.invariantsOf(loop)) {
      if (!writer)
        writer.emplace(handler, facts.getEvaluator());
      text += writer->write(constraint);
    }
    if (meaning::isLoop(loop))
      loop->setAttr("spin.claims", StringAttr::get(loop->getContext(), text));
  });
}
