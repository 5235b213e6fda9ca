// Locks: taken before and given back after what they guard.
#ifndef SPIN_LOCK_OPS_TD
#define SPIN_LOCK_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "dialect/Spin/IR/MeaningInterface.td"
include "dialect/Spin/IR/SpinAttrs.td"
include "dialect/Spin/IR/SpinTypes.td"

// Without declared effects, so that nothing that touches memory moves across.
class Spin_LockOp<string mnemonic>
    : Spin_Op<mnemonic, [
        MeaningOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]>;

def Spin_AcquireOp : Spin_LockOp<"acquire"> {
  let summary = "waits for a lock";
  let description = [{
    The words of the lock are an atomic field; of an `mcs` lock they are in L2,
    and the field `<lock>.node` has the place of each HPU in the queue. All kinds
    serve in the order of arrival. At most `contention` others are before the
    handler. `shared` takes an `rw` lock for reading. `spin-mark-loops` gives the
    loop that waits its number.

    Example: `spin.acquire @door kind(spin) contention(31)`
  }];
  let arguments = (ins FlatSymbolRefAttr:$lock, Spin_LockKindAttr:$kind,
                       UnitAttr:$shared,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$contention,
                       OptionalAttr<I32Attr>:$loop);
  let assemblyFormat = [{
    $lock `kind` `(` custom<Word>($kind) `)` (`shared` $shared^)?
    `contention` `(` $contention `)` (`loop` `(` $loop^ `)`)? attr-dict
  }];
}

def Spin_ReleaseOp : Spin_LockOp<"release"> {
  let summary = "gives a lock back";
  let description = [{
    Follows a `spin.acquire` of the lock on every path. An `mcs` lock has two
    loops in it, from number `loop` on.

    Example: `spin.release @door kind(spin)`
  }];
  let arguments = (ins FlatSymbolRefAttr:$lock, Spin_LockKindAttr:$kind,
                       UnitAttr:$shared, OptionalAttr<I32Attr>:$loop);
  let assemblyFormat = [{
    $lock `kind` `(` custom<Word>($kind) `)` (`shared` $shared^)?
    (`loop` `(` $loop^ `)`)? attr-dict
  }];
}

#endif // SPIN_LOCK_OPS_TD
