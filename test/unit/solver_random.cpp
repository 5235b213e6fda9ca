// The solver against all values of small variables: what it proves holds for
// each of them, its counterexamples are some of them, its refutations add up,
// and few goals that hold stay unproved. Large numbers go through the tableau
// with unbounded numbers.
#include "dialect/Spin/Analysis/Solver.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace spinc::spin;

namespace {

constexpr int64_t numInputs = 3, inputRange = 10;

class Checker {
public:
  bool run(unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round)
      checkOne(round % 4 == 3 ? powerOfTwo(62) : Integer(1));
    llvm::outs() << holding << " goals hold, " << unproved
                 << " of them unproved; " << refuted << " do not, " << shown
                 << " with a counterexample; " << failures << " failures\n";
    return failures == 0 && unproved * 50 <= holding &&
           shown * 10 >= refuted * 9;
  }

private:
  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  LinearExpr expression(const Integer &scale) {
    LinearExpr result(Integer(draw(-12, 12)) * scale);
    for (int64_t terms = draw(1, 3); terms > 0; --terms)
      result =
          result + usable[draw(0, usable.size() - 1)] * Integer(draw(-3, 3));
    return result;
  }

  Constraint constraint() { return {expression(Integer(1)), draw(0, 5) == 0}; }

  Formula formula() {
    Formula result;
    result.constraints.push_back(constraint());
    if (draw(0, 2) == 0)
      return Formula::either(result, Formula{{constraint()}, {}});
    return result;
  }

  void fail(const char *what) {
    ++failures;
    llvm::errs() << what << '\n';
  }

  /// The value of any variable when the inputs are `values`.
  Integer valueOf(const VariableTable &table, VarId id,
                  const std::vector<Integer> &values) {
    if (id < numInputs)
      return values[id];
    const Variable &variable = table[id];
    Integer inner = variable.dividend.evaluate(
        [&](VarId other) { return valueOf(table, other, values); });
    return variable.kind == Variable::Kind::Alias
               ? inner
               : floorDiv(inner, variable.divisor);
  }

  static bool holds(const Formula &formula,
                    llvm::function_ref<Integer(VarId)> value) {
    return llvm::all_of(formula.constraints,
                        [&](const Constraint &c) { return c.holds(value); }) &&
           llvm::all_of(formula.splits, [&](const Split &split) {
             return llvm::any_of(split.alternatives, [&](const Formula &inner) {
               return holds(inner, value);
             });
           });
  }

  /// Whether the lines of each leaf add up to a negative number.
  static bool addsUp(const Refutation &why) {
    if (!why.cases.empty())
      return llvm::all_of(why.cases, addsUp);
    LinearExpr sum;
    for (const auto &[line, weight] : why.lines) {
      if (weight < 0)
        return false;
      sum = sum + tightened(line).expr * weight;
    }
    return sum.isConstant() && sum.getConstant() < 0;
  }

  void checkOne(const Integer &scale) {
    VariableTable table;
    FactStack facts;
    usable.clear();
    for (int64_t i = 0; i < numInputs; ++i) {
      Variable input;
      input.kind = Variable::Kind::Named;
      input.symbol = std::string(1, char('a' + i));
      input.interval = {Integer(0), Integer(inputRange - 1) * scale};
      usable.push_back(LinearExpr::variable(table.create(std::move(input))));
    }
    if (draw(0, 1))
      usable.push_back(
          table.floorDivide(expression(scale), Integer(draw(2, 5)) * scale));
    if (draw(0, 3) == 0)
      usable.push_back(table.named(expression(scale)));
    size_t kept = draw(0, 2), mark = 0;
    for (int64_t count = draw(1, 4); count > 0; --count) {
      facts.push(formula());
      // Facts come and go.
      mark = facts.size();
      for (size_t i = 0; i < kept; ++i)
        facts.push(formula());
      facts.truncate(mark);
    }
    Constraint goal = constraint();
    QueryResult result = Solver(table, facts).query(goal, {});
    if (result.proved != Solver(table, facts).implies(goal))
      fail("query and implies differ");
    for (const Refutation &why : result.refutations)
      if (!addsUp(why))
        fail("a refutation does not add up");
    if (result.counterexample)
      checkSample(table, facts, goal, *result.counterexample);
    if (scale != 1)
      return;
    bool isImplied = true, isSatisfiable = false;
    std::vector<Integer> values(numInputs, Integer(0));
    auto value = [&](VarId id) { return valueOf(table, id, values); };
    for (int64_t point = 0; point < inputRange * inputRange * inputRange;
         ++point) {
      for (int64_t i = 0, rest = point; i < numInputs; ++i, rest /= inputRange)
        values[i] = Integer(rest % inputRange);
      bool allHold = true;
      for (size_t i = 0; i < facts.size(); ++i)
        allHold = allHold && holds(facts[i], value);
      isSatisfiable |= allHold;
      isImplied = isImplied && (!allHold || goal.holds(value));
    }
    if (result.proved && !isImplied)
      fail("proved, but does not hold");
    // Of facts that contradict each other only those near the goal count.
    if (!isSatisfiable)
      return;
    holding += isImplied;
    refuted += !isImplied;
    unproved += isImplied && !result.proved;
    shown += result.counterexample.has_value();
    // A counterexample is one to the facts that were looked at.
    if (isImplied && result.counterexample &&
        result.counterexample->size() >= usable.size())
      fail("counterexample to a goal that holds");
  }

  /// Facts that share no variable with the goal are not looked at.
  void checkSample(const VariableTable &table, const FactStack &facts,
                   const Constraint &goal, const Sample &sample) {
    auto value = [&](VarId id) {
      auto found = sample.find(id);
      return found == sample.end() ? Integer(0) : found->second;
    };
    if (goal.holds(value))
      fail("the goal holds in its counterexample");
    for (const auto &[id, number] : sample) {
      const Interval &range = table[id].interval;
      if ((range.low && number < *range.low) ||
          (range.high && number > *range.high) ||
          !holds(table[id].definition, value))
        fail("a counterexample breaks a definition");
    }
    for (size_t i = 0; i < facts.size(); ++i) {
      bool known = true;
      facts[i].forEachVariable(
          [&](VarId id) { known &= sample.count(id) > 0; });
      if (known && !holds(facts[i], value))
        fail("a counterexample breaks a fact");
    }
  }

  std::mt19937 random{20260};
  std::vector<LinearExpr> usable;
  unsigned failures = 0, holding = 0, unproved = 0, refuted = 0, shown = 0;
};

} // namespace

int main() { return Checker().run(4000) ? 0 : 1; }
