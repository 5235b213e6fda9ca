// State of a context as handlers see it, and identities of the executing HPU.
#ifndef SPIN_STATE_OPS_TD
#define SPIN_STATE_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialect/Spin/IR/MeaningInterface.td"
include "dialect/Spin/IR/SpinAttrs.td"
include "dialect/Spin/IR/SpinTypes.td"

class Spin_StateUser<string mnemonic, list<Trait> traits = []>
    : Spin_Op<mnemonic, traits # [DeclareOpInterfaceMethods<SymbolUserOpInterface>]>;

def Spin_ParamOp : Spin_StateUser<"param", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getNumber"]>, Pure]> {
  let summary = "value of a parameter";
  let description = [{
    Constant while the context is installed. Its `where` condition is a fact.

    Example: `%block = spin.param @block : i32`
  }];
  let arguments = (ins FlatSymbolRefAttr:$field);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$field attr-dict `:` type($result)";
}

def Spin_StateLoadOp : Spin_StateUser<"state_load", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getNumber"]>, MemoryEffects<[MemRead]>]> {
  let summary = "reads a plain or per_hpu scalar field";
  let description = "Example: `%src = spin.state_load @source : i32`";
  let arguments = (ins FlatSymbolRefAttr:$field);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$field attr-dict `:` type($result)";
}

def Spin_StateStoreOp : Spin_StateUser<"state_store", [
    MeaningOpInterface, MemoryEffects<[MemWrite]>]> {
  let summary = "writes a plain or per_hpu scalar field";
  let description = "Example: `spin.state_store %src, @source : i32`";
  let arguments = (ins AnySignlessInteger:$value, FlatSymbolRefAttr:$field);
  let assemblyFormat = "$value `,` $field attr-dict `:` type($value)";
}

def Spin_StateSliceOp : Spin_StateUser<"state_slice", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getLength"]>, Pure]> {
  let summary = "an array field, or a scalar one as a slice of length 1";
  let description = [{
    For a `per_cluster` field, the copy of the executing cluster, for a `per_hpu`
    field that of the executing HPU.

    Example: `%bin = spin.state_slice @bin : !spin.slice<i32, state_l1>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$field);
  let results = (outs Spin_StateSlice:$result);
  let assemblyFormat = "$field attr-dict `:` qualified(type($result))";
}

def Spin_StateCopyOp : Spin_StateUser<"state_copy", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations", "getLength"]>, Pure]> {
  let summary = "the copy of a `per_cluster` or `per_hpu` field that a number names";
  let description = [{
    Obligation: `cluster` is below the number of clusters of the target, or for a
    `per_hpu` field of its HPUs. Copies are only read.

    Example: `%bin = spin.state_copy @bin[%c] : !spin.slice<i32, state_l1>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$field, I32:$cluster,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs Spin_StateSlice:$result);
  let assemblyFormat = "$field `[` $cluster `]` (`proof` $proof^)? attr-dict `:` qualified(type($result))";
}

def Spin_AtomicRmwOp : Spin_Op<"atomic_rmw", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "atomic read-modify-write of one element of state";
  let description = [{
    Returns the old value; of `cas`, which stores `value` if the element is as
    `expected`, whether it did (1, or 0 also if another store came in between).
    Obligation: `index < slice_length(slice)`.

    Example: `%old = spin.atomic_rmw add %bin[%i], %one : !spin.slice<i32, state_l1>`
  }];
  let arguments = (ins Spin_AtomicKindAttr:$kind, Spin_StateSlice:$slice, I32:$index,
                       I32:$value, Optional<I32>:$expected,
                       OptionalAttr<Spin_ProofAttr>:$proof);
  let results = (outs I32:$old);
  let assemblyFormat = [{
    custom<Word>($kind) $slice `[` $index `]` `,` $value (`if` $expected^)? (`proof` $proof^)? attr-dict `:` qualified(type($slice))
  }];
  let hasVerifier = 1;
}

def Spin_HpuIdOp : Spin_Op<"hpu_id", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getAxioms"]>, Pure]> {
  let summary = "global number of the executing HPU";
  let description = "Example: `%h = spin.hpu_id`";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Spin_ClusterIdOp : Spin_Op<"cluster_id", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getAxioms"]>, Pure]> {
  let summary = "number of the executing cluster";
  let description = "Example: `%c = spin.cluster_id`";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

#endif // SPIN_STATE_OPS_TD
