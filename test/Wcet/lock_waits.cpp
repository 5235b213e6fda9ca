// How long a loop waits for a lock that a function of an image holds, if the
// runtime calls that function, and if anybody may call it.
//
// lock-waits IMAGE FUNCTION
#include "compiler/Wcet/Wcet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace spinc;

/// Rounds of the loop with one other before it.
static Expected<int64_t> boundRounds(StringRef elf, const HandlerSpec &holder) {
  LoopSpec loop;
  loop.handler = holder.symbol;
  loop.wait = LoopSpec::Wait{/*lock=*/0, /*others=*/1};
  if (Error error = boundWaits(elf, holder, loop))
    return std::move(error);
  return loop.bound.getConstant();
}

int main(int, char **argv) {
  auto elf = MemoryBuffer::getFile(argv[1]);
  if (!elf) {
    errs() << argv[1] << ": " << elf.getError().message() << "\n";
    return 1;
  }
  for (bool byRuntime : {false, true}) {
    Expected<int64_t> rounds =
        boundRounds((*elf)->getBuffer(), {argv[2], {}, byRuntime});
    if (!rounds) {
      errs() << toString(rounds.takeError()) << "\n";
      return 1;
    }
    outs() << "called by " << (byRuntime ? "the runtime: " : "anybody: ")
           << *rounds << " rounds\n";
  }
}
