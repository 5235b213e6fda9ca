// Random programs that Sema takes: a seed makes one program, always the same.
// The generator follows ranges of values coarsely and guards what might break a
// rule; how often it leaves a guard out, or makes it wrong, is a property of
// the seed. Nothing here decides whether a program is right.
#ifndef SPINC_TEST_FUZZ_GENERATOR_H
#define SPINC_TEST_FUZZ_GENERATOR_H

#include "test/Fuzz/Inputs.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace spinc::fuzz {

using Wide = __int128;

struct IntKind {
  bool isSigned = false;
  unsigned width = 32;

  Wide low() const { return isSigned ? -(Wide(1) << (width - 1)) : 0; }
  Wide high() const { return (Wide(1) << (width - isSigned)) - 1; }
  bool holds(const IntKind &other) const {
    return low() <= other.low() && other.high() <= high();
  }
  bool operator==(const IntKind &other) const {
    return isSigned == other.isSigned && width == other.width;
  }
  std::string text() const;
};

/// An expression: its text, its type, and values between which it lies.
struct Term {
  std::string text;
  IntKind type;
  Wide low = 0, high = 0;
  /// The outermost operator would be exact inside a comparison (typ-6).
  bool isMath = false;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed * 0x9E3779B97F4A7C15 + 1) {}
  std::string program();

