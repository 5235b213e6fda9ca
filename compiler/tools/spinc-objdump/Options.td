// The command line of spinc-objdump. The text of every option is its
// documentation.
include "llvm/Option/OptParser.td"

def function : Joined<["--"], "function=">, MetaVarName<"<name>">,
    HelpText<"Print only this function; may be repeated">;
def function_separate : Separate<["--"], "function">, Alias<function>;
def noSource : Flag<["--"], "no-source">,
    HelpText<"Leave out the source lines (images made with 'spinc -g' know "
             "them)">;
def noCycles : Flag<["--"], "no-cycles">,
    HelpText<"Leave out cycles and stalls">;
def help : Flag<["--"], "help">, HelpText<"Print this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version">;
