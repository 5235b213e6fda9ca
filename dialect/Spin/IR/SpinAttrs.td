// Attributes of the spin dialect: matching rules, symbolic counts, budgets and
// proofs.
#ifndef SPIN_ATTRS_TD
#define SPIN_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "dialect/Spin/IR/SpinEnums.td"

class Spin_Attr<string name, string attrMnemonic> : AttrDef<Spin_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Spin_MatchRuleAttr : Spin_Attr<"MatchRule", "match_rule"> {
  let summary = "one comparison of the card's matching engine";
  let description = [{
    The engine reads `width` bytes (1, 2 or 4) at byte `offset` of the packet in
    network byte order, masks them, and lets the packet pass if the result lies
    in `min … max`. All rules of a context must pass.

    Example: `#spin.match_rule<offset = 22, width = 2, mask = 65535, min = 9330, max = 9330>`
  }];
  let parameters = (ins "uint32_t":$offset, "uint32_t":$width,
                        "uint32_t":$mask, "uint32_t":$min, "uint32_t":$max);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Spin_PortalsMatchAttr : Spin_Attr<"PortalsMatch", "portals_match"> {
  let summary = "Portals 4 match bits and the bits to ignore";
  let description = [{
    A message matches if `(match_bits ^ bits) & ~ignore` is zero.

    Example: `#spin.portals_match<bits = 10, ignore = 0>`
  }];
  let parameters = (ins "uint64_t":$bits, "uint64_t":$ignore);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Spin_BoundAttr : Spin_Attr<"Bound", "bound"> {
  let summary = "a count that depends on named quantities of a handler";
  let description = [{
    `map` has one symbol per name in `symbols` and one result. Names are
    `p.length`, parameter names, and quotients in their canonical text such as
    `p.length / block`.

    Example: `#spin.bound<affine_map<()[s0] -> (s0 floordiv 4)>, "p.length">`
  }];
  let parameters = (ins "::mlir::AffineMap":$map,
                        OptionalArrayRefParameter<"::mlir::StringAttr">:$symbols);
  let assemblyFormat = "`<` `affine_map` `<` $map `>` (`,` $symbols^)? `>`";
  let genVerifyDecl = 1;
}

def Spin_BudgetAttr : Spin_Attr<"Budget", "budget"> {
  let summary = "what a handler may use";
  let description = [{
    `text` is the budget as the user wrote it. `cycles`, if present, bounds the
    active cycles; with `lineRate` the budget also follows from the link rate
    and the number of HPUs of the target. `occupancy` bounds the cycles with the
    waits for commands, `commands` the commands that are issued, `stack` the
    bytes of stack.

    Example: `#spin.budget<"cycles <= 24", lineRate = false, cycles = <affine_map<() -> (24)>>>`
  }];
  let parameters = (ins "::mlir::StringAttr":$text, "bool":$lineRate,
                        OptionalParameter<"BoundAttr">:$cycles,
                        OptionalParameter<"BoundAttr">:$occupancy,
                        OptionalParameter<"BoundAttr">:$commands,
                        OptionalParameter<"BoundAttr">:$stack);
  let assemblyFormat = [{
    `<` $text `,` struct($lineRate, $cycles, $occupancy, $commands, $stack) `>`
  }];
}

def Spin_MachineBoundAttr : Spin_Attr<"MachineBound", "machine_bound"> {
  let summary = "the cycles that a handler's machine code takes at most";
  let description = [{
    The active cycles are at most the largest of `cycles`, and that is at most
    `worst`. spinc attaches it to handlers for `--emit=spin-bound`.

    Example: `#spin.machine_bound<9, <affine_map<()[s0] -> (s0 floordiv 4)>, "p.length">>`
  }];
  let parameters = (ins "int64_t":$worst,
                        ArrayRefParameter<"BoundAttr">:$cycles);
  let assemblyFormat = "`<` $worst `,` $cycles `>`";
}

def Spin_AttemptAttr : Spin_Attr<"Attempt", "attempt"> {
  let summary = "what a pass did to a loop, or why it did not";
  let description = [{
    The attribute `spin.attempts` of a loop is a list of these, written by
    `noteAttempt`. They are for the report and decide nothing: a pass that
    replaces a loop may drop them. `done` and `detail` say how it went.

    Example: `#spin.attempt<"unroll", done = false, "a loop is in it">`
  }];
  let parameters = (ins "::mlir::StringAttr":$what, "bool":$done,
                        "::mlir::StringAttr":$detail);
  let assemblyFormat = "`<` $what `,` `done` `=` $done `,` $detail `>`";
}

def Spin_ProofAttr : Spin_Attr<"Proof", "proof"> {
  let summary = "why an access is in bounds";
  let description = [{
    Attached by `spin-prove-bounds` to each operation with an obligation.
    `facts` lists, one text each, the facts that the proof uses.

    Example: `#spin.proof<"%i < length", "length <= 1472">`
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$facts);
  let assemblyFormat = "`<` $facts `>`";
}

#endif // SPIN_ATTRS_TD
