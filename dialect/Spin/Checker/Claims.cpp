#include "dialect/Spin/Checker/Claims.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::checker;

/// Whether the atom keeps its value while the loop at this place runs.
bool Induction::isFixed(AtomId atom) const {
  auto areFixed = [&](const Form &form) {
    return llvm::all_of(form.terms,
                        [&](const auto &term) { return isFixed(term.first); });
  };
  return (!atom->value || isAvailable(atom->value)) && areFixed(atom->top) &&
         areFixed(atom->bottom) &&
         llvm::all_of(atom->factors,
                      [&](AtomId part) { return isFixed(part); });
}

bool Induction::readClaims(Operation *loop) {
  Claims read;
  // Handlers have only names in common.
  auto mayMention = [&](AtomId atom) {
    return isa<HandlerOp>(loop)
               ? bool(atom->name)
               : llvm::is_contained(read.variables.arguments, atom->value) ||
                     isFixed(atom);
  };
  read.variables = variablesOf(loop);
  auto attribute = llvm::dyn_cast_or_null<StringAttr>(
      loop->getDiscardableAttr("spin.claims"));
  StringRef text = attribute ? attribute.getValue() : "";
  while (!text.empty()) {
    StringRef kind = nextWord(text);
    if (kind == "rank")
      read.step = toInt(nextWord(text));
    std::optional<Form> form = readForm(text);
    if (!form || llvm::any_of(form->terms, [&](const auto &term) {
          return !mayMention(term.first);
        }))
      return false;
    (kind == "inv" ? read.invariants.emplace_back() : read.measure) = *form;
    read.rank = kind == "rank"     ? Claims::Linear
                : kind == "halve"  ? Claims::Halving
                : kind == "double" ? Claims::Doubling
                                   : read.rank;
  }
  loops[loop] = std::move(read);
  return true;
}

/// Inside of the loop its invariants hold for its variables; behind it, for its
/// results.
Constraints Induction::invariantsOf(Value argument) {
  Block *block = argument.getParentBlock();
  Operation *loop = block->getParentOp();
  auto found = loops.find(loop);
  if (found == loops.end() || isa<OpResult>(argument))
    return {};
  const Claims &claims = found->second;
  bool isInside = loop->isProperAncestor(at), isWhile = isa<scf::WhileOp>(loop);
  if (!isInside &&
      !(isWhile ? opened.contains(block) : isAvailable(loop->getBlock(), loop)))
    return {};
  Constraints result;
  for (const Form &form : claims.invariants)
    result.push_back({isInside || isWhile
                          ? form
                          : substitute(form, claims.variables,
                                       claims.variables.results, *this)
                                .value_or(Form())});
  return result;
}

Constraints Induction::headerClaims() {
  Constraints result;
  for (HandlerOp header : context.getBody().getOps<HandlerOp>())
    if (header.getKind() == HandlerKind::Header && readClaims(header))
      for (const Form &form : loops[header].invariants)
        result.push_back({form});
  return result;
}

Obligations Induction::obligations() {
  auto op = dyn_cast<MeaningOpInterface>(at);
  if (!op || (isLoop(at) && !readClaims(at)))
    return {Obligation::impossible()};
  Obligations result = op.getObligations(*this);
  addClaims(result);
  auto guard = dyn_cast<RequireOp>(at);
  if (guard)
    for (Obligation &each : result)
      each.given = {guard.getCondition(), true};
  if (handler.getKind() == HandlerKind::Header &&
      (guard || isa<ReturnOp, ExitOp>(at)))
    for (const Constraint &claim : headerClaims()) {
      std::optional<Form> goal = formAt(at, claim.form);
      result.push_back(goal ? Obligation{{*goal}} : Obligation::impossible());
      if (guard)
        result.back().given = {guard.getCondition(), false};
    }
  return result;
}

void Induction::addClaims(Obligations &to) {
  auto add = [&](const std::optional<Form> &goal) {
    to.push_back(goal ? Obligation{{*goal}} : Obligation::impossible());
  };
  bool isEnd = loopEndedBy(at),
       isStart = isa<RequireOp, scf::ConditionOp>(at) &&
                 roundStart(at->getParentOp()) == at;
  Operation *loop = isEnd || isStart ? at->getParentOp() : at;
  if (!isLoop(loop))
    return;
  const Claims &all = loops[loop];
  const LoopVariables &variables = all.variables;
  auto with = [&](const Form &form, ArrayRef<Value> values) {
    return substitute(form, variables, values, *this);
  };
  if (!isStart)
    for (const Form &form : all.invariants)
      add(with(form, isEnd ? variables.yields : variables.inits));
  if (isEnd && all.rank != Claims::None) {
    std::optional<Form> next = with(all.measure, variables.yields);
    Form now = all.measure;
    if (next)
      next = all.rank == Claims::Linear ? now.minus(*next).plus(Form(-all.step))
             : all.rank == Claims::Halving ? now.minus(next->times(Int(2)))
                                           : next->minus(now.times(Int(2)));
    add(next);
  }
  auto attribute = loop->getAttrOfType<BoundAttr>("spin.bound");
  if (isEnd || !attribute)
    return;
  std::optional<Form> most = bound(attribute);
  bool isGeometric =
      all.rank == Claims::Halving || all.rank == Claims::Doubling;
  if (!most || (all.rank != Claims::None && !roundStart(loop)) ||
      (all.rank == Claims::Linear && all.step < 1) ||
      (isGeometric &&
       (!most->isConstant() || most->constant > 128 || most->constant < 0)))
    return to.push_back(Obligation::impossible());
  // 2^bound - 1, which as many halvings make 0.
  Form largest =
      isGeometric ? Form(powerOfTwo(int64_t(most->constant)) - 1) : Form();
  if (isStart) {
    if (all.rank != Claims::None)
      add(all.measure.plus(Form(Int(-1))));
    if (all.rank == Claims::Doubling)
      add(largest.minus(all.measure));
    return;
  }
  to.push_back({{*most}, true});
  std::optional<Form> first = with(all.measure, variables.inits);
  if (all.rank == Claims::None)
    add(spareRounds(loop, *most, *this));
  else if (all.rank != Claims::Doubling)
    add(first ? std::optional(all.rank == Claims::Linear
                                  ? most->times(all.step).minus(*first)
                                  : largest.minus(*first))
              : std::nullopt);
}
