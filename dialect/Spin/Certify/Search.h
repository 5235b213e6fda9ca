// Searches for the certificate of one obligation: which facts, multiplied by
// what, exclude that it fails. Works on the facts that the checker derives.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_SEARCH_H
#define SPINC_DIALECT_SPIN_CERTIFY_SEARCH_H

#include "dialect/Spin/Certify/Polyhedron.h"
#include "dialect/Spin/Certify/SearchFacts.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <memory>

namespace spinc::spin::certify {

/// How a certificate names a fact.
struct Cite {
  char kind = 'k';
  /// 'k': identity of the known fact; 'h': the number of the claim; else the
  /// number of the value.
  unsigned subject = 0;
  unsigned part = 0;
  /// 'a'.
  AtomId atom = nullptr;
};

struct Row {
  Cite cite;
  Constraint fact;
};

/// Per atom the fact that mentioned it first. A case knows facts of its own.
using Sources = llvm::SmallDenseMap<AtomId, Row, 8>;

struct Step {
  enum { Sum, Product, Cases } kind = Sum;
  /// Sum: the facts and their multipliers. Product: two facts.
  llvm::SmallVector<std::pair<Int, Row>> terms;
  /// Sum, Product: identity and content of what becomes known. Cases: of what
  /// becomes known in the first case; the second has the next identity.
  unsigned known = 0;
  std::array<Constraint, 2> facts;
  /// Cases: `a`, `b` or `o`, and the atom or value.
  Cite cite;
  Int limit;
  std::vector<Step> branches[2];
  Sources sources[2];
};

/// How much work a search is worth.
enum class Effort { Guess, Obligation };

/// Which facts come first about a number that is a long sum: what conditions
/// tell of it, or the sum, whose parts may be long sums in turn.
enum class Order { ConditionsFirst, SumsFirst };

class Search {
public:
  Search(SearchFacts &facts, const meaning::Obligation &obligation,
         Effort effort = Effort::Guess, Order order = Order::ConditionsFirst);
  /// The certificate, if one is found.
  std::optional<std::string> run();
  /// The same without case splits and cuts, for the many questions about
  /// loops.
  bool holdsSimply();
  /// The least value of `form` that the facts allow in fractions, rounded up.
  std::optional<Int> minimum(const Form &form);

private:
  std::optional<std::string> find();
  bool solve(unsigned depth);
  bool isTired() const;

  // Facts come in, from the goal outwards.
  bool expand();
  bool isFull() const;
  bool expandAtom(AtomId id);
  bool addLoadsLike(mlir::Value loaded);
  bool leadsOn(const Constraint &fact) const;
  bool expandPostponed();
  bool expandClaims();
  void noteTold();
  bool expandTruths(bool onlyPresent);
  bool addTruth(mlir::Value condition, unsigned part);
  bool addRemote();
  bool addRow(const Cite &cite, const Constraint &fact);
  bool addExactly(const Cite &cite, const Constraint &fact);
  void addName(const Cite &cite, const Constraint &fact);
  bool addKnown(const Constraint &fact);
  bool addSum(llvm::ArrayRef<std::pair<Int, Row>> terms);
  void close();
  Polyhedron::Sum columnsOf(const Form &form);
  llvm::SmallVector<std::pair<Int, Row>>
  blamed(const Polyhedron &polyhedron) const;
  std::optional<llvm::SmallVector<std::pair<Int, Row>>>
  refutation(const Form &assumed);

  // Rounding.cpp: what fractions do not tell.
  bool cut();
  bool tighten();
  bool refine();
  bool lemma(const Form &form);
  std::optional<Row> bound(AtomId id, bool upper);
  bool include(llvm::ArrayRef<Form> forms);
  bool products(AtomId id);
  bool multiplyGoals();
  bool multiplyRanges(AtomId id);
  bool ratios(AtomId id);

  // Splits.cpp: cases.
  bool splits(unsigned depth);
  std::optional<bool> splitDisjunction(unsigned depth);
  bool addChoices(size_t mark);
  bool split(const Cite &cite, const Int &limit, const meaning::Cases &two,
             unsigned depth);

  SearchFacts &facts;
  const meaning::Obligation &obligation;
  Effort effort;
  Order order;
  std::shared_ptr<unsigned> identities = std::make_shared<unsigned>(0);
  std::shared_ptr<unsigned> fuel;
  Polyhedron polyhedron;
  llvm::SmallVector<AtomId> names;
  llvm::SmallDenseMap<AtomId, unsigned, 16> columns;
  /// Those with a column, and how many of them have brought in what is known of
  /// them, and claims.
  llvm::SmallVector<AtomId> present;
  size_t expanded = 0, claimed = 0;
  /// Axioms that lead to many other atoms.
  std::vector<std::pair<AtomId, unsigned>> postponed;
  bool hadPostponed = false;
  std::vector<Row> rows;
  /// Per inequality of the polyhedron its row, negative for the mirror image
  /// of an equality.
  std::vector<std::pair<unsigned, int>> origins;
  /// What conditions tell of the atoms in `present`: up to where that has been
  /// looked through, and what has not been brought in.
  llvm::SmallDenseMap<AtomId, size_t, 16> toldSeen;
  std::vector<SearchFacts::Told> waiting;
  llvm::DenseSet<std::pair<mlir::Value, unsigned>> truthsNoted;
  /// Loads of the same bytes, as far as rows say so.
  llvm::EquivalenceClasses<const void *> alike;
  llvm::DenseSet<mlir::Value> disjunctionsSplit;
  llvm::DenseSet<unsigned> claimsAdded;
  llvm::DenseSet<std::pair<mlir::Value, unsigned>> invariantsAdded;
  Sources sources;
  llvm::DenseSet<AtomId> refined;
  llvm::DenseSet<mlir::Value> chosen;
  bool isClosed = false;
  std::vector<Step> steps;
};

/// Whether the obligation holds without any fact: nothing is its certificate.
bool holdsPlainly(const meaning::Obligation &obligation);

/// The text of a certificate with these steps.
std::string spell(SearchFacts &facts, const meaning::Obligation &obligation,
                  const std::vector<Step> &steps, const Sources &sources);

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_SEARCH_H
