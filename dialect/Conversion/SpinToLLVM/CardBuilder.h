// Builds LLVM operations that deal with the card: 32-bit arithmetic, task and
// command registers, and slices at run time.
#ifndef SPINC_DIALECT_CONVERSION_SPINTOLLVM_CARDBUILDER_H
#define SPINC_DIALECT_CONVERSION_SPINTOLLVM_CARDBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace spinc::spin {

/// A slice at run time: a pointer, or in host memory an offset into the region,
/// and the number of elements.
struct SliceParts {
  mlir::Value start;
  mlir::Value length;
};

class CardBuilder : public mlir::ImplicitLocOpBuilder {
public:
  CardBuilder(mlir::Location loc, mlir::OpBuilder &builder)
      : mlir::ImplicitLocOpBuilder(loc, builder) {}

  mlir::Type pointerType() {
    return mlir::LLVM::LLVMPointerType::get(getContext());
  }

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value shiftLeft(mlir::Value value, unsigned amount);
  mlir::Value shiftRight(mlir::Value value, unsigned amount);
  mlir::Value toPointer(mlir::Value address);
  mlir::Value toAddress(mlir::Value pointer);
  /// The same address, of which LLVM does not know what lies there.
  mlir::Value ofAnyObject(mlir::Value address);

  /// `count` times `bytes`.
  mlir::Value scaled(mlir::Value count, unsigned bytes);

  /// Pointer to element `index`, which lies inside (or right behind) what
  /// `pointer` points to.
  mlir::Value element(mlir::Value pointer, mlir::Type type, mlir::Value index);

  /// Value of a task register. It does not change while the handler runs.
  mlir::Value readTask(unsigned reg);
  /// The register whose value `load` gives, if readTask() made it.
  static std::optional<unsigned> taskRegister(mlir::LLVM::LoadOp load);
  mlir::Value hartId();
  /// Whether `op` is what hartId() makes.
  static bool isHartId(mlir::LLVM::InlineAsmOp op);
  /// The result, a word, of an instruction without effects.
  mlir::Value compute(const std::string &text, llvm::StringRef constraints,
                      mlir::ValueRange operands);
  mlir::Value clusterId();
  /// `word` with `length` bits from `position` on replaced by those of `field`.
  mlir::Value withField(mlir::Value word, unsigned position, unsigned length,
                        mlir::Value field);
  /// The address in L1 of `cluster` of what is at `address` in cluster 0. Only
  /// the bits of a cluster's number are looked at.
  mlir::Value inCluster(mlir::Value address, mlir::Value cluster);
  /// The address in L1 of `cluster` of the place that is at `address` in the
  /// alias of the own cluster.
  mlir::Value fromAlias(mlir::Value address, mlir::Value cluster);

  /// A register of the HPU driver that acts when accessed.
  void writeRegister(unsigned reg, mlir::Value value);
  mlir::Value readRegister(unsigned reg);
  /// Keeps the compiler from moving memory accesses across.
  void compilerFence();

  SliceParts unpack(mlir::Value slice);
  mlir::Value pack(SliceParts parts);
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_CONVERSION_SPINTOLLVM_CARDBUILDER_H
