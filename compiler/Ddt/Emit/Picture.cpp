#include "compiler/Ddt/Emit/Picture.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace llvm;
using namespace spinc::ddt;

namespace {

// Sizes of the drawing, in pixels unless said otherwise.
constexpr int64_t maxColumns = 128, maxRows = 48, startRows = 16; // cells
constexpr int64_t maxGroups = 128;                                // of packets
constexpr int64_t left = 110, top = 92, cell = 7, width = maxColumns * cell;
constexpr int64_t barHeight = 22, chartHeight = 60, gap = 44;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Numbers as people read them: 12,345,678.
std::string grouped(int64_t number) {
  std::string digits = std::to_string(number < 0 ? -number : number);
  for (int64_t at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(at, ",");
  return (number < 0 ? "-" : "") + digits;
}

std::string counted(int64_t number, StringRef what) {
  return grouped(number) + " " + what.str() + (number == 1 ? "" : "s");
}

std::string oneDecimal(double number) {
  return formatv("{0:F1}", number).str();
}

std::string escaped(StringRef text) {
  std::string result;
  for (char c : text)
    if (c == '<' || c == '>' || c == '&' || c == '"')
      result += formatv("&#{0};", static_cast<int>(c)).str();
    else if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  return result;
}

/// Few packets have colours that people with any colour vision tell apart; many
/// have places on a scale from blue to yellow.
std::string colourOf(int64_t group, int64_t groups) {
  static const char *const few[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                    "#56b4e9", "#d55e00", "#f0e442", "#666666"};
  if (groups <= 8)
    return few[group];
  static const std::array<std::array<int64_t, 3>, 5> scale = {{{68, 1, 84},
                                                               {59, 82, 139},
                                                               {33, 145, 140},
                                                               {94, 201, 98},
                                                               {253, 231, 37}}};
  const int64_t steps = groups - 1, at = group * 4;
  const int64_t lower = std::min<int64_t>(at / steps, 3);
  const int64_t part = at - lower * steps; // of `steps`
  std::string colour = "#";
  for (unsigned i = 0; i < 3; ++i) {
    const int64_t from = scale[lower][i], to = scale[lower + 1][i];
    colour += utohexstr(from + (to - from) * part / steps, true, 2);
  }
  return colour;
}

/// Bytes of host memory, and which packets write them.
struct Cell {
  int64_t filled = 0;
  int64_t group = 0, fromGroup = 0; ///< the group with most bytes, and those
};

/// A part of host memory as rows of cells.
struct Grid {
  int64_t begin = 0, span = 0; ///< from the lowest byte of the layout on
  int64_t rowBytes = 1, cellBytes = 1, rows = 0, columns = 0;
  std::vector<Cell> cells;

  Grid() = default;
  Grid(int64_t span, int64_t rowBytes, int64_t cellBytes)
      : span(span), rowBytes(rowBytes), cellBytes(cellBytes),
        rows(ceilDiv(span, rowBytes)), columns(ceilDiv(rowBytes, cellBytes)) {
    cells.resize(rows * columns);
  }

  /// `length` bytes from byte `place` of the layout on, as far as they are
  /// here.
  void fill(int64_t place, int64_t length, int64_t group) {
    int64_t from = std::max<int64_t>(place, 0);
    const int64_t to = std::min(place + length, span);
    while (from < to) {
      const int64_t row = from / rowBytes, inRow = from % rowBytes;
      const int64_t column = inRow / cellBytes;
      const int64_t end = std::min((column + 1) * cellBytes, rowBytes);
      const int64_t piece = std::min(to - from, end - inRow);
      Cell &at = cells[row * columns + column];
      at.filled += piece;
      if (at.group == group) {
        at.fromGroup += piece;
      } else if (piece > at.fromGroup) {
        at.group = group;
        at.fromGroup = piece;
      }
      from += piece;
    }
  }

  /// The last row may be short.
  int64_t columnsOf(int64_t row) const {
    return std::min(columns, ceilDiv(span - row * rowBytes, cellBytes));
  }

  /// How full a cell is, in steps that the eye can tell apart.
  int64_t percentOf(int64_t column, const Cell &of) const {
    const int64_t size = std::min(cellBytes, rowBytes - column * cellBytes);
    const int64_t percent = std::min<int64_t>(100 * of.filled / size, 100);
    return std::max<int64_t>(20, ceilDiv(percent, 20) * 20);
  }

  int64_t height() const { return rows * (cell + 1); }
};

class Picture {
public:
  Picture(raw_ostream &out, StringRef name, Placed layout, int64_t payload)
      : out(out), name(name), layout(layout), payload(payload) {
    if (!layout.layout)
      return;
    bytes = layout.layout->bytes;
    low = layout.place + layout.layout->low;
    span = layout.layout->high - layout.layout->low;
    packets = ceilDiv(bytes, payload);
    packetsPerGroup = ceilDiv(packets, maxGroups);
    groups = ceilDiv(packets, packetsPerGroup);
    writes.resize(groups);
    chooseGrids();
    measure();
  }

  void print() {
    const int64_t memoryTop = top + barHeight + gap + chartHeight + gap;
    const int64_t startTop = memoryTop + whole.height() + gap;
    const int64_t height = bytes == 0 ? top : startTop + start.height() + 16;
    out << formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                   "height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                   "font-family=\"sans-serif\" font-size=\"12\">\n",
                   left + width + 20, height);
    out << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    text(left, 24, name, "font-size=\"16\" font-weight=\"bold\"");
    if (bytes == 0) {
      text(left, 46, "no data");
    } else {
      printSummary();
      printMessage(top);
      printChart(top + barHeight + gap);
      printGrid(memoryTop, whole, "host memory");
      if (start.rows)
        printGrid(startTop, start, "its first bytes");
    }
    out << "</svg>\n";
  }

private:
  /// Rows of the grid are rows of the array where the layout has such: the
  /// shortest distance at which something repeats and that gives few enough
  /// rows, or else several of the longest.
  void chooseGrids() {
    std::vector<int64_t> strides;
    collectStrides(layout.layout, strides);
    llvm::sort(strides);
    auto fits = llvm::find_if(strides, [&](int64_t stride) {
      return ceilDiv(span, stride) <= maxRows;
    });
    if (strides.empty()) {
      const int64_t cellBytes = ceilDiv(span, maxColumns * maxRows);
      whole = Grid(span, cellBytes * maxColumns, cellBytes);
    } else {
      int64_t rowBytes =
          fits != strides.end()
              ? *fits
              : strides.back() *
                    ceilDiv(ceilDiv(span, strides.back()), maxRows);
      whole = Grid(span, rowBytes, ceilDiv(rowBytes, maxColumns));
    }
    if (whole.cellBytes == 1)
      return;
    // What a cell hides is seen on the first bytes.
    const bool narrow = !strides.empty() && strides.front() <= maxColumns;
    const int64_t rowBytes =
        narrow ? maxColumns / strides.front() * strides.front() : maxColumns;
    start = Grid(std::min(span, rowBytes * startRows), rowBytes, 1);
  }

  /// Those that at least two rows can be made of.
  void collectStrides(const Layout *of, std::vector<int64_t> &into) const {
    const int64_t stride = std::abs(of->stride);
    if (of->kind == LayoutKind::Repeat && stride > 0 && 2 * stride <= span)
      into.push_back(stride);
    if (of->child)
      collectStrides(of->child, into);
    for (const Placed &part : of->parts)
      collectStrides(part.layout, into);
  }

  void measure() {
    int64_t stream = 0;
    forEachRun(layout, [&](int64_t place, int64_t length) {
      while (length > 0) {
        const int64_t packet = stream / payload;
        const int64_t piece = std::min(length, (packet + 1) * payload - stream);
        const int64_t group = packet / packetsPerGroup;
        ++writes[group];
        whole.fill(place - low, piece, group);
        start.fill(place - low, piece, group);
        place += piece;
        stream += piece;
        length -= piece;
      }
    });
  }

  void text(int64_t x, int64_t y, const Twine &what, StringRef style = "") {
    out << formatv("<text x=\"{0}\" y=\"{1}\" {2}>{3}</text>\n", x, y, style,
                   escaped(what.str()));
  }

  void rectangle(int64_t x, int64_t y, int64_t w, int64_t h, StringRef colour,
                 int64_t percent, const Twine &title) {
    out << formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" "
                   "fill=\"{4}\"",
                   x, y, w, h, colour);
    if (percent < 100)
      out << formatv(" fill-opacity=\"{0:F1}\"",
                     static_cast<double>(percent) / 100);
    out << "><title>" << escaped(title.str()) << "</title></rect>\n";
  }

