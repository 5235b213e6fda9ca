// Evaluates the typed AST: the meaning of a handler, straight from the rules of
// docs/language.md. Shares no code with what it checks (IRGen, the dialect,
// the back end). What must not happen becomes a Violation, and evaluation ends.
#ifndef SPINC_TEST_REFERENCE_INTERPRETER_H
#define SPINC_TEST_REFERENCE_INTERPRETER_H

#include "test/Reference/Machine.h"

namespace spinc::reference {

class Interpreter {
public:
  Interpreter(Machine &machine, const Place &place, uint64_t stepLimit)
      : machine(machine), place(place), stepLimit(stepLimit) {}

  Outcome run(const sema::HandlerInfo &handler,
              const std::vector<uint8_t> &packet);
  /// A condition of `where` or `contract`.
  bool holds(const ast::Expr &condition);

private:
  enum class Flow { Next, Break, Continue, Return };

  // Statements.cpp
  Flow exec(const ast::Stmt &stmt);
  Flow execBlock(const ast::BlockStmt &stmt);
  Flow execDeclare(const ast::LocalDecl &local);
  Flow execAssign(const ast::AssignStmt &stmt);
  Flow execForEach(const ast::ForEachStmt &stmt);
  Flow execForPieces(const ast::ForEachStmt &stmt);
  Flow execChunks(const ast::ForEachStmt &stmt);
  Flow execForRange(const ast::ForRangeStmt &stmt);
  Flow execWhile(const ast::WhileStmt &stmt);
  Flow execSwitch(const ast::SwitchStmt &stmt);
  Flow execMatch(const ast::MatchStmt &stmt);
  Flow execReturn(const ast::Expr *result);
  Number boundOf(const ast::Expr *bound);
  bool isPast(Number most, Number round);
  /// Whether a loop goes on after a round; sets `flow` if it ends.
  bool goesOn(Flow round, Flow &flow);

  // Expressions.cpp
  Value eval(const ast::Expr &expr);
  Number evalNumber(const ast::Expr &expr);
  Value evalBinary(const ast::BinaryExpr &expr);
  Number compute(const ast::Expr &at, ast::BinaryOp op, Number left,
                 Number right, const Type *type);
  Value evalUnary(const ast::UnaryExpr &expr);
  Value evalCast(const ast::CastExpr &expr);
  Value evalField(const ast::FieldExpr &expr);
  Value evalName(const ast::NameExpr &expr);
  /// `value` as a `type`: it has to fit, except in `wrapping`.
  Number convert(Number value, const Type *type, const ast::Expr &at);
  Value convert(Value value, const Type *type, const ast::Expr &at);

  // Simd.cpp
  Number evalLanes(const ast::Expr &expr, const SimdType &type);
  std::optional<unsigned> evalLane(const ast::IndexExpr &expr);
  Value loadLane(const ast::IndexExpr &expr);
  void storeLane(const ast::IndexExpr &target, Number value);
  Number evalSimdList(const ast::InitListExpr &list);
  Number computeSimd(const ast::Expr &at, ast::BinaryOp op, Number left,
                     const ast::Expr &right, const SimdType &type);
  Value evalSimdBinary(const ast::BinaryExpr &expr);
  Value evalSimdMethod(const ast::CallExpr &expr);

  // Memory.cpp
  Slice evalSlice(const ast::Expr &expr);
  Slice part(const Slice &whole, Number begin, Number length,
             const ast::Expr &at);
  Slice payload();
  /// The place of one element, or of a member of it.
  Slice element(const Slice &slice, Number index, const ast::Expr &at);
  Value load(const Slice &place, const ast::Expr &at);
  void store(const Slice &place, Value value, const ast::Expr &at);
  bool touch(const Slice &place, uint64_t size, const ast::Expr &at);
  void storeTo(const ast::Expr &target, Value value);
  /// typ-22: what `init` leaves out stays zero.
  void initialize(const Slice &place, const ast::Expr &init);
  Region &constant(const ast::ConstDecl &decl);
  Value loadHeaderField(const ast::FieldExpr &expr);
  struct HeaderPlace {
    uint64_t start, size;
    /// Of one of several headers, the one that the packet holds, or none.
    const sema::PacketHeader *chosen = nullptr;
  };
  /// Finds the headers of the packet; false if it does not hold them.
  bool placeHeaders();
  const sema::PacketHeader *choose(const sema::PacketHeader &choice);
  bool measure(const sema::PacketHeader &header, HeaderPlace &at);
  bool meetsChecks(const sema::PacketHeader &header, const HeaderPlace &at);
  size_t headerIndex(const ast::FieldExpr &expr) const;
  void storeHeaderField(const ast::FieldExpr &expr, Number value);
  struct BitPlace {
    const HeaderField *field = nullptr;
    uint64_t bit = 0; // from the start of the packet
  };
  std::optional<BitPlace> headerField(const ast::FieldExpr &expr);
  Value loadBits(const BitPlace &at);
  Number message(Builtin field, const ast::Expr &at);
  const sema::StateField *stateField(const ast::Expr &expr) const;
  Slice wholeField(const sema::StateField &field);
  /// The place that an l-value in memory means, if it is one.
  std::optional<Slice> memoryPlace(const ast::Expr &expr);

  // Actions.cpp
  Value evalCall(const ast::CallExpr &expr);
  Value callFunction(const ast::CallExpr &expr,
                     const ast::FunctionDecl &function);
  Value evalAtomic(const ast::CallExpr &expr);
  Value evalCounter(const ast::CallExpr &expr);
  Value evalCopy(const ast::CallExpr &expr);
  Value evalStrided(const ast::CallExpr &expr);
  void copyToHost(const ast::CallExpr &expr);
  void copyFromHost(const ast::CallExpr &expr);
  void copy(const Slice &to, const Slice &from, const ast::Expr &at);
  void notify(const ast::CallExpr &expr);
  void send(const ast::CallExpr &expr);
  void put(const ast::CallExpr &expr);

  std::vector<uint8_t> bytesOf(const Slice &slice, const ast::Expr &at);
  void fail(const char *rule, std::string message, SourceRange range);
  /// A rule was broken, or the bound of a loop has ended the handler: nothing
  /// has an effect any more.
  bool stopped() const { return outcome.violation || leaves; }
  bool tick(SourceRange range);

  Machine &machine;
  Place place;
  const uint64_t stepLimit;
  const sema::HandlerInfo *handler = nullptr;
  Region packet;
  std::vector<HeaderPlace> headers; // as in the layout of the context
  /// The headers that variables of `match` cases stand for.
  llvm::DenseMap<const ast::Decl *, size_t> matched;
  uint64_t payloadStart = 0;
  Outcome outcome;
  bool wrapping = false;
  bool leaves = false; // the handler, from within a function
  /// Values of names; there is no recursion, so no frames.
  llvm::DenseMap<const ast::Decl *, Value> values;
  std::map<const ast::Decl *, Region> locals;
  Value returned;
};

// Floats.cpp: numbers are bits here.
Number computeFloat(ast::BinaryOp op, Number left, Number right,
                    const Type *type);
Number negateFloat(Number value, const Type *type);
Number castFloat(Number value, const Type *from, const Type *to);

const ast::Expr &argument(const ast::CallExpr &expr, unsigned position);
const ast::Expr *argument(const ast::CallExpr &expr, llvm::StringRef label);

} // namespace spinc::reference

#endif // SPINC_TEST_REFERENCE_INTERPRETER_H
