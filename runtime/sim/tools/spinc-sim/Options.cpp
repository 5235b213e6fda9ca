//===- Options.cpp - Reading the command line -----------------------------===//
//
// Uses the table that TableGen makes of Options.td.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/Options.h"
#include "runtime/Support/BadValue.h"
#include "runtime/Support/UnknownOption.h"
#include "runtime/sim/config/Config.h"

#define SPINC_OPTIONS "runtime/sim/tools/spinc-sim/Options.inc"
#include "runtime/Support/OptionTable.h"

using namespace llvm;
using namespace llvm::opt;
using namespace spinc;
using namespace spinc::sim;

namespace {

/// Reads options one by one and says what is wrong with them.
class OptionReader {
public:
  OptionReader(const InputArgList &args, raw_ostream &errs)
      : args(args), errs(errs) {}

  bool failed = false;

  void complain(const Twine &message) {
    errs << "spinc-sim: error: " << message << '\n';
    failed = true;
  }

  void unknown(const OptionTable &table) {
    for (const Arg *arg : args.filtered(OPT_UNKNOWN))
      complain(
          describeUnknownOption(table, "spinc-sim", arg->getAsString(args)));
  }

  template <typename T>
  void number(OptSpecifier id, StringRef name, uint64_t low, T &result) {
    const Arg *arg = args.getLastArg(id);
    if (!arg)
      return;
    uint64_t value;
    if (StringRef(arg->getValue()).getAsInteger(0, value) || value < low ||
        value > most<T>())
      complain(describeBadValue(arg->getValue(), name,
                                "a number from " + Twine(low) + " on"));
    else
      result = T(value);
  }

  void text(OptSpecifier id, StringRef name, std::string &result) {
    const Arg *arg = args.getLastArg(id);
    if (!arg)
      return;
    result = arg->getValue();
    if (result.empty())
      complain(name + " needs the name of a file");
  }

  void lineRate(std::optional<double> &result) {
    const Arg *arg = args.getLastArg(OPT_lineRate);
    if (!arg)
      return;
    StringRef value = arg->getValue();
    double rate;
    bool hasUnit = value.consume_back("G");
    if (!hasUnit || value.getAsDouble(rate) || !(rate > 0) || rate > 1e6)
      complain(describeBadValue(arg->getValue(), "--line-rate",
                                "Gbit/s such as 400G"));
    else
      result = rate;
  }

  /// As TOML, stream n on line n. Commas within parentheses separate nothing.
  void generate(std::string &toml) {
    for (StringRef stream : args.getAllArgValues(OPT_generate)) {
      std::string table = toml.empty() ? "traffic = [{" : ",\n{";
      for (StringRef rest = stream; !rest.empty();) {
        size_t end = rest.find_first_of(",(");
        if (end != StringRef::npos && rest[end] == '(')
          end = rest.find(',', std::min(rest.find(')', end), rest.size()));
        auto [key, value] = rest.take_front(end).split('=');
        rest = rest.drop_front(std::min(end, rest.size()));
        rest.consume_front(",");
        double number;
        bool plain =
            !value.getAsDouble(number) || value == "true" || value == "false";
        bool isKey = !key.empty() && !value.empty() &&
                     key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") ==
                         StringRef::npos;
        if (!isKey || value.contains('\''))
          return complain(
              describeBadValue(stream, "--generate", "<key>=<value>,..."));
        table += (key + " = " + (plain ? value.str() : "'" + value.str() + "'"))
                     .str();
        table += rest.empty() ? "}" : ", ";
      }
      toml += table;
    }
    if (!toml.empty())
      toml += "]\n";
  }

  void params(std::vector<ParamSetting> &result) {
    for (StringRef setting : args.getAllArgValues(OPT_set)) {
      auto [path, value] = setting.split('=');
      auto [context, param] = path.split('.');
      int64_t read;
      if (context.empty() || param.empty() || value.getAsInteger(0, read))
        complain(
            describeBadValue(setting, "--set", "<context>.<param>=<number>"));
      else
        result.push_back({context.str(), param.str(), read});
    }
  }

  /// [<context>=]<value>
  static std::pair<StringRef, StringRef> splitContext(StringRef value) {
    auto [context, rest] = value.split('=');
    return value.contains('=') ? std::pair(context, rest)
                               : std::pair(StringRef(), value);
  }

  void hostRegions(Options &options) {
    for (StringRef value : args.getAllArgValues(OPT_hostSize)) {
      auto [context, bytes] = splitContext(value);
      uint64_t read;
      if (bytes.getAsInteger(0, read) || read > UINT32_MAX)
        complain(describeBadValue(value, "--host-size",
                                  "[<context>=]<bytes>, less than 4 GiB"));
      else
        options.hostSizes[context.str()] = read;
    }
    for (StringRef value : args.getAllArgValues(OPT_hostOut)) {
      auto [context, file] = splitContext(value);
      if (file.empty())
        complain("--host-out needs the name of a file");
      options.hostOut[context.str()] = file.str();
    }
  }

