// Contexts: their blocks, state and handlers.
#include "compiler/Syntax/AstBuilder.h"

#include "llvm/ADT/StringSwitch.h"

namespace spinc::syntax {

using namespace ast;

std::unique_ptr<ContextDecl> AstBuilder::context(P::ContextDeclContext *node) {
  auto result =
      std::make_unique<ContextDecl>(range(node), identifier(node->name));
  for (P::ContextItemContext *item : node->body->items)
    contextItem(item, *result);
  return result;
}

/// Fills `slot`, or reports that the context has a block of that kind already.
template <typename Block>
static void fill(std::optional<Block> &slot, Block block, llvm::StringRef word,
                 const ContextDecl &context, DiagnosticEngine &diagnostics) {
  if (!slot) {
    slot = std::move(block);
    return;
  }
  diagnostics.report(diag::DuplicateBlock, block.range, context.name.text, word)
      .note(slot->range, "the first '" + word.str() + "' is here");
}

void AstBuilder::contextItem(P::ContextItemContext *node,
                             ContextDecl &context) {
  if (P::MatchBlockContext *block = node->matchBlock()) {
    fill(context.match, matchBlock(block), "match", context, diagnostics);
  } else if (P::PacketBlockContext *block = node->packetBlock()) {
    FieldBlock packet{range(block), fields(block->fields)};
    fill(context.packet, std::move(packet), "packet", context, diagnostics);
  } else if (P::UserBlockContext *block = node->userBlock()) {
    FieldBlock user{range(block), fields(block->fields)};
    fill(context.user, std::move(user), "user", context, diagnostics);
  } else if (P::StateBlockContext *block = node->stateBlock()) {
    fill(context.state, stateBlock(block), "state", context, diagnostics);
  } else if (P::HostDeclContext *host = node->hostDecl()) {
    context.hosts.push_back(
        std::make_unique<HostDecl>(range(host), identifier(host->name)));
  } else if (P::ContractDeclContext *contract = node->contractDecl()) {
    context.contracts.push_back({range(contract), expr(contract->condition)});
  } else {
    context.handlers.push_back(handler(node->handlerDecl()));
  }
}

MatchBlock AstBuilder::matchBlock(P::MatchBlockContext *node) {
  MatchBlock result;
  result.range = range(node);
  if (auto *packet = dynamic_cast<P::PacketMatchContext *>(node)) {
    for (P::ExprContext *condition : packet->conditions)
      result.conditions.push_back(expr(condition));
    return result;
  }
  auto *portals = static_cast<P::PortalsMatchContext *>(node);
  result.isPortals = true;
  Identifier kind = identifier(portals->kind);
  if (kind.text != "portals")
    unknownWord(kind, "'portals' or '{' after 'match'", {"portals"});
  for (P::MatchEntryContext *entry : portals->entries)
    result.portals.push_back({identifier(entry->name), expr(entry->value)});
  return result;
}

StateBlock AstBuilder::stateBlock(P::StateBlockContext *node) {
  StateBlock result;
  result.range = range(node);
  for (P::StateFieldContext *field : node->fields)
    result.fields.push_back(stateField(field));
  return result;
}

std::unique_ptr<StateFieldDecl>
AstBuilder::stateField(P::StateFieldContext *node) {
  auto result =
      std::make_unique<StateFieldDecl>(range(node), identifier(node->name));
  stateKinds(node, *result);
  result->typeExpr = arrays(typeRef(node->type), node->sizes);
  stateClauses(node, *result);
  return result;
}

static StateKind stateKind(size_t word) {
  switch (word) {
  case SpincParser::PARAM:
    return StateKind::Param;
  case SpincParser::PER_HPU:
    return StateKind::PerHpu;
  case SpincParser::GUARDED:
    return StateKind::Guarded;
  default:
    return StateKind::Atomic;
  }
}

/// At most one word, but for `per_cluster atomic`.
void AstBuilder::stateKinds(P::StateFieldContext *node, StateFieldDecl &field) {
  antlr4::Token *earlier = nullptr;
  for (P::StateKindContext *kind : node->kinds) {
    antlr4::Token *word = kind->word;
    bool isPair = earlier && earlier->getType() == P::PER_CLUSTER &&
                  word->getType() == P::ATOMIC;
    if (earlier && !isPair) {
      diagnostics
          .report(diag::StateKinds, range(kind), word->getText(),
                  earlier->getText())
          .reason("a field is one of param, atomic, per_cluster atomic, "
                  "per_hpu, guarded(lock), or plain");
      return;
    }
    earlier = word;
    field.stateKind = stateKind(word->getType());
    field.perCluster |= word->getType() == P::PER_CLUSTER;
    if (kind->lock)
      field.lock = identifier(kind->lock);
  }
  if (earlier && earlier->getType() == P::PER_CLUSTER)
    diagnostics.report(diag::StateKinds, range(earlier), "per_cluster", "plain")
        .fix("write 'per_cluster atomic'");
}

void AstBuilder::stateClauses(P::StateFieldContext *node,
                              StateFieldDecl &field) {
  bool placed = false;
  for (P::StateClauseContext *clause : node->clauses) {
    if (auto *where = dynamic_cast<P::WhereClauseContext *>(clause)) {
      if (field.where)
        diagnostics.report(diag::RepeatedClause, range(where), "where")
            .fix("join the conditions with '&&'");
      field.where = expr(where->condition);
      continue;
    }
    auto *place = static_cast<P::PlaceClauseContext *>(clause);
    if (placed)
      diagnostics.report(diag::RepeatedClause, range(place), "in");
    placed = true;
    Identifier where = identifier(place->place);
    if (where.text == "L1")
      field.placement = Placement::L1;
    else if (where.text == "L2")
      field.placement = Placement::L2;
    else
      unknownWord(where, "'L1' or 'L2' after 'in'", {"L1", "L2"});
  }
}

std::unique_ptr<HandlerDecl> AstBuilder::handler(P::HandlerDeclContext *node) {
  Identifier word = identifier(node->kind);
  std::optional<HandlerKind> kind =
      llvm::StringSwitch<std::optional<HandlerKind>>(word.text)
          .Case("header", HandlerKind::Header)
          .Case("payload", HandlerKind::Payload)
          .Case("completion", HandlerKind::Completion)
          .Default(std::nullopt);
  if (!kind)
    unknownWord(word, "'header', 'payload' or 'completion' after 'handler'",
                {"header", "payload", "completion"});
  auto result = std::make_unique<HandlerDecl>(
      kind.value_or(HandlerKind::Payload), range(node), std::move(word));
  auto parameter = std::make_unique<ParameterDecl>(
      join(range(node->type), range(node->name)), identifier(node->name));
  parameter->typeExpr =
      std::make_unique<NamedTypeExpr>(range(node->type), node->type->getText());
  result->parameter = std::move(parameter);
  if (node->budget())
    result->budget = budget(node->budget());
  result->body = block(node->body);
  return result;
}

} // namespace spinc::syntax
