// Turns the set of tokens that the parser could have gone on with into words:
// "an expression", "';' or ','", "a statement or '}'".
#ifndef SPINC_SYNTAX_EXPECTEDTOKENS_H
#define SPINC_SYNTAX_EXPECTEDTOKENS_H

#include "antlr4-runtime.h"

#include <string>

namespace spinc::syntax {

/// `rule` is the grammar rule in which the parser stands.
std::string describeExpected(const antlr4::misc::IntervalSet &tokens,
                             size_t rule,
                             const antlr4::dfa::Vocabulary &vocabulary);

/// How a token is quoted in a message.
std::string describeFound(antlr4::Token *token);

} // namespace spinc::syntax

#endif // SPINC_SYNTAX_EXPECTEDTOKENS_H
