/* The common part of the host programs; example.h says what it does. */
#include "example.h"

#include <pcap/pcap.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_BYTES = 4096 };

uint32_t example_big16(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 8 | bytes[1];
}

uint32_t example_little32(const unsigned char *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

uint64_t example_little64(const unsigned char *bytes) {
  return example_little32(bytes) | (uint64_t)example_little32(bytes + 4) << 32;
}

static void *allocate(size_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory) {
    fputs("error: no memory left\n", stderr);
    exit(1);
  }
  return memory;
}

static void keep(example_run *run, const unsigned char *bytes, size_t size) {
  if (run->packet_count % 64 == 0) {
    const size_t room = run->packet_count + 64;
    example_packet *grown = allocate(room * sizeof *grown);
    if (run->packet_count)
      memcpy(grown, run->packets, run->packet_count * sizeof *grown);
    free(run->packets);
    run->packets = grown;
  }
  example_packet *packet = &run->packets[run->packet_count++];
  packet->frame = allocate(size);
  packet->size = size;
  memcpy(packet->frame, bytes, size);
}

int example_begin(example_run *run, int argc, char **argv) {
  memset(run, 0, sizeof *run);
  if (argc != 2) {
    fprintf(stderr, "usage: %s CAPTURE.pcap\n", argv[0]);
    return 2;
  }
  run->capture = argv[1];
  char reason[PCAP_ERRBUF_SIZE];
  pcap_t *capture = pcap_open_offline(run->capture, reason);
  if (!capture) {
    fprintf(stderr, "error: cannot read %s: %s\n", run->capture, reason);
    return 1;
  }
  struct pcap_pkthdr *header;
  const unsigned char *bytes;
  int got;
  while ((got = pcap_next_ex(capture, &header, &bytes)) == 1)
    keep(run, bytes, header->caplen);
  if (got != PCAP_ERROR_BREAK)
    fprintf(stderr, "error: %s: %s\n", run->capture, pcap_geterr(capture));
  pcap_close(capture);
  return got == PCAP_ERROR_BREAK ? 0 : 1;
}

/* What follows the Ethernet header, and the EtherType. */
static const unsigned char *network_layer(const example_packet *packet,
                                          unsigned *ethertype, size_t *size) {
  if (packet->size < ETHERNET_BYTES)
    return NULL;
  *ethertype = example_big16(packet->frame + 12);
  *size = packet->size - ETHERNET_BYTES;
  return packet->frame + ETHERNET_BYTES;
}

const unsigned char *example_udp(const example_packet *packet, unsigned port,
                                 size_t *size) {
  unsigned type;
  const unsigned char *ip = network_layer(packet, &type, size);
  const size_t port_end = IP_BYTES + 4;
  /* The card hands over what is marked as either IP; the program's rule looks
   * at the version in the header itself. */
  if (!ip || (type != ETHERTYPE_IPV4 && type != ETHERTYPE_IPV6))
    return NULL;
  if (*size < port_end || ip[0] != 0x45 ||
      example_big16(ip + IP_BYTES + 2) != port)
    return NULL;
  return ip;
}

const unsigned char *example_portals(const example_packet *packet,
                                     size_t *size) {
  unsigned type;
  const unsigned char *header = network_layer(packet, &type, size);
  if (!header || type != ETHERTYPE_PORTALS || *size < PORTALS_BYTES)
    return NULL;
  /* The interface refuses what reaches beyond the message, and cuts off the
   * padding of a short frame (msg-1). */
  const uint64_t length = example_little32(header + 16);
  const uint64_t offset = example_little32(header + 20);
  const int is_short = *size <= 50;
  if (offset > length || (*size - PORTALS_BYTES > length - offset && !is_short))
    return NULL;
  if (*size - PORTALS_BYTES > length - offset)
    *size = PORTALS_BYTES + (size_t)(length - offset);
  return header;
}

void *example_memory(size_t size, unsigned char fill) {
  const size_t whole = size + GUARD_BYTES;
  const size_t rounded = (whole + SPIN_HOST_ALIGNMENT - 1) /
                         SPIN_HOST_ALIGNMENT * SPIN_HOST_ALIGNMENT;
  void *memory = aligned_alloc(SPIN_HOST_ALIGNMENT, rounded);
  if (!memory) {
    fputs("error: no memory left\n", stderr);
    exit(1);
  }
  memset(memory, fill, rounded);
  return memory;
}

