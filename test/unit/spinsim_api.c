/* Uses the simulator's C interface as a host program would: the image is the
 * first argument, results go to the standard output. For tests only. */
#include "runtime/abi/pspin.h"
#include "runtime/sim/spinsim.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned char image[1 << 20];

static void expect(const SpinSim *sim, SpinSimStatus status, const char *what) {
  printf("%s: %d%s%s\n", what, (int)status, status ? " " : "",
         status ? spinSimLastError(sim) : "");
}

static void run_once(SpinSim *sim, const unsigned char *packet, size_t size) {
  SpinSimOutput output;
  SpinSimTotals totals;
  expect(sim, spinSimInject(sim, SPINSIM_LINK_IP, packet, size, SPINSIM_NEXT),
         "inject");
  expect(sim, spinSimRun(sim), "run");
  while (spinSimNextOutput(sim, &output))
    printf("output %zu bytes of packet %llu, first %02x\n", output.size,
           (unsigned long long)output.packet, output.bytes[0]);
  spinSimTotals(sim, &totals);
  printf("%llu messages, %llu packets, %llu sent\n",
         (unsigned long long)totals.messages,
         (unsigned long long)totals.packets,
         (unsigned long long)totals.outputs);
}

int main(int argc, char **argv) {
  unsigned char packet[100] = {[0] = 0x45, [9] = 17};
  uint32_t word = 0, address, bytes;
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 1;
  const size_t size = fread(image, 1, sizeof image, file);
  fclose(file);
  SpinSim *sim = spinSimCreate(NULL);
  expect(sim, spinSimRun(sim), "run without image");
  expect(sim, spinSimLoad(sim, image, 0), "load nothing");
  expect(sim, spinSimLoad(sim, image, size / 2), "load half");
  expect(sim, spinSimLoad(sim, image, size), "load");
  printf("%u context, %s, mtu %u\n", (unsigned)spinSimContextCount(sim),
         spinSimContextName(sim, 0), (unsigned)spinSimMtu(sim));
  expect(sim, spinSimSetParam(sim, 0, "none", 1), "unknown parameter");
  expect(sim, spinSimInstall(sim, 1, NULL, 0, NULL, 0), "no such context");
  expect(sim, spinSimInstall(sim, 0, image, 3, NULL, 0), "wrong size");
  void *odd = image + 1;
  expect(sim, spinSimInstall(sim, 0, NULL, 0, odd, 64), "not aligned");
  expect(sim, spinSimInstall(sim, 0, NULL, 0, NULL, 0), "install");
  expect(sim, spinSimInstall(sim, 0, NULL, 0, NULL, 0), "install again");
  expect(sim, spinSimInject(sim, SPINSIM_LINK_IP, packet, 0, 0), "empty");
  run_once(sim, packet, sizeof packet);
  run_once(sim, packet, 50);
  expect(sim, spinSimInstall(sim, 0, NULL, 0, NULL, 0), "install late");
  expect(sim, spinSimInject(sim, SPINSIM_LINK_IP, packet, 50, 1), "past");
  expect(sim, spinSimFindState(sim, 0, "count", 2, &address, &bytes), "state");
  printf("%x, %u bytes\n", (unsigned)address, (unsigned)bytes);
  word = 7;
  expect(sim, spinSimWrite(sim, address, &word, 4), "write");
  word = 0;
  expect(sim, spinSimRead(sim, address, &word, 4), "read");
  printf("%u\n", (unsigned)word);
  expect(sim, spinSimWrite(sim, PSPIN_PROGRAM_BASE, &word, 4), "write code");
  expect(sim, spinSimFindState(sim, 0, "none", 0, &address, &bytes),
         "unknown state");
  spinSimDestroy(sim);
  return 0;
}
