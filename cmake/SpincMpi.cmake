# MPICH and Open MPI, side by side. Debian lets one of them be `mpicc` by its
# alternatives; here each is found by its own place, so both can be used in one
# build. For each of `mpich` and `openmpi` that is there: the target
# SpincMpi::<name>, and SPINC_MPIRUN_<name>, its launcher.
set(SPINC_MPIS)
function(spinc_find_mpi name library)
  find_path(SPINC_MPI_INCLUDE_${name} mpi.h
    PATHS /usr/include /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}
          /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}
    PATH_SUFFIXES ${name} ${name}/include NO_DEFAULT_PATH)
  find_library(SPINC_MPI_LIBRARY_${name} ${library}
    PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}
    PATH_SUFFIXES ${name}/lib NO_DEFAULT_PATH)
  find_program(SPINC_MPIRUN_${name} mpirun.${name})
  find_program(SPINC_MPICC_${name} mpicc.${name})
  if(SPINC_MPI_INCLUDE_${name} AND SPINC_MPI_LIBRARY_${name}
      AND SPINC_MPIRUN_${name} AND SPINC_MPICC_${name})
    add_library(SpincMpi::${name} INTERFACE IMPORTED GLOBAL)
    # Nothing here uses the C++ bindings, which MPI has dropped.
    set_target_properties(SpincMpi::${name} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES ${SPINC_MPI_INCLUDE_${name}}
      INTERFACE_COMPILE_DEFINITIONS "OMPI_SKIP_MPICXX;MPICH_SKIP_MPICXX"
      INTERFACE_LINK_LIBRARIES ${SPINC_MPI_LIBRARY_${name}})
    set(SPINC_MPIS ${SPINC_MPIS} ${name} PARENT_SCOPE)
  elseif(DEFINED ENV{CI})
    message(FATAL_ERROR "${name} is not installed; './dev setup' installs it")
  else()
    message(WARNING "${name} is not installed: its import library is not built "
      "and its tests are skipped; './dev setup' installs it")
  endif()
endfunction()
spinc_find_mpi(mpich mpich)
spinc_find_mpi(openmpi mpi)
