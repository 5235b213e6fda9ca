// The working state of one analysis, private to compiler/Sema. Each group of
// methods is one source file, named in its comment. A method that finds an
// error reports it and yields the error type (poison); whatever meets poison
// stays silent, so that one cause gives one error.
#pragma once

#include "compiler/AST/Ast.h"
#include "compiler/Diagnostics/Engine.h"
#include "compiler/Sema/ConstEval.h"
#include "compiler/Sema/Scopes.h"
#include "compiler/Sema/Sema.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>

namespace spinc::sema {

/// The operator that `op` is inside `wrapping { … }`.
ast::BinaryOp wrappingForm(ast::BinaryOp op);

/// "did you mean", with the repair.
void suggestName(DiagnosticBuilder &report, llvm::StringRef word,
                 SourceRange range, llvm::ArrayRef<llvm::StringRef> candidates);

/// Where an expression stands decides which names it may use.
enum class Place {
  Constant,     // constants, array sizes
  HeaderRule,   // `where` of a header field, sized(…): the fields by their name
  ParamRule,    // `where` of a parameter: the parameters by their name
  ContractRule, // and the host region
  MatchRule,    // the headers of packet { … }
  StateType,    // the type of a state field
  BudgetRule,   // p.length, state.<parameter>, the named counts
  Body,
};

class Analyzer {
public:
  Analyzer(TypeContext &types, DiagnosticEngine &diagnostics,
           const SemaOptions &options)
      : types(types), diagnostics(diagnostics), options(options) {}

  void run(ast::Program &program);

private:
  //===-- Modules.cpp -----------------------------------------------------===//
  void analyzeModule(ast::Program &program);
  ast::Program *loadModule(ast::ImportDecl &import, const SourceFile *from);
  void importModule(ast::ImportDecl &import, ast::Program &program);
  void addToModule(ast::Decl *decl, SourceRange place);

  //===-- Declarations.cpp ------------------------------------------------===//
  void declareTopLevel(ast::Program &program);
  void checkTopLevel(ast::Program &program);
  void ensureConstant(ast::ConstDecl &constant);
  bool canBeConstant(const Type *type) const;
  void ensureHeader(ast::HeaderDecl &header);
  const Type *resolveType(ast::TypeExpr &type);
  const Type *namedType(ast::NamedTypeExpr &named);
  const Type *builtinType(llvm::StringRef name, SourceRange range);
  const Type *arrayType(ast::ArrayTypeExpr &array);

  //===-- Aggregates.cpp --------------------------------------------------===//
  void ensureEnum(ast::EnumDecl &decl);
  bool enumeratorValue(ast::EnumeratorDecl &decl, Number &value);
  void ensureStruct(ast::StructDecl &decl);
  void layOutStruct(const std::vector<ast::FieldPtr> &fields, StructType &type);
  bool canBeStored(const Type *type) const;
  /// Checks the initial value of a `type`, which may be a list.
  bool checkInitializer(ast::ExprPtr &init, const Type *type);
  bool checkElements(ast::InitListExpr &list, const Type *element,
                     uint64_t count);
  bool checkMembers(ast::InitListExpr &list, const StructType &record);
  bool checkRecord(ast::ExprPtr &value, const StructType *type);
  bool isConstantInit(const ast::Expr &init);
  MemorySpace spaceOf(const ast::Expr &place) const;
  void declareMemory(ast::LocalDecl &local, const Type *type);

  //===-- Layout.cpp ------------------------------------------------------===//
  void layOutHeader(ast::HeaderDecl &decl, HeaderType &header);
  bool headerField(ast::FieldDecl &decl, HeaderField &field);
  void chooseSize(const ast::HeaderDecl &decl, HeaderType &header);
  void addFollowRules(ast::HeaderDecl &decl, HeaderType &header);
  bool isRest(const ast::HeaderDecl &decl, ast::FieldDecl &field,
              HeaderType &header);

