/* Walks a datatype with MPI_Type_get_envelope and MPI_Type_get_contents.
 *
 * Two layouts of contents exist: that of the classic constructors (integers
 * and addresses apart) and that of the constructors with large counts, where
 * everything that may be large is in one array of counts. A type answers only
 * in the layout of its constructor, and through the calls with `_c` in either;
 * `cursor` reads both.
 */
#include "spin_mpi.h"
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- contents ---- */

struct walk {
  struct spin_text text;
  spin_error *error;
  int status;
};

static void fail(struct walk *walk, spin_status status, const char *format,
                 ...) {
  if (walk->status != SPIN_OK)
    return;
  walk->status = status;
  if (!walk->error)
    return;
  va_list arguments;
  va_start(arguments, format);
  walk->error->status = status;
  vsnprintf(walk->error->message, sizeof walk->error->message, format,
            arguments);
  va_end(arguments);
}

/* What the constructor of a type was given. Values are taken in the order of
 * the standard's tables. */
struct contents {
  int combiner;
  MPI_Count integer_count, address_count, large_count, type_count;
  int *integers;
  MPI_Aint *addresses;
  MPI_Count *larges;
  MPI_Datatype *types;
  MPI_Count integer, address, large; /* the next one to take */
};

static int get_envelope(MPI_Datatype type, struct contents *contents) {
  memset(contents, 0, sizeof *contents);
#if MPI_VERSION >= 4
  return MPI_Type_get_envelope_c(
      type, &contents->integer_count, &contents->address_count,
      &contents->large_count, &contents->type_count, &contents->combiner);
#else
  int integers, addresses, types;
  const int status = MPI_Type_get_envelope(type, &integers, &addresses, &types,
                                           &contents->combiner);
  contents->integer_count = integers;
  contents->address_count = addresses;
  contents->type_count = types;
  return status;
#endif
}

static void *array(struct walk *walk, MPI_Count count, size_t size) {
  /* One more than asked for: calloc of nothing may be NULL. */
  void *memory = calloc((size_t)count + 1, size);
  if (!memory)
    fail(walk, SPIN_MEMORY, "no memory to read a datatype");
  return memory;
}

static void get_contents(struct walk *walk, MPI_Datatype type,
                         struct contents *contents) {
  contents->integers =
      array(walk, contents->integer_count, sizeof *contents->integers);
  contents->addresses =
      array(walk, contents->address_count, sizeof *contents->addresses);
  contents->larges =
      array(walk, contents->large_count, sizeof *contents->larges);
  contents->types = array(walk, contents->type_count, sizeof *contents->types);
  if (walk->status != SPIN_OK) {
    contents->type_count = 0; /* there are no handles to free */
    return;
  }
#if MPI_VERSION >= 4
  const int status = MPI_Type_get_contents_c(
      type, contents->integer_count, contents->address_count,
      contents->large_count, contents->type_count, contents->integers,
      contents->addresses, contents->larges, contents->types);
#else
  const int status = MPI_Type_get_contents(
      type, (int)contents->integer_count, (int)contents->address_count,
      (int)contents->type_count, contents->integers, contents->addresses,
      contents->types);
#endif
  if (status != MPI_SUCCESS) {
    contents->type_count = 0;
    fail(walk, SPIN_INVALID, "MPI does not tell the contents of a datatype");
  }
}

/* Handles that get_contents made must be freed; handles of predefined types,
 * which include those of MPI_Type_create_f90_real and its like, must not. */
static int is_predefined(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX ||
         combiner == MPI_COMBINER_F90_INTEGER;
}

static void free_contents(struct contents *contents) {
  for (MPI_Count i = 0; i < contents->type_count; ++i) {
    struct contents child;
    if (get_envelope(contents->types[i], &child) == MPI_SUCCESS &&
        !is_predefined(child.combiner))
      MPI_Type_free(&contents->types[i]);
  }
  free(contents->integers);
  free(contents->addresses);
  free(contents->larges);
  free(contents->types);
}

/* An argument that is an integer in both layouts. */
static int take_integer(struct contents *contents) {
  return contents->integer < contents->integer_count
             ? contents->integers[contents->integer++]
             : 0;
}

static int64_t take_large(struct contents *contents) {
  return contents->large < contents->large_count
             ? (int64_t)contents->larges[contents->large++]
             : 0;
}

static int64_t take_count(struct contents *contents) {
  return contents->large_count ? take_large(contents) : take_integer(contents);
}

static int64_t take_address(struct contents *contents) {
  if (contents->large_count)
    return take_large(contents);
  return contents->address < contents->address_count
             ? (int64_t)contents->addresses[contents->address++]
             : 0;
}

/* ---- nodes ---- */

typedef int64_t take(struct contents *contents);

