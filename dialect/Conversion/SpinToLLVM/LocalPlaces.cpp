// Where local arrays lie. The stack of an HPU has 1 KiB for everything; what
// does not fit goes to an area in the L1 of the cluster with a part for each
// HPU. One handler runs on an HPU at a time, to its end, so all handlers share
// the part; a function has a place of its own behind what its callers use.
#include "dialect/Conversion/SpinToLLVM/Lowering.h"
#include "runtime/abi/pspin.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace spinc::spin;

/// Half of the stack is left to spilled registers and to calls.
static constexpr uint32_t kStackForLocals = PSPIN_STACK_SIZE / 2;
/// A function is called by others that have their own part.
static constexpr uint32_t kStackOfFunction = PSPIN_STACK_SIZE / 16;

/// Places the arrays of one function or handler. Large ones come first into the
/// area, so that small ones, which LLVM may keep in registers, get the stack.
static void placeIn(HandlerOp scope, uint32_t areaStart, LocalPlaces &places) {
  uint32_t stack = scope.isFunction() ? kStackOfFunction : kStackForLocals;
  SmallVector<LocalOp> locals;
  scope.walk([&](LocalOp local) { locals.push_back(local); });
  auto bytesOf = [](LocalOp local) {
    return uint32_t(llvm::alignTo(uint64_t(local.getCount()) *
                                      local.getType().getElementBytes(),
                                  kLocalAlignment));
  };
  llvm::stable_sort(
      locals, [&](LocalOp a, LocalOp b) { return bytesOf(a) < bytesOf(b); });
  uint32_t onStack = 0, inArea = areaStart;
  for (LocalOp local : locals) {
    uint32_t bytes = bytesOf(local);
    if (onStack + bytes <= stack) {
      onStack += bytes;
      continue;
    }
    places.inArea[local] = inArea;
    inArea += bytes;
  }
  places.areaBytes = std::max(places.areaBytes, inArea);
}

LocalPlaces spinc::spin::placeLocals(ModuleOp module) {
  LocalPlaces places;
  SmallVector<HandlerOp> functions;
  for (ContextOp context : module.getOps<ContextOp>())
    for (HandlerOp handler : context.getBody().getOps<HandlerOp>())
      if (handler.isFunction())
        functions.push_back(handler);
      else
        placeIn(handler, 0, places);
  for (HandlerOp function : functions)
    placeIn(function, places.areaBytes, places);
  // Parts start at different banks, but at multiples of the alignment.
  if (places.areaBytes != 0)
    places.areaBytes = llvm::alignTo(places.areaBytes, kLocalAlignment);
  return places;
}
