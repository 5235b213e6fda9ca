// Slices: where they come from, how they are cut, what is read and written.
// Operations with an obligation carry an optional `proof`.
#ifndef SPIN_MEMORY_OPS_TD
#define SPIN_MEMORY_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialect/Spin/IR/MeaningInterface.td"
include "dialect/Spin/IR/SpinAttrs.td"
include "dialect/Spin/IR/SpinTypes.td"

def Spin_PacketBytesOp : Spin_Op<"packet_bytes", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getLength"]>, Pure]> {
  let summary = "all bytes of the packet, headers included";
  let description = [{
    Its length lies between the context's `guaranteedBytes` and its `mtu`.

    Example: `%all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>`
  }];
  let arguments = (ins Spin_PacketOrMessage:$packet);
  let results = (outs Spin_AnySlice:$result);
  let assemblyFormat = "$packet attr-dict `:` qualified(type($packet)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Spin_HeaderBytesOp : Spin_Op<"header_bytes", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getNumber"]>, 
    HasParent<"HandlerOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "the size of all headers of a packet that says it itself";
  let description = [{
    Gives `bytes`, which the code before has read from the packet and checked:
    it lies between the `headerBytes` of the context and `most`, and the packet
    is no shorter. In a handler with this operation `p.length` is what follows
    these bytes. It is never dropped: bounds of loops count on it.

    Example: `%h = spin.header_bytes %end at_most(60)`
  }];
  let arguments = (ins I32:$bytes, ConfinedAttr<I32Attr, [IntPositive]>:$most);
  let results = (outs I32:$result);
  let assemblyFormat = "$bytes `at_most` `(` $most `)` attr-dict";
}

def Spin_SliceLengthOp : Spin_Op<"slice_length", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getNumber"]>, Pure]> {
  let summary = "number of elements of a slice";
  let description = "Example: `%n = spin.slice_length %s : !spin.slice<i8, packet_l1>`";
  let arguments = (ins Spin_AnySlice:$slice);
  let results = (outs I32:$length);
  let assemblyFormat = "$slice attr-dict `:` qualified(type($slice))";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Spin_SubsliceOp : Spin_Op<"subslice", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations", "getLength"]>, 
    Pure, AllTypesMatch<["slice", "result"]>]> {
  let summary = "`length` elements from `offset` on";
  let description = [{
    Obligation: `offset + length <= slice_length(slice)` as mathematical
    integers.

    Example: `%t = spin.subslice %s[%off, %len] : !spin.slice<i8, packet_l1>`
  }];
  let arguments = (ins Spin_AnySlice:$slice, I32:$offset, I32:$length,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs Spin_AnySlice:$result);
  let assemblyFormat = [{
    $slice `[` $offset `,` $length `]` (`proof` $proof^)? attr-dict `:` qualified(type($slice))
  }];
  let hasFolder = 1;
}

def Spin_ViewAsOp : Spin_Op<"view_as", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getLength"]>, Pure]> {
  let summary = "bytes seen as larger elements";
  let description = [{
    The result has `slice_length / element bytes` elements, rounded down.

    Example: `%w = spin.view_as %s : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>`
  }];
  let arguments = (ins Spin_AnySlice:$slice);
  let results = (outs Spin_AnySlice:$result);
  let assemblyFormat = "$slice attr-dict `:` qualified(type($slice)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Spin_LocalOp : Spin_Op<"local", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getLength"]>]> {
  let summary = "an array of the handler that runs";
  let description = [{
    `count` elements, new in each execution: all zero with `zero`; without it
    the handler writes each element before it reads it. The memory is the HPU's
    own: its stack, or where that is too small an area in the L1 of its cluster.

    Example: `%old = spin.local count(1500) zero : !spin.slice<i8, local>`
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$count,
                       UnitAttr:$zero);
  let results = (outs Res<Spin_LocalSlice, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    `count` `(` $count `)` (`zero` $zero^)? attr-dict `:` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    /// Size of the whole array.
    uint64_t getBytes() {
      return uint64_t(getCount()) * getType().getElementBytes();
    }
  }];
}

