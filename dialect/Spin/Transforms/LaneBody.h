// The body of a loop over bytes or half-words as a computation on the lanes of
// words. What an iteration computes for its element is the lowest bits of a
// value; a word holds those of several iterations. LaneBody.cpp sees whether
// lanes can do it, LaneBodyWords.cpp writes it.
#ifndef SPINC_DIALECT_SPIN_TRANSFORMS_LANEBODY_H
#define SPINC_DIALECT_SPIN_TRANSFORMS_LANEBODY_H

#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace spinc::spin {

/// A value that each iteration combines with what it has computed, in any
/// order: the least element, or the xor of all.
struct LaneReduction {
  unsigned argument = 0;
  /// The operation that combines, and what it is on lanes.
  mlir::Operation *combine = nullptr;
  LaneKind kind = LaneKind::Add;
  bool isBitwise = false;
  mlir::Value element;
  bool isSigned = false;
};

/// Whether the predicate orders numbers read as signed.
bool isSigned(mlir::arith::CmpIPredicate predicate);

/// The comparison of lanes for `predicate`, in the order of signed lanes or of
/// unsigned ones, whichever way the predicate reads its numbers.
LaneKind laneComparison(mlir::arith::CmpIPredicate predicate, bool asSigned);

class LaneBody {
public:
  explicit LaneBody(mlir::scf::ForOp loop) : loop(loop) {}

  /// Whether each iteration only loads and stores elements at its index,
  /// computes with them what lanes can, reduces them, and maybe leaves.
  bool analyze();

  /// Slices that are accessed, after `analyze`.
  llvm::ArrayRef<mlir::Value> getRead() const { return read; }
  llvm::ArrayRef<mlir::Value> getWritten() const { return written; }
  unsigned laneBits() const { return bits; }
  unsigned lanes() const { return 32 / bits; }
  llvm::ArrayRef<LaneReduction> getReductions() const { return reductions; }

  /// The body for `words` words, the first one from element `index` on, of
  /// `bytes` bytes each. Words of `carried` are those of the reductions.
  void emit(mlir::ImplicitLocOpBuilder &builder, mlir::Value index,
            unsigned words, unsigned bytes,
            llvm::SmallVectorImpl<mlir::Value> &carried);
  /// The word with which a reduction starts.
  mlir::Value identity(mlir::ImplicitLocOpBuilder &builder,
                       const LaneReduction &reduction);
  /// The initial value of the loop combined with the lanes of `word`.
  mlir::Value finish(mlir::ImplicitLocOpBuilder &builder,
                     const LaneReduction &reduction, mlir::Value word);

private:
  /// How the lanes of a value give it: it is their number read as unsigned, as
  /// signed, or only its lowest bits are known. A mask has all bits set in the
  /// lanes where a condition holds.
  struct Info {
    bool asUnsigned = false, asSigned = false, isMask = false;
    /// 0 or 1 in each lane.
    bool isBit = false;
  };
  using Words = llvm::SmallVector<mlir::Value, 4>;

  bool isUniform(mlir::Value value);
  unsigned widthOf(mlir::Value value) {
    return value.getType().getIntOrFloatBitWidth();
  }
  std::optional<Info> infoOf(mlir::Value value);
  bool isExact(mlir::Value value, bool isSigned);
  bool areEquallyExact(mlir::Value a, mlir::Value b);
  std::optional<LaneKind> comparison(mlir::arith::CmpIOp cmp);
  std::optional<LaneKind> minMax(mlir::Operation *op);
  bool isExit(mlir::Operation &op);
  mlir::Value exitCondition(mlir::Operation &op);

  bool takeAccess(mlir::Value slice, mlir::Value index, ByteOrder order,
                  llvm::SmallVectorImpl<mlir::Value> &places);
  bool takeReduction(unsigned index);
  bool takeBlock(mlir::Block &block);
  bool takeOperation(mlir::Operation &op);
  bool takeRegions(mlir::Operation &op);
  std::optional<Info> computed(mlir::Operation &op);
  std::optional<Info> extended(mlir::Operation *op);
  std::optional<Info> shifted(mlir::Operation *op);
  std::optional<Info> combined(mlir::Operation *op);

  // LaneBodyWords.cpp.
  mlir::Value number(int64_t value);
  void emitBlock(mlir::Block &block);
  void emitOperation(mlir::Operation &op);
  void emitLoad(LoadOp load);
  void emitStore(StoreOp store);
  void emitFor(mlir::scf::ForOp inner);
  void emitIf(mlir::scf::IfOp branch);
  void takeWords(mlir::ValueRange values, mlir::ValueRange words);
  llvm::SmallVector<mlir::Value> giveWords(mlir::ValueRange values);
  mlir::Value lanesOf(mlir::Value value, unsigned word);
  mlir::Value lanesOp(LaneKind kind, mlir::Value left, mlir::Value right);
  mlir::Value bytesOf(mlir::Value slice);
  mlir::Value emitValue(mlir::Operation *op, unsigned word);
  mlir::Value emitSelect(mlir::arith::SelectOp select, unsigned word);
  mlir::Value emitExtension(mlir::Operation *op, unsigned word);
  void emitExit(mlir::Operation &op);
  mlir::Value combine(const LaneReduction &reduction, mlir::Value a,
                      mlir::Value b);

  mlir::scf::ForOp loop;
  unsigned bits = 0;
  bool isBigEndian = false, needsOrder = false, leaves = false;
  llvm::SmallVector<mlir::Value> read, written;
  llvm::SmallVector<LaneReduction> reductions;
  /// What combines: the operations of reductions, comparisons included.
  llvm::SmallPtrSet<mlir::Operation *, 4> combining;
  llvm::DenseMap<mlir::Value, Info> infos;

  // Of the copy that is being made.
  mlir::ImplicitLocOpBuilder *builder = nullptr;
  llvm::SmallVector<mlir::Value> offsets;
  unsigned bytes = 4;
  llvm::SmallVectorImpl<mlir::Value> *carried = nullptr;
  llvm::DenseMap<mlir::Value, Words> wordsOf;
  mlir::IRMapping uniform;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_TRANSFORMS_LANEBODY_H
