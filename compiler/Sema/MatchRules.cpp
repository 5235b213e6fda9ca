// Which packets a context gets. The card compares fields of up to four bytes
// at fixed offsets with constants, and all comparisons must hold (mat-1). The
// conditions come from `match { … }`, from `where` on header fields (mat-2) and
// from the size of sized headers (mat-3, HeaderSizes.cpp); several on one field
// become one rule.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

using ast::BinaryOp;

void Analyzer::checkMatch(ast::ContextDecl &decl) {
  SourceRange range = decl.match ? decl.match->range : decl.name.range;
  for (unsigned i = 0; i < context->packet.headers.size(); ++i)
    if (context->packet.isBehindChoice(i) ||
        context->packet.headers[i].isChoice())
      addHeaderChecks(context->packet.headers[i]); // pkt-12
    else
      addHeaderRules(i);
  if (decl.match && decl.match->isPortals) {
    checkPortalsMatch(*decl.match);
  } else if (decl.match) {
    PlaceGuard guard(*this, Place::MatchRule);
    if (!decl.packet) {
      // mat-4
      diagnostics
          .report(diag::MatchForm, range,
                  "compares fields of headers: context '" + decl.name.text +
                      "' has no 'packet { … }'")
          .fix("declare the layout of the packets, or write "
               "'match portals { bits: n }'");
      return;
    }
    for (ast::ExprPtr &condition : decl.match->conditions)
      if (!checkBool(condition)->isError())
        addCondition(*condition, -1);
  }
  PlaceGuard guard(*this, Place::MatchRule);
  if (decl.packet)
    for (const std::unique_ptr<ast::FieldDecl> &field : decl.packet->fields)
      if (field->where && !checkBool(field->where)->isError())
        addCondition(*field->where, -1);
  placeHeaders(); // mat-3
  if (context->packet.link == Link::Portals && !context->packet.facts.empty()) {
    // mat-5: all packets of a message go the same way.
    diagnostics
        .report(diag::MatchForm, range,
                "takes messages by their match bits, and cannot compare '" +
                    context->packet.facts.front().text +
                    "' in each of their packets")
        .fix("check it in the payload handler: require (…) else return DROP;");
    return;
  }
  makeRules(range);
}

/// mat-5: match portals { bits: b, ignore: i }.
void Analyzer::checkPortalsMatch(ast::MatchBlock &match) {
  PlaceGuard guard(*this, Place::Constant);
  PortalsMatch portals;
  bool hasBits = false;
  for (ast::Argument &argument : match.portals) {
    if (!argument.name ||
        (argument.name->text != "bits" && argument.name->text != "ignore")) {
      DiagnosticBuilder report =
          diagnostics.report(diag::BadArguments, argument.value->range,
                             "match portals", "takes 'bits:' and 'ignore:'");
      if (argument.name)
        suggestName(report, argument.name->text, argument.name->range,
                    {"bits", "ignore"});
      continue;
    }
    if (!checkAs(argument.value, types.u(64)))
      continue;
    if (!argument.value->value) {
      diagnostics.report(diag::NotConstant, argument.value->range);
      continue;
    }
    uint64_t number = argument.value->value->getZExtValue();
    bool isBits = argument.name->text == "bits";
    (isBits ? portals.bits : portals.ignore) = number;
    hasBits |= isBits;
  }
  if (!hasBits)
    diagnostics.report(diag::BadArguments, match.range, "match portals",
                       "needs 'bits:'");
  context->portals = portals;
}

/// mat-2
void Analyzer::addHeaderRules(unsigned headerIndex) {
  const PacketHeader &header = context->packet.headers[headerIndex];
  for (const HeaderField &field : header.type->fields)
    if (field.where && !field.where->type->isError())
      addCondition(*field.where, static_cast<int>(headerIndex));
}

