//===- Replay.cpp - Witnesses of rejected programs, run -------------------===//
//
// The image carries the witnesses in its metadata. Each is tried with the fill
// patterns of WitnessPacket.h until the card ends a handler for a byte that is
// not its own; every try is a card of its own.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/Replay.h"
#include "runtime/abi/pspin.h"
#include "runtime/sim/Image.h"
#include "runtime/sim/tools/spinc-sim/Capture.h"
#include "runtime/sim/tools/spinc-sim/Common.h"
#include "runtime/sim/tools/spinc-sim/WitnessPacket.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>
#include <memory>

using namespace spinc::sim;
using namespace llvm;

namespace {

/// A witness that was shown.
struct Shown {
  SpinSimLink link;
  std::vector<uint8_t> packet;
  std::string fault;
};

class Replayer {
public:
  explicit Replayer(const Options &options) : options(options) {}
  int run(const std::string &executable);

private:
  bool compile(const std::string &executable, std::string &image);
  bool replay(const json::Object &rejected);
  std::optional<Shown> show(const json::Object &replay, int64_t line);
  std::optional<std::string> tryPacket(const ContextInfo &context,
                                       const ConditionInputs &inputs,
                                       const std::vector<uint8_t> &packet,
                                       int64_t line);
  bool writePackets();