  std::string groupName(int64_t group) const {
    const int64_t first = group * packetsPerGroup;
    const int64_t last = std::min(first + packetsPerGroup, packets) - 1;
    return first == last ? "packet " + grouped(first)
                         : "packets " + grouped(first) + " to " + grouped(last);
  }

  void printSummary() {
    text(left, 46,
         counted(bytes, "byte") + " in " + counted(layout.layout->runs, "run") +
             ", over " + counted(span, "byte") +
             " of host memory from offset " + grouped(low));
    const int64_t all = std::accumulate(writes.begin(), writes.end(), 0LL);
    text(left, 64,
         counted(packets, "packet") + " of " + grouped(payload) +
             " bytes of payload, " + counted(all, "DMA write"));
  }

  int64_t groupX(int64_t group) const { return left + width * group / groups; }

  void printMessage(int64_t y) {
    label(y + 15, "message");
    for (int64_t group = 0; group < groups; ++group) {
      const int64_t w = groupX(group + 1) - groupX(group);
      rectangle(groupX(group), y, w > 2 ? w - 1 : w, barHeight,
                colourOf(group, groups), 100, groupName(group));
    }
    text(left, y + barHeight + 14, "byte 0");
    text(left + width, y + barHeight + 14, "byte " + grouped(bytes),
         "text-anchor=\"end\"");
  }

