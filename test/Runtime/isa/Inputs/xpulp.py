"""Runs every Xpulp arithmetic instruction on random operands and compares with
the model. Every row of the tables must have a model.

    xpulp.py FOLDER pspin|corev ISA_WORDS

On corev the words are changed to those of CORE-V, and the products run that
stop a core of PsPIN; there, that they do is checked."""

import subprocess
import sys

import bare
from xpulp_model import M32, MODEL

VECTORS = 24
GROUPS = ["xpulp_alu", "xpulp_mac", "xpulp_simd_arith", "xpulp_simd_cmp",
          "xpulp_simd_move"]
PRODUCTS = "xpulp_hang"


def corev_words(tool, found):
    done = subprocess.run([tool, "corev"], check=True, capture_output=True,
                          input="".join(f"{w:x}\n" for w in found), text=True)
    return [int(word, 16) for word in done.stdout.split()]


def check_hang(folder, rng):
    """Each product ends the program where it stands."""
    for name in bare.mnemonics(PRODUCTS):
        path = f"{folder}/hang.elf"
        bare.build(f"  .4byte {MODEL[name][0](rng)[0]:#x}\n", path)
        done = subprocess.run(["spinc-sim", "--bare", path],
                              capture_output=True, text=True)
        if "stops a PsPIN core for ever" not in done.stderr:
            raise SystemExit(f"{name} goes on: {done.stderr}")
    print(f"{PRODUCTS}: {len(bare.mnemonics(PRODUCTS))} instructions stop")


def main():
    folder, isa, tool = sys.argv[1:]
    unused = set(MODEL)
    if isa == "pspin":
        check_hang(folder, bare.new_rng(PRODUCTS))
        unused -= set(bare.mnemonics(PRODUCTS))
    for group in GROUPS + ([PRODUCTS] if isa == "corev" else []):
        rows = bare.mnemonics(group)
        missing = [name for name in rows if name not in MODEL]
        if missing:
            raise SystemExit(f"{group}: no model of {missing}")
        rng = bare.new_rng(group)
        cases = []
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
                cases.append((name, a, b, old,
                              compute(a, b, old, immediates) & M32, word))
        found = [word for *_, word in cases]
        if isa == "corev":
            found = corev_words(tool, found)
        body = "".join(
            f"  li a1, {a}\n  li a2, {b}\n  li a0, {old}\n"
            f"  .4byte {word:#x}\n" + bare.store("a0")
            for (_, a, b, old, _, _), word in zip(cases, found))
        path = f"{folder}/{group}.elf"
        bare.build(body, path)
        got = bare.words(bare.run_sim(path, f"--isa={isa}"))
        if len(got) != len(cases):
            raise SystemExit(f"{group}: {len(got)} results, "
                             f"not {len(cases)}")
        for (name, a, b, old, want, _), have in zip(cases, got):
            if want != have:
                raise SystemExit(f"{name} a={a:#x} b={b:#x} rd={old:#x}: "
                                 f"model {want:#x}, spinc-sim {have:#x}")
        print(f"{group}: {len(rows)} instructions agree")
    if unused:
        raise SystemExit(f"models without a row: {sorted(unused)}")


if __name__ == "__main__":
    main()
