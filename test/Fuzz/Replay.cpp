// Runs a fuzz target without libFuzzer: on every file of a corpus, and on
// random changes of them that are the same for the same seed. Ends with status
// 1 and keeps the input if one crashes or works for longer than the target's
// limit of a second.
#include "test/Fuzz/Corpus.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <random>
#include <unistd.h>

using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cl::list<std::string> inputs(cl::Positional, cl::desc("files, folders"));
static cl::opt<std::string> suffix("suffix", cl::init(".spinc"),
                                   cl::desc("Of the files in folders"));
static cl::opt<uint64_t> seed("seed", cl::init(1), cl::desc("Of the changes"));
static cl::opt<unsigned> changes("changes", cl::init(0),
                                 cl::desc("Changed inputs to try"));
static cl::opt<unsigned> seconds("seconds", cl::init(0),
                                 cl::desc("End after so long, if not 0"));
static cl::opt<std::string> keep("keep", cl::init("failing-input"),
                                 cl::desc("Where a failing input is kept"));

namespace {

std::string current;
char keepPath[4096];

/// Async-signal-safe: the input that ran is written as it is.
void keepInput(int signal) {
  int file = open(keepPath, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && write(file, current.data(), current.size()) >= 0)
    close(file);
  const char *text = signal == SIGVTALRM
                         ? "an input takes longer than a second\n"
                         : "an input crashes the target\n";
  if (write(2, text, strlen(text)) < 0)
    _exit(2);
  _exit(1);
}

void catchFailures() {
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGVTALRM})
    std::signal(signal, keepInput);
}

void run() {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(current.data()),
                         current.size());
}

std::vector<std::string> readCorpus() {
  std::vector<std::string> corpus;
  for (const std::string &path : spinc::fuzz::corpusFiles(inputs, suffix))
    if (auto buffer = MemoryBuffer::getFile(path))
      corpus.push_back((*buffer)->getBuffer().str());
  return corpus;
}

class Changer {
public:
  Changer(const std::vector<std::string> &corpus, uint64_t seed)
      : corpus(corpus), random(seed) {}

  std::string next() {
    std::string text = corpus[below(corpus.size())];
    for (unsigned count = 1 + below(4); count-- > 0;)
      change(text);
    return text;
  }

private:
  size_t below(size_t limit) { return limit ? random() % limit : 0; }

  /// A piece between two blanks or signs.
  std::string piece(const std::string &text) {
    size_t at = below(text.size());
    size_t length = 1 + below(below(4) ? 12 : 120);
    return text.substr(at, length);
  }

  void change(std::string &text) {
    size_t at = below(text.size() + 1);
    switch (below(7)) {
    case 0:
      if (!text.empty())
        text[below(text.size())] = char(random());
      return;
    case 1:
      text.erase(at, 1 + below(16));
      return;
    case 2:
      text.erase(at, below(text.size() - at + 1));
      return;
    case 3:
      text.insert(at, piece(corpus[below(corpus.size())]));
      return;
    case 4:
      text.insert(at, piece(text));
      return;
    case 5: {
      static const char *const words[] = {
          "0",     "1",  "-1", "18446744073709551615",
          "(",     ")",  "{",  "}",
          "[",     "]",  ";",  ",",
          "65536", "%",  "#",  "\"",
          "u64",   "i32"};
      text.insert(at, words[below(std::size(words))]);
      return;
    }
    default: {
      // Nesting is what recursion has to survive.
      static const char *const open[] = {"(", "{", "[", "!", "-", "~("};
      std::string nest;
      const char *word = open[below(std::size(open))];
      for (unsigned depth = 1 + below(below(8) ? 8 : 3000); depth-- > 0;)
        nest += word;
      text.insert(at, nest);
      return;
    }
    }
  }

  const std::vector<std::string> &corpus;
  std::mt19937_64 random;
};

} // namespace

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv);
  snprintf(keepPath, sizeof keepPath, "%s", keep.c_str());
  std::vector<std::string> corpus = readCorpus();
  if (corpus.empty()) {
    errs() << "no inputs\n";
    return 2;
  }
  catchFailures();
  for (const std::string &text : corpus) {
    current = text;
    run();
  }
  Changer changer(corpus, seed);
  time_t start = time(nullptr);
  unsigned done = 0;
  for (; done < changes; ++done) {
    if (seconds && time(nullptr) - start >= time_t(seconds))
      break;
    current = changer.next();
    run();
  }
  outs() << formatv("{0} files, {1} changed inputs: no crash, none longer than "
                    "a second\n",
                    corpus.size(), done);
  return 0;
}
