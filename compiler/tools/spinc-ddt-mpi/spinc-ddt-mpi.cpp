// spinc-ddt-mpi-<mpi> [--large] [--blocks=N] [--seconds=N] FILE: what one MPI
// library makes of each description in FILE (JSON lines). Each case runs in a
// process of its own with a time limit, since the libraries have defects.
//
// MPI_Pack is asked where each byte of the stream comes from: the memory is
// packed several times, filled with one byte of each position's number at a
// time. MPI_Unpack is asked the same in the other direction. One line of JSON
// for each case: size, bounds, blocks (maximal runs, in stream order), and the
// description that the import library gives.

#include "compiler/tools/spinc-ddt-mpi/MpiBuilder.h"

#include "runtime/Support/ForEachLine.h"
#include "spin_mpi.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/raw_ostream.h>

#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace spinc::ddt {
namespace {

struct Options {
  BuilderOptions builder;
  size_t maxBlocks = 2000;
  unsigned seconds = 20;
  StringRef file;
};

struct Block {
  int64_t stream, memory, length;
};

/// A type with the memory it reaches. Positions count from the buffer's
/// address; `first` is the lowest one.
struct Subject {
  MPI_Datatype type;
  int count;
  int64_t size; // of the whole stream
  int64_t first;
  int64_t span;
};

constexpr int64_t notMoved = -1;

/// How many bytes it takes to write numbers below `limit`.
unsigned planesFor(int64_t limit) {
  unsigned planes = 1;
  while (planes < 8 && (limit - 1) >> (8 * planes))
    ++planes;
  return planes;
}

bool pack(const Subject &of, const std::vector<uint8_t> &memory,
          std::vector<uint8_t> &stream) {
  int position = 0;
  return MPI_Pack(memory.data() - of.first, of.count, of.type, stream.data(),
                  static_cast<int>(of.size), &position,
                  MPI_COMM_WORLD) == MPI_SUCCESS &&
         position == of.size;
}

bool unpack(const Subject &of, const std::vector<uint8_t> &stream,
            std::vector<uint8_t> &memory) {
  int position = 0;
  return MPI_Unpack(stream.data(), static_cast<int>(of.size), &position,
                    memory.data() - of.first, of.count, of.type,
                    MPI_COMM_WORLD) == MPI_SUCCESS &&
         position == of.size;
}

/// Byte number `plane` of each position's number.
void fillWithNumbers(std::vector<uint8_t> &bytes, unsigned plane) {
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i >> (8 * plane));
}

/// For each byte of the stream, the byte of memory that MPI_Pack has read.
std::optional<std::vector<int64_t>> packedFrom(const Subject &of) {
  std::vector<uint8_t> memory(of.span), stream(of.size);
  std::vector<int64_t> result(of.size, 0);
  for (unsigned plane = 0; plane < planesFor(of.span); ++plane) {
    fillWithNumbers(memory, plane);
    if (!pack(of, memory, stream))
      return std::nullopt;
    for (int64_t i = 0; i < of.size; ++i)
      result[i] |= static_cast<int64_t>(stream[i]) << (8 * plane);
  }
  // A byte that was moved follows its source, whatever it held before.
  for (uint8_t fill : {0x00, 0xFF}) {
    std::fill(memory.begin(), memory.end(), fill);
    std::fill(stream.begin(), stream.end(), static_cast<uint8_t>(~fill));
    if (!pack(of, memory, stream))
      return std::nullopt;
    for (int64_t i = 0; i < of.size; ++i)
      if (stream[i] != fill)
        result[i] = notMoved;
  }
  return result;
}

std::vector<Block> blocksOf(const std::vector<int64_t> &positions,
                            int64_t first) {
  std::vector<Block> blocks;
  for (size_t i = 0; i < positions.size(); ++i) {
    const int64_t at = positions[i];
    if (at == notMoved)
      continue;
    if (!blocks.empty() &&
        blocks.back().stream + blocks.back().length ==
            static_cast<int64_t>(i) &&
        blocks.back().memory + blocks.back().length == at + first)
      ++blocks.back().length;
    else
      blocks.push_back({static_cast<int64_t>(i), at + first, 1});
  }
  return blocks;
}

