// The nodes of a description, one function for each form.
#include "compiler/Ddt/Description/TypeReader.h"

#include "compiler/Ddt/Description/BasicTypes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace spinc::ddt;

/// Deeper trees are refused: stages walk them by recursion.
constexpr unsigned deepestTree = 64;
/// As many dimensions as MPI libraries take.
constexpr size_t mostDimensions = 32;

static ArrayRef<StringRef> fieldNames(Combiner combiner) {
  static const std::vector<StringRef> names[] = {
      {"name", "map"},
      {"name", "map"},
      {"name", "map"},
      {"name", "map"},
      {"name", "map"},
      {"of"},
      {"of", "new_lb", "new_extent"},
      {"of", "count"},
      {"of", "count", "blocklen", "stride"},
      {"of", "count", "blocklen", "stride_bytes"},
      {"of", "blocklens", "displs"},
      {"of", "blocklens", "displs_bytes"},
      {"of", "blocklen", "displs"},
      {"of", "blocklen", "displs_bytes"},
      {"blocklens", "displs_bytes", "types"},
      {"of", "sizes", "subsizes", "starts", "order"},
      {"of", "nprocs", "rank", "gsizes", "distribs", "dargs", "psizes",
       "order"},
      {"count", "el_size", "el_extent", "child"},
      {"count", "blocksize", "stride_bytes", "el_size", "el_extent", "child"},
      {"blocksize", "offsets", "el_size", "el_extent", "child"},
      {"blocksizes", "offsets", "el_size", "el_extent", "child"},
      {"blocksizes", "offsets", "el_extents", "children"}};
  return names[static_cast<size_t>(combiner)];
}

std::unique_ptr<Type> TypeReader::bytesOf(int64_t size) {
  auto type = std::make_unique<Type>();
  type->name = "b" + std::to_string(size);
  type->size = type->extent = size;
  type->map = {{0, size}};
  deriveBounds(*type);
  return type;
}

int64_t TypeReader::scaled(int64_t elements, const Type &type,
                           JsonFields &fields, StringRef name) {
  Exact bytes = Exact(elements) * type.children[0]->extent;
  if (bytes.ok())
    return bytes.value();
  fields.fail(
      name, "less than 2^60 bytes",
      formatv("{0} elements of {1} bytes", elements, type.children[0]->extent));
  return 0;
}

void TypeReader::addChild(Type &type, const json::Value *value,
                          const JsonPath &path, unsigned depth) {
  std::unique_ptr<Type> child = read(value, path, depth + 1);
  type.steps.push_back(child->extent);
  type.children.push_back(std::move(child));
}

void TypeReader::readMap(Type &type, JsonFields &fields) {
  const json::Array *entries = fields.array("map");
  int64_t total = 0;
  for (size_t i = 0; entries && i < entries->size(); ++i) {
    const json::Array *pair = (*entries)[i].getAsArray();
    std::optional<int64_t> place, length;
    if (pair && pair->size() == 2) {
      place = (*pair)[0].getAsInteger();
      length = (*pair)[1].getAsInteger();
    }
    if (!place || !length || *length < 1 || *length > 65536 ||
        *place < -65536 || *place > 65536) {
      mistake.add(fields.at("map").at(int64_t(i)),
                  "[offset, length], a few bytes, length not 0",
                  describe(&(*entries)[i]));
      return;
    }
    type.map.push_back({*place, *length});
    total += *length;
  }
  if (total != type.size)
    fields.fail("map", formatv("lengths that sum up to {0}", type.size),
                formatv("{0}", total));
}

