// Selects repairs that do not touch each other and applies them from the end of
// a file to its begin, so that offsets stay valid.
#include "compiler/Diagnostics/ApplyFixes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace spinc {

namespace {

/// Whether two repairs touch the same text. Two insertions at one place have no
/// order between them, so they touch as well.
bool overlap(const FixIt &a, const FixIt &b) {
  if (a.range.file != b.range.file)
    return false;
  if (a.range.begin == b.range.begin)
    return true;
  const FixIt &first = a.range.begin < b.range.begin ? a : b;
  const FixIt &second = a.range.begin < b.range.begin ? b : a;
  return first.range.end > second.range.begin;
}

bool same(const FixIt &a, const FixIt &b) {
  return a.range == b.range && a.replacement == b.replacement;
}

bool isUsable(const FixIt &fixIt) {
  return fixIt.range.isValid() && fixIt.range.begin <= fixIt.range.end &&
         fixIt.range.end <= fixIt.range.file->size();
}

std::string replaced(const SourceFile &file, std::vector<FixIt> fixIts) {
  llvm::sort(fixIts, [](const FixIt &a, const FixIt &b) {
    return a.range.begin > b.range.begin;
  });
  std::string text = file.text().str();
  for (const FixIt &fixIt : fixIts)
    text.replace(fixIt.range.begin, fixIt.range.end - fixIt.range.begin,
                 fixIt.replacement);
  return text;
}

FixedFile &entryFor(FixResult &result, const SourceFile *file) {
  for (FixedFile &entry : result.files)
    if (entry.file == file)
      return entry;
  result.files.push_back({file, "", 0});
  return result.files.back();
}

llvm::SmallVector<llvm::StringRef> linesOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  while (!text.empty()) {
    size_t newline = text.find('\n');
    size_t size = newline == llvm::StringRef::npos ? text.size() : newline + 1;
    lines.push_back(text.take_front(size));
    text = text.drop_front(size);
  }
  return lines;
}

void printLine(llvm::raw_ostream &out, char mark, llvm::StringRef line) {
  out << mark << line;
  if (!line.ends_with("\n"))
    out << "\n\\ No newline at end of file\n";
}

/// A stretch of lines that differs: [oldBegin, oldEnd) became
/// [newBegin, newEnd).
struct Hunk {
  size_t oldBegin, oldEnd, newBegin, newEnd;
};

/// Repairs change few lines, so after a difference the nearest pair of equal
/// lines on both sides is where the texts meet again.
std::vector<Hunk> compare(llvm::ArrayRef<llvm::StringRef> before,
                          llvm::ArrayRef<llvm::StringRef> after) {
  std::vector<Hunk> hunks;
  size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      ++i, ++j;
      continue;
    }
    size_t left = before.size() - i, right = after.size() - j;
    size_t skipOld = left, skipNew = right;
    for (size_t total = 1; total < left + right; ++total) {
      bool found = false;
      for (size_t old = 0; old <= std::min(total, left) && !found; ++old) {
        size_t fresh = total - old;
        if (fresh >= right || old >= left ||
            before[i + old] != after[j + fresh])
          continue;
        skipOld = old, skipNew = fresh;
        found = true;
      }
      if (found)
        break;
    }
    hunks.push_back({i, i + skipOld, j, j + skipNew});
    i += skipOld, j += skipNew;
  }
  return hunks;
}

} // namespace

FixResult applyFixes(const DiagnosticEngine &engine,
                     llvm::function_ref<bool(const Diagnostic &)> wanted) {
  FixResult result;
  std::vector<FixIt> accepted;
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    if (diagnostic.fixIts.empty() || !wanted(diagnostic))
      continue;
    std::vector<FixIt> fresh;
    bool fits = true;
    for (const FixIt &fixIt : diagnostic.fixIts) {
      auto equals = [&](const FixIt &other) { return same(fixIt, other); };
      if (llvm::any_of(accepted, equals) || llvm::any_of(fresh, equals))
        continue;
      auto touches = [&](const FixIt &other) { return overlap(fixIt, other); };
      fits &= isUsable(fixIt) && llvm::none_of(accepted, touches) &&
              llvm::none_of(fresh, touches);
      fresh.push_back(fixIt);
    }
    if (!fits) {
      ++result.skipped;
      continue;
    }
    ++result.applied;
    ++entryFor(result, diagnostic.fixIts.front().range.file).count;
    accepted.insert(accepted.end(), fresh.begin(), fresh.end());
  }
  for (const FixIt &fixIt : accepted)
    entryFor(result, fixIt.range.file);
  for (FixedFile &entry : result.files) {
    std::vector<FixIt> own;
    llvm::copy_if(accepted, std::back_inserter(own), [&](const FixIt &fixIt) {
      return fixIt.range.file == entry.file;
    });
    entry.text = replaced(*entry.file, std::move(own));
  }
  return result;
}

void printDifference(llvm::raw_ostream &out, const FixedFile &fixed) {
  llvm::SmallVector<llvm::StringRef> before = linesOf(fixed.file->text());
  llvm::SmallVector<llvm::StringRef> after = linesOf(fixed.text);
  constexpr size_t context = 3;
  std::vector<Hunk> hunks = compare(before, after);
  if (hunks.empty())
    return;
  out << "--- " << fixed.file->path() << "\n+++ " << fixed.file->path() << '\n';
  for (size_t first = 0; first < hunks.size();) {
    size_t last = first;
    while (last + 1 < hunks.size() &&
           hunks[last + 1].oldBegin <= hunks[last].oldEnd + 2 * context)
      ++last;
    size_t lead = std::min(context, hunks[first].oldBegin);
    size_t begin = hunks[first].oldBegin - lead;
    size_t end = std::min(hunks[last].oldEnd + context, before.size());
    size_t newBegin = hunks[first].newBegin - lead;
    size_t newEnd = hunks[last].newEnd + (end - hunks[last].oldEnd);
    out << "@@ -" << begin + 1 << ',' << end - begin << " +" << newBegin + 1
        << ',' << newEnd - newBegin << " @@\n";
    size_t line = begin;
    for (size_t i = first; i <= last; ++i) {
      for (; line < hunks[i].oldBegin; ++line)
        printLine(out, ' ', before[line]);
      for (; line < hunks[i].oldEnd; ++line)
        printLine(out, '-', before[line]);
      for (size_t added = hunks[i].newBegin; added < hunks[i].newEnd; ++added)
        printLine(out, '+', after[added]);
    }
    for (; line < end; ++line)
      printLine(out, ' ', before[line]);
    first = last + 1;
  }
}

} // namespace spinc
