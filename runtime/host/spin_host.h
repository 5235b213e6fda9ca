/* The host side of a sPIN card: open a card, install contexts on it, give it
 * packets, and read what happened. Generated stubs (spinc --emit=stubs) wrap
 * spin_card_install() with a typed setup and the checks of the program; the
 * rest is called by the program itself.
 *
 *   spin_card *card;
 *   spin_error error;
 *   Histogram_setup setup = {.out = {memory, size}};
 *   if (Histogram_connect(NULL, &setup, &card, &error) != SPIN_OK ||
 *       spin_card_run_capture(card, "trace.pcap", &error) != SPIN_OK)
 *     puts(error.message);
 *
 * The card is the simulator of this project: one cycle is one nanosecond,
 * sizes are bytes, a packet is what a handler sees unless said otherwise.
 * Functions that can fail return a spin_status and, when it is not SPIN_OK,
 * fill `error`, which may be NULL. Nothing here is shared between cards; one
 * card must not be used by two threads at once. C11, usable from C++.
 */
#ifndef SPINC_RUNTIME_HOST_SPIN_HOST_H
#define SPINC_RUNTIME_HOST_SPIN_HOST_H

#include "spin_exact.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the image and the card agree on. */
#define SPIN_CLUSTERS 4
#define SPIN_HPUS 32
/* Host memory of a context starts at a multiple of this many bytes. */
#define SPIN_HOST_ALIGNMENT 64

typedef enum spin_status {
  SPIN_OK = 0,
  SPIN_INVALID,   /* an argument: null, misaligned, too large, too late */
  SPIN_VIOLATION, /* a `where` or `contract` of the program does not hold */
  SPIN_IMAGE,     /* the image is damaged or lacks what was asked for */
  SPIN_CAPTURE,   /* a capture cannot be read or written, or a packet in it
                     is larger than the image allows */
  SPIN_MEMORY,    /* the host has no memory left */
  SPIN_DAMAGED    /* tables of a datatype are not as spinc-ddt made them */
} spin_status;

typedef struct spin_error {
  spin_status status;
  char message[480]; /* one line, without a full stop */
} spin_error;

/* An image as --emit=stubs embeds it. */
typedef struct spin_program {
  const char *name;
  const unsigned char *image;
  size_t size;
} spin_program;

/* Host memory that a context may reach, and nothing beside it. */
typedef struct spin_region {
  void *base;
  size_t size;
} spin_region;

/* A value that a condition of the program has read, for messages. */
typedef struct spin_value {
  const char *name;
  spin_number number;
} spin_value;

typedef struct spin_card spin_card;

/* Zero in a field means its default. */
typedef struct spin_card_options {
  /* Packets that form a message of a context matched by packet fields
   * (default: all packets of the run). Portals messages say it themselves. */
  unsigned packets_per_message;
  /* Cycles after which a handler is stopped as run away (default 1 million). */
  uint64_t handler_cycles;
} spin_card_options;

typedef enum spin_handler {
  SPIN_HEADER,
  SPIN_PAYLOAD,
  SPIN_COMPLETION
} spin_handler;

/* How the executions of one handler went. Cycles are those in which the core
 * works, from the first instruction to the return; waiting is apart. */
typedef struct spin_handler_stats {
  uint64_t runs; /* finished or stopped */
  uint64_t success;
  uint64_t dropped; /* returned DROP */
  uint64_t failed;  /* returned FAIL */
  uint64_t faults;  /* stopped by the card: bad address, run away, … */
  uint64_t instructions;
  uint64_t min_cycles;
  uint64_t median_cycles;
  uint64_t max_cycles;
  uint64_t total_cycles;
  uint64_t wait_cycles;
} spin_handler_stats;

typedef struct spin_card_stats {
  uint64_t packets;        /* that a context took */
  uint64_t to_host;        /* that no context took */
  uint64_t bytes;          /* of the packets taken, as handlers see them */
  uint64_t messages;       /* completed */
  uint64_t sent;           /* packets that handlers sent or put */
  uint64_t host_bytes;     /* written to host memory */
  uint64_t cycles;         /* from start-up to the last event */
  uint64_t instructions;   /* of all cores, start-up included */
  uint64_t median_latency; /* cycles from a packet's arrival to its feedback */
  double rate; /* Gbit/s of the packets taken, first arrival to last feedback */
} spin_card_stats;

/* A handler execution that the card stopped. */
typedef struct spin_fault {
  const char *text;    /* a sentence, with the source line if it is known */
  const char *handler; /* symbol, such as Histogram_ph */
  uint32_t code;       /* PSPIN_FAULT_… of runtime/abi/pspin.h */
  uint32_t pc;
  uint64_t packet; /* its number in the run, from 0 */
} spin_fault;

/* Where the bytes of a packet start. */
typedef enum spin_link { SPIN_ETHERNET, SPIN_IP, SPIN_PORTALS } spin_link;

/* A packet that a handler sent. */
typedef struct spin_packet {
  const unsigned char *bytes;
  size_t size;
  spin_link link;
  uint32_t destination; /* node, for SPIN_PORTALS */
  uint64_t packet;      /* number of the packet whose handler sent it */
  uint64_t cycle;       /* when its last byte had left */
} spin_packet;

/* Opens a card without contexts. `options` may be NULL. */
int spin_card_open(const spin_card_options *options, spin_card **card,
                   spin_error *error);
/* Frees the card and everything that its functions have returned. */
void spin_card_close(spin_card *card);

/* Puts a context of `program` on the card: parameters (laid out as on the
 * card) and host memory, NULL for none. Loads the image when the card has
 * none yet; a card takes contexts of one image. Stubs call this after their
 * checks; nothing here repeats those. */
int spin_card_install(spin_card *card, const spin_program *program,
                      const char *context, const void *params,
                      size_t params_size, const spin_region *host,
                      spin_error *error);

/* Receives every packet of a capture (Ethernet or raw IP) as fast as a link of
 * 400 Gbit/s brings them, and returns when all handlers have ended. A packet
 * of which the capture has only a part is an error. */
int spin_card_run_capture(spin_card *card, const char *path, spin_error *error);

/* The same with packets from memory: each is queued, then all are run. */
int spin_card_inject(spin_card *card, spin_link link, const void *bytes,
                     size_t size, spin_error *error);
int spin_card_run(spin_card *card, spin_error *error);

/* Results of all runs so far. A handler that the context does not have has no
 * runs. Returned pointers live until the next run or the card's end. */
spin_card_stats spin_card_statistics(const spin_card *card);
spin_handler_stats spin_card_handler(const spin_card *card, const char *context,
                                     spin_handler handler);
size_t spin_card_fault_count(const spin_card *card);
spin_fault spin_card_fault(const spin_card *card, size_t index);
size_t spin_card_sent_count(const spin_card *card);
spin_packet spin_card_sent(const spin_card *card, size_t index);

/* For stubs: fill `error`, which may be NULL, and return its status. */
int spin_success(spin_error *error);
int spin_damaged(spin_error *error, const char *context);
int spin_violation(spin_error *error, const char *context,
                   const char *condition, spin_number holds,
                   const spin_value *values, size_t count);

#ifdef __cplusplus
}
#endif

#endif /* SPINC_RUNTIME_HOST_SPIN_HOST_H */
