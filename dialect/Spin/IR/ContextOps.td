// What is declared: contexts, their state, host memory, contracts, handlers.
#ifndef SPIN_CONTEXT_OPS_TD
#define SPIN_CONTEXT_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialect/Spin/IR/MeaningInterface.td"
include "dialect/Spin/IR/SpinAttrs.td"
include "dialect/Spin/IR/SpinTypes.td"

def Spin_ContextOp : Spin_Op<"context", [
    Symbol, SymbolTable, NoTerminator, SingleBlock, IsolatedFromAbove,
    HasParent<"::mlir::ModuleOp">]> {
  let summary = "one sPIN execution context";
  let description = [{
    `headerBytes` is the size of the packet headers before the payload;
    `guaranteedBytes` is what the card has seen of a packet before a handler
    runs (the message header of Portals; 0 otherwise); `mtu` the largest packet.
    `match` and `portalsMatch` say which packets reach the handlers: within a
    handler the rules are facts about the packet. The L1 of `homeCluster` holds
    the state that all messages share.

    Example:
    ```mlir
    spin.context @Echo link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500)
        match [#spin.match_rule<offset = 9, width = 1, mask = 255, min = 17, max = 17>] {
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Spin_LinkAttr:$link,
    ConfinedAttr<I32Attr, [IntNonNegative]>:$headerBytes,
    ConfinedAttr<I32Attr, [IntNonNegative]>:$guaranteedBytes,
    ConfinedAttr<I32Attr, [IntPositive]>:$mtu,
    TypedArrayAttrBase<Spin_MatchRuleAttr, "matching rules">:$match,
    OptionalAttr<Spin_PortalsMatchAttr>:$portalsMatch,
    ConfinedAttr<DefaultValuedAttr<I32Attr, "0">, [IntNonNegative]>:$homeCluster);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `link` `(` custom<Word>($link) `)` `header_bytes` `(` $headerBytes `)`
    `guaranteed_bytes` `(` $guaranteedBytes `)` `mtu` `(` $mtu `)`
    `match` $match (`portals` $portalsMatch^)?
    (`home_cluster` `(` $homeCluster^ `)`)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Spin_StateOp : Spin_Op<"state", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getNumber"]>, 
    Symbol, HasParent<"ContextOp">, IsolatedFromAbove]> {
  let summary = "a field of the state in NIC memory";
  let description = [{
    `count` elements (1 for a scalar) of an integer type, or records of that
    many bits with their `align`ment in bytes. A `param` is set by
    the host at installation and only read by handlers; its `where` region says
    which values the host may set. A `plain` field belongs to a message, of which
    many may be in flight, and is written by the header and completion handlers;
    an `atomic` field only by atomic operations. A `per_hpu` field has a copy for
    each HPU, in its cluster's L1, that every handler on it reads and writes. A
    `guarded` field is used between `spin.acquire` and `spin.release`.
    `per_cluster` gives each cluster its own copy.

    Example:
    ```mlir
    spin.state @bin : i32 count(1024) kind(atomic) per_cluster in(state_l1) where {}
    spin.state @block : i32 count(1) kind(param) in(state_l1) where {
    ^bb0(%v: i32):
      %c4 = arith.constant 4 : i32
      %ok = arith.cmpi uge, %v, %c4 : i32
      spin.yield_condition %ok
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<AnySignlessInteger>:$element,
    ConfinedAttr<I32Attr, [IntPositive]>:$count, Spin_StateKindAttr:$kind,
    UnitAttr:$perCluster,
    Spin_MemorySpaceAttr:$space,
    OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>:$alignment);
  let regions = (region MaxSizedRegion<1>:$where);
  let assemblyFormat = [{
    $sym_name `:` $element `count` `(` $count `)` `kind` `(` custom<Word>($kind) `)`
    (`per_cluster` $perCluster^)? `in` `(` custom<Word>($space) `)`
    (`align` `(` $alignment^ `)`)? attr-dict-with-keyword `where` $where
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Alignment in bytes: as given, or that of an integer in a register.
    unsigned getElementAlignment();
  }];
}

def Spin_TableOp : Spin_Op<"table", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a constant in memory";
  let description = [{
    Its bytes as they lie in read-only memory.

    Example: `spin.table @squares align(1) = [0, 1, 4]`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       ConfinedAttr<I32Attr, [IntPositive]>:$alignment,
                       DenseI8ArrayAttr:$bytes);
  let assemblyFormat = "$sym_name `align` `(` $alignment `)` `=` $bytes attr-dict";
}

def Spin_HostOp : Spin_Op<"host", [Symbol, HasParent<"ContextOp">]> {
  let summary = "a region of host memory that the context may touch";
  let description = [{
    Base (64-byte aligned) and size are given at installation.

    Example: `spin.host @dst`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let assemblyFormat = "$sym_name attr-dict";
}

def Spin_ContractOp : Spin_Op<"contract", [
    HasParent<"ContextOp">, SingleBlock, NoRegionArguments,
    IsolatedFromAbove]> {
  let summary = "what the host promises, checked at installation";
  let description = [{
    The region computes a condition over parameters and host sizes in integers
    wide enough not to overflow. Handlers may rely on it.

    Example:
    ```mlir
    spin.contract "dst.size >= 64" {
      %size = spin.host_size @dst
      %c64 = arith.constant 64 : i32
      %ok = arith.cmpi uge, %size, %c64 : i32
      spin.yield_condition %ok
    }
    ```
  }];
  let arguments = (ins StrAttr:$text);
  let regions = (region SizedRegion<1>:$condition);
  let assemblyFormat = "$text $condition attr-dict";
}

def Spin_YieldConditionOp : Spin_Op<"yield_condition", [
    Pure, Terminator, ParentOneOf<["ContractOp", "StateOp"]>]> {
  let summary = "ends a contract or `where` region with its condition";
  let description = "Example: `spin.yield_condition %ok`";
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

def Spin_HandlerOp : Spin_Op<"handler", [
    Symbol, HasParent<"ContextOp">, SingleBlock, IsolatedFromAbove]> {
  let summary = "a handler of the context, or a function that they call";
  let description = [{
    The region has one argument, the packet (payload handler) or the message
    (header and completion handlers), and ends with `spin.return`. That of a
    function has integers and slices as arguments and ends with `spin.give`; it
    does not leave the handler, and touches state and packet through its slices
    only. It is proved and bounded by itself: nothing is known of its arguments
    but their types.

    The counts of its `budget` and of its `bound` depend on parameters of the
    context and, in payload handlers, on `p.length`. The bound is that of the
    machine code, for `--emit=spin-bound`.

    Example:
    ```mlir
    spin.handler @payload kind(payload) {
    ^bb0(%p: !spin.packet):
      spin.return success
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Spin_HandlerKindAttr:$kind,
                       OptionalAttr<Spin_BudgetAttr>:$budget,
                       OptionalAttr<Spin_MachineBoundAttr>:$bound);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `kind` `(` custom<Word>($kind) `)` (`budget` $budget^)?
    (`bound` $bound^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Symbol of the handler in the image: `<context>_hh`, `_ph` or `_th`; of
    /// a function `<context>.<symbol>`.
    std::string getImageSymbol();
    bool isFunction() { return getKind() == HandlerKind::Function; }
    /// Whether it is a function that may end early, with false as its last
    /// result.
    bool mayFail();
    /// Whether it, or what it calls, issues commands.
    bool issuesCommands();
  }];
}

#endif // SPIN_CONTEXT_OPS_TD
