// ddt-host-<mpi> [--runs=N] FILE: how fast this host unpacks each description
// in FILE (JSON lines) with MPI_Unpack, beside a plain copy. One line of JSON
// each; times are medians in seconds. "Cold" sweeps a buffer larger than the
// caches before each run.

#include "compiler/tools/spinc-ddt-mpi/MpiBuilder.h"
#include "runtime/Support/ForEachLine.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace llvm;

namespace {

constexpr size_t sweepBytes = size_t(96) << 20;

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Puts a line of `sweep` in the place of each line of the caches. Not with
/// std::memset: for buffers larger than the caches it writes past them.
void evict(std::vector<uint8_t> &sweep) {
  constexpr size_t lineBytes = 64;
  for (size_t i = 0; i < sweep.size(); i += lineBytes)
    ++sweep[i];
}

/// Median seconds of `work` over `runs` runs after one that does not count.
template <typename Work>
double median(unsigned runs, std::vector<uint8_t> *sweep, Work work) {
  std::vector<double> times;
  work();
  for (unsigned run = 0; run < runs; ++run) {
    if (sweep)
      evict(*sweep);
    const double start = now();
    work();
    times.push_back(now() - start);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

json::Object measure(const json::Object &given, unsigned runs,
                     std::vector<uint8_t> &sweep) {
  json::Object result{{"name", given.getString("name").value_or("")}};
  const int count = static_cast<int>(given.getInteger("count").value_or(1));
  std::string error;
  const double before = now();
  MPI_Datatype type =
      spinc::ddt::buildType(*given.getObject("type"), {}, error);
  if (type == MPI_DATATYPE_NULL) {
    result["error"] = error;
    return result;
  }
  MPI_Type_commit(&type);
  result["commit"] = now() - before;
  MPI_Count size = 0, lb = 0, extent = 0, first = 0, span = 0;
  MPI_Type_size_x(type, &size);
  MPI_Type_get_extent_x(type, &lb, &extent);
  MPI_Type_get_true_extent_x(type, &first, &span);
  const int64_t bytes = size * count;
  std::vector<uint8_t> memory(span + extent * (count - 1)), stream(bytes, 7),
      copy(bytes);
  auto unpack = [&] {
    int position = 0;
    MPI_Unpack(stream.data(), static_cast<int>(bytes), &position,
               memory.data() - first, count, type, MPI_COMM_WORLD);
  };
  result["bytes"] = bytes;
  result["warm"] = median(runs, nullptr, unpack);
  result["cold"] = median(runs, &sweep, unpack);
  result["copy"] = median(runs, &sweep, [&] {
    std::memcpy(copy.data(), stream.data(), stream.size());
  });
  spinc::ddt::releaseType(type);
  return result;
}

} // namespace

int main(int argc, char **argv) {
  unsigned runs = 7;
  StringRef file;
  for (StringRef word : ArrayRef<const char *>(argv + 1, argv + argc))
    if (!word.consume_front("--runs="))
      file = word;
    else if (word.getAsInteger(10, runs) || runs == 0)
      return 2;
  MPI_Init(&argc, &argv);
  std::vector<uint8_t> sweep(sweepBytes);
  auto answer = [&](StringRef line) {
    Expected<json::Value> given = json::parse(line);
    const json::Object *object = given ? given->getAsObject() : nullptr;
    consumeError(given.takeError());
    outs() << json::Value(object && object->getObject("type")
                              ? measure(*object, runs, sweep)
                              : json::Object{{"error", "no description"}})
           << '\n';
  };
  bool done = spinc::forEachLine(argv[0], file, answer);
  MPI_Finalize();
  return done ? 0 : 1;
}
