// Plain fields of the state as values: what the handler stored last, or what
// was there when it started. A field belongs to one message (sta-10); header
// and completion handler run alone, and payload handlers do not write it.
#include "dialect/Spin/IR/Numbers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

Form Numbers::messageBytes() {
  return make({AtomKind::Message,
               {},
               StringAttr::get(handler.getContext(), "m.length")});
}

std::optional<Form> Numbers::symbol(StringRef name) {
  if (name == "m.length" && context.getLink() == Link::Portals)
    return messageBytes();
  Operation *declared = context.lookupSymbol(name);
  if (auto host = dyn_cast_or_null<HostOp>(declared))
    return hostBytes(host.getSymNameAttr());
  auto field = dyn_cast_or_null<StateOp>(declared);
  if (field && field.getKind() == StateKind::Param)
    return param(field.getSymNameAttr());
  return field && isTracked(field.getSymNameAttr())
             ? std::optional(
                   make({AtomKind::Field, {}, field.getSymNameAttr()}))
             : std::nullopt;
}

/// Whether only loads and stores of the whole field touch it.
bool Numbers::isTracked(StringAttr name) {
  if (!std::exchange(fieldsAreNoted, true))
    context.walk([&](Operation *op) {
      auto store = dyn_cast<StateStoreOp>(op);
      if (store && handler->isAncestor(op))
        fieldStores.push_back(store);
      if (isa<StateSliceOp, StateCopyOp>(op))
        sliced.insert(op->getAttrOfType<FlatSymbolRefAttr>("field").getAttr());
    });
  auto field = context.lookupSymbol<StateOp>(name);
  return field && field.getKind() == StateKind::Plain &&
         field.getCount() == 1 && !sliced.contains(name);
}

/// Whether two loads, the first of which is further up, see the same field with
/// no store between them.
bool Numbers::isSameField(StateLoadOp from, StateLoadOp to) {
  StringAttr name = from.getFieldAttr().getAttr();
  return name == to.getFieldAttr().getAttr() && isTracked(name) &&
         llvm::none_of(fieldStores, [&](StateStoreOp store) {
           return store.getFieldAttr().getAttr() == name &&
                  isReached(store, from, to);
         });
}

bool Numbers::isStoredIn(Region &region, StringAttr name) const {
  return llvm::any_of(fieldStores, [&](StateStoreOp store) {
    return store.getFieldAttr().getAttr() == name &&
           region.isAncestor(store->getParentRegion());
  });
}

/// Whether control never reaches the end of the region.
static bool leaves(Region &region) {
  return isa_and_nonnull<ExitOp>(region.front().getTerminator()->getPrevNode());
}

std::optional<Form> Numbers::fieldAt(Operation *place, StringAttr name) {
  if (!isTracked(name))
    return std::nullopt;
  for (Operation *op = place; op != handler; op = op->getParentOp()) {
    // In a loop, an earlier round may have stored.
    if (op != place && !isa<scf::IfOp>(op) &&
        llvm::any_of(op->getRegions(),
                     [&](Region &region) { return isStoredIn(region, name); }))
      return std::nullopt;
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode()) {
      auto store = dyn_cast<StateStoreOp>(before);
      if (store && store.getFieldAttr().getAttr() == name)
        return number(store.getValue());
      for (Region &region : before->getRegions())
        if (isStoredIn(region, name) &&
            !(isa<scf::IfOp>(before) && leaves(region)))
          return std::nullopt;
    }
  }
  return make({AtomKind::Field, {}, name});
}

std::optional<Form> Numbers::formAt(Operation *place, const Form &form) {
  Form result(form.constant);
  for (const auto &[atom, factor] : form.terms) {
    std::optional<Form> value = atom->kind == AtomKind::Field
                                    ? fieldAt(place, atom->name)
                                    : std::optional(Form::of(atom));
    if (!value)
      return std::nullopt;
    result = result.plus(*value, factor);
  }
  return result;
}
