// Installation and runs of the reference machine.
#include "test/Reference/Machine.h"
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
    // sta-6: L1 has one copy in each cluster, of which a message uses that of
    // its home cluster.
    bool inL1 = field.space == sema::StateSpace::L1;
    state[field.decl].assign(inL1 ? clusters : 1,
                             Region("state." + field.name, field.size));
  }
}

Region &Machine::field(const sema::StateField &field, const Place &place) {
  std::vector<Region> &copies = state.at(field.decl);
  bool perCluster = field.kind == sema::StateKind::PerClusterAtomic;
  unsigned copy = perCluster ? place.cluster : place.homeCluster;
  return copies[copies.size() > 1 ? copy : 0];
}

Outcome Machine::run(sema::HandlerKind kind, const std::vector<uint8_t> &packet,
                     const Place &place, uint64_t stepLimit) {
  const sema::HandlerInfo *handler = info.handler(kind);
  if (!handler)
    return {};
  return Interpreter(*this, place, stepLimit).run(*handler, packet);
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