def Spin_TableSliceOp : Spin_Op<"table_slice", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getLength"]>, 
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a constant table, or a constant struct as a slice of length 1";
  let description = [{
    Example: `%t = spin.table_slice @squares count(3) : !spin.slice<i8, const>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$table,
                       ConfinedAttr<I32Attr, [IntPositive]>:$count);
  let results = (outs Spin_ConstSlice:$result);
  let assemblyFormat = "$table `count` `(` $count `)` attr-dict `:` qualified(type($result))";
}

def Spin_MemberOp : Spin_Op<"member", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations", "getLength"]>, Pure]> {
  let summary = "a field of a record, or an inner array, as a slice";
  let description = [{
    `count` elements from byte `offset` of element `index` on, all within that
    element. Obligation: `index < slice_length(slice)`.

    Example: `%x = spin.member %points[%i] offset(4) count(1) : !spin.slice<i64, local> -> !spin.slice<i32, local>`
  }];
  let arguments = (ins Spin_NicSlice:$slice, I32:$index,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$offset,
                       ConfinedAttr<I32Attr, [IntPositive]>:$count,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs Spin_NicSlice:$result);
  let assemblyFormat = [{
    $slice `[` $index `]` `offset` `(` $offset `)` `count` `(` $count `)`
    (`proof` $proof^)? attr-dict `:` qualified(type($slice)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Spin_LoadOp : Spin_Op<"load", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemRead]>]> {
  let summary = "reads one element";
  let description = [{
    Obligation: `index < slice_length(slice)`.

    Example: `%v = spin.load %s[%i] le : !spin.slice<i32, packet_l1> -> i32`
  }];
  let arguments = (ins Spin_NicSlice:$slice, I32:$index, Spin_ByteOrderAttr:$order,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = [{
    $slice `[` $index `]` custom<Word>($order) (`proof` $proof^)? attr-dict `:` qualified(type($slice)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Spin_StoreOp : Spin_Op<"store", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemWrite]>]> {
  let summary = "writes one element";
  let description = [{
    Obligation: `index < slice_length(slice)`.

    Example: `spin.store %v, %s[%i] le : i32, !spin.slice<i32, packet_l1>`
  }];
  let arguments = (ins AnySignlessInteger:$value, Spin_WritableSlice:$slice, I32:$index,
                       Spin_ByteOrderAttr:$order, OptionalAttr<Spin_ProofAttr>:$proof);
  let assemblyFormat = [{
    $value `,` $slice `[` $index `]` custom<Word>($order) (`proof` $proof^)? attr-dict `:` type($value) `,` qualified(type($slice))
  }];
  let hasVerifier = 1;
}

def Spin_WireLoadOp : Spin_Op<"wire_load", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemRead]>]> {
  let summary = "reads an integer at a byte offset of a byte slice";
  let description = [{
    Obligation: `offset + bytes(result) <= slice_length(slice)`. The address
    need not be aligned.

    Example: `%port = spin.wire_load %all[%c22] be : !spin.slice<i8, packet_l1> -> i16`
  }];
  let arguments = (ins Spin_NicSlice:$slice, I32:$offset, Spin_ByteOrderAttr:$order,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = [{
    $slice `[` $offset `]` custom<Word>($order) (`proof` $proof^)? attr-dict `:` qualified(type($slice)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Spin_WireStoreOp : Spin_Op<"wire_store", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemWrite]>]> {
  let summary = "writes an integer at a byte offset of a byte slice";
  let description = [{
    Obligation: `offset + bytes(value) <= slice_length(slice)`.

    Example: `spin.wire_store %port, %all[%c22] be : i16, !spin.slice<i8, packet_l1>`
  }];
  let arguments = (ins AnySignlessInteger:$value, Spin_WritableSlice:$slice, I32:$offset,
                       Spin_ByteOrderAttr:$order, OptionalAttr<Spin_ProofAttr>:$proof);
  let assemblyFormat = [{
    $value `,` $slice `[` $offset `]` custom<Word>($order) (`proof` $proof^)? attr-dict `:` type($value) `,` qualified(type($slice))
  }];
  let hasVerifier = 1;
}

#endif // SPIN_MEMORY_OPS_TD
