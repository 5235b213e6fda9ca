/* The simulator of a PsPIN card as a C library: load an image that spinc made,
 * install its contexts, inject packets, run, look at what came out.
 *
 * Units: times are cycles of the card's clock (nanoseconds, if it is 1 GHz as
 * PsPIN's) since it was booted, sizes are bytes, rates are Gbit/s. Strings are
 * UTF-8 and belong to the simulator unless said otherwise. Nothing here prints
 * or exits; calls that can fail return a status and leave a sentence in
 * spinSimLastError. One simulator is used by one thread at a time; several are
 * independent. Runs are deterministic: the same calls give the same results and
 * times.
 */
#ifndef SPINC_RUNTIME_SIM_SPINSIM_H
#define SPINC_RUNTIME_SIM_SPINSIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SpinSim SpinSim;

typedef enum SpinSimStatus {
  SPINSIM_OK = 0,
  SPINSIM_BAD_ARGUMENT, /* no such context, parameter, address, … */
  SPINSIM_BAD_IMAGE,    /* not an image of spinc for this card */
  SPINSIM_BAD_PACKET,   /* empty, larger than the MTU, or malformed */
  SPINSIM_REFUSED,      /* a `where`, a contract or an alignment is violated */
  SPINSIM_WRONG_ORDER   /* for example: install after the card was booted */
} SpinSimStatus;

/* Where the bytes of a packet start. */
typedef enum SpinSimLink {
  SPINSIM_LINK_ETHERNET = 0, /* at the Ethernet header */
  SPINSIM_LINK_IP,           /* at the IP header */
  SPINSIM_LINK_PORTALS       /* at the message header, abi/portals.h */
} SpinSimLink;

typedef enum SpinSimHandlerKind {
  SPINSIM_HEADER = 0,
  SPINSIM_PAYLOAD,
  SPINSIM_COMPLETION
} SpinSimHandlerKind;

/* What a handler's time went to besides one cycle an instruction. */
typedef enum SpinSimStall {
  SPINSIM_STALL_CORE =
      0,                 /* branches, loaded values, multiplication, division */
  SPINSIM_STALL_L2,      /* the way to L2 and back */
  SPINSIM_STALL_REMOTE,  /* the same for another cluster's L1 */
  SPINSIM_STALL_COMMAND, /* waiting for a command */
  SPINSIM_STALL_PORT,    /* others on the way out of the cluster (contention) */
  SPINSIM_STALL_BANK,    /* others at the bank of own L1 (contention) */
  SPINSIM_STALL_FETCH,   /* instruction cache (contention) */
  SPINSIM_STALLS
} SpinSimStall;
/* "core", "l2", … */
extern const char *const spinSimStallNames[SPINSIM_STALLS];

/* Something that took time on the card, for traces. */
typedef enum SpinSimEventKind {
  SPINSIM_EVENT_MESSAGE = 0, /* first packet's arrival until it is done */
  SPINSIM_EVENT_PACKET,      /* arrival until the NIC has its feedback */
  SPINSIM_EVENT_INBOUND,     /* a packet comes into L2 */
  SPINSIM_EVENT_PREFETCH,    /* a packet comes to L1 of `cluster` */
  SPINSIM_EVENT_HANDLER,     /* `detail`: SpinSimHandlerKind */
  SPINSIM_EVENT_COMMAND,     /* of an HPU until done; `detail`: its kind,
                                PSPIN_CMD_KIND_* */
  SPINSIM_EVENT_OUTBOUND,    /* a packet leaves */
  SPINSIM_EVENT_HOST_WRITE,  /* host's bus occupied */
  SPINSIM_EVENT_HOST_READ,
  SPINSIM_EVENT_CLUSTER_DMA
} SpinSimEventKind;

typedef struct SpinSimEvent {
  SpinSimEventKind kind;
  uint64_t begin, end; /* cycles */
  uint32_t cluster, hpu;
  uint32_t context, flow;
  uint64_t packet;
  uint64_t bytes;
  uint32_t detail;
} SpinSimEvent;

