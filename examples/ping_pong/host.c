/* Runs ping_pong on a capture of Portals messages. The oracle expects, for
 * each packet, one put of its payload to the node that sent it.
 */
#include "ping_pong.h"

#include "../common/example.h"

#include <string.h>

enum { BITS = 10 };

/* Whether `sent` is the put that answers the packet at `header`. */
static int answers(const spin_packet *sent, const unsigned char *header,
                   size_t size) {
  return sent->link == SPIN_PORTALS && sent->size == size &&
         sent->destination == example_little32(header + 24) &&
         example_little64(sent->bytes) == BITS &&
         memcmp(sent->bytes + PORTALS_BYTES, header + PORTALS_BYTES,
                size - PORTALS_BYTES) == 0;
}

static void check(example_run *run) {
  size_t expected = 0;
  for (size_t i = 0; i < run->packet_count; ++i) {
    size_t size;
    spin_packet sent;
    const unsigned char *header = example_portals(&run->packets[i], &size);
    const int answered = header && example_little64(header) == BITS;
    expected += answered ? 1 : 0;
    if (example_answer(run, i, answered, &sent) &&
        !answers(&sent, header, size))
      example_differs(run, "the put for packet %zu is wrong", i);
  }
  example_answers(run, expected);
}

int main(int argc, char **argv) {
  example_run run;
  const int status = example_begin(&run, argc, argv);
  if (status != 0)
    return status;
  const PingPong_setup setup = {0};
  if (PingPong_connect(&run.options, &setup, &run.card, &run.error) != SPIN_OK)
    return example_fail(&run);
  if (spin_card_run_capture(run.card, run.capture, &run.error) != SPIN_OK)
    return example_fail(&run);
  check(&run);
  return example_end(&run, "ping_pong", "PingPong");
}
