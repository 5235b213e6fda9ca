// See Search.h.
#include "compiler/Witness/Search.h"
#include "compiler/Witness/Observer.h"
#include "compiler/Witness/Stimuli.h"
#include "runtime/abi/pspin.h"
#include "llvm/Support/xxhash.h"
#include <deque>

using namespace llvm;
using namespace spinc;
using namespace spinc::witness;

/// Inputs that are kept for further changes.
static constexpr size_t kMaxKept = 64;
/// A climb from the dearest run takes so many times fewer tries.
static constexpr unsigned kClimbShare = 4;
/// Packets of a message.
static constexpr size_t kMaxPackets = 6;

namespace {

class Search {
public:
  Search(const Program &program, HandlerPlace handler,
         const HandlerBound &bound, const SearchOptions &options)
      : program(program), handler(handler), bound(bound), options(options),
        context(program.metadata.contexts[handler.context]),
        stimuli(program, handler.context, bound.symbols, options.seed),
        fields(freeFields(context)), observer(program, bound.symbol, fields),
        executed(PSPIN_PROGRAM_SIZE) {}

  Expected<std::optional<Witness>> run();

private:
  Error attempt(Stimulus stimulus);
  Error climb();
  void plan(const Stimulus &kept);
  void planReplacements(const Stimulus &kept, uint32_t from, uint32_t to);
  void planChains(const Stimulus &kept, uint32_t from, uint32_t to);
  void planState(const Stimulus &kept, uint32_t from, uint32_t to);
  void planSolved(const Stimulus &kept, bool isDearest);
  void planBanks(const Stimulus &kept);
  void addSolved(Stimulus stimulus);
  void changeState(Setting &setting);
  Stimulus start(bool worst);
  Stimulus changed();

