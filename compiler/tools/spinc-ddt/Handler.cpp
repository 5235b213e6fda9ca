// Runs the stages of compiler/Ddt in order.
#include "compiler/tools/spinc-ddt/Handler.h"

#include "compiler/Ddt/Emit/PlanJson.h"
#include "compiler/Ddt/General/Source.h"
#include "compiler/Ddt/Verify/Verify.h"
#include "compiler/tools/spinc-ddt/MpiOracle.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace spinc::ddt;

Handler::Handler(const Options &options, const Description &description,
                 Placed layout)
    : options(options), description(description), layout(layout) {
  Means means;
  Expected<Plan> made = makePlan(layout);
  if (made)
    means.plan = &(plan = std::move(*made));
  else
    means.whyNoPlan = toString(made.takeError());
  Expected<GeneralTables> general = makeTables(layout, options.payload);
  if (options.direction == Direction::Send)
    means.whyNoTables = "it only receives";
  if (!general)
    means.whyNoTables = toString(general.takeError());
  else if (means.whyNoTables.empty())
    means.tables = &tables.emplace(std::move(*general));
  choice = choose(layout, options.payload, means);
  kind = options.strategy.value_or(choice.candidates[choice.chosen].kind);
}

void Handler::explain(raw_ostream &out) const {
  spinc::ddt::explain(out, description.name, layout, choice);
}

Error Handler::make(StringRef base, StringRef executable) {
  if (options.direction == Direction::Receive && overlaps(layout))
    return createStringError(
        description.name +
        ": bytes of the layout overlap, so it cannot be received into: what "
        "arrives would depend on the order of packets; use --direction=send");
  const Candidate &candidate = choice.candidates[static_cast<size_t>(kind)];
  if (!candidate.whyNot.empty())
    return createStringError(description.name + ": no " + nameOf(kind).str() +
                             " handler: " + candidate.whyNot);
  CompileOptions how;
  how.executable = executable.str();
  auto write = [&](StringRef budget) {
    if (kind != StrategyKind::Specialised)
      return makeGeneralProgram(*tables, kind, budget);
    return makeProgram(plan, description.name, options.direction, budget);
  };
  Expected<Compiled> made = compileProgram(write, base, how);
  if (!made)
    return made.takeError();
  if (std::string why = whyTooLong(made->worst); !why.empty())
    return createStringError(description.name + ": no " + nameOf(kind).str() +
                             " handler: " + why);
  result = std::move(*made);
  return Error::success();
}

StringRef Handler::image() const {
  return {reinterpret_cast<const char *>(result.image.data()),
          result.image.size()};
}

std::string Handler::stubHeader() const {
  std::string text = result.stubHeader;
  std::string declaration = formatv(
      "/* Puts the tables of the datatype into a setup. */\n"
      "void {0}_tables({0}_params *params);\n\n"
      "/* SPIN_OK, or SPIN_DAMAGED if the tables are not as they were "
      "made;\n * {0}_install() asks. */\n"
      "int {0}_check_tables(const {0}_params *params, spin_error *error);\n\n",
      result.program.context);
  size_t end = text.rfind("#ifdef __cplusplus");
  text.insert(end == std::string::npos ? text.size() : end, declaration);
  return text;
}

std::string Handler::stubSource() const {
  return result.stubSource + "\n#include <string.h>\n" +
         tablesAsC(result.program);
}

void Handler::printPlan(raw_ostream &out) const {
  spinc::ddt::printPlan(out, plan, kind, result, choice);
}

Error Handler::verify(raw_ostream &out, StringRef executable) const {
  std::vector<Stretch> stretches;
  if (options.oracle.empty()) {
    stretches = flatten(description);
  } else {
    Expected<std::vector<Stretch>> found =
        unpackedBy(options.oracle, options.input, executable);
    if (!found)
      return createStringError(description.name + ": " +
                               toString(found.takeError()));
    stretches = std::move(*found);
  }
  bool hasBytes = layout.layout != nullptr;
  Verified what{description,
                result.program,
                result.image,
                options.direction,
                hasBytes ? layout.place + layout.layout->low : 0,
                hasBytes ? layout.layout->high - layout.layout->low : 0,
                stretches};
  VerifyOptions how;
  how.seed = options.seed;
  Expected<VerifyResult> checked = spinc::ddt::verify(what, how);
  if (!checked)
    return createStringError(description.name + ": " +
                             toString(checked.takeError()));
  out << formatv("{0}: {1}: {2} rounds, {3} packets, {4} bytes, {5} commands: "
                 "all bytes where they belong\n",
                 description.name, nameOf(kind), checked->rounds,
                 checked->packets, checked->bytes, checked->commands);
  return Error::success();
}
