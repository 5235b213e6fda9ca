// One installed context as the language describes it: parameters, state, host
// memory, and what runs of its handlers leave behind.
#ifndef SPINC_TEST_REFERENCE_MACHINE_H
#define SPINC_TEST_REFERENCE_MACHINE_H

#include "compiler/Sema/Info.h"
#include "test/Reference/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <set>

namespace spinc::reference {

/// A rule of the language that a run has broken: what the compiler must prove
/// impossible.
struct Violation {
  std::string rule; // label
  std::string message;
  SourceRange range;
};

/// A packet that a handler sent, or a message it put.
struct Sent {
  bool isPut = false;
  std::vector<uint8_t> bytes;
  uint64_t destination = 0, matchBits = 0, hdrData = 0;

  bool operator==(const Sent &other) const {
    return isPut == other.isPut && bytes == other.bytes &&
           destination == other.destination && matchBits == other.matchBits &&
           hdrData == other.hdrData;
  }
};

/// Where a handler runs.
struct Place {
  unsigned cluster = 0, hpu = 0; // hpu: number on the card
  unsigned flow = 0;             // queue of the message
};

struct Outcome {
  unsigned code = 0;
  std::vector<Sent> sent;
  uint64_t steps = 0;
  /// What `p.length` is; of payload handlers whose packet holds its headers.
  std::optional<uint64_t> payloadLength;
  std::optional<Violation> violation;
};

struct Machine {
  const sema::ContextInfo &info;
  unsigned clusters, hpus;
  llvm::DenseMap<const ast::Decl *, Number> params;
  /// Of a state field: one region, or one for each message, cluster or HPU.
  std::map<const ast::Decl *, std::vector<Region>> state;
  Region host;
  /// Flows whose message the header handler dropped (hdl-9).
  std::set<unsigned> dropped;

  /// State starts at zero.
  Machine(const sema::ContextInfo &info, unsigned clusters, unsigned hpus,
          size_t hostBytes);

  size_t copiesOf(const sema::StateField &field) const;
  /// The bytes of a field that a handler at `place` means.
  Region &field(const sema::StateField &field, const Place &place);

  /// Runs a handler on a copy of `packet`. A context without the handler does
  /// nothing. `stepLimit` ends what does not end by itself.
  Outcome run(sema::HandlerKind kind, const std::vector<uint8_t> &packet,
              const Place &place, uint64_t stepLimit = 20000000);

  /// Whether `where` and `contract` hold.
  bool mayBeInstalled();
};

} // namespace spinc::reference

#endif // SPINC_TEST_REFERENCE_MACHINE_H
