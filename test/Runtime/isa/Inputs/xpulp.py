"""Runs every Xpulp arithmetic instruction on random operands and compares with
the model. Every row of the tables must have a model."""

import sys

import bare
from xpulp_model import M32, MODEL

VECTORS = 24
GROUPS = ["xpulp_alu", "xpulp_mac", "xpulp_simd_arith", "xpulp_simd_cmp",
          "xpulp_simd_move"]


def main():
    folder = sys.argv[1]
    unused = set(MODEL)
    for group in GROUPS:
        rows = bare.mnemonics(group)
        missing = [name for name in rows if name not in MODEL]
        if missing:
            raise SystemExit(f"{group}: no model of {missing}")
        rng = bare.new_rng(group)
        body, cases = "", []
        for name in rows:
            unused.discard(name)
            encode, compute = MODEL[name]
            for a, b in bare.operands(rng, VECTORS):
                old = rng.getrandbits(32)
                if name.startswith("p.clip"):
                    b &= 0x7FFFFFFF
                if name.endswith("r") and not name.endswith("Nr"):
                    # Register forms of bit fields: keep within the word.
                    length = rng.randint(1, 32)
                    position = rng.randint(0, 32 - length) & 31
                    if name not in ("p.ror", "p.clipr", "p.clipur"):
                        b = (length - 1) << 5 | position
                word, immediates = encode(rng)
                body += (f"  li a1, {a}\n  li a2, {b}\n  li a0, {old}\n"
                         f"  .4byte {word:#x}\n" + bare.store("a0"))
                cases.append((name, a, b, old,
                              compute(a, b, old, immediates) & M32))
        path = f"{folder}/{group}.elf"
        bare.build(body, path)
        got = bare.words(bare.run_sim(path))
        if len(got) != len(cases):
            raise SystemExit(f"{group}: {len(got)} results, "
                             f"not {len(cases)}")
        for (name, a, b, old, want), have in zip(cases, got):
            if want != have:
                raise SystemExit(f"{name} a={a:#x} b={b:#x} rd={old:#x}: "
                                 f"model {want:#x}, spinc-sim {have:#x}")
        print(f"{group}: {len(rows)} instructions agree")
    if unused:
        raise SystemExit(f"models without a row: {sorted(unused)}")


if __name__ == "__main__":
    main()