  //===-- Contexts.cpp ----------------------------------------------------===//
  void checkContext(ast::ContextDecl &decl);
  void checkHost(ast::ContextDecl &decl);
  void checkContracts(ast::ContextDecl &decl);
  bool checkInstallForm(const ast::Expr &condition);
  bool checkInstallNumber(const ast::Expr &number);

  //===-- PacketLayout.cpp ------------------------------------------------===//
  void layOutPacket(ast::ContextDecl &decl);
  void layOutUser(const ast::FieldBlock &user);
  void addPacketField(ast::FieldDecl &field, bool isLast);
  void addHeader(ast::FieldDecl &field, const HeaderType &type);

  //===-- Alternatives.cpp ------------------------------------------------===//
  void addAlternatives(ast::FieldDecl &field, ast::OneOfTypeExpr &oneOf);
  bool addFollowFacts(PacketHeader &alternative, const PacketHeader &before,
                      SourceRange range);
  bool areDistinct(const PacketHeader &choice, SourceRange range);
  void addHeaderChecks(PacketHeader &header);
  bool checkMatchStmt(ast::MatchStmt &stmt);
  void checkMatchCase(ast::MatchCase &arm, const PacketHeader *choice,
                      std::map<const Type *, SourceRange> &earlier);

  //===-- MatchRules.cpp --------------------------------------------------===//
  void checkMatch(ast::ContextDecl &decl);
  void checkPortalsMatch(ast::MatchBlock &match);
  void addHeaderRules(unsigned headerIndex);
  void addCondition(const ast::Expr &condition, int headerIndex);
  void addComparison(const ast::BinaryExpr &comparison, int headerIndex);
  void restrictField(unsigned headerIndex, const HeaderField &field,
                     const Number &low, const Number &high, SourceRange range,
                     std::string text);
  void makeRules(SourceRange range);
  void makeRule(const FieldFact &fact, SourceRange range);

  //===-- StateRules.cpp --------------------------------------------------===//
  void checkState(ast::ContextDecl &decl);
  bool stateField(ast::StateFieldDecl &decl, StateField &field);
  bool checkAtomicField(const ast::StateFieldDecl &decl,
                        const StateField &field);
  // Placement.cpp
  bool comparesAndSwaps(llvm::StringRef field) const;
  void chooseSpaces();
  void placeState(const ast::ContextDecl &decl);
  bool checkRead(const ast::Expr &place);
  bool checkWrite(const ast::Expr &target, std::optional<ast::BinaryOp> op);
  bool checkMemoryWrite(const ast::Expr &place, MemorySpace space);
  const StateField *rootField(const ast::Expr &place) const;
  bool checkStateSliceWrite(const ast::Expr &target);

  //===-- Locks.cpp -------------------------------------------------------===//
  bool lockField(ast::StateFieldDecl &decl, StateField &field);
  StateField lockNode(const StateField &lock);
  bool findGuard(const ast::ContextDecl &context, ast::StateFieldDecl &decl);
  bool checkGuarded(const ast::FieldExpr &use, const StateField &field);
  bool checkSharedWrite(const ast::Expr &target);
  const StateField *checkLock(ast::ExprPtr &expr, bool &isShared);
  bool checkWith(ast::WithStmt &stmt);

  //===-- HandlerRules.cpp ------------------------------------------------===//
  void checkHandlers(ast::ContextDecl &decl);
  void checkHandler(ast::HandlerDecl &decl, HandlerInfo &info);
  void checkReturn(ast::ExprPtr &result, SourceRange range);
  const Type *messageMember(ast::FieldExpr &field);
  const Type *packetMember(ast::FieldExpr &field);
  void dropWrittenFacts();

