// The table of basic types.
#include "compiler/Ddt/Description/BasicTypes.h"

using namespace spinc::ddt;

static const BasicType basicTypes[] = {
    {"b1", 1, 1},
    {"b2", 2, 2},
    {"b4", 4, 4},
    {"b8", 8, 8},
    {"b16", 16, 16},
    {"MPI_PACKED", 1, 1},
    {"MPI_BYTE", 1, 1},
    {"MPI_CHAR", 1, 1},
    {"MPI_SIGNED_CHAR", 1, 1},
    {"MPI_UNSIGNED_CHAR", 1, 1},
    {"MPI_C_BOOL", 1, 1},
    {"MPI_CXX_BOOL", 1, 1},
    {"MPI_INT8_T", 1, 1},
    {"MPI_UINT8_T", 1, 1},
    {"MPI_SHORT", 2, 2},
    {"MPI_UNSIGNED_SHORT", 2, 2},
    {"MPI_INT16_T", 2, 2},
    {"MPI_UINT16_T", 2, 2},
    {"MPI_INT", 4, 4},
    {"MPI_UNSIGNED", 4, 4},
    {"MPI_INT32_T", 4, 4},
    {"MPI_UINT32_T", 4, 4},
    {"MPI_WCHAR", 4, 4},
    {"MPI_FLOAT", 4, 4},
    {"MPI_INTEGER", 4, 4},
    {"MPI_REAL", 4, 4},
    {"MPI_LOGICAL", 4, 4},
    {"MPI_LONG", 8, 8},
    {"MPI_UNSIGNED_LONG", 8, 8},
    {"MPI_LONG_LONG", 8, 8},
    {"MPI_LONG_LONG_INT", 8, 8},
    {"MPI_UNSIGNED_LONG_LONG", 8, 8},
    {"MPI_INT64_T", 8, 8},
    {"MPI_UINT64_T", 8, 8},
    {"MPI_AINT", 8, 8},
    {"MPI_COUNT", 8, 8},
    {"MPI_OFFSET", 8, 8},
    {"MPI_DOUBLE", 8, 8},
    {"MPI_DOUBLE_PRECISION", 8, 8},
    {"MPI_COMPLEX", 8, 8, 4},
    {"MPI_C_FLOAT_COMPLEX", 8, 8, 4},
    {"MPI_C_COMPLEX", 8, 8, 4},
    {"MPI_DOUBLE_COMPLEX", 16, 16, 8},
    {"MPI_C_DOUBLE_COMPLEX", 16, 16, 8},
    {"MPI_LONG_DOUBLE", 16, 16},
    {"MPI_C_LONG_DOUBLE_COMPLEX", 32, 32},
    {"MPI_2INT", 8, 8, 4},
    {"MPI_2INTEGER", 8, 8, 4},
    {"MPI_2REAL", 8, 8, 4},
    {"MPI_2DOUBLE_PRECISION", 16, 16, 8},
    {"MPI_FLOAT_INT", 8, 8, 4},
    {"MPI_SHORT_INT", 6, 8, 4, 4, 2},
    {"MPI_DOUBLE_INT", 12, 16, 8},
    {"MPI_LONG_INT", 12, 16, 8},
    {"MPI_LONG_DOUBLE_INT", 20, 32},
};

const BasicType *spinc::ddt::findBasicType(llvm::StringRef name) {
  for (const BasicType &type : basicTypes)
    if (type.name == name)
      return &type;
  return nullptr;
}
