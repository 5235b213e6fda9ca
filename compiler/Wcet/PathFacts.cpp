// See PathFacts.h.
#include "compiler/Wcet/PathFacts.h"
#include <set>

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

using isa::Opcode;

/// Relations that are kept; more are rare and only cost time.
static constexpr size_t kMaxRelations = 8;
/// Symbols of the entry have this bit and the register's number.
static constexpr uint64_t kEntry = uint64_t(1) << 63;

static ConstantRange full() { return ConstantRange::getFull(32); }
static ConstantRange single(uint32_t value) {
  return ConstantRange(APInt(32, value));
}
static std::optional<uint32_t> constantOf(const ConstantRange &range) {
  if (const APInt *value = range.getSingleElement())
    return uint32_t(value->getZExtValue());
  return std::nullopt;
}

std::vector<uint32_t> spinc::wcet::registersLiveAt(const FlowGraph &graph) {
  std::vector<uint32_t> live(graph.blocks.size());
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned block : reverse(graph.order)) {
      const Block &info = graph.blocks[block];
      // Callers and callees may read anything.
      uint32_t regs = info.returns || info.callee ? ~0u : 0;
      for (unsigned edge : info.out)
        regs |= live[graph.edges[edge].to];
      for (const Site &site : reverse(info.sites)) {
        if (site.insn.op == Opcode::Invalid)
          continue;
        if (!info.callee || &site != &info.sites.back())
          regs &= ~isa::registersWritten(site.insn);
        regs |= isa::registersRead(site.insn);
      }
      changed |= regs != live[block];
      live[block] = regs;
    }
  }
  return live;
}

bool PathFacts::Relation::operator==(const Relation &other) const {
  return left == other.left && right == other.right &&
         asUnsigned == other.asUnsigned && asSigned == other.asSigned;
}

PathFacts::PathFacts() {
  for (unsigned reg = 1; reg < forms.size(); ++reg)
    forms[reg].symbols[0] = kEntry | reg;
}

PathFacts::PathFacts(const RegisterRanges &known) : PathFacts() {
  for (unsigned reg = 1; reg < forms.size(); ++reg)
    if (!known[reg].isFullSet())
      ranges.set(forms[reg].symbols, known[reg]);
}

size_t PathFacts::RangeTable::placeOf(const Symbols &symbols) const {
  auto at = partition_point(
      entries, [&](const Entry &entry) { return entry.first < symbols; });
  return size_t(at - entries.begin());
}

const ConstantRange *PathFacts::RangeTable::find(const Symbols &symbols) const {
  size_t place = placeOf(symbols);
  bool isThere = place < entries.size() && entries[place].first == symbols;
  return isThere ? &entries[place].second : nullptr;
}

ConstantRange *PathFacts::RangeTable::find(const Symbols &symbols) {
  return const_cast<ConstantRange *>(std::as_const(*this).find(symbols));
}

void PathFacts::RangeTable::set(const Symbols &symbols,
                                const ConstantRange &range) {
  size_t place = placeOf(symbols);
  if (place < entries.size() && entries[place].first == symbols)
    entries[place].second = range;
  else
    entries.insert(entries.begin() + place, {symbols, range});
}

void PathFacts::RangeTable::erase(const Symbols &symbols) {
  size_t place = placeOf(symbols);
  if (place < entries.size() && entries[place].first == symbols)
    entries.erase(entries.begin() + place);
}

bool PathFacts::operator==(const PathFacts &other) const {
  return forms == other.forms && ranges.entries == other.ranges.entries &&
         relations == other.relations;
}

PathFacts::Symbol PathFacts::symbolOf(unsigned reg, uint32_t place,
                                      Origin origin) {
  return (uint64_t(place) + 1) << 7 | uint64_t(origin) << 5 | reg;
}

