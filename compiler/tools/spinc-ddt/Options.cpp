// Reads the command line with the table that TableGen makes of Options.td.
#include "compiler/tools/spinc-ddt/Options.h"

#include "runtime/Support/BadValue.h"
#include "runtime/Support/UnknownOption.h"

#include "llvm/ADT/StringSwitch.h"

#define SPINC_OPTIONS "compiler/tools/spinc-ddt/Options.inc"
#include "runtime/Support/OptionTable.h"

using namespace llvm;
using namespace llvm::opt;
using namespace spinc;
using namespace spinc::ddt;

namespace {

std::optional<Output> outputOf(StringRef word) {
  return StringSwitch<std::optional<Output>>(word)
      .Case("dataloop", Output::Dataloop)
      .Case("blocks", Output::Blocks)
      .Case("picture", Output::Picture)
      .Case("elf", Output::Image)
      .Case("spinc", Output::Spinc)
      .Case("plan", Output::Plan)
      .Case("stubs", Output::Stubs)
      .Default(std::nullopt);
}

std::string wrongValue(const Arg &arg, const Twine &takes) {
  return describeBadValue(arg.getValue(), arg.getSpelling(), takes);
}

std::string readChoices(const InputArgList &args, Options &options) {
  if (const Arg *arg = args.getLastArg(OPT_strategy)) {
    StringRef name = arg->getValue();
    options.strategy = strategyOf(name);
    if (!options.strategy && name != "auto")
      return wrongValue(*arg, "auto, specialised, ro-checkpoints, "
                              "rw-checkpoints or hpu-local");
  }
  if (const Arg *arg = args.getLastArg(OPT_direction)) {
    StringRef way = arg->getValue();
    if (way != "receive" && way != "send")
      return wrongValue(*arg, "receive or send");
    options.direction = way == "send" ? Direction::Send : Direction::Receive;
  }
  if (const Arg *arg = args.getLastArg(OPT_seed))
    if (StringRef(arg->getValue()).getAsInteger(10, options.seed))
      return wrongValue(*arg, "a number of 32 bits");
  if (args.hasArg(OPT_explain))
    options.action = Action::Explain;
  if (args.hasArg(OPT_verify, OPT_verifyWith))
    options.action = Action::Verify;
  if (const Arg *arg = args.getLastArg(OPT_verifyWith)) {
    options.oracle = arg->getValue();
    if (!is_contained({"mpi", "mpich", "openmpi"}, options.oracle))
      return wrongValue(*arg, "mpi, mpich or openmpi");
    if (options.input == "-")
      return "--verify=" + options.oracle + " needs a file";
  }
  return "";
}

/// Reads what has a value; what is wrong with it, or nothing.
std::string readValues(const InputArgList &args, Options &options) {
  if (const Arg *arg = args.getLastArg(OPT_emit)) {
    std::optional<Output> output = outputOf(arg->getValue());
    if (!output)
      return wrongValue(*arg, "elf, dataloop, blocks, spinc, plan, stubs or "
                              "picture");
    options.emit = *output;
  }
  if (const Arg *arg = args.getLastArg(OPT_flattenLimit)) {
    uint32_t runs;
    if (StringRef(arg->getValue()).getAsInteger(10, runs) || runs > 1u << 26)
      return wrongValue(*arg, "a number of runs up to 67108864");
    options.normalise.flattenLimit = runs;
  }
  if (const Arg *arg = args.getLastArg(OPT_payload)) {
    uint32_t bytes;
    if (StringRef(arg->getValue()).getAsInteger(10, bytes) || bytes == 0 ||
        bytes > 65536)
      return wrongValue(*arg, "a number of bytes from 1 to 65536");
    options.payload = bytes;
  }
  options.output = args.getLastArgValue(OPT_output).str();
  return readChoices(args, options);
}

std::string findMistake(const OptionTable &table, const InputArgList &args,
                        Options &options) {
  if (const Arg *arg = args.getLastArg(OPT_UNKNOWN))
    return describeUnknownOption(table, "spinc-ddt", arg->getAsString(args));
  if (args.hasArg(OPT_help, OPT_version))
    return "";
  std::vector<std::string> inputs = args.getAllArgValues(OPT_INPUT);
  if (inputs.empty())
    return "no description; 'spinc-ddt --help' shows how to call it";
  if (inputs.size() > 1)
    return "'" + inputs[1] + "' is a second description after '" + inputs[0] +
           "'";
  options.input = inputs[0];
  return readValues(args, options);
}

} // namespace

std::optional<Options>
spinc::ddt::parseOptions(ArrayRef<const char *> arguments, raw_ostream &errs) {
  OptionTable table;
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList args = table.ParseArgs(arguments, missingIndex, missingCount);
  Options options;
  std::string mistake =
      missingCount ? "'" + std::string(args.getArgString(missingIndex)) +
                         "' needs a value"
                   : findMistake(table, args, options);
  if (!mistake.empty()) {
    errs << "spinc-ddt: error: " << mistake << '\n';
    return std::nullopt;
  }
  if (args.hasArg(OPT_help))
    options.action = Action::Help;
  else if (args.hasArg(OPT_version))
    options.action = Action::Version;
  return options;
}

void spinc::ddt::printHelp(raw_ostream &out) {
  OptionTable().printHelp(
      out, "spinc-ddt [options] <type>.json",
      "spinc-ddt makes handlers that scatter and gather the packets of an MPI "
      "datatype.");
  out << "\nEXAMPLES:\n"
         "  spinc-ddt halo.json -o halo.elf       a handler for the card\n"
         "  spinc-ddt halo.json --verify          run it, compare all bytes\n"
         "  spinc-ddt halo.json --verify=mpi      compare with MPI_Unpack\n"
         "  spinc-ddt halo.json --emit=dataloop   the normal form\n"
         "  spinc-ddt halo.json --emit=blocks     where each byte goes\n"
         "  spinc-ddt halo.json --emit=picture -o halo.svg\n"
         "\nEXIT STATUS:\n"
         "  0 success, 1 description refused, 2 bad command line\n";
}