static void put_array(struct walk *walk, const char *key, int64_t count,
                      take *next, struct contents *contents, int64_t minus) {
  spin_text_put(&walk->text, ",\"%s\":[", key);
  for (int64_t i = 0; i < count; ++i)
    spin_text_put(&walk->text, "%s%" PRId64, i ? "," : "",
                  next(contents) - minus);
  spin_text_put(&walk->text, "]");
}

static void put_type(struct walk *walk, MPI_Datatype type, int64_t base);

static void put_child(struct walk *walk, struct contents *contents,
                      int64_t base) {
  spin_text_put(&walk->text, ",\"of\":");
  put_type(walk, contents->types[0], base);
}

static void put_vector(struct walk *walk, struct contents *contents,
                       const char *stride, take *next) {
  const int64_t count = take_count(contents);
  const int64_t blocklen = take_count(contents);
  spin_text_put(&walk->text,
                ",\"count\":%" PRId64 ",\"blocklen\":%" PRId64
                ",\"%s\":%" PRId64,
                count, blocklen, stride, next(contents));
}

/* Displacements in bytes take up the base; those in elements leave it to the
 * child, since every element of the child moves by it. */
static void put_indexed(struct walk *walk, struct contents *contents,
                        int in_bytes, int equal_blocks, int64_t base) {
  const int64_t count = take_count(contents);
  if (equal_blocks)
    spin_text_put(&walk->text, ",\"blocklen\":%" PRId64, take_count(contents));
  else
    put_array(walk, "blocklens", count, take_count, contents, 0);
  put_array(walk, in_bytes ? "displs_bytes" : "displs", count,
            in_bytes ? take_address : take_count, contents,
            in_bytes ? base : 0);
  if (contents->combiner != MPI_COMBINER_STRUCT) {
    put_child(walk, contents, in_bytes ? 0 : base);
    return;
  }
  spin_text_put(&walk->text, ",\"types\":[");
  for (MPI_Count i = 0; i < contents->type_count; ++i) {
    spin_text_put(&walk->text, i ? "," : "");
    put_type(walk, contents->types[i], 0);
  }
  spin_text_put(&walk->text, "]");
}

static const char *order_name(int order) {
  return order == MPI_ORDER_C ? "C" : "F";
}

static void put_subarray(struct walk *walk, struct contents *contents) {
  const int dimensions = take_integer(contents);
  put_array(walk, "sizes", dimensions, take_count, contents, 0);
  put_array(walk, "subsizes", dimensions, take_count, contents, 0);
  put_array(walk, "starts", dimensions, take_count, contents, 0);
  spin_text_put(&walk->text, ",\"order\":\"%s\"",
                order_name(take_integer(contents)));
}

static const char *distribution_name(int distribution) {
  switch (distribution) {
  case MPI_DISTRIBUTE_BLOCK:
    return "block";
  case MPI_DISTRIBUTE_CYCLIC:
    return "cyclic";
  default:
    return "none";
  }
}

static int64_t take_integer_64(struct contents *contents) {
  return take_integer(contents);
}

static void put_darray(struct walk *walk, struct contents *contents) {
  const int size = take_integer(contents);
  const int rank = take_integer(contents);
  const int dimensions = take_integer(contents);
  spin_text_put(&walk->text, ",\"nprocs\":%d,\"rank\":%d", size, rank);
  put_array(walk, "gsizes", dimensions, take_count, contents, 0);
  spin_text_put(&walk->text, ",\"distribs\":[");
  for (int i = 0; i < dimensions; ++i)
    spin_text_put(&walk->text, "%s\"%s\"", i ? "," : "",
                  distribution_name(take_integer(contents)));
  spin_text_put(&walk->text, "],\"dargs\":[");
  for (int i = 0; i < dimensions; ++i) {
    const int argument = take_integer(contents);
    if (argument == MPI_DISTRIBUTE_DFLT_DARG)
      spin_text_put(&walk->text, "%snull", i ? "," : "");
    else
      spin_text_put(&walk->text, "%s%d", i ? "," : "", argument);
  }
  spin_text_put(&walk->text, "]");
  put_array(walk, "psizes", dimensions, take_integer_64, contents, 0);
  spin_text_put(&walk->text, ",\"order\":\"%s\"",
                order_name(take_integer(contents)));
}

