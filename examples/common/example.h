/* What the host programs of the examples share: reading the capture for the
 * oracle (without the card's help), and the JSON line that they print.
 *
 * A host program: example_begin, <Context>_connect with run.options,
 * spin_card_run_capture, compare, return example_end. Each step that fails
 * ends in example_fail.
 */
#ifndef SPINC_EXAMPLES_COMMON_EXAMPLE_H
#define SPINC_EXAMPLES_COMMON_EXAMPLE_H

#include "spin_host.h"

/* Ethernet, IPv4 without options, UDP: the headers that udp_echo and
 * histogram match. Offsets count from the start of the frame. */
enum {
  ETHERNET_BYTES = 14,
  IP_BYTES = 20,
  UDP_BYTES = 8,
  ETHERTYPE_IPV4 = 0x0800,
  ETHERTYPE_IPV6 = 0x86DD,
  ETHERTYPE_PORTALS = 0x88B5,
  PORTALS_BYTES = 32
};

typedef struct example_packet {
  unsigned char *frame;
  size_t size;
} example_packet;

typedef struct example_run {
  const char *capture;
  spin_card_options options;
  spin_card *card;
  spin_error error;
  example_packet *packets; /* of the capture, in order */
  size_t packet_count;
  char mismatch[200]; /* the first difference that the oracle has found */
} example_run;

/* Numbers as they are in packets. */
uint32_t example_big16(const unsigned char *bytes);
uint32_t example_little32(const unsigned char *bytes);
uint64_t example_little64(const unsigned char *bytes);

/* Reads the command line (one capture) and the capture. 0, or the exit status
 * after a message. */
int example_begin(example_run *run, int argc, char **argv);

/* The IPv4 packet of a frame that an example's matching rule takes: version 4
 * without options, `port` as the destination port. NULL if it does not match;
 * else `size` is that of the IP packet and whatever pads the frame. */
const unsigned char *example_udp(const example_packet *packet, unsigned port,
                                 size_t *size);

/* The message header of a portals frame, and the size from there on. */
const unsigned char *example_portals(const example_packet *packet,
                                     size_t *size);

/* Memory for a host region, filled with `fill`, followed by bytes that nobody
 * may write. */
void *example_memory(size_t size, unsigned char fill);
/* Whether those bytes are untouched. */
int example_memory_guarded(const void *memory, size_t size, unsigned char fill);

/* Whether the card sent one packet because of packet `number`, which is then
 * `answer`. Notes a difference if one was not `expected` or is missing, or if
 * there are more. */
int example_answer(example_run *run, size_t number, int expected,
                   spin_packet *answer);
/* Notes a difference if the card sent more or less than that. */
void example_answers(example_run *run, size_t expected);

/* Notes the first difference; printf-like. */
void example_differs(example_run *run, const char *format, ...);

/* Prints what the card said, and returns the exit status 1. */
int example_fail(example_run *run);

/* Prints the JSON line with the statistics of `context` and the verdict;
 * frees everything of the run. Exit status: 0 if nothing differed and no
 * handler faulted. */
int example_end(example_run *run, const char *program, const char *context);

#endif /* SPINC_EXAMPLES_COMMON_EXAMPLE_H */
