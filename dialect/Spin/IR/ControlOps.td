// How a handler ends, early or not, and where loops are counted.
#ifndef SPIN_CONTROL_OPS_TD
#define SPIN_CONTROL_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialect/Spin/IR/MeaningInterface.td"
include "dialect/Spin/IR/SpinAttrs.td"
include "dialect/Spin/IR/SpinTypes.td"

// Ops that may leave the handler write a resource, so that nothing with an
// effect moves across them.
def Spin_ReturnOp : Spin_Op<"return", [
    MeaningOpInterface, Terminator, HasParent<"HandlerOp">]> {
  let summary = "ends the handler";
  let description = "Example: `spin.return success`";
  let arguments = (ins Spin_ReturnCodeAttr:$code);
  let assemblyFormat = "custom<Word>($code) attr-dict";
  let hasVerifier = 1;
}

def Spin_GiveOp : Spin_Op<"give", [
    MeaningOpInterface, Terminator, HasParent<"HandlerOp">, Pure]> {
  let summary = "ends a function with its results";
  let description = [{
    The result comes first, if there is one, then what `inout` parameters have
    become, then true if the function may fail.

    Example: `spin.give %sum, %rest : i32, i8`
  }];
  let arguments = (ins Variadic<AnyInteger>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def Spin_CallOp : Spin_Op<"call", [
    MeaningOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a function of the context";
  let description = [{
    Arguments are numbers and slices, results are numbers. Nothing is known of a
    result but its type. The function reads what its slices hold; those whose
    places among the arguments `writes` lists it may write. It touches no other
    memory, so that without slices the same arguments give the same results.
    With `issues` it may issue commands, which work on its slices and may be in
    flight behind the call.

    Example: `%sum, %rest = spin.call @fn.add(%a, %b) : (i32, i8) -> (i32, i8)`
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyTypeOf<[AnyInteger, Spin_NicSlice]>>:$inputs,
                       OptionalAttr<DenseI32ArrayAttr>:$writes,
                       UnitAttr:$issues);
  let results = (outs Variadic<AnyInteger>:$outputs);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`writes` $writes^)? (`issues` $issues^)? attr-dict `:`
    functional-type($inputs, $outputs)
  }];
  let extraClassDeclaration = [{
    bool mayWrite(unsigned input) {
      return getWrites() && ::llvm::is_contained(*getWrites(), int32_t(input));
    }
    /// Whether bytes of a packet are among what it may write.
    bool mayWritePacket();
  }];
}

def Spin_ExitOp : Spin_Op<"exit", [
    MeaningOpInterface, MemoryEffects<[MemWrite]>]> {
  let summary = "leaves the handler from inside a region";
  let description = [{
    Control does not pass to the operation that follows. IRGen puts it at the
    end of a region of `scf.if` or of a loop, before the region's `scf.yield`;
    when the `scf.if` around it goes away, what follows it is dead.

    Example: `spin.exit drop`
  }];
  let arguments = (ins Spin_ReturnCodeAttr:$code);
  let assemblyFormat = "custom<Word>($code) attr-dict";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Spin_RequireOp : Spin_Op<"require", [
    MeaningOpInterface, MemoryEffects<[MemWrite]>]> {
  let summary = "leaves the handler unless a condition holds";
  let description = [{
    A function ends with zeros, and with false as its last result, which its
    callers look at. After it the condition is a fact. The attribute `spin.releases` names a lock
    that leaving gives back.

    Example: `spin.require %ok else drop`
  }];
  let arguments = (ins I1:$condition, Spin_ReturnCodeAttr:$code);
  let assemblyFormat = "$condition `else` custom<Word>($code) attr-dict";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Spin_LoopMarkerOp : Spin_Op<"loop_marker", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, MemoryEffects<[MemWrite]>]> {
  let summary = "counts one iteration of a loop";
  let description = [{
    Placed by `spin-mark-loops` once in each loop body. It emits no instruction;
    it names the loop in section `.spin.loops` of the image, so that the bound
    of the loop can be applied to the final machine code.

    Example: `spin.loop_marker 3`
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$id);
  let assemblyFormat = "$id attr-dict";
}

#endif // SPIN_CONTROL_OPS_TD
