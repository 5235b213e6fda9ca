// Would a cost that is too low be noticed? Each cost from which bounds are made
// is lowered by one cycle, one kind at a time, while the bound is computed; the
// simulator keeps the true costs. A kind is noticed if some run of the given
// programs then takes longer than its bound. Then each is raised by one cycle:
// no bound may become lower. And last, one event after the other: each single
// cost that is asked for while a bound is computed, an instruction or a way at
// one place for one figure, is raised by one. No figure of the bound may become
// lower at the values of the run.
//
// With --arguments it is not costs that are wrong but what the path search
// believes (argument_mutants.cpp), and nothing is raised.
//
// cost-mutants [--arguments] --card IMAGE… --bare EMPTY [FACTS.json] PROGRAM…
// Bare programs have their code at `_start` and end with exit; EMPTY does
// nothing else. Flow facts are those of the next program.
#include "compiler/Wcet/Machine.h"
#include "compiler/Wcet/Metadata.h"
#include "compiler/Witness/Search.h"
#include "runtime/sim/Bare.h"
#include "test/Wcet/mutants.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace spinc;
using wcet::AccessInfo;
using wcet::MachineState;

const Mutant *spinc::active = nullptr;

namespace {

/// What is added to the active mutant's cost.
int64_t change = -1;
/// Costs that have been asked for, and the one that is raised.
uint64_t events = 0, slowEvent = UINT64_MAX;

int64_t slowed(int64_t cost) { return cost + (events++ == slowEvent); }

} // namespace

// The linker sends the calls of the bound's computation here.
extern "C" {
#define REAL(symbol) __real_##symbol
#define WRAP(symbol) __wrap_##symbol
unsigned REAL(_ZN5spinc3isa10takenExtraERKNS0_4InsnE)(const isa::Insn &);
unsigned WRAP(_ZN5spinc3isa10takenExtraERKNS0_4InsnE)(const isa::Insn &insn) {
  unsigned cost = REAL(_ZN5spinc3isa10takenExtraERKNS0_4InsnE)(insn);
  return slowed(active && active->taken && cost > 0 ? cost + change : cost);
}
unsigned REAL(_ZN5spinc3isa11targetExtraEjj)(uint32_t, unsigned);
unsigned WRAP(_ZN5spinc3isa11targetExtraEjj)(uint32_t target, unsigned length) {
  unsigned cost = REAL(_ZN5spinc3isa11targetExtraEjj)(target, length);
  return slowed(active && active->target && cost > 0 ? cost + change : cost);
}
int64_t REAL(
    _ZN5spinc4wcet15instructionCostERKNS_3isa4InsnERKNS0_10AccessInfoERKNS0_12MachineStateE)(
    const isa::Insn &, const AccessInfo &, const MachineState &);
int64_t WRAP(
    _ZN5spinc4wcet15instructionCostERKNS_3isa4InsnERKNS0_10AccessInfoERKNS0_12MachineStateE)(
    const isa::Insn &insn, const AccessInfo &access,
    const MachineState &state) {
  int64_t cost = REAL(
      _ZN5spinc4wcet15instructionCostERKNS_3isa4InsnERKNS0_10AccessInfoERKNS0_12MachineStateE)(
      insn, access, state);
  bool changes = active && active->instruction &&
                 insn.op != isa::Opcode::Invalid &&
                 active->instruction(insn, access, cost);
  return slowed(cost + changes * change);
}
int64_t REAL(_ZN5spinc4wcet9stallCostERKNS_3isa4InsnERKNS0_10AccessInfoES4_S7_)(
    const isa::Insn &, const AccessInfo &, const isa::Insn &,
    const AccessInfo &);
int64_t WRAP(_ZN5spinc4wcet9stallCostERKNS_3isa4InsnERKNS0_10AccessInfoES4_S7_)(
    const isa::Insn &first, const AccessInfo &firstAccess,
    const isa::Insn &second, const AccessInfo &secondAccess) {
  int64_t cost =
      REAL(_ZN5spinc4wcet9stallCostERKNS_3isa4InsnERKNS0_10AccessInfoES4_S7_)(
          first, firstAccess, second, secondAccess);
  bool changes =
      active && active->stall && cost > 0 && active->stall(first, second);
  return slowed(cost + changes * change);
}
}

