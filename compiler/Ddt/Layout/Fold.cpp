// Finds what repeats in a sequence of layouts. The result depends on the items
// alone, so sequences that are equal run by run come out equal.
#include "compiler/Ddt/Layout/Normalise.h"

#include <algorithm>
#include <optional>

using namespace spinc::ddt;

namespace {

using Items = std::vector<Placed>;

/// Patterns of up to so many items are tried at every place; longer ones only
/// where a window of items comes again.
constexpr size_t longestNearPattern = 64;
constexpr size_t windowItems = 8;
/// In long sequences a fold has to save so many items: three places of a list
/// are evenly spaced by chance.
constexpr size_t leastGainOfLong = 8;
constexpr unsigned mostPasses = 16;

/// A pattern of `period` items that comes `rounds` times.
struct Fold {
  size_t period = 0, rounds = 0;

  size_t covered() const { return period * rounds; }
  size_t gain() const { return covered() - period; }
};

class Folder {
public:
  Folder(LayoutPool &pool, const Items &items) : pool(pool), items(items) {
    isLong = items.size() > longestNearPattern;
    leastGain = isLong ? leastGainOfLong : 1;
    if (isLong)
      findStarts();
    if (items.size() > 2 * longestNearPattern)
      findWindows();
  }

  /// One pass from left to right; true if something was folded.
  bool fold(Items &out) {
    bool changed = false;
    for (size_t i = 0; i < items.size();) {
      Fold best = bestAt(i);
      if (best.rounds == 0) {
        out.push_back(items[i++]);
        continue;
      }
      out.push_back(apply(i, best));
      i += best.covered();
      changed = true;
    }
    return changed;
  }

private:
  Fold bestAt(size_t i) {
    Fold best;
    size_t near = std::min(longestNearPattern, (items.size() - i) / 2);
    if (isLong && !startsAgain(i, near))
      near = 0;
    for (size_t period = 1; period <= near; ++period) {
      if (best.rounds != 0 && period % best.period == 0)
        continue;
      Fold found = foldOf(period, matchLength(i, period));
      if (found.covered() > best.covered())
        best = found;
      if (best.rounds >= 4)
        return best;
    }
    if (!again.empty() && again[i] > longestNearPattern) {
      Fold found = foldOf(again[i], farMatchLength(i, again[i]));
      if (found.covered() > best.covered())
        best = found;
    }
    return best;
  }

  Fold foldOf(size_t period, size_t matched) const {
    Fold found{period, (period + matched) / period};
    return found.rounds >= 2 && found.gain() >= leastGain ? found : Fold();
  }

  /// How many items from `i` on come again `period` items later, all at the
  /// same distance.
  size_t matchLength(size_t i, size_t period) const {
    if (i + period >= items.size() ||
        items[i].layout != items[i + period].layout)
      return 0;
    int64_t distance = items[i + period].place - items[i].place;
    size_t t = 1;
    while (i + period + t < items.size() &&
           items[i + t].layout == items[i + period + t].layout &&
           items[i + period + t].place - items[i + t].place == distance)
      ++t;
    return t;
  }

  /// The same, without counting a long match again for each of its items.
  size_t farMatchLength(size_t i, size_t period) {
    if (period != farPeriod || i >= farEnd) {
      farPeriod = period;
      farEnd = i + matchLength(i, period);
    }
    return farEnd - i;
  }

  Placed apply(size_t i, const Fold &fold) {
    int64_t stride = items[i + fold.period].place - items[i].place;
    Placed pattern = items[i];
    if (fold.period > 1)
      pattern = inSequence(
          pool, Items(items.begin() + i, items.begin() + i + fold.period));
    return repeated(pool, pattern, fold.rounds, stride);
  }

  /// In long sequences a fold needs leastGainOfLong items that come again, so
  /// their layouts and the distances between them are equal at two places.
  void findStarts() {
    starts.resize(items.size() - leastGainOfLong + 1);
    for (size_t i = 0; i < starts.size(); ++i)
      starts[i] = static_cast<uint32_t>(windowHash(i, leastGainOfLong - 1));
  }

  /// False if no pattern of up to `near` items can begin at `i`.
  bool startsAgain(size_t i, size_t near) const {
    bool again = false;
    for (size_t j = i + 1; j < std::min(i + near + 1, starts.size()); ++j)
      again |= starts[j] == starts[i];
    return again;
  }

  /// For each item how far away the same window comes next, 0 if it does not.
  void findWindows() {
    size_t slots = 1;
    while (slots < 2 * items.size())
      slots *= 2;
    std::vector<uint32_t> lastSeen(slots, 0); // index + 1 by hash
    again.assign(items.size(), 0);
    for (size_t i = items.size() - windowItems; i-- > 0;) {
      size_t slot = windowHash(i, windowItems) & (slots - 1);
      if (lastSeen[slot] != 0)
        again[i] = lastSeen[slot] - 1 - i;
      lastSeen[slot] = i + 1;
    }
  }

  /// Of the distances from each of `count` items to the next one, and of what
  /// these items are.
  size_t windowHash(size_t i, size_t count) const {
    uint64_t hash = 0;
    for (size_t t = i; t < i + count; ++t) {
      uint64_t token = (items[t + 1].place - items[t].place) +
                       items[t].layout->bytes * 0x9E3779B1;
      hash = (hash ^ token) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 29;
    }
    return hash;
  }

