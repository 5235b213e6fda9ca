// Passes over machine code that change what a function does, each in its own
// way, among those that may not: each is caught. The same kinds of changes are
// let through where they do no harm.
#include "compiler/Backend/Codegen.h"
#include "compiler/Backend/MachinePasses.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace spinc::backend;

namespace {

/// Sums in a hardware loop with a marker and post-increments, a loop with a
/// count from a register, a branch, accesses whose order matters and others,
/// and a routine of the runtime.
constexpr StringLiteral program = R"(
declare i64 @__udivdi3(i64, i64)
define i32 @Trial_ph(ptr noalias %from, ptr noalias %to, i32 %n, i64 %wide) {
entry:
  %first = load i32, ptr %from
  %moved = add i32 %first, 3
  store i32 %moved, ptr %to
  %at = getelementptr i32, ptr %to, i32 9
  %second = load i32, ptr %at
  %other = getelementptr i32, ptr %from, i32 9
  %third = load i32, ptr %other
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %p = phi ptr [ %from, %entry ], [ %p2, %body ]
  %q = phi ptr [ %to, %entry ], [ %q2, %body ]
  call void asm sideeffect ".Lspinloop${:uid}:\0A.pushsection .spin.loops,\22\22,@progbits\0A.word .Lspinloop${:uid}, 7\0A.popsection", ""()
  %a = load i32, ptr %p
  %p1 = getelementptr i32, ptr %p, i32 1
  %b = load i32, ptr %p1
  store i32 %b, ptr %q
  %q1 = getelementptr i32, ptr %q, i32 1
  store i32 %a, ptr %q1
  %p2 = getelementptr i32, ptr %p, i32 2
  %q2 = getelementptr i32, ptr %q, i32 2
  %next = add nuw i32 %i, 1
  %again = icmp ult i32 %next, 16
  br i1 %again, label %body, label %behind
behind:
  %sum = add i32 %second, %third
  %some = icmp ult i32 %sum, %n
  br i1 %some, label %turn, label %done
turn:
  %j = phi i32 [ 0, %behind ], [ %j1, %turn ]
  %r = phi ptr [ %to, %behind ], [ %r1, %turn ]
  store i32 %sum, ptr %r
  %r1 = getelementptr i32, ptr %r, i32 3
  %j1 = add nuw i32 %j, 1
  %more = icmp ult i32 %j1, %n
  br i1 %more, label %turn, label %divide
divide:
  %q64 = call i64 @__udivdi3(i64 %wide, i64 10)
  %low = trunc i64 %q64 to i32
  br label %done
done:
  %result = phi i32 [ %sum, %behind ], [ %low, %divide ]
  ret i32 %result
}
)";

StringRef nameOf(const MachineInstr &instr) {
  return instr.getMF()->getSubtarget().getInstrInfo()->getName(
      instr.getOpcode());
}

/// Changes a function in one place from `instr` on; false if there is nothing
/// to change.
using Change = bool (*)(MachineInstr &instr);

bool isPlainLoad(const MachineInstr &instr) { return nameOf(instr) == "LW"; }
bool isPlainStore(const MachineInstr &instr) { return nameOf(instr) == "SW"; }

bool swapWithNext(MachineInstr &instr) {
  instr.moveBefore(&*std::next(instr.getIterator(), 2));
  return true;
}

/// The next instruction, if it is the last but one of its block or before.
MachineInstr *nextOf(MachineInstr &instr) {
  MachineInstr *next = instr.getNextNode();
  return next && next->getNextNode() ? next : nullptr;
}

bool passStore(MachineInstr &instr) {
  MachineInstr *next = nextOf(instr);
  return next && isPlainStore(instr) && next->mayLoad() && swapWithNext(instr);
}

