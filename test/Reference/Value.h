// What expressions of the reference interpreter evaluate to, and the memory
// that slices point into. Every byte knows whether it was ever written.
#ifndef SPINC_TEST_REFERENCE_VALUE_H
#define SPINC_TEST_REFERENCE_VALUE_H

#include "test/Reference/Number.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace spinc::reference {

/// A piece of memory with a life of its own: a packet, a state field, a local
/// array, the host region.
struct Region {
  std::string name;
  std::vector<uint8_t> bytes;
  /// Not empty: which bytes have a value.
  std::vector<bool> written;

  Region() = default;
  Region(std::string name, size_t size) : name(std::move(name)), bytes(size) {}
};

/// `length` elements from byte `begin` of a region on.
struct Slice {
  Region *region = nullptr;
  uint64_t begin = 0;
  uint64_t length = 0;
  const Type *element = nullptr;
};

/// view strided(region, count, block, stride)
struct View {
  Slice region;
  Number count, block, stride;
};

struct Value {
  /// Integers, bool as 0 and 1, processes, enumerators.
  Number number = 0;
  /// Slices and places in memory; the host part of a piece.
  Slice slice;
  /// The data of a piece.
  Slice data;
  std::shared_ptr<const View> view;

  Value() = default;
  /*implicit*/ Value(Number number) : number(number) {}
  /*implicit*/ Value(Slice slice) : slice(slice) {}
};

} // namespace spinc::reference

#endif // SPINC_TEST_REFERENCE_VALUE_H
