#include "dialect/Spin/Certify/SearchFacts.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;

SmallVector<Value> SearchFacts::knownConditions(size_t mark) const {
  SmallVector<Value> result;
  for (const Event &event : ArrayRef(trail).drop_front(mark))
    if (event.kind == Event::Known)
      result.push_back(event.condition);
  return result;
}

const Constraints &SearchFacts::inherited() {
  if (!left)
    left = handler.getKind() == HandlerKind::Header || handler.isFunction()
               ? Constraints()
               : headerClaims();
  return *left;
}

/// Entries of the same event at the same place of the trail are still true.
void SearchFacts::forgetUndone() {
  while (!covered.empty() &&
         (covered.size() > trail.size() ||
          trail[covered.size() - 1].serial != covered.back().serial)) {
    for (AtomId atom : covered.back().atoms)
      told[atom].pop_back();
    covered.pop_back();
  }
}

ArrayRef<SearchFacts::Told> SearchFacts::toldOf(AtomId atom) {
  forgetUndone();
  while (covered.size() < trail.size()) {
    const Event &event = trail[covered.size()];
    covered.push_back({event.serial, {}});
    if (event.kind != Event::Known)
      continue;
    for (auto [part, fact] : llvm::enumerate(truthOf(event.condition))) {
      SmallVector<AtomId> names;
      mention(fact.form, names);
      for (size_t i = 0, count = names.size(); i < count; ++i)
        if (names[i]->value)
          mention(names[i]->top, names);
      for (AtomId name : names) {
        told[name].push_back({event.condition, unsigned(part), event.serial});
        covered.back().atoms.push_back(name);
      }
    }
  }
  auto found = told.find(atom);
  return found == told.end() ? ArrayRef<Told>() : ArrayRef(found->second);
}

void SearchFacts::noteLoad(Operation *op) {
  auto field = dyn_cast<StateLoadOp>(op);
  if (!(field || isa<LoadOp, WireLoadOp>(op)) ||
      loadPlaces.count(op->getResult(0)))
    return;
  auto place = packetPlace(op->getResult(0));
  std::string text;
  llvm::raw_string_ostream out(text);
  if (field)
    out << field.getFieldAttr();
  else if (!place)
    return;
  else
    out << place->first.constant;
  for (const auto &[id, factor] : place ? place->first.terms : Form().terms)
    out << ' ' << factor << '*' << id;
  auto &same = *loads.try_emplace(text).first;
  loadPlaces[op->getResult(0)] = {same.first, same.second.size()};
  same.second.push_back(op->getResult(0));
}

SmallVector<Value> SearchFacts::loadsLike(Value loaded) const {
  auto [place, earlier] = loadPlaces.lookup(loaded);
  auto same = loads.find(place.str());
  if (same == loads.end())
    return {};
  return SmallVector<Value>(ArrayRef(same->second).take_front(earlier));
}
