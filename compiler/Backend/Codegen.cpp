// RISC-V code generation with libLLVM. Only the RISC-V parts of LLVM are
// initialised: start-up time counts.
#include "compiler/Backend/Codegen.h"
#include "compiler/Backend/CommandWords.h"
#include "compiler/Backend/ExpandInserts.h"
#include "compiler/Backend/HardwareLoops.h"
#include "compiler/Backend/HoistRemarks.h"
#include "compiler/Backend/LoopCount.h"
#include "compiler/Backend/MachineMeaning.h"
#include "compiler/Backend/MachinePasses.h"
#include "compiler/Backend/PageAddresses.h"
#include "compiler/Backend/SelectOperations.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace spinc::backend;

extern "C" void LLVMInitializeRISCVTargetInfo();
extern "C" void LLVMInitializeRISCVTarget();
extern "C" void LLVMInitializeRISCVTargetMC();
extern "C" void LLVMInitializeRISCVAsmPrinter();
extern "C" void LLVMInitializeRISCVAsmParser();

namespace {

constexpr const char *tripleText = "riscv32-unknown-elf";
constexpr unsigned instructionCacheLine = 16;
constexpr const char *cpu = "generic-rv32";
// Shuffles of bytes are written as inline assembly: LLVM 22 selects nothing of
// xcvsimd.
constexpr const char *baseFeatures =
    "+m,+a,+c,+unaligned-scalar-mem,+xcvmac,+xcvsimd";

bool isOn(const CodegenOptions &options, Ablation what) {
  return !options.disabled.has(what);
}

/// Not where they double the size of most instructions and size counts.
bool makesHardwareLoops(const CodegenOptions &options) {
  return options.optLevel > 0 && isOn(options, Ablation::HardwareLoops) &&
         (!options.forSize || hwLoopRules(options.target).isFree);
}

/// Only then is the pass there that keeps ctlz from instruction selection.
bool selectsOperations(const CodegenOptions &options) {
  return options.optLevel > 0;
}

bool selectsBitFields(const CodegenOptions &options) {
  return selectsOperations(options) && isOn(options, Ablation::BitFields);
}

std::string featuresOf(const CodegenOptions &options) {
  std::string features = baseFeatures;
  if (isOn(options, Ablation::PostIncrement))
    features += ",+xcvmem";
  if (isOn(options, Ablation::MinMax))
    features += ",+xcvalu";
  if (isOn(options, Ablation::ImmediateBranches))
    features += ",+xcvbi";
  if (selectsBitFields(options))
    features += ",+xcvbitmanip";
  return features;
}

CodeGenOptLevel codegenLevel(unsigned optLevel) {
  return *CodeGenOpt::getLevel(optLevel);
}

/// Whether `body` is what an `if` without `else` guards: entered from one
/// place, and left to `join` only.
bool isBodyOfIf(const BasicBlock &body, const BasicBlock &join) {
  return &body != &join && body.getSinglePredecessor() &&
         body.getSingleSuccessor() == &join;
}

/// Lays out the worst case as straight code. The longest path goes through the
/// body of an `if`; placed inline it costs a branch not taken (1 cycle), placed
/// elsewhere a taken branch and a jump (5 cycles). Block placement follows the
/// weights.
void preferBodies(Module &module) {
  constexpr uint32_t likely = 2000, unlikely = 1;
  MDBuilder builder(module.getContext());
  for (Function &function : module)
    for (BasicBlock &block : function) {
      auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      if (!branch || !branch->isConditional() ||
          branch->hasMetadata(LLVMContext::MD_prof))
        continue;
      BasicBlock &first = *branch->getSuccessor(0);
      BasicBlock &second = *branch->getSuccessor(1);
      if (isBodyOfIf(first, second))
        branch->setMetadata(LLVMContext::MD_prof,
                            builder.createBranchWeights(likely, unlikely));
      else if (isBodyOfIf(second, first))
        branch->setMetadata(LLVMContext::MD_prof,
                            builder.createBranchWeights(unlikely, likely));
    }
}

/// Lets conditions that are joined by `and` or `or` be branches of their own. A
/// branch that is not taken costs a cycle; comparing into registers and joining
/// them costs more. LLVM takes all branches of RISC-V to be dear, and has this
/// option only.
void preferBranches() {
  constexpr StringLiteral name = "jump-is-expensive";
  auto place = cl::getRegisteredOptions().find(name);
  if (place != cl::getRegisteredOptions().end() &&
      place->second->getNumOccurrences() == 0)
    place->second->addOccurrence(0, name, "false");
}

OptimizationLevel passLevel(const CodegenOptions &options) {
  if (options.forSize)
    return OptimizationLevel::Os;
  switch (options.optLevel) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

/// What runs behind LLVM's own optimiser.
FunctionPassManager lastPasses(const CodegenOptions &options,
                               HwLoopNotes &notes) {
  FunctionPassManager passes;
  // Jump threading has put uses of task registers behind others.
  passes.addPass(EarlyCSEPass());
  passes.addPass(LoopSimplifyPass());
  if (isOn(options, Ablation::CommandWords))
    passes.addPass(CommandWords());
  if (makesHardwareLoops(options))
    passes.addPass(CountLoops(hwLoopRules(options.target), notes));
  return passes;
}

} // namespace

std::unique_ptr<TargetMachine>
spinc::backend::createTargetMachine(const CodegenOptions &options) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
  LLVMInitializeRISCVAsmParser();
  preferBranches();

