// One simulator and one reference machine per run.
#include "test/Fuzz/Compare.h"
#include "runtime/abi/portals.h"
#include "runtime/abi/pspin.h"
#include "runtime/sim/spinsim.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <set>

using namespace spinc;
using namespace spinc::fuzz;
using llvm::formatv;

namespace {

struct SimDeleter {
  void operator()(SpinSim *sim) const { spinSimDestroy(sim); }
};

const char *kindName(SpinSimHandlerKind kind) {
  const char *const names[] = {"header", "payload", "completion"};
  return names[kind];
}

sema::HandlerKind kindOf(SpinSimHandlerKind kind) {
  return kind == SPINSIM_HEADER    ? sema::HandlerKind::Header
         : kind == SPINSIM_PAYLOAD ? sema::HandlerKind::Payload
                                   : sema::HandlerKind::Completion;
}

/// A machine as `inputs` install it.
reference::Machine machineFor(const Inputs &inputs) {
  reference::Machine machine(*inputs.context, PSPIN_CLUSTERS, PSPIN_HPUS,
                             inputs.hostBytes);
  machine.host.bytes = inputs.host;
  for (const auto &[name, value] : inputs.params) {
    const sema::StateField *field =
        inputs.context->findState(std::string_view(name));
    const auto *type = dynAs<IntType>(field->type);
    machine.params[field->decl] = type && !type->isSigned
                                      ? reference::Number(uint64_t(value))
                                      : reference::Number(value);
  }
  return machine;
}

std::string describe(const reference::Violation &violation) {
  LineColumn place =
      violation.range.isValid()
          ? violation.range.file->lineColumn(violation.range.begin)
          : LineColumn();
  return formatv("{0}: {1}, line {2}:{3}", violation.rule, violation.message,
                 place.line, place.column);
}

class Comparison {
public:
  Comparison(const Program &program, const Inputs &inputs, Counts &counts)
      : program(program), inputs(inputs), counts(counts),
        machine(machineFor(inputs)) {}

  Failure run();

private:
  Failure simulate();
  Failure replay();
  Failure checkRun(const SpinSimRunInfo &run);
  /// `length`: of the payload.
  Failure checkBound(const SpinSimRunInfo &run, uint64_t length);
  Failure checkSent(const reference::Sent &sent, const std::string &where);
  Failure checkState();
  uint32_t addressOf(const sema::StateField &field, unsigned number,
                     uint32_t &size);
  std::string name(const SpinSimRunInfo &run) const {
    return formatv("{0} handler, packet {1}", kindName(run.kind), run.packet);
  }

