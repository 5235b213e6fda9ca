//===- Sim.cpp - The C interface ------------------------------------------===//
//
// Checks what callers pass. The card itself is made at the first run, when
// everything that is installed is known. Packets come in in Injection.cpp,
// results go out in Results.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/SimState.h"
#include "runtime/sim/config/Config.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace spinc::sim;
using llvm::formatv;

namespace {

/// Host regions appear to the card at these addresses, by context.
constexpr uint64_t hostBase = 0x1000000000000000, hostStride = 1ull << 40;

/// The card's address of a context's region: as far up as it may lie, below a
/// multiple of PSPIN_HOST_WINDOW, where additions that overflow show.
static uint64_t hostAddressOf(uint32_t context, uint64_t size) {
  uint64_t first =
      llvm::alignDown(PSPIN_HOST_WINDOW - size, PSPIN_HOST_ALIGNMENT);
  return hostBase + context * hostStride + first;
}

} // namespace

void SpinSim::forgetRun() {
  card.reset();
  installed.clear();
  arrivals = std::make_unique<Arrivals>(config, installed);
}

static __int128 readParam(const ParamInfo &param,
                          const std::vector<uint8_t> &block) {
  uint64_t value = 0;
  std::memcpy(&value, block.data() + param.offset, param.bytes());
  unsigned unused = 64 - 8 * param.bytes();
  if (param.isSigned())
    return int64_t(value << unused) >> unused;
  return value;
}

/// Fills a parameter block. Fails if a value does not fit its type.
bool SpinSim::makeParams(const ContextInfo &info,
                         const std::map<std::string, int64_t> &values,
                         std::vector<uint8_t> &block) {
  block.assign(info.paramsSize, 0);
  for (const ParamInfo &param : info.params) {
    auto found = values.find(param.name);
    int64_t value = found == values.end() ? 0 : found->second;
    std::memcpy(block.data() + param.offset, &value, param.bytes());
    bool wide = param.bytes() == 8;
    bool fits = wide || readParam(param, block) == value;
    if (param.type == "bool")
      fits = value == 0 || value == 1;
    if (!fits) {
      error = formatv("{0}.{1} = {2} does not fit its type {3}", info.name,
                      param.name, value, param.type);
      return false;
    }
  }
  return true;
}

SpinSimStatus SpinSim::checkConditions(const ContextInfo &info,
                                       const std::vector<uint8_t> &block,
                                       uint64_t hostSize) {
  ConditionInputs inputs;
  inputs.clusters = PSPIN_CLUSTERS;
  for (const ParamInfo &param : info.params)
    inputs.params[param.name] = readParam(param, block);
  for (const std::string &host : info.hosts)
    inputs.hostSizes[host] = hostSize;
  auto holds = [&](const llvm::json::Value &condition) {
    std::optional<__int128> value = evaluate(condition, inputs);
    return value && *value != 0;
  };
  for (const ParamInfo &param : info.params)
    for (const llvm::json::Value &condition : param.where)
      if (!holds(condition))
        return fail(SPINSIM_REFUSED,
                    formatv("{0}: parameter '{1}' violates its 'where': {2}",
                            info.name, param.name,
                            describeInputs(condition, inputs)));
  for (const ContractInfo &contract : info.contracts)
    if (!holds(contract.condition))
      return fail(SPINSIM_REFUSED,
                  formatv("{0}: contract '{1}' is violated: {2}", info.name,
                          contract.text,
                          describeInputs(contract.condition, inputs)));
  return SPINSIM_OK;
}

/// Makes the card, writes the parameters and runs start-up code.
SpinSimStatus SpinSim::bootCard() {
  card = std::make_unique<Card>(config, image, debugger.get());
  card->hasLocks = metadata.hasLocks();
  card->engines.hostWritten = [this](const Context &context, uint64_t offset,
                                     uint64_t size, uint64_t cycle) {
    if (config.hostWritten)
      config.hostWritten(config.user, context.index, offset, size, cycle);
  };
  for (const Context &context : installed) {
    if (context.params.empty())
      continue;
    uint8_t *place =
        card->memory.find(context.info->paramsAddress, context.params.size());
    if (!place)
      return fail(SPINSIM_BAD_IMAGE, "the parameters of " + context.info->name +
                                         " are in no memory of the card");
    std::copy(context.params.begin(), context.params.end(), place);
  }
  return card->boot() ? SPINSIM_OK : fail(SPINSIM_BAD_IMAGE, card->error());
}