/* The pair types of MPI_MINLOC may have a hole: that of the C struct. */
static void put_pair_map(struct spin_text *text, MPI_Datatype type) {
#define SPIN_MPI_PAIR(c_type, mpi_type)                                        \
  if (type == mpi_type) {                                                      \
    struct pair {                                                              \
      c_type value;                                                            \
      int index;                                                               \
    };                                                                         \
    spin_text_put(text, ",\"map\":[[0,%zu],[%zu,%zu]]", sizeof(c_type),        \
                  offsetof(struct pair, index), sizeof(int));                  \
  }
  SPIN_MPI_PAIR(float, MPI_FLOAT_INT)
  SPIN_MPI_PAIR(double, MPI_DOUBLE_INT)
  SPIN_MPI_PAIR(long, MPI_LONG_INT)
  SPIN_MPI_PAIR(short, MPI_SHORT_INT)
  SPIN_MPI_PAIR(int, MPI_2INT)
  SPIN_MPI_PAIR(long double, MPI_LONG_DOUBLE_INT)
#undef SPIN_MPI_PAIR
}

static void put_named(struct walk *walk, MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME + 1] = "";
  int length = 0;
  MPI_Type_get_name(type, name, &length);
  spin_text_put(&walk->text, ",\"name\":");
  spin_text_put_string(&walk->text, name);
  put_pair_map(&walk->text, type);
}

/* The constructor's arguments and children. `base` is subtracted from the
 * offsets of all data. */
static void put_arguments(struct walk *walk, struct contents *contents,
                          int64_t base) {
  struct spin_text *text = &walk->text;
  switch (contents->combiner) {
  case MPI_COMBINER_DUP:
    break;
  case MPI_COMBINER_CONTIGUOUS:
    spin_text_put(text, ",\"count\":%" PRId64, take_count(contents));
    break;
  case MPI_COMBINER_VECTOR:
    put_vector(walk, contents, "stride", take_count);
    break;
  case MPI_COMBINER_HVECTOR:
    put_vector(walk, contents, "stride_bytes", take_address);
    break;
  case MPI_COMBINER_INDEXED:
    put_indexed(walk, contents, 0, 0, base);
    return;
  case MPI_COMBINER_HINDEXED:
  case MPI_COMBINER_STRUCT:
    put_indexed(walk, contents, 1, 0, base);
    return;
  case MPI_COMBINER_INDEXED_BLOCK:
    put_indexed(walk, contents, 0, 1, base);
    return;
  case MPI_COMBINER_HINDEXED_BLOCK:
    put_indexed(walk, contents, 1, 1, base);
    return;
  case MPI_COMBINER_SUBARRAY:
    put_subarray(walk, contents);
    break;
  case MPI_COMBINER_DARRAY:
    put_darray(walk, contents);
    break;
  case MPI_COMBINER_RESIZED: {
    const int64_t lb = take_address(contents);
    spin_text_put(text, ",\"new_lb\":%" PRId64 ",\"new_extent\":%" PRId64,
                  lb - base, take_address(contents));
    break;
  }
  default:
    fail(walk, SPIN_INVALID,
         "constructor %d of MPI is not one that a description has",
         contents->combiner);
    return;
  }
  put_child(walk, contents, base);
}

