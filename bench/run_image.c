/* Runs one context of an image file on a capture, many times if asked, and
 * prints what the handlers took: for bench.py, which runs spinc's image and
 * the C twin's on the same packets. Not a check of results.
 *
 *   run_image IMAGE CONTEXT CAPTURE HOST_BYTES REPEAT [PARAMETER…]
 *
 * Parameters are 32-bit words of the context's block.
 */
#include "spin_host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_PARAMETERS = 8 };

static int fail(const spin_error *error) {
  fprintf(stderr, "run_image: error: %s\n", error->message);
  return 1;
}

static unsigned char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size ? *size : 1);
  if (bytes && fread(bytes, 1, *size, file) != *size) {
    free(bytes);
    bytes = NULL;
  }
  fclose(file);
  return bytes;
}

/* Time of this process on a core, whatever else the machine does. */
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void print_results(const spin_card *card, const char *context,
                          double elapsed) {
  const spin_card_stats stats = spin_card_statistics(card);
  printf("{\"packets\":%" PRIu64 ",\"instructions\":%" PRIu64
         ",\"seconds\":%.6f,\"handlers\":{",
         stats.packets, stats.instructions, elapsed);
  static const char *const words[] = {"header", "payload", "completion"};
  for (int kind = SPIN_HEADER; kind <= SPIN_COMPLETION; ++kind) {
    const spin_handler_stats handler =
        spin_card_handler(card, context, (spin_handler)kind);
    printf("%s\"%s\":{\"runs\":%" PRIu64 ",\"instructions\":%" PRIu64
           ",\"cycles\":%" PRIu64 ",\"faults\":%" PRIu64 "}",
           kind ? "," : "", words[kind], handler.runs, handler.instructions,
           handler.total_cycles, handler.faults);
  }
  puts("}}");
}

int main(int argc, char **argv) {
  if (argc < 6 || argc > 6 + MAX_PARAMETERS) {
    fputs("usage: run_image IMAGE CONTEXT CAPTURE HOST_BYTES REPEAT "
          "[PARAMETER...]\n",
          stderr);
    return 2;
  }
  spin_program program = {argv[1], NULL, 0};
  unsigned char *image = read_file(argv[1], &program.size);
  if (!image) {
    fprintf(stderr, "run_image: error: cannot read %s\n", argv[1]);
    return 1;
  }
  program.image = image;
  uint32_t parameters[MAX_PARAMETERS];
  for (int i = 6; i < argc; ++i)
    parameters[i - 6] = (uint32_t)strtoul(argv[i], NULL, 0);
  const size_t host_bytes = (size_t)strtoull(argv[4], NULL, 0);
  spin_region host = {NULL, host_bytes};
  if (host_bytes)
    host.base = aligned_alloc(SPIN_HOST_ALIGNMENT, (host_bytes + 63) / 64 * 64);

  spin_error error;
  spin_card *card = NULL;
  if (spin_card_open(NULL, &card, &error) != SPIN_OK ||
      spin_card_install(card, &program, argv[2], argc > 6 ? parameters : NULL,
                        (size_t)(argc - 6) * sizeof parameters[0],
                        host_bytes ? &host : NULL, &error) != SPIN_OK)
    return fail(&error);
  const double start = seconds();
  for (unsigned long i = strtoul(argv[5], NULL, 0); i > 0; --i)
    if (spin_card_run_capture(card, argv[3], &error) != SPIN_OK)
      return fail(&error);
  print_results(card, argv[2], seconds() - start);
  spin_card_close(card);
  free(host.base);
  free(image);
  return 0;
}
