// What the files of this folder share: facts about operations that are read
// off before anything is rewritten, and the patterns of each group.
#ifndef SPINC_DIALECT_CONVERSION_SPINTOLLVM_LOWERING_H
#define SPINC_DIALECT_CONVERSION_SPINTOLLVM_LOWERING_H

#include "dialect/Conversion/SpinToLLVM/CardBuilder.h"
#include "dialect/Spin/Analysis/LocalPlaces.h"
#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "runtime/abi/MessageBlocks.h"

namespace spinc::spin {

/// How a slice of L1 is addressed. The engines that execute commands do not
/// decode the alias of the own cluster.
enum class AddressForm { Global, OwnAlias, Unknown };

/// Symbol of the area for local arrays that are too large for the stack.
constexpr llvm::StringLiteral kLocalArea = "spin.locals";

/// The fields of a lock, and its number in the module.
struct LockPlace {
  StateOp words;
  StateOp node; // of an mcs lock, else null
  int64_t number = 0;
};

/// Facts about operations of handlers, by operation.
struct LoweringFacts {
  /// The field that a state operation names.
  llvm::DenseMap<mlir::Operation *, StateOp> fields;
  /// Symbol in the image of what a call calls.
  llvm::DenseMap<mlir::Operation *, mlir::StringAttr> callees;
  /// Alignment of the address that a load or store accesses, at most 8.
  llvm::DenseMap<mlir::Operation *, unsigned> alignments;
  /// Commands that surely move something, and waits for such commands.
  llvm::DenseSet<mlir::Operation *> unconditional;
  /// Address of the NIC slice of a command.
  llvm::DenseMap<mlir::Operation *, AddressForm> forms;
  /// Copies of a field that the handler may load from, not only its commands.
  llvm::DenseSet<mlir::Operation *> loadedCopies;
  LocalPlaces locals;
  /// Whether a big-endian number is loaded as a whole and swapped.
  bool wireWords = true;
  /// The lock that an operation takes or gives back.
  llvm::DenseMap<mlir::Operation *, LockPlace> locks;
};

/// Collects the facts of all handlers in `module`.
LoweringFacts collectFacts(mlir::ModuleOp module);

/// Fails, with an error each, for what the conversion does not take.
mlir::LogicalResult checkConvertible(mlir::ModuleOp module);

/// Creates the globals of the context's state before it.
void createGlobals(ContextOp context, mlir::OpBuilder &builder);

/// The symbol of global `name` by its address in one cluster's L1, as all
/// clusters and engines see it: the context's home cluster for state that all
/// share, cluster 0 for state with copies.
inline std::string globalAlias(llvm::StringRef name) {
  return (name + ".global").str();
}

/// Creates the global of the area for local arrays, if there is one.
void createLocalArea(mlir::ModuleOp module, const LocalPlaces &places,
                     mlir::OpBuilder &builder);

/// Name of the global of a constant table.
std::string tableName(llvm::StringRef table);
/// Turns the constant tables of `module` into globals.
void createTables(mlir::ModuleOp module);

/// Name of the global of `field`, and for a parameter its index in there.
std::string globalName(StateOp field);
unsigned paramIndex(StateOp field);
/// Type of the global of the parameters of `context`.
mlir::LLVM::LLVMStructType paramsType(ContextOp context);

/// Distance in bytes between the copies of a per_hpu field in one cluster.
uint64_t hpuStride(StateOp field);

/// Where the plain state of messages lies: blocks in one global, and `offset`,
/// the place of the wanted field in a block.
struct MessageLayout {
  uint64_t offset = 0;
  abi::MessageBlocks blocks;
};
MessageLayout messageLayout(ContextOp context, MemorySpace space,
                            StateOp wanted);
std::string messagesName(ContextOp context, MemorySpace space);

/// What a function returns that gives numbers of these types.
mlir::Type packedType(mlir::TypeRange types, mlir::MLIRContext *context);

/// Moves the handler's body to a new function at the builder. With
/// `readsArguments`, the last argument of its entry block is the address of
/// what the runtime passes (runtime/device/Frame.h).
mlir::LLVM::LLVMFuncOp outlineHandler(HandlerOp handler, bool readsArguments,
                                      mlir::OpBuilder &builder);

/// Makes of each requirement that gives a lock back a branch that does.
void expandReleases(mlir::ModuleOp module);
/// Address of `field` for the handler that runs.
mlir::Value fieldPointer(CardBuilder &builder, StateOp field);
void populateLanePatterns(const mlir::LLVMTypeConverter &converter,
                          const LoweringFacts &facts,
                          mlir::RewritePatternSet &patterns);
void populateLockPatterns(const mlir::LLVMTypeConverter &converter,
                          const LoweringFacts &facts,
                          mlir::RewritePatternSet &patterns);

/// Turns spin.return, spin.give, spin.exit and spin.require in the function of
/// a handler, or of what is one in the program, into branches and returns. It
/// has no scf any more.
void lowerExits(mlir::LLVM::LLVMFuncOp function, bool isFunction);

/// A pattern that knows the facts.
template <typename Op>
class SpinPattern : public mlir::ConvertOpToLLVMPattern<Op> {
public:
  SpinPattern(const mlir::LLVMTypeConverter &converter,
              const LoweringFacts &facts)
      : mlir::ConvertOpToLLVMPattern<Op>(converter), facts(facts) {}

protected:
  const LoweringFacts &facts;
};

/// Where a slice starts, and its length.
mlir::Type loweredSlice(SliceType type);
void addSliceConversions(mlir::LLVMTypeConverter &converter);
void populateMemoryPatterns(const mlir::LLVMTypeConverter &converter,
                            const LoweringFacts &facts,
                            mlir::RewritePatternSet &patterns);
void populateStatePatterns(const mlir::LLVMTypeConverter &converter,
                           const LoweringFacts &facts,
                           mlir::RewritePatternSet &patterns);
void populateHostPatterns(const mlir::LLVMTypeConverter &converter,
                          const LoweringFacts &facts,
                          mlir::RewritePatternSet &patterns);
void populateCommandPatterns(const mlir::LLVMTypeConverter &converter,
                             const LoweringFacts &facts,
                             mlir::RewritePatternSet &patterns);
void populateControlPatterns(const mlir::LLVMTypeConverter &converter,
                             const LoweringFacts &facts,
                             mlir::RewritePatternSet &patterns);

} // namespace spinc::spin

#endif // SPINC_DIALECT_CONVERSION_SPINTOLLVM_LOWERING_H
