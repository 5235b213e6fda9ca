// Passes over the spin dialect. The order in which the compiler runs them is
// in compiler/Backend/Pipelines.cpp.
#ifndef SPIN_TRANSFORMS_PASSES_TD
#define SPIN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SpinExpandPieces : Pass<"spin-expand-pieces", "::mlir::ModuleOp"> {
  let summary = "Spell out the loops over pieces of strided views";
  let description = [{
    Turns `spin.for_pieces` into `scf.while`: one division finds the first
    block, then additions step from piece to piece. The subslices of the pieces
    have a proof that names the law of the construct and are marked
    `spin.nonempty`. The loop keeps its `spin.bound` and its marker. With
    `split`, short bodies without regions are there three times: for the first
    piece, in the loop over pieces that are whole blocks, and for the last one.
    `spin.strided_length` becomes a multiplication, and strided views disappear.
    It is a lowering: it runs after the last check of the certificates, which
    know the pieces by the law of `spin.for_pieces`.

    Fails if `spin.for_pieces` or `spin.strided_view` has no `proof`, and if a
    view is not made by `spin.strided_view` in sight.

    Example: `spin.for_pieces %v at %off data %s` becomes
    `scf.while (%position = %c0, %host = …, %room = …)`.
  }];
  let options = [
    Option<"split", "split", "bool", "false",
           "The first and the last piece are not part of the loop">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def SpinNarrowSums : Pass<"spin-narrow-sums", "::mlir::ModuleOp"> {
  let summary = "Compare sums of words without wider numbers";
  let description = [{
    A comparison of the sum of two numbers of 32 bits with a third one, in wider
    numbers, becomes two of words: whether the sum wraps, and the comparison. Both
    are branches of the core; a sum of 64 bits takes more.
    It is a lowering: it runs after the last check of the certificates, which
    know of the wider numbers.

    Example: `offset + length <= size` in i64 becomes `sum >= offset` and
    `sum <= size` with `sum = offset + length` in i32.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SpinMergeChecks : Pass<"spin-merge-checks", "::mlir::ModuleOp"> {
  let summary = "Ask once what several checks ask";
  let description = [{
    A `spin.require`, or a `scf.if`, whose condition the guards around and in
    front of it decide goes away; of the `scf.if`, the region that runs stays.

    Several checks in a row that leave the handler with the same code become
    one, if they ask how large the same number is: the strictest limit comes to
    the first of them. The numbers may be written differently, such as the
    length of the packet and what it is without headers. Nothing that others see
    is done in between, so nobody can tell which of the checks has failed.

    Example: `spin.require` of `n >= 28` and of `n - 28 >= 4` becomes that of
    `n >= 32`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SpinNarrowDivisions : Pass<"spin-narrow-divisions", "::mlir::ModuleOp"> {
  let summary = "Divide less where the numbers are known to be small";
  let description = [{
    An unsigned division or remainder, where the facts at its place show

    - that the dividend is less than the divisor: becomes 0, or the dividend;
    - that it is less than twice the divisor: a comparison, or the minimum of
      `x` and `x - n`;
    - that it is at most so large that its product with a reciprocal of a
      constant fits in 32 bits: that product, shifted;
    - that both fit in 32 bits, in wider numbers: a division of words.

    It is a lowering: it runs after the last check of the certificates, which
    know the division. Its obligation, that the divisor is not zero, has been
    checked then, and what takes its place has none but that.

    Example: `n / 10`, where `n <= 1500`, becomes `n * 52429 >> 19`, and
    `(at + 1) % size`, where `at < size`, the minimum of `at + 1` and
    `at + 1 - size`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SpinFillLocals : Pass<"spin-fill-locals", "::mlir::ModuleOp"> {
  let summary = "Store the zeros that local arrays start with";
  let description = [{
    Removes `zero` from `spin.local`. If a read may come before the element has
    been written, the array is filled behind its `spin.local`. It is not if each
    read goes through a slice that was wholly written before: by a
    `spin.dma_from_host` that was waited for, or by a loop over its elements; or
    at a constant index inside such a slice at the start of the array, or at
    the index of a loop over as many elements as it has.
    Works best on folded and merged arithmetic.

    Example: `%a = spin.local count(8) zero` is followed by two stores of words.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def SpinSkipWords : Pass<"spin-skip-words", "::mlir::ModuleOp"> {
  let summary = "Look at words first in searches through bytes";
  let description = [{
    A `scf.while` that counts from 0 by 1 to a limit, and whose other values
    change only where a comparison of bytes holds (what `break` makes of a
    loop), gets another loop in front, which passes over eight bytes at once for
    none of which the comparison holds. At most eight bytes are then left for
    the loop: its limit is that much, or the old one. The bytes are loaded at
    the index or are the same all the time.

    The accesses to words have no proofs: run spin-prove-bounds again.

    Example: `if (s[i] != d[i]) { at = i; break; }` to `n` looks at
    `s[i ..+ 8]` and `d[i ..+ 8]` while `i < n - 7`.
  }];
  let dependentDialects = ["::spinc::spin::SpinDialect"];
}

def SpinWidenLoops : Pass<"spin-widen-loops", "::mlir::ModuleOp"> {
  let summary = "Run loops over bytes and half-words on words";
  let description = [{
    A `scf.for unsigned` that counts from 0 by 1 and loads and stores bytes at
    its index, or half-words of a view, becomes a loop over groups of four
    words, one over words and code for the elements that are left. All loads of
    a group come before its stores.

    What the loop computes for its element are the lowest bits of a number, and
    a word holds those of several iterations: bitwise operations stay, sums,
    differences, shifts by constants, comparisons, minimum, maximum and choices
    become `spin.lanes`. Numbers may be wider than the element where no more
    than its bits matter (`(a[i] + b[i]) as u8`), or where they are known to be
    zero- or sign-extended. Inner loops and branches that are the same for all
    elements run on words too. A value that all iterations combine by and, or,
    xor, minimum or maximum has a word of its own, which is combined with the
    initial value behind the loops. A loop without stores may leave the handler
    where two elements differ.

    Each slice that is stored to is the same bytes as another one, or cannot
    overlap it: in another space, another local array, or behind one another by
    the facts that hold at the loop. Big-endian half-words are taken if only
    bitwise operations see them and none of them is reduced.

    The accesses to words have no proofs: run spin-prove-bounds again.

    Example: `spin.load %a[%i]` with `%i` to `%n` becomes `spin.wire_load` of an
    i32 with `%i` to `%n - %n mod 4` by 4.
  }];
  let dependentDialects = ["::spinc::spin::SpinDialect"];
}

def SpinUnrollLoops : Pass<"spin-unroll-loops", "::mlir::ModuleOp"> {
  let summary = "Run several iterations of small loops per turn";
  let description = [{
    Splits each innermost `scf.for unsigned` that counts from 0 by 1 and has a
    body of at most `max-ops` operations into a loop over groups of `factor`
    iterations and a loop over the rest. Bodies may leave the handler. Loops
    that are known to run less than two groups stay. A loop that is known to
    run at most `max-full-count` times becomes its iterations one after the
    other, if those are at most `max-full-ops` operations and no commands; the
    loop around it may then be innermost.

    A handler with the attribute `spin.unroll` has as many iterations per turn as
    that says, and limits that are larger by as much; of a large body, or where a
    known number of iterations asks for it, half as many or fewer. With 1, loops
    are not split. The compiler sets it where a handler misses its budget
    (`budget-unrolling` in docs/code-generation.md).

    Operations keep their proofs, but those are about other values now: run
    spin-prove-bounds again.

    Example: `scf.for unsigned %i = %c0 to %n step %c1` becomes a loop to
    `%n - %n mod 4` by 4 and one from there to `%n` by 1.
  }];
  let options = [
    Option<"factor", "factor", "unsigned", "4", "Iterations per turn">,
    Option<"maxOps", "max-ops", "unsigned", "16",
           "Largest number of operations in a loop that is unrolled">,
    Option<"maxFullCount", "max-full-count", "unsigned", "16",
           "Most iterations of a loop that is unrolled fully">,
    Option<"maxFullOps", "max-full-ops", "unsigned", "160",
           "Largest number of operations that full unrolling makes">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SpinMergeCopies : Pass<"spin-merge-copies", "::mlir::ModuleOp"> {
  let summary = "Copy bytes that touch with one command";
  let description = [{
    Two `spin.dma_to_host`, or two `spin.dma_from_host`, become one in the place
    of the second if the source and the destination of the second start where
    those of the first end, in the same slices. Between them there are only
    loads and stores, and arithmetic; or the wait for the first, and arithmetic.
    Who waits for one of the two waits for both, as early as before or right
    behind the command; so no more commands are in flight than before.

    The new command and its slices have no proofs: run spin-prove-bounds again.

    Example: copies of `%s[%i ..+ 16]` to `%d[%i ..+ 16]` and of
    `%s[%i + 16 ..+ 16]` to `%d[%i + 16 ..+ 16]`, which unrolling makes, become
    one of 32 bytes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SpinMergeLoopCopies : Pass<"spin-merge-loop-copies", "::mlir::ModuleOp"> {
  let summary = "Copy with one command what the rounds of a loop copy";
  let description = [{
    A `scf.for` that counts up by a constant, and in each round issues one
    `spin.dma_to_host` or `spin.dma_from_host` of as many bytes, whose source
    and destination start where those of the round before end, leaves it to one
    copy of all of them in front of the loop, in a `scf.if` where the loop may
    have no round. Both offsets are linear in the index. What else is in
    the loop only computes and reads the packet, local arrays, constants, or
    fields of the message or of the HPU, and beside `spin.dma_from_host` only
    computes. If the rounds wait for their copies, there is one wait, behind the
    new one; so no more commands are in flight than before. A loop that has
    nothing left to do goes away.

    Only where the facts in front of the loop show that the whole range is in
    bounds and that no sum wraps. The new operations have no proofs: run
    spin-prove-bounds again.

    Run it before spin-unroll-loops, which makes several copies of one.

    Example: `scf.for unsigned %i = %c0 to %n step %c1` that copies
    `%s[%i * 8 ..+ 8]` to `%d[%i * 8 ..+ 8]` becomes a copy of `%s[0 ..+ %n * 8]`
    to `%d[0 ..+ %n * 8]`, under `%n > 0`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SpinAdvanceLoads : Pass<"spin-advance-loads", "::mlir::ModuleOp"> {
  let summary = "Load the next value before the last one is stored";
  let description = [{
    The core waits a cycle for a value that is used right behind its load. Where
    a store of what was loaded right before it is followed by a load, that load
    comes behind the first one, in front of the store, with the operations that
    compute its operands. The facts at the store show that both do not meet in
    memory, which LLVM cannot know.

    Operations keep their proofs, but facts about what is in memory may be
    others now: run spin-prove-bounds again.

    Example: load a, store a, load b, store b becomes load a, load b, store a,
    store b.
  }];
}

def SpinScheduleCommands : Pass<"spin-schedule-commands", "::mlir::ModuleOp"> {
  let summary = "Issue commands before loops and wait for them behind loops";
  let description = [{
    A command takes the card a while, and the HPU need not stand by. A
    `spin.wait` comes behind what follows it, and a `spin.dma_to_host`,
    `spin.send`, `spin.put` or `spin.notify` in front of what precedes it, with
    the operations that compute its operands: past operations of the same block
    that only compute, and that only read the packet, local arrays, constants,
    or fields of the message or of the HPU. A wait for a `spin.dma_from_host`
    passes only what reads no memory. So nothing that a command works on is
    written while it runs; commands, waits, locks, and what may leave the
    handler keep their order.

    Moves only past a loop, a division, or eight loads and multiplications; a
    command only if its obligations follow from the facts at its new place.
    The passed operations keep theirs: run spin-prove-bounds again.

    Run it before spin-mark-loops: a marker is in the way.

    Example: `scf.for` that adds the bytes of a packet, then `spin.send` of the
    packet, becomes `spin.send`, then `scf.for`: the packet leaves while the HPU
    adds.
  }];
}

def SpinMarkLoops : Pass<"spin-mark-loops", "::mlir::ModuleOp"> {
  let summary = "Mark each loop so that its bound reaches the machine code";
  let description = [{
    Puts one `spin.loop_marker` at the start of each loop body: of the body of
    `scf.for` and `spin.for_pieces`, and of the `do` region of `scf.while`, which runs once per
    iteration; behind the `spin.require` that enforces the bound of a loop, if
    there is one. Markers are numbered from 0 in the order of the program.

    Gives the module the attribute `spin.loops`: for each loop its `id`, the
    image symbol of its `handler`, its source `line` (0 if unknown), its `bound`
    (iterations per execution of the enclosing loop or handler), and the id of
    its `parent` (-1 if none). What passes noted in `spin.attempts` moves there
    as `attempts`.

    Gives it `spin.totals` if loops share limits: `loops` and `weights` of the
    rounds that together are at most `limit` in one run of `handler`.

    Fails if a loop has no `spin.bound` attribute, or if loops are marked
    already.

    Example: `scf.for … {spin.bound = #spin.bound<affine_map<() -> (4)>>}`
    starts with `spin.loop_marker 0` afterwards.
  }];
  let dependentDialects = ["::spinc::spin::SpinDialect"];
}

def SpinCheckBudgets : Pass<"spin-check-budgets", "::mlir::ModuleOp"> {
  let summary = "Refuse budgets that no machine code can keep";
  let description = [{
    Compares the limits in the `budget` of each handler with estimates that are
    never above what is found on the machine code, on the cheapest way through
    the handler, for the longest and for the shortest payload. Of `cycles`: the
    reads that issue commands, atomic additions and the return. Of `occupancy`:
    that, and what the bound charges for commands and waits. Of `stack`: the
    largest local array that a command works on. So it refuses nothing
    that would be accepted later, and may refuse before any code is made. Limits
    that depend on parameters are not looked at.

    Runs behind all passes that change what a handler does.

    Example: a handler with two commands and `budget <"cycles <= 3", …>` is
    refused with E0517.
  }];
  let options = [
    Option<"commandLatency", "command-latency", "int64_t",
           "::spinc::isa::declaredCommandLatency",
           "Cycles in which a command completes">
  ];
}

def SpinCheckCommands : Pass<"spin-check-commands", "::mlir::ModuleOp"> {
  let summary = "Check what handlers do while commands are in flight";
  let description = [{
    A command runs from where it is issued until `spin.wait` of its handle, or
    until the handler ends. Meanwhile nothing may write what it reads, and
    nothing may read or write what it fills; a command on memory of the HPU is
    waited for before the handler ends. A command that is waited for is issued
    while fewer than four others may be in flight, for only then does the card
    tell its number.

    Copies of per_cluster and per_hpu state are only read.

    Memory is told apart by object (the packet, a field, an array) and by
    constant ranges of bytes.

    Example: `spin.wire_store` to byte 0 of the packet after `spin.send` of all
    of it is an error that names both places.
  }];
}

def SpinProveBounds : Pass<"spin-prove-bounds", "::mlir::ModuleOp"> {
  let summary = "Prove that nothing in a handler goes out of bounds";
  let description = [{
    Proves the obligation of each operation: that accesses lie within their
    slices, that `nuw` and `nsw` arithmetic does not overflow, that divisors are
    not zero, shift amounts in range, and that loop indices cannot wrap. An
    operation with a `proof` attribute gets the facts that its proof uses. If an
    obligation cannot be proved, the error says so with a witness: values that
    satisfy all known facts and break the obligation.

    Facts come from types, `where` and `contract` regions, matching rules, the
    conditions of `scf.if`, `scf.while` and `spin.require`, loop headers, loop
    invariants of simple form, and from what computes a value.

    It must run before any pass that folds or removes arithmetic, because that
    may drop an obligation which the user's program has. It may run again after
    such passes: operations with a proof are proved anew, but those whose proof
    is the law of a construct (its first fact starts with `law of`) keep it.

    Example: in `scf.if` on `%i < 1024`, `spin.load %s[%i]` of a slice with 1024
    elements gets `proof <"i + 1 <= 1024">`.
  }];
  let options = [
    Option<"keepRejected", "keep-rejected", "bool", "false",
           "Go on behind errors, for the compiler's --unsafe-emit-rejected; "
           "each error then says what to replay">
  ];
  let dependentDialects = ["::spinc::spin::SpinDialect"];
}

def SpinExpandLanes : Pass<"spin-expand-lanes", "::mlir::ModuleOp"> {
  let summary = "Spell packed values out in plain arithmetic";
  let description = [{
    Replaces `spin.lanes`, `spin.splat` and `spin.insert_lane`, for cores
    without SIMD instructions and for `--disable=packed-simd`. Sums and
    differences take five or six operations for all lanes; comparisons, minimum
    and maximum go lane by lane.

    Example: `spin.splat %n count(4)` becomes `%n & 255` times `0x01010101`.
  }];
}

def SpinInferLoopBounds : Pass<"spin-infer-loop-bounds", "::mlir::ModuleOp"> {
  let summary = "Bound the iterations of loops";
  let description = [{
    Gives each `scf.for`, `scf.while` and `spin.for_pieces` the attribute
    `spin.bound`, an upper bound on its iterations each time it is reached, if
    one can be derived: from the header of `scf.for`; the length of the data
    divided by the block, plus 2, for `spin.for_pieces`; for `scf.while` from a value that moves by at
    least a known step towards a limit in the condition, or that halves or
    doubles. Bounds are in terms of `p.length`, parameters and quotients such as
    `p.length / block`, or constants. They are never negative.

    A `scf.while` outside of other loops whose rounds walk a range, and whose
    inner loops work on the pieces, gets `spin.total`, a limit for all of these
    rounds together, and the loops `spin.weight`, what one of their rounds takes.
    So does a `scf.for` directly in one that runs once, if its limits are
    arithmetic on the outer index: `spin.total` is what its rounds add up to.

    It relies on the obligations that `spin-prove-bounds` proves. A loop that
    has a bound keeps it; one for which none is derived is left for
    `spin-mark-loops` to report.

    Example: `scf.for unsigned %i = %c0 to %n step %c4` with `%n` the payload
    length gets
    `#spin.bound<affine_map<()[s0] -> ((s0 + 3) floordiv 4)>, "p.length">`.
  }];
  let dependentDialects = ["::spinc::spin::SpinDialect"];
}

def SpinDemandLoopBounds : Pass<"spin-demand-loop-bounds", "::mlir::ModuleOp"> {
  let summary = "Refuse loops without a bound while they are there";
  let description = [{
    Fails if no bound can be derived for a `scf.while`. It changes nothing:
    spin-infer-loop-bounds writes the bounds down, of loops that are folded by
    then. But folding also removes a loop whose results are not used and that
    has no effects, or none left, be it endless or not.

    Example: `scf.while` on `%i < 26` whose body may yield `%i` unchanged, and
    stores nothing, is refused.
  }];
  let dependentDialects = ["::spinc::spin::SpinDialect"];
}

def SpinCertify : Pass<"spin-certify", "::mlir::ModuleOp"> {
  let summary = "Write down why each obligation holds";
  let description = [{
    Gives each operation that has obligations the attribute `spin.certificate`,
    and each loop that needs them the attribute `spin.claims`, in the form that
    docs/certificates.md describes. Searches anew, from the facts that
    spin-check-proofs derives, so what spin-prove-bounds found is confirmed by
    different means. Certificates name values by number: a pass that changes the
    program makes them void, and this pass has to run again.

    Fails with E0420 if it finds no certificate for an obligation.

    Example: `spin.load %s[%i]` under `scf.if` on `%i < 1024`, where `%s` has
    1024 elements, gets `spin.certificate = "+ 1 k0 1 t5.1 ;"`.
  }];
  let options = [
    Option<"after", "after", "std::string", "\"\"",
           "What ran before: named in the error">,
    Option<"dropFlags", "drop-flags", "bool", "false",
           "Take back nuw and nsw that get no certificate">
  ];
  let dependentDialects = ["::spinc::spin::SpinDialect"];
}

def SpinCheckProofs : Pass<"spin-check-proofs", "::mlir::ModuleOp"> {
  let summary = "Check the certificate of each obligation";
  let description = [{
    Lists the obligations of each operation, derives the facts that its
    certificate cites from the operations around it, and does the arithmetic. It
    shares no code with spin-prove-bounds and searches for nothing.

    Fails if an operation has an obligation without a valid certificate, if the
    bound of a loop has none, if a marker names another bound than that of its
    loop, and if a handler contains an operation that this pass does not know.

    Example: `spin.load %s[%i]` without `spin.certificate` is refused.
  }];
  let options = [
    Option<"after", "after", "std::string", "\"\"",
           "What ran before: named in the error">
  ];
}

def SpinStripCertificates : Pass<"spin-strip-certificates", "::mlir::ModuleOp"> {
  let summary = "Remove certificates that are about to become void";
  let description = [{
    Removes `spin.certificate` and `spin.claims` from all operations, so that
    passes which compare operations do not take equal ones for different.

    Example: `{spin.certificate = "…"}` disappears.
  }];
}

#endif // SPIN_TRANSFORMS_PASSES_TD
