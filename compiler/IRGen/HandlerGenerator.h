// Generates the body of one handler. Variables are SSA values: a structured
// statement that assigns outer variables carries them as results.
#ifndef SPINC_IRGEN_HANDLERGENERATOR_H
#define SPINC_IRGEN_HANDLERGENERATOR_H

#include "compiler/AST/Ast.h"
#include "compiler/IRGen/Common.h"
#include "compiler/IRGen/Effects.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace spinc::irgen {

/// The symbols of the constants that a module uses.
using TableSymbols = llvm::DenseMap<const ast::ConstDecl *, mlir::StringAttr>;

class HandlerGenerator {
public:
  HandlerGenerator(mlir::OpBuilder &builder, const sema::ContextInfo &context,
                   const sema::HandlerInfo &handler, unsigned clusters,
                   unsigned hpus, TableSymbols &tables)
      : builder(builder), context(context), handler(handler),
        clusters(clusters), hpus(hpus), tables(tables) {}

  /// Fills the region of `op`, which is empty.
  void generate(spin::HandlerOp op);

private:
  /// What a name stands for: a scalar, slice, view or command; a piece is its
  /// host and its data slice.
  struct Binding {
    mlir::Value value;
    mlir::Value data;
  };
  using Variables = llvm::SmallVector<const ast::Decl *>;

  // IRGenHandler.cpp: prologue, and what statements have in common.
  void emitPrologue(mlir::Value argument);
  // IRGenHeaders.cpp: headers whose places are read from the packet.
  void emitHeaderSizes();
  mlir::Value emitHeaderSize(mlir::Location at,
                             const sema::PacketHeader &header);
  void emitDropUnless(mlir::Location at, mlir::Value large, mlir::Value small);
  mlir::Value behindHeader(mlir::Location at, int after, unsigned offset);
  mlir::Value emitHeaderBytes(mlir::Location at);
  mlir::Value emitHeaderRest(const ast::FieldExpr &expr);
  /// The place of `range`; in a function, with the calls that lead there.
  mlir::Location loc(SourceRange range);
  /// The same, for a value that the user calls `name`.
  mlir::Location loc(SourceRange range, llvm::StringRef name);
  mlir::Value constant(mlir::Location loc, uint64_t value, unsigned bits = 32);
  mlir::Value name(const ast::Decl &decl, mlir::Value value);
  mlir::Value nameByText(const ast::Expr &expr, mlir::Value value);
  /// Reads `bits` at byte `offset` of the headers. A handler that never stores
  /// to its packet reads each place once, in the prologue, so that what a guard
  /// says of a field holds wherever the field is named.
  /// `offset` counts from the end of header `after`, -1: the packet's start.
  mlir::Value readHeader(mlir::Location loc, int after, unsigned offset,
                         unsigned bits, spin::ByteOrder order,
                         bool isConditional = false);
  static spin::ReturnCode returnCode(const ast::Expr &expr);
  llvm::SmallVector<mlir::Value> valuesOf(const Variables &variables) const;
  void bind(const Variables &variables, mlir::ValueRange values);

  // IRGenStmt.cpp. True: control does not pass to what follows.
  bool emit(const ast::Stmt &stmt);
  bool emitBlock(const ast::BlockStmt &stmt);
  void emitDeclare(const ast::DeclareStmt &stmt);
  void emitAssign(const ast::AssignStmt &stmt);
  void emitRequire(const ast::Expr &condition, spin::ReturnCode code);
  void emitReturn(mlir::Location loc, spin::ReturnCode code);

  // IRGenJumps.cpp: what `break`, `continue` and a function's `return` leave.
  struct JumpScope {
    enum Kind { Loop, Switch, Function } kind;
    /// True until control leaves the rest of the body. Null if it never does.
    const ast::Decl *live = nullptr;
    /// Of a loop that may end before its condition does: true until then.
    const ast::Decl *running = nullptr;
    /// Of a function that has one.
    const ast::Decl *result = nullptr;
  };
  using Statements = llvm::ArrayRef<const ast::Stmt *>;
  const ast::Decl *makeVariable(llvm::StringRef name);
  bool isInFunction() const;
  bool mayJump(const Effects &effects) const;
  void forScopesLeft(
      bool breaks, bool continues, bool returns,
      llvm::function_ref<void(const JumpScope &, bool ends)> visit) const;
  /// Variables declared outside of the statements that they assign.
  Variables
  assignedIn(Statements statements,
             llvm::ArrayRef<const ast::Expr *> expressions = {}) const;
  Variables carriedBy(const Effects &effects) const;
  void emitJump(mlir::Location at, bool breaks, bool continues, bool returns);
  /// Calls `emit` for what has the parts `bodies`, which `break` leaves.
  void emitSwitchBody(mlir::Location at, Statements bodies,
                      llvm::function_ref<void()> emit);
  bool emitSequence(Statements statements);
  bool emitIfLive(Statements rest);
  /// Emits a branch. True: control does not pass to what follows.
  using Branch = llvm::function_ref<bool()>;
  bool emitBranches(mlir::Location at, mlir::Value condition,
                    const Variables &carried, Branch whenTrue,
                    Branch whenFalse);
  bool emitBranches(mlir::Location at, mlir::Value condition,
                    Statements whenTrue, Statements whenFalse);
  bool emitIf(const ast::IfStmt &stmt, Statements rest);

