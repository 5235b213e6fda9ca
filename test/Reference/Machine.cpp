// Installation and runs of the reference machine.
#include "test/Reference/Machine.h"
#include "runtime/abi/pspin.h"
#include "test/Reference/Interpreter.h"

using namespace spinc;
using namespace spinc::reference;

Machine::Machine(const sema::ContextInfo &info, unsigned clusters,
                 unsigned hpus, size_t hostBytes)
    : info(info), clusters(clusters), hpus(hpus), host("host", hostBytes) {
  for (const sema::StateField &field : info.state) {
    if (field.kind == sema::StateKind::Param) {
      params[field.decl] = 0;
      continue;
    }
    // One handler runs at a time: a lock is free whenever one is taken.
    if (field.kind == sema::StateKind::Lock || !field.decl)
      continue;
    state[field.decl].assign(copiesOf(field),
                             Region("state." + field.name, field.size));
  }
}

/// Plain state belongs to the message (sta-10), per_cluster state to the
/// cluster, per_hpu state to the HPU (sta-11), the rest to the context.
size_t Machine::copiesOf(const sema::StateField &field) const {
  switch (field.kind) {
  case sema::StateKind::Plain:
    return PSPIN_MESSAGE_QUEUES;
  case sema::StateKind::PerClusterAtomic:
    return clusters;
  case sema::StateKind::PerHpu:
    return hpus;
  default:
    return 1;
  }
}

Region &Machine::field(const sema::StateField &field, const Place &place) {
  std::vector<Region> &copies = state.at(field.decl);
  if (field.kind == sema::StateKind::PerHpu)
    return copies[place.hpu];
  bool perMessage = field.kind == sema::StateKind::Plain;
  return copies[copies.size() == 1 ? 0
                : perMessage       ? place.flow % copies.size()
                                   : place.cluster];
}

Outcome Machine::run(sema::HandlerKind kind, const std::vector<uint8_t> &packet,
                     const Place &place, uint64_t stepLimit) {
  const sema::HandlerInfo *handler = info.handler(kind);
  if (!handler)
    return {};
  bool isHeader = kind == sema::HandlerKind::Header;
  Outcome outcome;
  if (!isHeader && dropped.count(place.flow)) {
    outcome.code = kind == sema::HandlerKind::Payload ? PSPIN_RETURN_DROP
                                                      : PSPIN_RETURN_SUCCESS;
    return outcome;
  }
  outcome = Interpreter(*this, place, stepLimit).run(*handler, packet);
  if (isHeader && outcome.code != PSPIN_RETURN_PROCESS_DATA)
    dropped.insert(place.flow);
  else if (isHeader)
    dropped.erase(place.flow);
  return outcome;
}

bool Machine::mayBeInstalled() {
  Interpreter rules(*this, {}, 100000);
  for (const sema::StateField &field : info.state)
    for (const ast::Expr *condition : field.where)
      if (!rules.holds(*condition))
        return false;
  for (const sema::Contract &contract : info.contracts)
    if (!rules.holds(*contract.condition))
      return false;
  return true;
}
