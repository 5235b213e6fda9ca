//===- Rows.h - The instruction rows as bodies to copy --------------------===//
//
// The bitcode of Rows.cpp, which is part of the library's data.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TRANSLATE_ROWS_H
#define SPINC_RUNTIME_SIM_TRANSLATE_ROWS_H

#include "runtime/isa/Isa.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace spinc::sim {

/// The operands of a row's expression.
struct RowOperands {
  llvm::Value *a, *b, *c, *old;
  int32_t imm, imm2;
  uint32_t pc;
};

class Rows {
public:
  explicit Rows(llvm::LLVMContext &context);

  /// The value of the row's expression, computed where `builder` stands.
  llvm::Value *expression(llvm::IRBuilder<> &builder, isa::Opcode op,
                          const RowOperands &operands) const;
  /// The cycles of a division.
  llvm::Value *divideCost(llvm::IRBuilder<> &builder, bool isSigned,
                          llvm::Value *divisor) const;

private:
  llvm::Value *apply(llvm::IRBuilder<> &builder, const llvm::Function &row,
                     const RowOperands &operands) const;

  std::unique_ptr<llvm::Module> module;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TRANSLATE_ROWS_H
