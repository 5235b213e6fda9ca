// Types of the spin dialect.
#ifndef SPIN_TYPES_TD
#define SPIN_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "dialect/Spin/IR/SpinEnums.td"

class Spin_Type<string name, string typeMnemonic> : TypeDef<Spin_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Spin_MessageType : Spin_Type<"Message", "message"> {
  let summary = "the message that a header or completion handler runs for";
  let description = "Example: `!spin.message`";
}

def Spin_PacketType : Spin_Type<"Packet", "packet"> {
  let summary = "the packet that a payload handler runs for";
  let description = "Example: `!spin.packet`";
}

def Spin_SliceType : Spin_Type<"Slice", "slice"> {
  let summary = "elements in one memory space, with their number";
  let description = [{
    Points into packet, state, local or host memory and carries its length in
    elements, an unsigned 32-bit number. Slices are never stored. An element of
    a width that no register has is a record or an inner array of that many
    bits; `spin.member` reaches what is in it. Tables in `const` are only read.

    Example: `!spin.slice<i8, packet_l1>`
  }];
  let parameters = (ins "::mlir::Type":$element,
                        EnumParameter<Spin_MemorySpace>:$space);
  let assemblyFormat = "`<` $element `,` $space `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Size of one element in bytes.
    unsigned getElementBytes() { return getElement().getIntOrFloatBitWidth() / 8; }
    /// Whether it points into the packet, in L1 or in L2.
    bool isInPacket() {
      return getSpace() == MemorySpace::PacketL1 ||
             getSpace() == MemorySpace::PacketL2;
    }
  }];
}

def Spin_StridedType : Spin_Type<"Strided", "strided"> {
  let summary = "equal blocks of host memory at equal distances";
  let description = [{
    `count` blocks of `block` bytes, the starts of neighbours `stride` bytes
    apart, seen as one run of `count * block` bytes.

    Example: `!spin.strided`
  }];
}

def Spin_CommandType : Spin_Type<"Command", "command"> {
  let summary = "handle of an asynchronous action";
  let description = "Example: `!spin.command`";
}

class Spin_SliceIn<list<string> spaces, string what> : Type<
    And<[CPred<"::mlir::isa<::spinc::spin::SliceType>($_self)">,
         Or<!foreach(s, spaces, CPred<
           "::mlir::cast<::spinc::spin::SliceType>($_self).getSpace() == "
           "::spinc::spin::MemorySpace::" # s>)>]>,
    what, "::spinc::spin::SliceType">;

def Spin_AnySlice : Type<CPred<"::mlir::isa<::spinc::spin::SliceType>($_self)">,
                         "slice", "::spinc::spin::SliceType">;
def Spin_HostSlice : Spin_SliceIn<["Host"], "slice of host memory">;
def Spin_NicSlice : Spin_SliceIn<
    ["PacketL1", "PacketL2", "StateL1", "StateL2", "Local", "Const"],
    "slice of NIC memory">;
def Spin_WritableSlice : Spin_SliceIn<
    ["PacketL1", "PacketL2", "StateL1", "StateL2", "Local"],
    "slice of NIC memory that can be written">;
def Spin_ConstSlice : Spin_SliceIn<["Const"], "slice of a constant table">;
def Spin_LocalSlice : Spin_SliceIn<["Local"], "slice of local memory">;
def Spin_StateSlice : Spin_SliceIn<["StateL1", "StateL2"], "slice of state">;
def Spin_PacketOrMessage : AnyTypeOf<[Spin_PacketType, Spin_MessageType]>;

#endif // SPIN_TYPES_TD