  // IRGenLoop.cpp
  struct LoopFrame {
    mlir::Location at;
    Variables carried;
    /// Those that the condition itself assigns.
    Variables asked;
    /// Of `bound(n)`, or null; `rounds` counts up to it.
    mlir::Value limit;
    const ast::Decl *rounds;
  };
  LoopFrame openLoop(const ast::Stmt &body, const ast::Expr *condition,
                     const ast::Expr *bound, mlir::Location at);
  mlir::Location placeOf(const LoopFrame &frame, const ast::Decl &variable);
  void emitRound(const LoopFrame &frame, const ast::Stmt &body);
  void emitPieceRound(const LoopFrame &frame, const ast::Stmt &body);
  void emitLoopGuard(const LoopFrame &frame);
  mlir::Value closeLoop(const LoopFrame &frame, mlir::ValueRange results);
  /// Gives what says whether the loop ran to its end, null if it surely does.
  mlir::Value
  emitCountedLoop(const ast::Stmt &stmt, const ast::Stmt &body,
                  const ast::Expr *bound, const ast::LocalDecl &variable,
                  mlir::Value lower, mlir::Value upper, mlir::Value step,
                  llvm::function_ref<mlir::Value(mlir::Value)> element);
  llvm::SmallVector<mlir::Value>
  emitWhileLoop(const LoopFrame &frame, mlir::Value index,
                mlir::Location indexLoc,
                llvm::function_ref<mlir::Value(mlir::Value)> condition,
                llvm::function_ref<mlir::Value(mlir::Value)> round);
  mlir::Value emitRunning(const LoopFrame &frame,
                          llvm::function_ref<mlir::Value()> condition);
  void emitWhile(const ast::WhileStmt &stmt);
  void emitForRange(const ast::ForRangeStmt &stmt);
  void emitForEach(const ast::ForEachStmt &stmt);
  void emitForElements(const ast::ForEachStmt &stmt);
  void emitForPieces(const ast::ForEachStmt &stmt);
  void emitForChunks(const ast::ForEachStmt &stmt, const ast::CallExpr &call);

  // IRGenLock.cpp
  bool emitWith(const ast::WithStmt &stmt);
  void emitRelease(mlir::Location at);
  /// Lets `op`, which may leave the handler, give back the lock that is held.
  void markRelease(spin::RequireOp op);

  // IRGenSwitch.cpp
  bool emitSwitch(const ast::SwitchStmt &stmt);
  bool emitCases(mlir::Value subject,
                 llvm::ArrayRef<const ast::SwitchCase *> arms,
                 const ast::SwitchCase *fallback, const Variables &carried);

  // IRGenMatch.cpp: one of several headers.
  mlir::Value emitSelector(mlir::Location at, unsigned header,
                           llvm::ArrayRef<sema::FollowFact> facts);
  mlir::Value emitChosenSize(mlir::Location at, unsigned header, unsigned first,
                             mlir::Value room);
  mlir::Value emitAlternativeSize(mlir::Location at,
                                  const sema::PacketHeader &alternative,
                                  mlir::Value room);
  void emitHeaderChecks(const sema::PacketHeader &header);
  bool emitMatch(const ast::MatchStmt &stmt);
  bool emitMatchCases(unsigned header,
                      llvm::ArrayRef<const ast::MatchCase *> arms,
                      const ast::MatchCase *fallback, const Variables &carried);

  // IRGenFunction.cpp: functions; those without a budget are inlined.
  mlir::Value emitFunctionCall(const ast::CallExpr &call);
  void emitFunctionReturn(mlir::Location at, const ast::Expr *result);
  bool emitRequireOrReturn(const ast::RequireStmt &stmt, Statements rest);
  /// A place that is read and written: what its index is, is asked once.
  struct Place {
    const ast::Expr *expr;
    mlir::Value slice, index;
    /// Of the packed value there, or null.
    mlir::Value lane;
  };
  Place emitPlace(const ast::Expr &expr);
  mlir::Value readPlace(const Place &place);
  void writePlace(const Place &place, mlir::Value value);
  /// What is written back after a call.
  using BackCopy = std::pair<const ast::ParameterDecl *, Place>;
  mlir::Value emitCallOf(const ast::FunctionDecl &function, mlir::Location at,
                         mlir::ValueRange values,
                         llvm::ArrayRef<BackCopy> backs);
  spin::HandlerOp functionOf(const ast::FunctionDecl &function,
                             mlir::TypeRange types);
  void generateFunction(spin::HandlerOp op, const ast::FunctionDecl &function,
                        mlir::TypeRange types);
  mlir::Value emitFunctionBody(const ast::FunctionDecl &function,
                               mlir::Location at, mlir::ValueRange values);

