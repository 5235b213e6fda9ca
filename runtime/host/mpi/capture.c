/* Preloaded into an MPI program by spinc-ddt-import: writes the description of
 * every datatype that the program commits, each layout once, one per line to
 * <folder>/<rank>.jsonl. The program's own behaviour does not change; what goes
 * wrong here is said once on stderr and is otherwise ignored.
 */
#include "spin_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the program, as set by spinc-ddt-import; the folder is there. */
static const char *const folder_variable = "SPINC_DDT_IMPORT_DIR";

/* FNV-1a hashes of the lines written, in an open table of a power of two. */
static struct {
  uint64_t *hashes; /* 0: free */
  size_t used, capacity;
} seen;

static int complained;

static void complain(const char *what) {
  if (!complained)
    fprintf(stderr, "spinc-ddt-import: %s\n", what);
  complained = 1;
}

static uint64_t hash_of(const char *line) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (; *line; ++line)
    hash = (hash ^ (unsigned char)*line) * 0x100000001B3u;
  return hash ? hash : 1;
}

static void insert(uint64_t *hashes, size_t capacity, uint64_t hash) {
  size_t at = (size_t)hash & (capacity - 1);
  while (hashes[at])
    at = (at + 1) & (capacity - 1);
  hashes[at] = hash;
}

static int grow(void) {
  const size_t capacity = seen.capacity ? 2 * seen.capacity : 64;
  uint64_t *hashes = calloc(capacity, sizeof *hashes);
  if (!hashes)
    return 0;
  for (size_t i = 0; i < seen.capacity; ++i)
    if (seen.hashes[i])
      insert(hashes, capacity, seen.hashes[i]);
  free(seen.hashes);
  seen.hashes = hashes;
  seen.capacity = capacity;
  return 1;
}

/* Whether the line is new; it is not any more afterwards. */
static int is_new(const char *line) {
  const uint64_t hash = hash_of(line);
  if (2 * seen.used >= seen.capacity && !grow())
    return 1;
  for (size_t at = (size_t)hash; seen.hashes[at & (seen.capacity - 1)]; ++at)
    if (seen.hashes[at & (seen.capacity - 1)] == hash)
      return 0;
  insert(seen.hashes, seen.capacity, hash);
  ++seen.used;
  return 1;
}

static void write_line(const char *line) {
  char path[4096];
  int rank = 0;
  const char *folder = getenv(folder_variable);
  if (!folder) {
    complain("SPINC_DDT_IMPORT_DIR is not set");
    return;
  }
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int length = snprintf(path, sizeof path, "%s/%d.jsonl", folder, rank);
  FILE *file =
      length > 0 && (size_t)length < sizeof path ? fopen(path, "a") : NULL;
  if (!file || fputs(line, file) < 0)
    complain("cannot write the descriptions");
  if (file && fclose(file) != 0)
    complain("cannot write the descriptions");
}

int MPI_Type_commit(MPI_Datatype *type) {
  const int status = PMPI_Type_commit(type);
  spin_mpi_description description;
  spin_error error;
  if (status != MPI_SUCCESS)
    return status;
  if (spin_mpi_describe(*type, 1, NULL, &description, &error) != SPIN_OK) {
    complain(error.message);
    return status;
  }
  if (is_new(description.json))
    write_line(description.json);
  spin_mpi_release(&description);
  return status;
}
