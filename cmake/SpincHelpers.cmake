# spinc_library(NAME SOURCES… [LINK …] [DEPENDS …] [EXCEPTIONS])
#   A static library of one stage. DEPENDS names TableGen targets whose
#   headers it includes.
function(spinc_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
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
