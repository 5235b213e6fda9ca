// Imports: where a module is looked for (mod-1), that modules do not import
// each other in a circle (mod-2), what an import makes visible (mod-3), and
// what a module may hold (mod-4).
#include "compiler/Sema/Analyzer.h"

#include "compiler/Diagnostics/Suggest.h"
#include "compiler/Syntax/Parser.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace spinc::sema {

void Analyzer::analyzeModule(ast::Program &program) {
  modulesInProgress.insert(&program);
  Scope *savedScope = moduleScope;
  bool savedIncomplete = importsIncomplete;
  importsIncomplete = false;
  Scope &scope = moduleScopes[&program];
  for (const std::unique_ptr<ast::Decl> &decl : program.decls)
    if (auto *import = llvm::dyn_cast<ast::ImportDecl>(decl.get()))
      importModule(*import, program);
  moduleScope = &scope;
  declareTopLevel(program);
  checkTopLevel(program);
  moduleScope = savedScope;
  importsIncomplete = savedIncomplete;
  modulesInProgress.erase(&program);
}

/// The places a module may be, in the order of mod-1.
static std::vector<std::string> candidatePaths(const ast::ImportDecl &import,
                                               const SourceFile *from,
                                               const SemaOptions &options) {
  llvm::SmallString<64> relative;
  for (const ast::Identifier &part : import.path)
    llvm::sys::path::append(relative, part.text);
  relative += ".spinc";
  std::vector<std::string> directories;
  if (from)
    directories.push_back(llvm::sys::path::parent_path(from->path()).str());
  directories.insert(directories.end(), options.importDirs.begin(),
                     options.importDirs.end());
  if (!options.stdlibDir.empty())
    directories.push_back(options.stdlibDir);
  std::vector<std::string> paths;
  for (const std::string &directory : directories) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, relative);
    paths.push_back(path.str().str());
  }
  return paths;
}

/// The modules of a directory, by the dotted names that import them.
static void collectModules(const std::string &directory,
                           const std::string &prefix,
                           std::vector<std::string> &names) {
  namespace fs = llvm::sys::fs;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; at != end && !error;
       at.increment(error)) {
    llvm::StringRef stem = llvm::sys::path::stem(at->path());
    if (llvm::sys::path::extension(at->path()) == ".spinc")
      names.push_back(prefix + stem.str());
  }
}

/// nam-3: the modules beside those that `import` could be, and all of the
/// standard library.
static std::vector<std::string>
knownModules(const ast::ImportDecl &import,
             const std::vector<std::string> &paths,
             const SemaOptions &options) {
  std::string prefix;
  for (size_t i = 0; i + 1 < import.path.size(); ++i)
    prefix += import.path[i].text + ".";
  std::vector<std::string> names;
  for (const std::string &path : paths)
    collectModules(llvm::sys::path::parent_path(path).str(), prefix, names);
  collectModules(options.stdlibDir, "", names);
  collectModules(options.stdlibDir + "/net", "net.", names);
  llvm::sort(names); // Directories have no order.
  return names;
}

ast::Program *Analyzer::loadModule(ast::ImportDecl &import,
                                   const SourceFile *from) {
  std::vector<std::string> paths = candidatePaths(import, from, options);
  std::string found;
  for (const std::string &path : paths)
    if (llvm::sys::fs::is_regular_file(path)) {
      found = path;
      break;
    }
  if (found.empty()) {
    DiagnosticBuilder report = diagnostics.report(
        diag::ModuleNotFound, import.name.range, import.name.text);
    for (const std::string &path : paths)
      report.reason("looked for " + path);
    std::vector<std::string> known = knownModules(import, paths, options);
    std::vector<llvm::StringRef> names(known.begin(), known.end());
    if (suggest(import.name.text, names))
      suggestName(report, import.name.text, import.name.range, names);
    else
      report.fix("name its directory with -I");
    return nullptr;
  }
  llvm::SmallString<128> real;
  std::string key =
      llvm::sys::fs::real_path(found, real) ? found : real.str().str();
  auto known = modulesByPath.find(key);
  if (known != modulesByPath.end())
    return known->second;
  Modules &modules = types.program().modules;
  std::error_code error;
  const SourceFile *file = modules.sources.load(found, error);
  if (!file) {
    diagnostics
        .report(diag::ModuleNotFound, import.name.range, import.name.text)
        .reason("cannot read " + found + ": " + error.message());
    return nullptr;
  }
  std::unique_ptr<ast::Program> parsed = parseSource(*file, diagnostics);
  ast::Program *module = parsed.get();
  modulesByPath[key] = module; // null: its errors have been reported
  if (!module)
    return nullptr;
  modules.programs.push_back(std::move(parsed));
  analyzeModule(*module);
  return module;
}

void Analyzer::importModule(ast::ImportDecl &import, ast::Program &program) {
  llvm::SmallString<128> real;
  if (&program == mainProgram && program.file &&
      !llvm::sys::fs::real_path(program.file->path(), real))
    modulesByPath.emplace(real.str().str(), &program);
  ast::Program *module = loadModule(import, program.file);
  if (!module) {
    importsIncomplete = true;
    return;
  }
  if (modulesInProgress.count(module)) {
    diagnostics.report(diag::ModuleCycle, import.name.range, import.name.text)
        .reason("modules must not import each other in a circle");
    return;
  }
  import.module = module;
  Scope &scope = moduleScopes[&program];
  for (const auto &entry : moduleScopes[module].all()) {
    ast::Decl *earlier = scope.add(entry.second);
    if (earlier && earlier != entry.second)
      diagnostics.report(diag::DeclaredTwice, import.name.range, entry.first)
          .note(earlier->name.range, "one declaration is here")
          .note(entry.second->name.range, "the other is here");
  }
}

} // namespace spinc::sema
