//===- main.cpp - The tool spinc-sim --------------------------------------===//
//
// Reads image and packets, runs them through the C interface of the
// simulator, and writes what came out. Nothing is written before everything
// has been read and run.
//
//===----------------------------------------------------------------------===//
#include "runtime/Support/StandardOutput.h"
#include "runtime/abi/pspin.h"
#include "runtime/sim/Bare.h"
#include "runtime/sim/config/Config.h"
#include "runtime/sim/tools/spinc-sim/Capture.h"
#include "runtime/sim/tools/spinc-sim/ChromeTrace.h"
#include "runtime/sim/tools/spinc-sim/Common.h"
#include "runtime/sim/tools/spinc-sim/Options.h"
#include "runtime/sim/tools/spinc-sim/Plot.h"
#include "runtime/sim/tools/spinc-sim/ProfileReport.h"
#include "runtime/sim/tools/spinc-sim/Progress.h"
#include "runtime/sim/tools/spinc-sim/Replay.h"
#include "runtime/sim/tools/spinc-sim/Report.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace spinc::sim;
using namespace llvm;

namespace {

constexpr uint64_t defaultHostBytes = 1 << 20;
constexpr uint64_t faultsShown = 10;

void printTrace(void *, const char *line) { errs() << line << '\n'; }

/// One run of an image on a card.
class Session {
public:
  explicit Session(const Options &options) : options(options) {}
  int run();

private:
  bool load();
  bool checkNames();
  bool setParams();
  bool install();
  bool generate();
  bool inject();
  static void keep(void *user, SpinSimLink link, const void *bytes, size_t size,
                   uint64_t cycle);
  uint64_t nanos(uint64_t cycle) const {
    return uint64_t(double(cycle) * 1000 /
                    spinSimGetConfig(sim.get())->machine.clockMhz);
  }
  bool writeResults();
  bool failWith(const Twine &message) {
    fail(message);
    return false;
  }
  bool knows(const std::string &context) const {
    return context.empty() || spinSimFindContext(sim.get(), context.c_str()) !=
                                  spinSimContextCount(sim.get());
  }

