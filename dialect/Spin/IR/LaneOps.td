// Packed values: words of 4 lanes of 8 bits or 2 lanes of 16, lane 0 in the
// lowest bits. What a bitwise operation of arith does to a word, it does to
// each lane; here is what needs to know the lanes.
#ifndef SPIN_LANE_OPS_TD
#define SPIN_LANE_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialect/Spin/IR/MeaningInterface.td"
include "dialect/Spin/IR/SpinAttrs.td"
include "dialect/Spin/IR/SpinTypes.td"

def Spin_LaneCount
    : ConfinedAttr<I32Attr, [IntMinValue<2>, IntMaxValue<4>, IntPowerOf2]>;

def Spin_LanesOp : Spin_Op<"lanes", [
    DeclareOpInterfaceMethods<MeaningOpInterface, ["getObligations"]>, Pure]> {
  let summary = "does the same to each of `count` lanes";
  let description = [{
    Sums and differences wrap in their lane. A comparison sets all bits of the
    lanes where it holds. The right operand of a shift is one amount for all
    lanes. Obligation of a shift: the amount is below the width of a lane.

    Example: `%s = spin.lanes add %a, %b count(4)`
  }];
  let arguments = (ins Spin_LaneKindAttr:$kind, I32:$left, I32:$right,
                       Spin_LaneCount:$count);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    custom<Word>($kind) $left `,` $right `count` `(` $count `)` attr-dict
  }];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    bool isShift() {
      return getKind() >= LaneKind::Shl && getKind() <= LaneKind::ShrS;
    }
    bool isComparison() { return getKind() >= LaneKind::Eq; }
    unsigned laneBits() { return 32 / getCount(); }
  }];
}

def Spin_SplatOp : Spin_Op<"splat", [MeaningOpInterface, Pure]> {
  let summary = "a number in all lanes";
  let description = [{
    The lowest bits of the number, as many as a lane has.

    Example: `%v = spin.splat %n count(2)`
  }];
  let arguments = (ins I32:$value, Spin_LaneCount:$count);
  let results = (outs I32:$result);
  let assemblyFormat = "$value `count` `(` $count `)` attr-dict";
  let hasFolder = 1;
}

def Spin_InsertLaneOp : Spin_Op<"insert_lane", [MeaningOpInterface, Pure]> {
  let summary = "a word with another number in one lane";
  let description = [{
    The lowest bits of the number replace lane `lane`.

    Example: `%v = spin.insert_lane %n, %w lane(3) count(4)`
  }];
  let arguments = (ins I32:$value, I32:$word,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$lane,
                       Spin_LaneCount:$count);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    $value `,` $word `lane` `(` $lane `)` `count` `(` $count `)` attr-dict
  }];
  let hasVerifier = 1;
}

#endif // SPIN_LANE_OPS_TD
