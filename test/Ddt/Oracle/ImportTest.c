/* What no random type shows of runtime/host/mpi: handles are freed, absolute
 * addresses are rebased, arguments are checked. Prints what lit compares. */
#include "spin_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const char *name, MPI_Datatype type, MPI_Count count) {
  spin_mpi_description description;
  spin_error error;
  if (spin_mpi_describe(type, count, name, &description, &error) != SPIN_OK) {
    printf("%s: error: %s\n", name ? name : "-", error.message);
    return;
  }
  printf("%s: first %lld span %llu size %llu %s", name ? name : "own name",
         (long long)description.first, (unsigned long long)description.span,
         (unsigned long long)description.size, description.json);
  spin_mpi_release(&description);
}

static int freed;

static int count_free(MPI_Datatype type, int key, void *value, void *extra) {
  (void)type, (void)key, (void)value, (void)extra;
  ++freed;
  return MPI_SUCCESS;
}

/* A type is gone when nobody holds a handle: its attribute says so. */
static void handles(void) {
  MPI_Datatype inner, outer;
  int key;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count_free, &key, NULL);
  MPI_Type_contiguous(3, MPI_INT, &inner);
  MPI_Type_set_attr(inner, key, NULL);
  MPI_Type_vector(2, 1, 4, inner, &outer);
  MPI_Type_free(&inner);
  for (int i = 0; i < 3; ++i)
    show("handles", outer, 1);
  printf("while in use: %d freed\n", freed);
  MPI_Type_free(&outer);
  printf("afterwards: %d freed\n", freed);
}

/* Absolute addresses become offsets from a multiple of 64. */
static void absolute(void) {
  double *array = malloc(1000 * sizeof *array);
  MPI_Datatype type, dup;
  MPI_Aint places[2];
  const int lengths[2] = {2, 5};
  MPI_Get_address(&array[100], &places[0]);
  MPI_Get_address(&array[200], &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_DOUBLE, &type);
  MPI_Type_dup(type, &dup);
  spin_mpi_description description;
  if (spin_mpi_describe(dup, 1, "absolute", &description, NULL) != SPIN_OK)
    exit(1);
  const int64_t low = description.first - description.base;
  char expected[200];
  snprintf(expected, sizeof expected, "\"displs_bytes\":[%lld,%lld]",
           (long long)low, (long long)low + 800);
  printf("absolute: base %s, rest %s, span %llu, offsets %s\n",
         description.base % 64 == 0 ? "aligned" : "not aligned",
         low >= 0 && low < 64 ? "below 64" : "too large",
         (unsigned long long)description.span,
         strstr(description.json, expected) ? "relative" : description.json);
  spin_mpi_release(&description);
  MPI_Type_free(&dup);
  MPI_Type_free(&type);
  free(array);
}

/* Displacements in elements have nothing to subtract from. */
static void far_elements(void) {
  MPI_Datatype type;
  const int places[2] = {1 << 30, (1 << 30) + 5};
  MPI_Type_create_indexed_block(2, 1, places, MPI_DOUBLE, &type);
  show("far", type, 1);
  MPI_Type_free(&type);
}

#if MPI_VERSION >= 4
static void large(void) {
  MPI_Datatype type, sized;
  const MPI_Count sizes[2] = {8, 9}, subsizes[2] = {3, 4}, starts[2] = {1, 2};
  MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT,
                             &type);
  MPI_Type_create_resized_c(type, 0, (MPI_Count)1 << 33, &sized);
  show("large", sized, 3);
  MPI_Type_free(&type);
  MPI_Type_free(&sized);
}
#else
static void large(void) { printf("large: no such constructors\n"); }
#endif

int main(int argc, char **argv) {
  MPI_Datatype none, named;
  MPI_Init(&argc, &argv);
  handles();
  absolute();
  far_elements();
  large();
  MPI_Type_contiguous(0, MPI_INT, &none);
  show("none", none, 5);
  MPI_Type_free(&none);
  MPI_Type_dup(MPI_SHORT_INT, &named);
  MPI_Type_set_name(named, "a \"pair\"\n");
  show(NULL, named, 2);
  MPI_Type_free(&named);
  show("negative", MPI_INT, -1);
  show("many", MPI_DOUBLE, (MPI_Count)1 << 58);
  show("null", MPI_DATATYPE_NULL, 1);
  MPI_Finalize();
  return 0;
}