  const Options &options;
  std::unique_ptr<SpinSim, SimDeleter> sim;
  ChromeTrace chromeTrace;
  Progress progress;
  Capture capture;
  Input input;                     // if the card's packets are wanted
  std::vector<SentPacket> arrived; // if they are
  struct HostRegion {
    std::unique_ptr<uint8_t, Free> memory;
    uint64_t size = 0;
  };
  std::vector<HostRegion> regions; // by context
};

/// The machine of the command line; false after saying what is wrong.
bool readMachine(const Options &options, SpinSimConfig &config) {
  std::string text, error;
  spinSimDefaultConfig(&config);
  applyPreset(options.preset, config);
  if (!options.config.empty() &&
      (!readFile(options.config, text, error) ||
       !readConfig(text, options.config, config, error))) {
    fail(error);
    return false;
  }
  if (options.lineRate)
    config.lineRate = *options.lineRate;
  if (options.isa)
    config.machine.corev = *options.isa == spinc::isa::InstructionSet::Corev;
  return true;
}

bool Session::load() {
  std::string image, error;
  if (!readFile(options.image, image, error))
    return failWith(error);
  SpinSimConfig config;
  if (!readMachine(options, config))
    return false;
  config.packetsPerMessage = options.packetsPerMessage;
  if (options.maxCycles)
    config.maxHandlerCycles = *options.maxCycles;
  config.contention = options.contention;
  config.checkAccesses = options.checkAccesses;
  config.interpretOnly = options.engine.kind == EngineKind::Simple;
  config.translateAfter = options.engine.threshold;
  if (options.trace)
    config.trace = printTrace;
  // What nobody asks for is not kept.
  config.sent =
      options.out.empty() ? [](void *, const SpinSimOutput *) {} : nullptr;
  if (!options.out.empty() || !options.packetsOut.empty())
    config.packetQueued = keep;
  if (!options.traceJson.empty()) {
    if (!chromeTrace.open(options.traceJson, error))
      return failWith(error);
    config.event = [](void *user, const SpinSimEvent *event) {
      auto &session = *static_cast<Session *>(user);
      session.chromeTrace.add(session.sim.get(), *event);
    };
  }
  config.profile = !options.profile.empty();
  if (progress.isWanted(options.progress))
    config.progress = [](void *user, uint64_t done, uint64_t all) {
      static_cast<Session *>(user)->progress.show(done, all);
    };
  config.user = this;
  sim.reset(spinSimCreate(&config));
  if (spinSimLoad(sim.get(), image.data(), image.size()) != SPINSIM_OK)
    return failWith(options.image + ": " + spinSimLastError(sim.get()));
  if (!options.pcap.empty() && !capture.open(options.pcap, error))
    return failWith(error);
  return true;
}

/// Options may only name contexts that the image has.
bool Session::checkNames() {
  for (const auto &[context, size] : options.hostSizes)
    if (!knows(context))
      return failWith("--host-size: " + options.image + " has no context '" +
                      context + "'");
  for (const auto &[context, file] : options.hostOut)
    if (!knows(context))
      return failWith("--host-out: " + options.image + " has no context '" +
                      context + "'");
  return true;
}

bool Session::setParams() {
  for (const ParamSetting &setting : options.params) {
    if (!knows(setting.context))
      return failWith("--set: " + options.image + " has no context '" +
                      setting.context + "'");
    uint32_t context = spinSimFindContext(sim.get(), setting.context.c_str());
    if (spinSimSetParam(sim.get(), context, setting.param.c_str(),
                        setting.value) != SPINSIM_OK)
      return failWith(Twine("--set: ") + spinSimLastError(sim.get()));
  }
  return true;
}

bool Session::install() {
  uint32_t count = spinSimContextCount(sim.get());
  regions.resize(count);
  for (uint32_t context = 0; context < count; ++context) {
    HostRegion &region = regions[context];
    auto given = options.hostSizes.find(spinSimContextName(sim.get(), context));
    if (given == options.hostSizes.end())
      given = options.hostSizes.find("");
    region.size =
        given == options.hostSizes.end() ? defaultHostBytes : given->second;
    uint64_t rounded =
        (region.size / PSPIN_HOST_ALIGNMENT + 1) * PSPIN_HOST_ALIGNMENT;
    region.memory.reset(static_cast<uint8_t *>(
        std::aligned_alloc(PSPIN_HOST_ALIGNMENT, rounded)));
    if (!region.memory)
      return failWith(
          formatv("no memory for a host region of {0} bytes", region.size)
              .str());
    std::fill_n(region.memory.get(), rounded, uint8_t(0));
    if (spinSimInstall(sim.get(), context, nullptr, 0, region.memory.get(),
                       region.size) != SPINSIM_OK)
      return failWith(spinSimLastError(sim.get()));
  }
  return true;
}

/// Keeps what arrives, for --packets-out, or whom the card's packets answer.
void Session::keep(void *user, SpinSimLink link, const void *bytes, size_t size,
                   uint64_t cycle) {
  auto &session = *static_cast<Session *>(user);
  const auto *begin = static_cast<const uint8_t *>(bytes);
  session.input.link = link;
  if (!session.options.packetsOut.empty())
    session.arrived.push_back({link, std::vector<uint8_t>(begin, begin + size),
                               session.nanos(cycle), 0,
                               session.arrived.size()});
  if (session.options.out.empty())
    return;
  auto &addresses = session.input.addresses;
  addresses.push_back({});
  std::copy_n(begin, std::min(size, addresses.back().size()),
              addresses.back().begin());
}

bool Session::generate() {
  std::string text = options.generate, name = "--generate", error;
  if (text.empty()) {
    name = options.config;
    if (!readFile(name, text, error))
      return failWith(error);
  }
  if (spinSimGenerate(sim.get(), text.c_str(), name.c_str()) != SPINSIM_OK)
    return failWith(spinSimLastError(sim.get()));
  return true;
}

bool Session::inject() {
  if (options.pcap.empty())
    return generate();
  const SpinSimFeed feed = capture.feed(options.repeat);
  if (spinSimInjectAll(sim.get(), &feed) != SPINSIM_OK)
    return failWith(options.pcap + ": " + spinSimLastError(sim.get()));
  return true;
}

bool Session::writeResults() {
  std::string error;
  if (!options.out.empty()) {
    std::vector<SentPacket> sent;
    SpinSimOutput output;
    while (spinSimNextOutput(sim.get(), &output))
      sent.push_back(
          {output.link,
           std::vector<uint8_t>(output.bytes, output.bytes + output.size),
           nanos(output.cycle), output.destination, output.packet});
    if (!writeCapture(options.out, input, sent, error))
      return failWith(error);
  }
  if (!options.packetsOut.empty() &&
      !writeCapture(options.packetsOut, input, arrived, error))
    return failWith(error);
  for (const auto &[context, file] : options.hostOut) {
    uint32_t index =
        context.empty() ? 0 : spinSimFindContext(sim.get(), context.c_str());
    if (context.empty() && regions.size() != 1)
      return failWith("--host-out: the image has several contexts; write "
                      "--host-out=<context>=<file>");
    const HostRegion &region = regions[index];
    StringRef bytes(reinterpret_cast<const char *>(region.memory.get()),
                    region.size);
    if (!writeFile(file, bytes, error))
      return failWith(error);
  }
  if (!options.traceJson.empty() && !chromeTrace.close(sim.get(), error))
    return failWith(error);
  if (!options.profile.empty() &&
      !writeProfile(sim.get(), options.profile, error))
    return failWith(error);
  if (!options.json.empty() &&
      !writeFile(options.json, spinSimReport(sim.get()), error))
    return failWith(error);
  return true;
}

int Session::run() {
  if (!load() || !checkNames() || !setParams() || !install() || !inject())
    return exitBadInput;
  if (!options.gdb.empty()) {
    uint16_t port;
    if (spinSimDebug(sim.get(), options.gdb.c_str(), &port) != SPINSIM_OK)
      return fail(spinSimLastError(sim.get()));
    if (options.gdb != "-")
      errs() << "spinc-sim: waiting for GDB: target remote :" << port << '\n';
  }
  SpinSimStatus status = spinSimRun(sim.get());
  progress.end();
  if (status != SPINSIM_OK)
    return fail(options.image + ": " + spinSimLastError(sim.get()));
  uint64_t faults = spinSimFaultCount(sim.get());
  for (uint64_t i = 0; i < faults && i < faultsShown; ++i) {
    SpinSimFault fault;
    spinSimFault(sim.get(), i, &fault);
    errs() << "spinc-sim: fault: " << fault.text << '\n';
  }
  if (faults > faultsShown)
    errs() << "spinc-sim: fault: " << faults - faultsShown << " more\n";
  if (!writeResults())
    return exitBadInput;
  // With a debugger on it, the standard output is not for people.
  printReport(sim.get(), options.gdb == "-" ? errs() : outs());
  return faults ? exitBadInput : 0;
}

int runBareProgram(const Options &options) {
  std::string file, error, output, trace;
  if (!readFile(options.image, file, error))
    return fail(error);
  Image image;
  if (!image.read(file.data(), file.size(), error))
    return fail(options.image + ": " + error);
  BareOptions bare;
  bare.set = options.isa.value_or(image.instructionSet());
  bare.engine = options.engine;
  bare.maxInstructions = options.maxInstructions;
  bare.arguments = options.bareArguments;
  if (options.maxCycles)
    bare.maxCycles = *options.maxCycles;
  if (options.trace)
    bare.trace = &trace;
  BareResult result = runBare(image, bare, output);
  errs() << trace;
  outs() << output;
  outs().flush();
  errs() << result.instructions << " instructions";
  if (options.engine.kind != EngineKind::Functional)
    errs() << ", " << result.cycles << " cycles";
  errs() << '\n';
  if (!result.exited)
    return fail(options.image + ": " + result.error);
  return result.status;
}

std::string executableOf(const char *program) {
  // Only its address counts, to find the executable.
  static const int anchor = 0;
  return sys::fs::getMainExecutable(program, const_cast<int *>(&anchor));
}

int runAction(const Options &options, const char *program) {
  switch (options.action) {
  case Action::Help:
    printHelp(outs());
    return 0;
  case Action::Version:
    outs() << "spinc-sim " SPINC_VERSION "\n";
    return 0;
  case Action::PrintConfig: {
    SpinSimConfig config;
    if (!readMachine(options, config))
      return exitBadInput;
    outs() << printConfig(config);
    return 0;
  }
  case Action::PrintSchema:
    outs() << configSchema();
    return 0;
  case Action::Bare:
    return runBareProgram(options);
  case Action::Replay:
    return replayWitnesses(options, executableOf(program));
  case Action::Run:
    return Session(options).run();
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  if (argc > 1 && StringRef(argv[1]) == "plot") {
    std::string error;
    int status = runPlot(ArrayRef<const char *>(argv + 2, argv + argc),
                         executableOf(argv[0]), error);
    return error.empty() ? status : fail(error);
  }
  std::optional<Options> options =
      parseOptions(ArrayRef<const char *>(argv + 1, argv + argc), errs());
  if (!options)
    return exitBadCommandLine;
  int status = runAction(*options, argv[0]);
  std::optional<std::string> unwritten = spinc::finishStandardOutput();
  return unwritten ? fail(*unwritten) : status;
}