void TypeReader::readBasic(Type &type, JsonFields &fields) {
  type.name = type.combiner == Combiner::Named || fields.has("name")
                  ? fields.string("name")
                  : spellingOf(type.combiner).str();
  const BasicType *known = findBasicType(type.name);
  Range sizes = {0, 65536};
  if (!fields.has("size") && !known) {
    fields.fail("size", "the bytes of a type whose name is not known",
                "nothing");
    return;
  }
  type.size = fields.has("size") ? fields.number("size", sizes) : known->size;
  type.extent = fields.optionalNumber("extent", {-65536, 65536})
                    .value_or(known ? known->extent : type.size);
  if (known && known->alignment != 0) {
    type.alignment = known->alignment;
  } else {
    for (type.alignment = 1; type.alignment < 16 &&
                             type.extent % (2 * type.alignment) == 0 &&
                             type.extent != 0;)
      type.alignment *= 2;
  }
  if (fields.has("map"))
    readMap(type, fields);
  else if (known && known->second != 0 && type.size == known->size)
    type.map = {{0, known->first}, {known->second, known->size - known->first}};
  else
    type.map = {{0, type.size}};
}

void TypeReader::readStrided(Type &type, JsonFields &fields) {
  type.count = fields.number("count", anyCount);
  if (type.combiner == Combiner::Contiguous) {
    type.blocklen = type.count;
    type.count = 1;
    return;
  }
  type.blocklen = fields.number("blocklen", anyCount);
  if (type.combiner == Combiner::HVector)
    type.stride = fields.number("stride_bytes", anyPlace);
  else
    type.stride =
        scaled(fields.number("stride", anyPlace), type, fields, "stride");
}

void TypeReader::readListed(Type &type, JsonFields &fields) {
  bool inBytes = type.combiner == Combiner::HIndexed ||
                 type.combiner == Combiner::HIndexedBlock;
  StringRef name = inBytes ? "displs_bytes" : "displs";
  type.places = fields.numbers(name, anyPlace);
  if (!inBytes)
    for (int64_t &place : type.places)
      place = scaled(place, type, fields, name);
  if (type.combiner == Combiner::IndexedBlock ||
      type.combiner == Combiner::HIndexedBlock)
    type.blocklens = {fields.number("blocklen", anyCount)};
  else
    type.blocklens = fields.numbers("blocklens", anyCount, type.places.size());
}

void TypeReader::readStruct(Type &type, JsonFields &fields, unsigned depth) {
  type.places = fields.numbers("displs_bytes", anyPlace);
  type.blocklens = fields.numbers("blocklens", anyCount, type.places.size());
  const json::Array *types = fields.array("types", type.places.size());
  JsonPath list = fields.at("types");
  for (size_t i = 0; types && i < types->size() && !mistake.found(); ++i)
    addChild(type, &(*types)[i], list.at(int64_t(i)), depth);
}

/// Dimensions are kept slowest first, as C orders them.
static void orderDims(Type &type, JsonFields &fields) {
  if (fields.choice("order", {"C", "F"}) == 1)
    std::reverse(type.dims.begin(), type.dims.end());
}

void TypeReader::readArray(Type &type, JsonFields &fields) {
  std::vector<int64_t> sizes = fields.numbers("sizes", {1, largestPlace});
  if (sizes.empty() || sizes.size() > mostDimensions) {
    fields.fail("sizes", formatv("1 to {0} dimensions", mostDimensions),
                formatv("{0}", sizes.size()));
    return;
  }
  auto subsizes = fields.numbers("subsizes", anyCount, sizes.size());
  auto starts = fields.numbers("starts", anyCount, sizes.size());
  for (size_t i = 0; i < sizes.size() && !mistake.found(); ++i) {
    if (subsizes[i] > sizes[i] || starts[i] > sizes[i] - subsizes[i])
      mistake.add(
          fields.at("subsizes").at(int64_t(i)),
          formatv("a part of the {0} elements of this dimension", sizes[i]),
          formatv("{0} elements from {1} on", subsizes[i], starts[i]));
    ArrayDim dim;
    dim.size = sizes[i];
    dim.subsize = subsizes[i];
    dim.start = starts[i];
    type.dims.push_back(dim);
  }
  orderDims(type, fields);
}