  // IRGenExpr.cpp: scalars.
  mlir::Value emitScalar(const ast::Expr &expr);
  mlir::Value emitComputed(const ast::Expr &expr);
  mlir::Value emitAs(const ast::Expr &expr, const sema::Type *type);
  /// The value that Sema has converted `expr` to: a `type`, not in memory.
  mlir::Value emitValue(const ast::Expr &expr, const sema::Type *type);
  mlir::Value emitU32(const ast::Expr &expr);
  mlir::Value convert(mlir::Location loc, mlir::Value value, Shape from,
                      Shape to, bool exact);
  mlir::Value extend(mlir::Location loc, mlir::Value value, bool isSigned,
                     unsigned bits);
  mlir::Value emitBinary(const ast::BinaryExpr &expr);
  mlir::Value emitArithmetic(mlir::Location loc, ast::BinaryOp op,
                             mlir::Value left, mlir::Value right,
                             bool isSigned);
  mlir::Value emitOperator(mlir::Location loc, ast::BinaryOp op,
                           mlir::Value left, mlir::Value right,
                           const sema::Type *type);
  mlir::Value emitSaturating(mlir::Location loc, ast::BinaryOp op,
                             mlir::Value left, mlir::Value right, Shape shape);
  mlir::Value emitComparison(const ast::BinaryExpr &expr);
  /// The value of one of two ways to compute it, which may assign variables.
  mlir::Value emitChoice(mlir::Location at, mlir::Value condition,
                         mlir::Type type, const Variables &carried,
                         llvm::function_ref<mlir::Value()> whenTrue,
                         llvm::function_ref<mlir::Value()> whenFalse);
  mlir::Value emitShortCircuit(const ast::BinaryExpr &expr);
  mlir::Value emitConditional(const ast::ConditionalExpr &expr);
  mlir::Value emitUnary(const ast::UnaryExpr &expr);

  // IRGenSimd.cpp: packed values, which are words outside of it.
  mlir::Value emitSplat(mlir::Location at, mlir::Value number,
                        const sema::SimdType &type);
  mlir::Value emitLanes(const ast::Expr &expr, const sema::SimdType &type);
  mlir::Value emitLaneShift(mlir::Location at, mlir::Value lane,
                            const sema::SimdType &type);
  mlir::Value emitLane(mlir::Location at, mlir::Value word, mlir::Value lane,
                       const sema::SimdType &type);
  mlir::Value emitWithLane(mlir::Location at, mlir::Value word,
                           mlir::Value lane, mlir::Value number,
                           const sema::SimdType &type);
  mlir::Value emitWideLane(mlir::Location at, mlir::Value word, unsigned lane,
                           const sema::SimdType &type);
  mlir::Value emitLanewise(mlir::Location at, spin::LaneKind kind,
                           mlir::Value left, mlir::Value right,
                           const sema::SimdType &type);
  mlir::Value emitSaturatingLanes(mlir::Location at, bool subtracts,
                                  mlir::Value a, mlir::Value b,
                                  const sema::SimdType &type);
  mlir::Value emitDot(mlir::Location at, mlir::Value left, mlir::Value right,
                      const sema::SimdType &type);
  mlir::Value emitSimdOperator(mlir::Location at, ast::BinaryOp op,
                               mlir::Value left, mlir::Value right,
                               const sema::SimdType &type);
  mlir::Value emitSimdRight(ast::BinaryOp op, const ast::Expr &expr,
                            const sema::SimdType &type);
  mlir::Value emitSimdBinary(const ast::BinaryExpr &expr);
  mlir::Value emitSimdMethod(const ast::CallExpr &expr);
  mlir::Value emitSimdList(const ast::InitListExpr &list);

