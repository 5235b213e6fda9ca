#include "compiler/Backend/HwLoopNotes.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace spinc::backend;

void HwLoopNotes::made(ArrayRef<int64_t> markers, const Twine &how) {
  for (int64_t id : markers)
    byMarker.try_emplace(id, LoopAttempt{"hardware loop", true, how.str()});
}

void HwLoopNotes::failed(ArrayRef<int64_t> markers, const Twine &why) {
  for (int64_t id : markers)
    if (LoopAttempt &note = byMarker[id]; note.what.empty() || note.done)
      note = {"hardware loop", false, why.str()};
}

LoopAttempts HwLoopNotes::attempts() const {
  return LoopAttempts(byMarker.begin(), byMarker.end());
}
