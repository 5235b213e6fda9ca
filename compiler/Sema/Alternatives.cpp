// `Udp | Tcp transport;`: a place in the packet for one of several headers. A
// field of the header before says which one is there, as each alternative
// declares by `follows(…)` (pkt-11); `match` asks for it (swi-4). Sizes and
// `where` of alternatives, and of what stands behind them, are for compiled
// code: the card compares at fixed places (pkt-12).
#include "compiler/AST/Walk.h"
#include "compiler/Sema/Analyzer.h"

#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>
#include <functional>

namespace spinc::sema {

/// The fields of `before` that tell of `alternative`. False if there are none.
bool Analyzer::addFollowFacts(PacketHeader &alternative,
                              const PacketHeader &before, SourceRange range) {
  auto add = [&](const HeaderType &type, int after) {
    for (const FollowRule &rule : alternative.type->follows) {
      const HeaderField *field = type.find(std::string_view(rule.field));
      const auto *integer = field ? dynAs<IntType>(field->value) : nullptr;
      constexpr unsigned mostBits = 32;
      if (!integer || integer->isSigned || integer->width > mostBits)
        continue;
      if (unsignedNumber(rule.value) <= maximumOf(integer)) {
        alternative.follows.push_back({after, field, rule.value});
        return;
      }
      diagnostics.report(diag::DoesNotFit, range, std::to_string(rule.value),
                         "'" + type.name + "." + rule.field + "'");
      return;
    }
  };
  if (before.isChoice())
    for (size_t i = 0; i < before.alternatives.size(); ++i)
      add(*before.alternatives[i].type, static_cast<int>(i));
  else
    add(*before.type, -1);
  if (!alternative.follows.empty())
    return true;
  diagnostics
      .report(diag::PacketLayout, range,
              "nothing in '" + before.type->name + "' says that '" +
                  alternative.type->name + "' follows")
      .fix("declare it: header " + alternative.type->name +
           " follows(field == value) { … }");
  return false;
}

/// Whether one number says which alternative is there: each header that may be
/// before has it in one field, and each alternative is one value of it.
bool Analyzer::areDistinct(const PacketHeader &choice, SourceRange range) {
  auto sameField = [](const FollowFact &a, const FollowFact &b) {
    return a.after == b.after && a.field == b.field;
  };
  const PacketHeader &first = choice.alternatives.front();
  std::string clash;
  for (const PacketHeader &other : choice.alternatives) {
    bool isOneNumber =
        std::equal(first.follows.begin(), first.follows.end(),
                   other.follows.begin(), other.follows.end(), sameField);
    for (const FollowFact &fact : other.follows)
      isOneNumber &= fact.value == other.follows.front().value;
    for (const PacketHeader &earlier : choice.alternatives)
      isOneNumber &= &earlier == &other || earlier.follows.front().value !=
                                               other.follows.front().value;
    if (!isOneNumber)
      clash = other.type->name;
  }
  if (clash.empty())
    return true;
  diagnostics
      .report(diag::PacketLayout, range,
              "'" + clash + "' is not told apart from the other headers")
      .reason("'follows(…)' of all names the same field of the header before, "
              "with one value for each of them");
  return false;
}

void Analyzer::addAlternatives(ast::FieldDecl &field,
                               ast::OneOfTypeExpr &oneOf) {
  PacketLayout &layout = context->packet;
  field.type = oneOf.type = poison();
  std::vector<const HeaderType *> kinds;
  std::string name;
  for (ast::TypeExprPtr &written : oneOf.alternatives) {
    const Type *type = resolveType(*written);
    if (type->isError())
      return;
    const auto *header = dynAs<HeaderType>(type);
    if (!header) {
      diagnostics.report(diag::PacketLayout, written->range,
                         "expected a header type, found " + type->str());
      return;
    }
    kinds.push_back(header);
    name += (name.empty() ? "" : " | ") + header->name;
  }
  if (layout.headers.empty()) {
    diagnostics
        .report(diag::PacketLayout, field.range,
                "no header before '" + field.name.text +
                    "' says which of them is there")
        .fix("write one context for each of them");
    return;
  }
  PacketHeader choice;
  for (size_t i = 0; i < kinds.size(); ++i) {
    PacketHeader alternative;
    alternative.name = field.name.text;
    alternative.decl = &field;
    alternative.type = kinds[i];
    alternative.isRunTime = kinds[i]->sizeField != nullptr;
    alternative.bytes =
        alternative.isRunTime ? kinds[i]->fixedBytes : kinds[i]->bytes;
    if (!addFollowFacts(alternative, layout.headers.back(),
                        oneOf.alternatives[i]->range))
      return;
    choice.alternatives.push_back(std::move(alternative));
  }
  if (!areDistinct(choice, oneOf.range))
    return;
  HeaderType *type = types.createHeader(name);
  size_t before = layout.headers.size();
  addHeader(field, *type);
  if (layout.headers.size() == before)
    return;
  layout.headers.back().alternatives = std::move(choice.alternatives);
  field.type = oneOf.type = type;
}

/// pkt-12: the `where` conditions of a header that the card cannot look at.
void Analyzer::addHeaderChecks(PacketHeader &header) {
  for (PacketHeader &alternative : header.alternatives)
    addHeaderChecks(alternative);
  for (const HeaderField &field : header.type->fields) {
    if (!field.where || field.where->type->isError())
      continue;
    bool isPlain = true;
    std::function<void(const ast::Expr &)> visit = [&](const ast::Expr &expr) {
      isPlain &= !llvm::isa<ast::IndexExpr>(&expr);
      ast::forEachOperand(expr, visit);
    };
    visit(*field.where);
    if (isPlain)
      header.checks.push_back(field.where);
    else
      diagnostics.report(diag::PacketLayout, field.where->range,
                         "'where' of a header reads whole fields");
  }
}

/// The alternative that a case names, and that no case before does.
void Analyzer::checkMatchCase(ast::MatchCase &arm, const PacketHeader *choice,
                              std::map<const Type *, SourceRange> &earlier) {
  ast::LocalDecl &variable = *arm.variable;
  const Type *type = resolveType(*variable.typeExpr);
  variable.type = poison();
  if (type->isError() || !choice)
    return;
  for (const PacketHeader &alternative : choice->alternatives)
    if (alternative.type == type)
      variable.type = type;
  if (variable.type->isError()) {
    diagnostics.report(diag::TypeMismatch, variable.typeExpr->range,
                       "one of " + choice->type->name, type->str());
    return;
  }
  auto [place, isNew] = earlier.emplace(type, arm.range);
  if (!isNew)
    diagnostics
        .report(diag::MatchCases, variable.typeExpr->range,
                "has two cases for " + type->str())
        .note(place->second, "the first is here");
}

/// swi-4. True if control never reaches what follows (hdl-4).
bool Analyzer::checkMatchStmt(ast::MatchStmt &stmt) {
  const Type *subject = checkThing(stmt.subject);
  const auto *member = llvm::dyn_cast<ast::FieldExpr>(stmt.subject.get());
  const PacketHeader *choice = nullptr;
  if (member && subject->is(TypeKind::Header))
    choice = context->packet.find(member->member.text);
  if (!subject->isError() && (!choice || !choice->isChoice())) {
    diagnostics
        .report(diag::TypeMismatch, stmt.subject->range,
                "a place with alternatives", subject->str())
        .reason("in 'packet { … }' it is written 'A | B name;'");
    choice = nullptr;
  }
  JumpTarget target;
  target.outer = jumpTarget;
  llvm::SaveAndRestore<JumpTarget *> inside(jumpTarget, &target);
  std::map<const Type *, SourceRange> cases;
  const ast::MatchCase *fallback = nullptr;
  bool allEnd = true;
  for (ast::MatchCase &arm : stmt.cases) {
    scopes.push();
    if (arm.variable) {
      checkMatchCase(arm, choice, cases);
      declareLocal(*arm.variable);
    } else if (fallback) {
      diagnostics.report(diag::MatchCases, arm.range, "has two 'default'")
          .note(fallback->range, "the first is here");
    }
    if (!arm.variable)
      fallback = &arm;
    allEnd &= checkBlock(*arm.body);
    scopes.pop();
  }
  return fallback && allEnd && !target.isBroken;
}

} // namespace spinc::sema
