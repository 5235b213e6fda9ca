// The files that a fuzzing tool is given by name or by folder.
#ifndef SPINC_TEST_FUZZ_CORPUS_H
#define SPINC_TEST_FUZZ_CORPUS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace spinc::fuzz {

/// `inputs`, with each folder replaced by the files below it whose names end
/// with `suffix`. Sorted, so that a run can be repeated on another machine.
std::vector<std::string> corpusFiles(llvm::ArrayRef<std::string> inputs,
                                     llvm::StringRef suffix);

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_CORPUS_H
