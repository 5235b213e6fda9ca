// See StateSize.h. docs/image.md lists the keys.
#include "compiler/Wcet/StateSize.h"
#include "runtime/abi/pspin.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace spinc;

std::string spinc::stateSizeText(const StateSize &size) {
  return formatv("{0} of {1} bytes of each L1, {2} of {3} of L2", size.l1Bytes,
                 PSPIN_L1_STATE_SIZE, size.l2Bytes, PSPIN_L2_CONTEXT_SIZE);
}

void spinc::printStateSize(raw_ostream &out, const StateSize &size) {
  if (size.isEmpty())
    return;
  out << "state: " << stateSizeText(size) << '\n';
  for (const std::string &field : size.movedToL2)
    out << "  " << field << " is in L2, for want of room in L1\n";
}

json::Object spinc::stateSizeToJSON(const StateSize &size) {
  return json::Object{{"l1Bytes", size.l1Bytes},
                      {"l1Memory", PSPIN_L1_STATE_SIZE},
                      {"l2Bytes", size.l2Bytes},
                      {"l2Memory", PSPIN_L2_CONTEXT_SIZE},
                      {"movedToL2", json::Array(size.movedToL2)}};
}
