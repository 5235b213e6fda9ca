/* The host library on top of the simulator; spin_host.h says what callers see.
 * Sent packets are copied out of the simulator after each run, so that they
 * live as long as the header promises.
 */
#include "spin_host.h"

#include "runtime/abi/pspin.h"
#include "runtime/sim/spinsim.h"

#include <pcap/pcap.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(SPIN_CLUSTERS == PSPIN_CLUSTERS && SPIN_HPUS == PSPIN_HPUS &&
                   SPIN_HOST_ALIGNMENT == PSPIN_HOST_ALIGNMENT,
               "spin_host.h repeats facts of the card");

struct spin_card {
  SpinSim *sim;
  const spin_program *program; /* NULL until a context is installed */
  uint64_t host_bytes;
  spin_packet *sent;
  size_t sent_count;
  size_t sent_capacity;
};

/* ---- errors ---- */

int spin_success(spin_error *error) {
  if (error) {
    error->status = SPIN_OK;
    error->message[0] = '\0';
  }
  return SPIN_OK;
}

static int fail(spin_error *error, spin_status status, const char *format,
                ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
  }
  return status;
}

/* Appends to the message; what does not fit is cut. */
static void append(spin_error *error, const char *format, ...) {
  const size_t used = strlen(error->message);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message + used, sizeof error->message - used, format,
            arguments);
  va_end(arguments);
}

int spin_violation(spin_error *error, const char *context,
                   const char *condition, spin_number holds,
                   const spin_value *values, size_t count) {
  if (!error)
    return SPIN_VIOLATION;
  fail(error, SPIN_VIOLATION, "%s: '%s' %s", context, condition,
       holds.undefined ? "has a part that is not a number of 64 bits"
                       : "does not hold");
  for (size_t i = 0; i < count; ++i) {
    const spin_number number = values[i].number;
    append(error, "%s%s = %s%" PRIu64, i ? ", " : " for ", values[i].name,
           number.negative ? "-" : "", number.magnitude);
  }
  return SPIN_VIOLATION;
}

int spin_damaged(spin_error *error, const char *context) {
  return fail(error, SPIN_DAMAGED,
              "%s: the tables of the datatype are damaged: they are not as "
              "spinc-ddt made them",
              context);
}

static int fail_sim(spin_error *error, const spin_card *card,
                    SpinSimStatus status) {
  static const spin_status statuses[] = {
      [SPINSIM_BAD_ARGUMENT] = SPIN_INVALID, [SPINSIM_BAD_IMAGE] = SPIN_IMAGE,
      [SPINSIM_BAD_PACKET] = SPIN_CAPTURE,   [SPINSIM_REFUSED] = SPIN_VIOLATION,
      [SPINSIM_WRONG_ORDER] = SPIN_INVALID,
  };
  return fail(error, statuses[status], "%s", spinSimLastError(card->sim));
}

/* ---- the card ---- */

static void count_host_bytes(void *user, uint32_t context, uint64_t offset,
                             uint64_t size, uint64_t cycle) {
  spin_card *card = user;
  (void)context;
  (void)offset;
  (void)cycle;
  card->host_bytes += size;
}

int spin_card_open(const spin_card_options *options, spin_card **card,
                   spin_error *error) {
  if (!card)
    return fail(error, SPIN_INVALID, "no place for the new card");
  *card = NULL;
  spin_card *opened = calloc(1, sizeof *opened);
  if (!opened)
    return fail(error, SPIN_MEMORY, "no memory for a card");
  SpinSimConfig config;
  spinSimDefaultConfig(&config);
  if (options && options->packets_per_message)
    config.packetsPerMessage = options->packets_per_message;
  if (options && options->handler_cycles)
    config.maxHandlerCycles = options->handler_cycles;
  config.hostWritten = count_host_bytes;
  config.user = opened;
  opened->sim = spinSimCreate(&config);
  *card = opened;
  return spin_success(error);
}

static void forget_sent(spin_card *card) {
  for (size_t i = 0; i < card->sent_count; ++i)
    free((void *)card->sent[i].bytes);
  free(card->sent);
  card->sent = NULL;
  card->sent_count = card->sent_capacity = 0;
}

void spin_card_close(spin_card *card) {
  if (!card)
    return;
  spinSimDestroy(card->sim);
  forget_sent(card);
  free(card);
}

