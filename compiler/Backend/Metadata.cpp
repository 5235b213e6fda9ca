// Writes the metadata from what Sema, the prover, the linker and the cycle
// analysis found out. Addresses are those of the linked image.
#include "compiler/Backend/Metadata.h"
#include "compiler/AST/Ast.h"
#include "compiler/Backend/HandlerChecks.h"
#include "compiler/Wcet/ReportJson.h"
#include "runtime/abi/pspin.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::backend;

namespace {

constexpr int formatVersion = 1;

StringRef linkName(sema::Link link) {
  switch (link) {
  case sema::Link::Ethernet:
    return "ethernet";
  case sema::Link::Ip:
    return "ip";
  case sema::Link::Portals:
    return "portals";
  }
  llvm_unreachable("all links are covered");
}

class MetadataWriter {
public:
  explicit MetadataWriter(const MetadataInput &input) : input(input) {}

  json::Object program() {
    json::Array contexts;
    for (const auto &info : input.info->contexts)
      contexts.push_back(context(*info));
    json::Array loops;
    for (const LoopSpec &spec : input.facts->loops)
      loops.push_back(json::Object{{"id", spec.id},
                                   {"handler", spec.handler},
                                   {"line", spec.line},
                                   {"bound", spec.bound.toJSON()},
                                   {"parent", spec.parent},
                                   {"attempts", toJSON(spec.attempts)}});
    json::Object result{
        {"version", formatVersion},        {"target", isa::nameOf(input.set)},
        {"program", input.program},        {"mtu", input.link.mtu},
        {"lineRate", input.link.lineRate}, {"hpus", input.link.hpus},
        {"contexts", std::move(contexts)}, {"loops", std::move(loops)}};
    if (!input.facts->totals.empty())
      result["totals"] = totals();
    if (input.rejected)
      result["rejected"] = rejected();
    return result;
  }

private:
  json::Array totals() const {
    json::Array list;
    for (const SharedTotal &total : input.facts->totals) {
      json::Array loops, weights;
      for (auto [id, weight] : total.weights) {
        loops.push_back(id);
        weights.push_back(weight);
      }
      list.push_back(json::Object{{"handler", total.handler},
                                  {"limit", total.limit.toJSON()},
                                  {"loops", std::move(loops)},
                                  {"weights", std::move(weights)}});
    }
    return list;
  }

  json::Array rejected() const {
    json::Array places;
    for (const RejectedAccess &access : *input.rejected) {
      json::Object place{{"code", access.code},
                         {"message", json::fixUTF8(access.message)},
                         {"file", json::fixUTF8(access.file)},
                         {"line", access.line},
                         {"column", access.column}};
      Expected<json::Value> replay = json::parse(access.replay);
      if (replay)
        place["replay"] = std::move(*replay);
      else
        consumeError(replay.takeError());
      places.push_back(std::move(place));
    }
    return places;
  }

  json::Value context(const sema::ContextInfo &info) {
    json::Array rules, state, params, hosts, contracts, handlers;
    for (const sema::MatchRule &rule : info.packet.rules)
      rules.push_back(matchRule(rule));
    for (const sema::StateField &field : info.state) {
      if (field.kind == sema::StateKind::Param) {
        if (numberType(field.type))
          params.push_back(parameter(field));
        else
          addNumbers(field.type, field.name, field.offset, params);
      } else
        state.push_back(stateField(info, field));
    }
    if (info.handler(sema::HandlerKind::Header) && info.handlers.size() > 1)
      state.push_back(verdict(info));
    if (info.host)
      hosts.push_back(info.host->name);
    for (const sema::Contract &contract : info.contracts)
      contracts.push_back(
          json::Object{{"text", contract.text},
                       {"expr", conditionToJson(*contract.condition)}});
    for (size_t i = 0; i < input.facts->handlers.size(); ++i)
      if (input.facts->handlers[i].context == &info)
        handlers.push_back(handler(i));
    return json::Object{
        {"name", info.name},
        {"link", linkName(info.packet.link)},
        {"headerBytes", info.packet.headerBytes},
        {"maxHeaderBytes", info.packet.hasRunTimeSize()
                               ? info.packet.maxHeaderBytes
                               : info.packet.headerBytes},
        {"match", std::move(rules)},
        {"portalsMatch", portalsMatch(info)},
        {"assumptions", assumptions(info)},
        {"state", std::move(state)},
        {"params", std::move(params)},
        {"paramsAddress",
         info.paramBytes ? input.layout->loadAddress(addressOf(info, "params"))
                         : 0},
        {"paramsSize", info.paramBytes},
        {"hosts", std::move(hosts)},
        {"contracts", std::move(contracts)},
        {"handlers", std::move(handlers)}};
  }

