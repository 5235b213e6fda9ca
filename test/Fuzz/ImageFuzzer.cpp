// Fuzz target: bytes as an image. Loading must refuse or accept; what is
// accepted is installed and run on two packets, and may do what it likes to
// itself, but not to the simulator.
#include "runtime/sim/spinsim.h"
#include "test/Fuzz/WorkLimit.h"
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spinc::fuzz::WorkLimit limit;
  SpinSimConfig config;
  spinSimDefaultConfig(&config);
  config.clusters = config.hpusPerCluster = 1;
  config.maxHandlerCycles = 2000;
  SpinSim *sim = spinSimCreate(&config);
  alignas(64) static uint8_t host[4096];
  if (spinSimLoad(sim, data, size) == SPINSIM_OK) {
    bool installed = false;
    for (uint32_t i = 0; i < spinSimContextCount(sim) && i < 4; ++i)
      installed |=
          spinSimInstall(sim, i, nullptr, 0, host, sizeof host) == SPINSIM_OK;
    if (installed &&
        spinSimGenerate(sim, "[[traffic]]\npackets = 2", "two") == SPINSIM_OK)
      spinSimRun(sim);
    spinSimReport(sim);
  }
  spinSimDestroy(sim);
  return 0;
}
