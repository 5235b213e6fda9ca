// spinc-mutate: weakens every guard of programs and of the modules they
// import, one at a time. Each mutant is rejected, or runs on random packets
// with every byte checked and breaks nothing; anything else is a survivor.
#include "compiler/Syntax/Parser.h"
#include "test/Fuzz/Corpus.h"
#include "test/Fuzz/Mutations.h"
#include "test/Fuzz/Soak.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>
#include <set>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace spinc;
using namespace spinc::fuzz;

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("programs, folders"));
static cl::opt<unsigned> inputSets("inputs", cl::init(4),
                                   cl::desc("Sets of packets for a mutant"));
static cl::opt<unsigned> jobs("jobs", cl::init(1), cl::desc("Processes"));
static cl::opt<unsigned> every("every", cl::init(1),
                               cl::desc("Take every nth mutant only"));
static cl::opt<unsigned> limit("limit", cl::init(60),
                               cl::desc("Seconds of work for one mutant"));
static cl::opt<std::string> levels("levels", cl::init("2"),
                                   cl::desc("Optimisation levels"));
static cl::opt<std::string> countsFile("json", cl::desc("Write counts here"));
static cl::opt<bool> list("list", cl::desc("Say what becomes of each mutant"));

namespace {

enum Fate : char { NotRun, Rejected, Harmless, Survived, Slow };

/// Programs that are tried with one mutant of a module.
constexpr unsigned maxPrograms = 3;

struct Mutant {
  std::vector<std::string> programs; // paths
  std::string module;                // path of the changed module, or empty
  std::string modulePath;            // how it is imported: net/ipv4.spinc
  Mutation mutation;
};

std::string readFile(const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// What one mutant does, in one word and a reason.
std::string tryMutantIn(const std::string &program, const Mutant &mutant,
                        const TrialOptions &given) {
  TrialOptions options = given;
  options.importDirs.push_back(std::string(sys::path::parent_path(program)));
  std::string text = readFile(program);
  SmallString<128> folder;
  if (mutant.module.empty()) {
    text = mutant.mutation.apply(text);
  } else {
    if (sys::fs::createUniqueDirectory("spinc-mutate", folder))
      return "survived: no temporary folder";
    SmallString<128> path(folder);
    sys::path::append(path, mutant.modulePath);
    sys::fs::create_directories(sys::path::parent_path(path));
    std::error_code error;
    raw_fd_ostream(path, error)
        << mutant.mutation.apply(readFile(mutant.module));
    options.importDirs.insert(options.importDirs.begin(), std::string(folder));
  }
  options.inputSets = inputSets;
  TrialResult result = tryProgram(text, 1, options);
  std::string fate = result.failure ? "survived: " + *result.failure
                     : result.verdict != Verdict::Accepted
                         ? "rejected: " + result.errorCode
                         : "harmless: ";
  if (!folder.empty())
    sys::fs::remove_directories(folder);
  return fate;
}

/// Rejected where one program is, harmless if it is in all of them.
std::string tryMutant(const Mutant &mutant, const TrialOptions &options) {
  std::string fate;
  for (const std::string &program : mutant.programs) {
    std::string here = tryMutantIn(program, mutant, options);
    if (StringRef(here).starts_with("rejected"))
      return here;
    if (fate.empty() || StringRef(here).starts_with("survived"))
      fate = std::move(here);
  }
  return fate;
}

/// A module of the standard library and the programs that import it.
struct Imported {
  std::string path;
  std::vector<std::string> programs;
};

/// The mutants of a program; notes the modules that it imports.
void addMutants(const std::string &program, const std::string &stdlib,
                std::vector<Mutant> &mutants,
                std::map<std::string, Imported> &modules) {
  SourceManager sources;
  DiagnosticEngine diagnostics;
  const SourceFile &file = sources.add(program, readFile(program));
  std::unique_ptr<ast::Program> tree = parseSource(file, diagnostics);
  if (!tree)
    return;
  for (Mutation &mutation : mutationsOf(*tree))
    mutants.push_back({{program}, "", "", std::move(mutation)});
  std::set<std::string> seen;
  std::vector<const ast::Program *> open = {tree.get()};
  std::vector<std::unique_ptr<ast::Program>> trees;
  while (!open.empty()) {
    const ast::Program *from = open.back();
    open.pop_back();
    for (const auto &decl : from->decls) {
      const auto *import = dyn_cast<ast::ImportDecl>(decl.get());
      if (!import)
        continue;
      std::string path;
      for (const ast::Identifier &word : import->path)
        path += (path.empty() ? "" : "/") + word.text;
      path += ".spinc";
      std::string found = stdlib + "/" + path;
      if (!sys::fs::exists(found) || !seen.insert(path).second)
        continue;
      const SourceFile &text = sources.add(found, readFile(found));
      std::unique_ptr<ast::Program> module = parseSource(text, diagnostics);
      if (!module)
        continue;
      modules[path].path = found;
      modules[path].programs.push_back(program);
      open.push_back(module.get());
      trees.push_back(std::move(module));
    }
  }
}

/// The mutants of a module, each with programs that name what it is in.
void addMutantsOf(const std::string &modulePath, const Imported &module,
                  std::vector<Mutant> &mutants) {
  SourceManager sources;
  DiagnosticEngine diagnostics;
  const SourceFile &file = sources.add(module.path, readFile(module.path));
  std::unique_ptr<ast::Program> tree = parseSource(file, diagnostics);
  for (Mutation &mutation : mutationsOf(*tree)) {
    std::vector<std::string> users;
    for (const std::string &program : module.programs)
      if (users.size() < maxPrograms &&
          readFile(program).find(mutation.inside) != std::string::npos)
        users.push_back(program);
    // Another function of the module may use it.
    for (const std::string &program : module.programs)
      if (users.size() < maxPrograms && !llvm::is_contained(users, program))
        users.push_back(program);
    mutants.push_back(
        {std::move(users), module.path, modulePath, std::move(mutation)});
  }
}

/// Worker `number` of `count` takes every count-th mutant.
void work(unsigned number, unsigned count, const std::vector<Mutant> &mutants,
          const TrialOptions &options, char *fates, bool tells) {
  for (size_t i = number; i < mutants.size(); i += count) {
    const Mutant &mutant = mutants[i];
    std::string fate =
        inProcess([&] { return tryMutant(mutant, options); }, limit);
    StringRef word = StringRef(fate).split(':').first;
    fates[i] = word == "rejected"   ? Rejected
               : word == "harmless" ? Harmless
               : word == "hang"     ? Slow
                                    : Survived;
    if (tells || fates[i] == Survived) {
      outs() << formatv("{0}:{1}: {2}: {3}\n",
                        mutant.module.empty() ? mutant.programs.front()
                                              : mutant.module,
                        mutant.mutation.line, mutant.mutation.what, fate);
      outs().flush();
    }
  }
}

/// Runs all mutants; their fates.
std::vector<char> runAll(const std::vector<Mutant> &mutants,
                         const TrialOptions &options) {
  size_t size = mutants.size() + 1;
  auto *fates = static_cast<char *>(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const unsigned count = std::max(1u, unsigned(jobs));
  const bool tells = list;
  std::vector<pid_t> workers;
  outs().flush();
  for (unsigned number = 0; number < count; ++number) {
    pid_t worker = fork();
    if (worker == 0) {
      work(number, count, mutants, options, fates, tells);
      _exit(0);
    }
    workers.push_back(worker);
  }
  for (pid_t worker : workers)
    waitpid(worker, nullptr, 0);
  return std::vector<char>(fates, fates + mutants.size());
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "weakens guards of spinc programs\n");
  static const int anchor = 0;
  TrialOptions options;
  options.executable =
      sys::fs::getMainExecutable(argv[0], const_cast<int *>(&anchor));
  options.levels.clear();
  for (char level : levels)
    options.levels.push_back(unsigned(level - '0'));
  options.packets = 12;
  SmallString<256> stdlib(sys::path::parent_path(options.executable));
  sys::path::append(stdlib, "..", "lib", "spinc", "stdlib");
  std::vector<Mutant> all, mutants;
  std::map<std::string, Imported> modules;
  std::vector<std::string> paths = fuzz::corpusFiles(files, ".spinc");
  for (const std::string &path : paths)
    addMutants(path, std::string(stdlib), all, modules);
  for (const auto &[path, module] : modules)
    addMutantsOf(path, module, all);
  for (size_t i = 0; i < all.size(); i += std::max(1u, unsigned(every)))
    mutants.push_back(std::move(all[i]));
  auto start = std::chrono::steady_clock::now();
  std::vector<char> fates = runAll(mutants, options);
  double taken =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  auto sum = [&](char fate) { return llvm::count(fates, fate); };
  outs() << formatv(
      "{0} programs, {1} modules, {2} mutants: {3} rejected, {4} "
      "accepted and harmless, {5} survivors, {6} too slow; {7:f1} "
      "s\n",
      paths.size(), modules.size(), mutants.size(), sum(Rejected),
      sum(Harmless), sum(Survived) + sum(NotRun), sum(Slow), taken);
  if (!countsFile.empty()) {
    std::error_code error;
    raw_fd_ostream file(countsFile, error);
    file << json::Value(json::Object{
                {"mutants", int64_t(mutants.size())},
                {"rejected", int64_t(sum(Rejected))},
                {"harmless", int64_t(sum(Harmless))},
                {"survivors", int64_t(sum(Survived) + sum(NotRun))},
                {"slow", int64_t(sum(Slow))}})
         << '\n';
  }
  return sum(Survived) + sum(NotRun) ? 1 : 0;
}
