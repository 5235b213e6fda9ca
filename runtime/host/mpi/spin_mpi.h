/* From a live MPI datatype to the description that spinc-ddt reads.
 *
 *   spin_mpi_description halo;
 *   spin_error error;
 *   if (spin_mpi_describe(type, count, "halo", &halo, &error) != SPIN_OK)
 *     puts(error.message);
 *   fputs(halo.json, file);
 *   spin_mpi_release(&halo);
 *
 * Works with any MPI from version 3.0 on; it is compiled once for each library
 * (libSpinMpi-mpich, libSpinMpi-openmpi), because MPI has no common ABI. Call
 * it between MPI_Init and MPI_Finalize, from any thread from which MPI may be
 * called. The type need not be committed and is not changed.
 */
#ifndef SPINC_RUNTIME_HOST_MPI_SPIN_MPI_H
#define SPINC_RUNTIME_HOST_MPI_SPIN_MPI_H

#include "spin_host.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spin_mpi_description {
  char *json; /* one line, with a final newline; of malloc */
  /* Bytes from the buffer's address to where offsets of the description
   * count from: 0, unless the type has absolute addresses, which are made
   * relative to a multiple of 64 at or below their lowest byte. */
  int64_t base;
  uint64_t size; /* bytes of data in `count` elements */
  /* The lowest byte of data, counted from the buffer's address, and the bytes
   * from there to the end of the highest one; 0 and 0 if there is no data. */
  int64_t first;
  uint64_t span;
} spin_mpi_description;

/* Describes `count` elements of `type`. `name` appears in messages of
 * spinc-ddt; NULL takes the name of MPI_Type_set_name, if any. Size, lower
 * bound and extent of every node are what the library says, so that padding
 * is that of the library. Returns a spin_status; SPIN_INVALID if the type has
 * a constructor that the standard no longer has. Errors of MPI go to the error
 * handler of MPI_COMM_WORLD first. */
int spin_mpi_describe(MPI_Datatype type, MPI_Count count, const char *name,
                      spin_mpi_description *description, spin_error *error);

/* Frees what a description holds. */
void spin_mpi_release(spin_mpi_description *description);

#ifdef __cplusplus
}
#endif

#endif /* SPINC_RUNTIME_HOST_MPI_SPIN_MPI_H */
