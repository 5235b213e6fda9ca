// One of several headers (pkt-11): the prologue reads which one a packet holds
// and how long it is, and `match` branches on that. A packet that holds none of
// them has nothing at that place.
#include "compiler/AST/Walk.h"
#include "compiler/IRGen/HandlerGenerator.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

/// What the header before says of header `index`: the field by which its
/// alternatives differ, or a number that no such field has.
Value HandlerGenerator::emitSelector(Location at, unsigned index,
                                     ArrayRef<sema::FollowFact> facts) {
  constexpr unsigned bits = 64; // Sema sees to it that fields have fewer.
  if (facts.empty())
    return constant(at, ~uint64_t(0), bits);
  const sema::FollowFact &fact = facts.front();
  const sema::PacketHeader &before = context.packet.headers[index - 1];
  auto read = [&](const sema::PacketHeader &header) {
    Value value = readField(fieldPlace(header, *fact.field), fact.field->value,
                            at, "p." + header.name + "." + fact.field->name);
    return extend(at, value, /*isSigned=*/false, bits);
  };
  if (!before.isChoice())
    return read(before);
  return emitChoice(
      at, choices[index - 1][fact.after], builder.getIntegerType(bits), {},
      [&] { return read(before.alternatives[fact.after]); },
      [&] { return emitSelector(at, index, facts.drop_front()); });
}

/// The size of the alternative that the packet holds, of those from `first` on,
/// if there are `room` bytes.
Value HandlerGenerator::emitChosenSize(Location at, unsigned index,
                                       unsigned first, Value room) {
  const sema::PacketHeader &header = context.packet.headers[index];
  if (first == header.alternatives.size())
    return constant(at, 0);
  return emitChoice(
      at, choices[index][first], builder.getI32Type(), {},
      [&] { return emitAlternativeSize(at, header.alternatives[first], room); },
      [&] { return emitChosenSize(at, index, first + 1, room); });
}

Value HandlerGenerator::emitAlternativeSize(
    Location at, const sema::PacketHeader &alternative, Value room) {
  Value size = constant(at, alternative.bytes);
  if (!alternative.isRunTime && alternative.checks.empty())
    return size;
  emitDropUnless(at, room, size);
  if (alternative.isRunTime) {
    Value least = size;
    size = emitHeaderSize(at, alternative);
    if (alternative.checksSize)
      emitDropUnless(at, size, least);
  }
  emitHeaderChecks(alternative);
  return size;
}

/// pkt-12: conditions of the header's fields that the card does not check.
void HandlerGenerator::emitHeaderChecks(const sema::PacketHeader &header) {
  for (const ast::Expr *check : header.checks) {
    SmallVector<const ast::Decl *> bound;
    std::function<void(const ast::Expr &)> bind = [&](const ast::Expr &expr) {
      const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr);
      const auto *decl =
          name ? llvm::dyn_cast_or_null<ast::FieldDecl>(name->decl) : nullptr;
      const sema::HeaderField *field = decl ? header.type->find(decl) : nullptr;
      if (field && !bindings.contains(decl)) {
        bindings[decl] = {readField(fieldPlace(header, *field), field->value,
                                    loc(expr.range),
                                    "p." + header.name + "." + field->name),
                          {}};
        bound.push_back(decl);
      }
      ast::forEachOperand(expr, bind);
    };
    bind(*check);
    emitRequire(*check, spin::ReturnCode::Drop);
    for (const ast::Decl *decl : bound)
      bindings.erase(decl);
  }
}

/// What stands under the cases `arms`, in that order, and then `fallback`.
bool HandlerGenerator::emitMatchCases(unsigned index,
                                      ArrayRef<const ast::MatchCase *> arms,
                                      const ast::MatchCase *fallback,
                                      const Variables &carried) {
  if (arms.empty())
    return fallback && emitBlock(*fallback->body);
  const ast::MatchCase &arm = *arms.front();
  const std::vector<sema::PacketHeader> &alternatives =
      context.packet.headers[index].alternatives;
  unsigned which = 0;
  while (alternatives[which].type != arm.variable->type)
    ++which;
  matched[arm.variable.get()] = &alternatives[which];
  return emitBranches(
      loc(arm.range), choices[index][which], carried,
      [&] { return emitBlock(*arm.body); },
      [&] {
        return emitMatchCases(index, arms.drop_front(), fallback, carried);
      });
}

/// swi-4
bool HandlerGenerator::emitMatch(const ast::MatchStmt &stmt) {
  SmallVector<const ast::MatchCase *> arms;
  SmallVector<const ast::Stmt *> bodies;
  const ast::MatchCase *fallback = nullptr;
  for (const ast::MatchCase &arm : stmt.cases) {
    bodies.push_back(arm.body.get());
    if (arm.variable)
      arms.push_back(&arm);
    else
      fallback = &arm;
  }
  unsigned index = &packetHeader(*stmt.subject) - context.packet.headers.data();
  emitSwitchBody(loc(stmt.range), bodies, [&] {
    emitMatchCases(index, arms, fallback, assignedIn(bodies));
  });
  return neverPasses(stmt);
}
