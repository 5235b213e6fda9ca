// What the parts of IRGen share: locations, and how a checked type is seen in
// the IR. Integers are rounded up to 8, 16, 32, 64 or 128 bits; wire integers
// and enums are the numbers they stand for; a process is its 32-bit number.
#ifndef SPINC_IRGEN_COMMON_H
#define SPINC_IRGEN_COMMON_H

#include "compiler/Sema/Info.h"
#include "dialect/Spin/IR/SpinDialect.h"

namespace spinc::irgen {

/// The place of `range`, as a range that diagnostics can underline.
mlir::Location locationOf(mlir::MLIRContext *context, SourceRange range);
/// The same, for a value that the user calls `name`.
mlir::Location locationOf(mlir::MLIRContext *context, SourceRange range,
                          llvm::StringRef name);

/// The integer that holds a value of `type`: an Int, Wire, Enum, Bool or
/// Process.
mlir::IntegerType scalarType(mlir::MLIRContext *context,
                             const sema::Type *type);
bool isSigned(const sema::Type *type);

/// The values of an integer type: those of `bits` bits, which may be fewer than
/// the IR keeps them in.
struct Shape {
  unsigned bits;
  bool isSigned;
};
Shape shapeOf(const sema::Type *type);
constexpr Shape u32Shape{32, false}, u64Shape{64, false};

/// The next size that the IR uses for an integer of `bits` bits.
unsigned storageBits(unsigned bits);

/// Byte order of an element or field of `type` in memory.
spin::ByteOrder byteOrder(const sema::Type *type);

/// The order in memory of the element that `expr` indexes.
spin::ByteOrder elementOrder(const ast::IndexExpr &expr);

} // namespace spinc::irgen

#endif // SPINC_IRGEN_COMMON_H
