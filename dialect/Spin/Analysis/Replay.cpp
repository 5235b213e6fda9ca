// Values that were loaded from the packet are bytes of the packet: where they
// come from is known as soon as the sample fixes the offset.
#include "dialect/Spin/Analysis/Replay.h"

using namespace mlir;
using namespace spinc::spin;

namespace json = llvm::json;

namespace {

class ReplayWriter {
public:
  ReplayWriter(Evaluator &evaluator, const Sample &sample)
      : evaluator(evaluator), sample(sample) {}

  json::Object write(HandlerOp handler);

private:
  void addVariable(const Variable &variable, const Integer &value);
  void addLoaded(Value loaded, const Integer &value);
  std::optional<Integer> valueOf(const LinearExpr &expr) const;

  Evaluator &evaluator;
  const Sample &sample;
  json::Object params, hostSizes;
  json::Array bytes;
  std::optional<int64_t> length;
};

} // namespace

/// The value of an expression, if the sample fixes it.
std::optional<Integer> ReplayWriter::valueOf(const LinearExpr &expr) const {
  bool known = true;
  Integer value = expr.evaluate([&](VarId id) {
    auto found = sample.find(id);
    known &= found != sample.end();
    return found == sample.end() ? Integer(0) : found->second;
  });
  return known ? std::optional(value) : std::nullopt;
}

void ReplayWriter::addLoaded(Value loaded, const Integer &value) {
  Operation *op = loaded.getDefiningOp();
  Value slice, position;
  ByteOrder order = ByteOrder::Little;
  unsigned scale = 1;
  if (auto load = dyn_cast_or_null<LoadOp>(op)) {
    slice = load.getSlice();
    position = load.getIndex();
    order = load.getOrder();
    scale = cast<SliceType>(slice.getType()).getElementBytes();
  } else if (auto load = dyn_cast_or_null<WireLoadOp>(op)) {
    slice = load.getSlice();
    position = load.getOffset();
    order = load.getOrder();
  } else {
    return;
  }
  SlicePlace place = evaluator.place(slice);
  std::optional<Integer> offset = valueOf(
      place.offset + evaluator.number(position) * Integer(int64_t(scale)));
  if (!isa_and_nonnull<PacketBytesOp>(place.root.getDefiningOp()) || !offset ||
      *offset < 0 || value < 0)
    return;
  unsigned width = loaded.getType().getIntOrFloatBitWidth() / 8;
  bytes.push_back(json::Object{{"offset", int64_t(*offset)},
                               {"width", width},
                               {"order", order == ByteOrder::Big ? "be" : "le"},
                               {"value", int64_t(value)}});
}

void ReplayWriter::addVariable(const Variable &variable, const Integer &value) {
  switch (variable.kind) {
  case Variable::Kind::PacketLength:
    length = int64_t(value);
    return;
  case Variable::Kind::Param:
    params[variable.symbol] = int64_t(value);
    return;
  case Variable::Kind::HostSize:
    hostSizes[variable.symbol] = int64_t(value);
    return;
  case Variable::Kind::Value:
    addLoaded(variable.value, value);
    return;
  default:
    return;
  }
}

json::Object ReplayWriter::write(HandlerOp handler) {
  for (const auto &[id, value] : sample)
    addVariable(evaluator.getVariables()[id], value);
  json::Object result{{"context", evaluator.getContext().getSymName()},
                      {"handler", stringifyHandlerKind(handler.getKind())},
                      {"params", std::move(params)},
                      {"hostSizes", std::move(hostSizes)},
                      {"bytes", std::move(bytes)}};
  if (length)
    result["length"] = *length;
  return result;
}

std::vector<VarId>
spinc::spin::replayVariables(const VariableTable &variables) {
  std::vector<VarId> found;
  for (VarId id = 0; id < variables.size(); ++id) {
    const Variable &variable = variables[id];
    // A loop's index says that the loop runs, and so how long a packet is.
    bool isLoaded =
        variable.kind == Variable::Kind::Value &&
        (isa<BlockArgument>(variable.value) ||
         isa_and_nonnull<LoadOp, WireLoadOp>(variable.value.getDefiningOp()));
    if (isLoaded || variable.kind == Variable::Kind::PacketLength ||
        variable.kind == Variable::Kind::Param ||
        variable.kind == Variable::Kind::HostSize)
      found.push_back(id);
  }
  return found;
}

json::Object spinc::spin::describeReplay(HandlerOp handler,
                                         Evaluator &evaluator,
                                         const Sample &sample) {
  return ReplayWriter(evaluator, sample).write(handler);
}