int example_memory_guarded(const void *memory, size_t size,
                           unsigned char fill) {
  const unsigned char *guard = (const unsigned char *)memory + size;
  for (size_t i = 0; i < GUARD_BYTES; ++i)
    if (guard[i] != fill)
      return 0;
  return 1;
}

int example_answer(example_run *run, size_t number, int expected,
                   spin_packet *answer) {
  size_t count = 0;
  for (size_t i = 0; i < spin_card_sent_count(run->card); ++i) {
    const spin_packet sent = spin_card_sent(run->card, i);
    if (sent.packet == number) {
      *answer = sent;
      ++count;
    }
  }
  if (count != (expected ? 1U : 0U))
    example_differs(run, "packet %zu has %zu answers", number, count);
  return count == 1 && expected;
}

void example_answers(example_run *run, size_t expected) {
  const size_t sent = spin_card_sent_count(run->card);
  if (sent != expected)
    example_differs(run, "%zu answers, expected %zu", sent, expected);
}

void example_differs(example_run *run, const char *format, ...) {
  if (run->mismatch[0])
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(run->mismatch, sizeof run->mismatch, format, arguments);
  va_end(arguments);
}

static void release(example_run *run) {
  spin_card_close(run->card);
  for (size_t i = 0; i < run->packet_count; ++i)
    free(run->packets[i].frame);
  free(run->packets);
}

int example_fail(example_run *run) {
  fprintf(stderr, "error: %s\n", run->error.message);
  release(run);
  return 1;
}

static void print_handler(const example_run *run, const char *context,
                          spin_handler kind, const char *word) {
  const spin_handler_stats stats = spin_card_handler(run->card, context, kind);
  printf("%s{\"handler\":\"%s\",\"runs\":%" PRIu64 ",\"success\":%" PRIu64
         ",\"dropped\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"faults\":%" PRIu64
         ",\"instructions\":%" PRIu64 ",\"cyclesMin\":%" PRIu64
         ",\"cyclesMedian\":%" PRIu64 ",\"cyclesMax\":%" PRIu64
         ",\"cyclesTotal\":%" PRIu64 ",\"wait\":%" PRIu64 "}",
         kind == SPIN_HEADER ? "" : ",", word, stats.runs, stats.success,
         stats.dropped, stats.failed, stats.faults, stats.instructions,
         stats.min_cycles, stats.median_cycles, stats.max_cycles,
         stats.total_cycles, stats.wait_cycles);
}

int example_end(example_run *run, const char *program, const char *context) {
  const size_t faults = spin_card_fault_count(run->card);
  for (size_t i = 0; i < faults; ++i) {
    const spin_fault fault = spin_card_fault(run->card, i);
    fprintf(stderr, "fault: %s\n", fault.text);
    example_differs(run, "%zu handlers were stopped by the card", faults);
  }
  const spin_card_stats stats = spin_card_statistics(run->card);
  const char *name = strrchr(run->capture, '/');
  printf("{\"program\":\"%s\",\"context\":\"%s\",\"capture\":\"%s\","
         "\"packets\":%" PRIu64 ",\"toHost\":%" PRIu64 ",\"bytes\":%" PRIu64
         ",\"messages\":%" PRIu64 ",\"sent\":%" PRIu64 ",\"hostBytes\":%" PRIu64
         ",\"cycles\":%" PRIu64 ",\"medianLatency\":%" PRIu64
         ",\"rate\":%.3f,\"handlers\":[",
         program, context, name ? name + 1 : run->capture, stats.packets,
         stats.to_host, stats.bytes, stats.messages, stats.sent,
         stats.host_bytes, stats.cycles, stats.median_latency, stats.rate);
  print_handler(run, context, SPIN_HEADER, "header");
  print_handler(run, context, SPIN_PAYLOAD, "payload");
  print_handler(run, context, SPIN_COMPLETION, "completion");
  const int passed = run->mismatch[0] == '\0';
  printf("],\"oracle\":\"%s\",\"mismatch\":\"%s\"}\n", passed ? "pass" : "fail",
         run->mismatch);
  release(run);
  return passed ? 0 : 1;
}
