//===- native.cpp - The simulator's C interface for Python ----------------===//
//
// One class over spinsim.h; spinsim/__init__.py makes it comfortable. Errors
// become exceptions, exceptions of callbacks end the call that ran them.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/pspin.h"
#include "runtime/sim/spinsim.h"
#include <cstdlib>
#include <exception>
#include <memory>
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace {

struct SimError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Free {
  void operator()(uint8_t *memory) const { std::free(memory); }
};

class Sim {
public:
  Sim(const std::string &preset, const std::string &toml, py::dict options) {
    spinSimDefaultConfig(&config);
    if (spinSimPreset(&config, preset.c_str()) != SPINSIM_OK)
      throw SimError("no preset '" + preset + "'");
    char error[1024];
    if (spinSimReadConfig(&config, toml.c_str(), "config", error,
                          sizeof error) != SPINSIM_OK)
      throw SimError(error);
    for (auto [key, value] : options)
      setOption(py::cast<std::string>(key), value);
    config.user = this;
    sim.reset(spinSimCreate(&config));
  }
  Sim(const Sim &) = delete;

  void load(const std::string &image) {
    check(spinSimLoad(sim.get(), image.data(), image.size()));
  }

  std::vector<std::string> contexts() const {
    std::vector<std::string> names;
    for (uint32_t i = 0; i < spinSimContextCount(sim.get()); ++i)
      names.push_back(spinSimContextName(sim.get(), i));
    return names;
  }

  void install(const std::string &context,
               const std::map<std::string, int64_t> &params,
               uint64_t hostSize) {
    uint32_t index = find(context);
    for (const auto &[name, value] : params)
      check(spinSimSetParam(sim.get(), index, name.c_str(), value));
    uint64_t rounded =
        (hostSize / PSPIN_HOST_ALIGNMENT + 1) * PSPIN_HOST_ALIGNMENT;
    Host &host = hosts[context];
    host.memory.reset(static_cast<uint8_t *>(
        std::aligned_alloc(PSPIN_HOST_ALIGNMENT, rounded)));
    if (!host.memory)
      throw std::bad_alloc();
    std::fill_n(host.memory.get(), rounded, uint8_t(0));
    host.size = hostSize;
    check(spinSimInstall(sim.get(), index, nullptr, 0, host.memory.get(),
                         hostSize));
  }

  /// The host region itself; it lives as long as the simulator.
  py::memoryview host(const std::string &context) {
    auto found = hosts.find(context);
    if (found == hosts.end())
      throw SimError("context '" + context + "' is not installed");
    return py::memoryview::from_memory(found->second.memory.get(),
                                       py::ssize_t(found->second.size));
  }

  void inject(py::bytes bytes, const std::string &link,
              std::optional<uint64_t> arrival) {
    SpinSimLink kind = link == "ip"        ? SPINSIM_LINK_IP
                       : link == "portals" ? SPINSIM_LINK_PORTALS
                                           : SPINSIM_LINK_ETHERNET;
    if (kind == SPINSIM_LINK_ETHERNET && link != "ethernet")
      throw SimError("no link '" + link + "'; there are ethernet, ip, portals");
    std::string data = bytes;
    check(spinSimInject(sim.get(), kind, data.data(), data.size(),
                        arrival.value_or(SPINSIM_NEXT)));
  }

  void generate(const std::string &toml) {
    check(spinSimGenerate(sim.get(), toml.c_str(), "traffic"));
  }

  bool run(std::optional<uint64_t> until) {
    int done = 0;
    SpinSimStatus status =
        spinSimRunUntil(sim.get(), until.value_or(UINT64_MAX), &done);
    if (raised)
      std::rethrow_exception(std::exchange(raised, nullptr));
    check(status);
    return done != 0;
  }

  py::list outputs() {
    static const char *const links[] = {"ethernet", "ip", "portals"};
    py::list all;
    SpinSimOutput output;
    while (spinSimNextOutput(sim.get(), &output)) {
      py::dict row;
      row["link"] = links[output.link];
      row["bytes"] =
          py::bytes(reinterpret_cast<const char *>(output.bytes), output.size);
      row["cycle"] = output.cycle;
      row["context"] = spinSimContextName(sim.get(), output.context);
      row["destination"] = output.destination;
      row["packet"] = output.packet;
      all.append(row);
    }
    return all;
  }

  std::string report() { return spinSimReport(sim.get()); }

  std::string machine() const {
    std::string text(spinSimPrintConfig(&config, nullptr, 0), '\0');
    spinSimPrintConfig(&config, text.data(), text.size() + 1);
    return text;
  }

  py::bytes read(uint32_t address, size_t size) {
    std::string bytes(size, '\0');
    if (spinSimRead(sim.get(), address, bytes.data(), size) != SPINSIM_OK)
      throw SimError("no memory of the card there, or it has not run");
    return bytes;
  }

  void write(uint32_t address, py::bytes bytes) {
    std::string data = bytes;
    check(spinSimWrite(sim.get(), address, data.data(), data.size()));
  }

  std::pair<uint32_t, uint32_t> findState(const std::string &context,
                                          const std::string &name,
                                          uint32_t cluster) {
    uint32_t address, size;
    check(spinSimFindState(sim.get(), find(context), name.c_str(), cluster,
                           &address, &size));
    return {address, size};
  }

  uint32_t mtu() const { return spinSimMtu(sim.get()); }

private:
  struct Host {
    std::unique_ptr<uint8_t, Free> memory;
    uint64_t size = 0;
  };
  struct Deleter {
    void operator()(SpinSim *made) const { spinSimDestroy(made); }
  };

  void check(SpinSimStatus status) {
    if (status != SPINSIM_OK)
      throw SimError(spinSimLastError(sim.get()));
  }

  uint32_t find(const std::string &context) {
    uint32_t index = spinSimFindContext(sim.get(), context.c_str());
    if (index == spinSimContextCount(sim.get()))
      throw SimError("no context '" + context + "'");
    return index;
  }

  void setOption(const std::string &key, py::handle value) {
    if (key == "contention")
      config.contention = value.cast<bool>();
    else if (key == "packets_per_message")
      config.packetsPerMessage = value.cast<uint32_t>();
    else if (key == "interpret_only")
      config.interpretOnly = value.cast<bool>();
    else if (key == "check_accesses")
      config.checkAccesses = value.cast<bool>();
    else if (key == "on_handler")
      setHandlerRan(value);
    else if (key == "on_event")
      setEvent(value);
    else if (key == "on_host_write")
      setHostWritten(value);
    else
      throw SimError("no option '" + key + "'");
  }

  /// Calls a callback of Python unless one has failed already.
  template <typename... Arguments>
  void call(const py::object &callback, Arguments &&...arguments) {
    if (raised)
      return;
    try {
      callback(std::forward<Arguments>(arguments)...);
    } catch (...) {
      raised = std::current_exception();
    }
  }

  void setHandlerRan(py::handle value) {
    if (value.is_none())
      return;
    onHandler = py::reinterpret_borrow<py::object>(value);
    config.handlerRan = [](void *user, const SpinSimRunInfo *run) {
      static const char *const kinds[] = {"header", "payload", "completion"};
      Sim &self = *static_cast<Sim *>(user);
      py::dict row;
      row["context"] = spinSimContextName(self.sim.get(), run->context);
      row["kind"] = kinds[run->kind];
      row["packet"] = run->packet;
      row["cluster"] = run->cluster;
      row["hpu"] = run->hpu;
      row["flow"] = run->flow;
      row["code"] = run->code;
      row["faulted"] = run->faulted != 0;
      row["begin"] = run->begin;
      row["cycles"] = run->cycles;
      row["wait"] = run->wait;
      self.call(self.onHandler, row);
    };
  }

  void setEvent(py::handle value) {
    if (value.is_none())
      return;
    onEvent = py::reinterpret_borrow<py::object>(value);
    config.event = [](void *user, const SpinSimEvent *event) {
      static const char *const kinds[] = {
          "message", "packet",   "inbound",    "prefetch",  "handler",
          "command", "outbound", "host write", "host read", "cluster dma"};
      Sim &self = *static_cast<Sim *>(user);
      py::dict row;
      row["kind"] = kinds[event->kind];
      row["begin"] = event->begin;
      row["end"] = event->end;
      row["cluster"] = event->cluster;
      row["hpu"] = event->hpu;
      row["packet"] = event->packet;
      row["bytes"] = event->bytes;
      row["detail"] = event->detail;
      self.call(self.onEvent, row);
    };
  }

  void setHostWritten(py::handle value) {
    if (value.is_none())
      return;
    onHostWrite = py::reinterpret_borrow<py::object>(value);
    config.hostWritten = [](void *user, uint32_t context, uint64_t offset,
                            uint64_t size, uint64_t cycle) {
      Sim &self = *static_cast<Sim *>(user);
      self.call(self.onHostWrite, spinSimContextName(self.sim.get(), context),
                offset, size, cycle);
    };
  }

  SpinSimConfig config;
  std::map<std::string, Host> hosts; // outlive the simulator
  std::unique_ptr<SpinSim, Deleter> sim;
  py::object onHandler, onEvent, onHostWrite;
  std::exception_ptr raised;
};

} // namespace

PYBIND11_MODULE(native, module) {
  py::register_exception<SimError>(module, "SimError", PyExc_ValueError);
  py::class_<Sim>(module, "Sim")
      .def(py::init<const std::string &, const std::string &, py::dict>())
      .def("load", &Sim::load)
      .def("contexts", &Sim::contexts)
      .def("install", &Sim::install)
      .def("host", &Sim::host, py::keep_alive<0, 1>())
      .def("inject", &Sim::inject)
      .def("generate", &Sim::generate)
      .def("run", &Sim::run)
      .def("outputs", &Sim::outputs)
      .def("report", &Sim::report)
      .def("machine", &Sim::machine)
      .def("read", &Sim::read)
      .def("write", &Sim::write)
      .def("find_state", &Sim::findState)
      .def("mtu", &Sim::mtu);
}
