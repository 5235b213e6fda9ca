// Layouts as JSON.
#include "compiler/Ddt/Emit/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace spinc::ddt;

namespace {

using Stream = json::OStream;

/// An array on one line, however long.
void numbers(Stream &json, StringRef name, ArrayRef<int64_t> list) {
  json.attributeBegin(name);
  raw_ostream &out = json.rawValueBegin();
  out << '[';
  ListSeparator comma(", ");
  for (int64_t number : list)
    out << comma << number;
  out << ']';
  json.rawValueEnd();
  json.attributeEnd();
}

class DataloopPrinter {
public:
  explicit DataloopPrinter(Stream &json) : json(json) {}

  void print(Placed layout) {
    if (!layout.layout) {
      json.object([&] {
        json.attribute("k", "dl_contig");
        json.attribute("count", 0);
        elements(1, 1);
      });
      return;
    }
    if (layout.place == 0)
      return print(*layout.layout);
    json.object([&] {
      json.attribute("k", "dl_blockindexed");
      bool run = layout.layout->kind == LayoutKind::Run;
      json.attribute("blocksize", run ? layout.layout->length : 1);
      numbers(json, "offsets", layout.place);
      if (run)
        elements(1, 1);
      else
        child(*layout.layout);
    });
  }

private:
  void elements(int64_t size, int64_t extent) {
    json.attribute("el_size", size);
    json.attribute("el_extent", extent);
  }

  void child(const Layout &layout) {
    elements(layout.bytes, layout.high - layout.low);
    json.attributeBegin("child");
    print(layout);
    json.attributeEnd();
  }

  /// Blocks of bytes, or blocks of one child.
  void blocksOf(const Layout &layout) {
    if (layout.kind == LayoutKind::Run)
      elements(1, 1);
    else
      child(layout);
  }

  static int64_t blockSize(const Layout &child) {
    return child.kind == LayoutKind::Run ? child.length : 1;
  }

  void print(const Layout &layout) {
    json.object([&] {
      switch (layout.kind) {
      case LayoutKind::Run:
        json.attribute("k", "dl_contig");
        json.attribute("count", layout.length);
        return elements(1, 1);
      case LayoutKind::Repeat:
        json.attribute("k", "dl_vector");
        json.attribute("count", layout.count);
        json.attribute("blocksize", blockSize(*layout.child));
        json.attribute("stride_bytes", layout.stride);
        return blocksOf(*layout.child);
      case LayoutKind::List:
        json.attribute("k", "dl_blockindexed");
        json.attribute("blocksize", blockSize(*layout.child));
        numbers(json, "offsets", layout.places);
        return blocksOf(*layout.child);
      case LayoutKind::RunsList:
        json.attribute("k", "dl_indexed");
        numbers(json, "blocksizes", layout.lengths);
        numbers(json, "offsets", layout.places);
        return elements(1, 1);
      case LayoutKind::Sequence:
        return printSequence(layout);
      }
    });
  }

  void printSequence(const Layout &layout) {
    std::vector<int64_t> blocksizes, offsets, extents;
    for (const Placed &part : layout.parts) {
      blocksizes.push_back(1);
      offsets.push_back(part.place);
      extents.push_back(part.layout->high - part.layout->low);
    }
    json.attribute("k", "dl_struct");
    numbers(json, "blocksizes", blocksizes);
    numbers(json, "offsets", offsets);
    numbers(json, "el_extents", extents);
    json.attributeArray("children", [&] {
      for (const Placed &part : layout.parts)
        print(*part.layout);
    });
  }

  Stream &json;
};

} // namespace

void spinc::ddt::printDataloop(raw_ostream &out, StringRef name,
                               Placed layout) {
  Stream json(out, 2);
  json.object([&] {
    json.attribute("spinc_ddt", 1);
    json.attribute("name", name);
    json.attribute("count", 1);
    json.attributeObject("summary", [&] {
      const Layout none;
      const Layout &whole = layout.layout ? *layout.layout : none;
      json.attribute("size", whole.bytes);
      json.attribute("runs", whole.runs);
      json.attribute("true_lb", layout.place + whole.low);
      json.attribute("true_ub", layout.place + whole.high);
      json.attribute("depth", whole.depth);
      json.attribute("words", whole.words);
    });
    json.attributeBegin("type");
    DataloopPrinter(json).print(layout);
    json.attributeEnd();
  });
  out << '\n';
}

uint64_t spinc::ddt::hashOfRuns(Placed layout) {
  // The start of the published cases, not the usual one of FNV.
  uint64_t hash = 1469598103934665603;
  int64_t stream = 0;
  auto add = [&](int64_t number) {
    for (unsigned byte = 0; byte < 8; ++byte) {
      hash ^= (static_cast<uint64_t>(number) >> (8 * byte)) & 0xFF;
      hash *= 0x100000001b3;
    }
  };
  forEachRun(layout, [&](int64_t place, int64_t length) {
    add(stream);
    add(place);
    add(length);
    stream += length;
  });
  return hash;
}

void spinc::ddt::printBlocks(raw_ostream &out, StringRef name, Placed layout) {
  int64_t stream = 0, count = 0;
  forEachRun(layout, [&](int64_t, int64_t length) {
    stream += length;
    ++count;
  });
  out << "{\"name\": " << json::Value(json::fixUTF8(name))
      << ", \"size\": " << stream << ", \"nblocks\": " << count
      << ", \"hash\": \"" << format_hex_no_prefix(hashOfRuns(layout), 16)
      << "\", \"blocks\": [";
  stream = 0;
  StringRef separator = "\n";
  forEachRun(layout, [&](int64_t place, int64_t length) {
    out << separator << '[' << stream << ", " << place << ", " << length << ']';
    stream += length;
    separator = ",\n";
  });
  out << "]}\n";
}
