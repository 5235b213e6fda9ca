// Runs ANTLR over a source file and hands the parse tree to AstBuilder. ANTLR
// signals with exceptions, also with C strings; all of them end here.
#include "compiler/Syntax/Parser.h"

#include "compiler/Syntax/AstBuilder.h"
#include "compiler/Syntax/ErrorStrategy.h"
#include "compiler/Syntax/SpincLexer.h"
#include "compiler/Syntax/SpincParser.h"

#include "llvm/Support/ErrorHandling.h"

namespace spinc {

using namespace syntax;

namespace {

/// A lexer over a file that is known to be UTF-8.
class Tokens {
public:
  explicit Tokens(const SourceFile &file)
      : text(file.text()), skipped(text.consume_front("\xEF\xBB\xBF") ? 3 : 0),
        places(file, text, skipped), input(text.str()), lexer(&input),
        stream(&lexer) {
    lexer.removeErrorListeners();
  }

  llvm::StringRef text;
  uint32_t skipped;
  TokenPlaces places;
  antlr4::ANTLRInputStream input;
  SpincLexer lexer;
  antlr4::CommonTokenStream stream;
};

[[noreturn]] void failed(llvm::StringRef what) {
  llvm::report_fatal_error("the parser failed: " + llvm::Twine(what));
}

/// Runs `work`; false if it was cancelled, which happens after a diagnostic.
/// Any other exception is a defect of the compiler.
template <typename Work> bool contained(Work work) {
  try {
    work();
    return true;
  } catch (const antlr4::ParseCancellationException &) {
    return false;
  } catch (const std::exception &error) {
    failed(error.what());
  } catch (const char *text) {
    failed(text);
  } catch (...) {
    failed("unknown exception");
  }
}

bool isUtf8(const SourceFile &file, DiagnosticEngine &diagnostics) {
  std::optional<uint32_t> invalid = file.firstInvalidByte();
  if (invalid)
    diagnostics.report(diag::NotUtf8, file.range(*invalid, *invalid + 1),
                       *invalid);
  return !invalid;
}

/// The tree of the tokens, with a message for each mistake.
SpincParser::ProgramContext *parseTree(Tokens &tokens, SpincParser &parser,
                                       DiagnosticEngine &diagnostics) {
  DepthListener depth(parser, tokens.places, diagnostics);
  parser.addParseListener(&depth);
  SpincParser::ProgramContext *tree = nullptr;
  // Most programs have no mistake, and to look in each state for what may come
  // takes longer than to parse.
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  unsigned earlier = diagnostics.errorCount();
  bool isRight = contained([&] { tree = parser.program(); });
  parser.removeParseListener(&depth);
  if (isRight || diagnostics.errorCount() != earlier)
    return tree;
  // Again, for the messages.
  DepthListener depthAgain(parser, tokens.places, diagnostics);
  parser.reset();
  parser.addParseListener(&depthAgain);
  parser.setErrorHandler(
      std::make_shared<ErrorStrategy>(tokens.places, diagnostics));
  tree = parser.program();
  parser.removeParseListener(&depthAgain);
  return tree;
}

std::unique_ptr<ast::Program> parseTokens(const SourceFile &file,
                                          DiagnosticEngine &diagnostics) {
  Tokens tokens(file);
  if (tokens.stream.LA(1) == antlr4::Token::EOF) {
    diagnostics.report(diag::EmptyFile, file.range(0, 0));
    return nullptr;
  }
  SpincParser parser(&tokens.stream);
  parser.removeErrorListeners();
  unsigned earlier = diagnostics.errorCount();
  SpincParser::ProgramContext *tree = parseTree(tokens, parser, diagnostics);
  if (diagnostics.errorCount() != earlier)
    return nullptr;
  auto program = AstBuilder(file, tokens.places, diagnostics).program(tree);
  return diagnostics.errorCount() == earlier ? std::move(program) : nullptr;
}

} // namespace

std::unique_ptr<ast::Program> parseSource(const SourceFile &file,
                                          DiagnosticEngine &diagnostics) {
  if (!isUtf8(file, diagnostics))
    return nullptr;
  std::unique_ptr<ast::Program> program;
  bool completed = contained([&] { program = parseTokens(file, diagnostics); });
  return completed ? std::move(program) : nullptr;
}

bool dumpTokens(const SourceFile &file, DiagnosticEngine &diagnostics,
                llvm::raw_ostream &out) {
  if (!isUtf8(file, diagnostics))
    return false;
  return contained([&] {
    Tokens tokens(file);
    tokens.stream.fill();
    for (antlr4::Token *token : tokens.stream.getTokens()) {
      SourceRange range = tokens.places.of(token);
      LineColumn place = file.lineColumn(range.begin);
      bool atEnd = token->getType() == antlr4::Token::EOF;
      out << place.line << ':' << place.column << ' '
          << (atEnd ? "EOF"
                    : tokens.lexer.getVocabulary().getSymbolicName(
                          token->getType()))
          << " '" << range.text() << "'\n";
    }
  });
}

} // namespace spinc