static int load(spin_card *card, const spin_program *program,
                spin_error *error) {
  if (card->program == program)
    return SPIN_OK;
  if (card->program)
    return fail(error, SPIN_INVALID,
                "the card has the image of '%s'; contexts of '%s' need a card "
                "of their own",
                card->program->name, program->name);
  const SpinSimStatus status =
      spinSimLoad(card->sim, program->image, program->size);
  if (status != SPINSIM_OK)
    return fail_sim(error, card, status);
  card->program = program;
  return SPIN_OK;
}

int spin_card_install(spin_card *card, const spin_program *program,
                      const char *context, const void *params,
                      size_t params_size, const spin_region *host,
                      spin_error *error) {
  if (!card || !program || !context)
    return fail(error, SPIN_INVALID, "no card, program or context given");
  if (host && (uintptr_t)host->base % SPIN_HOST_ALIGNMENT != 0)
    return fail(error, SPIN_INVALID,
                "%s: host memory does not start at a multiple of %d bytes",
                context, SPIN_HOST_ALIGNMENT);
  if (host && !host->base && host->size)
    return fail(error, SPIN_INVALID, "%s: host memory is NULL", context);
  const int loaded = load(card, program, error);
  if (loaded != SPIN_OK)
    return loaded;
  const uint32_t index = spinSimFindContext(card->sim, context);
  if (index == spinSimContextCount(card->sim))
    return fail(error, SPIN_IMAGE, "the image of '%s' has no context '%s'",
                program->name, context);
  const SpinSimStatus status =
      spinSimInstall(card->sim, index, params, params_size,
                     host ? host->base : NULL, host ? host->size : 0);
  return status == SPINSIM_OK ? spin_success(error)
                              : fail_sim(error, card, status);
}

/* ---- packets ---- */

static SpinSimLink sim_link(spin_link link) {
  switch (link) {
  case SPIN_IP:
    return SPINSIM_LINK_IP;
  case SPIN_PORTALS:
    return SPINSIM_LINK_PORTALS;
  default:
    return SPINSIM_LINK_ETHERNET;
  }
}

int spin_card_inject(spin_card *card, spin_link link, const void *bytes,
                     size_t size, spin_error *error) {
  if (!card || !bytes)
    return fail(error, SPIN_INVALID, "no card or packet given");
  const SpinSimStatus status =
      spinSimInject(card->sim, sim_link(link), bytes, size, SPINSIM_NEXT);
  return status == SPINSIM_OK ? spin_success(error)
                              : fail_sim(error, card, status);
}

static int keep_sent(spin_card *card, const SpinSimOutput *output,
                     spin_error *error) {
  if (card->sent_count == card->sent_capacity) {
    const size_t capacity = card->sent_capacity ? 2 * card->sent_capacity : 64;
    spin_packet *grown = realloc(card->sent, capacity * sizeof *grown);
    if (!grown)
      return fail(error, SPIN_MEMORY, "no memory for sent packets");
    card->sent = grown;
    card->sent_capacity = capacity;
  }
  unsigned char *bytes = malloc(output->size ? output->size : 1);
  if (!bytes)
    return fail(error, SPIN_MEMORY, "no memory for sent packets");
  memcpy(bytes, output->bytes, output->size);
  spin_packet *packet = &card->sent[card->sent_count++];
  packet->bytes = bytes;
  packet->size = output->size;
  packet->link = output->link == SPINSIM_LINK_IP        ? SPIN_IP
                 : output->link == SPINSIM_LINK_PORTALS ? SPIN_PORTALS
                                                        : SPIN_ETHERNET;
  packet->destination = output->destination;
  packet->packet = output->packet;
  packet->cycle = output->cycle;
  return SPIN_OK;
}

int spin_card_run(spin_card *card, spin_error *error) {
  if (!card)
    return fail(error, SPIN_INVALID, "no card given");
  const SpinSimStatus status = spinSimRun(card->sim);
  if (status != SPINSIM_OK)
    return fail_sim(error, card, status);
  SpinSimOutput output;
  while (spinSimNextOutput(card->sim, &output)) {
    const int kept = keep_sent(card, &output, error);
    if (kept != SPIN_OK)
      return kept;
  }
  return spin_success(error);
}

