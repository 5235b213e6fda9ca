// Plans for other programs.
#include "compiler/Ddt/Emit/PlanJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace spinc::ddt;

void spinc::ddt::printPlan(raw_ostream &out, const Plan &plan,
                           StrategyKind kind, const Compiled &compiled,
                           const Choice &choice) {
  json::OStream json(out, 2);
  json.object([&] {
    json.attribute("context", compiled.program.context);
    json.attribute("strategy", nameOf(kind));
    json.attribute("bytes", plan.bytes);
    json.attribute("runs", plan.runs);
    json.attribute("lowest_byte", plan.low);
    json.attribute("span", plan.span);
    json.attribute("payload", choice.payload);
    json.attribute("packets", choice.traffic.packets);
    json.attribute("commands", choice.traffic.commands);
    json.attribute("most_commands_per_packet", choice.traffic.mostPerPacket);
    json.attribute("expected_gbit_per_s",
                   choice.candidates[static_cast<size_t>(kind)].gigabits);
    json.attribute("host_gbit_per_s", choice.hostGigabits);
    json.attribute("offload", choice.offload);
    json.attribute("worst_cycles", compiled.worst);
    json.attributeArray("cycle_bounds", [&] {
      for (const SymbolicCount &bound : compiled.cycles)
        json.value(bound.budgetText());
    });
    json.attributeArray("parts", [&] {
      for (const Part &part : plan.parts)
        json.object([&] {
          json.attribute("begin", part.begin);
          json.attribute("bytes", part.bytes);
          json.attribute("place", part.place);
          json.attribute("run", part.run);
          json.attribute("list", static_cast<int64_t>(part.places.size()));
          json.attributeArray("levels", [&] {
            for (const Level &level : part.levels)
              json.value(json::Array{level.count, level.stride});
          });
        });
    });
    json.attribute("largest_start", compiled.program.largestStart);
    json.attributeArray("tables", [&] {
      for (const Table &table : compiled.program.tables)
        json.object([&] {
          json.attribute("name", table.name);
          json.attribute("bytes_each", table.bytesEach);
          json.attribute("values", json::Array(table.values));
        });
    });
  });
  out << '\n';
}

/// The function that <Context>_install asks.
static void printCheck(raw_ostream &out, const Program &program) {
  const std::string &context = program.context;
  out << "\nint " << context << "_check_tables(const " << context
      << "_params *params,\n"
      << std::string(context.size() + 18, ' ') << "spin_error *error) {\n"
      << "  /* FNV-1a over the bytes of each table. */\n"
      << "  uint64_t hash = 0x" << utohexstr(fnvStart, /*LowerCase=*/true)
      << "u;\n";
  for (const Table &table : program.tables)
    out << "  {\n    const unsigned char *bytes = (const unsigned char "
           "*)&params->"
        << table.name << ";\n"
        << "    for (size_t i = 0; i < sizeof params->" << table.name
        << "; ++i)\n      hash = (hash ^ bytes[i]) * 0x"
        << utohexstr(fnvFactor, /*LowerCase=*/true) << "u;\n  }\n";
  if (program.tables.empty())
    out << "  (void)params;\n";
  out << "  return hash == 0x"
      << utohexstr(program.hashOfTables(program.parameters(0)))
      << "u ? spin_success(error)\n             : spin_damaged(error, \""
      << context << "\");\n}\n";
}

std::string spinc::ddt::tablesAsC(const Program &program) {
  std::string text;
  raw_string_ostream out(text);
  out << "\n/* Puts the tables of the datatype into a setup. */\n"
      << "void " << program.context << "_tables(" << program.context
      << "_params *params) {\n";
  for (const Table &table : program.tables) {
    if (!table.isArray) {
      out << "  params->" << table.name << " = "
          << static_cast<uint32_t>(table.values[0]) << "u;\n";
      continue;
    }
    out << "  static const uint" << table.bytesEach * 8 << "_t " << table.name
        << "[] = {";
    for (size_t i = 0; i < table.values.size(); ++i)
      out << (i == 0 ? "" : ",") << (i % 10 == 0 ? "\n      " : " ")
          << (table.bytesEach == 4 ? uint64_t(uint32_t(table.values[i]))
                                   : static_cast<uint64_t>(table.values[i]))
          << "u" << (table.bytesEach == 8 ? "ll" : "");
    out << "};\n  memcpy(params->" << table.name << ", " << table.name
        << ", sizeof " << table.name << ");\n";
  }
  if (program.tables.empty())
    out << "  (void)params;\n";
  out << "}\n";
  printCheck(out, program);
  return text;
}
