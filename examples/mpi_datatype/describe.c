/* Prints the description of the datatype that the right neighbour receives
 * with, for spinc-ddt. One process. */
#include "exchange.h"
#include "spin_mpi.h"

#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype ghosts = halo_ghosts();
  spin_mpi_description halo;
  spin_error error;
  const int status = spin_mpi_describe(ghosts, 1, "halo", &halo, &error);
  if (status == SPIN_OK) {
    fputs(halo.json, stdout);
    spin_mpi_release(&halo);
  } else {
    fprintf(stderr, "describe: error: %s\n", error.message);
  }
  MPI_Type_free(&ghosts);
  MPI_Finalize();
  return status == SPIN_OK ? 0 : 1;
}