  const Program &program;
  const Inputs &inputs;
  Counts &counts;
  reference::Machine machine;
  std::unique_ptr<SpinSim, SimDeleter> sim;
  uint32_t context = 0;
  uint8_t *host = nullptr;
  std::unique_ptr<uint8_t, decltype(&std::free)> hostMemory{nullptr, std::free};
  std::vector<SpinSimRunInfo> runs;
  bool compares = true; // the reference has all that the program uses
};

Failure Comparison::simulate() {
  SpinSimConfig config;
  spinSimDefaultConfig(&config);
  config.packetsPerMessage = inputs.packetsPerMessage;
  config.clusters = inputs.clusters;
  config.checkAccesses = 1;
  config.machine.corev = program.target() == isa::InstructionSet::Corev;
  // Loops in loops over packets may take long.
  config.maxHandlerCycles = 50000000;
  config.user = &runs;
  config.handlerRan = [](void *user, const SpinSimRunInfo *run) {
    static_cast<std::vector<SpinSimRunInfo> *>(user)->push_back(*run);
  };
  sim.reset(spinSimCreate(&config));
  auto failed = [&](SpinSimStatus status) {
    return status == SPINSIM_OK ? Failure()
                                : Failure(std::string("simulator: ") +
                                          spinSimLastError(sim.get()));
  };
  if (Failure failure = failed(spinSimLoad(sim.get(), program.image().data(),
                                           program.image().size())))
    return failure;
  context = spinSimFindContext(sim.get(), inputs.context->name.c_str());
  for (const auto &[param, value] : inputs.params)
    if (Failure failure =
            failed(spinSimSetParam(sim.get(), context, param.c_str(), value)))
      return failure;
  hostMemory.reset(static_cast<uint8_t *>(
      std::aligned_alloc(64, (inputs.hostBytes / 64 + 1) * 64)));
  if (inputs.hostBytes)
    host = hostMemory.get();
  std::copy(inputs.host.begin(), inputs.host.end(), hostMemory.get());
  if (Failure failure = failed(spinSimInstall(sim.get(), context, nullptr, 0,
                                              host, inputs.hostBytes)))
    return failure;
  SpinSimLink link = inputs.context->packet.link == sema::Link::Ethernet
                         ? SPINSIM_LINK_ETHERNET
                     : inputs.context->packet.link == sema::Link::Ip
                         ? SPINSIM_LINK_IP
                         : SPINSIM_LINK_PORTALS;
  for (const std::vector<uint8_t> &packet : inputs.packets)
    if (Failure failure = failed(spinSimInject(sim.get(), link, packet.data(),
                                               packet.size(), SPINSIM_NEXT)))
      return failure;
  if (Failure failure = failed(spinSimRun(sim.get())))
    return failure;
  SpinSimFault fault;
  if (spinSimFault(sim.get(), 0, &fault) == SPINSIM_OK)
    return std::string("fault: ") + fault.text;
  return std::nullopt;
}

Failure Comparison::checkBound(const SpinSimRunInfo &run, uint64_t length) {
  for (size_t i = 0; i < program.bounds().size(); ++i) {
    const backend::HandlerFacts &facts = program.facts().handlers[i];
    if (facts.context != inputs.context ||
        facts.handler->kind != kindOf(run.kind))
      continue;
    SymbolValues values;
    values["p.length"] = int64_t(length);
    for (const auto &[param, value] : inputs.params)
      values[param] = value;
    for (const auto &[symbol, range] : program.bounds()[i].symbols) {
      auto [left, right] = llvm::StringRef(symbol).split(" / ");
      if (!right.empty() && values.count(left.str()) && values[right.str()])
        values[symbol] = values[left.str()] / values[right.str()];
    }
    std::optional<int64_t> bound = program.bounds()[i].evaluate(values);
    if (!bound)
      return "bound: not defined for " + name(run);
    ++counts.bounded;
    counts.exact += int64_t(run.cycles) == *bound;
    if (int64_t(run.cycles) > *bound)
      return formatv("bound: {0} took {1} cycles, the bound is {2}", name(run),
                     run.cycles, *bound)
          .str();
  }
  return std::nullopt;
}

/// The simulator's next output is what the reference sent.
Failure Comparison::checkSent(const reference::Sent &sent,
                              const std::string &where) {
  std::vector<uint8_t> bytes;
  SpinSimOutput output;
  ++counts.sent;
  for (bool more = true; more;) {
    if (!spinSimNextOutput(sim.get(), &output))
      return "sent: nothing left of " + where;
    more = false;
    size_t skipped = 0;
    if (sent.isPut) {
      PortalsHeader header;
      if (output.link != SPINSIM_LINK_PORTALS || output.size < sizeof header)
        return "sent: no message of " + where;
      std::memcpy(&header, output.bytes, sizeof header);
      more = !(header.flags & PORTALS_FLAG_EOM);
      skipped = sizeof header;
      if (header.matchBits != sent.matchBits ||
          header.hdrData != uint32_t(sent.hdrData) ||
          header.messageLength != sent.bytes.size() ||
          output.destination != uint32_t(sent.destination))
        return "sent: another message header of " + where;
    }
    bytes.insert(bytes.end(), output.bytes + skipped,
                 output.bytes + output.size);
  }
  if (bytes != sent.bytes)
    return "sent: other bytes of " + where;
  return std::nullopt;
}

Failure Comparison::checkRun(const SpinSimRunInfo &run) {
  const std::vector<uint8_t> &packet = inputs.packets[run.packet];
  reference::Place place;
  place.cluster = run.cluster;
  place.hpu = run.cluster * PSPIN_HPUS_PER_CLUSTER + run.hpu;
  place.flow = run.flow;
  ++counts.runs;
  counts.cycles += run.cycles;
  size_t headers = inputs.context->packet.headerBytes;
  uint64_t length = packet.size() > headers ? packet.size() - headers : 0;
  if (!compares)
    return checkBound(run, length);
  reference::Outcome outcome = machine.run(kindOf(run.kind), packet, place);
  // Headers may be longer than they must be (pkt-9).
  if (Failure failure = checkBound(run, outcome.payloadLength.value_or(length)))
    return failure;
  if (outcome.violation && outcome.violation->rule == "reference") {
    compares = false;
    ++counts.notCompared;
    return std::nullopt;
  }
  ++counts.compared;
  if (outcome.violation)
    return "unsound: " + name(run) + ": " + describe(*outcome.violation);
  if (outcome.code != run.code)
    return formatv("code: {0} returns {1}, not {2}", name(run), run.code,
                   outcome.code)
        .str();
  for (const reference::Sent &sent : outcome.sent)
    if (Failure failure = checkSent(sent, name(run)))
      return failure;
  return std::nullopt;
}

/// Where copy `number` of a field is.
uint32_t Comparison::addressOf(const sema::StateField &field, unsigned number,
                               uint32_t &size) {
  bool perMessage = field.kind == sema::StateKind::Plain;
  bool perHpu = field.kind == sema::StateKind::PerHpu;
  unsigned cluster = perMessage ? number % PSPIN_CLUSTERS
                     : perHpu   ? number / PSPIN_HPUS_PER_CLUSTER
                                : number;
  uint32_t address = 0;
  spinSimFindState(sim.get(), context, field.name.c_str(), cluster, &address,
                   &size);
  if (perHpu) {
    // A cluster's copies, one behind the other.
    size /= PSPIN_HPUS_PER_CLUSTER;
    address += number % PSPIN_HPUS_PER_CLUSTER * size;
    size = field.size;
  }
  if (!perMessage)
    return address;
  if (field.space == sema::StateSpace::L2)
    return address + number * inputs.context->l2Messages.stride;
  return address +
         (number >> PSPIN_FLOW_SLOT_SHIFT) * inputs.context->l1Messages.stride;
}

Failure Comparison::checkState() {
  std::set<unsigned> flows;
  for (const SpinSimRunInfo &run : runs)
    flows.insert(run.flow);
  for (const sema::StateField &field : inputs.context->state) {
    if (field.kind == sema::StateKind::Param ||
        field.kind == sema::StateKind::Lock || !field.decl)
      continue;
    const std::vector<reference::Region> &copies = machine.state.at(field.decl);
    for (unsigned number = 0; number < copies.size(); ++number) {
      if (field.kind == sema::StateKind::Plain && !flows.count(number))
        continue;
      uint32_t size = 0, address = addressOf(field, number, size);
      std::vector<uint8_t> bytes(size);
      spinSimRead(sim.get(), address, bytes.data(), size);
      if (bytes != copies[number].bytes)
        return formatv("state: copy {1} of {0} differs", field.name, number)
            .str();
    }
  }
  return std::nullopt;
}

Failure Comparison::run() {
  Failure failure = simulate();
  // A broken rule says more than what comes of it.
  for (const SpinSimRunInfo &run : runs) {
    Failure found = checkRun(run);
    if (found && (!failure || llvm::StringRef(*found).starts_with("unsound")))
      failure = found;
    if (found)
      break;
  }
  if (failure || !compares)
    return failure;
  SpinSimOutput output;
  if (spinSimNextOutput(sim.get(), &output))
    return std::string("sent: more than the reference sends");
  if (host &&
      !std::equal(machine.host.bytes.begin(), machine.host.bytes.end(), host))
    return std::string("host: memory differs");
  return checkState();
}

} // namespace

Failure spinc::fuzz::compare(const Program &program, const Inputs &inputs,
                             Counts &counts) {
  return Comparison(program, inputs, counts).run();
}

std::optional<reference::Violation>
spinc::fuzz::violationOn(const Inputs &inputs) {
  reference::Machine machine = machineFor(inputs);
  auto run = [&](sema::HandlerKind kind, const std::vector<uint8_t> &packet) {
    return machine.run(kind, packet, {}, 2000000).violation;
  };
  size_t perMessage = inputs.packetsPerMessage ? inputs.packetsPerMessage
                                               : inputs.packets.size();
  for (size_t first = 0; first < inputs.packets.size(); first += perMessage) {
    size_t end = std::min(first + perMessage, inputs.packets.size());
    if (auto found = run(sema::HandlerKind::Header, inputs.packets[first]))
      return found;
    for (size_t i = first; i < end; ++i)
      if (auto found = run(sema::HandlerKind::Payload, inputs.packets[i]))
        return found;
    if (auto found =
            run(sema::HandlerKind::Completion, inputs.packets[end - 1]))
      return found;
  }
  return std::nullopt;
}
