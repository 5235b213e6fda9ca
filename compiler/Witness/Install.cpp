// See Install.h.
#include "compiler/Witness/Install.h"
#include "compiler/Wcet/SymbolSpace.h"
#include "runtime/abi/pspin.h"
#include "runtime/sim/Image.h"
#include <cstdlib>

using namespace llvm;
using namespace spinc;
using namespace spinc::witness;

/// Longer than any bound that a program should have.
static constexpr uint64_t kMaxCycles = 1ull << 32;

Expected<Program> Program::read(StringRef elf) {
  sim::Image image;
  std::string error;
  Program program;
  program.elf = elf;
  if (!image.read(elf.data(), elf.size(), error))
    return createStringError(error);
  program.isCorev = image.instructionSet() == isa::InstructionSet::Corev;
  if (image.metadata.empty())
    return createStringError("no image of spinc: it has no handlers to run");
  if (!sim::Metadata::read(image.metadata, program.metadata, error))
    return createStringError(error);
  return std::move(program);
}

Card::Card(const Program &program, uint32_t context, const Setting &setting,
           std::optional<Watch> watch)
    : watch(watch) {
  const sim::ContextInfo &info = program.metadata.contexts[context];
  link = info.link;
  SpinSimConfig config;
  spinSimDefaultConfig(&config);
  config.clusters = config.hpusPerCluster = 1;
  config.machine.corev = program.isCorev;
  // Runs are few and short: translating the code takes longer than they do.
  config.interpretOnly = 1;
  config.maxHandlerCycles = kMaxCycles;
  config.user = this;
  config.handlerRan = [](void *user, const SpinSimRunInfo *run) {
    static_cast<Card *>(user)->runs.push_back(*run);
  };
  if (watch)
    config.stepping = [](void *user, uint32_t pc, const uint32_t *registers) {
      (*static_cast<Card *>(user)->watch)(pc, registers);
    };
  sim.reset(spinSimCreate(&config));
  if (!check(spinSimLoad(sim.get(), program.elf.data(), program.elf.size())))
    return;
  for (const auto &[name, value] : setting.params)
    if (!check(spinSimSetParam(sim.get(), context, name.c_str(), value)))
      return;
  if (setting.hostBytes) {
    size_t rounded = (setting.hostBytes + PSPIN_HOST_ALIGNMENT - 1) /
                     PSPIN_HOST_ALIGNMENT * PSPIN_HOST_ALIGNMENT;
    // Zeros of the system: most handlers touch little of it.
    host.reset(
        static_cast<uint8_t *>(std::calloc(rounded + PSPIN_HOST_ALIGNMENT, 1)));
    if (!host) {
      problem = "not enough memory for the host region";
      return;
    }
  }
  auto start =
      alignTo(reinterpret_cast<uintptr_t>(host.get()), PSPIN_HOST_ALIGNMENT);
  check(spinSimInstall(sim.get(), context, nullptr, 0,
                       setting.hostBytes ? reinterpret_cast<void *>(start)
                                         : nullptr,
                       setting.hostBytes));
  if (!setting.state.empty())
    writeState(context, setting);
}

/// Start-up code has run by then: it clears the state.
void Card::writeState(uint32_t context, const Setting &setting) {
  if (!problem.empty() || !check(spinSimRun(sim.get())))
    return;
  for (const auto &[name, bytes] : setting.state) {
    uint32_t address = 0, size = 0;
    if (!check(spinSimFindState(sim.get(), context, name.c_str(), 0, &address,
                                &size)))
      return;
    if (bytes.size() > size) {
      problem = "more contents than state '" + name + "' holds";
      return;
    }
    if (!check(spinSimWrite(sim.get(), address, bytes.data(), bytes.size())))
      return;
  }
}

bool Card::check(SpinSimStatus status) {
  if (status != SPINSIM_OK && problem.empty())
    problem = spinSimLastError(sim.get());
  return status == SPINSIM_OK;
}

ArrayRef<SpinSimRunInfo> Card::run(ArrayRef<Packet> message) {
  runs.clear();
  if (!problem.empty())
    return runs;
  uint64_t first = injected;
  for (const Packet &packet : message) {
    if (!check(spinSimInject(sim.get(), link, packet.data(), packet.size(),
                             SPINSIM_NEXT)))
      return runs;
    ++injected;
  }
  if (!check(spinSimRun(sim.get())))
    return runs;
  SpinSimFault fault;
  if (spinSimFault(sim.get(), 0, &fault) == SPINSIM_OK)
    problem = fault.text;
  // Nobody takes what was sent; it would pile up.
  SpinSimOutput output;
  while (spinSimNextOutput(sim.get(), &output)) {
  }
  for (SpinSimRunInfo &run : runs)
    run.packet -= first;
  return runs;
}

