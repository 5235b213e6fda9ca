// The command line of spinc-wcet. The text of every option is its
// documentation.
include "llvm/Option/OptParser.td"

def loops : Joined<["--"], "loops=">, MetaVarName<"<file>">,
    HelpText<"JSON file with the lists 'handlers' and 'loops', in place\n"
             "of the metadata of the image">;
def loops_separate : Separate<["--"], "loops">, Alias<loops>;
def json : Flag<["--"], "json">, HelpText<"Print the bounds as JSON">;
def help : Flag<["--"], "help">, HelpText<"Print this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version">;
