// Messages, the card, and the comparison.
#include "compiler/Ddt/Verify/Verify.h"

#include "runtime/abi/portals.h"
#include "runtime/sim/spinsim.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>

using namespace llvm;
using namespace spinc::ddt;

namespace {

constexpr uint8_t fill = 0xA5;
constexpr int64_t largestVerified = int64_t(1) << 30;
constexpr size_t hostAlignment = 64;

struct Cut {
  int64_t begin;
  int64_t length;
};

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};

/// Host memory as the card wants it.
using Memory = std::unique_ptr<uint8_t[], Free>;

Memory makeMemory(size_t size) {
  size_t whole = (size + hostAlignment - 1) / hostAlignment * hostAlignment;
  auto *bytes =
      static_cast<uint8_t *>(std::aligned_alloc(hostAlignment, whole + 64));
  if (bytes)
    std::memset(bytes, fill, whole);
  return Memory(bytes);
}

class Round {
public:
  Round(const Verified &what, const VerifyOptions &options, unsigned number,
        int64_t packetBytes, bool damage)
      : what(what), options(options), number(number), packetBytes(packetBytes),
        damage(damage), random(options.seed * 1000003u + number) {}

  Error run(VerifyResult &result);

private:
  void cutMessage();
  void makeMemories();
  void fillSource();
  void damageTables(std::vector<uint8_t> &params);
  Error checkTables(const std::vector<uint8_t> &params) const;
  Error makeParameters(std::vector<uint8_t> &params);
  Error runCard();
  Error compareSent(SpinSim *sim) const;
  Error inject(SpinSim *sim, const Cut &cut, bool isLast);
  Error compareHost() const;
  Error failed(const Twine &what) const {
    return createStringError(
        formatv("round {0} (packets of {1} bytes): ", number,
                packetBytes == 0 ? "random" : std::to_string(packetBytes)) +
        what);
  }
  /// Calls `take(offset in the cut, place in host memory, bytes)`.
  template <typename Take> void forEachPiece(const Cut &cut, Take take) const;
  uint64_t expectedCommands(const Cut &cut) const;

  const Verified &what;
  const VerifyOptions &options;
  unsigned number;
  int64_t packetBytes; ///< 0: of random size
  bool damage;         ///< of tables; then no fault is all that is asked for
  std::mt19937 random;

  std::vector<Cut> cuts; ///< as they are sent
  std::vector<uint8_t> message;
  uint64_t start = 0;
  size_t hostSize = 0;
  Memory host, expected;
  uint64_t writes = 0;
};

} // namespace

template <typename Take>
void Round::forEachPiece(const Cut &cut, Take take) const {
  ArrayRef<Stretch> stretches = what.stretches;
  if (stretches.empty())
    return;
  auto it = std::upper_bound(
      stretches.begin(), stretches.end(), cut.begin,
      [](int64_t at, const Stretch &s) { return at < s.begin; });
  for (--it; it != stretches.end() && it->begin < cut.begin + cut.length;
       ++it) {
    int64_t from = std::max(it->begin, cut.begin);
    int64_t to = std::min(it->begin + it->length, cut.begin + cut.length);
    take(from - cut.begin,
         it->place + (from - it->begin) - what.low +
             static_cast<int64_t>(start),
         to - from);
  }
}

uint64_t Round::expectedCommands(const Cut &cut) const {
  uint64_t count = 0;
  int64_t end = -1;
  forEachPiece(cut, [&](int64_t, int64_t place, int64_t length) {
    count += place != end;
    end = place + length;
  });
  return count;
}

/// The whole message in pieces, then a choice of them, shuffled, some twice.
void Round::cutMessage() {
  int64_t size = what.description.size();
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int64_t at = 0; at < size;) {
    int64_t length = packetBytes ? packetBytes : draw(1, draw(1, 4096));
    length = std::min(length, size - at);
    cuts.push_back({at, length});
    at += length;
  }
  if (cuts.empty())
    cuts.push_back({0, 0});
  std::shuffle(cuts.begin(), cuts.end(), random);
  if (cuts.size() > options.packetsPerRound)
    cuts.resize(options.packetsPerRound);
  size_t distinct = cuts.size();
  for (size_t i = 0; i < distinct / 16 + 1; ++i)
    cuts.insert(cuts.begin() + draw(0, int64_t(cuts.size())),
                cuts[draw(0, int64_t(distinct) - 1)]);
  message.resize(size);
  for (uint8_t &byte : message)
    byte = static_cast<uint8_t>(random());
}

void Round::makeMemories() {
  start = std::min<uint64_t>(number * 7 % 64, what.program.largestStart);
  hostSize = start + what.span;
  host = makeMemory(hostSize);
  expected = makeMemory(hostSize);
}

