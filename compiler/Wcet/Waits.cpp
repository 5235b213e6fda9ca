// boundWaits: see Wcet.h and Sections.cpp.
#include "compiler/Wcet/FigureCosts.h"
#include "compiler/Wcet/FlowFacts.h"
#include "compiler/Wcet/SymbolSpace.h"
#include "runtime/isa/Timing.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

namespace {

class WaitBounder {
public:
  WaitBounder(const Image &image, ArrayRef<HandlerSpec> handlers,
              MutableArrayRef<LoopSpec> loops, const WcetOptions &options)
      : image(image), handlers(handlers), loops(loops), options(options) {}

  Error run();

private:
  Error measure(bool links);
  Expected<int64_t> longest(int64_t lock, const Image::LockSites &sites,
                            bool links);
  Expected<std::optional<int64_t>>
  longestFrom(const HandlerSpec &handler, uint32_t begin,
              const std::vector<uint32_t> &ends, bool links);
  Expected<int64_t> leastRound(int64_t loop) const;

  const Image &image;
  ArrayRef<HandlerSpec> handlers;
  MutableArrayRef<LoopSpec> loops;
  const WcetOptions &options;
};

} // namespace

/// A loop that waits is a load and the branch back to it.
Expected<int64_t> WaitBounder::leastRound(int64_t loop) const {
  std::optional<int64_t> least;
  for (uint32_t address : image.addressesOf(loop)) {
    Expected<Site> load = decodeAt(image, address);
    if (!load)
      return load.takeError();
    Expected<Site> branch = decodeAt(image, load->next());
    if (!branch)
      return branch.takeError();
    bool isWait = isa::isLoad(load->insn) && isa::isBranch(branch->insn) &&
                  branch->address + uint32_t(branch->insn.imm) == address;
    if (!isWait)
      return errorAt(image, WcetError::Kind::UnmarkedLoop, address,
                     "the loop that waits for a lock is not as it was written");
    int64_t round = isa::baseCost(load->insn) +
                    isa::stallBetween(load->insn, branch->insn) +
                    isa::baseCost(branch->insn) + isa::takenExtra(branch->insn);
    least = std::min(least.value_or(round), round);
  }
  return least.value_or(1);
}

/// Nothing if the section does not begin in the handler.
Expected<std::optional<int64_t>>
WaitBounder::longestFrom(const HandlerSpec &handler, uint32_t begin,
                         const std::vector<uint32_t> &ends, bool links) {
  Expected<EntryPoint> entry = EntryPoint::find(image, handler, options);
  if (!entry)
    return entry.takeError();
  LoopTable table;
  std::vector<std::string> names;
  for (const LoopSpec &loop : loops) {
    table[loop.id] = loop;
    // Once too early, and once in time.
    if (loop.wait && loop.wait->others)
      table[loop.id].bound = SymbolicCount(2);
    loop.bound.collectSymbols(names);
  }
  SymbolRanges ranges = SymbolSpace::addQuotients(handler.symbols, names);
  CostAlgebra algebra(ranges);
  HandlerAnalysis analysis(image, options);
  if (Error error = analysis.analyze(*entry))
    return std::move(error);
  FigureCosts costs(analysis, table, algebra, FigureKind::Elapsed);
  Expected<std::optional<int64_t>> time =
      links ? costs.analyzeSpan(begin, ends.front())
            : costs.analyzeSection(begin, ends);
  if (!time)
    return time.takeError();
  if (algebra.failed())
    return errorAt(image, WcetError::Kind::TooLarge, begin,
                   "the time that the lock is held does not fit 64 bits");
  return time;
}

Expected<int64_t>
WaitBounder::longest(int64_t lock, const Image::LockSites &sites, bool links) {
  int64_t most = 0;
  const std::vector<uint32_t> &begins = links ? sites.linkBegins : sites.begins;
  for (uint32_t begin : begins) {
    std::vector<uint32_t> ends = sites.ends;
    if (links) {
      // The end of a link stands right behind its begin.
      auto end = llvm::find_if(sites.linkEnds,
                               [&](uint32_t at) { return at > begin; });
      for (auto at = end; at != sites.linkEnds.end(); ++at)
        if (*at > begin && *at < *end)
          end = at;
      if (end == sites.linkEnds.end())
        return errorAt(image, WcetError::Kind::BadElf, begin,
                       "a place in a queue is not linked");
      ends = {*end};
    }
    bool isFound = false;
    for (const HandlerSpec &handler : handlers) {
      Expected<std::optional<int64_t>> time =
          longestFrom(handler, begin, ends, links);
      if (!time)
        return time.takeError();
      isFound |= time->has_value();
      most = std::max(most, time->value_or(0));
    }
    if (!isFound)
      return errorAt(image, WcetError::Kind::BadElf, begin,
                     "a lock is taken outside of the handlers");
  }
  return most;
}

/// Bounds the loops that wait for links, or else those that wait for a lock.
Error WaitBounder::measure(bool links) {
  for (const auto &[lock, sites] : image.lockSites()) {
    Expected<int64_t> time = longest(lock, sites, links);
    if (!time)
      return time.takeError();
    for (LoopSpec &loop : loops) {
      if (!loop.wait || loop.wait->lock != lock ||
          loop.wait->others.has_value() == links)
        continue;
      Expected<int64_t> round = leastRound(loop.id);
      if (!round)
        return round.takeError();
      int64_t before = links ? 1 : *loop.wait->others;
      int64_t all = 0;
      if (MulOverflow(before, *time, all))
        return make_error<WcetError>(WcetError::Kind::TooLarge,
                                     "the wait for a lock does not fit 64 "
                                     "bits");
      loop.bound = SymbolicCount(all / *round + 2);
    }
  }
  return Error::success();
}

Error WaitBounder::run() {
  if (image.lockSites().empty())
    return Error::success();
  if (Error error = measure(/*links=*/true))
    return error;
  return measure(/*links=*/false);
}

Error spinc::boundWaits(StringRef elf, ArrayRef<HandlerSpec> handlers,
                        MutableArrayRef<LoopSpec> loops,
                        const WcetOptions &options) {
  Expected<Image> image = Image::parse(elf);
  if (!image)
    return image.takeError();
  return WaitBounder(*image, handlers, loops, options).run();
}