  void label(int64_t y, const Twine &what) {
    text(left - 10, y, what, "text-anchor=\"end\"");
  }

  int64_t packetsIn(int64_t group) const {
    return std::min(packetsPerGroup, packets - group * packetsPerGroup);
  }

  /// Writes of a packet, on average over its group.
  void printChart(int64_t y) {
    double most = 1;
    for (int64_t group = 0; group < groups; ++group)
      most = std::max(most, writesPerPacket(group));
    label(y + 12, "DMA writes");
    label(y + 28, "of a packet");
    label(y + 46, "up to " + oneDecimal(most));
    for (int64_t group = 0; group < groups; ++group) {
      const int64_t w = groupX(group + 1) - groupX(group);
      const auto h =
          static_cast<int64_t>(chartHeight * writesPerPacket(group) / most);
      rectangle(groupX(group), y + chartHeight - h, w > 2 ? w - 1 : w,
                std::max<int64_t>(h, 1), colourOf(group, groups), 100,
                groupName(group) + ": " + oneDecimal(writesPerPacket(group)) +
                    " writes");
    }
  }

  double writesPerPacket(int64_t group) const {
    return static_cast<double>(writes[group]) /
           static_cast<double>(packetsIn(group));
  }

  void printGrid(int64_t y, const Grid &grid, StringRef title) {
    text(left, y - 10,
         title + ": a row is " + counted(grid.rowBytes, "byte") +
             ", a cell is " + counted(grid.cellBytes, "byte"));
    for (int64_t row = 0; row < grid.rows; ++row) {
      const int64_t rowY = y + row * (cell + 1);
      if (row % 4 == 0)
        label(rowY + cell, grouped(low + row * grid.rowBytes));
      out << formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" "
                     "fill=\"#eeeeee\"/>\n",
                     left, rowY, grid.columnsOf(row) * cell, cell);
      printRow(row, rowY, grid);
    }
  }

  void printRow(int64_t row, int64_t y, const Grid &grid) {
    auto cellAt = [&](int64_t column) -> const Cell & {
      return grid.cells[row * grid.columns + column];
    };
    for (int64_t column = 0, next; column < grid.columns; column = next) {
      next = column + 1;
      const Cell &first = cellAt(column);
      if (first.filled == 0)
        continue;
      const int64_t percent = grid.percentOf(column, first);
      // Neighbours that look the same are one rectangle.
      while (next < grid.columns && cellAt(next).filled != 0 &&
             cellAt(next).group == first.group &&
             grid.percentOf(next, cellAt(next)) == percent)
        ++next;
      const int64_t begin = low + row * grid.rowBytes + column * grid.cellBytes;
      rectangle(left + column * cell, y, (next - column) * cell, cell,
                colourOf(first.group, groups), percent,
                groupName(first.group) + ", bytes from " + grouped(begin));
    }
  }

  raw_ostream &out;
  StringRef name;
  Placed layout;
  int64_t payload;
  int64_t bytes = 0, low = 0, span = 0;
  int64_t packets = 0, packetsPerGroup = 1, groups = 0;
  Grid whole, start;
  std::vector<int64_t> writes; ///< of each group
};

} // namespace

void spinc::ddt::printPicture(raw_ostream &out, StringRef name, Placed layout,
                              int64_t payload) {
  Picture(out, name, layout, payload).print();
}
