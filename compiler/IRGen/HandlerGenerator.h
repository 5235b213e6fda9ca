// Generates the body of one handler. Variables are SSA values: a structured
// statement that assigns outer variables carries them as results.
#ifndef SPINC_IRGEN_HANDLERGENERATOR_H
#define SPINC_IRGEN_HANDLERGENERATOR_H

#include "compiler/AST/Ast.h"
#include "compiler/IRGen/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace spinc::irgen {

class HandlerGenerator {
public:
  HandlerGenerator(mlir::OpBuilder &builder, const sema::ContextInfo &context,
                   const sema::HandlerInfo &handler, unsigned clusters,
                   unsigned hpus)
      : builder(builder), context(context), handler(handler),
        clusters(clusters), hpus(hpus) {}

  /// Fills the region of `op`, which is empty.
  void generate(spin::HandlerOp op);

private:
  /// What a name stands for: a scalar, slice, view or command; a piece is its
  /// host and its data slice.
  struct Binding {
    mlir::Value value;
    mlir::Value data;
  };
  using Variables = llvm::SmallVector<const ast::LocalDecl *>;

  // IRGenHandler.cpp: prologue, and what statements have in common.
  void emitPrologue(mlir::Value argument);
  mlir::Location loc(SourceRange range) {
    return locationOf(builder.getContext(), range);
  }
  mlir::Value constant(mlir::Location loc, uint64_t value, unsigned bits = 32);
  mlir::Value name(const ast::Decl &decl, mlir::Value value);
  /// Reads `bits` at byte `offset` of the headers. A handler that never stores
  /// to its packet reads each place once, in the prologue, so that what a guard
  /// says of a field holds wherever the field is named.
  mlir::Value readHeader(mlir::Location loc, unsigned offset, unsigned bits,
                         spin::ByteOrder order);
  static spin::ReturnCode returnCode(const ast::Expr &expr);
  /// Variables declared outside of `stmt` that it assigns.
  Variables assignedIn(const ast::Stmt &stmt) const;
  llvm::SmallVector<mlir::Value> valuesOf(const Variables &variables) const;
  void bind(const Variables &variables, mlir::ValueRange values);

  // IRGenStmt.cpp. True: control does not pass to what follows.
  bool emit(const ast::Stmt &stmt);
  bool emitBlock(const ast::BlockStmt &stmt);
  void emitDeclare(const ast::DeclareStmt &stmt);
  void emitAssign(const ast::AssignStmt &stmt);
  bool emitIf(const ast::IfStmt &stmt);
  void emitRequire(const ast::Expr &condition, spin::ReturnCode code);
  void emitForRange(const ast::ForRangeStmt &stmt);
  void emitForEach(const ast::ForEachStmt &stmt);
  void emitForElements(const ast::ForEachStmt &stmt);
  void emitForPieces(const ast::ForEachStmt &stmt);
  void emitCountedLoop(const ast::Stmt &stmt, const ast::Stmt &body,
                       const ast::LocalDecl &variable, mlir::Value lower,
                       mlir::Value upper, mlir::Value step,
                       llvm::function_ref<mlir::Value(mlir::Value)> element);
  void emitReturn(mlir::Location loc, spin::ReturnCode code);

  // IRGenExpr.cpp: scalars.
  mlir::Value emitScalar(const ast::Expr &expr);
  mlir::Value emitAs(const ast::Expr &expr, const sema::Type *type);
  mlir::Value emitU32(const ast::Expr &expr);
  mlir::Value convert(mlir::Location loc, mlir::Value value, Shape from,
                      Shape to, bool exact);
  mlir::Value extend(mlir::Location loc, mlir::Value value, bool isSigned,
                     unsigned bits);
  mlir::Value emitBinary(const ast::BinaryExpr &expr);
  mlir::Value emitArithmetic(mlir::Location loc, ast::BinaryOp op,
                             mlir::Value left, mlir::Value right,
                             bool isSigned);
  mlir::Value emitSaturating(mlir::Location loc, ast::BinaryOp op,
                             mlir::Value left, mlir::Value right,
                             bool isSigned);
  mlir::Value emitComparison(const ast::BinaryExpr &expr);
  mlir::Value emitShortCircuit(const ast::BinaryExpr &expr);
  mlir::Value emitConditional(const ast::ConditionalExpr &expr);
  mlir::Value emitUnary(const ast::UnaryExpr &expr);

  // IRGenAccess.cpp: memory.
  mlir::Value emitSlice(const ast::Expr &expr);
  mlir::Value emitSliceField(const ast::FieldExpr &expr);
  mlir::Value emitSubslice(const ast::SliceExpr &expr);
  mlir::Value emitField(const ast::FieldExpr &expr);
  mlir::Value emitMessageField(const ast::FieldExpr &expr);
  mlir::Value emitPacketLength(mlir::Location loc);
  mlir::Value emitPayload(mlir::Location loc);
  /// A field of a packet header: the bytes that hold it, and where in them.
  struct FieldPlace {
    const sema::HeaderField *field;
    unsigned byteOffset, bytes, shift;
  };
  FieldPlace fieldPlace(const ast::FieldExpr &expr) const;
  mlir::Value emitHeaderField(const ast::FieldExpr &expr);
  void emitHeaderFieldStore(const ast::FieldExpr &expr, mlir::Value value);
  void emitStore(const ast::Expr &target, mlir::Value value);
  const sema::StateField *stateField(const ast::Expr &expr) const;
  spin::SliceType byteSlice(spin::MemorySpace space);
  spin::SliceType stateSlice(const sema::StateField &field);

  // IRGenAction.cpp: builtin calls. Null if the call has no value.
  mlir::Value emitCall(const ast::CallExpr &expr);
  mlir::Value emitAction(const ast::CallExpr &expr);
  mlir::Value emitPut(const ast::CallExpr &expr);
  mlir::Value emitAtomic(const ast::CallExpr &expr);
  static const ast::Expr &argument(const ast::CallExpr &expr,
                                   unsigned position);
  /// Null if the call has no argument `label: …`.
  static const ast::Expr *argument(const ast::CallExpr &expr,
                                   llvm::StringRef label);

  mlir::OpBuilder &builder;
  const sema::ContextInfo &context;
  const sema::HandlerInfo &handler;
  const unsigned clusters;
  const unsigned hpus;

  llvm::DenseMap<const ast::Decl *, Binding> bindings;
  /// All bytes of the packet and their number, made in the prologue.
  mlir::Value packetBytes, packetSize;
  unsigned headerBytes = 0;
  mlir::Operation *prologueEnd = nullptr;
  bool readsOnce = false;
  /// By offset, bits and byte order.
  std::map<std::tuple<unsigned, unsigned, unsigned>, mlir::Value> headerReads;
  /// Whether + - * wrap here (inside `wrapping { … }`).
  bool wrapping = false;
};

} // namespace spinc::irgen

#endif // SPINC_IRGEN_HANDLERGENERATOR_H
