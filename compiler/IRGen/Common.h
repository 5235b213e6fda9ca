// What the parts of IRGen share: locations, and how a checked type is seen in
// the IR. Integers are rounded up to 8, 16, 32, 64 or 128 bits; wire integers
// and enums are the numbers they stand for; a process is its 32-bit number, a
// float its bits.
#ifndef SPINC_IRGEN_COMMON_H
#define SPINC_IRGEN_COMMON_H

#include "compiler/Sema/Info.h"
#include "dialect/Spin/IR/SpinDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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

/// The bits of a `type` in memory: a record is an integer of all its bits.
mlir::IntegerType memoryType(mlir::MLIRContext *context,
                             const sema::Type *type);
/// The elements of a field of the state.
mlir::IntegerType stateType(mlir::MLIRContext *context,
                            const sema::StateField &field);
/// Whether a `type` has bytes that belong to none of its numbers.
bool hasPadding(const sema::Type *type);
/// Type and byte offset of what value `position` of an initial value of an
/// array or struct `type` is for.
std::pair<const sema::Type *, unsigned>
initialType(const ast::InitListExpr &list, size_t position,
            const sema::Type *type);

/// Byte order of an element or field of `type` in memory.
spin::ByteOrder byteOrder(const sema::Type *type);

/// The comparison of integers that `op` is.
mlir::arith::CmpIPredicate predicate(ast::BinaryOp op, bool isSigned);

} // namespace spinc::irgen

#endif // SPINC_IRGEN_COMMON_H
