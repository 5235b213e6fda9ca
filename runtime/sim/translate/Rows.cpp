//===- Rows.cpp - Copying the expressions of instruction rows -------------===//
//
// Nearly all bodies are one block and are copied instruction by instruction;
// the others are copied as functions that LLVM inlines.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/translate/Rows.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::sim;

asm(".section .rodata\n"
    ".global spincRowBitcode, spincRowBitcodeEnd\n"
    "spincRowBitcode: .incbin \"" SPINC_ROW_BITCODE "\"\n"
    "spincRowBitcodeEnd: .byte 0\n"
    ".text\n");
extern "C" const char spincRowBitcode[], spincRowBitcodeEnd[];

static constexpr const char *rowNames[] = {
#define INSN(Id, ...) "spincRow" #Id,
#include "runtime/isa/insns/all.def"
#undef INSN
};

Rows::Rows(LLVMContext &context) {
  StringRef bytes(spincRowBitcode, spincRowBitcodeEnd - spincRowBitcode);
  module = cantFail(
      parseBitcodeFile(MemoryBufferRef(bytes, "instruction rows"), context));
}

/// Bodies call intrinsics only; those are declared where they are used.
static void mapCallees(Module &into, const Function &row,
                       ValueToValueMapTy &map) {
  for (const BasicBlock &block : row)
    for (const Instruction &insn : block)
      if (auto *call = dyn_cast<CallInst>(&insn))
        map[call->getCalledFunction()] =
            into.getOrInsertFunction(call->getCalledFunction()->getName(),
                                     call->getFunctionType())
                .getCallee();
}

/// The body as a function of the module under construction.
static Function *copyFunction(Module &into, const Function &row) {
  if (Function *known = into.getFunction(row.getName()))
    return known;
  Function *copy = Function::Create(
      row.getFunctionType(), Function::InternalLinkage, row.getName(), into);
  ValueToValueMapTy map;
  mapCallees(into, row, map);
  for (unsigned i = 0; i < row.arg_size(); ++i)
    map[row.getArg(i)] = copy->getArg(i);
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(copy, &row, map, CloneFunctionChangeType::DifferentModule,
                    returns);
  copy->setAttributes({});
  copy->addFnAttr(Attribute::AlwaysInline);
  return copy;
}

Value *Rows::apply(IRBuilder<> &builder, const Function &row,
                   const RowOperands &o) const {
  Value *zero = builder.getInt32(0);
  Value *values[] = {o.a,
                     o.b,
                     o.c,
                     o.old ? o.old : zero,
                     builder.getInt32(o.imm),
                     builder.getInt32(o.imm2),
                     builder.getInt32(o.pc)};
  Module &into = *builder.GetInsertBlock()->getModule();
  if (row.size() != 1)
    return builder.CreateCall(copyFunction(into, row), values);
  ValueToValueMapTy map;
  mapCallees(into, row, map);
  for (unsigned i = 0; i < row.arg_size(); ++i)
    map[row.getArg(i)] = values[i];
  SimplifyQuery query(into.getDataLayout());
  for (const Instruction &insn : row.front()) {
    if (auto *ret = dyn_cast<ReturnInst>(&insn)) {
      Value *result = ret->getReturnValue();
      auto found = map.find(result);
      return found == map.end() ? result : static_cast<Value *>(found->second);
    }
    Instruction *copy = insn.clone();
    builder.Insert(copy);
    RemapInstruction(copy, map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    if (Value *simple = simplifyInstruction(copy, query)) {
      copy->eraseFromParent();
      map[&insn] = simple;
    } else {
      map[&insn] = copy;
    }
  }
  return zero;
}

Value *Rows::expression(IRBuilder<> &builder, isa::Opcode op,
                        const RowOperands &operands) const {
  return apply(builder, *module->getFunction(rowNames[unsigned(op)]), operands);
}

Value *Rows::divideCost(IRBuilder<> &builder, bool isSigned,
                        Value *divisor) const {
  return apply(builder, *module->getFunction("spincDivideCost"),
               {divisor, divisor, divisor, nullptr, isSigned, 0, 0});
}
