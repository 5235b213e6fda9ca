// A token set is described by what a person would call it: sets that begin an
// expression, statement or declaration get that name; operators that could
// continue a complete expression are left out when something else could come.
#include "compiler/Syntax/ExpectedTokens.h"

#include "compiler/Syntax/SpincParser.h"

#include "llvm/ADT/StringExtras.h"

#include <initializer_list>
#include <set>
#include <vector>

namespace spinc::syntax {

namespace {

using Parser = SpincParser;

class Description {
public:
  Description(const antlr4::misc::IntervalSet &tokens, size_t rule)
      : rule(rule) {
    for (ssize_t token : tokens.toList())
      left.insert(static_cast<size_t>(token));
  }

  std::string text(const antlr4::dfa::Vocabulary &vocabulary);

private:
  bool has(std::initializer_list<size_t> tokens) const {
    for (size_t token : tokens)
      if (!left.count(token))
        return false;
    return true;
  }
  void drop(std::initializer_list<size_t> tokens) {
    for (size_t token : tokens)
      left.erase(token);
  }
  void keepOnly(std::initializer_list<size_t> tokens);
  void dropOperators();
  void dropOptions();
  void nameGroups();
  std::string nameOfIdentifier() const;

  size_t rule;
  std::set<size_t> left;
  std::vector<std::string> words;
};

void Description::keepOnly(std::initializer_list<size_t> tokens) {
  std::set<size_t> kept;
  for (size_t token : tokens)
    if (left.count(token))
      kept.insert(token);
  left = std::move(kept);
}

/// What may follow any complete expression says nothing about the mistake.
void Description::dropOperators() {
  if (!has({Parser::MUL, Parser::ADD, Parser::AND}))
    return;
  bool inRange = rule == Parser::RuleLoopRange;
  bool couldEnd = has({Parser::RANGE_END}) && inRange;
  for (size_t token = Parser::ASSIGN; token <= Parser::OR; ++token)
    left.erase(token);
  drop({Parser::QUESTION, Parser::AS, Parser::DOT, Parser::LEFT_PAREN,
        Parser::LEFT_BRACKET});
  if (left.size() > 1 && !couldEnd)
    drop({Parser::RANGE_END, Parser::RANGE_LENGTH});
  if (left.empty())
    words.push_back("an operator");
}

/// A type is a plain identifier; a name may also be one of the soft keywords.
std::string Description::nameOfIdentifier() const {
  if (has({Parser::HEADER}))
    return "a name";
  switch (rule) {
  case Parser::RuleFieldBlock:
  case Parser::RuleStateBlock:
    return "a field";
  case Parser::RuleFieldDecl:
  case Parser::RuleStateField:
  case Parser::RuleTypeRef:
  case Parser::RuleLocalType:
  case Parser::RuleParameter:
  case Parser::RuleFunctionDecl:
    return "a type";
  default:
    return "a name";
  }
}

/// `AS` begins nothing but the name of a member, so it tells a set of names
/// from a set of statements.
void Description::nameGroups() {
  bool anyWord = has({Parser::IF, Parser::AS, Parser::IDENTIFIER});
  bool expression =
      has({Parser::INTEGER, Parser::LEFT_PAREN, Parser::NOT, Parser::SUB});
  if (anyWord) {
    words.push_back(expression ? "a value" : "a name");
    keepOnly({Parser::RIGHT_PAREN, Parser::RIGHT_BRACE});
  } else if (has({Parser::IF, Parser::RETURN, Parser::LEFT_BRACE})) {
    words.push_back("a statement");
    keepOnly({Parser::RIGHT_BRACE, Parser::CASE, Parser::DEFAULT});
  } else if (has({Parser::CONTEXT, Parser::IMPORT})) {
    words.push_back("a declaration");
    left.clear();
  } else if (has({Parser::HANDLER, Parser::CONTRACT})) {
    words.push_back("a member of the context");
    keepOnly({Parser::RIGHT_BRACE});
  } else if (expression) {
    words.push_back("an expression");
    keepOnly({Parser::RIGHT_PAREN, Parser::RIGHT_BRACE, Parser::RIGHT_BRACKET,
              Parser::SEMICOLON});
  } else if (has({Parser::IDENTIFIER})) {
    words.push_back(nameOfIdentifier());
    if (words.back() == "a name")
      drop({Parser::LEFT_BRACKET, Parser::BIT_OR});
    drop({Parser::IDENTIFIER, Parser::HEADER, Parser::PACKET, Parser::USER,
          Parser::STATE, Parser::HOST, Parser::PARAM, Parser::STEP,
          Parser::FOLLOWS, Parser::ATOMIC, Parser::PER_CLUSTER, Parser::PER_HPU,
          Parser::GUARDED, Parser::INOUT});
  }
}

/// What could stand before an end that is also allowed is no one's first guess.
void Description::dropOptions() {
  if (has({Parser::SEMICOLON}))
    drop({Parser::LEFT_BRACKET, Parser::WHERE, Parser::IN});
  if (has({Parser::RIGHT_BRACKET}))
    drop({Parser::RANGE_END, Parser::RANGE_LENGTH});
}

std::string Description::text(const antlr4::dfa::Vocabulary &vocabulary) {
  nameGroups();
  dropOperators();
  dropOptions();

  for (size_t token : left)
    words.push_back(token == antlr4::Token::EOF
                        ? "the end of the file"
                        : vocabulary.getDisplayName(token));
  std::string result;
  for (size_t at = 0; at < words.size(); ++at) {
    if (at != 0)
      result += at + 1 == words.size() ? " or " : ", ";
    result += words[at];
  }
  return result.empty() ? "something else" : result;
}

} // namespace

std::string describeExpected(const antlr4::misc::IntervalSet &tokens,
                             size_t rule,
                             const antlr4::dfa::Vocabulary &vocabulary) {
  return Description(tokens, rule).text(vocabulary);
}

std::string describeFound(antlr4::Token *token) {
  if (token->getType() == antlr4::Token::EOF)
    return "the end of the file";
  std::string text = token->getText();
  if (text.size() == 1 && !llvm::isPrint(text[0]))
    return "'\\x" + llvm::toHex(text) + "'";
  constexpr size_t longest = 40;
  if (text.size() > longest) {
    size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80)
      --cut;
    text = text.substr(0, cut) + "…";
  }
  return "'" + text + "'";
}

} // namespace spinc::syntax