/// `headerIndex` is the header whose fields stand alone, or -1 in a match
/// block.
void Analyzer::addCondition(const ast::Expr &condition, int headerIndex) {
  const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&condition);
  if (binary && binary->op == BinaryOp::And) {
    addCondition(*binary->left, headerIndex);
    addCondition(*binary->right, headerIndex);
    return;
  }
  if (condition.value) {
    if (condition.value->isZero())
      diagnostics.report(diag::MatchNever, condition.range,
                         condition.range.text());
    return;
  }
  if (binary && binary->op >= BinaryOp::Less &&
      binary->op <= BinaryOp::NotEqual) {
    addComparison(*binary, headerIndex);
    return;
  }
  diagnostics
      .report(diag::MatchForm, condition.range,
              "compares fields with constants and joins with '&&' only")
      .fix("check it in the handler: if (!(" + condition.range.text().str() +
           ")) return …");
}

static const ast::Expr &withoutCasts(const ast::Expr &expr) {
  const auto *cast = llvm::dyn_cast<ast::CastExpr>(&expr);
  return cast && cast->isImplicit() ? withoutCasts(*cast->operand) : expr;
}

/// The header and field that `expr` reads.
static std::optional<std::pair<unsigned, const HeaderField *>>
fieldRead(const ast::Expr &expr, int headerIndex, const PacketLayout &layout) {
  const ast::Decl *fieldDecl = nullptr;
  const ast::Decl *headerDecl = nullptr;
  if (const auto *field = llvm::dyn_cast<ast::FieldExpr>(&expr)) {
    fieldDecl = field->decl;
    if (const auto *base = llvm::dyn_cast<ast::NameExpr>(field->base.get()))
      headerDecl = base->decl;
  } else if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr)) {
    fieldDecl = name->decl;
    if (headerIndex >= 0)
      headerDecl = layout.headers[static_cast<unsigned>(headerIndex)].decl;
  }
  const auto *wanted = llvm::dyn_cast_or_null<ast::FieldDecl>(fieldDecl);
  if (!wanted || !headerDecl)
    return std::nullopt;
  for (unsigned i = 0; i < layout.headers.size(); ++i)
    if (layout.headers[i].decl == headerDecl)
      if (const HeaderField *field = layout.headers[i].type->find(wanted))
        return std::make_pair(i, field);
  return std::nullopt;
}

/// c op field, read from the other side.
static BinaryOp mirrored(BinaryOp op) {
  switch (op) {
  case BinaryOp::Less:
    return BinaryOp::Greater;
  case BinaryOp::LessEqual:
    return BinaryOp::GreaterEqual;
  case BinaryOp::Greater:
    return BinaryOp::Less;
  case BinaryOp::GreaterEqual:
    return BinaryOp::LessEqual;
  default:
    return op;
  }
}

void Analyzer::addComparison(const ast::BinaryExpr &comparison,
                             int headerIndex) {
  const ast::Expr *left = &withoutCasts(*comparison.left);
  const ast::Expr *right = &withoutCasts(*comparison.right);
  BinaryOp op = comparison.op;
  if (left->value) {
    std::swap(left, right);
    op = mirrored(op);
  }
  auto read = fieldRead(*left, headerIndex, context->packet);
  const IntType *type = read ? dynAs<IntType>(read->second->value) : nullptr;
  if (!type || type->isSigned || !right->value) {
    diagnostics
        .report(diag::MatchForm, comparison.range,
                "compares an unsigned field of a header with a constant")
        .fix("check it in the handler");
    return;
  }
  if (context->packet.isBehindChoice(read->first)) {
    diagnostics
        .report(diag::MatchForm, comparison.range,
                "compares at fixed places: '" +
                    context->packet.headers[read->first].name +
                    "' stands behind one of several headers")
        .fix("check it in the handler"); // pkt-12
    return;
  }
  Number low = minimumOf(type);
  Number high = maximumOf(type);
  Number value = widen(*right->value);
  Number one = number(1);
  auto below = [&] { return Number(value - one); };
  auto above = [&] { return Number(value + one); };
  switch (op) {
  case BinaryOp::Equal:
    low = high = value;
    break;
  case BinaryOp::Less:
    high = below();
    break;
  case BinaryOp::LessEqual:
    high = value;
    break;
  case BinaryOp::Greater:
    low = above();
    break;
  case BinaryOp::GreaterEqual:
    low = value;
    break;
  default:
    diagnostics
        .report(diag::MatchForm, comparison.range,
                "compares with a range of values: '!=' is none")
        .fix("check it in the handler");
    return;
  }
  restrictField(read->first, *read->second, low, high, comparison.range,
                comparison.range.text().str());
}

