//===- Sim.cpp - The C interface ------------------------------------------===//
//
// Checks what callers pass, turns injected bytes into packets of messages and
// results into the structs of spinsim.h. The card itself is made at the first
// run, when everything that is installed is known.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/portals.h"
#include "runtime/sim/SimState.h"
#include "runtime/sim/config/Config.h"
#include "runtime/sim/traffic/Traffic.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace spinc::sim;
using llvm::formatv;

namespace {

constexpr uint32_t ethernetBytes = 14;
constexpr uint16_t typeIpv4 = 0x0800, typeIpv6 = 0x86dd;
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
  messages.clear();
  openMessages.clear();
  pending.clear();
  counted.clear();
  injected = toHost = taken = takenBytes = refused = 0;
  outputsTaken = outputBytesTaken = 0;
  lineTime = 0;
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

/// Finds the first installed context that takes the packet, and the packet as
/// that context sees it.
std::unique_ptr<Packet> SpinSim::classify(SpinSimLink link,
                                          const uint8_t *bytes, size_t size,
                                          Context *&context) {
  auto packet = std::make_unique<Packet>();
  uint16_t type = 0;
  if (link == SPINSIM_LINK_ETHERNET && size >= ethernetBytes)
    type = uint16_t(bytes[12] << 8 | bytes[13]);
  for (Context &candidate : installed) {
    SpinSimLink wanted = candidate.info->link;
    bool framed = link == SPINSIM_LINK_ETHERNET;
    bool carries =
        wanted == link ||
        (framed && wanted == SPINSIM_LINK_IP &&
         (type == typeIpv4 || type == typeIpv6)) ||
        (framed && wanted == SPINSIM_LINK_PORTALS && type == PORTALS_ETHERTYPE);
    uint32_t strip = framed && wanted != link ? ethernetBytes : 0;
    if (!carries || size <= strip)
      continue;
    packet->bytes.assign(bytes + strip, bytes + size);
    if (candidate.info->matches(packet->bytes)) {
      context = &candidate;
      return packet;
    }
  }
  packet->bytes.assign(bytes, bytes + size);
  return packet;
}

/// Makes the message's newest packet that waits its last one.
void SpinSim::endMessage(const Message &message) {
  for (auto packet = pending.rbegin(); packet != pending.rend(); ++packet)
    if ((*packet)->message == &message) {
      (*packet)->last = true;
      return;
    }
}

/// False if the packet is refused (msg-1): a message is as long as its first
/// packet says, and each packet's payload lies within it.
bool SpinSim::joinMessage(Packet &packet, Context &context) {
  if (context.info->link == SPINSIM_LINK_PORTALS) {
    PortalsHeader header;
    std::memcpy(&header, packet.bytes.data(), sizeof header);
    MessageKey key = {context.index, header.source, header.messageId};
    auto open = openMessages.find(key);
    bool isFirst = open == openMessages.end();
    bool isLast = header.flags & PORTALS_FLAG_EOM;
    uint32_t length = isFirst ? header.messageLength : open->second->length;
    uint64_t room = PORTALS_HEADER_BYTES + uint64_t(length) - header.offset;
    // The padding of a short frame is no payload.
    if (header.offset <= length && packet.bytes.size() > room &&
        packet.bytes.size() <= PORTALS_MIN_FRAME_BYTES - ethernetBytes)
      packet.bytes.resize(room);
    if (header.offset > length || packet.bytes.size() > room) {
      if (!isFirst && isLast) {
        endMessage(*open->second);
        openMessages.erase(open);
      }
      return false;
    }
    if (isFirst) {
      messages.push_back({});
      messages.back().context = &context;
      messages.back().length = header.messageLength;
      open = openMessages.emplace(key, &messages.back()).first;
    }
    packet.message = open->second;
    packet.last = isLast;
    if (isLast)
      openMessages.erase(open);
    return true;
  }
  auto &[message, count] = counted[&context];
  if (!message) {
    messages.push_back({});
    message = &messages.back();
    message->context = &context;
    count = 0;
  }
  packet.message = message;
  if (++count == config.packetsPerMessage) {
    packet.last = true;
    message = nullptr;
  }
  return true;
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

/// When the next packet may begin to arrive.
static double lineFree(const SpinSim &sim) {
  return std::max(sim.lineTime, double(sim.card ? sim.card->time : 0));
}

/// Queues a packet that begins to arrive at cycle `start`.
SpinSimStatus SpinSim::inject(SpinSimLink link, const uint8_t *bytes,
                              size_t size, double start) {
  uint64_t number = injected;
  Context *context = nullptr;
  std::unique_ptr<Packet> packet = classify(link, bytes, size, context);
  if (context && packet->bytes.size() > metadata.mtu)
    return fail(SPINSIM_BAD_PACKET,
                formatv("packet {0} has {1} bytes where {2} starts; the "
                        "image was compiled with --mtu={3}",
                        number, packet->bytes.size(), context->info->name,
                        metadata.mtu));
  packet->number = number;
  packet->arrival = uint64_t(std::ceil(start));
  lineTime = start + double(size) * 8 / config.lineRate *
                         config.machine.clockMhz / 1000;
  ++injected;
  if (config.packetQueued)
    config.packetQueued(config.user, link, bytes, size, packet->arrival);
  if (!context) {
    ++toHost;
    return succeed();
  }
  if (!joinMessage(*packet, *context)) {
    ++refused;
    return succeed();
  }
  ++taken;
  takenBytes += packet->bytes.size();
  pending.push_back(std::move(packet));
  return succeed();
}

SpinSimStatus spinSimInject(SpinSim *sim, SpinSimLink link, const void *bytes,
                            size_t size, uint64_t arrival) {
  if (!sim->loaded)
    return sim->fail(SPINSIM_WRONG_ORDER, "no image is loaded");
  if (size == 0 || !bytes)
    return sim->fail(SPINSIM_BAD_PACKET,
                     formatv("packet {0} is empty", sim->injected));
  double earliest = lineFree(*sim);
  if (arrival != SPINSIM_NEXT && double(arrival) < earliest)
    return sim->fail(SPINSIM_BAD_ARGUMENT,
                     formatv("packet {0} arrives before the one ahead of it",
                             sim->injected));
  return sim->inject(link, static_cast<const uint8_t *>(bytes), size,
                     arrival == SPINSIM_NEXT ? earliest : double(arrival));
}

SpinSimStatus spinSimGenerate(SpinSim *sim, const char *text,
                              const char *name) {
  if (!sim->loaded)
    return sim->fail(SPINSIM_WRONG_ORDER, "no image is loaded");
  std::vector<TrafficSpec> specs;
  std::string error;
  if (!readTraffic(text, name, specs, error))
    return sim->fail(SPINSIM_BAD_ARGUMENT, error);
  if (specs.empty())
    return sim->fail(SPINSIM_BAD_ARGUMENT,
                     std::string(name) + ": no table [[traffic]]");
  double cyclesPerNano = sim->config.machine.clockMhz / 1000;
  double begin = lineFree(*sim);
  for (TrafficPacket &made : makeTraffic(specs, sim->config.lineRate)) {
    // Freed packet by packet: what is queued is a copy.
    const TrafficPacket packet = std::move(made);
    double start =
        std::max(begin + packet.nanos * cyclesPerNano, lineFree(*sim));
    SpinSimStatus status = sim->inject(
        SPINSIM_LINK_ETHERNET, packet.bytes.data(), packet.bytes.size(), start);
    if (status != SPINSIM_OK)
      return status;
  }
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
  // The last packet of each message that the run counts ends it.
  for (auto &[context, open] : sim->counted) {
    for (auto packet = sim->pending.rbegin();
         open.first && packet != sim->pending.rend(); ++packet)
      if ((*packet)->message == open.first) {
        (*packet)->last = true;
        open.first = nullptr;
      }
  }
  bool ran = sim->card->run(std::move(sim->pending), cycle);
  sim->pending.clear();
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
  sim->messages.remove_if([](const Message &message) {
    return message.state == MessageState::Done;
  });
  return sim->succeed();
}