  Triple triple(tripleText);
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    report_fatal_error("this libLLVM has no RISC-V target: " + Twine(error));
  TargetOptions targetOptions;
  targetOptions.MCOptions.ABIName = "ilp32";
  targetOptions.FunctionSections = true;
  targetOptions.DataSections = true;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, cpu, featuresOf(options), targetOptions, Reloc::Static,
      CodeModel::Small, codegenLevel(options.optLevel)));
}

void spinc::backend::prepareModule(Module &module, TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.addModuleFlag(Module::Error, "target-abi",
                       MDString::get(module.getContext(), "ilp32"));
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", cpu);
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // Tables would live in L2: a load of 21 cycles and an indirect jump.
    function.addFnAttr("no-jump-tables", "true");
    function.addFnAttr("no-builtins");
    function.addFnAttr(Attribute::NoUnwind);
    function.setAlignment(Align(instructionCacheLine));
  }
}

LoopAttempts spinc::backend::optimizeModule(Module &module,
                                            TargetMachine &machine,
                                            const CodegenOptions &options) {
  if (!selectsBitFields(options))
    expandInserts(module);

  PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = false;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.CallGraphProfile = false;

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  // The card has no C library: nothing may become a call of one.
  TargetLibraryInfoImpl libraries(machine.getTargetTriple());
  libraries.disableAllFunctions();
  functions.registerPass([&] { return TargetLibraryAnalysis(libraries); });
  PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  OptimizationLevel level = passLevel(options);
  if (options.forSize)
    for (Function &function : module)
      if (!function.isDeclaration())
        function.addFnAttr(Attribute::OptimizeForSize);
  ModulePassManager passes = level == OptimizationLevel::O0
                                 ? builder.buildO0DefaultPipeline(level)
                                 : builder.buildPerModuleDefaultPipeline(level);
  HwLoopNotes notes;
  if (options.optLevel > 0)
    passes.addPass(
        createModuleToFunctionPassAdaptor(lastPasses(options, notes)));
  HoistRemarks remarks(module.getContext());
  passes.run(module, modules);
  preferBodies(module);
  if (options.optLevel > 0)
    selectPageAddresses(module);
  LoopAttempts attempts = remarks.attempts();
  llvm::append_range(attempts, notes.attempts());
  return attempts;
}

Expected<Code> spinc::backend::emitCode(Module &module, TargetMachine &machine,
                                        const CodegenOptions &options,
                                        CodeForm form,
                                        MachineFunctionPass *onTrial) {
  Code code;
  raw_svector_ostream out(code.bytes);
  FrameTable frames;
  HwLoopNotes notes;
  MachineMeaning meaning;
  std::string broken;

  legacy::PassManager passes;
  TargetLibraryInfoImpl libraries(machine.getTargetTriple());
  libraries.disableAllFunctions();
  passes.add(new TargetLibraryInfoWrapperPass(libraries));
  TargetPassConfig *config = machine.createPassConfig(passes);
  passes.add(config);
  if (selectsOperations(options))
    addSelectOperations(*config, {isOn(options, Ablation::MultiplyAccumulate),
                                  isOn(options, Ablation::BitFields),
                                  isOn(options, Ablation::MinMax)});
  auto *machineModule = new MachineModuleInfoWrapperPass(&machine);
  passes.add(machineModule);
  if (config->addISelPasses())
    return createStringError("LLVM cannot select instructions for this card");
  config->addMachinePasses();
  config->setInitialized();
  passes.add(createRememberMeaning(meaning));
  if (options.optLevel > 0 && isOn(options, Ablation::PostIncrement))
    passes.add(createFoldIncrements());
  if (options.optLevel > 0 && isOn(options, Ablation::LoadSlots))
    passes.add(createFillLoadSlots());
  passes.add(createHardwareLoops(hwLoopRules(options.target), notes));
  if (options.optLevel > 0 && isOn(options, Ablation::AlignTargets))
    passes.add(createAlignTargets());
  // The set-ups of loops may have put a branch out of its target's reach.
  passes.add(Pass::createPass(&BranchRelaxationPassID));
  passes.add(createAnchorLoopMarkers());
  if (onTrial)
    passes.add(onTrial);
  passes.add(createCompareMeaning(meaning, broken));
  passes.add(createCollectFrames(frames));
  CodeGenFileType type = form == CodeForm::Object
                             ? CodeGenFileType::ObjectFile
                             : CodeGenFileType::AssemblyFile;
  if (machine.addAsmPrinter(passes, out, nullptr, type,
                            machineModule->getMMI().getContext()))
    return createStringError("LLVM cannot write code for this card");
  passes.add(createFreeMachineFunctionPass());
  passes.run(module);
  if (!broken.empty())
    return createStringError(broken);

  code.stack = stackDepths(frames);
  code.attempts = notes.attempts();
  return std::move(code);
}