/// FNV-1a over the little-endian numbers of all blocks, from the start value
/// that cases.jsonl has.
std::string hashOf(const std::vector<Block> &blocks) {
  uint64_t hash = 0x14650FB0739D0383u;
  for (const Block &block : blocks)
    for (int64_t number : {block.stream, block.memory, block.length})
      for (unsigned i = 0; i < 8; ++i)
        hash = (hash ^ (static_cast<uint64_t>(number) >> (8 * i) & 0xFF)) *
               0x100000001B3u;
  return utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

bool overlaps(const std::vector<int64_t> &positions, int64_t span) {
  std::vector<bool> seen(span);
  for (int64_t at : positions) {
    if (at == notMoved)
      continue;
    if (seen[at])
      return true;
    seen[at] = true;
  }
  return false;
}

/// Says what MPI_Unpack does other than the reverse of MPI_Pack.
std::string compareUnpack(const Subject &of,
                          const std::vector<int64_t> &packed) {
  std::vector<uint8_t> memory(of.span), stream(of.size);
  for (unsigned plane = 0; plane < planesFor(of.size); ++plane) {
    fillWithNumbers(stream, plane);
    if (!unpack(of, stream, memory))
      return "MPI_Unpack fails";
    for (int64_t i = 0; i < of.size; ++i)
      if (packed[i] != notMoved && memory[packed[i]] != stream[i])
        return formatv("MPI_Unpack does not write byte {0} of the stream to "
                       "{1}, where MPI_Pack reads it",
                       i, packed[i] + of.first)
            .str();
  }
  // Nothing else is written: neither zeros nor ones.
  const int64_t moved = of.size - llvm::count(packed, notMoved);
  for (uint8_t fill : {0x00, 0xFF}) {
    std::fill(stream.begin(), stream.end(), fill);
    std::fill(memory.begin(), memory.end(), static_cast<uint8_t>(~fill));
    if (!unpack(of, stream, memory))
      return "MPI_Unpack fails";
    const int64_t written = llvm::count(memory, fill);
    if (written != moved)
      return formatv("MPI_Unpack writes {0} bytes, MPI_Pack reads {1}", written,
                     moved)
          .str();
  }
  return "same";
}

void addBounds(json::Object &result, MPI_Datatype type, int count,
               Subject &of) {
  MPI_Count size = 0, lb = 0, extent = 0, trueLb = 0, trueExtent = 0;
  MPI_Type_size_x(type, &size);
  MPI_Type_get_extent_x(type, &lb, &extent);
  MPI_Type_get_true_extent_x(type, &trueLb, &trueExtent);
  const int64_t step = (count - 1) * static_cast<int64_t>(extent);
  of = {type, count, size * count, trueLb + std::min<int64_t>(step, 0),
        trueExtent + std::max(step, -step)};
  // Without data the bounds of the data mean nothing.
  if (of.size == 0)
    of.first = of.span = 0;
  result["size"] = static_cast<int64_t>(size);
  result["lb"] = static_cast<int64_t>(lb);
  result["extent"] = static_cast<int64_t>(extent);
  result["true_lb"] = static_cast<int64_t>(trueLb);
  result["true_extent"] = static_cast<int64_t>(trueExtent);
}

void addMap(json::Object &result, const Subject &of, size_t maxBlocks) {
  std::vector<int64_t> packed;
  if (of.size) {
    auto found = packedFrom(of);
    if (!found) {
      result["error"] = "MPI_Pack fails";
      return;
    }
    packed = std::move(*found);
  }
  const std::vector<Block> blocks = blocksOf(packed, of.first);
  result["nblocks"] = static_cast<int64_t>(blocks.size());
  result["hash"] = hashOf(blocks);
  result["not_moved"] = llvm::count(packed, notMoved);
  const bool overlapping = overlaps(packed, of.span);
  result["overlapping"] = overlapping;
  if (!overlapping && of.size)
    result["unpack"] = compareUnpack(of, packed);
  json::Array listed;
  for (const Block &block : ArrayRef(blocks).take_front(maxBlocks))
    listed.push_back(json::Array{block.stream, block.memory, block.length});
  result["blocks"] = std::move(listed);
}

void addDescription(json::Object &result, MPI_Datatype type, int count,
                    StringRef label) {
  spin_mpi_description description;
  spin_error error;
  if (spin_mpi_describe(type, count, label.str().c_str(), &description,
                        &error) != SPIN_OK) {
    result["error"] = error.message;
    return;
  }
  Expected<json::Value> parsed = json::parse(description.json);
  if (parsed)
    result["description"] = std::move(*parsed);
  else
    result["error"] = toString(parsed.takeError());
  spin_mpi_release(&description);
}

/// Descriptions have names, published cases have labels.
StringRef labelOf(const json::Object &given) {
  return given.getString("label").value_or(
      given.getString("name").value_or(""));
}

json::Object examine(const json::Object &given, const Options &options) {
  json::Object result{{"label", labelOf(given)}};
  const json::Object *node = given.getObject("type");
  if (!node)
    node = given.getObject("tree");
  const int count = static_cast<int>(given.getInteger("count").value_or(1));
  std::string error = node ? "" : "there is no type";
  MPI_Datatype type =
      node ? buildType(*node, options.builder, error) : MPI_DATATYPE_NULL;
  if (type == MPI_DATATYPE_NULL) {
    result["error"] = error;
    return result;
  }
  MPI_Type_commit(&type);
  Subject subject;
  addBounds(result, type, count, subject);
  addDescription(result, type, count, *result.getString("label"));
  addMap(result, subject, options.maxBlocks);
  releaseType(type);
  return result;
}

void print(json::Object result) {
  outs() << json::Value(std::move(result)) << '\n';
  outs().flush();
}

/// One case in a child; what ends the child is reported.
void runCase(StringRef line, const Options &options) {
  Expected<json::Value> parsed = json::parse(line);
  const json::Object *given = parsed ? parsed->getAsObject() : nullptr;
  if (!given) {
    print(json::Object{{"error", "not a JSON object"}});
    consumeError(parsed.takeError());
    return;
  }
  const pid_t child = fork();
  if (child == 0) {
    alarm(options.seconds);
    print(examine(*given, options));
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    print(json::Object{{"label", labelOf(*given)},
                       {"died", strsignal(WTERMSIG(status))}});
  else if (WEXITSTATUS(status) != 0)
    print(json::Object{
        {"label", labelOf(*given)},
        {"died", formatv("exit status {0}", WEXITSTATUS(status)).str()}});
}

bool parseOptions(ArrayRef<const char *> words, Options &options) {
  for (StringRef word : words)
    if (word == "--large") {
      options.builder.large = true;
    } else if (word.consume_front("--blocks=")) {
      if (word.getAsInteger(10, options.maxBlocks))
        return false;
    } else if (word.consume_front("--seconds=")) {
      if (word.getAsInteger(10, options.seconds))
        return false;
    } else if (word.starts_with("--") || !options.file.empty()) {
      return false;
    } else {
      options.file = word;
    }
  return !options.file.empty();
}

} // namespace
} // namespace spinc::ddt

int main(int argc, char **argv) {
  using namespace spinc::ddt;
  Options options;
  if (!parseOptions(ArrayRef<const char *>(argv + 1, argv + argc), options)) {
    errs() << "usage: " << argv[0]
           << " [--large] [--blocks=N] [--seconds=N] FILE\n";
    return 2;
  }
  // Children do nothing but local work on datatypes, which needs no
  // communication and therefore survives the fork.
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  bool done = spinc::forEachLine(
      argv[0], options.file, [&](StringRef line) { runCase(line, options); });
  MPI_Finalize();
  return done ? 0 : 1;
}
