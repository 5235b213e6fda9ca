#include "dialect/Spin/IR/SourcePlace.h"

mlir::FileLineColRange spinc::spin::sourcePlace(mlir::Location location) {
  mlir::FileLineColRange place;
  location->walk([&](mlir::Location part) {
    place = llvm::dyn_cast<mlir::FileLineColRange>(part);
    return place ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return place;
}
