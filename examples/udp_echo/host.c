/* Runs udp_echo on a capture. The oracle makes the answer to each packet to
 * port 53 by itself and compares it, byte for byte, with what the card sent.
 */
#include "udp_echo.h"

#include "../common/example.h"

#include <string.h>

enum { PORT = 53, MTU = 1500 };

static void make_answer(unsigned char *answer, const unsigned char *packet,
                        size_t size) {
  memcpy(answer, packet, size);
  memcpy(answer + 12, packet + 16, 4); /* addresses */
  memcpy(answer + 16, packet + 12, 4);
  memcpy(answer + 20, packet + 22, 2); /* ports */
  memcpy(answer + 22, packet + 20, 2);
}

/* The answer that the card sent to packet `number`, if it sent exactly one. */
static spin_packet find_answer(const spin_card *card, size_t number,
                               size_t *count) {
  spin_packet found = {0};
  *count = 0;
  for (size_t i = 0; i < spin_card_sent_count(card); ++i) {
    const spin_packet sent = spin_card_sent(card, i);
    if (sent.packet == number) {
      found = sent;
      ++*count;
    }
  }
  return found;
}

static void check(example_run *run) {
  size_t expected = 0;
  for (size_t i = 0; i < run->packet_count; ++i) {
    size_t size, count;
    const unsigned char *packet = example_udp(&run->packets[i], PORT, &size);
    /* The handler drops a packet that ends within its headers. */
    const int answered =
        packet && packet[9] == 17 && size >= IP_BYTES + UDP_BYTES;
    const spin_packet sent = find_answer(run->card, i, &count);
    if (count != (answered ? 1U : 0U)) {
      example_differs(run, "packet %zu has %zu answers", i, count);
      continue;
    }
    if (!answered)
      continue;
    ++expected;
    unsigned char answer[MTU];
    make_answer(answer, packet, size);
    if (sent.link != SPIN_IP || sent.size != size ||
        memcmp(sent.bytes, answer, size) != 0)
      example_differs(run, "the answer to packet %zu is wrong", i);
  }
  if (spin_card_sent_count(run->card) != expected)
    example_differs(run, "%zu answers, expected %zu",
                    spin_card_sent_count(run->card), expected);
}

int main(int argc, char **argv) {
  example_run run;
  const int status = example_begin(&run, argc, argv);
  if (status != 0)
    return status;
  const UdpEcho_setup setup = {0};
  if (UdpEcho_connect(&run.options, &setup, &run.card, &run.error) != SPIN_OK)
    return example_fail(&run);
  if (spin_card_run_capture(run.card, run.capture, &run.error) != SPIN_OK)
    return example_fail(&run);
  check(&run);
  return example_end(&run, "udp_echo", "UdpEcho");
}