std::optional<PathFacts::Form> PathFacts::sum(const Form &a, const Form &b) {
  if (a.symbols[1] != 0 && !b.isConstant())
    return std::nullopt;
  if (b.symbols[1] != 0 && !a.isConstant())
    return std::nullopt;
  Form result{a.symbols, a.offset + b.offset};
  if (a.isConstant())
    result.symbols = b.symbols;
  else if (!b.isConstant())
    result.symbols = {std::max(a.symbols[0], b.symbols[0]),
                      std::min(a.symbols[0], b.symbols[0])};
  return result;
}

ConstantRange PathFacts::rangeOf(const Symbols &symbols) const {
  auto known = [&](const Symbols &which) {
    const ConstantRange *range = ranges.find(which);
    return range ? *range : full();
  };
  if (symbols[0] == 0)
    return single(0);
  if (symbols[1] == 0)
    return known(symbols);
  return known({symbols[0], 0})
      .add(known({symbols[1], 0}))
      .intersectWith(known(symbols));
}

ConstantRange PathFacts::rangeOf(const Form &form) const {
  return rangeOf(form.symbols).add(single(form.offset));
}

void PathFacts::write(unsigned reg, const Form &form) {
  if (reg != 0)
    forms[reg] = form;
}

void PathFacts::writeFresh(unsigned reg, uint32_t place,
                           const ConstantRange &range) {
  Form form;
  if (std::optional<uint32_t> value = constantOf(range)) {
    form.offset = *value;
  } else {
    form.symbols[0] = symbolOf(reg, place);
    ranges.erase(form.symbols);
    if (!range.isFullSet())
      ranges.set(form.symbols, range);
  }
  write(reg, form);
}

bool PathFacts::restrict(const Form &form, const ConstantRange &allowed) {
  ConstantRange now = rangeOf(form).intersectWith(allowed);
  if (now.isEmptySet())
    return false;
  if (form.isConstant() || now.isFullSet())
    return true;
  ConstantRange wanted = now.sub(single(form.offset));
  ConstantRange *known = ranges.find(form.symbols);
  if (!known) {
    ranges.set(form.symbols, wanted);
    return !wanted.isEmptySet();
  }
  *known = known->intersectWith(wanted);
  return !known->isEmptySet();
}

/// Of less, equal and greater what a predicate lets be.
static uint8_t ordersOf(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return 2;
  case CmpInst::ICMP_NE:
    return 5;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT:
    return 1;
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE:
    return 3;
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SGT:
    return 4;
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE:
    return 6;
  default:
    return 7;
  }
}

