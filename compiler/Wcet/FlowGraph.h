// Control flow of one function, rebuilt from machine code: basic blocks,
// edges with the way they are taken, and the nest of natural loops. A jump to
// another function without a link (a tail call) stays inside the graph; a
// call ends its block and names its callee.
#ifndef SPINC_COMPILER_WCET_FLOWGRAPH_H
#define SPINC_COMPILER_WCET_FLOWGRAPH_H

#include "compiler/Wcet/Image.h"
#include "compiler/Wcet/Wcet.h"
#include "runtime/isa/Isa.h"
#include "llvm/ADT/SmallVector.h"

namespace spinc::wcet {

/// One decoded instruction at its address.
struct Site {
  uint32_t address = 0;
  isa::Insn insn;
  uint32_t next() const { return address + insn.length; }
};

enum class EdgeKind : uint8_t {
  Fall,     ///< to the next instruction, a branch not taken
  Taken,    ///< branch taken
  Jump,     ///< jal or jalr to a fixed target
  Return,   ///< from a call back to the instruction after it
  Hardware, ///< from the end of a hardware loop to its start
};

struct Edge {
  unsigned from = 0;
  unsigned to = 0;
  EdgeKind kind = EdgeKind::Fall;
};

struct Block {
  std::vector<Site> sites;
  llvm::SmallVector<unsigned, 2> out; ///< edge numbers
  llvm::SmallVector<unsigned, 2> in;
  std::optional<uint32_t> callee;
  bool returns = false; ///< ends with a return through ra or t0
  bool traps = false;   ///< ends the handler: ecall, ebreak, mret, unimp
  unsigned loop = 0;    ///< innermost loop
};

/// A natural loop; loop 0 is the whole function.
struct Loop {
  unsigned header = 0;
  unsigned parent = 0;
  std::vector<unsigned> children;
  std::vector<bool> contains; ///< by block
};

struct FlowGraph {
  uint32_t entry = 0;
  std::vector<Block> blocks; ///< block 0 is the entry
  std::vector<Edge> edges;
  std::vector<unsigned> order; ///< reverse postorder of all blocks
  std::vector<Loop> loops;     ///< parents before children

  static llvm::Expected<FlowGraph> build(const Image &image, uint32_t entry);
};

/// The instruction at `address`.
llvm::Expected<Site> decodeAt(const Image &image, uint32_t address);

/// Fills `order`, `loops` and each block's loop.
llvm::Error findLoops(const Image &image, FlowGraph &graph);

/// Where the function of a handler begins.
llvm::Expected<uint32_t> entryOf(const Image &image, llvm::StringRef symbol);

/// An error about an address, with its function and source line.
llvm::Error errorAt(const Image &image, WcetError::Kind kind, uint32_t address,
                    const llvm::Twine &message, std::string fix = "");

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_FLOWGRAPH_H
