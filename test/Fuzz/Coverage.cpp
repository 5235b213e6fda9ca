// The constructs, found in the dump of the typed AST: what Sema has seen, not
// what the generator meant. And the passes that may leave a program as it is.
#include "test/Fuzz/Coverage.h"
#include "compiler/AST/AstPrinter.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace spinc;
using namespace spinc::fuzz;

static const Construct all[] = {
    // Types and declarations.
    {"enum", "^Enum "},
    {"struct", "^Struct "},
    {"constant table", "^Const .*\\]"},
    {"function", "^Function "},
    {"function with a budget", "^  Budget$"},
    {"inout parameter", "^ +Parameter .*inout"},
    {"slice parameter", "^ +Parameter .* written u8\\[\\]"},
    {"header", "^Header "},
    {"sized header", "^ +sized"},
    {"be48", " written be48"},
    {"bit field", " Field f.* written u(1?[1-7]|9) "},
    {"user header", "^  User"},
    {"portals match", "^ +bits|^ +Name bits|portals"},
    // State.
    {"param", "StateField .* param"},
    {"plain state", "StateField .* plain"},
    {"state in L2", "StateField .* in L2"},
    {"atomic", "StateField .* atomic"},
    {"per_cluster", "StateField .* per_cluster"},
    {"per_hpu", "StateField .* per_hpu"},
    {"counter", "StateField .* counter"},
    {"struct in state", "StateField r plain"},
    {"lock", "StateField door"},
    {"guarded", "StateField .* guarded"},
    {"host region", "^  Host "},
    {"contract", "^  Contract"},
    // Handlers.
    {"header handler", "^  Handler header"},
    {"payload handler", "^  Handler payload"},
    {"completion handler", "^  Handler completion"},
    {"message dropped", "^ +Name (DROP|FAIL)"},
    // Statements.
    {"if", "^ +If$"},
    {"else", "^ +else$"},
    {"require", "^ +Require$"},
    {"switch", "^ +Switch"},
    {"for over a range", "^ +ForRange$"},
    {"for over elements", "^ +ForEach$"},
    {"step", "^ +step"},
    {"while", "^ +While$"},
    {"bound(n)", "^ +bound"},
    {"break", "^ +Break$"},
    {"continue", "^ +Continue$"},
    {"wrapping", "^ +Wrapping$"},
    {"match", "^ +Match$\n.*Field \\.up "},
    {"chunks", " \\.chunks"},
    {"with", "^ +With$"},
    {"with shared", "^ +With$\n.*Field \\.shared"},
    {"pieces", " \\.pieces"},
    {"view strided", "Name strided"},
    {"local array", "^ +Memory .*\\]"},
    {"local struct", "^ +Memory .* : S[0-9]$"},
    {"array of structs", "^ +Memory .* : S[0-9]\\["},
    {"initial values", "^ +InitList"},
    {"compound assignment", "^ +Assign '.+='"},
    // Expressions.
    {"f32", " : f32"},
    {"f64", " : f64"},
    {"float to integer", "^ +Cast as [ui][0-9]+ : .*\n +Name v[0-9]+ : f"},
    {"packed value", "^ +Var .* [ui](8x4|16x2)$"},
    {"dot", " \\.dot"},
    {"bool variable", "^ +Var .* bool"},
    {"conditional", "^ +Conditional"},
    {"sub-slice ..<", "^ +Slice \\.\\.<"},
    {"sub-slice ..+", "^ +Slice \\.\\.\\+"},
    {"view as", "^ +Cast as .*\\[\\]"},
    {"+ - *", "^ +Binary '[-+*]'"},
    {"/", "^ +Binary '/'"},
    {"%", "^ +Binary '%'"},
    {"wrapping operators", "^ +Binary '[-+*]%'"},
    {"saturating operators", "^ +Binary '[-+]\\|'"},
    {"<<", "^ +Binary '<<'"},
    {"<<%", "^ +Binary '<<%'"},
    {">>", "^ +Binary '>>'"},
    {"bit operators", "^ +Binary '[&|^]'"},
    {"unary operators", "^ +Unary '[-~]'"},
    // Actions.
    {"fetch_add and its like", " \\.(fetch_add|fetch_max|swap|fetch_xor)"},
    {"copy", " \\.copy"},
    {"increment", " \\.increment"},
    {"dma_to_host", "Name dma_to_host"},
    {"dma_from_host", "Name dma_from_host"},
    {"async", "^ +Call async"},
    {"command", " : command"},
    {"wait", "Name wait"},
    {"notify", "Name notify"},
    {"send", "Name send"},
    {"put", "Name put"},
    // Passes.
    {"spin-merge-checks", nullptr},
    {"spin-fill-locals", nullptr},
    {"spin-merge-loop-copies", nullptr},
    {"spin-skip-words", nullptr},
    {"spin-widen-loops", nullptr},
    {"spin-unroll-loops", nullptr},
    {"spin-merge-copies", nullptr},
    {"spin-advance-loads", nullptr},
    {"spin-schedule-commands", nullptr},
    {"spin-narrow-divisions", nullptr},
    {"spin-expand-pieces", nullptr},
    {"spin-narrow-sums", nullptr},
    {"spin-share-task-reads", nullptr},
};

llvm::ArrayRef<Construct> spinc::fuzz::constructs() { return all; }

std::vector<unsigned> spinc::fuzz::constructsIn(const Program &program) {
  static std::vector<llvm::Regex> expressions = [] {
    std::vector<llvm::Regex> made;
    for (const Construct &construct : all)
      made.emplace_back(construct.line ? construct.line : "",
                        llvm::Regex::Newline);
    return made;
  }();
  std::string dump;
  llvm::raw_string_ostream out(dump);
  dumpAst(program.ast(), out,
          [](llvm::raw_ostream &to, const Type &type) { to << type.str(); });
  std::vector<unsigned> found;
  for (unsigned i = 0; i < expressions.size(); ++i)
    if (all[i].line ? expressions[i].match(dump)
                    : program.passesThatChanged().contains(all[i].name))
      found.push_back(i);
  return found;
}