void spinSimDefaultConfig(SpinSimConfig *config) {
  *config = {};
  applyPreset("pspin", *config);
}

SpinSimStatus spinSimPreset(SpinSimConfig *config, const char *preset) {
  return applyPreset(preset, *config) ? SPINSIM_OK : SPINSIM_BAD_ARGUMENT;
}

/// Copies what fits, with a closing zero.
static void copyText(const std::string &from, char *to, size_t size) {
  if (size == 0)
    return;
  size_t length = std::min(from.size(), size - 1);
  std::memcpy(to, from.data(), length);
  to[length] = 0;
}

SpinSimStatus spinSimReadConfig(SpinSimConfig *config, const char *text,
                                const char *name, char *error,
                                size_t errorSize) {
  std::string reason;
  if (readConfig(text, name, *config, reason))
    return SPINSIM_OK;
  copyText(reason, error, error ? errorSize : 0);
  return SPINSIM_BAD_ARGUMENT;
}

size_t spinSimPrintConfig(const SpinSimConfig *config, char *text,
                          size_t size) {
  std::string whole = printConfig(*config);
  copyText(whole, text, size);
  return whole.size();
}

const SpinSimConfig *spinSimGetConfig(const SpinSim *sim) {
  return &sim->config;
}

SpinSim *spinSimCreate(const SpinSimConfig *config) {
  SpinSim *sim = new SpinSim;
  if (config)
    sim->config = *config;
  else
    spinSimDefaultConfig(&sim->config);
  auto limit = [](uint32_t &value, uint32_t most) {
    value = std::clamp<uint32_t>(value, 1, most);
  };
  limit(sim->config.clusters, PSPIN_CLUSTERS);
  limit(sim->config.hpusPerCluster, PSPIN_HPUS_PER_CLUSTER);
  SpinSimConfig standard;
  spinSimDefaultConfig(&standard);
  if (!(sim->config.lineRate > 0))
    sim->config.lineRate = standard.lineRate;
  if (sim->config.machine.clockMhz == 0)
    sim->config.machine = standard.machine;
  return sim;
}

void spinSimDestroy(SpinSim *sim) { delete sim; }

const char *spinSimLastError(const SpinSim *sim) { return sim->error.c_str(); }

SpinSimStatus spinSimLoad(SpinSim *sim, const void *image, size_t size) {
  sim->forgetRun();
  sim->loaded = false;
  sim->params.clear();
  sim->metadata = Metadata();
  Image read;
  std::string error;
  if (!image || !read.read(image, size, error))
    return sim->fail(SPINSIM_BAD_IMAGE, image ? error : "no image given");
  if (read.metadata.empty())
    return sim->fail(SPINSIM_BAD_IMAGE,
                     "the ELF file has no section .spin.meta; it was not made "
                     "by spinc");
  Metadata metadata;
  if (!Metadata::read(read.metadata, metadata, error) ||
      !Card::checkImage(read, metadata, sim->config.machine, error))
    return sim->fail(SPINSIM_BAD_IMAGE, error);
  if (metadata.rejected && !sim->config.runRejected)
    return sim->fail(SPINSIM_BAD_IMAGE,
                     "the image was made with --unsafe-emit-rejected; only "
                     "--replay-witness runs it");
  for (const ContextInfo &context : metadata.contexts)
    for (const HandlerInfo &handler : context.handlers)
      if (!read.symbols.count(handler.symbol))
        return sim->fail(SPINSIM_BAD_IMAGE,
                         "the image has no symbol '" + handler.symbol + "'");
  sim->image = std::move(read);
  sim->metadata = std::move(metadata);
  sim->params.resize(sim->metadata.contexts.size());
  sim->loaded = true;
  return sim->succeed();
}

uint32_t spinSimContextCount(const SpinSim *sim) {
  return sim->metadata.contexts.size();
}

const char *spinSimContextName(const SpinSim *sim, uint32_t context) {
  return context < spinSimContextCount(sim)
             ? sim->metadata.contexts[context].name.c_str()
             : "";
}

uint32_t spinSimFindContext(const SpinSim *sim, const char *name) {
  uint32_t context = 0;
  while (context < spinSimContextCount(sim) &&
         sim->metadata.contexts[context].name != name)
    ++context;
  return context;
}

uint32_t spinSimMtu(const SpinSim *sim) { return sim->metadata.mtu; }

