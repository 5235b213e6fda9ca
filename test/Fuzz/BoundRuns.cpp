// See BoundRuns.h.
#include "test/Fuzz/BoundRuns.h"
#include "compiler/Witness/Search.h"
#include "compiler/Witness/Stimuli.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::fuzz;
using witness::Packet;

namespace {

/// Messages after which a card with other parameters is made, at most; cards
/// in a row on which nothing ran; packets of a message.
constexpr uint64_t kMessages = 400, kIdleCards = 3, kPackets = 8;
/// Cycles for each run that is asked for: who takes more gets fewer runs.
constexpr uint64_t kCyclesPerRun = 20000;

/// The runs of one context.
class ContextRuns {
public:
  ContextRuns(const witness::Program &image, uint32_t context,
              const BoundRunOptions &options, Counts &counts)
      : image(image), context(context), options(options), counts(counts) {}

  Failure run(ArrayRef<HandlerBound> all);

private:
  struct Handler {
    const HandlerBound *bound;
    int64_t longest = 0;
    std::vector<Packet> dearest; // the message of the longest run
  };

  Failure addHandler(const HandlerBound &bound, SpinSimHandlerKind kind);
  Failure runCard();
  Failure check(const SpinSimRunInfo &run, ArrayRef<Packet> message,
                const witness::Setting &setting);
  std::vector<Packet> makeMessage();
  bool isDone() const {
    return made >= options.runs || cycles >= options.runs * kCyclesPerRun;
  }

  const witness::Program &image;
  const uint32_t context;
  const BoundRunOptions &options;
  Counts &counts;
  std::map<SpinSimHandlerKind, Handler> handlers;
  std::optional<witness::Stimuli> stimuli;
  uint64_t made = 0, cycles = 0, cards = 0;
};

Failure ContextRuns::addHandler(const HandlerBound &bound,
                                SpinSimHandlerKind kind) {
  Handler &handler = handlers[kind];
  handler.bound = &bound;
  if (options.tries == 0)
    return std::nullopt;
  witness::SearchOptions search;
  search.tries = options.tries;
  search.seed = options.seed;
  auto found = witness::findWitness(image, bound, search);
  if (!found)
    return "bound: " + toString(found.takeError());
  if (*found) {
    handler.longest = (*found)->cycles;
    handler.dearest = std::move((*found)->stimulus.packets);
  }
  return std::nullopt;
}

std::vector<Packet> ContextRuns::makeMessage() {
  std::vector<const Packet *> dearest;
  for (const auto &[kind, handler] : handlers)
    for (const Packet &packet : handler.dearest)
      dearest.push_back(&packet);
  std::vector<Packet> message;
  for (uint64_t count = 1 + stimuli->below(kPackets); count-- > 0;)
    message.push_back(
        dearest.empty() || stimuli->below(2)
            ? stimuli->packet(stimuli->length())
            : stimuli->change(*dearest[stimuli->below(dearest.size())]));
  stimuli->makeMessage(message);
  return message;
}

Failure ContextRuns::check(const SpinSimRunInfo &run, ArrayRef<Packet> message,
                           const witness::Setting &setting) {
  ++counts.runs;
  ++made;
  cycles += run.cycles;
  counts.cycles += run.cycles;
  auto at = handlers.find(run.kind);
  if (at == handlers.end())
    return std::nullopt;
  Handler &handler = at->second;
  const sim::ContextInfo &info = image.metadata.contexts[context];
  std::optional<int64_t> most =
      witness::boundAt(*handler.bound, info,
                       witness::valuesOf(info, setting, message[run.packet],
                                         handler.bound->symbols));
  ++counts.bounded;
  counts.exact += most && int64_t(run.cycles) == *most;
  if (!most || int64_t(run.cycles) > *most)
    return formatv("bound: {0} took {1} cycles, its bound is {2}",
                   handler.bound->symbol, run.cycles, most.value_or(0))
        .str();
  if (int64_t(run.cycles) > handler.longest) {
    handler.longest = int64_t(run.cycles);
    handler.dearest = message.vec();
  }
  return std::nullopt;
}

/// One card with its parameters and some messages.
Failure ContextRuns::runCard() {
  // Every other one as the bound has it at its largest.
  SymbolValues wanted;
  if (cards++ % 2 == 0)
    wanted = std::next(handlers.begin(), long(cards / 2 % handlers.size()))
                 ->second.bound->worstAt;
  std::optional<witness::Setting> setting = stimuli->setting(wanted);
  if (!setting)
    return std::nullopt;
  if (cards % 3 == 0)
    stimuli->fillState(*setting);
  witness::Card card(image, context, *setting);
  const uint64_t messages =
      std::clamp(options.runs / (2 * kPackets), uint64_t(4), kMessages);
  for (uint64_t number = 0; number < messages && !isDone(); ++number) {
    std::vector<Packet> message = makeMessage();
    ArrayRef<SpinSimRunInfo> runs = card.run(message);
    if (!card.error().empty())
      return "fault: " + card.error();
    for (const SpinSimRunInfo &run : runs)
      if (Failure failure = check(run, message, *setting))
        return failure;
  }
  return std::nullopt;
}

Failure ContextRuns::run(ArrayRef<HandlerBound> all) {
  for (const HandlerBound &bound : all) {
    auto place = witness::findHandler(image, bound.symbol);
    if (!place || place->context != context)
      continue;
    if (!stimuli)
      stimuli.emplace(image, context, bound.symbols, options.seed);
    if (Failure failure = addHandler(bound, place->kind))
      return failure;
  }
  // A program may take few of the packets that are made for it.
  for (uint64_t idle = 0; stimuli && !isDone() && idle < kIdleCards;) {
    uint64_t before = made;
    if (Failure failure = runCard())
      return failure;
    idle = made == before ? idle + 1 : 0;
  }
  return std::nullopt;
}

} // namespace

Failure spinc::fuzz::runAgainstBounds(const Program &program,
                                      const BoundRunOptions &options,
                                      Counts &counts) {
  StringRef elf(reinterpret_cast<const char *>(program.image().data()),
                program.image().size());
  Expected<witness::Program> image = witness::Program::read(elf);
  if (!image)
    return "simulator: " + toString(image.takeError());
  for (uint32_t context = 0; context < image->metadata.contexts.size();
       ++context)
    if (Failure failure =
            ContextRuns(*image, context, options, counts).run(program.bounds()))
      return failure;
  return std::nullopt;
}
