// Reads the command line with the table that TableGen makes of Options.td.
#include "compiler/tools/spinc-objdump/Options.h"
#include "runtime/Support/UnknownOption.h"

#define SPINC_OPTIONS "compiler/tools/spinc-objdump/Options.inc"
#include "runtime/Support/OptionTable.h"

using namespace llvm;
using namespace llvm::opt;
using namespace spinc;
using namespace spinc::objdump;

namespace {

/// What is wrong with the options; empty if nothing.
std::string findMistake(const OptionTable &table, const InputArgList &args) {
  if (const Arg *arg = args.getLastArg(OPT_UNKNOWN))
    return describeUnknownOption(table, "spinc-objdump",
                                 arg->getAsString(args));
  std::vector<std::string> inputs = args.getAllArgValues(OPT_INPUT);
  if (args.hasArg(OPT_help, OPT_version))
    return "";
  if (inputs.empty())
    return "no image; 'spinc-objdump --help' shows how to call it";
  if (inputs.size() > 1)
    return "'" + inputs[1] + "' is a second image after '" + inputs[0] + "'";
  return "";
}

} // namespace

std::optional<Options>
spinc::objdump::parseOptions(ArrayRef<const char *> arguments,
                             raw_ostream &errs) {
  OptionTable table;
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList args = table.ParseArgs(arguments, missingIndex, missingCount);
  std::string mistake =
      missingCount ? "'" + std::string(args.getArgString(missingIndex)) +
                         "' needs a value"
                   : findMistake(table, args);
  if (!mistake.empty()) {
    errs << "spinc-objdump: error: " << mistake << '\n';
    return std::nullopt;
  }
  Options options;
  if (args.hasArg(OPT_help))
    options.action = Action::Help;
  else if (args.hasArg(OPT_version))
    options.action = Action::Version;
  else
    options.image = args.getLastArgValue(OPT_INPUT).str();
  options.functions = args.getAllArgValues(OPT_function);
  options.source = !args.hasArg(OPT_noSource);
  options.cycles = !args.hasArg(OPT_noCycles);
  return options;
}

void spinc::objdump::printHelp(raw_ostream &os) {
  OptionTable().printHelp(
      os, "spinc-objdump [options] <image>.elf",
      "spinc-objdump prints the instructions of an image for PsPIN's cores, "
      "and what each costs.");
  os << "\nEXAMPLES:\n"
        "  spinc-objdump udp_echo.elf        all code, with the runtime\n"
        "  spinc-objdump udp_echo.elf --function=UdpEcho_ph\n"
        "                                    one handler\n"
        "\nCOLUMNS:\n"
        "  address, word, instruction, cycles: 1/3 is a branch that costs 3 "
        "when it is\n"
        "  taken, +1 a wait for what the instruction before it loads\n"
        "\nEXIT STATUS:\n"
        "  0 printed, 1 bad input, 2 bad command line\n";
}