/* One finished run of a handler. */
typedef struct SpinSimRunInfo {
  uint32_t context;
  SpinSimHandlerKind kind;
  uint64_t packet; /* number of the injected packet, from 0 */
  uint32_t cluster, hpu;
  uint32_t flow; /* number of the message's queue */
  uint32_t code; /* what it returned */
  int faulted;
  uint64_t cycles, wait;
  uint64_t begin; /* when its first instruction began */
} SpinSimRunInfo;

/* A packet or message that the card sent. */
typedef struct SpinSimOutput {
  SpinSimLink link;     /* IP or ETHERNET as the context matches, or PORTALS:
                           message header and payload */
  const uint8_t *bytes; /* valid until the next call on the simulator, or
                            in a callback until that returns */
  size_t size;
  uint64_t cycle; /* when its last byte had left */
  uint32_t context;
  uint32_t destination; /* node, for PORTALS */
  uint64_t packet;      /* number of the injected packet whose handler sent
                           it, from 0 */
} SpinSimOutput;

/* What a machine has besides its cores: memories, latencies and limits. Each
 * field is a key of the TOML files that spinSimReadConfig reads, which
 * spinc-sim --print-config lists with their meaning; cycles are added to what
 * the size of a packet or copy takes. */
typedef struct SpinSimMachine {
  double clockMhz;
  int corev; /* cores of CORE-V; an image says for which it is */
  uint32_t l1Bytes, l1PacketBytes, l2HandlerBytes, l2PacketBytes, programBytes;
  uint32_t messageQueues, packetCells, tasksPerCluster;
  uint32_t requestCycles, prefetchCycles, feedbackCycles;
  uint32_t inboundCycles, firstPacketCycles, sendCycles;
  int dropWhenFull;
  uint32_t commandsPerInterface, clusterDmaCycles;
  uint32_t hostWriteCycles, hostReadCycles, hostDirectCycles;
  int postedWrites;
  double hostWriteNs, hostReadNs;
  double hostRate; /* Gbit/s in each direction; 0: as fast as the card */
} SpinSimMachine;

typedef struct SpinSimConfig {
  uint32_t clusters;       /* 1..4, default 4 */
  uint32_t hpusPerCluster; /* 1..8, default 8 */
  SpinSimMachine machine;
  uint32_t packetsPerMessage; /* of packet-matched contexts; 0 = all packets
                                 of the run are one message */
  uint64_t maxHandlerCycles;  /* a handler that runs longer is ended; default
                                 1,000,000; 0: none is */
  double lineRate;            /* Gbit/s at which packets without an arrival
                                 time follow each other; default 400 */
  /* Called for each instruction if not NULL, with a line of text. */
  void (*trace)(void *user, const char *line);
  /* Called before each instruction of a handler if not NULL, with the core's
   * 32 registers. All instructions are interpreted then. */
  void (*stepping)(void *user, uint32_t pc, const uint32_t *registers);
  /* Called when the card has written host memory if not NULL. */
  void (*hostWritten)(void *user, uint32_t context, uint64_t offset,
                      uint64_t size, uint64_t cycle);
  /* Called for each packet when it is queued if not NULL, with its bytes on the
   * link and the cycle when it begins to arrive. */
  void (*packetQueued)(void *user, SpinSimLink link, const void *bytes,
                       size_t size, uint64_t cycle);
  /* Called when a packet leaves if not NULL; spinSimNextOutput gives none
   * then. */
  void (*sent)(void *user, const SpinSimOutput *output);
  /* Called after each run of a handler if not NULL. Handlers take effect one
   * after the other, in the order of these calls. */
  void (*handlerRan)(void *user, const SpinSimRunInfo *run);
  /* Called at the end of everything that took time if not NULL, in no order
   * of times. */
  void (*event)(void *user, const SpinSimEvent *event);
  /* Called now and then if not NULL: packets that are done, of how many. */
  void (*progress)(void *user, uint64_t done, uint64_t all);
  void *user;
  /* If not 0, HPUs compete for L1 banks, the ports to other memory and the
   * instruction cache, which begins cold, and handlers overlap in time as on
   * the card. If 0, handlers take effect one after the other, and only what
   * they do alone takes time. */
  int contention;
  /* If not 0, all instructions are interpreted; else hot code is translated
   * for this machine once it was reached `translateAfter` times (0: the
   * default). Results and times are the same. */
  int interpretOnly;
  uint32_t translateAfter;
  /* If not 0, a handler is ended with PSPIN_FAULT_REGION when it, or a command
   * of it, touches a byte that is not its own stack, packet, state, parameter
   * or constant. Times do not change; the simulator is slower. */
  int checkAccesses;
  /* If not 0, what each instruction of handlers takes is counted, for
   * spinSimProfile. The simulator is slower. */
  int profile;
  /* If not 0, images of programs that spinc rejects are run
   * (--unsafe-emit-rejected); otherwise they are no images of spinc. */
  int runRejected;
} SpinSimConfig;

