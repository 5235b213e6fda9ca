// The command line of spinc-ddt. The text of every option is its
// documentation.
include "llvm/Option/OptParser.td"

def emit : Joined<["--"], "emit=">, MetaVarName<"<form>">,
    HelpText<"Write elf (the image for the card, the default), dataloop (the\n"
             "normal form, a description again), blocks (runs of bytes in\n"
             "stream order), spinc (the source of the handler), plan (the\n"
             "parameters that go with it, as JSON), stubs (the C code of the\n"
             "host) or picture (an SVG of the layout and of how packets map\n"
             "onto it)">;
def strategy : Joined<["--"], "strategy=">, MetaVarName<"<name>">,
    HelpText<"auto (the default), specialised (a handler of its own), or the\n"
             "interpreter that begins each packet at a checkpoint\n"
             "(ro-checkpoints), where the same HPU stopped (hpu-local), or at\n"
             "the nearer of both (rw-checkpoints)">;
def explain : Flag<["--"], "explain-strategy">,
    HelpText<"Say what each strategy costs and which one is taken">;
def direction : Joined<["--"], "direction=">, MetaVarName<"<way>">,
    HelpText<"receive (scatter into host memory, the default) or send (gather\n"
             "from it into outgoing packets)">;
def verify : Flag<["--"], "verify">,
    HelpText<"Run messages through the simulator, in random order and cut\n"
             "anywhere, and compare with the description">;
def verifyWith : Joined<["--"], "verify=">, MetaVarName<"<library>">,
    HelpText<"The same, compared with what MPI_Unpack of a library does in a\n"
             "process of its own: mpich, openmpi, or mpi for the first that\n"
             "is there">;
def seed : Joined<["--"], "seed=">, MetaVarName<"<number>">,
    HelpText<"Where the random numbers of --verify begin (default 1)">;
def output : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">,
    HelpText<"Write the output to <file>; '-' is the standard output. Without\n"
             "it text goes there, and an image beside the description">;
def flattenLimit : Joined<["--"], "flatten-limit=">, MetaVarName<"<runs>">,
    HelpText<"Layouts with more runs are normalised as trees only (default\n"
             "4194304)">;
def payload : Joined<["--"], "payload=">, MetaVarName<"<bytes>">,
    HelpText<"Bytes of payload of a packet in pictures and plans (default\n"
             "2048)">;
def help : Flag<["--"], "help">, HelpText<"Show this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Show the version">;
