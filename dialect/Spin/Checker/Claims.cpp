#include "dialect/Spin/Checker/Claims.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::checker;

StringRef spinc::spin::checker::nextWord(StringRef &text) {
  auto [word, rest] = text.ltrim(' ').split(' ');
  text = rest;
  return word;
}

Int spinc::spin::checker::toInt(StringRef word) {
  llvm::APInt value;
  bool isNegative = word.consume_front("-");
  if (word.getAsInteger(10, value))
    return Int(0);
  Int result(value.zext(value.getBitWidth() + 1));
  return isNegative ? -result : result;
}

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

/// Reads `constant {coefficient value}` up to `;`. A value is its number, with
/// `s` behind it if it is read as signed; a slice stands for its length.
std::optional<Form> Induction::readForm(StringRef &text) {
  Form result(toInt(nextWord(text)));
  for (StringRef word; (word = nextWord(text)) != ";";) {
    StringRef name = nextWord(text);
    bool isSigned = name.consume_back("s");
    unsigned index;
    Value read = name.getAsInteger(10, index) ? Value() : value(index);
    if (!read || !isa<IntegerType, SliceType>(read.getType()))
      return std::nullopt;
    result = result.plus(
        isa<SliceType>(read.getType()) ? length(read) : number(read, isSigned),
        toInt(word));
  }
  return result;
}

bool Induction::readClaims(Operation *loop) {
  Claims read;
  read.variables = variablesOf(loop);
  auto attribute = loop->getAttrOfType<StringAttr>("spin.claims");
  StringRef text = attribute ? attribute.getValue() : "";
  while (!text.empty()) {
    StringRef kind = nextWord(text);
    if (kind == "rank")
      read.step = toInt(nextWord(text));
    std::optional<Form> form = readForm(text);
    if (!form || llvm::any_of(form->terms, [&](const auto &term) {
          return !llvm::is_contained(read.variables.arguments,
                                     term.first->value) &&
                 !isFixed(term.first);
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

Obligations Induction::obligations() {
  auto op = dyn_cast<MeaningOpInterface>(at);
  if (!op || (isLoop(at) && !readClaims(at)))
    return {Obligation::impossible()};
  Obligations result = op.getObligations(*this);
  addClaims(result);
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