  static json::Value matchRule(const sema::MatchRule &rule) {
    return json::Object{{"offset", rule.offset},
                        {"width", rule.width},
                        {"mask", rule.mask},
                        {"min", rule.min},
                        {"max", rule.max},
                        {"order", rule.order == ByteOrder::Big ? "be" : "le"}};
  }

  static json::Value portalsMatch(const sema::ContextInfo &info) {
    if (!info.portals)
      return nullptr;
    return json::Object{{"bits", info.portals->bits},
                        {"ignore", info.portals->ignore}};
  }

  /// What the proofs take from the card.
  static json::Value assumptions(const sema::ContextInfo &info) {
    return info.packet.link == sema::Link::Portals ? json::Array{kMessageLaw}
                                                   : json::Array{};
  }

  const ImageSymbol &symbolOf(const sema::ContextInfo &info, StringRef name) {
    auto symbol = input.layout->symbols.find((info.name + "." + name).str());
    assert(symbol != input.layout->symbols.end() &&
           "state and parameter blocks are symbols of the image");
    return symbol->second;
  }

  uint64_t addressOf(const sema::ContextInfo &info, StringRef name) {
    return symbolOf(info, name).address;
  }

  /// The integer that a parameter is, or null.
  static const Type *numberType(const Type *type) {
    if (const auto *enumeration = dynAs<EnumType>(type))
      return enumeration->underlying;
    return type->is(TypeKind::Int) ? type : nullptr;
  }

  static json::Value parameter(const sema::StateField &field) {
    json::Array where;
    for (const ast::Expr *condition : field.where)
      where.push_back(conditionToJson(*condition));
    return json::Object{{"name", field.name},
                        {"type", numberType(field.type)->str()},
                        {"offset", field.offset},
                        {"where", std::move(where)}};
  }

  /// The numbers in a struct or array, as parameters of their own: `limits[3]`,
  /// `route.port`. Those of very large tables are set with the whole block
  /// only.
  static void addNumbers(const Type *type, const std::string &name,
                         unsigned offset, json::Array &params) {
    constexpr uint64_t mostElements = 1024;
    if (const Type *number = numberType(type)) {
      params.push_back(json::Object{{"name", name},
                                    {"type", number->str()},
                                    {"offset", offset},
                                    {"where", json::Array()}});
    } else if (const auto *array = dynAs<ArrayType>(type)) {
      unsigned size = sizeInBytes(array->element);
      for (uint64_t i = 0; i < array->count && array->count <= mostElements;
           ++i)
        addNumbers(array->element, name + "[" + std::to_string(i) + "]",
                   offset + unsigned(i) * size, params);
    } else if (const auto *record = dynAs<StructType>(type)) {
      for (const StructField &field : record->fields)
        addNumbers(field.type, name + "." + field.name, offset + field.offset,
                   params);
    }
  }

  static StringRef kindName(sema::StateKind kind) {
    switch (kind) {
    case sema::StateKind::Param:
      return "param";
    case sema::StateKind::Plain:
      return "plain";
    case sema::StateKind::PerHpu:
      return "per_hpu";
    case sema::StateKind::Atomic:
    case sema::StateKind::PerClusterAtomic:
      return "atomic";
    case sema::StateKind::Guarded:
      return "guarded";
    case sema::StateKind::Lock:
      return "lock";
    }
    llvm_unreachable("all kinds are covered");
  }

