# spinc_antlr_grammar(TARGET LEXER FILE.g4 PARSER FILE.g4 NAMESPACE ns): a
# library of the lexer and parser that ANTLR makes in the build tree. Generated
# code is C++17 with exceptions and belongs to one stage only.
#
# Debian's tool 4.7.2 and runtime 4.9 are a proved pair: they agree on the
# format of the tables. Others are refused (docs/adr/001-antlr-pairing.md).
find_program(SPINC_ANTLR antlr4)
if(NOT SPINC_ANTLR)
  message(FATAL_ERROR "spinc needs the ANTLR tool; install package antlr4")
endif()
execute_process(COMMAND ${SPINC_ANTLR}
  OUTPUT_VARIABLE antlrUsage ERROR_VARIABLE antlrUsage)
if(NOT antlrUsage MATCHES "Version ([0-9.]+)" OR NOT CMAKE_MATCH_1 STREQUAL "4.7.2")
  message(FATAL_ERROR "spinc needs ANTLR tool 4.7.2, found '${CMAKE_MATCH_1}'")
endif()
find_package(antlr4-runtime CONFIG REQUIRED)
if(NOT antlr4-runtime_VERSION VERSION_EQUAL 4.9)
  message(FATAL_ERROR
    "spinc needs the ANTLR runtime 4.9, found '${antlr4-runtime_VERSION}'")
endif()

function(spinc_antlr_grammar target)
  cmake_parse_arguments(ARG "" "LEXER;PARSER;NAMESPACE" "" ${ARGN})
  get_filename_component(lexer ${ARG_LEXER} NAME_WE)
  get_filename_component(parser ${ARG_PARSER} NAME_WE)
  set(out ${CMAKE_CURRENT_BINARY_DIR})
  set(options -Werror -Dlanguage=Cpp -no-listener -no-visitor
    -package ${ARG_NAMESPACE} -Xexact-output-dir -o ${out})
  add_custom_command(
    OUTPUT ${out}/${lexer}.cpp ${out}/${lexer}.h ${out}/${lexer}.tokens
    COMMAND ${SPINC_ANTLR} ${options} ${ARG_LEXER}
    DEPENDS ${ARG_LEXER}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "ANTLR: ${ARG_LEXER}" VERBATIM)
  add_custom_command(
    OUTPUT ${out}/${parser}.cpp ${out}/${parser}.h
    COMMAND ${SPINC_ANTLR} ${options} -lib ${out} ${ARG_PARSER}
    DEPENDS ${ARG_PARSER} ${out}/${lexer}.tokens
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "ANTLR: ${ARG_PARSER}" VERBATIM)
  add_library(${target} STATIC ${out}/${lexer}.cpp ${out}/${parser}.cpp)
  target_include_directories(${target} SYSTEM PUBLIC ${ANTLR4_INCLUDE_DIR})
  target_compile_options(${target} PRIVATE -w)
  target_link_libraries(${target} PUBLIC antlr4_shared)
endfunction()
