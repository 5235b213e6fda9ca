// The section .spin.meta of an image: what host, simulator and reports read
// about a program. Its form is described in docs/image.md.
#ifndef SPINC_COMPILER_BACKEND_METADATA_H
#define SPINC_COMPILER_BACKEND_METADATA_H

#include "compiler/Backend/Codegen.h"
#include "compiler/Backend/Image.h"
#include "compiler/Backend/ProgramFacts.h"
#include "llvm/Support/JSON.h"

namespace spinc::backend {

struct MetadataInput {
  std::string program;
  LinkSpec link;
  const sema::ProgramInfo *info = nullptr;
  const ProgramFacts *facts = nullptr;
  /// Bounds in the order of `facts->handlers`.
  llvm::ArrayRef<HandlerBound> bounds;
  const StackDepths *stack = nullptr;
  const ImageLayout *layout = nullptr;
};

/// One line of JSON.
std::string makeMetadata(const MetadataInput &input);

/// A condition of `where` or `contract` for the host to check, in 128-bit
/// arithmetic.
llvm::json::Value conditionToJson(const ast::Expr &condition);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_METADATA_H
