#include "test/Fuzz/Corpus.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

std::vector<std::string> spinc::fuzz::corpusFiles(ArrayRef<std::string> inputs,
                                                  StringRef suffix) {
  std::vector<std::string> paths;
  for (const std::string &input : inputs) {
    if (!sys::fs::is_directory(input)) {
      paths.push_back(input);
      continue;
    }
    std::error_code error;
    for (sys::fs::recursive_directory_iterator at(input, error), end;
         at != end && !error; at.increment(error))
      if (StringRef(at->path()).ends_with(suffix))
        paths.push_back(at->path());
  }
  llvm::sort(paths);
  return paths;
}
