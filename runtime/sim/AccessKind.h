//===- AccessKind.h - What kinds of rows do with memory -------------------===//
#ifndef SPINC_RUNTIME_SIM_ACCESSKIND_H
#define SPINC_RUNTIME_SIM_ACCESSKIND_H

#include "runtime/isa/Isa.h"

namespace spinc::sim {

/// Access of one load or store kind.
struct AccessShape {
  unsigned size;
  bool isSigned;
};

constexpr AccessShape shapeOf(isa::Kind kind) {
  switch (kind) {
  case isa::Kind::LoadB:
  case isa::Kind::PostLoadB:
    return {1, true};
  case isa::Kind::LoadBu:
  case isa::Kind::PostLoadBu:
  case isa::Kind::StoreB:
  case isa::Kind::PostStoreB:
    return {1, false};
  case isa::Kind::LoadH:
  case isa::Kind::PostLoadH:
    return {2, true};
  case isa::Kind::LoadHu:
  case isa::Kind::PostLoadHu:
  case isa::Kind::StoreH:
  case isa::Kind::PostStoreH:
    return {2, false};
  default:
    return {4, false};
  }
}

constexpr bool isLoadKind(isa::Kind k) {
  return k >= isa::Kind::LoadB && k <= isa::Kind::PostLoadW;
}
constexpr bool isStoreKind(isa::Kind k) {
  return k >= isa::Kind::StoreB && k <= isa::Kind::PostStoreW;
}
constexpr bool isPostKind(isa::Kind k) {
  return (k >= isa::Kind::PostLoadB && k <= isa::Kind::PostLoadW) ||
         (k >= isa::Kind::PostStoreB && k <= isa::Kind::PostStoreW);
}
/// What always goes on in line, if it does not stop.
constexpr bool isPlainKind(isa::Kind k) {
  return k == isa::Kind::Value || isLoadKind(k) || isStoreKind(k);
}

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_ACCESSKIND_H
