// The general handler: an interpreter of dataloops whose tables are
// parameters. Its source depends on the layout in nothing but the capacities
// of the tables, which are powers of two, so that images can be kept.
#ifndef SPINC_COMPILER_DDT_GENERAL_SOURCE_H
#define SPINC_COMPILER_DDT_GENERAL_SOURCE_H

#include "compiler/Ddt/General/Tables.h"
#include "compiler/Ddt/Generate/Source.h"
#include "compiler/Ddt/Strategy/Strategy.h"

namespace spinc::ddt {

/// `kind` is one of the general strategies.
Program makeGeneralProgram(const GeneralTables &tables, StrategyKind kind,
                           llvm::StringRef budget);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_GENERAL_SOURCE_H