  json::Value stateField(const sema::ContextInfo &info,
                         const sema::StateField &field) {
    bool inL1 = field.space == sema::StateSpace::L1;
    bool isPlain = field.kind == sema::StateKind::Plain;
    StringRef messages = inL1 ? "messages" : "messages_l2";
    uint64_t address = isPlain ? addressOf(info, messages) + field.offset
                               : addressOf(info, field.name);
    json::Object object{
        {"name", field.name},
        {"type", field.element->str()},
        {"count", field.count},
        {"kind", kindName(field.kind)},
        {"perCluster", field.kind == sema::StateKind::PerClusterAtomic ||
                           field.kind == sema::StateKind::PerHpu},
        {"space", inL1 ? "l1" : "l2"},
        {"address", inL1 ? address - PSPIN_L1_ALIAS : address},
        {"size", field.size}};
    if (isPlain) {
      const sema::MessageBlock &block =
          inL1 ? info.l1Messages : info.l2Messages;
      object["copies"] = block.copies;
      object["stride"] = block.stride;
    } else if (field.kind == sema::StateKind::PerHpu) {
      // What a cluster has: the copies of its HPUs, one behind the other.
      uint64_t size = symbolOf(info, field.name).size;
      object["size"] = size;
      object["hpuStride"] = size / PSPIN_HPUS_PER_CLUSTER;
      // Others in a lock's queue write the place of the one before them.
      object["shared"] = field.decl == nullptr;
    } else if (inL1 && field.kind != sema::StateKind::PerClusterAtomic) {
      object["homeCluster"] = info.homeCluster;
    }
    return object;
  }

  /// The hidden byte behind the plain fields (hdl-9).
  json::Value verdict(const sema::ContextInfo &info) {
    const sema::MessageBlock &block = info.l1Messages;
    return json::Object{
        {"name", "spin.verdict"},
        {"type", "u8"},
        {"count", 1},
        {"kind", "plain"},
        {"perCluster", false},
        {"space", "l1"},
        {"address", addressOf(info, "messages") + block.bytes - PSPIN_L1_ALIAS},
        {"size", 1},
        {"copies", block.copies},
        {"stride", block.stride}};
  }

  json::Value handler(size_t index) {
    const HandlerFacts &facts = input.facts->handlers[index];
    const sema::HandlerInfo &info = *facts.handler;
    SourceRange place = info.decl->range;
    json::Object symbols;
    for (const auto &[name, range] : facts.symbols)
      symbols[name] = json::Array{range.low, range.high};
    auto stack = input.stack->find(info.symbol);
    return json::Object{
        {"kind", ast::spelling(info.kind)},
        {"symbol", info.symbol},
        {"line", place.file ? place.file->lineColumn(place.begin).line : 0},
        {"budget", budget(facts)},
        {"bound", bound(input.bounds[index])},
        {"stackBytes", stack == input.stack->end() ? 0 : stack->second},
        {"symbols", std::move(symbols)}};
  }

  static json::Value budget(const HandlerFacts &facts) {
    if (facts.budgets.empty())
      return nullptr;
    json::Array clauses;
    for (const BudgetClause &clause : facts.budgets) {
      json::Value count = clause.cycles.toJSON();
      if (clause.lengths)
        count.getAsObject()->insert(
            {"lengths",
             json::Array{clause.lengths->low, clause.lengths->high}});
      clauses.push_back(std::move(count));
    }
    return json::Object{{"text", facts.budgetText},
                        {"cycles", std::move(clauses)}};
  }

  static json::Value bound(const HandlerBound &bound) {
    json::Array assumptions;
    for (const std::string &assumption : bound.assumptions)
      assumptions.push_back(assumption);
    return json::Object{{"cycles", toJSON(bound.cycles)},
                        {"worst", bound.worst},
                        {"figures", figuresToJSON(bound)},
                        {"assumptions", std::move(assumptions)}};
  }

  const MetadataInput &input;
};

} // namespace

std::string spinc::backend::makeMetadata(const MetadataInput &input) {
  std::string text;
  raw_string_ostream out(text);
  out << json::Value(MetadataWriter(input).program()) << '\n';
  return text;
}
