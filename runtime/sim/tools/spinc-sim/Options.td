// The command line of spinc-sim. The text of every option is its
// documentation.
include "llvm/Option/OptParser.td"

def trafficGroup : OptionGroup<"traffic">, HelpText<"PACKETS">;
def machineGroup : OptionGroup<"machine">, HelpText<"THE MACHINE">;
def programGroup : OptionGroup<"program">, HelpText<"THE PROGRAM">;
def outputGroup : OptionGroup<"output">, HelpText<"RESULTS">;
def otherGroup : OptionGroup<"other">, HelpText<"OTHER">;

// Every option with a value is written --name=value or --name value.
multiclass Value<string name, OptionGroup group, string meta, string help> {
  def NAME : Joined<["--"], name # "=">, Group<group>, MetaVarName<meta>,
             HelpText<help>;
  def NAME # _separate : Separate<["--"], name>, Group<group>,
                         Alias<!cast<Option>(NAME)>;
}

defm pcap : Value<"pcap", trafficGroup, "<file>",
    "Packets to send to the card: pcap or pcapng, Ethernet\n"
    "or raw IP. Time stamps are not used">;
defm generate : Value<"generate", trafficGroup, "<key>=<value>,...",
    "Make packets instead, such as\n"
    "kind=udp,packets=1000,size=64..1500,gap_ns=exponential(100);\n"
    "several streams share the line. docs/simulator.md has the\n"
    "keys; tables [[traffic]] of --config do the same">;
defm packetsOut : Value<"packets-out", trafficGroup, "<file>",
    "Write the packets that arrive as a capture with their times">;
defm lineRate : Value<"line-rate", trafficGroup, "<rate>",
    "Rate at which packets arrive, such as 200G (default\n"
    "the machine's, 400G); no gap between packets">;
defm repeat : Value<"repeat", trafficGroup, "<count>",
    "Send the capture so many times (default 1)">;
defm packetsPerMessage : Value<"packets-per-message", trafficGroup, "<count>",
    "Packets of one message where the wire does not say;\n"
    "default: all packets of the run">;

defm isa : Value<"isa", machineGroup, "<set>",
    "Instructions of the cores: pspin (RI5CY) or corev (CV32E40P); the\n"
    "default is that of the machine, pspin unless --config says otherwise">;
defm preset : Value<"preset", machineGroup, "<name>",
    "Machine to simulate: pspin (default), fpspin or sc17">;
defm config : Value<"config", machineGroup, "<file>",
    "Machine as a TOML file, over the preset">;
def print_config : Flag<["--"], "print-config">, Group<machineGroup>,
    HelpText<"Print the machine as such a file and end">;
def print_schema : Flag<["--"], "print-schema">, Group<machineGroup>,
    HelpText<"Print the JSON Schema of such files and end">;

defm set : Value<"set", programGroup, "<ctx>.<param>=<n>",
    "Set a parameter of a context (default 0)">;
defm hostSize : Value<"host-size", programGroup, "[<ctx>=]<bytes>",
    "Size of the host region (default 1048576)">;
defm maxCycles : Value<"max-cycles", programGroup, "<count>",
    "End a handler that runs longer (default 1000000);\n"
    "with --bare: end the program (default 10000000000)">;
def contention : Flag<["--"], "contention">, Group<programGroup>,
    HelpText<"HPUs compete for L1 banks, ports and a cold\n"
             "instruction cache, and handlers overlap, as on the card">;
defm gdb : Value<"gdb", programGroup, "[<address>]:<port>",
    "Wait for GDB there (port 0: one that is free), or on the\n"
    "standard input and output (-), and let it control the run">;
defm engine : Value<"engine", programGroup, "<engine>",
    "fast (default): translate hot code; simple: interpret\n"
    "all; both give the same results and times. functional:\n"
    "with --bare only, translate and keep no time">;
defm translateAfter : Value<"translate-after", programGroup, "<count>",
    "Translate code that was reached so often (default 10000)">;
def bare : Flag<["--"], "bare">, Group<programGroup>,
    HelpText<"Run a plain RV32 executable on one core without a\n"
             "card, with the arguments after it: Linux's exit (93)\n"
             "and write (64) calls, or a store to 'tohost'">;
defm maxInstructions : Value<"max-instructions", programGroup, "<count>",
    "With --bare: end the program after so many">;

defm out : Value<"out", outputGroup, "<file>",
    "Write the packets that the card sent as a capture.\n"
    "Ethernet headers that the card never saw are made from\n"
    "the packet that was answered; raw IP if the input was">;
defm hostOut : Value<"host-out", outputGroup, "[<ctx>=]<file>",
    "Write the host region after the run">;
defm json : Value<"json", outputGroup, "<file>",
    "Write all counts as JSON">;
def check_accesses : Flag<["--"], "check-accesses">, Group<outputGroup>,
    HelpText<"End a handler that touches a byte which is not\n"
             "its stack, packet, state, parameter or constant">;
def replay_witness : Flag<["--"], "replay-witness">, Group<programGroup>,
    HelpText<"Show what spinc rejects: compile the program <image>\n"
             "(or take an image of spinc --unsafe-emit-rejected),\n"
             "and run it on the packet of each witness. --out then\n"
             "writes these packets">;
defm traceJson : Value<"trace-json", outputGroup, "<file>",
    "Write what happened when, for ui.perfetto.dev: lanes for\n"
    "HPUs, DMA, network, host and messages">;
defm profile : Value<"profile", outputGroup, "<folder>",
    "Write where in the source the cycles went: source.txt,\n"
    "source.html, stacks.folded, coverage.info (lcov)">;
def progress : Flag<["--"], "progress">, Group<outputGroup>,
    HelpText<"Show how far the run is (default: on a terminal,\n"
             "once it takes longer than two seconds)">;
def trace : Flag<["--"], "trace">, Group<outputGroup>,
    HelpText<"Print each instruction to the standard error:\n"
             "cycle, cluster.HPU, pc, instruction, source line">;

def help : Flag<["--"], "help">, Group<otherGroup>,
    HelpText<"Print this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, Group<otherGroup>,
    HelpText<"Print the version">;
