// See Metadata.h.
#include "compiler/Wcet/Metadata.h"
#include "compiler/Wcet/Image.h"
#include "compiler/Wcet/Report.h"

using namespace llvm;
using namespace spinc;

static Error malformed(const Twine &what) {
  return make_error<WcetError>(WcetError::Kind::BadElf,
                               ("metadata: " + what).str());
}

static Error readHandler(const json::Object &object, StringRef context,
                         int64_t headerBytes, HandlerEntry &entry) {
  std::optional<StringRef> symbol = object.getString("symbol");
  if (!symbol)
    return malformed("a handler has no 'symbol'");
  entry.spec.symbol = symbol->str();
  entry.name = symbol->str();
  if (std::optional<StringRef> kind = object.getString("kind")) {
    entry.name = "handler " + kind->str() +
                 (context.empty() ? "" : " of " + context.str());
    entry.perPacket = *kind == "payload";
  }
  entry.headerBytes = object.getInteger("headerBytes").value_or(headerBytes);
  if (const json::Object *symbols = object.getObject("symbols"))
    for (const auto &[name, value] : *symbols) {
      const json::Array *pair = value.getAsArray();
      auto bound = [&](size_t at) {
        return pair && pair->size() == 2 ? (*pair)[at].getAsInteger()
                                         : std::nullopt;
      };
      if (!bound(0) || !bound(1))
        return malformed("the range of '" + StringRef(name) +
                         "' is not a pair of numbers");
      if (*bound(0) > *bound(1))
        return malformed("the range of '" + StringRef(name) + "' is empty");
      entry.spec.symbols[StringRef(name).str()] = {*bound(0), *bound(1)};
    }
  const json::Object *budget = object.getObject("budget");
  if (!budget)
    return Error::success();
  entry.budgetText = budget->getString("text").value_or("").str();
  if (const json::Array *clauses = budget->getArray("cycles"))
    for (const json::Value &clause : *clauses) {
      std::optional<SymbolicCount> count = SymbolicCount::fromJSON(clause);
      if (!count)
        return malformed("a budget is not a count");
      entry.budget.push_back({std::move(*count), std::nullopt});
      if (const json::Object *object = clause.getAsObject())
        if (std::optional<StringRef> figure = object->getString("figure")) {
          std::optional<FigureKind> kind = figureNamed(*figure);
          if (!kind)
            return malformed("a budget is on '" + *figure +
                             "', which is no figure");
          entry.budget.back().figure = *kind;
        }
      const json::Array *lengths =
          clause.getAsObject() ? clause.getAsObject()->getArray("lengths")
                               : nullptr;
      if (!lengths)
        continue;
      auto limit = [&](size_t at) {
        return lengths->size() == 2 ? (*lengths)[at].getAsInteger()
                                    : std::nullopt;
      };
      if (!limit(0) || !limit(1))
        return malformed("the lengths of a budget are not a pair of numbers");
      entry.budget.back().lengths = SymbolRange{*limit(0), *limit(1)};
    }
  return Error::success();
}

static Error readHandlers(const json::Array *list, StringRef context,
                          int64_t headerBytes, WcetInput &input) {
  if (!list)
    return Error::success();
  for (const json::Value &value : *list) {
    const json::Object *object = value.getAsObject();
    if (!object)
      return malformed("a handler is not an object");
    input.handlers.emplace_back();
    if (Error error =
            readHandler(*object, context, headerBytes, input.handlers.back()))
      return error;
  }
  return Error::success();
}

/// A loop named by function and place (docs/flow-facts.md).
static Error readHeaderFact(const json::Object &object, HeaderFact &fact) {
  fact.function = object.getString("function").value_or("").str();
  fact.offset = object.getInteger("offset");
  fact.line = object.getInteger("line");
  std::string loop = "the loop of '" + fact.function + "' ";
  if (fact.offset.has_value() == fact.line.has_value())
    return malformed(loop + "needs either 'offset' or 'line'");
  auto read = [&](StringRef key, std::optional<SymbolicCount> &count) -> Error {
    const json::Value *value = object.get(key);
    if (!value)
      return Error::success();
    if (std::optional<int64_t> number = value->getAsInteger()) {
      count = *number;
      if (*number < 1)
        return malformed(loop + "runs its header at least once: '" + key +
                         "' is " + Twine(*number));
    } else if (!(count = SymbolicCount::fromJSON(*value))) {
      return malformed(loop + "has '" + key + "' that is no count");
    }
    return Error::success();
  };
  std::optional<SymbolicCount> iterations;
  if (Error error = read("iterations", iterations))
    return error;
  if (!iterations)
    return malformed(loop + "has no 'iterations'");
  fact.iterations = std::move(*iterations);
  return read("total", fact.total);
}