bool PathFacts::relate(Predicate predicate, Form a, Form b) {
  if (b < a) {
    std::swap(a, b);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  auto at = find_if(relations, [&](const Relation &known) {
    return known.left == a && known.right == b;
  });
  Relation relation{a, b, 7, 7};
  if (at != relations.end())
    relation = *at;
  uint8_t orders = ordersOf(predicate);
  if (!CmpInst::isSigned(predicate))
    relation.asUnsigned &= orders;
  if (!CmpInst::isUnsigned(predicate))
    relation.asSigned &= orders;
  // Equal is the same for both.
  uint8_t equal = relation.asUnsigned & relation.asSigned & 2;
  relation.asUnsigned &= equal | 5;
  relation.asSigned &= equal | 5;
  if (relation.asUnsigned == 2 || relation.asSigned == 2) {
    relation.asUnsigned &= 2;
    relation.asSigned &= 2;
  }
  if (relation.asUnsigned == 0 || relation.asSigned == 0)
    return false;
  if (at != relations.end())
    *at = relation;
  else if (relations.size() < kMaxRelations)
    relations.push_back(relation);
  return true;
}

bool PathFacts::assume(Predicate predicate, const Form &a, const Form &b) {
  // With one symbol in both only equality is plain: sums wrap.
  if (a.symbols == b.symbols &&
      (CmpInst::isEquality(predicate) || a.offset == b.offset) &&
      !a.isConstant()) {
    bool equal = a.offset == b.offset;
    return (ordersOf(predicate) & 2) ? equal || predicate != CmpInst::ICMP_EQ
                                     : !equal;
  }
  ConstantRange left = rangeOf(a), right = rangeOf(b);
  if (!restrict(a, ConstantRange::makeAllowedICmpRegion(predicate, right)) ||
      !restrict(b, ConstantRange::makeAllowedICmpRegion(
                       CmpInst::getSwappedPredicate(predicate), left)))
    return false;
  if (a.isConstant() || b.isConstant() || a.symbols == b.symbols)
    return true;
  return relate(predicate, a, b);
}

/// What a branch or a comparison asks of its operands.
static std::optional<CmpInst::Predicate> predicateOf(Opcode op) {
  switch (op) {
  case Opcode::Beq:
  case Opcode::PBeqimm:
    return CmpInst::ICMP_EQ;
  case Opcode::Bne:
  case Opcode::PBneimm:
    return CmpInst::ICMP_NE;
  case Opcode::Blt:
  case Opcode::Slt:
  case Opcode::Slti:
    return CmpInst::ICMP_SLT;
  case Opcode::Bge:
    return CmpInst::ICMP_SGE;
  case Opcode::Bltu:
  case Opcode::Sltu:
  case Opcode::Sltiu:
    return CmpInst::ICMP_ULT;
  case Opcode::Bgeu:
    return CmpInst::ICMP_UGE;
  case Opcode::PSlet:
    return CmpInst::ICMP_SLE;
  case Opcode::PSletu:
    return CmpInst::ICMP_ULE;
  default:
    return std::nullopt;
  }
}

bool PathFacts::assume(const isa::Insn &branch, bool taken) {
  std::optional<Predicate> predicate = predicateOf(branch.op);
  if (!predicate || !isa::isBranch(branch))
    return true;
  Form right = forms[branch.rs2];
  if (isa::info(branch.op).format == isa::Format::BImm)
    right = Form{{}, uint32_t(branch.imm2)};
  return assume(taken ? *predicate : CmpInst::getInversePredicate(*predicate),
                forms[branch.rs1], right);
}

void PathFacts::forget(uint32_t registers, uint32_t place) {
  for (unsigned reg = 1; reg < forms.size(); ++reg)
    if (registers >> reg & 1)
      writeFresh(reg, place, full());
}

void PathFacts::keep(uint32_t registers, uint32_t place) {
  for (unsigned reg = 1; reg < forms.size(); ++reg)
    if (!(registers >> reg & 1))
      forms[reg] = Form{{symbolOf(reg, place, Origin::Joined), 0}, 0};
  auto isUsed = [&](Symbol symbol) {
    for (unsigned reg = 1; reg < forms.size(); ++reg)
      if ((registers >> reg & 1) && is_contained(forms[reg].symbols, symbol))
        return true;
    return symbol == 0;
  };
  erase_if(ranges.entries, [&](const RangeTable::Entry &entry) {
    return !all_of(entry.first, isUsed);
  });
  erase_if(relations, [&](const Relation &relation) {
    return !all_of(relation.left.symbols, isUsed) ||
           !all_of(relation.right.symbols, isUsed);
  });
}

/// The register's form without its value at the entry.
std::optional<PathFacts::Form> PathFacts::restSince(unsigned reg) const {
  Form rest = forms[reg];
  for (unsigned i = 0; i < 2; ++i)
    if (rest.symbols[i] == (kEntry | reg)) {
      rest.symbols = {rest.symbols[1 - i], 0};
      return rest;
    }
  return std::nullopt;
}

std::optional<ConstantRange> PathFacts::progress(unsigned reg) const {
  std::optional<Form> rest = restSince(reg);
  if (!rest)
    return std::nullopt;
  return rangeOf(*rest);
}

void PathFacts::join(const PathFacts &other, uint32_t place) {
  RangeTable met;
  for (const auto &[symbols, range] : ranges.entries)
    if (const ConstantRange *there = other.ranges.find(symbols))
      if (ConstantRange both = range.unionWith(*there); !both.isFullSet())
        met.entries.emplace_back(symbols, both);
  std::array<Form, 32> joined = forms;
  for (unsigned reg = 1; reg < forms.size(); ++reg) {
    if (forms[reg] == other.forms[reg])
      continue;
    std::optional<Form> here = restSince(reg), there = other.restSince(reg);
    bool bothGoOn = here && there;
    Origin origin = bothGoOn ? Origin::JoinedRest : Origin::Joined;
    Form form{{symbolOf(reg, place, origin), 0}, 0};
    ConstantRange whole =
        rangeOf(forms[reg]).unionWith(other.rangeOf(other.forms[reg]));
    ConstantRange range =
        bothGoOn ? rangeOf(*here).unionWith(other.rangeOf(*there)) : whole;
    if (range.isFullSet())
      met.erase(form.symbols);
    else
      met.set(form.symbols, range);
    if (bothGoOn)
      form.symbols = {kEntry | reg, form.symbols[0]};
    if (bothGoOn && !whole.isFullSet())
      met.set(form.symbols, whole);
    joined[reg] = form;
  }
  forms = joined;
  ranges = std::move(met);
  erase_if(relations, [&](const Relation &relation) {
    return !is_contained(other.relations, relation);
  });
}

/// The same of the other one.
static uint8_t swapped(uint8_t orders) {
  return uint8_t((orders & 1) << 2 | (orders & 2) | orders >> 2);
}

PathFacts::Orders PathFacts::compare(const Form &a, const Form &b) const {
  if (a == b)
    return {2, 2};
  Orders orders;
  for (const Relation &known : relations) {
    if (known.left == a && known.right == b)
      orders = {known.asUnsigned, known.asSigned};
    if (known.left == b && known.right == a)
      orders = {swapped(known.asUnsigned), swapped(known.asSigned)};
  }
  ConstantRange left = rangeOf(a), right = rangeOf(b);
  for (auto [predicate, unlikely] :
       {std::pair(CmpInst::ICMP_UGE, 1), std::pair(CmpInst::ICMP_NE, 2),
        std::pair(CmpInst::ICMP_ULE, 4)})
    if (left.icmp(predicate, right))
      orders.asUnsigned &= ~unlikely;
  for (auto [predicate, unlikely] :
       {std::pair(CmpInst::ICMP_SGE, 1), std::pair(CmpInst::ICMP_NE, 2),
        std::pair(CmpInst::ICMP_SLE, 4)})
    if (left.icmp(predicate, right))
      orders.asSigned &= ~unlikely;
  return orders;
}

PathFacts PathFacts::atEntry(ArrayRef<PathFacts> ways, uint32_t registers,
                             const RegisterRanges &known) {
  PathFacts entry(known);
  if (ways.empty())
    return entry;
  std::set<std::pair<unsigned, unsigned>> pairs;
  for (unsigned reg = 1; reg < 32; ++reg) {
    if (!(registers >> reg & 1))
      continue;
    ConstantRange all = ConstantRange::getEmpty(32);
    for (const PathFacts &way : ways) {
      all = all.unionWith(way.range(reg));
      for (unsigned other = 1; other < 32; ++other)
        if ((registers >> other & 1) &&
            any_of(way.relations, [&](const Relation &relation) {
              return relation.left == way.forms[reg] &&
                     relation.right == way.forms[other];
            }))
          pairs.insert({std::min(reg, other), std::max(reg, other)});
    }
    entry.restrict(entry.forms[reg], all);
    if (std::optional<uint32_t> value = constantOf(entry.range(reg))) {
      entry.ranges.erase(entry.forms[reg].symbols);
      entry.forms[reg] = Form{{}, *value};
    }
  }
  for (auto [left, right] : pairs) {
    Relation all{entry.forms[left], entry.forms[right], 0, 0};
    for (const PathFacts &way : ways) {
      Orders orders = way.compare(way.forms[left], way.forms[right]);
      all.asUnsigned |= orders.asUnsigned;
      all.asSigned |= orders.asSigned;
    }
    if (!all.left.isConstant() && !all.right.isConstant() &&
        (all.asUnsigned != 7 || all.asSigned != 7) &&
        entry.relations.size() < kMaxRelations)
      entry.relations.push_back(all);
  }
  return entry;
}
