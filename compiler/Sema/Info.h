// What Sema found out about a program, as plain data: packet layout with
// constant offsets, match rules, state, parameters, host regions, budgets.
// IRGen, Stubs and the metadata writer read it; after analyze() returned true
// all of it is filled in and consistent, and nobody has to check it again.
// Pointers into the AST live as long as the ast::Program.
#pragma once

#include "compiler/AST/Ast.h"
#include "compiler/Sema/Builtins.h"
#include "compiler/Sema/Types.h"

#include <optional>

namespace spinc {
namespace sema {

/// Which packets a context gets, as seen at packet offset 0.
enum class Link { Ethernet, Ip, Portals };

/// One comparison of the card's matching engine: the unsigned number in
/// `width` bytes (1, 2 or 4) at `offset`, read in `order`, and-ed with `mask`,
/// lies in min … max (bounds are in masked position). All rules of a context
/// must hold. For an Ip context, offsets count from the IP header.
struct MatchRule {
  unsigned offset = 0;
  unsigned width = 0;
  ByteOrder order = ByteOrder::Big;
  uint32_t mask = 0;
  uint32_t min = 0;
  uint32_t max = 0;
  std::string text; // "udp.dst_port == 9330", for reports
};

/// What a match rule says about one header field: its value is in min … max.
/// Inside a handler this is a fact.
struct FieldFact {
  unsigned header = 0; // index in PacketLayout::headers
  const HeaderField *field = nullptr;
  uint64_t min = 0;
  uint64_t max = 0;
  std::string text; // the conditions that say so
};

/// A packet holds an alternative if `field` of the header before is `value`;
/// `after` counts the alternatives of that header, -1: it has none (pkt-11).
struct FollowFact {
  int after = -1;
  const HeaderField *field = nullptr;
  uint64_t value = 0;
};

struct PacketHeader {
  std::string name;
  const ast::FieldDecl *decl = nullptr;
  /// Of a choice between headers: one without fields.
  const HeaderType *type = nullptr;
  /// `Udp | Tcp`: the headers one of which may be here, at the same offset.
  std::vector<PacketHeader> alternatives;
  /// Of an alternative: any of these says that it is here.
  std::vector<FollowFact> follows;
  /// `where` conditions that compiled code checks, not the card (pkt-12).
  std::vector<const ast::Expr *> checks;
  /// Its size; of one whose size is read from the packet, the declared fields.
  unsigned bytes = 0;
  bool isRunTime = false;
  /// A size that is read may be too small for the declared fields.
  bool checksSize = false;
  /// The header from whose end `offset` counts; -1: the start of the packet.
  int after = -1;
  unsigned offset = 0;

  bool isChoice() const { return !alternatives.empty(); }
};

struct PacketLayout {
  Link link = Link::Portals;
  std::vector<PacketHeader> headers; // empty for a portals context
  /// Offset of the payload; the least one if it is not constant (pkt-9).
  unsigned headerBytes = 0;
  unsigned maxHeaderBytes = 0;
  std::string payloadName; // "payload"
  const Type *payloadElement = nullptr;
  std::vector<MatchRule> rules;
  std::vector<FieldFact> facts;

