// What the parser does at a mistake: say it once in words a person would use,
// skip to where the next statement, field, member or declaration begins, and go
// on. Bounded in skipped tokens and in nesting, so hostile input ends quickly.
#ifndef SPINC_SYNTAX_ERRORSTRATEGY_H
#define SPINC_SYNTAX_ERRORSTRATEGY_H

#include "compiler/Diagnostics/Engine.h"
#include "compiler/Syntax/TokenPlaces.h"

namespace spinc::syntax {

/// Nested statements, expressions and initial values. The later stages recurse
/// over them, so this bounds their stack.
inline constexpr unsigned nestingLimit = 500;

class ErrorStrategy : public antlr4::DefaultErrorStrategy {
public:
  ErrorStrategy(const TokenPlaces &places, DiagnosticEngine &diagnostics)
      : places(places), diagnostics(diagnostics) {}

  void reportError(antlr4::Parser *parser,
                   const antlr4::RecognitionException &error) override;
  void recover(antlr4::Parser *parser, std::exception_ptr error) override;
  antlr4::Token *recoverInline(antlr4::Parser *parser) override;
  void sync(antlr4::Parser *parser) override;

private:
  /// Reports the token at which the parser stands, unless it is recovering.
  void complain(antlr4::Parser *parser, antlr4::Token *found,
                std::string expected);
  /// A message of its own for what C programmers write out of habit.
  bool complainAboutHabit(antlr4::Parser *parser, antlr4::Token *found,
                          bool wantsExpression);
  /// Skips the rest of the construct that began at token index `from`.
  void skipConstruct(antlr4::Parser *parser, size_t from);
  void skipToken(antlr4::Parser *parser);
  size_t rule(antlr4::Parser *parser) const;
  void addHints(antlr4::Parser *parser, antlr4::Token *found,
                DiagnosticBuilder builder);

  const TokenPlaces &places;
  DiagnosticEngine &diagnostics;
  unsigned skipped = 0;
  bool complained = false;
};

/// Counts how deep constructs nest and stops the parse when it is too deep for
/// the recursive stages that follow.
class DepthListener : public antlr4::tree::ParseTreeListener {
public:
  DepthListener(antlr4::Parser &parser, const TokenPlaces &places,
                DiagnosticEngine &diagnostics)
      : parser(parser), places(places), diagnostics(diagnostics) {}

  void visitTerminal(antlr4::tree::TerminalNode *) override {}
  void visitErrorNode(antlr4::tree::ErrorNode *) override {}
  void enterEveryRule(antlr4::ParserRuleContext *rule) override;
  void exitEveryRule(antlr4::ParserRuleContext *rule) override;

private:
  antlr4::Parser &parser;
  const TokenPlaces &places;
  DiagnosticEngine &diagnostics;
  unsigned depth = 0;
};

} // namespace spinc::syntax

#endif // SPINC_SYNTAX_ERRORSTRATEGY_H
