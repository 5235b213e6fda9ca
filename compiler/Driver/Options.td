// The command line of spinc. Help is grouped by what a user wants to do; the
// text of every option is the documentation (docs/cli.md is made from it).
include "llvm/Option/OptParser.td"

def outputGroup : OptionGroup<"output">, HelpText<"WHAT TO PRODUCE">;
def codeGroup : OptionGroup<"code">, HelpText<"THE CODE">;
def targetGroup : OptionGroup<"target">, HelpText<"THE CARD">;
def importGroup : OptionGroup<"import">, HelpText<"IMPORTS AND BUILD SYSTEMS">;
def messageGroup : OptionGroup<"message">, HelpText<"MESSAGES">;
def aboutGroup : OptionGroup<"about">, HelpText<"ABOUT SPINC">;

class Flag_<string spelling, OptionGroup group, string help>
    : Flag<["-"], spelling>, Group<group>, HelpText<help>;
class LongFlag<string spelling, OptionGroup group, string help>
    : Flag<["--"], spelling>, Group<group>, HelpText<help>;
class Value<string spelling, OptionGroup group, string meta, string help>
    : Joined<["--"], spelling # "=">, Group<group>, MetaVarName<meta>,
      HelpText<help>;

// What to produce.
def output : JoinedOrSeparate<["-"], "o">, Group<outputGroup>,
    MetaVarName<"<file>">,
    HelpText<"Write the output to <file>; '-' is the standard output.\n"
             "Without it text goes to the standard output, and the image\n"
             "to the name of the source with '.elf' ('.o' for obj)">;
def emit : Value<"emit", outputGroup, "<stage>",
    "Stop after <stage> and write what it made: tokens, ast,\n"
    "typed-ast, spin, spin-opt, llvm-mlir, llvm, asm, obj,\n"
    "elf (default), stubs (<name>.h and <name>.c, the host side\n"
    "in C11), report (bounds and the checks that are left),\n"
    "spin-bound (spin-opt, with each handler's bound)">;
def report : Value<"report", outputGroup, "<form>",
    "Form of --emit=report: text (default), json, or html, a page\n"
    "with the source annotated by cycles">;

// The code.
def O0 : Flag_<"O0", codeGroup, "Do not optimise; for reading the assembly">;
def O1 : Flag_<"O1", codeGroup, "Optimise a little">;
def O2 : Flag_<"O2", codeGroup, "Optimise (default)">;
def O3 : Flag_<"O3", codeGroup, "Optimise more">;
def Os : Flag_<"Os", codeGroup,
    "Optimise for small code: as -O2, with loops as they are written">;
def g : Flag_<"g", codeGroup,
    "Put DWARF line tables into the image, for traces and debuggers">;
def disable : CommaJoined<["--"], "disable=">, Group<codeGroup>,
    MetaVarName<"<names>">,
    HelpText<"Leave optimisations out, to measure what they win; an\n"
             "unknown name lists them all">;

def unsafeEmitRejected : LongFlag<"unsafe-emit-rejected", codeGroup,
    "Make an image even if accesses are not proved, marked as\n"
    "unsafe: only 'spinc-sim --replay-witness' runs it, to show\n"
    "with the packet of each witness what goes wrong">;

// The card.
def target : Value<"target", targetGroup, "<card>",
    "pspin (RI5CY cores, the default) or corev (CV32E40P encodings)">;
def lineRate : Value<"line-rate", targetGroup, "<rate>",
    "Link rate such as 200G (Gbit/s; 400G unless given).\n"
    "When given, every payload handler has to keep up with\n"
    "it, not only those that say budget(line_rate)">;
def mtu : Value<"mtu", targetGroup, "<bytes>",
    "Largest packet a handler sees (default 1500)">;
def hpus : Value<"hpus", targetGroup, "<count>",
    "HPUs that share the packets of the link (default 32)">;
def commandLatency : Value<"command-latency", targetGroup, "<cycles>",
    "By when a command has completed, for the occupancy\n"
    "(default 800, a round trip to host memory)">;

// Imports and build systems.
def importDir : JoinedOrSeparate<["-"], "I">, Group<importGroup>,
    MetaVarName<"<dir>">, HelpText<"Search <dir> for imported modules">;
def MD : Flag_<"MD", importGroup,
    "Write the files that the program depends on as a make rule">;
def MF : JoinedOrSeparate<["-"], "MF">, Group<importGroup>,
    MetaVarName<"<file>">,
    HelpText<"Where -MD writes (default: the output with '.d')">;

// Messages.
def Werror : Flag_<"Werror", messageGroup, "Treat warnings as errors">;
def diagnostics : Value<"diagnostics", messageGroup, "<form>",
    "Form of the messages: text (default), or sarif: a SARIF\n"
    "2.1.0 log on the standard error">;
def fix : LongFlag<"fix", messageGroup,
    "Repair the source files where messages have a repair that\n"
    "a machine can make; nothing else is written">;
def fixEq : Value<"fix", messageGroup, "dry",
    "Print the repairs as a difference and write nothing">;
def explain : JoinedOrSeparate<["--"], "explain">, Group<messageGroup>,
    MetaVarName<"<code>">,
    HelpText<"Explain an error such as E0203 with a failing and a\n"
             "fixed program">;
def explainEq : Joined<["--"], "explain=">, Alias<explain>,
    Flags<[HelpHidden]>;
def timeReport : LongFlag<"time-report", messageGroup,
    "Print on the standard error how long each pass before LLVM\n"
    "took, the proofs and their checks among them">;
def verifyDiagnostics : LongFlag<"verify-diagnostics", messageGroup,
    "Compare the messages with the comments\n"
    "'expected-error {{...}}' of the source instead of\n"
    "printing them">;

// About spinc.
def help : LongFlag<"help", aboutGroup, "Show this text">;
def helpShort : Flag<["-"], "h">, Alias<help>, Flags<[HelpHidden]>;
def version : LongFlag<"version", aboutGroup, "Show the version">;
