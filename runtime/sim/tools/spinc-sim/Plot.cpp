//===- Plot.cpp - Figures of reports --------------------------------------===//
//
// Finds the Python package in lib/python of the installation.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tools/spinc-sim/Plot.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;

int spinc::sim::runPlot(ArrayRef<const char *> arguments,
                        const std::string &executable, std::string &error) {
  SmallString<128> module(sys::path::parent_path(executable));
  sys::path::append(module, "..", "lib", "python", "spinsim");
  sys::path::append(module, "plot.py");
  if (!sys::fs::exists(module)) {
    error = ("plot: no " + module + "; build the target spinsim-python").str();
    return 1;
  }
  const char *chosen = std::getenv("SPINC_PYTHON");
  std::string name = chosen && *chosen ? chosen : "python3";
  ErrorOr<std::string> python = sys::findProgramByName(name);
  if (!python) {
    error = "plot: no program '" + name + "'; set SPINC_PYTHON";
    return 1;
  }
  std::vector<StringRef> command = {*python, module};
  for (const char *argument : arguments)
    command.push_back(argument);
  int status =
      sys::ExecuteAndWait(*python, command, std::nullopt, {}, 0, 0, &error);
  return status < 0 ? 1 : status;
}