static const char *combiner_name(int combiner) {
  static const struct {
    int combiner;
    const char *name;
  } names[] = {
      {MPI_COMBINER_NAMED, "named"},
      {MPI_COMBINER_DUP, "dup"},
      {MPI_COMBINER_CONTIGUOUS, "contiguous"},
      {MPI_COMBINER_VECTOR, "vector"},
      {MPI_COMBINER_HVECTOR, "hvector"},
      {MPI_COMBINER_INDEXED, "indexed"},
      {MPI_COMBINER_HINDEXED, "hindexed"},
      {MPI_COMBINER_INDEXED_BLOCK, "indexed_block"},
      {MPI_COMBINER_HINDEXED_BLOCK, "hindexed_block"},
      {MPI_COMBINER_STRUCT, "struct"},
      {MPI_COMBINER_SUBARRAY, "subarray"},
      {MPI_COMBINER_DARRAY, "darray"},
      {MPI_COMBINER_RESIZED, "resized"},
      /* Predefined types of a size that the library has chosen. */
      {MPI_COMBINER_F90_REAL, "f90_real"},
      {MPI_COMBINER_F90_COMPLEX, "f90_complex"},
      {MPI_COMBINER_F90_INTEGER, "f90_integer"},
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (names[i].combiner == combiner)
      return names[i].name;
  return "";
}

/* A predefined type has no argument that could take up the base. */
static void put_moved(struct walk *walk, MPI_Datatype type, int64_t base) {
  spin_text_put(&walk->text,
                "{\"k\":\"hindexed_block\",\"blocklen\":1,"
                "\"displs_bytes\":[%" PRId64 "],\"of\":",
                -base);
  put_type(walk, type, 0);
  spin_text_put(&walk->text, "}");
}

static void put_type(struct walk *walk, MPI_Datatype type, int64_t base) {
  struct contents contents;
  MPI_Count size = 0, lb = 0, extent = 0;
  if (walk->status != SPIN_OK)
    return;
  if (get_envelope(type, &contents) != MPI_SUCCESS ||
      MPI_Type_size_x(type, &size) != MPI_SUCCESS ||
      MPI_Type_get_extent_x(type, &lb, &extent) != MPI_SUCCESS) {
    fail(walk, SPIN_INVALID, "MPI does not know a datatype");
    return;
  }
  const int predefined = is_predefined(contents.combiner);
  if (predefined && base != 0) {
    put_moved(walk, type, base);
    return;
  }
  spin_text_put(&walk->text,
                "{\"k\":\"%s\",\"size\":%" PRId64 ",\"lb\":%" PRId64
                ",\"extent\":%" PRId64,
                combiner_name(contents.combiner), (int64_t)size,
                (int64_t)lb - base, (int64_t)extent);
  if (predefined) {
    put_named(walk, type);
  } else {
    get_contents(walk, type, &contents);
    if (walk->status == SPIN_OK)
      put_arguments(walk, &contents, base);
    free_contents(&contents);
  }
  spin_text_put(&walk->text, "}");
}

/* ---- the whole description ---- */

/* Addresses are recognised by their size: a datatype relative to a buffer does
 * not start 4 GiB away from it. */
static int64_t base_of(int64_t first) {
  const int64_t far = (int64_t)1 << 32;
  if (first > -far && first < far)
    return 0;
  return first - (first % SPIN_HOST_ALIGNMENT + SPIN_HOST_ALIGNMENT) %
                     SPIN_HOST_ALIGNMENT;
}

static void measure(struct walk *walk, MPI_Datatype type, MPI_Count count,
                    spin_mpi_description *out) {
  MPI_Count size = 0, lb = 0, extent = 0, true_lb = 0, true_extent = 0;
  if (MPI_Type_size_x(type, &size) != MPI_SUCCESS ||
      MPI_Type_get_extent_x(type, &lb, &extent) != MPI_SUCCESS ||
      MPI_Type_get_true_extent_x(type, &true_lb, &true_extent) != MPI_SUCCESS) {
    fail(walk, SPIN_INVALID, "MPI does not know the datatype");
    return;
  }
  if (size == 0 || count == 0)
    return;
  /* The data and all steps stay far from the ends of 64 bits. */
  const MPI_Count most = (MPI_Count)1 << 60;
  if (count > most / size || size > most ||
      (extent != 0 && count > most / (extent < 0 ? -extent : extent))) {
    fail(walk, SPIN_INVALID, "the elements reach beyond 2^60 bytes");
    return;
  }
  const MPI_Count step = (count - 1) * extent; /* of the last element */
  out->size = (uint64_t)size * (uint64_t)count;
  out->first = true_lb + (step < 0 ? step : 0);
  out->span = (uint64_t)(true_extent + (step < 0 ? -step : step));
  out->base = base_of(out->first);
}

int spin_mpi_describe(MPI_Datatype type, MPI_Count count, const char *name,
                      spin_mpi_description *description, spin_error *error) {
  struct walk walk = {.error = error, .status = SPIN_OK};
  struct spin_text *text = &walk.text;
  char own_name[MPI_MAX_OBJECT_NAME + 1] = "";
  char library[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  memset(description, 0, sizeof *description);
  if (type == MPI_DATATYPE_NULL || count < 0) {
    fail(&walk, SPIN_INVALID,
         count < 0 ? "the count is negative" : "the datatype is null");
    return walk.status;
  }
  measure(&walk, type, count, description);
  if (!name && MPI_Type_get_name(type, own_name, &length) == MPI_SUCCESS)
    name = own_name;
  MPI_Get_library_version(library, &length);
  library[strcspn(library, ",\n")] = '\0'; /* the first of many lines */
  for (char *tab = library; (tab = strchr(tab, '\t'));)
    *tab = ' ';
  spin_text_put(text, "{\"spinc_ddt\":1,\"name\":");
  spin_text_put_string(text, name && *name ? name : "datatype");
  spin_text_put(text, ",\"count\":%" PRId64 ",\"source\":", (int64_t)count);
  spin_text_put_string(text, library);
  if (description->base)
    spin_text_put(text, ",\"base_rebased_by\":%" PRId64, description->base);
  spin_text_put(text, ",\"type\":");
  put_type(&walk, type, description->base);
  spin_text_put(text, "}\n");
  if (text->failed)
    fail(&walk, SPIN_MEMORY, "no memory for the description of a datatype");
  if (walk.status != SPIN_OK) {
    free(text->bytes);
    memset(description, 0, sizeof *description);
    return walk.status;
  }
  description->json = text->bytes;
  if (error) {
    error->status = SPIN_OK;
    error->message[0] = '\0';
  }
  return SPIN_OK;
}

void spin_mpi_release(spin_mpi_description *description) {
  free(description->json);
  description->json = NULL;
}
