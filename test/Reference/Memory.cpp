// Slices, elements, header fields and state: every access is checked against
// the region it must stay in.
#include "runtime/abi/portals.h"
#include "test/Reference/Interpreter.h"

using namespace spinc;
using namespace spinc::reference;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

const sema::StateField *Interpreter::stateField(const ast::Expr &expr) const {
  const auto *field = dyn_cast<ast::FieldExpr>(&expr);
  return field && field->decl ? machine.info.findState(field->decl) : nullptr;
}

Slice Interpreter::wholeField(const sema::StateField &field) {
  return {&machine.field(field, place), 0, field.count, field.element};
}

/// The number of the header of which `expr` is a member.
size_t Interpreter::headerIndex(const ast::FieldExpr &expr) const {
  if (const auto *name = dyn_cast<ast::NameExpr>(expr.base.get()))
    return matched.lookup(name->decl);
  const auto &header = *cast<ast::FieldExpr>(expr.base.get());
  const sema::PacketLayout &layout = machine.info.packet;
  return layout.find(header.member.text) - layout.headers.data();
}

/// pkt-11: the alternative that the header before names.
const sema::PacketHeader *
Interpreter::choose(const sema::PacketHeader &choice) {
  const sema::PacketHeader &before =
      machine.info.packet.headers[headers.size() - 1];
  for (const sema::PacketHeader &alternative : choice.alternatives)
    for (const sema::FollowFact &fact : alternative.follows) {
      if (fact.after >= 0 &&
          headers.back().chosen != &before.alternatives[fact.after])
        continue;
      BitPlace place{fact.field,
                     headers.back().start * 8 + fact.field->bitOffset};
      if (loadBits(place).number == Number(fact.value))
        return &alternative;
    }
  return nullptr;
}

/// pkt-9: the bytes of a header that starts at `at`.
bool Interpreter::measure(const sema::PacketHeader &header, HeaderPlace &at) {
  const uint64_t size = packet.bytes.size();
  at.size = header.bytes;
  if (at.start + at.size > size)
    return false;
  if (!header.isRunTime)
    return true;
  const HeaderField &field = *header.type->sizeField;
  values[field.decl] = loadBits({&field, at.start * 8 + field.bitOffset});
  Number found = evalNumber(*header.type->sized);
  if (stopped() || found < header.type->fixedBytes || found > size - at.start)
    return false;
  at.size = uint64_t(found);
  return true;
}

/// pkt-12
bool Interpreter::meetsChecks(const sema::PacketHeader &header,
                              const HeaderPlace &at) {
  for (const ast::Expr *check : header.checks) {
    for (const HeaderField &field : header.type->fields)
      if (field.value->is(TypeKind::Int))
        values[field.decl] = loadBits({&field, at.start * 8 + field.bitOffset});
    if (evalNumber(*check) == 0)
      return false;
  }
  return true;
}

/// bnd-11
bool Interpreter::placeHeaders() {
  const sema::PacketLayout &layout = machine.info.packet;
  if (packet.bytes.size() < layout.headerBytes)
    return false;
  uint64_t end = layout.headers.empty() ? layout.headerBytes : 0;
  for (const sema::PacketHeader &header : layout.headers) {
    HeaderPlace at{end, 0};
    at.chosen = header.isChoice() ? choose(header) : nullptr;
    const sema::PacketHeader *here = header.isChoice() ? at.chosen : &header;
    if (here && (!measure(*here, at) || !meetsChecks(*here, at)))
      return false;
    end += at.size;
    headers.push_back(at);
  }
  payloadStart = end;
  return true;
}

Slice Interpreter::payload() {
  return {&packet, payloadStart, packet.bytes.size() - payloadStart,
          machine.info.packet.payloadElement};
}

static Slice bytesFrom(Region &region, uint64_t length, const Type *element) {
  return {&region, 0, length, element};
}