/// They only explain: what is no attempt is passed over.
static std::vector<LoopAttempt> readAttempts(const json::Array &list) {
  std::vector<LoopAttempt> attempts;
  for (const json::Value &value : list)
    if (const json::Object *object = value.getAsObject())
      attempts.push_back({object->getString("what").value_or("").str(),
                          object->getBoolean("done").value_or(false),
                          object->getString("detail").value_or("").str()});
  return attempts;
}

static Error readLoops(const json::Array *list, WcetInput &input) {
  if (!list)
    return Error::success();
  for (const json::Value &value : *list) {
    const json::Object *object = value.getAsObject();
    if (object && object->get("function")) {
      input.headers.emplace_back();
      if (Error error = readHeaderFact(*object, input.headers.back()))
        return error;
      continue;
    }
    const json::Value *bound = object ? object->get("bound") : nullptr;
    std::optional<SymbolicCount> count =
        bound ? SymbolicCount::fromJSON(*bound) : std::nullopt;
    std::optional<int64_t> id =
        object ? object->getInteger("id") : std::nullopt;
    if (!count || !id)
      return malformed("a loop has no 'id' or no 'bound'");
    LoopSpec loop;
    loop.id = *id;
    loop.handler = object->getString("handler").value_or("").str();
    loop.line = object->getInteger("line").value_or(0);
    loop.parent = object->getInteger("parent").value_or(-1);
    loop.bound = std::move(*count);
    if (const json::Array *attempts = object->getArray("attempts"))
      loop.attempts = readAttempts(*attempts);
    input.loops.push_back(std::move(loop));
  }
  return Error::success();
}

static Error readTotals(const json::Array *list, WcetInput &input) {
  if (!list)
    return Error::success();
  for (const json::Value &value : *list) {
    const json::Object *object = value.getAsObject();
    const json::Value *limit = object ? object->get("limit") : nullptr;
    std::optional<SymbolicCount> count =
        limit ? SymbolicCount::fromJSON(*limit) : std::nullopt;
    const json::Array *loops = object ? object->getArray("loops") : nullptr;
    const json::Array *weights = object ? object->getArray("weights") : nullptr;
    if (!count || !loops || !weights || loops->size() != weights->size())
      return malformed("a total has no 'limit', or 'loops' without 'weights'");
    SharedTotal total{
        object->getString("handler").value_or("").str(), std::move(*count), {}};
    for (auto [loop, weight] : zip(*loops, *weights)) {
      std::optional<int64_t> id = loop.getAsInteger();
      std::optional<int64_t> number = weight.getAsInteger();
      if (!id || !number || *number < 1)
        return malformed("the 'loops' and 'weights' of a total are numbers");
      total.weights[*id] = *number;
    }
    input.totals.push_back(std::move(total));
  }
  return Error::success();
}

Expected<WcetInput> spinc::readWcetInput(StringRef text, bool isForeign) {
  Expected<json::Value> parsed = json::parse(text);
  if (!parsed)
    return malformed(toString(parsed.takeError()));
  const json::Object *root = parsed->getAsObject();
  if (!root)
    return malformed("expected an object");
  WcetInput input;
  input.isForeign = isForeign;
  input.link.lineRate =
      root->getInteger("lineRate").value_or(input.link.lineRate);
  input.link.hpus = root->getInteger("hpus").value_or(input.link.hpus);
  input.link.mtu = root->getInteger("mtu").value_or(input.link.mtu);
  if (input.link.lineRate < 1 || input.link.hpus < 1)
    return malformed("'lineRate' and 'hpus' must be positive");
  if (Error error = readHandlers(root->getArray("handlers"), "", 0, input))
    return std::move(error);
  if (const json::Array *contexts = root->getArray("contexts"))
    for (const json::Value &value : *contexts) {
      const json::Object *context = value.getAsObject();
      if (!context)
        return malformed("a context is not an object");
      if (Error error = readHandlers(
              context->getArray("handlers"),
              context->getString("name").value_or(""),
              context->getInteger("headerBytes").value_or(0), input))
        return std::move(error);
    }
  for (HandlerEntry &handler : input.handlers)
    handler.spec.byRuntime = !isForeign;
  if (Error error = readLoops(root->getArray("loops"), input))
    return std::move(error);
  if (Error error = readTotals(root->getArray("totals"), input))
    return std::move(error);
  return std::move(input);
}

Expected<std::string> spinc::metadataOf(StringRef elf) {
  Expected<wcet::Image> image = wcet::Image::parse(elf);
  if (!image)
    return image.takeError();
  return image->metadata().str();
}