/// Adds low … high to what is known about a field; mat-6: something is left.
void Analyzer::restrictField(unsigned headerIndex, const HeaderField &field,
                             const Number &low, const Number &high,
                             SourceRange range, std::string text) {
  PacketLayout &layout = context->packet;
  FieldFact *fact = nullptr;
  for (FieldFact &known : layout.facts)
    if (known.header == headerIndex && known.field == &field)
      fact = &known;
  const auto *type = as<IntType>(field.value);
  Number min = fact ? unsignedNumber(fact->min) : minimumOf(type);
  Number max = fact ? unsignedNumber(fact->max) : maximumOf(type);
  min = std::max(min, low);
  max = std::min(max, high);
  if (min > max) {
    DiagnosticBuilder report =
        diagnostics.report(diag::MatchNever, range, llvm::StringRef(text));
    if (fact)
      report.reason("the other rule is: " + fact->text);
    return;
  }
  if (!fact) {
    layout.facts.push_back({headerIndex, &field, 0, 0, text});
    fact = &layout.facts.back();
  } else {
    fact->text += " and " + text;
  }
  fact->min = min.getZExtValue();
  fact->max = max.getZExtValue();
}

void Analyzer::makeRules(SourceRange range) {
  for (const FieldFact &fact : context->packet.facts)
    makeRule(fact, range);
}

/// A field wider than four bytes, compared for equality: one rule a word.
static bool splitRule(const FieldFact &fact, MatchRule rule,
                      std::vector<MatchRule> &rules) {
  unsigned bytes = fact.field->bitWidth / 8;
  if (fact.min != fact.max || !fact.field->isByteAligned())
    return false;
  unsigned start = rule.offset;
  for (unsigned at = 0; at < bytes;) {
    unsigned width = bytes - at >= 4 ? 4 : 2;
    bool isBig = rule.order == ByteOrder::Big;
    unsigned shift = 8 * (isBig ? bytes - at - width : at);
    uint64_t mask = (uint64_t(1) << (8 * width)) - 1;
    rule.offset = start + at;
    rule.width = width;
    rule.mask = static_cast<uint32_t>(mask);
    rule.min = rule.max = static_cast<uint32_t>((fact.min >> shift) & mask);
    rules.push_back(rule);
    at += width;
  }
  return true;
}

void Analyzer::makeRule(const FieldFact &fact, SourceRange range) {
  PacketLayout &layout = context->packet;
  const HeaderField &field = *fact.field;
  const PacketHeader &header = layout.headers[fact.header];
  unsigned first = header.offset + field.bitOffset / 8;
  unsigned last = header.offset + (field.bitOffset + field.bitWidth - 1) / 8;
  unsigned bytes = last - first + 1;
  MatchRule rule;
  rule.offset = first;
  rule.order = field.order;
  rule.text = fact.text;
  bool isWhole = field.isByteAligned();
  if (bytes > 4 || (bytes == 3 && field.order == ByteOrder::Little)) {
    if (bytes <= 8 && bytes % 2 == 0 && splitRule(fact, rule, layout.rules))
      return;
    diagnostics
        .report(diag::MatchForm, range,
                "compares ranges of up to 4 bytes: '" + header.name + "." +
                    field.name + "' takes " + std::to_string(bytes))
        .fix("compare with '==', or check it in the handler");
    return;
  }
  rule.width = bytes == 3 ? 4 : bytes;
  // Three bytes are compared in a word that starts a byte earlier if there is
  // one, so that it does not reach beyond the header.
  if (bytes == 3 && first > 0)
    rule.offset = first - 1;
  unsigned bitInRule = header.offset * 8 + field.bitOffset - rule.offset * 8;
  unsigned shift =
      isWhole && bytes != 3 ? 0 : rule.width * 8 - bitInRule - field.bitWidth;
  uint64_t ones = (uint64_t(1) << field.bitWidth) - 1;
  rule.mask = static_cast<uint32_t>(ones << shift);
  rule.min = static_cast<uint32_t>(fact.min << shift);
  rule.max = static_cast<uint32_t>(fact.max << shift);
  layout.rules.push_back(rule);
}

} // namespace spinc::sema
