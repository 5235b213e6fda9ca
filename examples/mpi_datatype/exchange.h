/* The array of the example and the two datatypes of its halo exchange: what the
 * left neighbour owns and sends, and the ghost cells where the right one wants
 * them. Both are planes of constant x, the worst case of an array whose x runs
 * fastest: many runs of a few bytes each. */
#ifndef SPINC_EXAMPLES_MPI_DATATYPE_EXCHANGE_H
#define SPINC_EXAMPLES_MPI_DATATYPE_EXCHANGE_H

#include <mpi.h>

#include <stddef.h>

enum {
  NZ = 64,
  NY = 64,
  NX = 66, /* with GHOST cells on either side */
  GHOST = 2,
  CELLS = NZ * NY * NX
};

/* Planes x = first … first + GHOST - 1, without a border in y and z. The caller
 * frees the type. */
static inline MPI_Datatype halo_planes(int first) {
  const int sizes[3] = {NZ, NY, NX};
  const int subsizes[3] = {NZ, NY, GHOST};
  const int starts[3] = {0, 0, first};
  MPI_Datatype type;
  MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE,
                           &type);
  MPI_Type_commit(&type);
  return type;
}

/* What is sent: the last planes that the left neighbour owns. */
static inline MPI_Datatype halo_owned(void) {
  return halo_planes(NX - 2 * GHOST);
}

/* Where it is received: the first planes of the right neighbour. */
static inline MPI_Datatype halo_ghosts(void) { return halo_planes(0); }

#endif /* SPINC_EXAMPLES_MPI_DATATYPE_EXCHANGE_H */