Slice Interpreter::evalSlice(const ast::Expr &expr) {
  if (stopped())
    return {};
  if (const sema::StateField *field = stateField(expr))
    return wholeField(*field);
  if (const auto *slice = dyn_cast<ast::SliceExpr>(&expr)) {
    Slice whole = evalSlice(*slice->base);
    Number begin = evalNumber(*slice->begin);
    Number extent = evalNumber(*slice->extent);
    if (stopped())
      return {};
    return part(whole, begin,
                slice->form == ast::RangeForm::ToEnd ? extent - begin : extent,
                expr);
  }
  if (const auto *field = dyn_cast<ast::FieldExpr>(&expr)) {
    switch (field->builtin) {
    case Builtin::PacketAll:
      return bytesFrom(packet, packet.bytes.size(),
                       as<SliceType>(expr.type)->element);
    case Builtin::PacketPayload: {
      Slice slice = payload();
      slice.element = as<SliceType>(expr.type)->element;
      slice.length /= sizeInBytes(slice.element);
      return slice;
    }
    case Builtin::PieceHost:
      return eval(*field->base).slice;
    case Builtin::PieceData:
      return eval(*field->base).data;
    default:
      break;
    }
    // pkt-10
    const auto *type = dynAs<HeaderType>(field->base->type);
    if (type && type->rest && type->rest == field->decl) {
      const HeaderPlace &at = headers[headerIndex(*field)];
      return {&packet, at.start + type->fixedBytes, at.size - type->fixedBytes,
              as<SliceType>(expr.type)->element};
    }
  }
  if (std::optional<Slice> place = memoryPlace(expr)) {
    // An array inside of something: its elements.
    if (const auto *array = dynAs<ArrayType>(place->element))
      return {place->region, place->begin, array->count, array->element};
    return *place;
  }
  Slice place = eval(expr).slice;
  if (!place.element || !place.element->is(TypeKind::Array))
    return place;
  // An array in a header.
  const auto *array = as<ArrayType>(place.element);
  return {place.region, place.begin, array->count, array->element};
}

/// bnd-2
Slice Interpreter::part(const Slice &whole, Number begin, Number length,
                        const ast::Expr &at) {
  if (begin < 0 || length < 0 || begin + length > whole.length) {
    fail("bnd-2",
         toText(begin) + " ..+ " + toText(length) + " of " +
             std::to_string(whole.length) + " elements",
         at.range);
    return {};
  }
  return {whole.region,
          whole.begin + uint64_t(begin) * sizeInBytes(whole.element),
          uint64_t(length), whole.element};
}

/// bnd-1
Slice Interpreter::element(const Slice &slice, Number index,
                           const ast::Expr &at) {
  if (index < 0 || index >= slice.length) {
    fail("bnd-1",
         "index " + toText(index) + " of " + std::to_string(slice.length),
         at.range);
    return {};
  }
  return {slice.region,
          slice.begin + uint64_t(index) * sizeInBytes(slice.element), 1,
          slice.element};
}

/// Elements of arrays and slices, members of structs, locals in memory.
std::optional<Slice> Interpreter::memoryPlace(const ast::Expr &expr) {
  if (const auto *index = dyn_cast<ast::IndexExpr>(&expr)) {
    if (index->base->type->is(TypeKind::Simd))
      return std::nullopt;
    Slice base = evalSlice(*index->base);
    Number at = evalNumber(*index->index);
    if (stopped())
      return Slice();
    return element(base, at, expr);
  }
  if (const auto *name = dyn_cast<ast::NameExpr>(&expr)) {
    const auto *table = llvm::dyn_cast_or_null<ast::ConstDecl>(name->decl);
    if (table && table->init && isa<ast::InitListExpr>(*table->init))
      return Slice{&constant(*table), 0, 1, name->type};
    auto local = locals.find(name->decl);
    if (local == locals.end())
      return std::nullopt;
    return Slice{&local->second, 0, 1, name->type};
  }
  const auto *field = dyn_cast<ast::FieldExpr>(&expr);
  if (field && field->builtin == Builtin::MessageUser)
    return Slice{&packet, machine.info.packet.headerBytes, 1,
                 machine.info.user};
  if (!field || field->builtin != Builtin::None)
    return std::nullopt;
  if (const sema::StateField *state = stateField(expr)) {
    Slice whole = wholeField(*state);
    whole.length = 1;
    whole.element = state->type;
    return whole;
  }
  const auto *type = dynAs<StructType>(field->base->type);
  std::optional<Slice> base = type ? memoryPlace(*field->base) : std::nullopt;
  const StructField *member = type ? type->find(field->member.text) : nullptr;
  if (!base || !member)
    return std::nullopt;
  return Slice{base->region, base->begin + member->offset, 1, member->type};
}

