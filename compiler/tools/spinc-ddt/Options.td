// The command line of spinc-ddt. The text of every option is its
// documentation.
include "llvm/Option/OptParser.td"

def emit : Joined<["--"], "emit=">, MetaVarName<"<form>">,
    HelpText<"Write dataloop (the normal form, a description again), blocks\n"
             "(runs of bytes in stream order) or picture (an SVG of the layout\n"
             "and of how packets map onto it)">;
def output : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">,
    HelpText<"Write the output to <file>; '-' is the standard output">;
def flattenLimit : Joined<["--"], "flatten-limit=">, MetaVarName<"<runs>">,
    HelpText<"Layouts with more runs are normalised as trees only (default\n"
             "4194304)">;
def payload : Joined<["--"], "payload=">, MetaVarName<"<bytes>">,
    HelpText<"Bytes of payload of a packet in pictures (default 2048)">;
def help : Flag<["--"], "help">, HelpText<"Show this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Show the version">;
