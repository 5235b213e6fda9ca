// Passes that break a proof, each in its own way, among those that may not: the
// compilation fails and names the pass. The same passes pass where they do no
// harm.
#include "dialect/Spin/Certify/Certify.h"
#include "dialect/Spin/Transforms/CheckedPasses.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

/// A part of a packet of at least 40 bytes, an index into it, and a loop over a
/// table of 32 elements.
constexpr StringLiteral kProgram = R"(
spin.context @C link(ip) header_bytes(28) guaranteed_bytes(28) mtu(1500) match [] {
  spin.state @table : i32 count(32) kind(atomic) in(state_l1) where {
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant 8 : i32
    %count = arith.constant PART : i32
    %index = arith.constant INDEX : i32
    %rounds = arith.constant ROUNDS : i32
    %least = arith.constant 40 : i32
    %bytes = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %bytes : !spin.slice<i8, packet_l1>
    %enough = arith.cmpi uge, %length, %least : i32
    spin.require %enough else drop
    %part = spin.subslice %bytes[%start, %count] : !spin.slice<i8, packet_l1>
    %byte = spin.load %part[%index] le : !spin.slice<i8, packet_l1> -> i8
    %slots = spin.state_slice @table : !spin.slice<i32, state_l1>
    scf.for unsigned %i = %zero to %rounds step %one : i32 {
      %old = spin.atomic_rmw add %slots[%i], %one : !spin.slice<i32, state_l1>
    }
    spin.return success
  }
}
)";

std::string program(unsigned part, unsigned index, unsigned rounds) {
  std::string text = kProgram.str();
  for (auto [name, value] : {std::pair<StringRef, unsigned>{"PART", part},
                             {"INDEX", index},
                             {"ROUNDS", rounds}})
    text.replace(text.find(name), name.size(), std::to_string(value));
  return text;
}

using Change = void (*)(Operation *, OpBuilder &);

void addOne(Operation *op, unsigned operand, OpBuilder &builder) {
  Value old = op->getOperand(operand);
  builder.setInsertionPoint(op);
  Value one = arith::ConstantOp::create(
      builder, op->getLoc(), builder.getIntegerAttr(old.getType(), 1));
  op->setOperand(operand,
                 arith::AddIOp::create(builder, op->getLoc(), old, one));
}

void widenParts(Operation *op, OpBuilder &builder) {
  if (isa<SubsliceOp>(op))
    addOne(op, 2, builder);
}

void shiftIndices(Operation *op, OpBuilder &builder) {
  if (isa<LoadOp>(op))
    addOne(op, 1, builder);
}

void dropGuards(Operation *op, OpBuilder &) {
  if (isa<RequireOp>(op))
    op->erase();
}

/// What relies on the guard reads as before.
void turnGuards(Operation *op, OpBuilder &) {
  if (auto guard = dyn_cast<arith::CmpIOp>(op))
    guard.setPredicate(arith::CmpIPredicate::ule);
}

void addRounds(Operation *op, OpBuilder &builder) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    addOne(loop, 1, builder);
}

void promiseMore(Operation *op, OpBuilder &builder) {
  if (!isa<LoadOp>(op))
    return;
  builder.setInsertionPointAfter(op);
  Value loaded = op->getResult(0);
  arith::AddIOp::create(builder, op->getLoc(), loaded, loaded,
                        arith::IntegerOverflowFlags::nuw);
}

void divideMore(Operation *op, OpBuilder &builder) {
  if (!isa<LoadOp>(op))
    return;
  builder.setInsertionPointAfter(op);
  Value loaded = op->getResult(0);
  arith::DivUIOp::create(builder, op->getLoc(), loaded, loaded);
}

void changeNothing(Operation *, OpBuilder &) {}

class TestPass : public PassWrapper<TestPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPass)
  explicit TestPass(Change change) : change(change) {}

  void runOnOperation() override {
    SmallVector<Operation *> all;
    getOperation().walk([&](Operation *op) { all.push_back(op); });
    OpBuilder builder(&getContext());
    for (Operation *op : all)
      change(op, builder);
  }

private:
  Change change;
};

/// What goes wrong with the pass; empty if nothing does. `remembers`: the
/// certificates of the program as it was are at hand.
std::string run(MLIRContext &context, StringRef program, Change change,
                bool remembers) {
  std::string errors;
  ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      errors += note.str() + "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
  if (!module)
    return "does not parse: " + errors;
  PassManager passes(&context);
  passes.addPass(createSpinProveBounds());
  std::shared_ptr<certify::Memory> memory;
  if (remembers) {
    memory = std::make_shared<certify::Memory>();
    passes.addPass(createCertifyPass("", /*dropFlags=*/false, memory));
  }
  passes.addPass(createSpinStripCertificates());
  OpPassManager broken(ModuleOp::getOperationName());
  broken.addPass(std::make_unique<TestPass>(change));
  passes.addPass(
      createCheckedPasses(std::move(broken), "the pass on trial", memory));
  if (failed(passes.run(*module)))
    return errors;
  bool promises = false;
  module->walk([&](arith::AddIOp op) {
    promises |= op.getOverflowFlags() != arith::IntegerOverflowFlags::none;
  });
  return promises ? "a promise is left that nothing proves" : "";
}

} // namespace

int main() {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<SpinDialect, arith::ArithDialect, scf::SCFDialect>();
  std::string tight = program(32, 31, 32), loose = program(31, 29, 31);
  struct Trial {
    StringRef name;
    Change change;
    /// It also breaks programs that leave room.
    bool always;
  };
  int failures = 0;
  auto expect = [&](bool holds, StringRef name, StringRef what) {
    if (holds)
      return;
    ++failures;
    llvm::errs() << name << ": " << what << "\n";
  };
  for (bool remembers : {false, true}) {
    for (const Trial &trial : {Trial{"widen parts", widenParts, false},
                               Trial{"shift indices", shiftIndices, false},
                               Trial{"drop guards", dropGuards, true},
                               Trial{"turn guards", turnGuards, true},
                               Trial{"add rounds", addRounds, false},
                               Trial{"divide more", divideMore, true}}) {
      std::string error = run(context, tight, trial.change, remembers);
      expect(StringRef(error).contains("after the pass on trial"), trial.name,
             "the culprit is not named: " + error);
      error = run(context, loose, trial.change, remembers);
      expect(error.empty() != trial.always, trial.name,
             "where there is room: " + error);
    }
    // Flags that are made up are taken back.
    for (auto [name, change] :
         {std::pair<StringRef, Change>("no change", changeNothing),
          std::pair<StringRef, Change>("promise more", promiseMore)}) {
      std::string error = run(context, tight, change, remembers);
      expect(error.empty(), name, error);
    }
  }
  return failures == 0 ? 0 : 1;
}
