//===- Metadata.cpp - Reading .spin.meta ----------------------------------===//
//
// Every field that is used is checked to be there and to have its type; the
// rest of the section is for others.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Metadata.h"
#include "runtime/abi/portals.h"
#include "runtime/abi/pspin.h"
#include <cstring>

using namespace spinc::sim;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr int64_t formatVersion = 1;

/// Reads fields of JSON objects and remembers the first that is missing.
class Reader {
public:
  explicit Reader(std::string &error) : error(error) {}

  bool failed() const { return !error.empty(); }

  template <typename T> T number(const json::Object &object, StringRef key) {
    if (const json::Value *value = object.get(key)) {
      if (std::optional<uint64_t> read = value->getAsUINT64())
        return T(*read);
      if (std::optional<int64_t> read = value->getAsInteger())
        return T(*read);
    }
    return missing(key), T();
  }
  std::string string(const json::Object &object, StringRef key) {
    if (std::optional<StringRef> read = object.getString(key))
      return read->str();
    return missing(key), std::string();
  }
  /// Calls `each` with the objects of an array.
  template <typename F>
  void objects(const json::Object &object, StringRef key, F each) {
    const json::Array *array = object.getArray(key);
    if (!array)
      return missing(key);
    for (const json::Value &value : *array) {
      const json::Object *item = value.getAsObject();
      if (!item)
        return missing(key);
      each(*item);
    }
  }
  void missing(StringRef key) {
    if (error.empty())
      error = ("the image's metadata has no usable '" + key + "'").str();
  }

private:
  std::string &error;
};

MatchRule readRule(Reader &reader, const json::Object &object) {
  MatchRule rule;
  rule.offset = reader.number<uint32_t>(object, "offset");
  rule.width = reader.number<uint32_t>(object, "width");
  rule.mask = reader.number<uint32_t>(object, "mask");
  rule.min = reader.number<uint32_t>(object, "min");
  rule.max = reader.number<uint32_t>(object, "max");
  rule.bigEndian = reader.string(object, "order") == "be";
  if (rule.width < 1 || rule.width > 4)
    reader.missing("width");
  return rule;
}

ParamInfo readParam(Reader &reader, const json::Object &object) {
  ParamInfo param;
  param.name = reader.string(object, "name");
  param.type = reader.string(object, "type");
  param.offset = reader.number<uint32_t>(object, "offset");
  if (const json::Array *where = object.getArray("where"))
    param.where.assign(where->begin(), where->end());
  if (param.bytes() == 0)
    reader.missing("type");
  return param;
}

HandlerInfo readHandler(Reader &reader, const json::Object &object) {
  HandlerInfo handler;
  handler.symbol = reader.string(object, "symbol");
  std::string kind = reader.string(object, "kind");
  if (kind == "header")
    handler.kind = SPINSIM_HEADER;
  else if (kind == "payload")
    handler.kind = SPINSIM_PAYLOAD;
  else if (kind == "completion")
    handler.kind = SPINSIM_COMPLETION;
  else
    reader.missing("kind");
  return handler;
}

StateInfo readState(Reader &reader, const json::Object &object) {
  StateInfo state;
  state.name = reader.string(object, "name");
  state.type = object.getString("type").value_or("").str();
  state.inL1 = reader.string(object, "space") == "l1";
  state.perCluster = object.getBoolean("perCluster").value_or(false);
  state.isShared = object.getBoolean("shared").value_or(false);
  state.isLock = object.getString("kind").value_or("") == "lock";
  state.address = reader.number<uint32_t>(object, "address");
  state.size = reader.number<uint32_t>(object, "size");
  if (object.get("stride"))
    state.stride = reader.number<uint32_t>(object, "stride");
  if (object.get("homeCluster"))
    state.homeCluster = reader.number<uint32_t>(object, "homeCluster");
  return state;
}

SpinSimLink readLink(Reader &reader, const json::Object &object) {
  std::string link = reader.string(object, "link");
  if (link == "ip")
    return SPINSIM_LINK_IP;
  if (link == "portals")
    return SPINSIM_LINK_PORTALS;
  if (link != "ethernet")
    reader.missing("link");
  return SPINSIM_LINK_ETHERNET;
}