  // IRGenFloat.cpp: floats, which are integers of their bits outside of it.
  mlir::Value asFloat(mlir::Location at, mlir::Value bits);
  mlir::Value bitsOf(mlir::Location at, mlir::Value number);
  mlir::Value emitFloatOperator(mlir::Location at, ast::BinaryOp op,
                                mlir::Value left, mlir::Value right);
  mlir::Value emitFloatComparison(const ast::BinaryExpr &expr);
  mlir::Value emitFloatNegation(mlir::Location at, mlir::Value bits);
  mlir::Value emitFloatCast(mlir::Location at, mlir::Value value,
                            const sema::Type *from, const sema::Type *to);
  mlir::Value emitFloatToInteger(mlir::Location at, mlir::Value number,
                                 Shape to);

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
    int after;
    unsigned byteOffset, bytes, shift;
    /// Of a header that only some packets hold.
    bool isConditional;
  };
  FieldPlace fieldPlace(const sema::PacketHeader &header,
                        const sema::HeaderField &field) const;
  FieldPlace fieldPlace(const ast::FieldExpr &expr) const;
  const sema::PacketHeader &packetHeader(const ast::Expr &expr) const;
  mlir::Value readField(const FieldPlace &place, const sema::Type *type,
                        mlir::Location at, llvm::StringRef name);
  mlir::Value emitHeaderField(const ast::FieldExpr &expr);
  void emitHeaderFieldStore(const ast::FieldExpr &expr, mlir::Value value);
  void emitStore(const ast::Expr &target, mlir::Value value);
  const sema::StateField *stateField(const ast::Expr &expr) const;
  spin::SliceType byteSlice(spin::MemorySpace space);
  spin::SliceType stateSlice(const sema::StateField &field);

  // IRGenMemory.cpp: arrays, structs and what is in them.
  /// Element `index` of `slice`.
  struct Element {
    mlir::Value slice, index;
  };
  const sema::Type *storedType(const ast::Expr &place) const;
  bool isElement(const ast::Expr &place) const;
  spin::SliceType sliceOf(const sema::Type *element, mlir::Value like);
  mlir::Value viewAs(mlir::Location at, mlir::Value bytes,
                     const sema::Type *element);
  mlir::Value emitMember(mlir::Location at, Element record, unsigned offset,
                         const sema::Type *type);
  mlir::Value emitArray(const ast::Expr &expr);
  Element emitElement(const ast::Expr &expr);
  mlir::Value fromMemory(mlir::Location at, mlir::Value bits,
                         const sema::Type *type);
  mlir::Value toMemory(mlir::Location at, mlir::Value value,
                       const sema::Type *type);
  mlir::Value emitStoredValue(mlir::Location at, Element element,
                              const sema::Type *type);
  mlir::Value emitElementLoad(const ast::Expr &expr);
  std::optional<mlir::Value> emitUserField(const ast::Expr &expr);
  void emitElementStore(mlir::Location at, Element element, mlir::Value value,
                        const sema::Type *type);
  void emitCopy(mlir::Location at, Element to, Element from,
                const sema::Type *type);
  void emitLocal(const ast::LocalDecl &local);
  void emitInitial(mlir::Value slice, const ast::Expr &init,
                   const sema::Type *type);

  // IRGenTable.cpp: constants in memory.
  mlir::Value emitTable(mlir::Location at, const ast::ConstDecl &constant);

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
  TableSymbols &tables;

  llvm::DenseMap<const ast::Decl *, Binding> bindings;
  llvm::DenseSet<mlir::Operation *> namedByText;
  /// All bytes of the packet and their number, made in the prologue.
  mlir::Value packetBytes, packetSize;
  unsigned headerBytes = 0;
  /// Of each header whose size is read from the packet: where it ends, and how
  /// long it is. And the size of all headers then.
  struct RunTimeHeader {
    mlir::Value end, size;
  };
  std::map<int, RunTimeHeader> runTimeHeaders;
  /// Of a header with alternatives: for each whether the packet holds it.
  std::map<int, llvm::SmallVector<mlir::Value>> choices;
  /// What the variables of `match` cases stand for.
  llvm::DenseMap<const ast::Decl *, const sema::PacketHeader *> matched;
  mlir::Value readHeaderBytes;
  mlir::Operation *prologueEnd = nullptr;
  bool readsOnce = false;
  /// By place, bits and byte order.
  std::map<std::tuple<int, unsigned, unsigned, unsigned>, mlir::Value>
      headerReads;
  /// The innermost last.
  llvm::SmallVector<JumpScope> jumpScopes;
  std::vector<std::unique_ptr<ast::LocalDecl>> ownVariables;
  /// Of the calls that are being inlined, the innermost last.
  llvm::SmallVector<mlir::Location> callSites;
  /// The lock that is held here, or null.
  const sema::StateField *heldLock = nullptr;
  bool heldShared = false;
  /// Whether + - * wrap here (inside `wrapping { … }`).
  bool wrapping = false;
};

} // namespace spinc::irgen

#endif // SPINC_IRGEN_HANDLERGENERATOR_H
