// See WitnessJson.h.
#include "compiler/Witness/WitnessJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::witness;

std::string spinc::witness::tightness(int64_t worst, int64_t replayed) {
  if (replayed <= 0)
    return "none";
  int64_t thousandths = (worst * 1000 + replayed - 1) / replayed;
  return formatv("{0}.{1,0+3}", thousandths / 1000, thousandths % 1000);
}

ArrayRef<uint8_t> spinc::witness::withoutZeros(ArrayRef<uint8_t> bytes) {
  while (!bytes.empty() && bytes.back() == 0)
    bytes = bytes.drop_back();
  return bytes;
}

json::Object spinc::witness::toJSON(const Witness &witness, int64_t worst) {
  json::Object params, at;
  for (const auto &[name, value] : witness.stimulus.setting.params)
    params[name] = value;
  for (const auto &[name, value] : witness.at)
    at[name] = value;
  json::Object state;
  for (const auto &[name, bytes] : witness.stimulus.setting.state)
    state[name] = toHex(withoutZeros(bytes), /*LowerCase=*/true);
  json::Array packets;
  for (const Packet &packet : witness.stimulus.packets)
    packets.push_back(toHex(packet, /*LowerCase=*/true));
  return json::Object{
      {"cycles", witness.cycles},
      {"bound", witness.bound},
      {"tightness", tightness(worst, witness.cycles)},
      {"at", std::move(at)},
      {"params", std::move(params)},
      {"hostBytes", int64_t(witness.stimulus.setting.hostBytes)},
      {"state", std::move(state)},
      {"packet", int64_t(witness.packet)},
      {"packets", std::move(packets)}};
}

Expected<Stimulus> spinc::witness::stimulusFrom(const json::Object &object) {
  Stimulus stimulus;
  const json::Array *packets = object.getArray("packets");
  if (!packets || packets->empty())
    return createStringError("the witness has no 'packets'");
  for (const json::Value &value : *packets) {
    std::string bytes;
    std::optional<StringRef> text = value.getAsString();
    if (!text || text->empty() || !tryGetFromHex(*text, bytes))
      return createStringError(
          "the witness has a packet that is no hexadecimal text");
    stimulus.packets.emplace_back(bytes.begin(), bytes.end());
  }
  std::optional<int64_t> host = object.getInteger("hostBytes");
  if (!host || *host < 0 || *host > (int64_t(1) << 30))
    return createStringError("the witness has no usable 'hostBytes'");
  stimulus.setting.hostBytes = uint64_t(*host);
  const json::Object *params = object.getObject("params");
  if (!params)
    return createStringError("the witness has no 'params'");
  for (const auto &[name, value] : *params) {
    std::optional<int64_t> number = value.getAsInteger();
    if (!number)
      return createStringError("the witness has a parameter that is no "
                               "integer");
    stimulus.setting.params[StringRef(name).str()] = *number;
  }
  // Left out where the state begins empty.
  if (const json::Object *state = object.getObject("state"))
    for (const auto &[name, value] : *state) {
      std::string bytes;
      std::optional<StringRef> text = value.getAsString();
      if (!text || !tryGetFromHex(*text, bytes))
        return createStringError(
            "the witness has state that is no hexadecimal text");
      stimulus.setting.state[StringRef(name).str()] = {bytes.begin(),
                                                       bytes.end()};
    }
  return std::move(stimulus);
}
