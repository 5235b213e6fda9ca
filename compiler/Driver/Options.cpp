// Reads the command line with the table that TableGen makes of Options.td.
#include "compiler/Driver/Options.h"
#include "runtime/Support/BadValue.h"
#include "runtime/Support/UnknownOption.h"
#include "runtime/abi/pspin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#define SPINC_OPTIONS "compiler/Driver/Options.inc"
#include "runtime/Support/OptionTable.h"

using namespace llvm;
using namespace llvm::opt;
using namespace spinc;
using namespace spinc::driver;

namespace {

struct StageName {
  StringRef name;
  Stage stage;
};

constexpr StageName stageNames[] = {
    {"tokens", Stage::Tokens},
    {"ast", Stage::Ast},
    {"typed-ast", Stage::TypedAst},
    {"spin", Stage::Spin},
    {"spin-opt", Stage::SpinOpt},
    {"llvm-mlir", Stage::LlvmMlir},
    {"llvm", Stage::Llvm},
    {"asm", Stage::Asm},
    {"obj", Stage::Obj},
    {"elf", Stage::Elf},
    {"stubs", Stage::Stubs},
    {"report", Stage::Report},
    {"spin-bound", Stage::SpinBound},
};

/// Reports one mistake of the command line in one line.
class Complaint {
public:
  explicit Complaint(raw_ostream &os) : os(os) {}
  void operator()(const Twine &message) {
    os << "spinc: error: " << message << '\n';
    failed = true;
  }
  bool failed = false;

private:
  raw_ostream &os;
};

/// The candidate nearest to `word`, if it is near enough to be meant.
StringRef nearest(StringRef word, ArrayRef<StringRef> candidates) {
  StringRef best;
  unsigned bestDistance = 3;
  for (StringRef candidate : candidates) {
    unsigned distance = word.edit_distance(candidate, true, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

void complainAboutValue(Complaint &complain, StringRef option, StringRef value,
                        ArrayRef<StringRef> legal) {
  complain(describeBadValue(value, option, join(legal, ", "),
                            nearest(value, legal)));
}

void readEmit(const Arg &arg, Options &options, Complaint &complain) {
  SmallVector<StringRef> names;
  for (const StageName &entry : stageNames) {
    if (entry.name == arg.getValue()) {
      options.emit = entry.stage;
      return;
    }
    names.push_back(entry.name);
  }
  complainAboutValue(complain, "--emit", arg.getValue(), names);
}

void readDisabled(const InputArgList &args, Options &options,
                  Complaint &complain) {
  for (const std::string &name : args.getAllArgValues(OPT_disable)) {
    if (std::optional<backend::Ablation> what = backend::ablationOf(name))
      options.disabled.add(*what);
    else
      complainAboutValue(complain, "--disable", name, backend::ablationNames());
  }
}

void readReport(const Arg &arg, Options &options, Complaint &complain) {
  StringRef form = arg.getValue();
  if (form == "text")
    options.report = ReportFormat::Text;
  else if (form == "json")
    options.report = ReportFormat::Json;
  else if (form == "html")
    options.report = ReportFormat::Html;
  else
    complainAboutValue(complain, "--report", form, {"text", "json", "html"});
}

void readTarget(const Arg &arg, Options &options, Complaint &complain) {
  StringRef value = arg.getValue();
  if (std::optional<isa::InstructionSet> set =
          isa::instructionSetOf(value.str()))
    options.target = *set;
  else
    complainAboutValue(complain, "--target", value, {"pspin", "corev"});
}

/// A number of a range; `unit` is the suffix that may or must follow it.
void readNumber(const Arg &arg, StringRef option, StringRef suffix,
                unsigned low, unsigned high, unsigned &result,
                Complaint &complain) {
  StringRef text = arg.getValue();
  bool hasSuffix = text.consume_back(suffix);
  unsigned value;
  if (!hasSuffix || text.getAsInteger(10, value) || value < low ||
      value > high) {
    complain(describeBadValue(arg.getValue(), option,
                              "a number from " + Twine(low) + suffix + " to " +
                                  Twine(high) + suffix));
    return;
  }
  result = value;
}

void readInputs(const InputArgList &args, Options &options,
                Complaint &complain) {
  std::vector<std::string> inputs = args.getAllArgValues(OPT_INPUT);
  if (inputs.empty()) {
    complain("no source file; 'spinc --help' shows how to call the compiler");
    return;
  }
  if (inputs.size() > 1) {
    complain("'" + inputs[1] + "' is a second source file after '" + inputs[0] +
             "'; compile one file at a time and 'import' the "
             "others");
    return;
  }
  options.input = inputs.front();
  if (options.input.empty())
    complain("the name of the source file is empty");
}

void readCode(const InputArgList &args, Options &options, Complaint &complain) {
  if (const Arg *arg = args.getLastArg(OPT_emit))
    readEmit(*arg, options, complain);
  if (const Arg *arg = args.getLastArg(OPT_report))
    readReport(*arg, options, complain);
  const Arg *level = args.getLastArg(OPT_O0, OPT_O1, OPT_O2, OPT_O3, OPT_Os);
  options.forSize = level && level->getOption().matches(OPT_Os);
  if (level && !options.forSize)
    options.optLevel = level->getOption().getID() - OPT_O0;
  readDisabled(args, options, complain);
  disableForLevel(options);
  options.debugInfo = args.hasArg(OPT_g);
  options.emitRejected = args.hasArg(OPT_unsafeEmitRejected);
  if (options.emitRejected && options.emit == Stage::Stubs)
    complain("--unsafe-emit-rejected makes images for spinc-sim only; there is "
             "no host side for them");
  if (options.emitRejected && args.hasArg(OPT_Werror))
    complain("--unsafe-emit-rejected turns errors into warnings; -Werror does "
             "not go with it");
}

void readCard(const InputArgList &args, Options &options, Complaint &complain) {
  if (const Arg *arg = args.getLastArg(OPT_target))
    readTarget(*arg, options, complain);
  if (const Arg *arg = args.getLastArg(OPT_lineRate)) {
    readNumber(*arg, "--line-rate", "G", 1, 100000, options.lineRate, complain);
    options.lineRateGiven = true;
  }
  // Below 64 bytes no link layer works.
  if (const Arg *arg = args.getLastArg(OPT_mtu))
    readNumber(*arg, "--mtu", "", 64, PSPIN_MAX_PACKET_BYTES, options.mtu,
               complain);
  if (const Arg *arg = args.getLastArg(OPT_hpus))
    readNumber(*arg, "--hpus", "", 1, PSPIN_HPUS, options.hpus, complain);
  if (const Arg *arg = args.getLastArg(OPT_commandLatency))
    readNumber(*arg, "--command-latency", "", 0, 1000000000,
               options.commandLatency, complain);
}

void readBuildSystem(const InputArgList &args, Options &options,
                     Complaint &complain) {
  options.importDirs = args.getAllArgValues(OPT_importDir);
  options.writeDependencies = args.hasArg(OPT_MD);
  if (const Arg *arg = args.getLastArg(OPT_MF)) {
    options.dependencyFile = arg->getValue();
    if (!options.writeDependencies)
      complain("-MF needs -MD");
  }
  if (options.writeDependencies && options.dependencyFile.empty() &&
      !complain.failed) {
    SmallString<128> path(outputPath(options));
    if (path == "-")
      complain("-MD needs -MF or -o when the output is the standard output");
    sys::path::replace_extension(path, "d");
    options.dependencyFile = std::string(path);
  }
}

void readMessages(const InputArgList &args, Options &options,
                  Complaint &complain) {
  options.warningsAreErrors = args.hasArg(OPT_Werror);
  options.timeReport = args.hasArg(OPT_timeReport);
  options.verifyDiagnostics = args.hasArg(OPT_verifyDiagnostics);
  if (const Arg *arg = args.getLastArg(OPT_diagnostics)) {
    StringRef form = arg->getValue();
    if (form == "sarif")
      options.messageForm = MessageForm::Sarif;
    else if (form != "text")
      complainAboutValue(complain, "--diagnostics", form, {"text", "sarif"});
  }
  if (const Arg *arg = args.getLastArg(OPT_fix, OPT_fixEq)) {
    bool isPlain = arg->getOption().matches(OPT_fix);
    options.fix = isPlain ? FixMode::Write : FixMode::Dry;
    if (!isPlain && StringRef(arg->getValue()) != "dry")
      complainAboutValue(complain, "--fix", arg->getValue(), {"dry"});
  }
}

} // namespace

void spinc::driver::disableForLevel(Options &options) {
  if (options.forSize)
    options.disabled.add(backend::Ablation::UnrollLoops);
  if (options.forSize || options.optLevel == 0) {
    options.disabled.add(backend::Ablation::BudgetUnrolling);
    options.disabled.add(backend::Ablation::SplitPieces);
    options.disabled.add(backend::Ablation::SkipWords);
    options.disabled.add(backend::Ablation::WidenLoops);
  }
}

std::optional<Options> spinc::driver::parseOptions(ArrayRef<const char *> args,
                                                   raw_ostream &errs) {
  OptionTable table;
  Complaint complain(errs);
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList parsed = table.ParseArgs(args, missingIndex, missingCount);
  if (missingCount)
    complain("'" + StringRef(parsed.getArgString(missingIndex)) +
             "' needs a value");
  for (const Arg *arg : parsed.filtered(OPT_UNKNOWN))
    complain(describeUnknownOption(table, "spinc", arg->getAsString(parsed)));
  if (complain.failed)
    return std::nullopt;

  Options options;
  if (parsed.hasArg(OPT_help)) {
    options.action = Action::Help;
    return options;
  }
  if (parsed.hasArg(OPT_version)) {
    options.action = Action::Version;
    return options;
  }
  if (const Arg *arg = parsed.getLastArg(OPT_explain)) {
    options.action = Action::Explain;
    options.explainCode = arg->getValue();
    return options;
  }

  if (const Arg *arg = parsed.getLastArg(OPT_output)) {
    options.output = arg->getValue();
    if (options.output.empty())
      complain("the name of the output is empty");
  }
  readInputs(parsed, options, complain);
  readCode(parsed, options, complain);
  if (options.emit == Stage::Stubs && options.output == "-")
    complain("--emit=stubs writes two files; '-o <name>.c' names them");
  readCard(parsed, options, complain);
  readBuildSystem(parsed, options, complain);
  readMessages(parsed, options, complain);
  if (complain.failed)
    return std::nullopt;
  return options;
}

void spinc::driver::printHelp(raw_ostream &os) {
  OptionTable().printHelp(
      os, "spinc [options] <file>.spinc",
      "spinc compiles sPIN packet handlers for network cards. What compiles "
      "is memory-safe and\nfinishes within the cycles that the compiler "
      "states.");
  os << "\nEXAMPLES:\n"
        "  spinc udp_echo.spinc -o udp_echo.elf     the image for the card\n"
        "  spinc udp_echo.spinc --emit=stubs        the C code of the host\n"
        "  spinc udp_echo.spinc --emit=report       bounds, checks, memory\n"
        "  spinc --explain E0203                    what an error means\n"
        "\nEXIT STATUS:\n"
        "  0 success, 1 program rejected, 2 bad command line, 70 internal "
        "error\n";
}

std::string spinc::driver::outputPath(const Options &options) {
  if (!options.output.empty() && options.emit != Stage::Stubs)
    return options.output;
  if (options.emit == Stage::Stubs)
    return stubsBase(options) + ".c";
  if (options.emit != Stage::Elf && options.emit != Stage::Obj)
    return "-";
  SmallString<128> path(sys::path::filename(options.input));
  sys::path::replace_extension(path, options.emit == Stage::Elf ? "elf" : "o");
  return std::string(path);
}

std::string spinc::driver::stubsBase(const Options &options) {
  SmallString<128> path(options.output.empty()
                            ? sys::path::filename(options.input)
                            : StringRef(options.output));
  sys::path::replace_extension(path, "");
  return std::string(path);
}