/// The last check: no access leaves its region, and none reads what was never
/// written.
bool Interpreter::touch(const Slice &place, uint64_t size,
                        const ast::Expr &at) {
  if (stopped())
    return false;
  if (!place.region || place.begin > place.region->bytes.size() ||
      size > place.region->bytes.size() - place.begin) {
    fail("bnd-1",
         std::to_string(size) + " bytes at " + std::to_string(place.begin) +
             " leave " + (place.region ? place.region->name : "nothing"),
         at.range);
    return false;
  }
  return true;
}

static bool isBigEndian(const Type *type) {
  const auto *wire = dynAs<WireType>(type);
  return wire && wire->order == ByteOrder::Big;
}

Value Interpreter::load(const Slice &place, const ast::Expr &at) {
  unsigned size = sizeInBytes(place.element);
  if (!touch(place, size, at))
    return {};
  if (place.element->is(TypeKind::Struct) || place.element->is(TypeKind::Array))
    return place;
  Region &region = *place.region;
  Number value = 0;
  for (unsigned i = 0; i < size; ++i) {
    uint64_t byte =
        place.begin + (isBigEndian(place.element) ? i : size - 1 - i);
    if (!region.written.empty() && !region.written[byte])
      fail("typ-11", region.name + " is read before it is written", at.range);
    value = value << 8 | Number(region.bytes[byte]);
  }
  if (const auto *integer = dynAs<IntType>(place.element))
    return wrap(value, *integer);
  return value;
}

void Interpreter::store(const Slice &place, Value value, const ast::Expr &at) {
  unsigned size = sizeInBytes(place.element);
  if (!touch(place, size, at))
    return;
  Region &region = *place.region;
  if (place.element->is(TypeKind::Struct) ||
      place.element->is(TypeKind::Array)) {
    if (!touch(value.slice, size, at))
      return;
    auto first = value.slice.region->bytes.begin() + value.slice.begin;
    std::vector<uint8_t> bytes(first, first + size);
    std::copy(bytes.begin(), bytes.end(), region.bytes.begin() + place.begin);
    return;
  }
  Number rest = value.number;
  for (unsigned i = 0; i < size; ++i, rest >>= 8) {
    uint64_t byte =
        place.begin + (isBigEndian(place.element) ? size - 1 - i : i);
    region.bytes[byte] = uint8_t(unsigned(rest & 0xff));
    if (!region.written.empty())
      region.written[byte] = true;
  }
}

void Interpreter::initialize(const Slice &place, const ast::Expr &init) {
  const auto *list = dyn_cast<ast::InitListExpr>(&init);
  if (!list) {
    Value value = convert(eval(init), place.element, init);
    if (!stopped())
      store(place, value, init);
    return;
  }
  uint64_t next = 0;
  for (const ast::Argument &given : list->elements) {
    Slice inner = {place.region, place.begin, 1, nullptr};
    if (const auto *record = dynAs<StructType>(place.element)) {
      const StructField &member =
          given.name ? *record->find(given.name->text) : record->fields[next];
      inner.begin += member.offset;
      inner.element = member.type;
    } else {
      inner.element = as<ArrayType>(place.element)->element;
      inner.begin += next * sizeInBytes(inner.element);
    }
    ++next;
    initialize(inner, *given.value);
  }
}

/// con-1: made when it is first read.
Region &Interpreter::constant(const ast::ConstDecl &decl) {
  auto [place, isNew] = locals.try_emplace(&decl);
  if (isNew) {
    place->second = Region(decl.name.text, sizeInBytes(decl.type));
    initialize({&place->second, 0, 1, decl.type}, *decl.init);
  }
  return place->second;
}

