// hdl-9: a header handler that drops its message. The card would run the other
// handlers all the same, so the header handler leaves its verdict in a hidden
// field of the message's state and the others look at it first.
#include "compiler/IRGen/Verdict.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spinc;

namespace {

constexpr StringRef kField = "spin.verdict";
constexpr unsigned kGoOn = 0, kDropped = 1;

Value number(OpBuilder &builder, Location loc, unsigned value) {
  return arith::ConstantIntOp::create(builder, loc, value, 8);
}

void storeVerdict(OpBuilder &builder, Location loc, unsigned value) {
  spin::StateStoreOp::create(builder, loc, number(builder, loc, value), kField);
}

/// The code with which `op` leaves the handler, if it may.
std::optional<spin::ReturnCode> codeOf(Operation &op) {
  if (auto exit = dyn_cast<spin::ExitOp>(op))
    return exit.getCode();
  if (auto end = dyn_cast<spin::ReturnOp>(op))
    return end.getCode();
  if (auto require = dyn_cast<spin::RequireOp>(op))
    return require.getCode();
  return std::nullopt;
}

bool mayDrop(spin::HandlerOp header) {
  return header
      ->walk([](Operation *op) {
        std::optional<spin::ReturnCode> code = codeOf(*op);
        return code && *code != spin::ReturnCode::ProcessData
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The message counts as dropped until the handler is seen to go on. Behind a
/// requirement that has not ended the handler that is open again.
void recordVerdict(spin::HandlerOp header) {
  SmallVector<Operation *> ends;
  header->walk([&](Operation *op) {
    if (codeOf(*op) == spin::ReturnCode::ProcessData)
      ends.push_back(op);
  });
  OpBuilder builder(header.getContext());
  builder.setInsertionPointToStart(&header.getBody().front());
  storeVerdict(builder, header.getLoc(), kDropped);
  for (Operation *end : ends) {
    builder.setInsertionPoint(end);
    storeVerdict(builder, end->getLoc(), kGoOn);
    if (isa<spin::RequireOp>(end)) {
      builder.setInsertionPointAfter(end);
      storeVerdict(builder, end->getLoc(), kDropped);
    }
  }
}

void obeyVerdict(spin::HandlerOp handler) {
  Location loc = handler.getLoc();
  OpBuilder builder(handler.getContext());
  builder.setInsertionPointToStart(&handler.getBody().front());
  Value verdict =
      spin::StateLoadOp::create(builder, loc, builder.getI8Type(), kField);
  Value goesOn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       verdict, number(builder, loc, kGoOn));
  bool isPayload = handler.getKind() == spin::HandlerKind::Payload;
  spin::RequireOp::create(builder, loc, goesOn,
                          isPayload ? spin::ReturnCode::Drop
                                    : spin::ReturnCode::Success);
}

} // namespace

void spinc::irgen::addVerdict(spin::ContextOp context) {
  spin::HandlerOp header;
  SmallVector<spin::HandlerOp> others;
  for (auto handler : context.getBody().getOps<spin::HandlerOp>()) {
    if (handler.getKind() == spin::HandlerKind::Header)
      header = handler;
    else if (!handler.isFunction())
      others.push_back(handler);
  }
  if (!header || others.empty())
    return;
  // Always, so that the layout does not depend on what the handlers do.
  OpBuilder builder(header);
  spin::StateOp::create(builder, header.getLoc(), kField, builder.getI8Type(),
                        /*count=*/1, spin::StateKind::Plain,
                        /*perCluster=*/false, spin::MemorySpace::StateL1,
                        /*alignment=*/IntegerAttr());
  if (!mayDrop(header))
    return;
  recordVerdict(header);
  for (spin::HandlerOp handler : others)
    obeyVerdict(handler);
}
