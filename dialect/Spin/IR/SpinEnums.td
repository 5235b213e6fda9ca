// Enumerations of the spin dialect. Numbers that the hardware or the runtime
// sees (return codes) are those of runtime/abi.
#ifndef SPIN_ENUMS_TD
#define SPIN_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "dialect/Spin/IR/SpinDialect.td"

class Spin_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::spinc::spin";
  let genSpecializedAttr = 0;
}

class Spin_EnumAttr<I32EnumAttr info, string mnemonic>
    : EnumAttr<Spin_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def Spin_MemorySpace : Spin_I32Enum<"MemorySpace", "where a slice points", [
  I32EnumAttrCase<"PacketL1", 0, "packet_l1">,
  I32EnumAttrCase<"PacketL2", 1, "packet_l2">,
  I32EnumAttrCase<"StateL1", 2, "state_l1">,
  I32EnumAttrCase<"StateL2", 3, "state_l2">,
  I32EnumAttrCase<"Local", 4, "local">,
  I32EnumAttrCase<"Host", 5, "host">,
  I32EnumAttrCase<"Const", 6, "const">
]>;
def Spin_MemorySpaceAttr : Spin_EnumAttr<Spin_MemorySpace, "memory_space">;

def Spin_HandlerKind : Spin_I32Enum<"HandlerKind", "phase of a handler, or a function that handlers call", [
  I32EnumAttrCase<"Header", 0, "header">,
  I32EnumAttrCase<"Payload", 1, "payload">,
  I32EnumAttrCase<"Completion", 2, "completion">,
  I32EnumAttrCase<"Function", 3, "function">
]>;
def Spin_HandlerKindAttr : Spin_EnumAttr<Spin_HandlerKind, "handler_kind">;

def Spin_StateKind : Spin_I32Enum<"StateKind", "who may access a state field", [
  I32EnumAttrCase<"Param", 0, "param">,
  I32EnumAttrCase<"Plain", 1, "plain">,
  I32EnumAttrCase<"Atomic", 2, "atomic">,
  I32EnumAttrCase<"PerHpu", 3, "per_hpu">,
  I32EnumAttrCase<"Guarded", 4, "guarded">
]>;
def Spin_StateKindAttr : Spin_EnumAttr<Spin_StateKind, "state_kind">;

def Spin_Link : Spin_I32Enum<"Link", "layer at which packets start", [
  I32EnumAttrCase<"Ethernet", 0, "ethernet">,
  I32EnumAttrCase<"Ip", 1, "ip">,
  I32EnumAttrCase<"Portals", 2, "portals">
]>;
def Spin_LinkAttr : Spin_EnumAttr<Spin_Link, "link">;

def Spin_ReturnCode : Spin_I32Enum<"ReturnCode", "return code of a handler", [
  I32EnumAttrCase<"Success", 0, "success">,
  I32EnumAttrCase<"Drop", 1, "drop">,
  I32EnumAttrCase<"Fail", 2, "fail">,
  I32EnumAttrCase<"ProcessData", 3, "process_data">
]>;
def Spin_ReturnCodeAttr : Spin_EnumAttr<Spin_ReturnCode, "return_code">;

def Spin_ByteOrder : Spin_I32Enum<"ByteOrder", "byte order in memory", [
  I32EnumAttrCase<"Little", 0, "le">,
  I32EnumAttrCase<"Big", 1, "be">
]>;
def Spin_ByteOrderAttr : Spin_EnumAttr<Spin_ByteOrder, "byte_order">;

def Spin_AtomicKind : Spin_I32Enum<"AtomicKind", "atomic operation", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"And", 1, "and">,
  I32EnumAttrCase<"Or", 2, "or">,
  I32EnumAttrCase<"Xor", 3, "xor">,
  I32EnumAttrCase<"MaxS", 4, "maxs">,
  I32EnumAttrCase<"MaxU", 5, "maxu">,
  I32EnumAttrCase<"MinS", 6, "mins">,
  I32EnumAttrCase<"MinU", 7, "minu">,
  I32EnumAttrCase<"Swap", 8, "swap">,
  I32EnumAttrCase<"Cas", 9, "cas">
]>;
def Spin_AtomicKindAttr : Spin_EnumAttr<Spin_AtomicKind, "atomic_kind">;

def Spin_LockKind : Spin_I32Enum<"LockKind", "how a lock is taken", [
  I32EnumAttrCase<"Spin", 0, "spin">,
  I32EnumAttrCase<"Mcs", 1, "mcs">,
  I32EnumAttrCase<"ReadWrite", 2, "rw">
]>;
def Spin_LockKindAttr : Spin_EnumAttr<Spin_LockKind, "lock_kind">;

// The comparisons come last: spin.lanes has all bits of a lane set where one
// holds.
def Spin_LaneKind : Spin_I32Enum<"LaneKind", "operation on each lane", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Sub", 1, "sub">,
  I32EnumAttrCase<"MinS", 2, "mins">,
  I32EnumAttrCase<"MinU", 3, "minu">,
  I32EnumAttrCase<"MaxS", 4, "maxs">,
  I32EnumAttrCase<"MaxU", 5, "maxu">,
  I32EnumAttrCase<"Shl", 6, "shl">,
  I32EnumAttrCase<"ShrU", 7, "shru">,
  I32EnumAttrCase<"ShrS", 8, "shrs">,
  I32EnumAttrCase<"Eq", 9, "eq">,
  I32EnumAttrCase<"Ne", 10, "ne">,
  I32EnumAttrCase<"LtS", 11, "lts">,
  I32EnumAttrCase<"LeS", 12, "les">,
  I32EnumAttrCase<"GtS", 13, "gts">,
  I32EnumAttrCase<"GeS", 14, "ges">,
  I32EnumAttrCase<"LtU", 15, "ltu">,
  I32EnumAttrCase<"LeU", 16, "leu">,
  I32EnumAttrCase<"GtU", 17, "gtu">,
  I32EnumAttrCase<"GeU", 18, "geu">
]>;
def Spin_LaneKindAttr : Spin_EnumAttr<Spin_LaneKind, "lane_kind">;

#endif // SPIN_ENUMS_TD