  const PacketHeader *find(std::string_view name) const;
  bool hasRunTimeSize() const;
  /// Whether the header stands behind one with alternatives.
  bool isBehindChoice(unsigned header) const;
};

/// match portals { bits: b, ignore: i }; absent for a context without match,
/// which takes every portals message.
struct PortalsMatch {
  uint64_t bits = 0;
  uint64_t ignore = 0;
};

enum class StateKind {
  Param,
  Plain,
  Atomic,
  PerClusterAtomic,
  PerHpu,
  Guarded,
  Lock
};
enum class LockKind { Spin, Mcs, ReadWrite };
enum class StateSpace { L1, L2 };

/// Offsets count from the start of the program's state in the field's space
/// (L1: the same in each cluster; see ProgramInfo), for a Param field from the
/// start of the context's parameter block, for a Plain field from the start of
/// the message's block.
struct StateField {
  std::string name;
  /// Null for a field that belongs to a lock.
  const ast::StateFieldDecl *decl = nullptr;
  const Type *type = nullptr;    // u32, u32[1024], process …
  const Type *element = nullptr; // of an array, else `type`
  uint64_t count = 1;            // elements
  bool isArray = false;
  StateKind kind = StateKind::Plain;
  StateSpace space = StateSpace::L1;
  bool hadNoRoom = false;       // in L2 because L1 is full (sta-6)
  std::optional<LockKind> lock; // of a Lock field
  unsigned offset = 0;
  unsigned size = 0;
  std::vector<const ast::Expr *> where; // of a Param, checked at installation
};

/// The plain state of one message, of which there is a copy for each message
/// that can be in flight at a place (sta-10).
struct MessageBlock {
  unsigned bytes = 0;  // of the fields
  unsigned stride = 0; // from one copy to the next
  unsigned copies = 0;
};

struct HostRegion {
  std::string name;
  const ast::HostDecl *decl = nullptr;
};

struct Contract {
  const ast::Expr *condition = nullptr;
  std::string text;
};

using HandlerKind = ast::HandlerKind;

using BudgetKind = ast::BudgetKind;

/// `kind <= limit`. Names in `limit` are p.length, parameters and NamedCounts.
struct Budget {
  BudgetKind kind = BudgetKind::Cycles;
  const ast::Expr *limit = nullptr; // null for line_rate
  std::string text;                 // as written, for reports
};

/// A name bound by a handler's trailing `where`.
struct NamedCount {
  std::string name;
  const ast::BudgetNameDecl *decl = nullptr;
  const ast::Expr *value = nullptr;
};

struct HandlerInfo {
  HandlerKind kind = HandlerKind::Payload;
  const ast::HandlerDecl *decl = nullptr;
  std::string symbol; // "Histogram_ph"
  std::vector<Budget> budgets;
  std::vector<NamedCount> counts;
  /// How many others may be before it at a lock; unset if it does not say.
  std::optional<unsigned> contention;
};

/// The words of a lock, and the field that holds each HPU's place in its queue.
unsigned lockWords(LockKind kind);
const char *lockName(LockKind kind);
std::string lockNodeName(llvm::StringRef lock);
std::optional<LockKind> lockKind(llvm::StringRef name);

struct ContextInfo {
  std::string name;
  const ast::ContextDecl *decl = nullptr;
  PacketLayout packet;
  std::optional<PortalsMatch> portals;
  /// `user { … }`: how the first bytes of a message look. Null without.
  const StructType *user = nullptr;
  std::vector<StateField> state; // in declaration order, parameters included
  unsigned paramBytes = 0;
  MessageBlock l1Messages, l2Messages; // L1: of each home cluster
  unsigned homeCluster = 0; // whose L1 holds the only copy of a field (sta-6)
  std::optional<HostRegion> host;
  std::vector<Contract> contracts;
  std::vector<HandlerInfo> handlers; // header, payload, completion order
  unsigned mtu = 0;                  // largest packet, headers included

  const StateField *findState(std::string_view name) const;
  const StateField *findState(const ast::Decl *decl) const;
  const HandlerInfo *handler(HandlerKind kind) const;
  unsigned maxPayload() const { return mtu - packet.headerBytes; }
};

/// The imported modules: their texts and their trees, in the order in which
/// they were finished (a module comes after all it imports).
struct Modules {
  SourceManager sources;
  std::vector<std::unique_ptr<ast::Program>> programs;
};

/// What state takes of a memory: first blocks of messages, each context's from
/// a multiple of their alignment on, then other fields.
struct StateBytes {
  uint64_t messages = 0; // what lies between blocks included
  uint64_t fields = 0;
  uint64_t total() const { return messages + fields; }
};

struct ProgramInfo {
  Modules modules;
  /// In source order.
  std::vector<std::unique_ptr<ContextInfo>> contexts;
  /// State of all contexts; in L1 per cluster, without parameter blocks.
  StateBytes l1State, l2State;

  const ContextInfo *find(const ast::ContextDecl *decl) const;
};

} // namespace sema
} // namespace spinc
