// See Checks.h.
#include "compiler/Wcet/Checks.h"

using namespace llvm;
using namespace spinc;

static void printPart(raw_ostream &out, StringRef where,
                      const std::vector<Check> &checks) {
  for (const Check &check : checks) {
    out << "  checked " << where;
    if (check.line != 0)
      out << ", line " << check.line;
    out << ": " << check.text << "\n";
  }
}

void spinc::printChecks(raw_ostream &out, const HandlerChecks &checks) {
  out << "  proved: " << checks.proved
      << (checks.proved == 1 ? " operation" : " operations") << "\n";
  printPart(out, "at installation", checks.atInstallation);
  printPart(out, "by the card", checks.byTheCard);
  printPart(out, "at run time", checks.atRunTime);
}

static json::Array partToJSON(const std::vector<Check> &checks) {
  json::Array list;
  for (const Check &check : checks)
    list.push_back(json::Object{{"line", check.line}, {"text", check.text}});
  return list;
}

json::Object spinc::toJSON(const HandlerChecks &checks) {
  return json::Object{{"proved", checks.proved},
                      {"atInstallation", partToJSON(checks.atInstallation)},
                      {"byTheCard", partToJSON(checks.byTheCard)},
                      {"atRunTime", partToJSON(checks.atRunTime)}};
}