namespace {

/// A run that is known, and how its bound is computed.
struct Kernel {
  std::string elf;
  HandlerSpec spec;
  std::vector<LoopSpec> loops;
  WcetOptions how;
  SymbolValues at;
  int64_t cycles = 0;

  /// The bound under the active mutant, for the values of the run.
  Expected<int64_t> bound() const {
    Expected<std::vector<HandlerBound>> found =
        boundHandlers(elf, spec, loops, how);
    if (!found)
      return found.takeError();
    return found->front().evaluate(at).value_or(INT64_MAX);
  }
};

std::vector<Mutant> makeMutants() {
  using isa::TimingClass;
  std::vector<Mutant> mutants;
  const std::pair<const char *, TimingClass> classes[] = {
      {"alu", TimingClass::Alu},
      {"mulh", TimingClass::MulHigh},
      {"divide", TimingClass::Divide},
      {"branch", TimingClass::Branch},
      {"jump", TimingClass::Jump},
      {"jump to register", TimingClass::JumpRegister},
      {"csr", TimingClass::Csr},
      {"fence", TimingClass::Fence},
      {"hardware loop", TimingClass::HwLoop}};
  for (auto [name, timing] : classes)
    mutants.push_back(
        {name,
         [timing = timing](const isa::Insn &insn, const AccessInfo &, int64_t) {
           return isa::info(insn.op).timing == timing;
         },
         nullptr});
  using isa::Region;
  auto access = [&](const char *name, Region region,
                    bool (*is)(const isa::Insn &)) {
    mutants.push_back(
        {name,
         [=](const isa::Insn &insn, const AccessInfo &where, int64_t) {
           return where.exists && where.region == region && is(insn);
         },
         nullptr});
  };
  auto loads = [](const isa::Insn &insn) { return isa::isLoad(insn); };
  auto stores = [](const isa::Insn &insn) { return isa::isStore(insn); };
  auto atomics = [](const isa::Insn &insn) { return isa::isAtomic(insn); };
  access("load from own L1", Region::OwnL1, loads);
  access("store to own L1", Region::OwnL1, stores);
  access("atomic on own L1", Region::OwnL1, atomics);
  access("load from L2", Region::L2Handler, loads);
  access("store to L2", Region::L2Handler, stores);
  access("atomic on L2", Region::L2Handler, atomics);
  access("load from the HPU driver", Region::HpuDriver, loads);
  access("store to the HPU driver", Region::HpuDriver, stores);
  mutants.push_back(
      {"misaligned access",
       [](const isa::Insn &, const AccessInfo &where, int64_t cost) {
         return where.exists && where.region == Region::OwnL1 &&
                cost == 1 + int64_t(isa::misalignedExtra);
       },
       nullptr});
  mutants.push_back({"use of a loaded value", nullptr,
                     [](const isa::Insn &first, const isa::Insn &second) {
                       return isa::isLoad(first) && !isa::isIndirect(second);
                     }});
  mutants.push_back({"bank of an atomic", nullptr,
                     [](const isa::Insn &first, const isa::Insn &) {
                       return isa::isAtomic(first);
                     }});
  mutants.push_back({"jump to a register just written", nullptr,
                     [](const isa::Insn &, const isa::Insn &second) {
                       return isa::isIndirect(second);
                     }});
  mutants.push_back({"taken branch", nullptr, nullptr, /*taken=*/true});
  mutants.push_back(
      {"target across two lines", nullptr, nullptr, false, /*target=*/true});
  return mutants;
}

std::string contentsOf(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The handlers of a card's image with the dearest runs that are found.
Error addCard(StringRef path, std::vector<Kernel> &kernels) {
  std::string elf = contentsOf(path);
  Expected<std::string> text = metadataOf(elf);
  if (!text)
    return text.takeError();
  Expected<WcetInput> input = readWcetInput(*text, /*isForeign=*/false);
  if (!input)
    return input.takeError();
  Expected<witness::Program> program = witness::Program::read(elf);
  if (!program)
    return program.takeError();
  WcetOptions how;
  how.totals = input->totals;
  for (const HandlerEntry &handler : input->handlers) {
    Expected<std::vector<HandlerBound>> bound =
        boundHandlers(elf, handler.spec, input->loops, how);
    if (!bound)
      return bound.takeError();
    auto found = witness::findWitness(*program, bound->front(), {100, 1});
    if (!found)
      return found.takeError();
    if (*found)
      kernels.push_back({elf, handler.spec, input->loops, how, (*found)->at,
                         (*found)->cycles});
  }
  return Error::success();
}

/// A bare program; `ending` cycles of its bound are not counted by a run.
Error addBare(StringRef path, const WcetInput &facts, int64_t ending,
              std::vector<Kernel> &kernels) {
  Kernel kernel;
  kernel.loops = facts.loops;
  kernel.how.headers = facts.headers;
  kernel.elf = contentsOf(path);
  kernel.spec.symbol = "_start";
  kernel.how.bareMemory = true;
  sim::Image image;
  std::string error, output;
  if (!image.read(kernel.elf.data(), kernel.elf.size(), error))
    return createStringError(error);
  sim::BareOptions options;
  options.engine.kind = sim::EngineKind::Simple;
  sim::BareResult result = sim::runBare(image, options, output);
  if (!result.exited)
    return createStringError(path + ": " + result.error);
  kernel.cycles = int64_t(result.cycles) + ending;
  kernels.push_back(std::move(kernel));
  return Error::success();
}

Error collect(ArrayRef<const char *> arguments, std::vector<Kernel> &kernels) {
  bool bare = false;
  std::optional<int64_t> ending;
  WcetInput facts;
  for (StringRef argument : arguments) {
    if (argument == "--card" || argument == "--bare") {
      bare = argument == "--bare";
      continue;
    }
    if (!bare) {
      if (Error error = addCard(argument, kernels))
        return error;
      continue;
    }
    if (argument.ends_with(".json")) {
      Expected<WcetInput> read =
          readWcetInput(contentsOf(argument), /*isForeign=*/true);
      if (!read)
        return read.takeError();
      facts = std::move(*read);
      continue;
    }
    if (Error error = addBare(argument, facts, ending.value_or(0), kernels))
      return error;
    facts = {};
    if (ending)
      continue;
    Expected<int64_t> bound = kernels.back().bound();
    if (!bound)
      return bound.takeError();
    ending = *bound - kernels.back().cycles;
    kernels.back().cycles = *bound;
  }
  return Error::success();
}

/// Each cost one cycle lower, or an argument broken: how many kinds no run
/// notices, or the true costs if one does.
Expected<unsigned> countMissed(ArrayRef<Mutant> mutants,
                               ArrayRef<Kernel> kernels) {
  unsigned missed = 0;
  change = -1;
  for (const Mutant &mutant : mutants) {
    active = &mutant;
    unsigned noticed = 0;
    for (const Kernel &kernel : kernels) {
      Expected<int64_t> bound = kernel.bound();
      // No way to the end: the analysis itself refuses.
      bool isRefused = !bound && mutant.breaks != Belief::None;
      if (!bound && !isRefused)
        return bound.takeError();
      if (isRefused)
        consumeError(bound.takeError());
      noticed += isRefused || kernel.cycles > *bound;
    }
    bool good = (noticed > 0) == (&mutant != &mutants.front());
    missed += !good;
    outs() << mutant.name << ": noticed by " << noticed << " runs"
           << (good ? "\n" : " WRONG\n");
  }
  return missed;
}

/// All figures of the bound at the values of the run.
Expected<std::vector<int64_t>> figuresOf(const Kernel &kernel) {
  events = 0;
  Expected<std::vector<HandlerBound>> found =
      boundHandlers(kernel.elf, kernel.spec, kernel.loops, kernel.how);
  if (!found)
    return found.takeError();
  const HandlerBound &bound = found->front();
  std::vector<int64_t> values = {bound.evaluate(kernel.at).value_or(INT64_MAX)};
  for (const Figure &figure : bound.figures) {
    int64_t most = INT64_MIN;
    for (const SymbolicCount &count : figure.cycles)
      most = std::max(most, count.evaluate(kernel.at).value_or(INT64_MAX));
    values.push_back(most);
  }
  return values;
}

struct EventCounts {
  uint64_t raised = 0, onWorstPath = 0, fallen = 0;
};

/// Each event of each kernel one cycle slower by itself.
Expected<EventCounts> slowEachEvent(ArrayRef<Kernel> kernels) {
  EventCounts counts;
  active = nullptr;
  for (const Kernel &kernel : kernels) {
    slowEvent = UINT64_MAX;
    Expected<std::vector<int64_t>> real = figuresOf(kernel);
    if (!real)
      return real.takeError();
    const uint64_t all = events;
    for (slowEvent = 0; slowEvent < all; ++slowEvent) {
      Expected<std::vector<int64_t>> slow = figuresOf(kernel);
      if (!slow)
        return slow.takeError();
      ++counts.raised;
      counts.onWorstPath += *slow != *real;
      for (auto [after, before] : zip_equal(*slow, *real))
        counts.fallen += after < before;
    }
  }
  slowEvent = UINT64_MAX;
  return counts;
}

/// Each cost one cycle higher: how many bounds become lower.
Expected<unsigned> countFallen(ArrayRef<Mutant> mutants,
                               ArrayRef<Kernel> kernels) {
  unsigned fallen = 0;
  change = 1;
  for (const Kernel &kernel : kernels) {
    active = nullptr;
    Expected<int64_t> real = kernel.bound();
    if (!real)
      return real.takeError();
    for (const Mutant &mutant : mutants) {
      active = &mutant;
      Expected<int64_t> raised = kernel.bound();
      if (!raised)
        return raised.takeError();
      fallen += *raised < *real;
    }
  }
  return fallen;
}

} // namespace

static int checkArguments(ArrayRef<Kernel> kernels) {
  std::vector<Mutant> mutants = makeArgumentMutants();
  mutants.insert(mutants.begin(), {"nothing", nullptr, nullptr});
  Expected<unsigned> missed = countMissed(mutants, kernels);
  if (!missed) {
    errs() << toString(missed.takeError()) << "\n";
    return 2;
  }
  outs() << mutants.size() - 1 << " arguments broken, " << *missed
         << " wrong\n";
  return *missed != 0;
}

int main(int argc, char **argv) {
  ArrayRef<const char *> arguments(argv + 1, argv + argc);
  bool breaksArguments =
      !arguments.empty() && StringRef(arguments.front()) == "--arguments";
  std::vector<Kernel> kernels;
  if (Error error = collect(arguments.drop_front(breaksArguments), kernels)) {
    errs() << toString(std::move(error)) << "\n";
    return 2;
  }
  if (breaksArguments)
    return checkArguments(kernels);
  std::vector<Mutant> mutants = makeMutants();
  // The true costs first: no run is above its bound.
  mutants.insert(mutants.begin(), {"nothing", nullptr, nullptr});
  Expected<unsigned> missed = countMissed(mutants, kernels);
  Expected<unsigned> fallen = countFallen(mutants, kernels);
  for (Expected<unsigned> *count : {&missed, &fallen})
    if (!*count) {
      errs() << toString(count->takeError()) << "\n";
      return 2;
    }
  Expected<EventCounts> single = slowEachEvent(kernels);
  if (!single) {
    errs() << toString(single.takeError()) << "\n";
    return 2;
  }
  outs() << mutants.size() - 1 << " costs lowered, " << *missed << " wrong\n"
         << mutants.size() - 1 << " costs raised, " << *fallen
         << " bounds fell\n"
         << single->raised << " events slowed, " << single->onWorstPath
         << " make a bound longer, " << single->fallen << " shorter\n";
  return *missed + *fallen + single->fallen == 0 && single->onWorstPath != 0
             ? 0
             : 1;
}
