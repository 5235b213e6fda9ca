// Host memory: regions, and strided views with their pieces.
#ifndef SPIN_HOST_OPS_TD
#define SPIN_HOST_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialect/Spin/IR/MeaningInterface.td"
include "dialect/Spin/IR/SpinAttrs.td"
include "dialect/Spin/IR/SpinTypes.td"

def Spin_HostSizeOp : Spin_Op<"host_size", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getNumber"]>, 
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "size of a host region in bytes";
  let description = "Example: `%n = spin.host_size @dst`";
  let arguments = (ins FlatSymbolRefAttr:$region);
  let results = (outs I32:$size);
  let assemblyFormat = "$region attr-dict";
}

def Spin_HostSliceOp : Spin_Op<"host_slice", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getLength"]>, 
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a host region as a slice of bytes";
  let description = [{
    Its length is `spin.host_size`.

    Example: `%dst = spin.host_slice @dst : !spin.slice<i8, host>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$region);
  let results = (outs Spin_HostSlice:$result);
  let assemblyFormat = "$region attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Spin_StridedViewOp : Spin_Op<"strided_view", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, Pure]> {
  let summary = "`count` blocks of `block` bytes, `stride` bytes apart";
  let description = [{
    Obligations: `1 <= count`, `1 <= block <= stride`, and
    `(count - 1) * stride + block <= slice_length(region)`.

    Example: `%v = spin.strided_view %dst, %count, %block, %stride : !spin.slice<i8, host>`
  }];
  let arguments = (ins Spin_HostSlice:$region, I32:$count, I32:$block, I32:$stride,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs Spin_StridedType:$result);
  let assemblyFormat = [{
    $region `,` $count `,` $block `,` $stride (`proof` $proof^)? attr-dict `:` qualified(type($region))
  }];
  let hasVerifier = 1;
}

def Spin_StridedLengthOp : Spin_Op<"strided_length", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getNumber"]>, Pure]> {
  let summary = "`count * block`, the bytes that a strided view holds";
  let description = [{
    Below 2^32, because the blocks do not overlap and lie in one region.

    Example: `%n = spin.strided_length %v`
  }];
  let arguments = (ins Spin_StridedType:$view);
  let results = (outs I32:$length);
  let assemblyFormat = "$view attr-dict";
}

def Spin_ForPiecesOp : Spin_Op<"for_pieces", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations", "getLength", "getAxioms"]>, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "visits the contiguous pieces of a strided view that data covers";
  let description = [{
    `data` is laid over the view from byte `offset` of the view on. The body
    runs once per contiguous piece, in order, with the piece of host memory and
    the piece of `data`, of equal non-zero length, and the loop-carried values.
    At most `slice_length(data) / block + 2` iterations.
    Obligation: `offset + slice_length(data) <= strided_length(view)`.

    Example:
    ```mlir
    spin.for_pieces %v at %off data %s : !spin.slice<i8, packet_l1> {
    ^bb0(%host: !spin.slice<i8, host>, %piece: !spin.slice<i8, packet_l1>):
      spin.yield
    }
    ```
  }];
  let arguments = (ins Spin_StridedType:$view, I32:$offset, Spin_NicSlice:$data,
                       Variadic<AnySignlessInteger>:$inits,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs Variadic<AnySignlessInteger>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $view `at` $offset `data` $data (`iter` `(` $inits^ `:` type($inits) `)`)?
    (`proof` $proof^)? `:` qualified(type($data)) (`->` type($results)^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Spin_YieldOp : Spin_Op<"yield", [
    MeaningOpInterface, Pure, Terminator, HasParent<"ForPiecesOp">]> {
  let summary = "ends an iteration of `spin.for_pieces`";
  let description = "Example: `spin.yield %sum : i32`";
  let arguments = (ins Variadic<AnySignlessInteger>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // SPIN_HOST_OPS_TD
