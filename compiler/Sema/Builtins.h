// The built-in actions, operations and values as one table: name, parameters,
// result, and who may use them. Calls in the typed AST name their Builtin, so
// IRGen switches over the enum and never over a spelling.
#pragma once

#include "compiler/Sema/Types.h"

namespace spinc {

enum class Builtin : uint16_t {
  None,
#define SPINC_BUILTIN(ID, SPELLING, FORM, HANDLERS, LOWERED) ID,
#include "compiler/Sema/Builtins.def"
};

enum class BuiltinForm {
  Action,
  Atomic,
  Counter,
  Method,
  View,
  Value,
  Constant,
  Message,
  Packet,
  Slice,
  Host,
  ViewValue,
  Piece,
  Object,
  ReturnCode,
};
enum class BuiltinHandlers { Any, Header, Payload, Completion };

enum class ParamKind {
  HostBytes,      // host u8[]
  NicDest,        // the same memory, to be written
  NicBytes,       // packet, state or local slice, any element
  NicBytesOrNone, // the same, or `none`
  Process,        // nid/pid
  Command,        // handle of an asynchronous action
  U32,
  U64,
  Element, // the element type of the receiver
  Count,   // u32, a length or an index
};

struct BuiltinParam {
  std::string_view label; // empty: positional
  ParamKind kind;
  bool required = true;
};

enum class BuiltinResult { Void, Element, StateSlice, Pieces, View, U32 };

struct BuiltinInfo {
  Builtin id;
  std::string_view spelling;
  BuiltinForm form;
  BuiltinHandlers handlers;
  bool lowered;
  bool mayBeAsync; // `async` before it gives a command
  BuiltinResult result;
  std::vector<BuiltinParam> params; // positional ones first
};

/// The row of `id`; undefined for Builtin::None.
const BuiltinInfo &builtinInfo(Builtin id);

/// The builtin of that form and spelling, or Builtin::None.
Builtin findBuiltin(BuiltinForm form, std::string_view spelling);

/// Every spelling of a form, for "did you mean".
std::vector<std::string> builtinNames(BuiltinForm form);

/// What a handler that returns `code` leaves in a0.
unsigned returnValue(Builtin code);

} // namespace spinc