  void engine(Options &options) {
    EngineKind &kind = options.engine.kind;
    StringRef value = args.getLastArgValue(OPT_engine, "fast");
    if (value == "simple")
      kind = EngineKind::Simple;
    else if (value == "functional")
      kind = EngineKind::Functional;
    else if (value != "fast")
      complain(
          describeBadValue(value, "--engine", "fast, simple or functional"));
    if (kind == EngineKind::Functional && !args.hasArg(OPT_bare))
      complain("--engine=functional keeps no time, which a card needs; it "
               "goes with --bare");
    number(OPT_translateAfter, "--translate-after", 1,
           options.engine.threshold);
    number(OPT_maxInstructions, "--max-instructions", 1,
           options.maxInstructions);
  }

  void machine(Options &options) {
    options.preset = args.getLastArgValue(OPT_preset, "pspin");
    SpinSimConfig config;
    if (!applyPreset(options.preset, config))
      complain(describeBadValue(options.preset, "--preset",
                                "one of " + presetNames()));
    text(OPT_config, "--config", options.config);
    if (const Arg *arg = args.getLastArg(OPT_isa)) {
      options.isa = isa::instructionSetOf(arg->getValue());
      if (!options.isa)
        complain("'" + StringRef(arg->getValue()) +
                 "' is not a value of --isa; it takes pspin or corev");
    }
    if (args.hasArg(OPT_print_config))
      options.action = Action::PrintConfig;
    else if (args.hasArg(OPT_print_schema))
      options.action = Action::PrintSchema;
  }

  void image(Options &options) {
    std::vector<std::string> inputs = args.getAllArgValues(OPT_INPUT);
    if (inputs.empty())
      complain("no image; 'spinc-sim --help' shows how to call it");
    else if (args.hasArg(OPT_bare)) {
      options.image = inputs.front();
      options.bareArguments = inputs;
    } else if (inputs.size() > 1)
      complain("'" + inputs[1] + "' is a second image after '" + inputs[0] +
               "'");
    else
      options.image = inputs.front();
  }

private:
  template <typename T> static uint64_t most() { return T(~T(0)); }

  const InputArgList &args;
  raw_ostream &errs;
};

} // namespace

std::optional<Options>
spinc::sim::parseOptions(ArrayRef<const char *> arguments, raw_ostream &errs) {
  OptionTable table;
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList args = table.ParseArgs(arguments, missingIndex, missingCount);
  OptionReader reader(args, errs);
  if (missingCount)
    reader.complain("'" + StringRef(args.getArgString(missingIndex)) +
                    "' needs a value");
  reader.unknown(table);
  if (reader.failed)
    return std::nullopt;
  Options options;
  if (args.hasArg(OPT_help) || args.hasArg(OPT_version)) {
    options.action = args.hasArg(OPT_help) ? Action::Help : Action::Version;
    return options;
  }
  reader.machine(options);
  if (options.action != Action::Run)
    return reader.failed ? std::nullopt : std::optional(options);
  reader.image(options);
  reader.text(OPT_pcap, "--pcap", options.pcap);
  reader.generate(options.generate);
  reader.text(OPT_packetsOut, "--packets-out", options.packetsOut);
  reader.text(OPT_out, "--out", options.out);
  reader.text(OPT_json, "--json", options.json);
  reader.text(OPT_traceJson, "--trace-json", options.traceJson);
  reader.text(OPT_profile, "--profile", options.profile);
  options.gdb = args.getLastArgValue(OPT_gdb).str();
  options.progress = args.hasArg(OPT_progress);
  reader.lineRate(options.lineRate);
  reader.number(OPT_repeat, "--repeat", 1, options.repeat);
  reader.number(OPT_packetsPerMessage, "--packets-per-message", 1,
                options.packetsPerMessage);
  uint64_t maxCycles = 0;
  reader.number(OPT_maxCycles, "--max-cycles", 1, maxCycles);
  if (maxCycles)
    options.maxCycles = maxCycles;
  reader.engine(options);
  reader.params(options.params);
  reader.hostRegions(options);
  options.trace = args.hasArg(OPT_trace);
  options.contention = args.hasArg(OPT_contention);
  options.checkAccesses = args.hasArg(OPT_check_accesses);
  if (args.hasArg(OPT_bare))
    options.action = Action::Bare;
  else if (args.hasArg(OPT_replay_witness))
    options.action = Action::Replay;
  else if (options.pcap.empty() && options.generate.empty() &&
           options.config.empty() && !reader.failed)
    reader.complain("no packets; --pcap=<file> names a capture, "
                    "--generate=<key>=<value>,... makes some");
  else if (!options.pcap.empty() && !options.generate.empty())
    reader.complain("packets come from --pcap or from --generate, not both");
  if (reader.failed)
    return std::nullopt;
  return options;
}

void spinc::sim::printHelp(raw_ostream &os) {
  OptionTable().printHelp(
      os, "spinc-sim [options] <image>.elf",
      "spinc-sim runs images of spinc on packets, on a simulated PsPIN card, "
      "and says what\ncame out and what it cost.");
  os << "\nEXAMPLES:\n"
        "  spinc-sim udp_echo.elf --pcap=in.pcap --out=out.pcap\n"
        "  spinc-sim strided.elf --pcap=in.pcap --set Strided.block=64 \\\n"
        "      --set Strided.stride=100 --set Strided.count=1024 \\\n"
        "      --host-out=memory.bin\n"
        "  spinc-sim --replay-witness rejected.spinc\n"
        "  spinc-sim plot run.json --out=run.svg\n"
        "\nEXIT STATUS:\n"
        "  0 success, 1 bad input, refused, or a handler was ended by a "
        "fault, 2 bad command line\n";
}