/* The machine of preset `pspin`, and nothing else asked for. */
void spinSimDefaultConfig(SpinSimConfig *config);

/* Sets the machine to that of a preset: pspin, fpspin or sc17. */
SpinSimStatus spinSimPreset(SpinSimConfig *config, const char *preset);

/* Reads the machine from TOML text, over what `config` has. `name` is what
 * messages call the text. Otherwise nothing is changed and `error` (if not
 * NULL, of `errorSize` bytes) says which line and key is wrong. */
SpinSimStatus spinSimReadConfig(SpinSimConfig *config, const char *text,
                                const char *name, char *error,
                                size_t errorSize);

/* Writes the machine as TOML with comments, cut to `size` bytes with its
 * closing zero, and returns how long the whole is. */
size_t spinSimPrintConfig(const SpinSimConfig *config, char *text, size_t size);

/* A card without an image. NULL config: the default. Never NULL. */
SpinSim *spinSimCreate(const SpinSimConfig *config);
void spinSimDestroy(SpinSim *sim);

/* What the simulator was made with. */
const SpinSimConfig *spinSimGetConfig(const SpinSim *sim);

/* What went wrong in the last call that did not return SPINSIM_OK; empty if
 * none. Valid until the next call on `sim`. */
const char *spinSimLastError(const SpinSim *sim);

/* Loads an ELF image; its bytes are copied. Replaces any former image and
 * forgets contexts, packets and results. */
SpinSimStatus spinSimLoad(SpinSim *sim, const void *image, size_t size);

/* The contexts of the image, in the order of the program. */
uint32_t spinSimContextCount(const SpinSim *sim);
const char *spinSimContextName(const SpinSim *sim, uint32_t context);
/* Returns spinSimContextCount if there is none of that name. */
uint32_t spinSimFindContext(const SpinSim *sim, const char *name);
/* Largest packet the image takes, as the handler sees it. */
uint32_t spinSimMtu(const SpinSim *sim);

/* Sets one `param` of a context for the next spinSimInstall without a blob. */
SpinSimStatus spinSimSetParam(SpinSim *sim, uint32_t context, const char *param,
                              int64_t value);

/* Installs a context; packets are matched with installed contexts only, in
 * the order of installation. `params` is the parameter block of the image's
 * metadata, or NULL for what spinSimSetParam set (0 where it did not). `host`
 * is the memory of the context's `host` region: it stays the caller's, must be
 * aligned to 64 bytes, and must live as long as the simulator; NULL and 0 if
 * the context has none. Checks every `where` and `contract` first and refuses
 * with SPINSIM_REFUSED. Only before the first spinSimRun. */
SpinSimStatus spinSimInstall(SpinSim *sim, uint32_t context, const void *params,
                             size_t paramsSize, void *host, uint64_t hostSize);

/* As an arrival time: right after the packet before, at the line rate. */
#define SPINSIM_NEXT UINT64_MAX

/* Queues a packet that arrives at cycle `arrival` (not before the one injected
 * earlier, and not before the end of the last run). Bytes are copied. */
SpinSimStatus spinSimInject(SpinSim *sim, SpinSimLink link, const void *bytes,
                            size_t size, uint64_t arrival);