  // HeaderSizes.cpp
  static std::optional<uint64_t> headerSize(const HeaderType &header,
                                            uint64_t value);
  std::pair<uint64_t, uint64_t> sizeFieldRange(unsigned headerIndex) const;
  void fixSize(unsigned headerIndex, bool matchedBehind);
  void placeHeaders();
  uint64_t largestSize(PacketHeader &header, uint64_t low, uint64_t high);
  void limitHeaders();

  //===-- Functions.cpp ---------------------------------------------------===//
  void ensureFunction(ast::FunctionDecl &function);
  void ensureSignature(ast::FunctionDecl &function);
  void checkParameter(ast::ParameterDecl &parameter);
  void checkFunctionReturn(ast::ExprPtr &result, SourceRange range);
  ast::ParameterDecl *sliceParameter(const ast::Expr &slice) const;
  const Type *checkFunctionCall(ast::CallExpr &call, ast::FunctionDecl &callee);
  bool checkFunctionArgument(ast::Argument &argument,
                             const ast::ParameterDecl &parameter);
  bool checkInOutArgument(ast::ExprPtr &value,
                          const ast::ParameterDecl &parameter);
  bool checkSliceArgument(ast::ExprPtr &value, const SliceType &wanted,
                          const ast::ParameterDecl &parameter);

  //===-- Budgets.cpp -----------------------------------------------------===//
  void checkBudget(ast::HandlerDecl &decl, HandlerInfo &info);
  std::optional<unsigned> checkContention(ast::BudgetClause &clause);
  void checkFunctionBudget(ast::FunctionDecl &function);
  bool checkFunctionCount(const ast::FunctionDecl &function,
                          ast::ExprPtr &count);
  bool isLinear(const ast::Expr &expr, bool isNamedCount);
  bool isConstantOrParam(const ast::Expr &expr) const;

  //===-- TypeCheckStmt.cpp -----------------------------------------------===//
  bool checkBlock(ast::BlockStmt &block); // true: never reaches its end
  bool checkStmt(ast::StmtPtr &stmt);
  bool checkBody(ast::StmtPtr &stmt);
  void checkDeclare(ast::DeclareStmt &stmt);
  void checkAssign(ast::AssignStmt &stmt);
  bool checkPlace(const ast::Expr &target, std::optional<ast::BinaryOp> op);
  void checkCompound(ast::AssignStmt &stmt, const Type *target);
  bool checkIf(ast::IfStmt &stmt);
  void checkExprStmt(ast::ExprStmt &stmt);
  void declareLocal(ast::LocalDecl &local);
  const Type *valueOf(const Type *type); // of a wire integer, its number

  //===-- TypeCheckLoop.cpp -----------------------------------------------===//
  void checkForEach(ast::ForEachStmt &stmt);
  void checkForRange(ast::ForRangeStmt &stmt);
  const Type *checkChunks(ast::CallExpr &call);
  bool checkWhile(ast::WhileStmt &stmt);
  void checkBound(ast::ExprPtr &bound);
  bool checkLoopBody(ast::StmtPtr &body, ast::LocalDecl *variable);
  void checkJump(const ast::Stmt &stmt);

  //===-- TypeCheckSwitch.cpp ---------------------------------------------===//
  bool checkSwitch(ast::SwitchStmt &stmt);
  void checkCaseValue(ast::ExprPtr &value, const Type *subject,
                      std::map<std::string, SourceRange> &earlier);

  //===-- TypeCheckExpr.cpp -----------------------------------------------===//
  /// Types `expr` as a value: something a variable could hold.
  const Type *checkValue(ast::ExprPtr &expr);
  const Type *requireValue(ast::ExprPtr &expr);
  /// Types `expr` as a thing: also headers, arrays, objects.
  const Type *checkThing(ast::ExprPtr &expr);
  const Type *checkBool(ast::ExprPtr &expr);
  /// checkValue, then convert to `type`.
  bool checkAs(ast::ExprPtr &expr, const Type *type);
  const Type *checkIndex(ast::IndexExpr &index);
  const Type *checkSlice(ast::SliceExpr &slice);
  const Type *checkCast(ast::CastExpr &cast);
  const Type *checkUnary(ast::UnaryExpr &unary);
  const Type *checkConditional(ast::ConditionalExpr &conditional);