void TypeReader::readDarray(Type &type, JsonFields &fields) {
  std::vector<int64_t> sizes = fields.numbers("gsizes", {1, largestPlace});
  size_t n = sizes.size();
  if (n == 0 || n > mostDimensions) {
    fields.fail("gsizes", formatv("1 to {0} dimensions", mostDimensions),
                formatv("{0}", n));
    return;
  }
  Range processes = {1, int64_t(1) << 31};
  int64_t total = fields.number("nprocs", processes);
  int64_t rank = fields.number("rank", {0, total - 1});
  auto grid = fields.numbers("psizes", processes, n);
  const json::Array *kinds = fields.array("distribs", n);
  const json::Array *args = fields.array("dargs", n);
  Exact product(1);
  for (int64_t size : grid)
    product = product * size;
  if (!product.ok() || product.value() != total)
    fields.fail("psizes", formatv("sizes whose product is {0}", total),
                "another product");
  if (!kinds || !args || mistake.found())
    return;
  type.dims.resize(n);
  // Ranks count the process grid in C order, whatever the order of the array.
  for (size_t i = n; i-- > 0;) {
    ArrayDim &dim = type.dims[i];
    dim.size = sizes[i];
    dim.processes = grid[i];
    dim.coordinate = rank % grid[i];
    rank /= grid[i];
    StringRef kind = (*kinds)[i].getAsString().value_or("");
    std::optional<int64_t> arg = (*args)[i].getAsInteger();
    JsonPath kindList = fields.at("distribs"), argList = fields.at("dargs");
    if (kind != "block" && kind != "cyclic" && kind != "none")
      mistake.add(kindList.at(int64_t(i)), "one of 'block', 'cyclic', 'none'",
                  describe(&(*kinds)[i]));
    if (!arg && !(*args)[i].getAsNull())
      mistake.add(argList.at(int64_t(i)), "an integer or null",
                  describe(&(*args)[i]));
    int64_t even = (dim.size + dim.processes - 1) / dim.processes;
    dim.blockSize = arg.value_or(kind == "cyclic" ? 1 : even);
    if (kind == "none" && dim.processes != 1)
      mistake.add(fields.at("psizes").at(int64_t(i)),
                  "1 process for a dimension that is not distributed",
                  formatv("{0}", dim.processes));
    if (kind == "none")
      dim.blockSize = dim.size;
    Exact covered = Exact(dim.blockSize) * dim.processes;
    if (dim.blockSize < 1 || !covered.ok() ||
        (kind == "block" && covered.value() < dim.size))
      mistake.add(argList.at(int64_t(i)), "blocks that cover the dimension",
                  formatv("blocks of {0}", dim.blockSize));
  }
  orderDims(type, fields);
}

void TypeReader::readDataloop(Type &type, JsonFields &fields, unsigned depth) {
  int64_t size = fields.number("el_size", anyCount);
  int64_t extent = fields.number("el_extent", anyPlace);
  if (fields.has("child")) {
    JsonPath child = fields.at("child");
    addChild(type, fields.value("child"), child, depth);
    if (!mistake.found() && type.children[0]->size != size)
      fields.fail("el_size",
                  formatv("{0}, the size of 'child'", type.children[0]->size),
                  formatv("{0}", size));
  } else if (size != extent) {
    fields.fail(
        "el_extent",
        formatv("{0}, for a leaf has no gaps between its elements", size),
        formatv("{0}", extent));
  }
  if (type.children.empty()) {
    type.children.push_back(bytesOf(size));
    type.steps.push_back(0);
  }
  type.steps[0] = extent;
  switch (type.combiner) {
  case Combiner::DlContig:
    type.count = 1;
    type.blocklen = fields.number("count", anyCount);
    return;
  case Combiner::DlVector:
    type.count = fields.number("count", anyCount);
    type.blocklen = fields.number("blocksize", anyCount);
    type.stride = fields.number("stride_bytes", anyPlace);
    return;
  case Combiner::DlBlockIndexed:
    type.places = fields.numbers("offsets", anyPlace);
    type.blocklens = {fields.number("blocksize", anyCount)};
    return;
  default:
    type.places = fields.numbers("offsets", anyPlace);
    type.blocklens = fields.numbers("blocksizes", anyCount, type.places.size());
    return;
  }
}