private:
  struct Variable {
    Term term;
    bool mutableNow = false;
  };
  /// A slice in sight, with what is known of its length.
  struct SliceName {
    std::string text; // expression
    unsigned bytes;   // of an element
    bool isPacket;    // may be cut into views and written
    uint64_t least;   // elements that are surely there
    uint64_t most;
    bool isLocal = false; // in the handler's own memory
  };
  /// A local array or a table.
  struct ArrayName {
    std::string text;
    IntKind type;
    uint64_t count;
    bool isWritable;
  };
  struct Enum {
    std::string name;
    IntKind type;
    std::vector<std::string> values;
  };
  struct Struct {
    std::string name;
    struct Member {
      std::string name;
      IntKind type;
      uint64_t count = 0; // of an array
      int enumeration = -1;
    };
    std::vector<Member> members;
  };
  /// A struct in memory, or `count` of them.
  struct Record {
    std::string text;
    size_t type; // number of the struct
    uint64_t count;
    bool isWritable;
  };
  struct Parameter {
    enum Mode { Value, InOut, Slice } mode;
    IntKind type;
  };
  struct Function {
    std::string name;
    std::vector<Parameter> parameters;
    std::optional<IntKind> result;
    bool isPlain; // has no loop, and takes values only
    /// 'w'aits for a packet that it sends, or 'l'eaves it in flight; 0:
    /// neither.
    char sends = 0;
  };
  struct Field {
    std::string name;
    IntKind type;
    uint64_t count; // 0: a scalar
    /// 'p'lain, 'a'tomic, 'c' per cluster, '2' plain in L2, per 'h'pu,
    /// cou'n'ter, 'f': written first thing by the header handler, 'g'uarded.
    char kind;
  };
  enum class Handler { Header, Payload, Completion, Function };

  // Random choices.
  uint64_t pick(uint64_t limit) { return below(random, limit); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  template <typename T> const T &any(const std::vector<T> &list) {
    return list[pick(list.size())];
  }
  bool risky() { return pick(1000) < risk; }

  // GeneratorExpr.cpp
  IntKind intKind();
  Term literal(IntKind type);
  Term leaf();
  Term headerField();
  Term element();
  Term expr(unsigned depth);
  Term binary(unsigned depth);
  Term divide(const std::string &op, Term left, Term right);
  Term shift(const std::string &op, Term left);
  Term exact(unsigned depth);
  Term convert(Term term, IntKind type, bool implicit = false);
  void unify(Term &left, Term &right, IntKind &type, bool promotes);
  std::string condition(unsigned depth);
  /// A u32 below `limit`, whose text proves it more often than not.
  std::string index(uint64_t limit);
  std::vector<Term> outside();

  // GeneratorStmt.cpp
  void line(const std::string &text);
  std::string fresh();
  std::string let(const Term &term);
  void statement(unsigned depth);
  void body(const std::string &head, unsigned depth,
            const std::vector<Variable> &more = {});
  void assign();
  void declare();
  void branch(unsigned depth);
  void narrow(unsigned depth);
  void relate(unsigned depth);
  void lengthGuard(unsigned depth);
  void rangeLoop(unsigned depth);
  void elementLoop(unsigned depth);
  void whileLoop(unsigned depth);
  void wrappingBlock();
  void leave();
  void loop(unsigned depth);
  void simpleStatement(unsigned depth);

  // GeneratorBlocks.cpp
  void switchStatement(unsigned depth);
  void matchStatement(unsigned depth);
  void packed();
  void chunks(unsigned depth);
  void floats();
  void flag();
  void callFunction();
  std::string callText(const Function &function);
  void countAndCopy();
  void lockBlock(unsigned depth);
  void useGuarded();

  // GeneratorCommands.cpp
  void command();
  void fromHost();
  void copyingLoop();
  void touchingCopies();
  std::string commandText(const std::string &value, bool &ofPacket);
  void startCommand(std::vector<std::string> &started,
                    const std::string &value);
  void waitForSome(std::vector<std::string> &started, unsigned percent);
  std::string startFilling(ArrayName &filled);
  void besides(unsigned depth, const Term &value, bool mayLeave);
  std::string readingLoop(unsigned depth, bool mayLeave);
  void overlap(unsigned depth);

  // GeneratorTypes.cpp
  void chooseTypes();
  std::string function();
  void localArray();
  void localStruct();
  void writeLocal();
  void enumeration();
  std::string initialValues(const Struct &type);
  Term member(const Record &record, bool asTarget);
  std::string typesText() const;
  /// What stands behind `return` where a handler or a function ends early.
  std::string leaving();

  // GeneratorMemory.cpp
  void cutSlice();
  void walk(unsigned depth);
  void writePacket();
  void changeEach();
  void writeState();
  void atomic();
  void copyToHost();
  void notify();
  void send();
  char sendSlice(const std::string &slice);
  void pieces();
  std::string guarded(const std::string &claim, const std::string &effect);
  bool mayBlock() const { return flying < 3; }
  void issued(bool ofPacket);
  const Field *fieldOf(const std::string &kinds, bool array);

  // GeneratorProgram.cpp
  void chooseLayout();
  void ownHeader();
  void chooseAlternatives();
  void chooseState();
  std::string layoutText() const;
  std::string stateText() const;
  std::string handler(Handler kind);
  const char *success() const;

  Random random;
  unsigned risk = 0; // of a thousand guards, so many are left out or wrong
  std::string out;
  unsigned indent = 0;
  unsigned names = 0;
  /// Loops around a statement, or what counts like them, and whether there
  /// is one that it may leave.
  unsigned loops = 0;
  bool inLoop = false;
  unsigned statements = 0;
  bool wrapping = false;
  Handler kind = Handler::Payload;
  std::optional<IntKind> result; // of the function that is made
  /// Commands that may be in flight, and whether one of them has to do with
  /// the packet: then nothing writes it.
  unsigned flying = 0;
  bool packetBusy = false;

  /// Type of the lock of the state, if there is one, whether the statement is
  /// under it, and whether others may be as well.
  std::string lock;
  bool isLocked = false, isShared = false;

  bool isPortals = false, hasHost = false;
  bool hasOptions = false, hasHeader = false, hasAlternatives = false;
  unsigned headerBytes = 0;
  std::vector<std::string> headerTypes; // declarations
  std::vector<std::pair<std::string, IntKind>> headerFields;
  std::string packetText, matchText;
  std::vector<Field> fields;
  std::vector<Term> params;
  uint64_t hostLeast = 0;
  std::vector<std::pair<std::string, IntKind>> userFields;
  std::vector<Enum> enums;
  std::vector<Struct> structs;
  std::vector<ArrayName> tables;
  std::vector<Function> functions;
  int stateStruct = -1;

  std::vector<Variable> variables;
  std::vector<SliceName> slices;
  std::vector<ArrayName> arrays;
  std::vector<Record> records;
  std::vector<std::string> floatNames, flags;
  uint64_t lengthLeast = 0;

  /// What is in sight, and what is known of it.
  auto sight() {
    return std::tie(variables, slices, arrays, records, floatNames, flags,
                    lengthLeast);
  }
  template <typename... T>
  static std::tuple<T...> copyOf(const std::tuple<T &...> &parts) {
    return parts;
  }
};

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_GENERATOR_H