/* Queues all packets of an open capture. */
static int inject_capture(spin_card *card, pcap_t *capture, const char *path,
                          spin_error *error) {
  const int type = pcap_datalink(capture);
  if (type != DLT_EN10MB && type != DLT_RAW && type != DLT_IPV4)
    return fail(error, SPIN_CAPTURE,
                "%s: packets of link type %d, expected Ethernet or raw IP",
                path, type);
  const spin_link link = type == DLT_EN10MB ? SPIN_ETHERNET : SPIN_IP;
  struct pcap_pkthdr *header;
  const unsigned char *bytes;
  int got;
  for (uint64_t number = 0; (got = pcap_next_ex(capture, &header, &bytes)) == 1;
       ++number) {
    if (header->caplen < header->len)
      return fail(error, SPIN_CAPTURE,
                  "%s: packet %" PRIu64 " has %u of its %u bytes", path, number,
                  (unsigned)header->caplen, (unsigned)header->len);
    const int status =
        spin_card_inject(card, link, bytes, header->caplen, error);
    if (status != SPIN_OK) {
      char reason[sizeof error->message] = "";
      if (error)
        memcpy(reason, error->message, sizeof reason);
      return fail(error, status, "%.200s: packet %" PRIu64 ": %.240s", path,
                  number, reason);
    }
  }
  if (got != PCAP_ERROR_BREAK)
    return fail(error, SPIN_CAPTURE, "%s: %s", path, pcap_geterr(capture));
  return SPIN_OK;
}

int spin_card_run_capture(spin_card *card, const char *path,
                          spin_error *error) {
  if (!card || !path)
    return fail(error, SPIN_INVALID, "no card or capture given");
  char reason[PCAP_ERRBUF_SIZE];
  pcap_t *capture = pcap_open_offline(path, reason);
  if (!capture)
    return fail(error, SPIN_CAPTURE, "cannot read %s: %s", path, reason);
  const int status = inject_capture(card, capture, path, error);
  pcap_close(capture);
  return status == SPIN_OK ? spin_card_run(card, error) : status;
}

/* ---- results ---- */

spin_card_stats spin_card_statistics(const spin_card *card) {
  SpinSimTotals totals;
  spinSimTotals(card->sim, &totals);
  const spin_card_stats stats = {
      .packets = totals.packets,
      .to_host = totals.packetsToHost,
      .bytes = totals.bytes,
      .messages = totals.messages,
      .sent = totals.outputs,
      .host_bytes = card->host_bytes,
      .cycles = totals.cycles,
      .instructions = totals.instructions,
      .median_latency = totals.latencyMedian,
      .rate = totals.rate,
  };
  return stats;
}

spin_handler_stats spin_card_handler(const spin_card *card, const char *context,
                                     spin_handler handler) {
  spin_handler_stats stats = {0};
  const uint32_t index = spinSimFindContext(card->sim, context);
  for (uint32_t i = 0; i < spinSimHandlerCount(card->sim); ++i) {
    SpinSimHandlerStats found;
    if (spinSimHandlerStats(card->sim, i, &found) != SPINSIM_OK ||
        found.context != index || (int)found.kind != (int)handler)
      continue;
    stats.runs = found.count;
    stats.success = found.succeeded;
    stats.dropped = found.dropped;
    stats.failed = found.failed;
    stats.faults = found.faults;
    stats.instructions = found.instructionsTotal;
    stats.min_cycles = found.cyclesMin;
    stats.median_cycles = found.cyclesMedian;
    stats.max_cycles = found.cyclesMax;
    stats.total_cycles = found.cyclesTotal;
    stats.wait_cycles = found.waitTotal;
  }
  return stats;
}

_Static_assert((int)SPIN_HEADER == (int)SPINSIM_HEADER &&
                   (int)SPIN_PAYLOAD == (int)SPINSIM_PAYLOAD &&
                   (int)SPIN_COMPLETION == (int)SPINSIM_COMPLETION,
               "spin_card_handler compares the two");

size_t spin_card_fault_count(const spin_card *card) {
  return (size_t)spinSimFaultCount(card->sim);
}

spin_fault spin_card_fault(const spin_card *card, size_t index) {
  SpinSimFault found;
  spin_fault fault = {0};
  if (spinSimFault(card->sim, index, &found) != SPINSIM_OK)
    return fault;
  fault.text = found.text;
  fault.handler = found.handler;
  fault.code = found.code;
  fault.pc = found.pc;
  fault.packet = found.packet;
  return fault;
}

size_t spin_card_sent_count(const spin_card *card) { return card->sent_count; }

spin_packet spin_card_sent(const spin_card *card, size_t index) {
  const spin_packet none = {0};
  return index < card->sent_count ? card->sent[index] : none;
}