ContextInfo readContext(Reader &reader, const json::Object &object) {
  ContextInfo context;
  context.name = reader.string(object, "name");
  context.link = readLink(reader, object);
  context.headerBytes = uint32_t(object.getInteger("headerBytes").value_or(0));
  context.maxHeaderBytes = uint32_t(
      object.getInteger("maxHeaderBytes").value_or(context.headerBytes));
  reader.objects(object, "match", [&](const json::Object &rule) {
    context.rules.push_back(readRule(reader, rule));
  });
  if (const json::Object *portals = object.getObject("portalsMatch"))
    context.portals = {reader.number<uint64_t>(*portals, "bits"),
                       reader.number<uint64_t>(*portals, "ignore")};
  reader.objects(object, "state", [&](const json::Object &state) {
    context.state.push_back(readState(reader, state));
  });
  reader.objects(object, "params", [&](const json::Object &param) {
    context.params.push_back(readParam(reader, param));
  });
  context.paramsAddress = reader.number<uint32_t>(object, "paramsAddress");
  context.paramsSize = reader.number<uint32_t>(object, "paramsSize");
  if (context.paramsSize > PSPIN_L1_STATE_SIZE)
    reader.missing("paramsSize");
  for (const ParamInfo &param : context.params)
    if (uint64_t(param.offset) + param.bytes() > context.paramsSize)
      reader.missing("paramsSize");
  if (const json::Array *hosts = object.getArray("hosts"))
    for (const json::Value &host : *hosts)
      context.hosts.push_back(host.getAsString().value_or("").str());
  reader.objects(object, "contracts", [&](const json::Object &contract) {
    const json::Value *condition = contract.get("expr");
    if (!condition)
      return reader.missing("expr");
    context.contracts.push_back({reader.string(contract, "text"), *condition});
  });
  reader.objects(object, "handlers", [&](const json::Object &handler) {
    context.handlers.push_back(readHandler(reader, handler));
  });
  return context;
}

} // namespace

unsigned ParamInfo::bytes() const {
  if (type == "bool" || type == "u8" || type == "i8")
    return 1;
  if (type == "u16" || type == "i16")
    return 2;
  if (type == "u32" || type == "i32")
    return 4;
  if (type == "u64" || type == "i64")
    return 8;
  return 0;
}

bool MatchRule::holds(llvm::ArrayRef<uint8_t> packet) const {
  if (uint64_t(offset) + width > packet.size())
    return false;
  uint32_t value = 0;
  for (uint32_t i = 0; i < width; ++i)
    value = value << 8 | packet[offset + (bigEndian ? i : width - 1 - i)];
  value &= mask;
  return min <= value && value <= max;
}

bool ContextInfo::matches(llvm::ArrayRef<uint8_t> packet) const {
  for (const MatchRule &rule : rules)
    if (!rule.holds(packet))
      return false;
  if (link != SPINSIM_LINK_PORTALS)
    return true;
  if (packet.size() < PORTALS_HEADER_BYTES)
    return false;
  uint64_t bits;
  std::memcpy(&bits, packet.data() + PORTALS_MATCH_BITS, sizeof bits);
  return !portals || ((bits ^ portals->bits) & ~portals->ignore) == 0;
}

bool Metadata::hasLocks() const {
  for (const ContextInfo &context : contexts)
    for (const StateInfo &field : context.state)
      if (field.isLock)
        return true;
  return false;
}

bool Metadata::read(const std::string &text, Metadata &metadata,
                    std::string &error) {
  metadata = Metadata();
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    error = "the image's metadata is damaged";
    return false;
  }
  const json::Object *root = parsed->getAsObject();
  if (!root) {
    error = "the image's metadata is damaged";
    return false;
  }
  Reader reader(error);
  if (reader.number<int64_t>(*root, "version") != formatVersion)
    reader.missing("version");
  metadata.mtu = reader.number<uint32_t>(*root, "mtu");
  if (metadata.mtu == 0 || metadata.mtu > PSPIN_MAX_PACKET_BYTES)
    reader.missing("mtu");
  std::string target = reader.string(*root, "target");
  if (target != "pspin" && target != "corev" && !reader.failed())
    error = "the image is not for PsPIN";
  metadata.program = reader.string(*root, "program");
  reader.objects(*root, "contexts", [&](const json::Object &context) {
    metadata.contexts.push_back(readContext(reader, context));
  });
  if (const json::Array *rejected = root->getArray("rejected"))
    metadata.rejected = *rejected;
  return !reader.failed();
}