/* Packets that can be had any number of times: `next` gives one a call, valid
 * until the next one, and returns 0 after the last; `restart` goes back to the
 * first. */
typedef struct SpinSimFeed {
  SpinSimLink link;
  int (*next)(void *user, const void **bytes, size_t *size);
  void (*restart)(void *user);
  void *user;
} SpinSimFeed;

/* Queues the packets of a feed, which is gone through now and again while the
 * card runs, instead of keeping them. It must live as long as the simulator
 * and give the same both times. */
SpinSimStatus spinSimInjectAll(SpinSim *sim, const SpinSimFeed *feed);

/* Makes packets as the tables [[traffic]] of TOML text say (docs/simulator.md)
 * and queues those that the image can take, after everything queued before.
 * `name` is what messages call the text. */
SpinSimStatus spinSimGenerate(SpinSim *sim, const char *text, const char *name);

/* Lets a debugger control the runs, over GDB's remote protocol: HPUs are
 * threads. `address` is "[<IPv4 address>]:<port>", where 0 stands for a port
 * that is free, or "-" for the standard input and output; `port`, if not NULL,
 * is set to the port. The first run waits for the debugger to connect before
 * its first instruction. All is interpreted. Only before the first run. */
SpinSimStatus spinSimDebug(SpinSim *sim, const char *address, uint16_t *port);

/* Runs until nothing is left to do; the first run boots the card. The last
 * packet of each packet-matched message injected so far ends that message, so
 * packets injected later belong to a new one. Handlers that the card ends are
 * no error of this call: see spinSimFault. */
SpinSimStatus spinSimRun(SpinSim *sim);

/* The same, but only what happens up to cycle `cycle`; `done`, if not NULL, is
 * set to whether nothing is left to do. A handler that began earlier has run as
 * a whole unless HPUs compete. */
SpinSimStatus spinSimRunUntil(SpinSim *sim, uint64_t cycle, int *done);

/* Takes the oldest output not yet taken; returns 0 if there is none. */
int spinSimNextOutput(SpinSim *sim, SpinSimOutput *output);

/* A handler that the card ended. */
typedef struct SpinSimFault {
  const char *text; /* one sentence, with the source line if the image has it */
  const char *handler; /* symbol */
  uint32_t code;       /* PSPIN_FAULT_* */
  uint32_t pc;
  uint32_t address; /* of the access, for memory faults */
  uint64_t packet;
  uint64_t cycle;
} SpinSimFault;

uint64_t spinSimFaultCount(const SpinSim *sim);
SpinSimStatus spinSimFault(const SpinSim *sim, uint64_t index,
                           SpinSimFault *fault);

/* Cycles are active ones, from a handler's first instruction to its `ret`
 * inclusive, instruction cache warm; waits (commands, DMA, other clusters' L1
 * beyond the price of own L1) are counted apart. */
typedef struct SpinSimHandlerStats {
  uint32_t context;
  SpinSimHandlerKind kind;
  const char *symbol;
  uint64_t count; /* finished and ended ones */
  uint64_t cyclesMin, cyclesMedian, cyclesP99, cyclesMax, cyclesTotal;
  uint64_t waitMin, waitMedian, waitP99, waitMax, waitTotal;
  /* Of cyclesTotal (the first two) and of waitTotal (the others). */
  uint64_t stalls[SPINSIM_STALLS];
  uint64_t instructionsMin, instructionsMax, instructionsTotal;
  uint64_t succeeded, dropped, failed; /* by return code */
  uint64_t faults;
  double sustainedRate; /* of payload handlers: Gbit/s that all HPUs sustain
                           with the run's mean packet and cycles */
} SpinSimHandlerStats;

/* Handlers of the image, contexts in order, header before payload before
 * completion; absent ones are not there. */
uint32_t spinSimHandlerCount(const SpinSim *sim);
SpinSimStatus spinSimHandlerStats(const SpinSim *sim, uint32_t index,
                                  SpinSimHandlerStats *stats);