void TypeReader::readDataloopStruct(Type &type, JsonFields &fields,
                                    unsigned depth) {
  type.places = fields.numbers("offsets", anyPlace);
  size_t n = type.places.size();
  type.blocklens = fields.numbers("blocksizes", anyCount, n);
  std::vector<int64_t> extents = fields.numbers("el_extents", anyPlace, n);
  const json::Array *children = fields.array("children", n);
  JsonPath list = fields.at("children");
  for (size_t i = 0; children && i < n && !mistake.found(); ++i) {
    addChild(type, &(*children)[i], list.at(int64_t(i)), depth);
    type.steps[i] = extents[i];
  }
}

void TypeReader::readFields(Type &type, JsonFields &fields, unsigned depth) {
  std::vector<StringRef> names = fieldNames(type.combiner).vec();
  names.insert(names.end(), {"k", "size", "lb", "extent"});
  fields.allowOnly(names);
  if (is_contained(names, "of") && !mistake.found())
    addChild(type, fields.value("of"), fields.at("of"), depth);
  if (mistake.found())
    return;
  switch (type.form()) {
  case Form::Basic:
    return readBasic(type, fields);
  case Form::Same:
    if (type.combiner == Combiner::Resized) {
      type.newLb = fields.number("new_lb", anyPlace);
      type.newExtent = fields.number("new_extent", anyPlace);
    }
    return;
  case Form::Subarray:
    return readArray(type, fields);
  case Form::Darray:
    return readDarray(type, fields);
  case Form::Several:
    return type.combiner == Combiner::Struct
               ? readStruct(type, fields, depth)
               : readDataloopStruct(type, fields, depth);
  default:
    break;
  }
  if (type.combiner >= Combiner::DlContig)
    readDataloop(type, fields, depth);
  else if (type.form() == Form::Strided)
    readStrided(type, fields);
  else
    readListed(type, fields);
}

/// What the description says wins: MPI libraries differ in their bounds.
void TypeReader::readBounds(Type &type, JsonFields &fields) {
  auto take = [&](StringRef name, int64_t &bound, bool mustAgree) {
    std::optional<int64_t> given = fields.optionalNumber(name, anyPlace);
    if (!given)
      return;
    if (*given != bound && mustAgree)
      fields.fail(name, formatv("{0}, as its parts say", bound),
                  formatv("{0}", *given));
    bound = *given;
  };
  take("size", type.size, true);
  take("lb", type.lb, strict);
  take("extent", type.extent, strict);
}

std::unique_ptr<Type> TypeReader::read(const json::Value *value,
                                       const JsonPath &path, unsigned depth) {
  auto type = std::make_unique<Type>();
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object) {
    mistake.add(path, "a type, an object with 'k'", describe(value));
    return type;
  }
  if (depth > deepestTree) {
    mistake.add(path, formatv("at most {0} levels", deepestTree), "more");
    return type;
  }
  JsonFields fields(*object, path, mistake, folder);
  std::string word = fields.string("k");
  std::optional<Combiner> combiner = combinerOf(word);
  if (mistake.found() || !combiner) {
    fields.fail("k",
                "a combiner of MPI in small letters, 'named', or a dataloop "
                "such as 'dl_vector'",
                "'" + word + "'");
    return type;
  }
  type->combiner = *combiner;
  readFields(*type, fields, depth);
  if (!mistake.found() && !deriveBounds(*type))
    mistake.add(path, "bytes within 2^60 of the start", "bytes beyond it");
  if (!mistake.found())
    readBounds(*type, fields);
  return type;
}
