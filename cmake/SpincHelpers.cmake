# The MLIR headers that nearly every file of the dialect and of IRGen needs,
# parsed once a build; sources include what they use all the same. ccache
# follows a precompiled header only when it holds no time stamp.
add_compile_options(-Xclang -fno-pch-timestamp)
file(WRITE ${PROJECT_BINARY_DIR}/MlirHeaders.cpp "")
add_library(SpincMlirHeaders OBJECT ${PROJECT_BINARY_DIR}/MlirHeaders.cpp)
target_compile_options(SpincMlirHeaders PRIVATE -fno-exceptions)
target_precompile_headers(SpincMlirHeaders PRIVATE
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/ImplicitLocOpBuilder.h>
  <mlir/IR/Matchers.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Pass/Pass.h>
  <mlir/Transforms/DialectConversion.h>
  <llvm/ADT/TypeSwitch.h>)

# spinc_library(NAME SOURCES… [LINK …] [DEPENDS …] [EXCEPTIONS] [PRECOMPILED])
#   A static library of one stage. DEPENDS names TableGen targets whose
#   headers it includes; PRECOMPILED: most of its files include MLIR.
function(spinc_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS;PRECOMPILED" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  endif()
  if(ARG_PRECOMPILED)
    target_precompile_headers(${name} REUSE_FROM SpincMlirHeaders)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()

# spinc_tool(NAME SOURCES… LINK …): an executable in build/bin.
function(spinc_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
endfunction()
