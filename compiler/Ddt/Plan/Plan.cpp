// Cuts a layout into parts.
#include "compiler/Ddt/Plan/Plan.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace llvm;
using namespace spinc::ddt;

namespace {

class Planner {
public:
  Planner(const PlanLimits &limits, Plan &plan) : limits(limits), plan(plan) {}

  /// False if the limits do not allow it; `reason` says which.
  bool add(int64_t place, const Layout &layout) {
    if (layout.kind == LayoutKind::Sequence)
      return addSequence(place, layout);
    Part part;
    part.place = place;
    const Layout *inner = &layout;
    for (; inner->kind == LayoutKind::Repeat; inner = inner->child)
      part.levels.push_back({inner->count, inner->stride});
    switch (inner->kind) {
    case LayoutKind::Run:
      part.run = inner->length;
      return take(std::move(part));
    case LayoutKind::List:
      if (inner->child->kind != LayoutKind::Run)
        return addInner(std::move(part), *inner);
      part.run = inner->child->length;
      part.places = inner->places;
      return take(std::move(part));
    case LayoutKind::RunsList:
      part.places = inner->places;
      return addLengths(std::move(part), inner->lengths);
    default:
      return addInner(std::move(part), *inner);
    }
  }

  std::string reason;

private:
  bool addSequence(int64_t place, const Layout &layout) {
    for (const Placed &part : layout.parts)
      if (!add(place + part.place, *part.layout))
        return false;
    return true;
  }

  /// A sequence, or a list of nests, inside rows: the list of its runs.
  bool addInner(Part part, const Layout &inner) {
    if (2 * inner.runs > limits.tableWords) {
      reason = formatv("a pattern of {0} runs comes again in rows", inner.runs);
      return false;
    }
    std::vector<int64_t> lengths;
    forEachRun({0, &inner}, [&](int64_t place, int64_t length) {
      part.places.push_back(place);
      lengths.push_back(length);
    });
    return addLengths(std::move(part), lengths);
  }

  bool addLengths(Part part, ArrayRef<int64_t> lengths) {
    auto [shortest, longest] =
        std::minmax_element(lengths.begin(), lengths.end());
    part.run = *longest;
    part.shortest = *shortest;
    if (*shortest == *longest)
      return take(std::move(part));
    int64_t at = 0;
    for (int64_t length : lengths) {
      part.starts.push_back(at);
      at += length;
    }
    part.starts.push_back(at);
    addGrains(part);
    return take(std::move(part));
  }

  /// About eight runs for each grain: three steps of a search.
  static void addGrains(Part &part) {
    int64_t runs = static_cast<int64_t>(part.places.size());
    int64_t average = std::max<int64_t>(part.starts.back() / runs, 1);
    part.grain = 1;
    while (part.grain < 8 * average)
      part.grain *= 2;
    size_t run = 0;
    for (int64_t at = 0; at < part.starts.back(); at += part.grain) {
      while (part.starts[run + 1] <= at)
        ++run;
      part.grains.push_back(static_cast<int64_t>(run));
    }
    part.grains.push_back(runs - 1);
  }

  bool take(Part part) {
    part.begin = plan.bytes;
    part.bytes = part.listBytes();
    for (const Level &level : part.levels)
      part.bytes *= level.count;
    if (part.starts.empty())
      part.shortest = part.run;
    plan.bytes += part.bytes;
    plan.tableWords += static_cast<int64_t>(
        part.places.size() + part.starts.size() + part.grains.size());
    plan.parts.push_back(std::move(part));
    if (plan.parts.size() > limits.parts) {
      reason = formatv("more than {0} parts", limits.parts);
      return false;
    }
    if (plan.tableWords > limits.tableWords) {
      reason = formatv("tables of {0} words, more than {1}", plan.tableWords,
                       limits.tableWords);
      return false;
    }
    return true;
  }

  const PlanLimits &limits;
  Plan &plan;
};

} // namespace

Expected<Plan> spinc::ddt::makePlan(Placed layout, const PlanLimits &limits) {
  Plan plan;
  if (!layout.layout)
    return plan;
  plan.low = layout.place + layout.layout->low;
  plan.span = layout.layout->high - layout.layout->low;
  plan.runs = layout.layout->runs;
  if (plan.span > largestSpan || layout.layout->bytes > largestSpan)
    return createStringError("it spans 2^32 bytes or more");
  Planner planner(limits, plan);
  if (planner.add(-layout.layout->low, *layout.layout))
    return plan;
  // As one list of runs, if that is short enough.
  std::string reason = planner.reason;
  if (2 * layout.layout->runs > limits.tableWords)
    return createStringError(reason);
  Plan list = plan;
  list.parts.clear();
  list.bytes = list.tableWords = 0;
  LayoutPool pool;
  std::vector<int64_t> places, lengths;
  int64_t first = layout.place;
  forEachRun(layout, [&](int64_t place, int64_t length) {
    places.push_back(place - first);
    lengths.push_back(length);
  });
  Planner lister(limits, list);
  if (lister.add(-layout.layout->low,
                 *pool.runsList(std::move(places), std::move(lengths))))
    return list;
  return createStringError(reason);
}

Traffic spinc::ddt::trafficOf(Placed layout, int64_t payload) {
  Traffic traffic;
  int64_t stream = 0, inPacket = 0;
  forEachRun(layout, [&](int64_t, int64_t length) {
    while (length > 0) {
      int64_t room = payload - stream % payload;
      int64_t taken = std::min(room, length);
      inPacket = stream % payload == 0 ? 1 : inPacket + 1;
      traffic.mostPerPacket = std::max(traffic.mostPerPacket, inPacket);
      ++traffic.commands;
      stream += taken;
      length -= taken;
    }
  });
  traffic.packets = (stream + payload - 1) / payload;
  return traffic;
}