bool passUser(MachineInstr &instr) {
  MachineInstr *next = nextOf(instr);
  const TargetRegisterInfo *registers =
      instr.getMF()->getSubtarget().getRegisterInfo();
  return next && (nameOf(instr) == "ADD" || nameOf(instr) == "ADDI") &&
         !next->isTerminator() && !next->isInlineAsm() &&
         next->readsRegister(instr.getOperand(0).getReg(), registers) &&
         swapWithNext(instr);
}

bool swapLoads(MachineInstr &instr) {
  MachineInstr *next = nextOf(instr);
  return next && isPlainLoad(instr) && isPlainLoad(*next) &&
         instr.getOperand(0).getReg() != next->getOperand(1).getReg() &&
         instr.getOperand(1).getReg() != next->getOperand(0).getReg() &&
         swapWithNext(instr);
}

bool addToImmediate(MachineInstr &instr, StringRef name) {
  MachineOperand &last = instr.getOperand(instr.getNumExplicitOperands() - 1);
  if (nameOf(instr) != name || !last.isImm())
    return false;
  last.setImm(last.getImm() + 4);
  return true;
}

bool shiftLoad(MachineInstr &instr) { return addToImmediate(instr, "LW"); }
bool shiftStore(MachineInstr &instr) { return addToImmediate(instr, "SW"); }
bool shiftSum(MachineInstr &instr) { return addToImmediate(instr, "ADDI"); }
bool widenStep(MachineInstr &instr) {
  return addToImmediate(instr, "CV_LW_ri_inc");
}
bool widenStoreStep(MachineInstr &instr) {
  return addToImmediate(instr, "CV_SW_ri_inc");
}

bool dropStore(MachineInstr &instr) {
  if (!isPlainStore(instr))
    return false;
  instr.eraseFromParent();
  return true;
}

bool dropMarker(MachineInstr &instr) {
  if (!isMarker(instr))
    return false;
  instr.eraseFromParent();
  return true;
}

bool dropCall(MachineInstr &instr) {
  if (!instr.isCall())
    return false;
  instr.eraseFromParent();
  return true;
}

bool narrowLoad(MachineInstr &instr) {
  if (!isPlainLoad(instr))
    return false;
  const TargetInstrInfo &all = *instr.getMF()->getSubtarget().getInstrInfo();
  for (unsigned opcode = 0; opcode < all.getNumOpcodes(); ++opcode)
    if (all.getName(opcode) == "LHU")
      instr.setDesc(all.get(opcode));
  return true;
}

/// Reverses the condition of a branch; with `exchange`, its targets too.
bool reverseBranch(MachineInstr &instr, bool exchange) {
  if (!instr.isConditionalBranch())
    return false;
  const TargetInstrInfo &all = *instr.getMF()->getSubtarget().getInstrInfo();
  MachineBasicBlock *taken = nullptr, *other = nullptr;
  SmallVector<MachineOperand> condition;
  MachineBasicBlock &block = *instr.getParent();
  if (all.analyzeBranch(block, taken, other, condition) ||
      all.reverseBranchCondition(condition))
    return false;
  all.removeBranch(block);
  if (exchange)
    all.insertBranch(block, other ? other : block.getNextNode(), taken,
                     condition, DebugLoc());
  else
    all.insertBranch(block, taken, other, condition, DebugLoc());
  return true;
}

bool turnBranch(MachineInstr &instr) { return reverseBranch(instr, false); }
bool turnBranchRound(MachineInstr &instr) { return reverseBranch(instr, true); }

bool rewriteSetUp(MachineInstr &instr, StringRef from, StringRef to) {
  std::string text = assemblyOf(instr).str();
  size_t place = text.find(from);
  if (text.find("lp.setup") == std::string::npos || place == text.npos)
    return false;
  text.replace(place, from.size(), to);
  instr.getOperand(0).ChangeToES(instr.getMF()->createExternalSymbolName(text));
  return true;
}

bool turnOnceMore(MachineInstr &instr) {
  return rewriteSetUp(instr, "(16 << 20)", "(17 << 20)");
}