/// u8 … u64, i8 … i64; 0: something else.
static unsigned bytesOfNumber(StringRef type) {
  unsigned bits = 0;
  if ((!type.consume_front("u") && !type.consume_front("i")) ||
      type.getAsInteger(10, bits))
    return 0;
  return bits / 8;
}

std::vector<StateField>
spinc::witness::freeFields(const sim::ContextInfo &context) {
  std::vector<StateField> fields;
  for (const sim::StateInfo &state : context.state) {
    unsigned element = bytesOfNumber(state.type);
    // What has a dot in its name is the compiler's own.
    if (state.isLock || state.isShared || element == 0 ||
        StringRef(state.name).contains('.'))
      continue;
    uint32_t cluster = state.homeCluster.value_or(0);
    uint32_t address = state.address;
    if (state.inL1)
      address += PSPIN_L1_BASE + cluster * PSPIN_L1_STRIDE;
    fields.push_back({state.name, address, state.size, element});
  }
  return fields;
}

std::vector<uint8_t> StateField::contents(const Setting &setting) const {
  std::vector<uint8_t> bytes;
  if (auto at = setting.state.find(name); at != setting.state.end())
    bytes = at->second;
  bytes.resize(size);
  return bytes;
}

static void put(std::vector<uint8_t> &bytes, size_t place, unsigned width,
                uint64_t value) {
  for (unsigned at = 0; at < width && place + at < bytes.size(); ++at)
    bytes[place + at] = uint8_t(value >> 8 * at);
}

void StateField::set(Setting &setting, uint32_t offset, uint64_t value) const {
  std::vector<uint8_t> bytes = contents(setting);
  put(bytes, offset / element * element, element, value);
  setting.state[name] = std::move(bytes);
}

void StateField::fill(Setting &setting, uint64_t value) const {
  std::vector<uint8_t> bytes(size);
  for (uint32_t place = 0; place < size; place += element)
    put(bytes, place, element, value);
  setting.state[name] = std::move(bytes);
}

bool spinc::witness::mayInstall(const sim::ContextInfo &context,
                                const Setting &setting) {
  sim::ConditionInputs inputs;
  inputs.clusters = PSPIN_CLUSTERS;
  for (const sim::ParamInfo &param : context.params) {
    auto at = setting.params.find(param.name);
    int64_t value = at == setting.params.end() ? 0 : at->second;
    inputs.params[param.name] =
        param.isSigned() ? __int128(value) : __int128(uint64_t(value));
  }
  for (const std::string &name : context.hosts)
    inputs.hostSizes[name] = setting.hostBytes;
  auto holds = [&](const json::Value &condition) {
    std::optional<__int128> value = sim::evaluate(condition, inputs);
    return value && *value != 0;
  };
  for (const sim::ParamInfo &param : context.params)
    if (!all_of(param.where, holds))
      return false;
  return all_of(context.contracts, [&](const sim::ContractInfo &contract) {
    return holds(contract.condition);
  });
}

SymbolValues spinc::witness::valuesOf(const sim::ContextInfo &context,
                                      const Setting &setting,
                                      const Packet &packet,
                                      const SymbolRanges &ranges) {
  SymbolValues values(setting.params.begin(), setting.params.end());
  // A packet that ends within its headers has no payload (bnd-11).
  values["p.length"] = packet.size() > context.headerBytes
                           ? int64_t(packet.size() - context.headerBytes)
                           : 0;
  for (const auto &entry : ranges)
    if (auto parts = wcet::splitQuotient(entry.first))
      if (values.count(parts->first) && values[parts->second] > 0)
        values[entry.first] = values[parts->first] / values[parts->second];
  return values;
}

std::optional<int64_t> spinc::witness::boundAt(const HandlerBound &bound,
                                               const sim::ContextInfo &context,
                                               const SymbolValues &at) {
  std::optional<int64_t> most;
  int64_t longer = int64_t(context.maxHeaderBytes) - context.headerBytes;
  auto length = at.find("p.length");
  if (length == at.end())
    return bound.evaluate(at);
  SymbolValues values = at;
  for (int64_t less = 0; less <= longer && less <= length->second; ++less) {
    values["p.length"] = length->second - less;
    for (const auto &[name, range] : bound.symbols)
      if (auto parts = wcet::splitQuotient(name))
        if (parts->first == "p.length" && values[parts->second] > 0)
          values[name] = values["p.length"] / values[parts->second];
    std::optional<int64_t> value = bound.evaluate(values);
    if (!value)
      return std::nullopt;
    most = std::max(most.value_or(*value), *value);
  }
  return most;
}