  const Options &options;
  std::string image;
  Metadata metadata;
  std::vector<SentPacket> packets;
  /// The last fault in another line than the one looked for.
  std::string elsewhere;
};

/// Runs the compiler that is installed beside this program.
bool Replayer::compile(const std::string &executable, std::string &bytes) {
  SmallString<128> compiler(sys::path::parent_path(executable));
  sys::path::append(compiler, "spinc");
  SmallString<128> output;
  if (sys::fs::createTemporaryFile("spinc-replay", "elf", output)) {
    fail("cannot make a temporary file");
    return false;
  }
  FileRemover remover(output);
  std::string error;
  StringRef arguments[] = {compiler, options.image, "--unsafe-emit-rejected",
                           "-g",     "-o",          output};
  int status =
      sys::ExecuteAndWait(compiler, arguments, std::nullopt, {}, 0, 0, &error);
  if (status != 0) {
    fail(error.empty() ? "'" + options.image + "' gives no image to replay"
                       : "cannot run " + compiler + ": " + error);
    return false;
  }
  if (!readFile(std::string(output), bytes, error)) {
    fail(error);
    return false;
  }
  return true;
}

/// What the card says if it ends a handler of this run in source line `line`.
std::optional<std::string>
Replayer::tryPacket(const ContextInfo &context, const ConditionInputs &inputs,
                    const std::vector<uint8_t> &packet, int64_t line) {
  SpinSimConfig config;
  spinSimDefaultConfig(&config);
  config.checkAccesses = 1;
  config.runRejected = 1;
  std::unique_ptr<SpinSim, SimDeleter> sim(spinSimCreate(&config));
  if (spinSimLoad(sim.get(), image.data(), image.size()) != SPINSIM_OK)
    return std::nullopt;
  uint32_t index = spinSimFindContext(sim.get(), context.name.c_str());
  for (const auto &[name, value] : inputs.params)
    spinSimSetParam(sim.get(), index, name.c_str(), int64_t(value));
  uint64_t size = 0;
  for (const auto &[name, bytes] : inputs.hostSizes)
    size = uint64_t(bytes);
  uint64_t rounded = (size / PSPIN_HOST_ALIGNMENT + 1) * PSPIN_HOST_ALIGNMENT;
  std::unique_ptr<uint8_t, Free> host(static_cast<uint8_t *>(
      std::aligned_alloc(PSPIN_HOST_ALIGNMENT, rounded)));
  if (!host)
    return std::nullopt;
  std::fill_n(host.get(), rounded, uint8_t(0));
  if (spinSimInstall(sim.get(), index, nullptr, 0, host.get(), size) !=
          SPINSIM_OK ||
      spinSimInject(sim.get(), context.link, packet.data(), packet.size(),
                    SPINSIM_NEXT) != SPINSIM_OK ||
      spinSimRun(sim.get()) != SPINSIM_OK || !spinSimFaultCount(sim.get()))
    return std::nullopt;
  SpinSimFault fault;
  spinSimFault(sim.get(), 0, &fault);
  StringRef text = fault.text;
  if (!text.ends_with(":" + std::to_string(line))) {
    elsewhere = text.str();
    return std::nullopt;
  }
  return text.str();
}

std::optional<Shown> Replayer::show(const json::Object &replay, int64_t line) {
  StringRef name = replay.getString("context").value_or("");
  for (const ContextInfo &context : metadata.contexts) {
    if (context.name != name)
      continue;
    std::optional<ConditionInputs> inputs =
        findInstallation(context, replay, PSPIN_CLUSTERS);
    for (unsigned fill = 0; inputs && fill < fillPatterns; ++fill) {
      std::vector<uint8_t> packet =
          makeWitnessPacket(context, replay, metadata.mtu, fill);
      if (std::optional<std::string> fault =
              tryPacket(context, *inputs, packet, line))
        return Shown{context.link, std::move(packet), std::move(*fault)};
    }
  }
  return std::nullopt;
}

/// Prints one rejected place and what came of it.
bool Replayer::replay(const json::Object &rejected) {
  outs() << formatv("{0}:{1}:{2}: {3} [{4}]\n",
                    rejected.getString("file").value_or(""),
                    rejected.getInteger("line").value_or(0),
                    rejected.getInteger("column").value_or(0),
                    rejected.getString("message").value_or(""),
                    rejected.getString("code").value_or(""));
  const json::Object *replay = rejected.getObject("replay");
  if (!replay) {
    outs() << "  the prover has no witness to replay\n";
    return false;
  }
  elsewhere.clear();
  std::optional<Shown> shown =
      show(*replay, rejected.getInteger("line").value_or(0));
  if (!shown) {
    outs() << formatv("  none of {0} packets made this line leave the "
                      "handler's memory; an access\n  whose result nobody "
                      "uses is not compiled\n",
                      fillPatterns);
    if (!elsewhere.empty())
      outs() << "  elsewhere: " << elsewhere << '\n';
    return false;
  }
  constexpr size_t bytesShown = 48;
  ArrayRef<uint8_t> bytes(shown->packet);
  outs() << formatv("  packet of {0} bytes: {1}{2}\n", bytes.size(),
                    toHex(bytes.take_front(bytesShown), /*LowerCase=*/true),
                    bytes.size() > bytesShown ? "…" : "")
         << "  " << shown->fault << '\n';
  packets.push_back(
      {shown->link, std::move(shown->packet), packets.size() + 1, 0, 0});
  return true;
}

bool Replayer::writePackets() {
  std::string error;
  // The packets answer nothing; one Ethernet header stands for what they came
  // with.
  Input none;
  none.addresses.push_back({});
  if (options.out.empty() || writeCapture(options.out, none, packets, error))
    return true;
  fail(error);
  return false;
}

int Replayer::run(const std::string &executable) {
  std::string error;
  if (!readFile(options.image, image, error))
    return fail(error);
  if (!StringRef(image).starts_with("\x7f"
                                    "ELF") &&
      !compile(executable, image))
    return 1;
  Image elf;
  if (!elf.read(image.data(), image.size(), error) ||
      !Metadata::read(elf.metadata, metadata, error))
    return fail(options.image + ": " + error);
  if (!metadata.rejected)
    return fail(options.image + " was not made with --unsafe-emit-rejected");
  unsigned count = 0, shown = 0;
  for (const json::Value &entry : *metadata.rejected)
    if (const json::Object *rejected = entry.getAsObject()) {
      ++count;
      shown += replay(*rejected);
    }
  if (count == 0)
    outs() << "spinc accepts the program: there is no witness\n";
  else
    outs() << formatv("{0} of {1} rejected places shown to go wrong\n", shown,
                      count);
  return writePackets() && shown == count ? 0 : 1;
}

} // namespace

int spinc::sim::replayWitnesses(const Options &options,
                                const std::string &executable) {
  return Replayer(options).run(executable);
}
