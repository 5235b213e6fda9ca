// The stable, readable dump of an AST: `--emit=ast`, and `--emit=typed-ast`
// when Sema has filled the slots.
#ifndef SPINC_AST_ASTPRINTER_H
#define SPINC_AST_ASTPRINTER_H

#include "compiler/AST/Ast.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace spinc {

/// How a checked type is written; only Sema knows. Empty prints no types.
using TypePrinter = llvm::function_ref<void(llvm::raw_ostream &, const Type &)>;

void dumpAst(const ast::Program &program, llvm::raw_ostream &out,
             TypePrinter printType = nullptr);

} // namespace spinc

#endif // SPINC_AST_ASTPRINTER_H
