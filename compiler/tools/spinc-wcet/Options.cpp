// Reads the command line with the table that TableGen makes of Options.td.
#include "compiler/tools/spinc-wcet/Options.h"
#include "runtime/Support/BadValue.h"
#include "runtime/Support/UnknownOption.h"

#define SPINC_OPTIONS "compiler/tools/spinc-wcet/Options.inc"
#include "runtime/Support/OptionTable.h"

using namespace llvm;
using namespace llvm::opt;
using namespace spinc;
using namespace spinc::wcet;

namespace {

/// What is wrong with the options; empty if nothing. Reads the numbers.
std::string findMistake(const OptionTable &table, const InputArgList &args,
                        Options &options) {
  if (const Arg *arg = args.getLastArg(OPT_UNKNOWN))
    return describeUnknownOption(table, "spinc-wcet", arg->getAsString(args));
  std::vector<std::string> inputs = args.getAllArgValues(OPT_INPUT);
  if (args.hasArg(OPT_help, OPT_version))
    return "";
  if (inputs.empty())
    return "no image; 'spinc-wcet --help' shows how to call it";
  if (const Arg *arg = args.getLastArg(OPT_commandLatency)) {
    uint32_t cycles;
    if (StringRef(arg->getValue()).getAsInteger(10, cycles))
      return describeBadValue(arg->getValue(), "--command-latency",
                              "a number of cycles");
    options.commandLatency = cycles;
  }
  if (const Arg *arg = args.getLastArg(OPT_witnessTries))
    if (StringRef(arg->getValue()).getAsInteger(10, options.witnessTries) ||
        options.witnessTries == 0)
      return describeBadValue(arg->getValue(), "--witness-tries",
                              "a number from 1 on");
  if (args.hasArg(OPT_bare) && args.hasArg(OPT_witness, OPT_replay))
    return "--bare has no card to run a witness on";
  if (inputs.size() > 1)
    return "'" + inputs[1] + "' is a second image after '" + inputs[0] + "'";
  return "";
}

} // namespace

std::optional<Options>
spinc::wcet::parseOptions(ArrayRef<const char *> arguments, raw_ostream &errs) {
  Options options;
  OptionTable table;
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList args = table.ParseArgs(arguments, missingIndex, missingCount);
  std::string mistake =
      missingCount ? "'" + std::string(args.getArgString(missingIndex)) +
                         "' needs a value"
                   : findMistake(table, args, options);
  if (!mistake.empty()) {
    errs << "spinc-wcet: error: " << mistake << '\n';
    return std::nullopt;
  }
  if (args.hasArg(OPT_help))
    options.action = Action::Help;
  else if (args.hasArg(OPT_version))
    options.action = Action::Version;
  else
    options.image = args.getLastArgValue(OPT_INPUT).str();
  options.facts = args.getLastArgValue(OPT_facts).str();
  options.functions = args.getAllArgValues(OPT_function);
  options.bare = args.hasArg(OPT_bare);
  options.witness = args.hasArg(OPT_witness);
  options.replay = args.getLastArgValue(OPT_replay).str();
  options.graph = args.hasArg(OPT_graph);
  if (args.hasArg(OPT_html))
    options.format = ReportFormat::Html;
  if (options.graph || args.hasArg(OPT_json))
    options.format = ReportFormat::Json;
  return options;
}

void spinc::wcet::printHelp(raw_ostream &os) {
  OptionTable().printHelp(
      os, "spinc-wcet [options] <image>.elf",
      "spinc-wcet bounds the cycles of the handlers of an image, and says "
      "where they go.");
  os << "\nEXAMPLES:\n"
        "  spinc-wcet udp_echo.elf           bound and budget of each handler\n"
        "  spinc-wcet udp_echo.elf --json    the same for programs\n"
        "  spinc-wcet sort.elf --bare --function=sort --facts=sort.json\n"
        "                                    a function that any compiler "
        "made\n"
        "  spinc-wcet udp_echo.elf --witness and the packets that take "
        "longest\n"
        "\nEXIT STATUS:\n"
        "  0 all budgets hold, 1 they do not, or bad input, 2 bad command "
        "line\n";
}