  LayoutPool &pool;
  const Items &items;
  bool isLong;
  size_t leastGain;
  std::vector<uint32_t> starts; ///< of long sequences
  std::vector<uint32_t> again;
  size_t farPeriod = 0, farEnd = 0;
};

} // namespace

/// Parts of sequences become items, and runs that adjoin one run.
static Items spliced(LayoutPool &pool, const Items &items) {
  Items out;
  out.reserve(items.size());
  auto add = [&](Placed item) {
    if (!out.empty() && item.layout->kind == LayoutKind::Run &&
        out.back().layout->kind == LayoutKind::Run &&
        out.back().place + out.back().layout->length == item.place)
      out.back().layout =
          pool.run(out.back().layout->length + item.layout->length);
    else
      out.push_back(item);
  };
  for (const Placed &item : items)
    if (item.layout->kind == LayoutKind::Sequence)
      for (const Placed &part : item.layout->parts)
        add({item.place + part.place, part.layout});
    else
      add(item);
  return out;
}

/// One row instead of two that continue each other, or of a row and one more
/// element before or behind it.
static std::optional<Placed> joined(LayoutPool &pool, Placed a, Placed b) {
  auto rowOf = [](Placed item, const Layout *child) {
    return item.layout->kind == LayoutKind::Repeat &&
           item.layout->child == child;
  };
  if (a.layout->kind == LayoutKind::Repeat) {
    const Layout &row = *a.layout;
    if (b.place != a.place + row.count * row.stride)
      return std::nullopt;
    if (b.layout == row.child)
      return Placed{a.place, pool.repeat(row.count + 1, row.stride, row.child)};
    if (rowOf(b, row.child) && b.layout->stride == row.stride)
      return Placed{a.place, pool.repeat(row.count + b.layout->count,
                                         row.stride, row.child)};
    return std::nullopt;
  }
  if (rowOf(b, a.layout) && b.place - a.place == b.layout->stride)
    return Placed{a.place,
                  pool.repeat(b.layout->count + 1, b.layout->stride, a.layout)};
  return std::nullopt;
}

static bool joinRows(LayoutPool &pool, Items &items) {
  Items out;
  out.reserve(items.size());
  for (const Placed &item : items) {
    std::optional<Placed> row;
    if (!out.empty())
      row = joined(pool, out.back(), item);
    if (row)
      out.back() = *row;
    else
      out.push_back(item);
  }
  bool changed = out.size() != items.size();
  items = std::move(out);
  return changed;
}

static bool isRun(const Placed &item) {
  return item.layout->kind == LayoutKind::Run;
}

/// The items [begin, end) as a list of one child or of runs.
static Placed listOf(LayoutPool &pool, const Items &items, size_t begin,
                     size_t end) {
  Placed first = items[begin];
  std::vector<int64_t> places, lengths;
  bool equal = true;
  for (size_t i = begin; i < end; ++i) {
    places.push_back(items[i].place - first.place);
    equal &= items[i].layout == first.layout;
  }
  if (equal)
    return {first.place, pool.list(std::move(places), first.layout)};
  for (size_t i = begin; i < end; ++i)
    lengths.push_back(items[i].layout->length);
  return {first.place, pool.runsList(std::move(places), std::move(lengths))};
}

/// What does not repeat: lists of runs, lists of equal items, and the rest.
static Placed assemble(LayoutPool &pool, const Items &items) {
  if (items.empty())
    return {};
  std::vector<Placed> parts;
  for (size_t i = 0; i < items.size();) {
    size_t end = i + 1;
    while (end < items.size() && (items[end].layout == items[i].layout ||
                                  (isRun(items[end]) && isRun(items[i]))))
      ++end;
    parts.push_back(end == i + 1 ? items[i] : listOf(pool, items, i, end));
    i = end;
  }
  if (parts.size() == 1)
    return parts[0];
  int64_t place = parts[0].place;
  for (Placed &part : parts)
    part.place -= place;
  return {place, pool.sequence(std::move(parts))};
}

Placed spinc::ddt::inSequence(LayoutPool &pool, std::vector<Placed> items) {
  items = spliced(pool, items);
  if (items.size() < 2)
    return assemble(pool, items);
  bool allRuns = std::all_of(items.begin(), items.end(), isRun);
  Items folded = items;
  for (unsigned pass = 0; pass < mostPasses; ++pass) {
    Items next;
    bool changed = Folder(pool, folded).fold(next);
    changed |= joinRows(pool, next);
    folded = std::move(next);
    if (!changed)
      break;
  }
  Placed made = assemble(pool, folded);
  // Scraps of rows are no better than the plain list of runs.
  if (!allRuns || made.layout->kind != LayoutKind::Sequence)
    return made;
  bool equal = std::all_of(items.begin(), items.end(), [&](const Placed &item) {
    return item.layout == items[0].layout;
  });
  int64_t listWords = static_cast<int64_t>(items.size()) * (equal ? 1 : 2);
  if (2 * made.layout->words <= listWords)
    return made;
  return listOf(pool, items, 0, items.size());
}
