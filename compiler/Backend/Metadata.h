// The section .spin.meta of an image: what host, simulator and reports read
// about a program. Its form is described in docs/image.md.
#ifndef SPINC_COMPILER_BACKEND_METADATA_H
#define SPINC_COMPILER_BACKEND_METADATA_H

#include "compiler/Backend/Codegen.h"
#include "compiler/Backend/Image.h"
#include "compiler/Backend/ProgramFacts.h"
#include "llvm/Support/JSON.h"

namespace spinc::backend {

/// A place that the prover did not accept, in an image that only shows what
/// goes wrong there.
struct RejectedAccess {
  std::string code, message, file;
  unsigned line = 0, column = 0;
  /// JSON of what to replay; may be empty.
  std::string replay;
};

struct MetadataInput {
  std::string program;
  isa::InstructionSet set = isa::InstructionSet::Pspin;
  LinkSpec link;
  const sema::ProgramInfo *info = nullptr;
  const ProgramFacts *facts = nullptr;
  /// Bounds in the order of `facts->handlers`.
  llvm::ArrayRef<HandlerBound> bounds;
  const StackDepths *stack = nullptr;
  const ImageLayout *layout = nullptr;
  /// There for --unsafe-emit-rejected, even if empty.
  std::optional<std::vector<RejectedAccess>> rejected;
};

/// One line of JSON.
std::string makeMetadata(const MetadataInput &input);

/// A condition of `where` or `contract` for the host to check, in 128-bit
/// arithmetic.
llvm::json::Value conditionToJson(const ast::Expr &condition);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_METADATA_H