  const Program &program;
  const HandlerPlace handler;
  const HandlerBound &bound;
  const SearchOptions &options;
  const sim::ContextInfo &context;
  Stimuli stimuli;
  const std::vector<StateField> fields;
  Observer observer;
  std::optional<Witness> best;
  std::vector<bool> executed;
  std::vector<Stimulus> kept;
  std::deque<Stimulus> planned;
  /// Values and places of the chains planned since the dearest run was found.
  std::set<std::pair<uint32_t, size_t>> chained;
  /// Packets for which a comparison has another result, or an atomic another
  /// place; hashes of all since the dearest run was found.
  std::deque<Stimulus> solved;
  std::set<uint64_t> solvedHashes;
  bool climbs = false; ///< from the dearest run, when all else was tried
};

/// The largest run, or nothing if the card refused the stimulus.
Expected<std::optional<Witness>>
runOnce(const Program &program, HandlerPlace handler, const HandlerBound &bound,
        const Stimulus &stimulus, std::optional<Watch> watch) {
  const sim::ContextInfo &context = program.metadata.contexts[handler.context];
  Card card(program, handler.context, stimulus.setting, watch);
  if (!card.error().empty())
    return std::nullopt;
  std::optional<Witness> most;
  for (const SpinSimRunInfo &run : card.run(stimulus.packets)) {
    if (run.kind != handler.kind || run.faulted)
      continue;
    Witness found;
    found.packet = run.packet;
    found.cycles = int64_t(run.cycles);
    found.at = valuesOf(context, stimulus.setting, stimulus.packets[run.packet],
                        bound.symbols);
    found.bound = boundAt(bound, context, found.at).value_or(INT64_MAX);
    bool breaks = found.cycles > found.bound;
    if (!most || found.cycles > most->cycles || breaks)
      most = std::move(found);
    if (breaks)
      break;
  }
  if (!card.error().empty())
    return createStringError(card.error());
  if (most)
    most->stimulus = stimulus;
  return std::move(most);
}

Error Search::attempt(Stimulus stimulus) {
  for (Packet &packet : stimulus.packets)
    stimuli.applyRules(packet);
  stimuli.makeMessage(stimulus.packets);
  observer.clear();
  auto see = [&](uint32_t pc, const uint32_t *registers) {
    observer.see(pc, registers);
  };
  Expected<std::optional<Witness>> found =
      runOnce(program, handler, bound, stimulus, Watch(see));
  if (!found)
    return found.takeError();
  if (!*found)
    return Error::success();
  if ((*found)->cycles > (*found)->bound)
    return createStringError(
        "%s took %lld cycles, its bound is %lld: this is an error of spinc",
        bound.symbol.c_str(), (long long)(*found)->cycles,
        (long long)(*found)->bound);
  bool isNew = false;
  for (size_t at = 0; at < executed.size(); ++at)
    if (observer.executed[at] && !executed[at])
      isNew = executed[at] = true;
  bool isBetter = !best || (*found)->cycles > best->cycles;
  if (isBetter)
    best = std::move(**found);
  // The first one of a climb is the dearest run again.
  bool isFirst = climbs && solvedHashes.empty();
  if (!isBetter && !isNew && !isFirst)
    return Error::success();
  if (climbs) {
    planSolved(stimulus, isBetter);
    return Error::success();
  }
  if (isBetter)
    chained.clear();
  std::deque<Stimulus> later;
  later.swap(planned);
  plan(stimulus);
  // What comes of a dearer run is tried first.
  std::deque<Stimulus> &first = isBetter ? planned : later;
  std::deque<Stimulus> &second = isBetter ? later : planned;
  first.insert(first.end(), std::make_move_iterator(second.begin()),
               std::make_move_iterator(second.end()));
  if (!isBetter)
    planned.swap(later);
  planned.resize(std::min<size_t>(planned.size(), options.tries));
  if (kept.size() == kMaxKept)
    kept.erase(kept.begin() + stimuli.below(kMaxKept - 1));
  kept.push_back(std::move(stimulus));
  return Error::success();
}

/// One side of each comparison in place of the other, and one packet more: what
/// this one leaves in the state the next one finds.
void Search::plan(const Stimulus &from) {
  if (from.packets.size() < kMaxPackets) {
    Stimulus longer = from;
    longer.packets.push_back(from.packets.back());
    planned.push_back(std::move(longer));
  }
  for (const Observer::Pair &pair : observer.pairs)
    for (uint32_t beside : {0u, 1u, ~0u}) {
      planState(from, pair.left, pair.right + beside);
      planState(from, pair.right, pair.left + beside);
    }
  for (const Observer::Pair &pair : observer.pairs) {
    planChains(from, pair.left, pair.right);
    planChains(from, pair.right, pair.left);
  }
  for (const auto &[left, right, leftOrigin, rightOrigin, run] : observer.pairs)
    for (uint32_t beside : {0u, 1u, ~0u}) {
      for (int32_t step : observer.steps) {
        planReplacements(from, left + uint32_t(step),
                         right + beside + uint32_t(step));
        planReplacements(from, right + uint32_t(step),
                         left + beside + uint32_t(step));
      }
    }
}

void Search::addSolved(Stimulus stimulus) {
  uint64_t hash = 0;
  for (const Packet &packet : stimulus.packets)
    hash = hash * 31 + xxh3_64bits(packet);
  if (solved.size() < options.tries && solvedHashes.insert(hash).second)
    solved.push_back(std::move(stimulus));
}

/// Packets for which a comparison has another result, the last ones first, and
/// atomics other places.
void Search::planSolved(const Stimulus &from, bool isDearest) {
  if (isDearest) {
    solved.clear();
    solvedHashes = {0};
  }
  planBanks(from);
  auto solve = [&](const Observer::Pair &pair, int order) {
    for (auto [value, goal] :
         {std::pair(pair.leftOrigin, pair.right + uint32_t(order)),
          std::pair(pair.rightOrigin, pair.left - uint32_t(order))}) {
      Stimulus next = from;
      Packet &packet =
          next.packets[std::min(pair.run, next.packets.size() - 1)];
      if (value != 0 && observer.origins.solve(value, goal, packet))
        addSolved(std::move(next));
    }
  };
  for (const Observer::Pair &pair : reverse(observer.latest))
    for (int order : {0, 1, -1})
      solve(pair, order);
  for (int order : {0, 1, -1})
    for (const Observer::Pair &pair : observer.pairs)
      solve(pair, order);
}

/// All atomics whose place follows from the packet to the bank of the access
/// behind each, which waits then: the next element above of that bank, or the
/// one below.
void Search::planBanks(const Stimulus &from) {
  constexpr uint32_t all = PSPIN_L1_BANKS * 4;
  for (uint32_t below : {0u, all}) {
    Stimulus next = from;
    bool isOther = false;
    for (const Observer::Neighbour &near : observer.neighbours) {
      uint32_t distance = (near.next - near.address) % all & ~3u;
      if (distance == 0)
        continue;
      Packet &packet =
          next.packets[std::min(near.run, next.packets.size() - 1)];
      uint32_t place = near.address + distance;
      isOther |=
          observer.origins.solve(near.origin, place - below, packet) ||
          observer.origins.solve(near.origin, place - (all - below), packet);
    }
    if (isOther)
      addSolved(std::move(next));
  }
}

/// The value where the handler read the other one from the state: in this
/// element, and in all of the field.
void Search::planState(const Stimulus &from, uint32_t old, uint32_t value) {
  unsigned limit = 4;
  for (const Observer::Touch &touch : observer.touches) {
    if (touch.value != old || limit == 0 || planned.size() >= options.tries)
      continue;
    --limit;
    for (bool whole : {false, true}) {
      Stimulus next = from;
      if (whole)
        fields[touch.field].fill(next.setting, value);
      else
        fields[touch.field].set(next.setting, touch.offset, value);
      planned.push_back(std::move(next));
    }
  }
}

/// Another number in an element that was read, or other contents for all.
void Search::changeState(Setting &setting) {
  if (!observer.touches.empty() && stimuli.below(3) != 0) {
    const Observer::Touch &touch =
        observer.touches[stimuli.below(observer.touches.size())];
    fields[touch.field].set(setting, touch.offset, stimuli.number());
    return;
  }
  setting.state.clear();
  if (stimuli.below(4) != 0)
    stimuli.fillState(setting);
}

/// The value in place of the other one and again and again behind it, with
/// what is between left alone: chains of records that pass the same test. The
/// headers lead to the first record, or it is the first of the payload.
void Search::planChains(const Stimulus &from, uint32_t old, uint32_t value) {
  const Packet &packet = from.packets.back();
  size_t header = std::min<size_t>(packet.size(), context.headerBytes);
  for (unsigned width : {2u, 1u}) {
    if (value == 0 || std::max(old, value) >> 8 * width != 0)
      continue;
    auto byteOf = [&](uint32_t number, size_t at) {
      return uint8_t(number >> 8 * (width - 1 - at));
    };
    std::optional<size_t> inHeaders, behind;
    for (size_t place = 0; place + width <= packet.size() && !behind; ++place) {
      bool shows = true;
      for (unsigned at = 0; at < width; ++at)
        shows &= packet[place + at] == byteOf(old, at);
      if (shows)
        (place < header ? inHeaders : behind) = place;
    }
    for (std::optional<size_t> place : {inHeaders, behind}) {
      if (!place || !chained.insert({value, *place}).second)
        continue;
      for (size_t period : {size_t(width), size_t(2 * width)}) {
        Stimulus next = from;
        Packet &bytes = next.packets.back();
        for (size_t at = *place; at < bytes.size(); ++at)
          if ((at - *place) % period < width)
            bytes[at] = byteOf(value, (at - *place) % period);
        planned.push_back(std::move(next));
      }
    }
  }
}

void Search::planReplacements(const Stimulus &from, uint32_t old,
                              uint32_t value) {
  // Zeros and ones are everywhere and mean nothing.
  size_t limit = old < 2 ? 2 : 8;
  auto add = [&](Stimulus stimulus) {
    if (limit > 0 && planned.size() < options.tries) {
      planned.push_back(std::move(stimulus));
      --limit;
    }
  };
  for (const auto &[name, param] : from.setting.params)
    if (uint32_t(param) == old) {
      Stimulus next = from;
      next.setting.params[name] = value;
      if (mayInstall(context, next.setting))
        add(std::move(next));
    }
  const Packet &packet = from.packets.back();
  size_t payload =
      packet.size() - std::min<size_t>(packet.size(), context.headerBytes);
  size_t header = packet.size() - payload;
  for (size_t hidden : {size_t(0), header})
    if (packet.size() - hidden == old && value + hidden >= header &&
        value <= stimuli.longest()) {
      Stimulus next = from;
      next.packets.back().resize(value + hidden);
      add(std::move(next));
    }
  for (unsigned width : {4u, 2u, 1u}) {
    uint64_t mask = (uint64_t(1) << 8 * width) - 1;
    if (old > mask || value > mask)
      continue;
    for (bool big : {true, false}) {
      if (width == 1 && big)
        continue;
      auto shift = [&](unsigned at) { return 8 * (big ? width - 1 - at : at); };
      for (size_t place = 0; place + width <= packet.size(); ++place) {
        bool shows = true;
        for (unsigned at = 0; at < width; ++at)
          shows &= packet[place + at] == uint8_t(old >> shift(at));
        if (!shows)
          continue;
        Stimulus next = from;
        for (unsigned at = 0; at < width; ++at)
          next.packets.back()[place + at] = uint8_t(value >> shift(at));
        add(std::move(next));
      }
    }
  }
}

/// Parameters and lengths of the bound's largest value, or any.
Stimulus Search::start(bool worst) {
  Stimulus stimulus;
  if (auto setting = stimuli.setting(worst ? bound.worstAt : SymbolValues()))
    stimulus.setting = std::move(*setting);
  auto length = bound.worstAt.find("p.length");
  size_t payload = stimuli.longest();
  if (length != bound.worstAt.end())
    payload = std::min(payload, size_t(length->second));
  for (uint64_t count = 1 + stimuli.below(3); count-- > 0;)
    stimulus.packets.push_back(
        stimuli.packet(worst ? payload : stimuli.length()));
  return stimulus;
}

Stimulus Search::changed() {
  Stimulus next =
      stimuli.below(3) == 0 ? best->stimulus : kept[stimuli.below(kept.size())];
  switch (stimuli.below(10)) {
  case 0:
    if (auto setting = stimuli.setting(stimuli.below(2) ? bound.worstAt
                                                        : SymbolValues())) {
      setting->state = std::move(next.setting.state);
      next.setting = std::move(*setting);
    }
    break;
  case 3:
  case 4:
    changeState(next.setting);
    // Half of the time nothing else, so that the same places are read.
    if (stimuli.below(2))
      return next;
    break;
  case 1:
    // What one packet leaves in the state the next one finds.
    if (next.packets.size() < kMaxPackets)
      next.packets.push_back(stimuli.below(2)
                                 ? next.packets.back()
                                 : stimuli.packet(stimuli.length()));
    break;
  case 2:
    next.packets.back().resize(context.headerBytes + stimuli.length());
    break;
  default:
    break;
  }
  Packet &packet = next.packets[stimuli.below(next.packets.size())];
  packet = stimuli.change(std::move(packet));
  return next;
}

Expected<std::optional<Witness>> Search::run() {
  const unsigned starts = std::min(24u, options.tries);
  for (unsigned number = 0; number < options.tries; ++number) {
    if (best && best->cycles == bound.worst)
      break;
    Stimulus next;
    if (number < starts || kept.empty()) {
      next = start(number % 3 != 2);
    } else if (!planned.empty() && number % 3 != 0) {
      next = std::move(planned.front());
      planned.pop_front();
    } else {
      next = changed();
    }
    if (Error error = attempt(std::move(next)))
      return std::move(error);
  }
  if (Error error = climb())
    return std::move(error);
  return std::move(best);
}

/// From the dearest run on, what is computed from the packet is undone.
Error Search::climb() {
  if (!best || best->cycles == bound.worst)
    return Error::success();
  climbs = true;
  solved = {best->stimulus};
  for (unsigned number = 0; number < options.tries / kClimbShare; ++number) {
    if (best->cycles == bound.worst || solved.empty())
      break;
    Stimulus next = std::move(solved.front());
    solved.pop_front();
    if (Error error = attempt(std::move(next)))
      return error;
  }
  return Error::success();
}

} // namespace

std::optional<HandlerPlace> spinc::witness::findHandler(const Program &program,
                                                        StringRef symbol) {
  for (auto [index, context] : enumerate(program.metadata.contexts))
    for (const sim::HandlerInfo &handler : context.handlers)
      if (handler.symbol == symbol)
        return HandlerPlace{uint32_t(index), handler.kind};
  return std::nullopt;
}

Expected<std::optional<Witness>>
spinc::witness::findWitness(const Program &program, const HandlerBound &bound,
                            const SearchOptions &options) {
  std::optional<HandlerPlace> place = findHandler(program, bound.symbol);
  if (!place)
    return std::nullopt;
  return Search(program, *place, bound, options).run();
}

Expected<Witness> spinc::witness::replay(const Program &program,
                                         HandlerPlace handler,
                                         const HandlerBound &bound,
                                         const Stimulus &stimulus) {
  Expected<std::optional<Witness>> found =
      runOnce(program, handler, bound, stimulus, std::nullopt);
  if (!found)
    return found.takeError();
  if (!*found)
    return createStringError("the card does not run the witness of '" +
                             bound.symbol + "'");
  return std::move(**found);
}
