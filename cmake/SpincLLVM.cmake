# Finds LLVM and MLIR 22 and sets what every target of the project shares.
# LLVM is linked as its shared library, MLIR as archives over it, never as its
# own shared library (docs/adr/002-mlir-archives.md).
set(MLIR_DIR ${SPINC_LLVM_ROOT}/lib/cmake/mlir CACHE PATH "")
set(LLVM_DIR ${SPINC_LLVM_ROOT}/lib/cmake/llvm CACHE PATH "")
set(LLD_DIR ${SPINC_LLVM_ROOT}/lib/cmake/lld CACHE PATH "")
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR
    "spinc needs LLVM and MLIR 22, found ${LLVM_PACKAGE_VERSION}; "
    "set SPINC_LLVM_ROOT to its root")
endif()
find_package(LLD REQUIRED CONFIG)

set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
if(EXISTS ${SPINC_LLVM_ROOT}/bin/lit)
  set(LLVM_EXTERNAL_LIT ${SPINC_LLVM_ROOT}/bin/lit CACHE FILEPATH "")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(LLVM_TABLEGEN_EXE ${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# The parts of MLIR that the project uses.
add_library(SpincMlir INTERFACE)
target_link_libraries(SpincMlir INTERFACE
  MLIRArithToLLVM MLIRArithTransforms MLIRBuiltinToLLVMIRTranslation
  MLIRControlFlowToLLVM MLIRControlFlowDialect MLIRFuncDialect MLIRFuncToLLVM
  MLIRLLVMDialect MLIRLLVMIRTransforms MLIRLLVMToLLVMIRTranslation MLIRParser
  MLIRPass MLIRPresburger MLIRSCFDialect MLIRSCFToControlFlow
  MLIRTargetLLVMIRExport MLIRTransforms MLIRUBToLLVM)

# One set of flags for all targets. Only compiler/Syntax keeps exceptions:
# ANTLR throws, nothing else does.
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${LLVM_DEFINITIONS_LIST})
include_directories(${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
add_compile_options(
  -Wall -Wextra -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  -fcolor-diagnostics -fPIC)
if(SPINC_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr
    -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()
if(SPINC_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
add_link_options(-fuse-ld=lld-22 -Wl,--gc-sections)
