// The header of an .npy file is a Python dictionary; only the few forms that
// numpy.save writes for a list of integers are taken.
#include "compiler/Ddt/Description/Npy.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace {

struct Element {
  unsigned bytes;
  bool isSigned;
};

} // namespace

/// The value of `'name':` in the dictionary, up to the next comma outside of
/// parentheses.
static StringRef entry(StringRef header, StringRef name) {
  size_t at = header.find(("'" + name + "':").str());
  if (at == StringRef::npos)
    return "";
  StringRef rest = header.drop_front(at + name.size() + 3).ltrim();
  if (rest.starts_with("("))
    return rest.take_front(rest.find(')') + 1);
  return rest.take_until([](char c) { return c == ',' || c == '}'; }).rtrim();
}

static std::optional<Element> elementOf(StringRef descr) {
  return StringSwitch<std::optional<Element>>(descr)
      .Case("'<i4'", Element{4, true})
      .Case("'<i8'", Element{8, true})
      .Case("'<u4'", Element{4, false})
      .Case("'<u8'", Element{8, false})
      .Default(std::nullopt);
}

static std::optional<uint64_t> lengthOf(StringRef shape) {
  uint64_t length = 0;
  if (!shape.consume_front("(") || !shape.consume_back(")"))
    return std::nullopt;
  shape.consume_back(",");
  if (shape.getAsInteger(10, length))
    return std::nullopt;
  return length;
}

/// Splits a file into the text of its header and the numbers behind it.
static std::optional<std::pair<StringRef, StringRef>> split(StringRef bytes) {
  if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY"))
    return std::nullopt;
  unsigned version = static_cast<unsigned char>(bytes[6]);
  size_t begin = version == 1 ? 10 : 12;
  size_t length = version == 1 ? support::endian::read16le(bytes.data() + 8)
                               : support::endian::read32le(bytes.data() + 8);
  if (version < 1 || version > 3 || bytes.size() - begin < length)
    return std::nullopt;
  return std::make_pair(bytes.substr(begin, length),
                        bytes.drop_front(begin + length));
}

static int64_t numberAt(const char *at, Element element) {
  if (element.bytes == 8)
    return static_cast<int64_t>(support::endian::read64le(at));
  uint32_t word = support::endian::read32le(at);
  return element.isSigned ? int64_t(int32_t(word)) : int64_t(word);
}

Expected<std::vector<int64_t>> spinc::ddt::readNpy(StringRef folder,
                                                   StringRef file) {
  auto fail = [&](const Twine &what) {
    return createStringError("'" + file + "': " + what);
  };
  if (sys::path::is_absolute(file) || file.contains(".."))
    return fail("a path out of the folder of the description");
  SmallString<128> path(folder);
  sys::path::append(path, file);
  if (!sys::fs::is_regular_file(path))
    return fail("no such file");
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(buffer.getError().message());
  auto parts = split((*buffer)->getBuffer());
  if (!parts)
    return fail("no .npy file of version 1 to 3");
  auto [header, numbers] = *parts;
  std::optional<Element> element = elementOf(entry(header, "descr"));
  std::optional<uint64_t> length = lengthOf(entry(header, "shape"));
  if (!element || !length)
    return fail("not one dimension of '<i4', '<i8', '<u4' or '<u8'");
  if (*length > numbers.size() / element->bytes)
    return fail("shorter than its header says");
  std::vector<int64_t> list(*length);
  for (uint64_t i = 0; i < *length; ++i)
    list[i] = numberAt(numbers.data() + i * element->bytes, *element);
  return list;
}
