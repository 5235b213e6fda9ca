/* Text of any length, for the importer: grows, and remembers that memory has
 * run out instead of making every caller ask. */
#ifndef SPINC_RUNTIME_HOST_MPI_TEXT_H
#define SPINC_RUNTIME_HOST_MPI_TEXT_H

#include <stddef.h>

struct spin_text {
  char *bytes; /* of malloc, ends in 0 unless NULL */
  size_t size, capacity;
  int failed; /* no memory: what follows is ignored */
};

/* Appends what printf makes of the arguments, at most 255 bytes. */
void spin_text_put(struct spin_text *text, const char *format, ...);

/* Appends `string` as a string of JSON; its bytes are read as Latin-1. */
void spin_text_put_string(struct spin_text *text, const char *string);

#endif /* SPINC_RUNTIME_HOST_MPI_TEXT_H */