/// Host memory at random, and the message that is packed from it.
void Round::fillSource() {
  for (size_t i = 0; i < hostSize; ++i)
    host[i] = static_cast<uint8_t>(random());
  forEachPiece({0, what.description.size()},
               [&](int64_t at, int64_t place, int64_t length) {
                 std::memcpy(message.data() + at, host.get() + place, length);
               });
  std::memcpy(expected.get(), host.get(), hostSize);
}

Error Round::inject(SpinSim *sim, const Cut &cut, bool isLast) {
  std::vector<uint8_t> packet(PORTALS_HEADER_BYTES + cut.length);
  PortalsHeader header = {};
  bool asks = what.direction == Direction::Send;
  uint32_t asked[2] = {static_cast<uint32_t>(cut.begin),
                       static_cast<uint32_t>(cut.length)};
  if (asks)
    packet.resize(PORTALS_HEADER_BYTES + sizeof asked);
  header.messageLength =
      static_cast<uint32_t>(asks ? sizeof asked : message.size());
  header.offset = asks ? 0 : asked[0];
  header.source = 1;
  header.type = PORTALS_TYPE_PUT;
  header.flags = isLast ? PORTALS_FLAG_EOM : 0;
  std::memcpy(packet.data(), &header, sizeof header);
  if (asks)
    std::memcpy(packet.data() + sizeof header, asked, sizeof asked);
  else if (cut.length != 0)
    std::memcpy(packet.data() + sizeof header, message.data() + cut.begin,
                cut.length);
  if (spinSimInject(sim, SPINSIM_LINK_PORTALS, packet.data(), packet.size(),
                    SPINSIM_NEXT) != SPINSIM_OK)
    return failed(spinSimLastError(sim));
  return Error::success();
}

/// Changes bytes of the tables, which are the end of the block.
void Round::damageTables(std::vector<uint8_t> &params) {
  size_t tables = 0;
  for (const Table &table : what.program.tables)
    tables += table.isArray ? table.values.size() * table.bytesEach : 0;
  for (unsigned i = 0; tables != 0 && i < 1 + random() % 8; ++i) {
    size_t at = params.size() - tables + random() % tables;
    params[at] ^= static_cast<uint8_t>(1 + random() % 255);
  }
}

/// What <Context>_install of the stubs asks before anything else.
Error Round::checkTables(const std::vector<uint8_t> &params) const {
  if (what.program.hashOfTables(params) ==
      what.program.hashOfTables(what.program.parameters(start)))
    return Error::success();
  return failed("the tables of the datatype are damaged");
}

/// Sound tables must be taken, damaged ones refused. Those are then installed
/// as by a host that does not ask: even so no handler may fault.
Error Round::makeParameters(std::vector<uint8_t> &params) {
  params = what.program.parameters(start);
  if (!damage)
    return checkTables(params);
  const std::vector<uint8_t> sound = params;
  while (params == sound)
    damageTables(params);
  Error refused = checkTables(params);
  if (!refused)
    return failed("damaged tables were not refused");
  consumeError(std::move(refused));
  return Error::success();
}

Error Round::runCard() {
  SpinSimConfig config;
  spinSimDefaultConfig(&config);
  config.checkAccesses = number % 2;
  config.user = &writes;
  config.hostWritten = [](void *user, uint32_t, uint64_t, uint64_t, uint64_t) {
    ++*static_cast<uint64_t *>(user);
  };
  std::unique_ptr<SpinSim, void (*)(SpinSim *)> sim(spinSimCreate(&config),
                                                    spinSimDestroy);
  std::vector<uint8_t> params;
  if (Error error = makeParameters(params))
    return error;
  if (spinSimLoad(sim.get(), what.image.data(), what.image.size()) !=
          SPINSIM_OK ||
      spinSimInstall(sim.get(), 0, params.data(), params.size(), host.get(),
                     hostSize) != SPINSIM_OK)
    return failed(spinSimLastError(sim.get()));
  for (size_t i = 0; i < cuts.size(); ++i)
    if (Error error = inject(sim.get(), cuts[i], i + 1 == cuts.size()))
      return error;
  if (spinSimRun(sim.get()) != SPINSIM_OK)
    return failed(spinSimLastError(sim.get()));
  SpinSimFault fault;
  if (spinSimFaultCount(sim.get()) != 0 &&
      spinSimFault(sim.get(), 0, &fault) == SPINSIM_OK)
    return failed(fault.text);
  if (damage)
    return Error::success();
  SpinSimHandlerStats stats;
  bool sends = what.direction == Direction::Send;
  if (spinSimHandlerStats(sim.get(), sends ? 1 : 0, &stats) != SPINSIM_OK ||
      stats.succeeded != cuts.size())
    return failed(
        formatv("{0} of {1} packets were taken", stats.succeeded, cuts.size()));
  return sends ? compareSent(sim.get()) : Error::success();
}