void Interpreter::storeTo(const ast::Expr &target, Value value) {
  const auto *name = dyn_cast<ast::NameExpr>(&target);
  if (name && !locals.count(name->decl)) {
    values[name->decl] = value;
    return;
  }
  if (std::optional<Slice> place = memoryPlace(target)) {
    if (!stopped())
      store(*place, value, target);
    return;
  }
  if (const auto *lane = dyn_cast<ast::IndexExpr>(&target))
    return storeLane(*lane, value.number);
  storeHeaderField(cast<ast::FieldExpr>(target), value.number);
}

//===-- Header fields -----------------------------------------------------===//

std::optional<Interpreter::BitPlace>
Interpreter::headerField(const ast::FieldExpr &expr) {
  const auto *header = dynAs<HeaderType>(expr.base->type);
  const HeaderField *field =
      header ? header->find(cast<ast::FieldDecl>(expr.decl)) : nullptr;
  if (!field) {
    fail("reference", "a field that is not in the reference", expr.range);
    return std::nullopt;
  }
  BitPlace at{field, headers[headerIndex(expr)].start * 8 + field->bitOffset};
  if ((at.bit + field->bitWidth + 7) / 8 > packet.bytes.size()) {
    fail("bnd-11", "'" + field->name + "' is behind the packet", expr.range);
    return std::nullopt;
  }
  return at;
}

Value Interpreter::loadHeaderField(const ast::FieldExpr &expr) {
  std::optional<BitPlace> at = headerField(expr);
  if (at && at->field->type->is(TypeKind::Array))
    return load({&packet, at->bit / 8, 1, at->field->type}, expr);
  return at ? loadBits(*at) : Value();
}

/// A field that is within the packet.
Value Interpreter::loadBits(const BitPlace &at) {
  const HeaderField &field = *at.field;
  Number value = 0;
  if (field.order == ByteOrder::Little) {
    for (uint64_t byte = (at.bit + field.bitWidth) / 8; byte-- > at.bit / 8;)
      value = value << 8 | Number(packet.bytes[byte]);
    return value;
  }
  for (uint64_t bit = at.bit; bit < at.bit + field.bitWidth; ++bit)
    value = value << 1 | Number(packet.bytes[bit / 8] >> (7 - bit % 8) & 1);
  return wrap(value, *as<IntType>(field.value));
}

void Interpreter::storeHeaderField(const ast::FieldExpr &expr, Number value) {
  std::optional<BitPlace> at = headerField(expr);
  if (!at)
    return;
  const HeaderField &field = *at->field;
  if (field.type->is(TypeKind::Wire))
    return store({&packet, at->bit / 8, 1, field.type}, value, expr);
  for (uint64_t bit = at->bit + field.bitWidth; bit-- > at->bit; value >>= 1) {
    uint8_t mask = uint8_t(0x80 >> bit % 8);
    if ((value & 1) != 0)
      packet.bytes[bit / 8] |= mask;
    else
      packet.bytes[bit / 8] &= uint8_t(~mask);
  }
}

/// The portals header in front of every packet of a portals context.
Number Interpreter::message(Builtin field, const ast::Expr &at) {
  unsigned offset = 0, bytes = 4;
  switch (field) {
  case Builtin::MessageMatchBits:
    offset = PORTALS_MATCH_BITS, bytes = 8;
    break;
  case Builtin::MessageHdrData:
    offset = PORTALS_HDR_DATA, bytes = 8;
    break;
  case Builtin::MessageLength:
    offset = PORTALS_MESSAGE_LENGTH;
    break;
  case Builtin::MessageSource:
    offset = PORTALS_SOURCE;
    break;
  case Builtin::MessageType:
    offset = PORTALS_TYPE, bytes = 1;
    break;
  default:
    offset = PORTALS_OFFSET;
    break;
  }
  if (offset + bytes > packet.bytes.size()) {
    fail("bnd-11", "the message header is behind the packet", at.range);
    return 0;
  }
  Number value = 0;
  for (unsigned i = bytes; i-- > 0;)
    value = value << 8 | Number(packet.bytes[offset + i]);
  return value;
}
