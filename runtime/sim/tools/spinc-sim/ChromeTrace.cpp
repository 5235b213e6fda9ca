//===- ChromeTrace.cpp - A run as a picture -------------------------------===//
//
// Things of which one at a time happens on a lane are slices of it; those that
// overlap are spans of their own. Times are microseconds.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/ChromeTrace.h"
#include "runtime/abi/pspin.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace spinc::sim;
using namespace llvm;

static constexpr unsigned networkProcess = 100, hostProcess = 101;
static constexpr unsigned outLane = 0, writeLane = 0, readLane = 1;
static constexpr const char *handlerNames[] = {"header", "payload",
                                               "completion"};
static constexpr const char *commandNames[] = {"host copy", "send",
                                               "host direct"};

ChromeTrace::~ChromeTrace() {
  stream.reset();
  if (file)
    consumeError(file->discard());
}

bool ChromeTrace::open(const std::string &name, std::string &error) {
  path = name;
  Expected<sys::fs::TempFile> made =
      sys::fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!made) {
    error = path + ": " + toString(made.takeError());
    return false;
  }
  file.emplace(std::move(*made));
  stream = std::make_unique<raw_fd_ostream>(file->FD, /*shouldClose=*/false);
  *stream << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  return true;
}

void ChromeTrace::record(const std::string &text) {
  *stream << (first ? "\n" : ",\n") << text;
  first = false;
}

std::string ChromeTrace::time(uint64_t cycle) const {
  std::string text;
  raw_string_ostream(text) << format("%.4f", double(cycle) / clockMhz);
  return text;
}

static std::string argumentsOf(const SpinSimEvent &event) {
  return formatv("{{\"packet\": {0}, \"bytes\": {1}, \"flow\": {2}}",
                 event.packet, event.bytes, event.flow);
}

void ChromeTrace::slice(const SpinSimEvent &event, const std::string &name,
                        unsigned process, unsigned lane) {
  record(formatv("{{\"ph\": \"X\", \"name\": \"{0}\", \"pid\": {1}, \"tid\": "
                 "{2}, \"ts\": {3}, \"dur\": {4}, \"args\": {5}}",
                 name, process, lane, time(event.begin),
                 time(event.end - event.begin), argumentsOf(event)));
}

void ChromeTrace::span(const SpinSimEvent &event, const std::string &name,
                       const char *category, unsigned process, unsigned id) {
  for (bool isBegin : {true, false})
    record(formatv("{{\"ph\": \"{0}\", \"cat\": \"{1}\", \"name\": \"{2}\", "
                   "\"id\": {3}, \"pid\": {4}, \"tid\": 0, \"ts\": {5}, "
                   "\"args\": {6}}",
                   isBegin ? "b" : "e", category, name, id, process,
                   time(isBegin ? event.begin : event.end),
                   isBegin ? argumentsOf(event) : "{}"));
}

void ChromeTrace::add(const SpinSim *sim, const SpinSimEvent &event) {
  clockMhz = spinSimGetConfig(sim)->machine.clockMhz;
  std::string context = spinSimContextName(sim, event.context);
  std::string packet = formatv("packet {0}", event.packet);
  switch (event.kind) {
  case SPINSIM_EVENT_MESSAGE:
    return span(event, context, "message", networkProcess, nextSpan++);
  case SPINSIM_EVENT_PACKET:
    packets.push_back({event.begin, 1});
    packets.push_back({event.end, -1});
    return span(event, packet, "packet", networkProcess, nextSpan++);
  case SPINSIM_EVENT_INBOUND:
    return span(event, packet, "inbound", networkProcess, nextSpan++);
  case SPINSIM_EVENT_PREFETCH:
    return span(event, packet, "packet DMA", event.cluster, nextSpan++);
  case SPINSIM_EVENT_HANDLER:
    handlers.push_back({event.begin, 1});
    handlers.push_back({event.end, -1});
    return slice(event, context + " " + handlerNames[event.detail],
                 event.cluster, event.hpu);
  case SPINSIM_EVENT_COMMAND:
    return span(event,
                formatv("HPU {0}: {1}", event.hpu, commandNames[event.detail]),
                "command", event.cluster, nextSpan++);
  case SPINSIM_EVENT_OUTBOUND:
    return slice(event, packet, networkProcess, outLane);
  case SPINSIM_EVENT_HOST_WRITE:
    return slice(event, "write", hostProcess, writeLane);
  case SPINSIM_EVENT_HOST_READ:
    return slice(event, "read", hostProcess, readLane);
  case SPINSIM_EVENT_CLUSTER_DMA:
    return span(event, formatv("HPU {0}: copy", event.hpu), "cluster DMA",
                event.cluster, nextSpan++);
  }
}

/// The number under way at each time when it changes.
void ChromeTrace::count(const char *name, std::vector<Change> &changes) {
  std::sort(changes.begin(), changes.end(),
            [](const Change &a, const Change &b) { return a.time < b.time; });
  int64_t value = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    value += changes[i].by;
    if (i + 1 == changes.size() || changes[i + 1].time != changes[i].time)
      record(formatv("{{\"ph\": \"C\", \"name\": \"{0}\", \"pid\": {1}, "
                     "\"ts\": {2}, \"args\": {{\"{0}\": {3}}}",
                     name, networkProcess, time(changes[i].time), value));
  }
}

void ChromeTrace::nameLanes(const SpinSimConfig &config) {
  auto name = [&](const char *what, unsigned process, unsigned lane,
                  const std::string &text) {
    record(formatv("{{\"ph\": \"M\", \"name\": \"{0}_name\", \"pid\": {1}, "
                   "\"tid\": {2}, \"args\": {{\"name\": \"{3}\"}}",
                   what, process, lane, text));
  };
  for (unsigned cluster = 0; cluster < config.clusters; ++cluster) {
    name("process", cluster, 0, formatv("cluster {0}", cluster));
    for (unsigned hpu = 0; hpu < config.hpusPerCluster; ++hpu)
      name("thread", cluster, hpu, formatv("HPU {0}", hpu));
  }
  name("process", networkProcess, 0, "network");
  name("thread", networkProcess, outLane, "out");
  name("process", hostProcess, 0, "host");
  name("thread", hostProcess, writeLane, "write");
  name("thread", hostProcess, readLane, "read");
}

bool ChromeTrace::close(const SpinSim *sim, std::string &error) {
  nameLanes(*spinSimGetConfig(sim));
  count("packets on the card", packets);
  count("handlers running", handlers);
  *stream << "\n]}\n";
  stream->flush();
  std::error_code code = stream->error();
  stream->clear_error();
  stream.reset();
  if (code) {
    error = path + ": " + code.message();
    return false;
  }
  Error failed = file->keep(path);
  file.reset();
  if (failed) {
    error = path + ": " + toString(std::move(failed));
    return false;
  }
  return true;
}
