// The command line of spinc-wcet. The text of every option is its
// documentation.
include "llvm/Option/OptParser.td"

def facts : Joined<["--"], "facts=">, MetaVarName<"<file>">,
    HelpText<"Flow-fact file with the lists 'handlers' and 'loops', in place\n"
             "of the metadata of the image (docs/flow-facts.md)">;
def facts_separate : Separate<["--"], "facts">, Alias<facts>;
def function : Joined<["--"], "function=">, MetaVarName<"<name>">,
    HelpText<"Bound this function; may be repeated">;
def function_separate : Separate<["--"], "function">, Alias<function>;
def bare : Flag<["--"], "bare">,
    HelpText<"Take all memory for the core's own L1, as 'spinc-sim --bare' "
             "does">;
def json : Flag<["--"], "json">, HelpText<"Print the bounds as JSON">;
def commandLatency : Joined<["--"], "command-latency=">,
    MetaVarName<"<cycles>">,
    HelpText<"By when a command has completed, for the occupancy (default: "
             "800)">;
def html : Flag<["--"], "html">,
    HelpText<"Print a page with the source, annotated by cycles">;
def graph : Flag<["--"], "graph">,
    HelpText<"Print JSON, with each handler's control flow and its cycles">;
def witness : Flag<["--"], "witness">,
    HelpText<"Look for packets and parameters that drive each handler to its "
             "bound, and run them in the simulator">;
def witnessTries : Joined<["--"], "witness-tries=">, MetaVarName<"<count>">,
    HelpText<"Messages to try for each handler (default: 1000)">;
def replay : Joined<["--"], "replay=">, MetaVarName<"<file>">,
    HelpText<"Run the witnesses of a report made with --witness --json again">;
def help : Flag<["--"], "help">, HelpText<"Print this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version">;