  //===-- TypeCheckName.cpp -----------------------------------------------===//
  const Type *checkName(ast::NameExpr &name);
  const Type *checkDeclName(ast::NameExpr &name);
  const Type *checkEnumerator(ast::Expr &expr, ast::EnumeratorDecl &decl);
  const Type *enumMember(ast::FieldExpr &field);
  const Type *checkField(ast::FieldExpr &field);
  const Type *memberOf(ast::FieldExpr &field, const Type *base);
  const Type *objectMember(ast::FieldExpr &field, Builtin object);

  //===-- TypeCheckArith.cpp ----------------------------------------------===//
  const Type *checkBinary(ast::BinaryExpr &binary);
  const Type *checkArithmetic(ast::BinaryExpr &binary);
  const Type *checkShift(ast::BinaryExpr &binary);
  /// Converts both sides to the type they share; null if there is none.
  const Type *unify(ast::ExprPtr &left, ast::ExprPtr &right, bool promotes);
  const Type *commonType(ast::BinaryExpr &binary);
  const Type *promoted(const Type *type);
  const Type *foldBinary(ast::BinaryExpr &binary, const Type *type);

  //===-- Comparison.cpp --------------------------------------------------===//
  struct Range {
    Number low, high;
    bool isKnown = false; // false after an error
  };
  const Type *checkComparison(ast::BinaryExpr &binary);
  Range checkMath(ast::ExprPtr &expr, Range &all, bool &hasArithmetic);
  Range mathBinary(ast::BinaryExpr &binary, Range &all, bool &hasArithmetic);
  void retype(ast::ExprPtr &expr, const IntType *type);

  //===-- Convert.cpp -----------------------------------------------------===//
  /// Makes `expr` a `type` if its values all fit (typ-3), inserting an implicit
  /// cast; reports otherwise.
  bool convert(ast::ExprPtr &expr, const Type *type);
  bool convertChoice(ast::Expr &expr, const IntType *type);

  // Floats.cpp
  const Type *checkFloatLiteral(ast::FloatLiteral &literal);
  bool convertToFloat(ast::ExprPtr &expr, const FloatType *type);
  const FloatType *unifyFloats(ast::ExprPtr &left, ast::ExprPtr &right);
  bool mayComputeFloats(const ast::BinaryExpr &binary);
  const Type *floatArithmetic(ast::BinaryExpr &binary);
  const Type *floatComparison(ast::BinaryExpr &binary);
  const Type *floatNegation(ast::UnaryExpr &unary);
  void floatCompound(ast::AssignStmt &stmt, const FloatType *type);
  const Type *floatCast(ast::CastExpr &cast, const Type *target);

  //===-- Simd.cpp --------------------------------------------------------===//
  bool checkLaneOperator(ast::BinaryOp op, SourceRange range,
                         const SimdType *type);
  bool convertToLanes(ast::ExprPtr &expr, const SimdType *type);
  const Type *simdArithmetic(ast::BinaryExpr &binary);
  const Type *simdShift(ast::BinaryExpr &binary);
  const Type *simdComparison(ast::BinaryExpr &binary);
  void simdCompound(ast::AssignStmt &stmt, const SimdType *type);
  const Type *simdCast(ast::CastExpr &cast, const Type *target);
  const Type *checkLane(ast::IndexExpr &index, const SimdType &type);
  const Type *checkSimdMethod(ast::CallExpr &call, ast::FieldExpr &callee,
                              Builtin id);

  bool widens(const Type *from, const Type *to) const;
  /// Gives an untyped constant its type; reports if it does not fit.
  bool adapt(ast::Expr &expr, const IntType *type);
  void settle(ast::Expr &expr, const IntType *type);
  void defaultLiteral(ast::Expr &expr);
  void insertCast(ast::ExprPtr &expr, const Type *type);
  void setConstant(ast::Expr &expr, const Type *type, const Number &value);