bool countOther(MachineInstr &instr) {
  if (assemblyOf(instr).find("lp.setup x") == StringRef::npos)
    return false;
  for (MachineOperand &operand : instr.operands())
    if (operand.isReg() && operand.isUse()) {
      operand.setReg(operand.getReg().id() + 1);
      return true;
    }
  return false;
}

bool dropSetUp(MachineInstr &instr) {
  if (assemblyOf(instr).find("lp.setup") == StringRef::npos)
    return false;
  instr.eraseFromParent();
  return true;
}

bool endLater(MachineInstr &instr) {
  MachineInstr *before = instr.getPrevNode();
  if (!instr.getPreInstrSymbol() || !before)
    return false;
  before->setPreInstrSymbol(*instr.getMF(), instr.getPreInstrSymbol());
  instr.setPreInstrSymbol(*instr.getMF(), nullptr);
  return true;
}

/// What the instruction computes goes elsewhere.
bool renameResult(MachineInstr &instr) {
  if (!isPlainLoad(instr))
    return false;
  MachineOperand &result = instr.getOperand(0);
  result.setReg(result.getReg().id() + 1);
  return true;
}

bool insertNop(MachineInstr &instr) {
  if (!isPlainLoad(instr))
    return false;
  BuildMI(*instr.getParent(), instr, DebugLoc(),
          instr.getMF()->getSubtarget().getInstrInfo()->get(
              TargetOpcode::INLINEASM))
      .addExternalSymbol("nop")
      .addImm(1);
  return true;
}

bool changeNothing(MachineInstr &) { return true; }

class OnTrial : public MachineFunctionPass {
public:
  static char ID;
  OnTrial(Change change, bool &changed)
      : MachineFunctionPass(ID), change(change), changed(changed) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instr : make_early_inc_range(block))
        if (!changed)
          changed = change(instr);
    return true;
  }

private:
  Change change;
  bool &changed;
};

char OnTrial::ID = 0;

/// What is said of the pass.
std::string run(Change change, bool &changed) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module =
      parseAssemblyString(program, problem, context);
  if (!module)
    return "does not parse: " + problem.getMessage().str();
  CodegenOptions options;
  std::unique_ptr<TargetMachine> machine = createTargetMachine(options);
  prepareModule(*module, *machine);
  optimizeModule(*module, *machine, options);
  Expected<Code> code = emitCode(*module, *machine, options, CodeForm::Assembly,
                                 new OnTrial(change, changed));
  return code ? "" : toString(code.takeError());
}

} // namespace

int main() {
  struct Trial {
    StringRef name;
    Change change;
    bool harmless;
  };
  int failures = 0;
  for (const Trial &trial :
       {Trial{"pass a store", passStore, false},
        {"pass a user", passUser, false},
        {"shift a load", shiftLoad, false},
        {"shift a store", shiftStore, false},
        {"shift a sum", shiftSum, false},
        {"widen the step of a load", widenStep, false},
        {"widen the step of a store", widenStoreStep, false},
        {"drop a store", dropStore, false},
        {"drop a marker", dropMarker, false},
        {"drop a call", dropCall, false},
        {"narrow a load", narrowLoad, false},
        {"turn a branch", turnBranch, false},
        {"turn once more", turnOnceMore, false},
        {"count another register", countOther, false},
        {"drop the set-up of a loop", dropSetUp, false},
        {"end a loop elsewhere", endLater, false},
        {"rename a result", renameResult, false},
        {"swap loads", swapLoads, true},
        {"turn a branch round", turnBranchRound, true},
        {"insert a nop", insertNop, true},
        {"change nothing", changeNothing, true}}) {
    bool changed = false;
    std::string error = run(trial.change, changed);
    bool caught = StringRef(error).contains("has changed what Trial_ph does");
    if (changed && caught != trial.harmless && error.empty() == trial.harmless)
      continue;
    ++failures;
    errs() << trial.name << ": "
           << (!changed        ? "finds nothing to change"
               : error.empty() ? "is not caught"
                               : error)
           << '\n';
  }
  return failures == 0 ? 0 : 1;
}