typedef struct SpinSimTotals {
  uint64_t cycles;         /* boot until the last event */
  uint64_t packets;        /* that a context took */
  uint64_t packetsToHost;  /* that no context took */
  uint64_t packetsRefused; /* that reach beyond their portals message */
  uint64_t packetsLost;    /* taken, but dropped because L2 was full */
  uint64_t packetsHeld;    /* the most that were in memory at one time */
  uint64_t bytes;          /* of the packets taken, as handlers see them */
  uint64_t messages;       /* completed */
  uint64_t outputs, outputBytes;
  uint64_t instructions; /* of all cores, start-up included */
  uint64_t latencyMin, latencyMedian, latencyP99,
      latencyMax; /* arrival until the NIC has the packet's feedback */
  double rate;    /* Gbit/s of packets taken, first arrival to last feedback */
  double rateOut; /* the same of what the card sent */
  double busy;    /* share of that time in which HPUs had a task */
} SpinSimTotals;

void spinSimTotals(const SpinSim *sim, SpinSimTotals *totals);

typedef struct SpinSimHpuStats {
  uint64_t tasks;
  uint64_t busy;         /* cycles with a task, the runtime's loop included */
  uint64_t instructions; /* start-up included */
} SpinSimHpuStats;

SpinSimStatus spinSimHpu(const SpinSim *sim, uint32_t cluster, uint32_t hpu,
                         SpinSimHpuStats *stats);

/* Where packets and tasks wait. */
typedef enum SpinSimQueueKind {
  SPINSIM_QUEUE_NETWORK = 0, /* packets for space in L2 */
  SPINSIM_QUEUE_MESSAGES,    /* packets for a queue, or in their message's */
  SPINSIM_QUEUE_SCHEDULER,   /* tasks for a cluster */
  SPINSIM_QUEUE_L1,          /* tasks for space in L1 and its DMA */
  SPINSIM_QUEUE_HPUS,        /* tasks for an HPU */
  SPINSIM_QUEUES
} SpinSimQueueKind;
extern const char *const spinSimQueueNames[SPINSIM_QUEUES];

/* From the first arrival to the last feedback. */
typedef struct SpinSimQueueStats {
  uint64_t most;
  double mean;
} SpinSimQueueStats;

void spinSimQueue(const SpinSim *sim, SpinSimQueueKind queue,
                  SpinSimQueueStats *stats);

/* All counts and faults so far as JSON; docs/simulator.md has the fields. Valid
 * until the next call of it. */
const char *spinSimReport(SpinSim *sim);

/* What one instruction of a handler took, if the configuration asked for it.
 * Instructions that never ran but have a source line come with `handler` NULL,
 * once. Without debug information `file` and `stack` are empty. */
typedef struct SpinSimProfileEntry {
  const char *handler; /* symbol */
  uint32_t pc;
  uint64_t count, cycles; /* waits included */
  const char *file;
  uint32_t line;
  const char *stack; /* functions that it is part of, separated by ';' */
} SpinSimProfileEntry;

uint64_t spinSimProfileCount(SpinSim *sim);
/* Valid until the next run. */
SpinSimStatus spinSimProfile(SpinSim *sim, uint64_t index,
                             SpinSimProfileEntry *entry);

/* The card's memory by global address (L1 of cluster c from PSPIN_L1_BASE +
 * c * PSPIN_L1_STRIDE on; the alias is not an address here). */
SpinSimStatus spinSimRead(const SpinSim *sim, uint32_t address, void *bytes,
                          size_t size);
SpinSimStatus spinSimWrite(SpinSim *sim, uint32_t address, const void *bytes,
                           size_t size);

/* Where state of an installed context lies: the copy of cluster `cluster` for
 * state that has one in each, else the only one. Plain state has a copy for
 * each message; this finds that of the first message at home in `cluster`. */
SpinSimStatus spinSimFindState(SpinSim *sim, uint32_t context, const char *name,
                               uint32_t cluster, uint32_t *address,
                               uint32_t *size);

#ifdef __cplusplus
}
#endif

#endif /* SPINC_RUNTIME_SIM_SPINSIM_H */
