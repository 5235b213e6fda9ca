// The order of the analysis, and the reports that several parts share.
#include "compiler/Sema/Analyzer.h"

#include "compiler/Diagnostics/Suggest.h"

namespace spinc::sema {

bool analyze(ast::Program &program, TypeContext &types,
             DiagnosticEngine &diagnostics, const SemaOptions &options) {
  unsigned before = diagnostics.errorCount();
  Analyzer(types, diagnostics, options).run(program);
  return diagnostics.errorCount() == before;
}

void Analyzer::run(ast::Program &program) {
  mainProgram = &program;
  analyzeModule(program);
}

/// nam-2
void Analyzer::declare(Scope &scope, ast::Decl *decl) {
  ast::Decl *earlier = scope.add(decl);
  if (!earlier || earlier == decl)
    return;
  diagnostics.report(diag::DeclaredTwice, decl->name.range, decl->name.text)
      .note(earlier->name.range, "the first declaration is here");
}

void suggestName(DiagnosticBuilder &report, llvm::StringRef word,
                 SourceRange range,
                 llvm::ArrayRef<llvm::StringRef> candidates) {
  if (std::optional<llvm::StringRef> near = suggest(word, candidates))
    report.fix(("did you mean '" + *near + "'?").str())
        .fixIt(range, near->str());
}

/// nam-3
const Type *Analyzer::unknownName(llvm::StringRef name, SourceRange range) {
  if (importsIncomplete)
    return poison();
  std::vector<llvm::StringRef> candidates;
  scopes.collectNames(candidates);
  if (moduleScope)
    moduleScope->collectNames(candidates);
  std::vector<std::string> builtins = builtinNames(BuiltinForm::ReturnCode);
  for (BuiltinForm form :
       {BuiltinForm::Action, BuiltinForm::Object, BuiltinForm::Constant})
    for (std::string &spelling : builtinNames(form))
      builtins.push_back(std::move(spelling));
  candidates.insert(candidates.end(), builtins.begin(), builtins.end());
  DiagnosticBuilder report = diagnostics.report(diag::UnknownName, range, name);
  if (context && context->findState(std::string_view(name)))
    report.fix("state fields are written 'state." + name.str() + "'")
        .fixIt(range, "state." + name.str());
  else
    suggestName(report, name, range, candidates);
  return poison();
}

const Type *Analyzer::noMember(const std::string &base,
                               const ast::Identifier &member,
                               std::vector<std::string> candidates) {
  DiagnosticBuilder report =
      diagnostics.report(diag::NoMember, member.range, base, member.text);
  std::vector<llvm::StringRef> names(candidates.begin(), candidates.end());
  suggestName(report, member.text, member.range, names);
  return poison();
}

std::string Analyzer::handlerName() const {
  if (function)
    return "function '" + function->name.text + "'";
  return "a " + spelling(handler->kind).str() + " handler";
}

} // namespace spinc::sema