SpinSimStatus spinSimSetParam(SpinSim *sim, uint32_t context, const char *param,
                              int64_t value) {
  if (context >= spinSimContextCount(sim))
    return sim->fail(SPINSIM_BAD_ARGUMENT, "no such context");
  const ContextInfo &info = sim->metadata.contexts[context];
  for (const ParamInfo &known : info.params)
    if (known.name == param) {
      sim->params[context][param] = value;
      return sim->succeed();
    }
  return sim->fail(SPINSIM_BAD_ARGUMENT,
                   formatv("{0} has no parameter '{1}'", info.name, param));
}

SpinSimStatus spinSimInstall(SpinSim *sim, uint32_t context, const void *params,
                             size_t paramsSize, void *host, uint64_t hostSize) {
  if (context >= spinSimContextCount(sim))
    return sim->fail(SPINSIM_BAD_ARGUMENT, "no such context");
  if (sim->card)
    return sim->fail(SPINSIM_WRONG_ORDER,
                     "contexts are installed before the card runs");
  const ContextInfo &info = sim->metadata.contexts[context];
  for (const Context &other : sim->installed)
    if (other.index == context)
      return sim->fail(SPINSIM_WRONG_ORDER, info.name + " is installed");
  std::vector<uint8_t> block;
  if (params) {
    if (paramsSize != info.paramsSize)
      return sim->fail(SPINSIM_BAD_ARGUMENT,
                       formatv("the parameters of {0} are {1} bytes, not {2}",
                               info.name, info.paramsSize, paramsSize));
    const uint8_t *bytes = static_cast<const uint8_t *>(params);
    block.assign(bytes, bytes + paramsSize);
  } else if (!sim->makeParams(info, sim->params[context], block)) {
    return SPINSIM_REFUSED;
  }
  if (!host && hostSize)
    return sim->fail(SPINSIM_BAD_ARGUMENT, "the host region is NULL");
  if (reinterpret_cast<uintptr_t>(host) % PSPIN_HOST_ALIGNMENT)
    return sim->fail(SPINSIM_REFUSED,
                     formatv("the host region of {0} is not aligned to {1} "
                             "bytes",
                             info.name, PSPIN_HOST_ALIGNMENT));
  SpinSimStatus status = sim->checkConditions(info, block, hostSize);
  if (status != SPINSIM_OK)
    return status;
  Context installed;
  installed.index = context;
  installed.info = &info;
  for (const HandlerInfo &handler : info.handlers)
    installed.functions[handler.kind] = sim->image.symbols[handler.symbol];
  installed.host = static_cast<uint8_t *>(host);
  installed.hostSize = hostSize;
  installed.hostAddress = hostAddressOf(context, hostSize);
  installed.params = std::move(block);
  sim->installed.push_back(std::move(installed));
  return sim->succeed();
}

SpinSimStatus spinSimDebug(SpinSim *sim, const char *address, uint16_t *port) {
  if (sim->card)
    return sim->fail(SPINSIM_WRONG_ORDER,
                     "a debugger is there before the card runs");
  auto server = std::make_unique<GdbServer>();
  std::string error;
  uint16_t taken;
  if (!server->open(address, taken, error))
    return sim->fail(SPINSIM_BAD_ARGUMENT, error);
  if (port)
    *port = taken;
  sim->debugger = std::move(server);
  return sim->succeed();
}

SpinSimStatus spinSimRun(SpinSim *sim) {
  return spinSimRunUntil(sim, UINT64_MAX, nullptr);
}

SpinSimStatus spinSimRunUntil(SpinSim *sim, uint64_t cycle, int *done) {
  if (!sim->loaded)
    return sim->fail(SPINSIM_WRONG_ORDER, "no image is loaded");
  if (!sim->card) {
    SpinSimStatus status = sim->bootCard();
    if (status != SPINSIM_OK) {
      sim->card.reset();
      return status;
    }
  }
  sim->arrivals->endCounted();
  bool ran = sim->card->run(*sim->arrivals, cycle);
  if (done)
    *done = sim->card->isDone();
  if (sim->debugger && (!ran || sim->card->isDone()))
    sim->debugger->onEnd();
  if (!ran)
    return sim->fail(SPINSIM_BAD_IMAGE, sim->card->error());
  if (!sim->card->isDone())
    return sim->succeed();
  if (uint64_t stuck = sim->card->stuckPackets())
    return sim->fail(SPINSIM_BAD_PACKET,
                     formatv("{0} packets wait for ever: all {1} message "
                             "queues belong to messages without a last packet",
                             stuck, sim->config.machine.messageQueues));
  return sim->succeed();
}