  //===-- TypeCheckCall.cpp -----------------------------------------------===//
  const Type *checkCall(ast::CallExpr &call);
  const Type *checkMethod(ast::CallExpr &call, ast::FieldExpr &callee);
  static bool isCounter(const ast::TypeExpr &type);
  const Type *checkCounter(ast::CallExpr &call, ast::FieldExpr &callee,
                           Builtin id);
  const Type *checkAtomic(ast::CallExpr &call, ast::FieldExpr &callee,
                          Builtin id);
  const Type *checkCopy(ast::CallExpr &call, ast::FieldExpr &callee);
  const Type *checkPieces(ast::CallExpr &call, ast::FieldExpr &callee);
  const Type *checkAction(ast::CallExpr &call, Builtin id);
  bool checkArguments(ast::CallExpr &call, const BuiltinInfo &info,
                      const Type *element);
  const Type *checkSliceOf(ast::ExprPtr &value);
  bool checkDestination(const ast::Expr &value, MemorySpace space);
  bool checkArgument(ast::ExprPtr &value, ParamKind kind, const Type *element);
  const StateField *stateFieldOf(const ast::Expr &place) const;

  //===-- Target.cpp ------------------------------------------------------===//
  bool targetHas(Builtin id, SourceRange range);

  //===-- Analyzer.cpp ----------------------------------------------------===//
  const Type *unknownName(llvm::StringRef name, SourceRange range);
  const Type *noMember(const std::string &base, const ast::Identifier &member,
                       std::vector<std::string> candidates);
  void declare(Scope &scope, ast::Decl *decl);
  std::string handlerName() const;
  const Type *poison() const { return types.error(); }

  TypeContext &types;
  DiagnosticEngine &diagnostics;
  const SemaOptions &options;

  // Modules.
  std::map<std::string, ast::Program *> modulesByPath;
  std::set<const ast::Program *> modulesInProgress;
  std::map<const ast::Program *, Scope> moduleScopes;
  Scope *moduleScope = nullptr;
  ast::Program *mainProgram = nullptr;
  bool importsIncomplete = false; // unknown names may come from there

  // Declarations being evaluated, to find cycles.
  std::set<const ast::Decl *> inProgress;
  std::set<const ast::Decl *> done;

  // The place.
  Place place = Place::Constant;
  Scopes scopes;
  ContextInfo *context = nullptr;
  HandlerInfo *handler = nullptr;
  ast::FunctionDecl *function = nullptr; // whose body is being checked
  unsigned wrappingDepth = 0;
  /// The loop or switch around the statement.
  struct JumpTarget {
    bool isLoop = false;
    bool isBroken = false; // a `break` leads here
    JumpTarget *outer = nullptr;
  };
  JumpTarget *jumpTarget = nullptr;
  /// The lock that the statement runs under.
  struct Held {
    const ast::StateFieldDecl *lock = nullptr;
    bool isShared = false;
  };
  Held held;
  bool sawLoop = false; // in a function called since this was cleared
  unsigned argumentDepth = 0;

  // Packet memory written by the handlers of the context (pkt-6).
  std::set<std::pair<const ast::Decl *, const ast::Decl *>> writtenFields;
  bool wholePacketEscapes = false;
  bool packetBytesWritten = false;

  friend class PlaceGuard;
};

/// Sets the place for the life of the guard.
class PlaceGuard {
public:
  PlaceGuard(Analyzer &analyzer, Place place)
      : analyzer(analyzer), saved(analyzer.place) {
    analyzer.place = place;
  }
  ~PlaceGuard() { analyzer.place = saved; }

private:
  Analyzer &analyzer;
  Place saved;
};

} // namespace spinc::sema
