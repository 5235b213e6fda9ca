// Which integers the values and slices of a handler are, as forms. What an
// operation computes and needs is said by its MeaningOpInterface; here is what
// they share. An operation with obligations is taken to keep them, for each is
// proved where it stands.
#ifndef SPINC_DIALECT_SPIN_IR_NUMBERS_H
#define SPINC_DIALECT_SPIN_IR_NUMBERS_H

#include "dialect/Spin/IR/SpinDialect.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace spinc::spin::meaning {

class Numbers {
public:
  explicit Numbers(HandlerOp handler);
  HandlerOp handler;
  ContextOp context;

  /// The values of `spin.state` and `spin.contract` and then of the handler, in
  /// the order in which they are printed.
  mlir::Value value(uint64_t index) const {
    return index < values.size() ? values[index] : mlir::Value();
  }
  unsigned numberOf(mlir::Value value) const { return places.lookup(value); }

  const Form &number(mlir::Value value, bool isSigned = false);
  Form length(mlir::Value slice);
  Form bytes(mlir::Value slice);
  /// `p.length`.
  Form payload();
  std::optional<Form> bound(BoundAttr bound);
  int64_t moduleNumber(llvm::StringRef name, int64_t fallback);
  /// The slice that `slice` was cut from, and how many bytes from its start.
  std::pair<mlir::Value, Form> start(mlir::Value slice);

  Form quotient(Form top, const Int &bottom);
  Form ratio(const Form &top, const Form &bottom);
  Form multiply(const Form &left, const Form &right);
  /// The number of `width` bits that equals `form` modulo 2^width.
  Form wrapped(const Form &form, unsigned width, bool isSigned);
  /// `value` as an atom; `sum` is what it equals, if that is not to be spelt
  /// out.
  Form reading(mlir::Value value, bool isSigned, Form sum = Form());
  Form rounds(mlir::Value index);
  Form packetBytes() { return make({AtomKind::Packet}); }
  Form param(mlir::StringAttr name) {
    return make({AtomKind::Param, {}, name});
  }
  Form hostBytes(mlir::StringAttr name) {
    return make({AtomKind::Host, {}, name});
  }
  /// `m.length` of portals contexts, which the handlers of a message share.
  Form messageBytes();

  /// What always holds for an atom, wherever its value has been computed.
  Constraints axioms(AtomId id);
  /// Adds the atoms of `form`, and those that they are made of, to `names`; not
  /// those of sums that values equal.
  void mention(const Form &form, llvm::SmallVectorImpl<AtomId> &names) const;

  // PacketReads.cpp: what loads of the packet give.
  /// The byte of the packet at which a loaded value begins, and in which order.
  std::optional<std::pair<Form, ByteOrder>> packetPlace(mlir::Value loaded);
  /// What the card has seen to: what the matching rules say about a loaded
  /// field, and how its packet lies in the message.
  Constraints matched(mlir::Value loaded);
  /// That two loads see the same bytes of the packet, or the same plain field.
  Constraints sameBytes(mlir::Value first, mlir::Value second);

  // Spelling.cpp
  /// The form that certificates spell so; nothing if there is none.
  std::optional<Form> readForm(llvm::StringRef &text);

  // PlainFields.cpp: what plain fields of the state hold.
  /// The parameter, host region or plain field of this name.
  std::optional<Form> symbol(llvm::StringRef name);
  /// A plain field right before `place`; nothing if that depends on the way
  /// there, or if the field is not only loaded and stored as a whole.
  std::optional<Form> fieldAt(mlir::Operation *place, mlir::StringAttr field);
  /// `form` with what its fields hold right before `place`.
  std::optional<Form> formAt(mlir::Operation *place, const Form &form);

private:
  bool isTracked(mlir::StringAttr field);
  bool isSameField(StateLoadOp from, StateLoadOp to);
  bool isStoredIn(mlir::Region &region, mlir::StringAttr field) const;
  Form make(Atom atom);
  std::optional<Form> exact(mlir::Value value, bool isSigned);
  bool isReached(mlir::Operation *writer, mlir::Operation *from,
                 mlir::Operation *to) const;
  bool isOverwritten(mlir::Operation *from, mlir::Operation *to) const;
  bool isPristine(mlir::Value loaded) const;
  Constraints inMessage(mlir::Value loaded, const Form &place, ByteOrder order);
  void notePacketWrites();

  std::vector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, unsigned> places;
  std::deque<Atom> atoms;
  using Key = std::tuple<AtomKind, const void *, const void *,
                         std::vector<std::pair<AtomId, Int>>, Int,
                         std::vector<std::pair<AtomId, Int>>, Int>;
  std::map<Key, AtomId> interned;
  /// The unsigned and the signed reading of values.
  std::array<llvm::DenseMap<mlir::Value, const Form *>, 2> numbers;
  std::deque<Form> forms;
  /// Position of each operation, and the operations that write the packet.
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::SmallVector<mlir::Operation *> writers;
  bool packetIsStable = true, packetIsFresh = true;
  HeaderBytesOp headers;
  /// The stores of this handler to plain fields, and which fields have slices.
  bool fieldsAreNoted = false;
  llvm::SmallVector<StateStoreOp> fieldStores;
  llvm::DenseSet<mlir::Attribute> sliced;
};

/// Takes the next word of a certificate.
llvm::StringRef nextWord(llvm::StringRef &text);
/// The integer that `word` spells; 0 if it spells none.
Int toInt(llvm::StringRef word);

/// The constant that a value is.
std::optional<llvm::APInt> constantOf(mlir::Value value);
/// The limits of a number of this many bits.
std::pair<Int, Int> limits(unsigned width, bool isSigned);
/// That `form` lies within the limits.
Constraints within(const Form &form, const std::pair<Int, Int> &limits);

} // namespace spinc::spin::meaning

#endif // SPINC_DIALECT_SPIN_IR_NUMBERS_H
