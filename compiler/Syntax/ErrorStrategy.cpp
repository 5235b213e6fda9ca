// Error messages and recovery of the parser. Exceptions climb to the rule of
// the smallest construct that can be skipped as a whole ("recovery rule"); its
// loop in the parent rule then goes on with the next construct.
#include "compiler/Syntax/ErrorStrategy.h"

#include "compiler/Diagnostics/Suggest.h"
#include "compiler/Syntax/ExpectedTokens.h"
#include "compiler/Syntax/SpincParser.h"

namespace spinc::syntax {

using antlr4::Token;
using Parser = SpincParser;

namespace {

/// Tokens that may be skipped in one run: then the file is not worth more.
constexpr unsigned skipLimit = 20000;

bool isNestingRule(size_t rule) {
  return rule == Parser::RuleExpr || rule == Parser::RuleStatement ||
         rule == Parser::RuleInitList;
}

bool isRecoveryRule(size_t rule) {
  switch (rule) {
  case Parser::RuleProgram:
  case Parser::RuleDeclaration:
  case Parser::RuleContextItem:
  case Parser::RuleFieldDecl:
  case Parser::RuleStateField:
  case Parser::RuleStatement:
    return true;
  default:
    return false;
  }
}

/// Rules with a loop over constructs in braces, or over declarations.
bool isListRule(size_t rule) {
  switch (rule) {
  case Parser::RuleProgram:
  case Parser::RuleContextBody:
  case Parser::RuleFieldBlock:
  case Parser::RuleStateBlock:
  case Parser::RuleBlock:
    return true;
  default:
    return false;
  }
}

/// Words that only begin a declaration of the file.
bool beginsDeclaration(size_t token) {
  switch (token) {
  case Parser::IMPORT:
  case Parser::ENUM:
  case Parser::STRUCT:
  case Parser::CONTEXT:
    return true;
  default:
    return false;
  }
}

/// Words that begin a declaration or a member of a context, never a statement.
bool leavesBody(size_t token) {
  return beginsDeclaration(token) || token == Parser::HANDLER ||
         token == Parser::CONTRACT;
}

bool isLastOnLine(antlr4::Parser *parser, ssize_t ahead) {
  Token *token = parser->getTokenStream()->LT(ahead);
  Token *next = parser->getTokenStream()->LT(ahead + 1);
  return next->getType() == Token::EOF || next->getLine() > token->getLine();
}

/// Whether `found` begins another line, or closes a block, where only a ';' is
/// missing before it.
bool isBehindForgottenSemicolon(antlr4::Parser *parser, Token *found,
                                const antlr4::misc::IntervalSet &expected) {
  Token *before = parser->getTokenStream()->LT(-1);
  return before && expected.contains(static_cast<size_t>(Parser::SEMICOLON)) &&
         (found->getLine() > before->getLine() ||
          found->getType() == Parser::RIGHT_BRACE);
}

} // namespace

void ErrorStrategy::skipToken(antlr4::Parser *parser) {
  if (++skipped > skipLimit)
    throw antlr4::ParseCancellationException();
  parser->consume();
}

void ErrorStrategy::skipConstruct(antlr4::Parser *parser, size_t from) {
  antlr4::TokenStream *tokens = parser->getTokenStream();
  int parens = 0;
  int braces = 0;
  auto count = [&](size_t type) {
    switch (type) {
    case Parser::LEFT_PAREN:
    case Parser::LEFT_BRACKET:
      ++parens;
      break;
    case Parser::RIGHT_PAREN:
    case Parser::RIGHT_BRACKET:
      --parens;
      break;
    case Parser::LEFT_BRACE:
      ++braces;
      parens = 0;
      break;
    case Parser::RIGHT_BRACE:
      --braces;
      parens = 0;
      break;
    }
  };
  for (size_t index = from; index < tokens->index(); ++index)
    count(tokens->get(index)->getType());
  bool progress = tokens->index() > from;
  for (;; progress = true) {
    size_t type = tokens->LA(1);
    if (type == Token::EOF || (progress && beginsDeclaration(type)))
      return;
    if (braces <= 0) {
      if (progress && leavesBody(type))
        return;
      if (type == Parser::RIGHT_BRACE && braces < 1)
        return;
      bool ends = parens <= 0 || isLastOnLine(parser, 1);
      if (type == Parser::SEMICOLON && ends) {
        skipToken(parser);
        return endErrorCondition(parser);
      }
    }
    count(type);
    skipToken(parser);
    if (type != Parser::RIGHT_BRACE || braces != 0)
      continue;
    if (tokens->LA(1) == Parser::SEMICOLON)
      skipToken(parser);
    bool goesOn = tokens->LA(1) == Parser::ELSE ||
                  (tokens->LA(1) == Parser::WHILE &&
                   tokens->get(from)->getType() == Parser::DO);
    if (!goesOn)
      return endErrorCondition(parser);
  }
}

void ErrorStrategy::reportError(antlr4::Parser *parser,
                                const antlr4::RecognitionException &error) {
  if (inErrorRecoveryMode(parser))
    return;
  size_t rule = parser->getContext()->getRuleIndex();
  const auto *noWay =
      dynamic_cast<const antlr4::NoViableAltException *>(&error);
  if (noWay && noWay->getStartToken() != error.getOffendingToken()) {
    bool isStatement = rule == Parser::RuleStatement;
    complain(parser, error.getOffendingToken(),
             isStatement                       ? "a statement"
             : rule == Parser::RuleDeclaration ? "a declaration"
                                               : "something else");
    return;
  }
  Token *found = error.getOffendingToken();
  antlr4::misc::IntervalSet expected = parser->getExpectedTokens();
  complain(parser, found,
           isBehindForgottenSemicolon(parser, found, expected)
               ? "';'"
               : describeExpected(expected, rule, parser->getVocabulary()));
}

void ErrorStrategy::complain(antlr4::Parser *parser, Token *found,
                             std::string expected) {
  if (inErrorRecoveryMode(parser))
    return;
  beginErrorCondition(parser);
  if (diagnostics.errorCount() > DiagnosticEngine::maximumErrors)
    throw antlr4::ParseCancellationException();
  // What is open at the end or at the next declaration's line, or closed once
  // too often, follows from a mistake that was reported.
  bool follows = found->getType() == Token::EOF ||
                 (found->getType() == Parser::RIGHT_BRACE &&
                  rule(parser) == Parser::RuleProgram) ||
                 (beginsDeclaration(found->getType()) &&
                  found->getCharPositionInLine() == 0);
  if (complained && follows)
    return;
  complained = true;
  SourceRange range = places.of(found);
  if (found->getType() == Parser::UNCLOSED_COMMENT) {
    diagnostics.report(diag::UnclosedComment, range);
    throw antlr4::ParseCancellationException();
  }
  if (found->getType() == Parser::ERROR_CHAR) {
    diagnostics.report(diag::UnknownCharacter, range, describeFound(found));
    return;
  }
  bool wantsExpression = expected.rfind("an expression", 0) == 0 ||
                         expected.rfind("a value", 0) == 0 ||
                         expected.rfind("a statement", 0) == 0;
  if (complainAboutHabit(parser, found, wantsExpression))
    return;
  Token *before = parser->getTokenStream()->LT(-1);
  bool isNext = before && before->getTokenIndex() + 1 == found->getTokenIndex();
  static constexpr llvm::StringLiteral groups[] = {
      "a declaration", "a member", "a statement", "a field", "a type"};
  bool isSemicolon = expected == "';'";
  bool closes = isSemicolon || expected == "')'" || expected == "']'";
  if (before && !isNext)
    before = parser->getTokenStream()->get(found->getTokenIndex() - 1);
  bool isGroup = llvm::any_of(groups, [&](llvm::StringRef group) {
    return llvm::StringRef(expected).starts_with(group);
  });
  if (before && !isGroup)
    expected += " after " + describeFound(before);
  // A forgotten end is marked where it belongs, not at the next line's begin.
  bool forgotten = before && closes &&
                   (found->getLine() > before->getLine() ||
                    (isSemicolon && found->getType() == Parser::RIGHT_BRACE));
  if (forgotten) {
    uint32_t end = places.of(before).end;
    range.begin = range.end = end;
  }
  DiagnosticBuilder builder = diagnostics.report(
      diag::UnexpectedToken, range, expected, describeFound(found));
  if (forgotten)
    builder.fixIt(range, expected.substr(1, 1));
  addHints(parser, found, builder);
}

bool ErrorStrategy::complainAboutHabit(antlr4::Parser *parser, Token *found,
                                       bool wantsExpression) {
  auto say = [&](llvm::StringRef message, std::string fix) {
    diagnostics.report(diag::NotInLanguage, places.of(found), message)
        .fix(std::move(fix));
    return true;
  };
  switch (found->getType()) {
  case Parser::ARROW:
    return say("there are no pointers, so '->' reaches nothing",
               "write '.' to reach a field");
  case Parser::GOTO:
    return say("there is no 'goto'", "use if, loops and return");
  case Parser::DO:
    return say("there is no 'do' loop",
               "write 'while (condition) bound(n) { … }'");
  case Parser::TYPEDEF:
    return say("there is no 'typedef'", "name a layout with struct or header");
  case Parser::UNION:
    return say("there are no unions",
               "view bytes as another type with 'as', such as 'x as le32[]'");
  case Parser::STATIC:
    return say("there are no 'static' variables",
               "keep what outlives a handler in 'state { … }'");
  case Parser::ELLIPSIS:
    return say("there are no variable arguments",
               "pass a slice, or write 'a ..< b' for a range");
  case Parser::STRING:
    return say("there are no strings", "import a module as 'import net.ipv4;'");
  case Parser::MUL:
  case Parser::BIT_AND:
    if (wantsExpression)
      return say("there are no pointers, so '" + found->getText() +
                     "' needs a left operand",
                 "pass a slice, or an 'inout' parameter");
    return false;
  default:
    return false;
  }
}

void ErrorStrategy::addHints(antlr4::Parser *parser, Token *found,
                             DiagnosticBuilder builder) {
  antlr4::ParserRuleContext *context = parser->getContext();
  if (rule(parser) == Parser::RuleStatement &&
      context->start->getType() == Parser::FOR &&
      found->getType() == Parser::ASSIGN) {
    builder.fix("count with 'for (i : a ..< b)' or 'for (i : a ..< b step k)'");
    return;
  }
  if (found->getType() == Parser::ASSIGN) {
    builder.fix("compare with '=='").fixIt(places.of(found), "==");
    return;
  }
  bool inBody = rule(parser) == Parser::RuleBlock;
  bool outside = rule(parser) == Parser::RuleProgram;
  if ((inBody || outside) && leavesBody(found->getType())) {
    builder.reason(inBody ? "a body above is still open: is a '}' missing?"
                          : "no context is open here: is a '}' too many?");
    return;
  }
  static constexpr llvm::StringLiteral words[] = {
      "import",  "const",   "enum",     "struct",  "header",  "context",
      "match",   "packet",  "user",     "state",   "host",    "contract",
      "handler", "budget",  "where",    "sized",   "atomic",  "per_cluster",
      "per_hpu", "guarded", "if",       "else",    "for",     "while",
      "require", "return",  "wrapping", "switch",  "default", "continue",
      "local",   "view",    "break",    "payload", "bound",   "step"};
  std::vector<llvm::StringRef> candidates(std::begin(words), std::end(words));
  for (Token *token : {found, context->start}) {
    if (token->getType() != Parser::IDENTIFIER)
      continue;
    std::string text = token->getText();
    if (text.size() < 4)
      continue;
    if (auto word = suggest(text, candidates)) {
      builder.fix("did you mean '" + word->str() + "' instead of '" + text +
                  "'?");
      return;
    }
  }
}

size_t ErrorStrategy::rule(antlr4::Parser *parser) const {
  return parser->getContext()->getRuleIndex();
}

void ErrorStrategy::recover(antlr4::Parser *parser, std::exception_ptr error) {
  if (!isRecoveryRule(rule(parser)))
    std::rethrow_exception(error);
  skipConstruct(parser, parser->getContext()->start->getTokenIndex());
}

Token *ErrorStrategy::recoverInline(antlr4::Parser *parser) {
  antlr4::InputMismatchException error(parser);
  Token *found = error.getOffendingToken();
  Token *before = parser->getTokenStream()->LT(-1);
  antlr4::misc::IntervalSet expected = parser->getExpectedTokens();
  reportError(parser, error);
  // A forgotten semicolon before a line's end costs nothing to imagine.
  bool lineEnds = before && (found->getLine() > before->getLine() ||
                             found->getType() == Parser::RIGHT_BRACE);
  if (lineEnds && expected.size() == 1 &&
      expected.contains(static_cast<size_t>(Parser::SEMICOLON)))
    return getMissingSymbol(parser);
  throw error;
}

void ErrorStrategy::sync(antlr4::Parser *parser) {
  antlr4::atn::ATNState *state =
      parser->getInterpreter<antlr4::atn::ParserATNSimulator>()
          ->atn.states[parser->getState()];
  const antlr4::misc::IntervalSet &next = parser->getATN().nextTokens(state);
  if (next.contains(Token::EPSILON))
    return;
  auto fits = [&] { return next.contains(parser->getTokenStream()->LA(1)); };
  if (fits())
    return;
  // The rule goes on to its ';', which is then imagined.
  if (!isListRule(rule(parser)) &&
      isBehindForgottenSemicolon(parser, parser->getTokenStream()->LT(1), next))
    return;
  if (!isListRule(rule(parser)))
    throw antlr4::InputMismatchException(parser);
  while (!fits()) {
    reportError(parser, antlr4::InputMismatchException(parser));
    size_t type = parser->getTokenStream()->LA(1);
    if (type == Token::EOF)
      throw antlr4::InputMismatchException(parser);
    if (rule(parser) != Parser::RuleProgram && leavesBody(type))
      throw antlr4::InputMismatchException(parser);
    size_t from = parser->getTokenStream()->index();
    if (rule(parser) != Parser::RuleProgram || type != Parser::RIGHT_BRACE)
      skipConstruct(parser, from);
    if (parser->getTokenStream()->index() == from)
      skipToken(parser);
  }
}

void DepthListener::enterEveryRule(antlr4::ParserRuleContext *rule) {
  if (!isNestingRule(rule->getRuleIndex()) || ++depth <= nestingLimit)
    return;
  diagnostics
      .report(diag::NestedTooDeep, places.of(parser.getCurrentToken()),
              nestingLimit)
      .fix("split the expression or move inner blocks into functions");
  throw antlr4::ParseCancellationException();
}

void DepthListener::exitEveryRule(antlr4::ParserRuleContext *rule) {
  if (isNestingRule(rule->getRuleIndex()))
    --depth;
}

} // namespace spinc::syntax