/// Every packet that was asked for holds the bytes of the layout.
Error Round::compareSent(SpinSim *sim) const {
  size_t count = 0, cut = 0;
  int64_t from = 0;
  SpinSimOutput output;
  // Sent in packets of the link: `from` bytes of cuts[cut] were seen.
  while (spinSimNextOutput(sim, &output)) {
    PortalsHeader header;
    std::memcpy(&header, output.bytes, sizeof header);
    cut = output.packet;
    from = header.offset;
    if (cut >= cuts.size() || header.hdrData != uint64_t(cuts[cut].begin) ||
        header.messageLength != cuts[cut].length)
      return failed("a packet was sent that nobody asked for");
    const uint8_t *bytes = output.bytes + sizeof header;
    int64_t length = static_cast<int64_t>(output.size - sizeof header);
    for (int64_t i = 0; i < length; ++i)
      if (bytes[i] != message[cuts[cut].begin + from + i])
        return failed(formatv("byte {0} of the stream was sent as {1}, "
                              "expected {2}",
                              cuts[cut].begin + from + i, unsigned(bytes[i]),
                              unsigned(message[cuts[cut].begin + from + i])));
    count += header.flags & PORTALS_FLAG_EOM ? 1 : 0;
  }
  if (count != cuts.size())
    return failed(
        formatv("{0} packets were sent, {1} asked for", count, cuts.size()));
  return Error::success();
}

Error Round::compareHost() const {
  if (std::memcmp(host.get(), expected.get(), hostSize) == 0)
    return Error::success();
  size_t at = 0;
  while (host[at] == expected[at])
    ++at;
  return failed(formatv("byte {0} of the layout is {1}, expected {2}",
                        static_cast<int64_t>(at - start) + what.low,
                        unsigned(host[at]), unsigned(expected[at])));
}

Error Round::run(VerifyResult &result) {
  cutMessage();
  makeMemories();
  if (!host || !expected)
    return failed("no memory");
  if (what.direction == Direction::Send)
    fillSource();
  uint64_t commands = 0;
  for (const Cut &cut : cuts) {
    if (cut.length == 0)
      continue;
    forEachPiece(cut, [&](int64_t at, int64_t place, int64_t length) {
      std::memcpy(expected.get() + place, message.data() + cut.begin + at,
                  length);
    });
    commands += expectedCommands(cut);
  }
  if (Error error = runCard())
    return error;
  if (damage)
    return Error::success();
  if (Error error = compareHost())
    return error;
  if (what.direction == Direction::Receive && writes != commands)
    return failed(
        formatv("{0} writes to host memory, {1} would do", writes, commands));
  ++result.rounds;
  result.packets += cuts.size();
  result.commands += commands;
  for (const Cut &cut : cuts)
    result.bytes += cut.length;
  return Error::success();
}

/// The bytes of the message, each once, within the layout.
static Error checkStretches(const Verified &what) {
  int64_t bytes = 0;
  for (const Stretch &stretch : what.stretches) {
    if (stretch.begin != bytes)
      return createStringError("bytes of the message belong nowhere");
    bytes += stretch.length;
    if (stretch.place < what.low ||
        stretch.place + stretch.length > what.low + what.span)
      return createStringError(
          formatv("byte {0} of the message belongs to byte {1}, outside of the "
                  "layout",
                  stretch.begin, stretch.place));
  }
  if (bytes != what.description.size())
    return createStringError(formatv("the message has {0} bytes, expected {1}",
                                     what.description.size(), bytes));
  return Error::success();
}

Expected<VerifyResult> spinc::ddt::verify(const Verified &what,
                                          const VerifyOptions &options) {
  if (what.span > largestVerified)
    return createStringError("the layout spans more than 2^30 bytes");
  if (Error error = checkStretches(what))
    return error;
  VerifyResult result;
  unsigned number = 0;
  for (int64_t packetBytes : {64, 113, 256, 1024, 1462, 2048, 4096, 0, 0}) {
    Round round(what, options, number++, packetBytes, false);
    if (Error error = round.run(result))
      return error;
  }
  bool hasTables = llvm::any_of(
      what.program.tables, [](const Table &table) { return table.isArray; });
  VerifyOptions few = options;
  few.packetsPerRound = 50;
  for (unsigned i = 0; hasTables && i < 6; ++i) {
    Round round(what, few, number++, 0, true);
    if (Error error = round.run(result))
      return error;
  }
  return result;
}
