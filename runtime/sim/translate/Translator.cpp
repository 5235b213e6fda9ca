//===- Translator.cpp - From region to host code --------------------------===//
//
// LLVM's ORC with the passes that pay for themselves on code of this shape.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/translate/Translator.h"
#include "runtime/sim/translate/Emitter.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;
using namespace spinc::sim;

/// Larger regions cost time to compile and gain little.
static constexpr unsigned regionLimit = 250;

static constexpr unsigned mostPatience = 1 << 28;

static Exit notTranslated(CoreState *) { return Exit::Lookup; }

/// Compiler and code. All of LLVM is behind this.
struct Translator::Jit {
  orc::ThreadSafeContext context{std::make_unique<LLVMContext>()};
  std::unique_ptr<orc::LLJIT> lljit;
  std::unique_ptr<Rows> rows;
  uint64_t named = 0;
  std::optional<PassBuilder> passes;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graph;
  ModuleAnalysisManager modules;
  ModulePassManager pipeline;

  Jit();
  void restart();
  Entry compile(const Program &program, const Region &region,
                const TranslatorOptions &options);
};

Translator::Jit::Jit() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  restart();
  passes.emplace();
  passes->registerModuleAnalyses(modules);
  passes->registerCGSCCAnalyses(graph);
  passes->registerFunctionAnalyses(functions);
  passes->registerLoopAnalyses(loops);
  passes->crossRegisterProxies(loops, functions, graph, modules);
  FunctionPassManager each;
  each.addPass(PromotePass());
  each.addPass(EarlyCSEPass());
  each.addPass(SimplifyCFGPass());
  each.addPass(InstCombinePass());
  each.addPass(ReassociatePass());
  each.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
  each.addPass(GVNPass());
  each.addPass(InstCombinePass());
  each.addPass(DSEPass());
  each.addPass(ADCEPass());
  each.addPass(SimplifyCFGPass());
  pipeline.addPass(AlwaysInlinerPass());
  pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(each)));
}

/// Throws away all code.
void Translator::Jit::restart() {
  orc::JITTargetMachineBuilder target =
      cantFail(orc::JITTargetMachineBuilder::detectHost());
  target.setCodeGenOptLevel(CodeGenOptLevel::Default);
  lljit =
      cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(target).create());
  named = 0;
}

Entry Translator::Jit::compile(const Program &program, const Region &region,
                               const TranslatorOptions &options) {
  std::string name = "region" + std::to_string(named++);
  std::unique_ptr<Module> module;
  context.withContextDo([&](LLVMContext *inner) {
    if (!rows)
      rows = std::make_unique<Rows>(*inner);
    module = std::make_unique<Module>(name, *inner);
    module->setDataLayout(lljit->getDataLayout());
    module->setTargetTriple(lljit->getTargetTriple());
    Emitter(*module, *rows, program, region, options).emit(name);
    assert(!verifyModule(*module, &errs()));
    pipeline.run(*module, modules);
    modules.clear();
    functions.clear();
    loops.clear();
    graph.clear();
  });
  cantFail(
      lljit->addIRModule(orc::ThreadSafeModule(std::move(module), context)));
  return cantFail(lljit->lookup(name)).toPtr<Entry>();
}

Translator::Translator(Program &program, const TranslatorOptions &options)
    : program(program), options(options),
      table(program.size() / 2 + 1, notTranslated),
      known(program.size() / 2 + 1), heat(program.size() / 2 + 1) {}

Translator::~Translator() = default;

Entry Translator::translate(uint32_t pc) {
  uint32_t slot = (pc - program.base()) / 2;
  heat[slot] = 0;
  Region region =
      findRegion(program, pc, regionLimit, true, [this](uint32_t other) {
        return known[(other - program.base()) / 2] != nullptr;
      });
  if (!region.contains(pc))
    return nullptr;
  if (!jit)
    jit = std::make_unique<Jit>();
  table[slot] = known[slot] = jit->compile(program, region, options);
  ++count;
  return known[slot];
}

void Translator::forget() {
  std::fill(table.begin(), table.end(), notTranslated);
  std::fill(known.begin(), known.end(), nullptr);
  std::fill(heat.begin(), heat.end(), 0);
  if (!count)
    return;
  count = 0;
  jit->restart();
  // A program that keeps changing its code is better interpreted.
  if (options.threshold < mostPatience)
    options.threshold *= 4;
}
