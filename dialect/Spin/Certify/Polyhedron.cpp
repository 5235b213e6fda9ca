// The simplex divides each inequality by what its coefficients have in common,
// so the multipliers that it blames are about those.
#include "dialect/Spin/Certify/Polyhedron.h"
#include "dialect/Spin/Analysis/Simplex.h"

using namespace spinc::spin;
using namespace spinc::spin::certify;

/// Steps of one question, which is given up after that.
static constexpr unsigned maxSteps = 2000;
/// A step on unbounded numbers takes as long as so many others.
static constexpr unsigned manyDigits = 16;

Polyhedron::Polyhedron() : simplex(std::make_unique<Simplex>()) {
  constexpr size_t usual = 16;
  divisors.reserve(usual);
}
Polyhedron::Polyhedron(const Polyhedron &other)
    : simplex(std::make_unique<Simplex>(*other.simplex)),
      variables(other.variables), empty(other.empty), absurd(other.absurd),
      divisors(other.divisors), done(other.done) {}
Polyhedron::~Polyhedron() = default;

void Polyhedron::addVariable() { variables.push_back(simplex->addColumn()); }

Polyhedron::Sum Polyhedron::renamed(const Sum &sum) const {
  Sum result = sum;
  for (auto &[variable, factor] : result)
    variable = variables[variable];
  return result;
}

Polyhedron::Blame Polyhedron::blame() const {
  if (absurd)
    return {{*absurd, Integer(1)}};
  Blame result;
  Integer all(1);
  for (const auto &[index, weight] : simplex->getConflict())
    if (divisors[index] != 1)
      all = llvm::lcm(all, divisors[index]);
  for (const auto &[index, weight] : simplex->getConflict())
    result.emplace_back(index,
                        all == 1 ? weight : weight * (all / divisors[index]));
  return result;
}

unsigned Polyhedron::stepsAllowed() const {
  return simplex->isUnbounded() ? maxSteps / manyDigits : maxSteps;
}

void Polyhedron::countWork(unsigned steps) {
  *done +=
      (steps + 1) * simplex->size() * (simplex->isUnbounded() ? manyDigits : 1);
}

bool Polyhedron::add(const Sum &sum, const Integer &constant) {
  Integer divisor(0);
  for (const auto &[variable, factor] : sum)
    divisor = llvm::gcd(divisor, abs(factor));
  divisors.push_back(divisor);
  if (sum.empty()) {
    if (constant < 0)
      absurd = divisors.size() - 1;
    return !(empty = absurd.has_value());
  }
  simplex->assertAtLeast(renamed(sum), constant, divisors.size() - 1);
  const unsigned allowed = stepsAllowed();
  unsigned left = allowed;
  empty = simplex->check(left) == Feasibility::Empty;
  countWork(allowed - left);
  return !empty;
}

std::optional<Polyhedron::Fraction> Polyhedron::optimum(const Sum &sum,
                                                        bool largest) {
  if (sum.empty())
    return Fraction(0, 1);
  const unsigned allowed = stepsAllowed();
  unsigned left = allowed;
  auto best = simplex->optimum(renamed(sum), largest, left);
  countWork(allowed - left);
  return best ? std::optional<Fraction>({best->first, best->second})
              : std::nullopt;
}

Polyhedron::Fraction Polyhedron::sample(unsigned variable) const {
  auto [numerator, denominator] = simplex->value(variables[variable]);
  return {numerator, denominator};
}
