// See LocalPlaces.h.
#include "dialect/Spin/Analysis/LocalPlaces.h"
#include "runtime/abi/pspin.h"
#include "llvm/Support/MathExtras.h"
#include <map>

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
  std::multimap<uint32_t, LocalOp> bySize;
  scope.walk([&](LocalOp local) {
    uint64_t bytes = llvm::alignTo(local.getBytes(), kLocalAlignment);
    bySize.emplace(uint32_t(bytes), local);
  });
  uint32_t onStack = 0, inArea = areaStart;
  for (auto [bytes, local] : bySize) {
    if (onStack + bytes <= stack) {
      onStack += bytes;
      continue;
    }
    places.inArea[local] = {inArea, !scope.isFunction()};
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
