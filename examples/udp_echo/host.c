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

static void check(example_run *run) {
  size_t expected = 0;
  for (size_t i = 0; i < run->packet_count; ++i) {
    size_t size;
    spin_packet sent;
    const unsigned char *packet = example_udp(&run->packets[i], PORT, &size);
    /* The handler drops a packet that ends within its headers. */
    const int answered =
        packet && packet[9] == 17 && size >= IP_BYTES + UDP_BYTES;
    expected += answered ? 1 : 0;
    if (!example_answer(run, i, answered, &sent))
      continue;
    unsigned char answer[MTU];
    make_answer(answer, packet, size);
    if (sent.link != SPIN_IP || sent.size != size ||
        memcmp(sent.bytes, answer, size) != 0)
      example_differs(run, "the answer to packet %zu is wrong", i);
  }
  example_answers(run, expected);
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
