// The certificates of one handler, and the claims of its loops that they cite.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_HANDLERCERTIFIER_H
#define SPINC_DIALECT_SPIN_CERTIFY_HANDLERCERTIFIER_H

#include "dialect/Spin/Certify/Memory.h"
#include "dialect/Spin/Certify/Search.h"
#include <set>

namespace spinc::spin::certify {

inline constexpr llvm::StringLiteral certificateAttrName = "spin.certificate";
inline constexpr llvm::StringLiteral claimsAttrName = "spin.claims";

/// Claims of the header handler by number.
using Places = std::map<unsigned, unsigned>;

class HandlerCertifier {
public:
  /// Takes the claims that the prover has written on loops for what they are:
  /// hints. `memory`, if there is one: what an earlier search has found;
  /// `believes`: that it still holds where the obligation is the same.
  HandlerCertifier(HandlerOp handler, Memory *memory, bool believes);
  /// Searches for what is missing. True if nothing is afterwards. `guess`: with
  /// invariants from templates where those of the prover do not do.
  bool search(bool guess);
  /// Claims of the header handler that certificates cite.
  std::set<unsigned> citedClaims() const;
  /// Of a header handler: these of its claims have to be proved.
  void demand(const std::set<unsigned> &claims);
  /// The claims that could not be proved.
  std::set<unsigned> failedClaims() const;
  /// Forgets what rests on these claims.
  void forget(const std::set<unsigned> &claims);
  /// Writes the attributes. Claims of the header handler get new numbers.
  void write(const Places &claims);
  /// Tells of the operations that are short of a certificate.
  void report(llvm::function_ref<void(mlir::Operation *)> tell);

  /// What falls by `step` in each round of a loop.
  struct Measure {
    std::string form;
    Int step;
  };

private:
  /// One obligation of an operation. Those of a loop and of its end for the
  /// invariants, and those of a header handler's ends for its claims, are only
  /// asked for if somebody relies on them.
  struct Slot {
    enum Kind { Own, Invariant, Measure, Claim } kind = Own;
    unsigned index = 0;
    bool operator<(const Slot &other) const {
      return std::pair(kind, index) < std::pair(other.kind, other.index);
    }
  };
  /// A loop and the number of one of its invariants.
  using Cited = std::pair<mlir::Operation *, unsigned>;
  struct Certificate {
    std::string text;
    std::vector<Cited> invariants;
    std::vector<unsigned> claims;
  };
  std::vector<Slot> slots(mlir::Operation *op, size_t count,
                          SearchFacts &facts);
  bool isAsked(mlir::Operation *op, const Slot &slot) const;
  void dropUnreadable();
  void searchWith(bool guesses);
  void settle();
  void walk(SearchFacts &facts);
  void certify(mlir::Operation *op, SearchFacts &facts);
  std::optional<std::string> find(mlir::Operation *op, const Slot &slot,
                                  const meaning::Obligation &obligation,
                                  SearchFacts &facts);
  Certificate read(std::string text, SearchFacts &facts) const;
  void rely(const Certificate &certificate);
  void openEnds(mlir::Operation *loop);
  void drop(const std::set<Cited> &invariants);
  void forgetIf(llvm::function_ref<bool(const Certificate &)> isVoid);
  std::string renumbered(const Certificate &certificate, const Places &claims,
                         const std::map<Cited, unsigned> &invariants) const;
  std::map<Cited, unsigned> keptInvariants() const;
  void writeClaims();

  // Induction.cpp: invariants and measures.
  void guessInvariants();
  bool dropFailing(SearchFacts &facts, mlir::Operation *loop,
                   llvm::ArrayRef<mlir::Value> values);
  llvm::SmallVector<mlir::Operation *> findRanks();
  std::map<mlir::Operation *, std::vector<Measure>> measures();
  bool findGeometricRank(mlir::scf::WhileOp loop);
  bool holdsAtEnds(mlir::scf::WhileOp loop);

  HandlerOp handler;
  Memory *memory;
  bool believes;
  std::vector<mlir::Operation *> loops;
  /// As claims spell them; those that turned out wrong are empty.
  std::map<mlir::Operation *, std::vector<std::string>> invariants;
  std::map<mlir::Operation *, size_t> handed;
  std::map<mlir::Operation *, std::string> ranks;
  llvm::DenseMap<mlir::Operation *, std::map<Slot, Certificate>> found;
  /// Operations with slots that may be asked for and are neither found nor
  /// missing.
  llvm::DenseSet<mlir::Operation *> open;
  std::map<mlir::Operation *, std::set<Slot>> missing;
  std::set<Cited> relied, failed;
  /// Invariants that tell how fast a variable grows.
  std::set<Cited> rates;
  std::set<unsigned> demanded;
};

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_HANDLERCERTIFIER_H
