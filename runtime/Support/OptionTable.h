// The table of a tool's options, in the one file that reads its command line:
//
//   #define SPINC_OPTIONS "compiler/tools/spinc-ddt/Options.inc"
//   #include "runtime/Support/OptionTable.h"
//
// SPINC_OPTIONS is what TableGen makes of the tool's Options.td. Gives an
// OPT_<id> for each option, and the class OptionTable.
#ifndef SPINC_OPTIONS
#error "define SPINC_OPTIONS before including this file"
#endif

#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

namespace {

enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include SPINC_OPTIONS
#undef OPTION
};

using namespace llvm::opt;

#define OPTTABLE_STR_TABLE_CODE
#include SPINC_OPTIONS
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include SPINC_OPTIONS
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include SPINC_OPTIONS
#undef OPTION
};

class OptionTable : public GenericOptTable {
public:
  OptionTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos) {
    setDashDashParsing(true);
  }
};

} // namespace

#undef SPINC_OPTIONS
