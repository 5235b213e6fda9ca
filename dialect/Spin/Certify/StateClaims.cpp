// Templates over the fields, each with the least constant that the ends of the
// header handler allow. A field that is a constant at each end, as the hidden
// verdict is (hdl-9), tells the ends apart: for one of its values a template
// may be larger, and a multiple of the field makes up for that elsewhere.
#include "dialect/Spin/Certify/StateClaims.h"
#include <set>

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;

/// How claims spell the bytes of a message.
static constexpr llvm::StringLiteral messageLength = "m.length";

namespace {

class StateGuesser {
public:
  explicit StateGuesser(HandlerOp header) : header(header), facts(header) {}
  std::vector<std::string> run(bool relations);

private:
  using Terms = SmallVector<std::pair<Int, StringRef>, 3>;
  struct Template {
    Terms terms;
    /// The least value at each end.
    std::vector<Int> least;
  };
  void findFields();
  void addTemplates(bool relations);
  void measure();
  void claim(const Template &from);
  void claimByTag(const Template &from, const Int &overall);
  void write(const Int &constant, const Terms &terms);
  Form form(const Terms &terms);
  Int trivial(const Terms &terms);

  HandlerOp header;
  SearchFacts facts;
  std::vector<std::string> fields;
  std::vector<Template> templates;
  /// Fields with the constant that they are at each end.
  std::map<StringRef, std::vector<std::optional<Int>>> tags;
  std::vector<std::string> result;
};

/// Those that the header handler stores and a later one loads.
void StateGuesser::findFields() {
  constexpr size_t maxFields = 8;
  std::set<std::string> stored, loaded;
  facts.context.walk([&](Operation *op) {
    if (auto store = dyn_cast<StateStoreOp>(op);
        store && header->isAncestor(op))
      stored.insert(store.getField().str());
    if (auto load = dyn_cast<StateLoadOp>(op); load && !header->isAncestor(op))
      loaded.insert(load.getField().str());
  });
  for (const std::string &field : stored)
    if (loaded.count(field) && facts.symbol(field) && fields.size() < maxFields)
      fields.push_back(field);
}

Form StateGuesser::form(const Terms &terms) {
  Form sum;
  for (const auto &[factor, name] : terms)
    sum = sum.plus(*facts.symbol(name), factor);
  return sum;
}

/// What the types alone say.
Int StateGuesser::trivial(const Terms &terms) {
  Int least(0);
  for (const auto &[factor, name] : terms) {
    auto field = facts.context.lookupSymbol<StateOp>(name);
    unsigned width = field ? field.getElement().getIntOrFloatBitWidth() : 32;
    if (factor < 0)
      least += factor * meaning::limits(width, false).second;
  }
  return least;
}

void StateGuesser::addTemplates(bool relations) {
  Int one(1), minus(-1);
  for (StringRef field : fields)
    for (const Int &sign : {one, minus})
      templates.push_back({{{sign, field}}, {}});
  if (!relations)
    return;
  std::vector<StringRef> others;
  for (Operation &op : facts.context.getBody().front()) {
    auto field = dyn_cast<StateOp>(op);
    if (isa<HostOp>(op) || (field && field.getKind() == StateKind::Param))
      others.push_back(SymbolTable::getSymbolName(&op).getValue());
  }
  bool hasLength = facts.symbol(messageLength).has_value();
  if (hasLength)
    others.push_back(messageLength);
  for (auto [i, field] : llvm::enumerate(fields)) {
    for (StringRef other : llvm::ArrayRef(fields).take_front(i))
      for (const Int &sign : {one, minus}) {
        templates.push_back({{{sign, field}, {-sign, other}}, {}});
        templates.push_back({{{sign, field}, {sign, other}}, {}});
      }
    for (StringRef other : others) {
      for (const Int &sign : {one, minus})
        templates.push_back({{{sign, field}, {-sign, other}}, {}});
      // Where the message ends that begins there.
      if (hasLength && other != messageLength)
        templates.push_back(
            {{{minus, field}, {minus, messageLength}, {one, other}}, {}});
    }
  }
}

/// Notes what each template and each field are at the ends.
void StateGuesser::measure() {
  facts.walk([&](Operation *op) {
    if (meaning::isLoop(op))
      facts.readClaims(op);
    facts.noteLoad(op);
    auto require = dyn_cast<RequireOp>(op);
    if (!require && !isa<ReturnOp, ExitOp>(op))
      return;
    size_t mark = facts.mark();
    if (require)
      facts.assume(require.getCondition(), false);
    if (!facts.isDead()) {
      for (Template &each : templates) {
        std::optional<Form> value = facts.formAt(op, form(each.terms));
        meaning::Obligation nothing;
        std::optional<Int> least =
            value ? Search(facts, nothing).minimum(*value) : std::nullopt;
        Int floor = trivial(each.terms);
        each.least.push_back(least && *least > floor ? *least : floor);
      }
      for (StringRef field : fields) {
        std::optional<Form> value = facts.formAt(op, *facts.symbol(field));
        tags[field].push_back(value && value->isConstant()
                                  ? std::optional(value->constant)
                                  : std::nullopt);
      }
    }
    facts.undo(mark);
  });
}

void StateGuesser::write(const Int &constant, const Terms &terms) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "inv " << constant << ' ';
  for (const auto &[factor, name] : terms)
    out << factor << " @" << name << ' ';
  out << "; ";
  if (!llvm::is_contained(result, text))
    result.push_back(text);
}

void StateGuesser::claim(const Template &from) {
  if (from.least.empty())
    return;
  Int overall = *llvm::min_element(from.least);
  if (overall > trivial(from.terms))
    write(-overall, from.terms);
  claimByTag(from, overall);
}

void StateGuesser::claimByTag(const Template &from, const Int &overall) {
  for (const auto &[tag, values] : tags) {
    StringRef name = tag;
    if (llvm::is_contained(values, std::nullopt) ||
        llvm::any_of(from.terms,
                     [&](const auto &term) { return term.second == name; }))
      continue;
    for (bool atLeast : {true, false}) {
      // One value of the tag is the least (greatest) of all.
      Int extreme =
          **(atLeast ? llvm::min_element(values) : llvm::max_element(values));
      std::optional<Int> there;
      for (auto [value, least] : llvm::zip_equal(values, from.least))
        if (*value == extreme && (!there || least < *there))
          there = least;
      if (!there || *there <= overall)
        continue;
      // At the other ends the tag is at least 1 away.
      Int makeUp = (*there - overall) * Int(atLeast ? 1 : -1);
      Terms terms = from.terms;
      terms.push_back({makeUp, tag});
      write(-*there - makeUp * extreme, terms);
    }
  }
}

std::vector<std::string> StateGuesser::run(bool relations) {
  constexpr size_t maxClaims = 64;
  findFields();
  if (fields.empty())
    return {};
  addTemplates(relations);
  measure();
  for (const Template &each : templates)
    if (result.size() < maxClaims)
      claim(each);
  return std::move(result);
}

} // namespace

std::vector<std::string> spinc::spin::certify::stateClaims(HandlerOp header,
                                                           bool relations) {
  return StateGuesser(header).run(relations);
}
