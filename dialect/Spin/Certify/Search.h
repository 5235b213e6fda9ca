// Searches for the certificate of one obligation: which facts, multiplied by
// what, exclude that it fails. Works on the facts that the checker derives.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_SEARCH_H
#define SPINC_DIALECT_SPIN_CERTIFY_SEARCH_H

#include "dialect/Spin/Certify/Polyhedron.h"
#include "dialect/Spin/Checker/Claims.h"
#include <memory>

namespace spinc::spin::certify {

using meaning::AtomId;
using meaning::Constraint;
using meaning::Constraints;
using meaning::Form;
using meaning::Int;

/// The facts of a handler with what a search wants to know besides.
class SearchFacts : public checker::Induction {
public:
  using Induction::Induction;
  /// The conditions that are known here, in the order in which they became so.
  llvm::SmallVector<mlir::Value> knownConditions() const;
  /// `truth`, remembered.
  const Constraints &truthOf(mlir::Value condition);
  /// Loads of the packet met so far in the walk.
  llvm::SmallVector<mlir::Value> loads;
  /// What the header handler has left, if this is a later one.
  const Constraints &inherited();

private:
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Constraints> remembered;
  std::optional<Constraints> left;
};

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
};

using Sources = llvm::DenseMap<AtomId, Row>;

class Search {
public:
  Search(SearchFacts &facts, const meaning::Obligation &obligation);
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
  bool expand();
  bool expandAtom(AtomId id);
  bool expandTruths(bool onlyPresent);
  bool addRow(const Cite &cite, const Constraint &fact);
  bool addExactly(const Cite &cite, const Constraint &fact);
  void addName(const Cite &cite, const Constraint &fact);
  bool addKnown(const Constraint &fact);
  bool addSum(llvm::ArrayRef<std::pair<Int, Row>> terms);
  void close();
  bool cut();
  bool tighten();
  bool refine();
  bool lemma(const Form &form);
  std::optional<Row> bound(AtomId id, bool upper);
  bool products(AtomId id);
  bool ratios(AtomId id);
  bool splits(unsigned depth);
  std::optional<bool> splitDisjunction(unsigned depth);
  bool addChoices();
  bool split(const Cite &cite, const Int &limit, const meaning::Cases &two,
             unsigned depth);
  llvm::SmallVector<Int> coefficients(const Form &form);
  std::optional<llvm::SmallVector<std::pair<Int, Row>>>
  refutation(const Form &assumed);

  SearchFacts &facts;
  const meaning::Obligation &obligation;
  std::shared_ptr<unsigned> identities = std::make_shared<unsigned>(0);
  std::shared_ptr<unsigned> fuel;
  Polyhedron polyhedron;
  llvm::SmallVector<AtomId> names;
  llvm::DenseMap<AtomId, unsigned> columns;
  size_t expanded = 0;
  std::vector<Row> rows;
  /// Per inequality of the polyhedron its row, negative for the mirror image
  /// of an equality.
  std::vector<std::pair<unsigned, int>> origins;
  llvm::DenseSet<std::pair<mlir::Value, unsigned>> truthsAdded;
  llvm::DenseSet<mlir::Value> disjunctionsSplit;
  llvm::DenseSet<unsigned> claimsAdded;
  /// Per atom the fact that mentioned it first.
  std::shared_ptr<Sources> sources = std::make_shared<Sources>();
  llvm::DenseSet<AtomId> refined;
  llvm::DenseSet<mlir::Value> chosen;
  bool isClosed = false;
  std::vector<Step> steps;
};

/// The text of a certificate with these steps.
std::string spell(SearchFacts &facts, const meaning::Obligation &obligation,
                  const std::vector<Step> &steps, const Sources &sources);

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_SEARCH_H
