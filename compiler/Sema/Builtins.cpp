// Parameters and results of the builtins that are lowered; the others have none
// because their use is refused before arguments are looked at.
#include "compiler/Sema/Builtins.h"

namespace spinc {

namespace {

struct Row {
  Builtin id;
  std::string_view spelling;
  BuiltinForm form;
  BuiltinHandlers handlers;
  bool lowered;
};

constexpr bool Yes = true;
constexpr bool No = false;

constexpr Row rows[] = {
#define SPINC_BUILTIN(ID, SPELLING, FORM, HANDLERS, LOWERED)                   \
  {Builtin::ID, SPELLING, BuiltinForm::FORM, BuiltinHandlers::HANDLERS,        \
   LOWERED},
#include "compiler/Sema/Builtins.def"
};

std::vector<BuiltinParam> paramsOf(Builtin id, BuiltinForm form, bool lowered) {
  if (!lowered)
    return {};
  switch (id) {
  case Builtin::Put:
    return {{"", ParamKind::NicBytesOrNone},
            {"to", ParamKind::Process},
            {"match", ParamKind::U64},
            {"hdr_data", ParamKind::U32, false}};
  case Builtin::Send:
    return {{"", ParamKind::NicBytes}};
  case Builtin::DmaToHost:
    return {{"", ParamKind::HostBytes}, {"", ParamKind::NicBytes}};
  case Builtin::DmaFromHost:
    return {{"", ParamKind::NicDest}, {"", ParamKind::HostBytes}};
  case Builtin::Notify:
    return {{"", ParamKind::HostBytes}, {"", ParamKind::U64}};
  case Builtin::Cas: // what is expected, what to store
    return {{"", ParamKind::Element}, {"", ParamKind::Element}};
  case Builtin::Increment: // by 1 unless it says otherwise
    return {{"by", ParamKind::Element, false}};
  case Builtin::CounterSet:
    return {{"", ParamKind::Element}};
  case Builtin::Wait:
    return {{"", ParamKind::Command}};
  case Builtin::Copy:
    return {{"", ParamKind::Count}};
  case Builtin::Pieces:
    return {{"", ParamKind::Count}, {"", ParamKind::NicBytes}};
  case Builtin::Strided: // region, count, block, stride
    return {{"", ParamKind::HostBytes},
            {"", ParamKind::Count},
            {"", ParamKind::Count},
            {"", ParamKind::Count}};
  default:
    break;
  }
  if (form == BuiltinForm::Atomic)
    return {{"", ParamKind::Element}};
  return {};
}

BuiltinResult resultOf(Builtin id, BuiltinForm form) {
  if (id == Builtin::Copy)
    return BuiltinResult::StateSlice;
  if (id == Builtin::Pieces)
    return BuiltinResult::Pieces;
  if (id == Builtin::Strided)
    return BuiltinResult::View;
  if (form == BuiltinForm::Atomic)
    return BuiltinResult::Element;
  if (form == BuiltinForm::Value)
    return BuiltinResult::U32;
  return BuiltinResult::Void;
}

std::vector<BuiltinInfo> makeTable() {
  std::vector<BuiltinInfo> table;
  for (const Row &row : rows) {
    bool async = row.id == Builtin::Put || row.id == Builtin::Send ||
                 row.id == Builtin::DmaToHost ||
                 row.id == Builtin::DmaFromHost || row.id == Builtin::Notify;
    table.push_back({row.id, row.spelling, row.form, row.handlers, row.lowered,
                     async, resultOf(row.id, row.form),
                     paramsOf(row.id, row.form, row.lowered)});
  }
  return table;
}

const std::vector<BuiltinInfo> &table() {
  static const std::vector<BuiltinInfo> all = makeTable();
  return all;
}

} // namespace

const BuiltinInfo &builtinInfo(Builtin id) {
  return table()[static_cast<size_t>(id) - 1];
}

Builtin findBuiltin(BuiltinForm form, std::string_view spelling) {
  for (const BuiltinInfo &info : table())
    if (info.form == form && info.spelling == spelling)
      return info.id;
  return Builtin::None;
}

std::vector<std::string> builtinNames(BuiltinForm form) {
  std::vector<std::string> names;
  for (const BuiltinInfo &info : table())
    if (info.form == form)
      names.emplace_back(info.spelling);
  return names;
}

unsigned returnValue(Builtin code) {
  switch (code) {
  case Builtin::ReturnDrop:
    return 1;
  case Builtin::ReturnFail:
    return 2;
  default:
    return 0;
  }
}

} // namespace spinc
