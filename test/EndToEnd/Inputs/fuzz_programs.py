#!/usr/bin/env python3
"""Compiles random handlers, runs them, and compares with a reference.

Each program is made twice at once: as .spinc and as Python. The Python text
computes exactly and raises Unsound where an obligation of the language (no
overflow, in bounds, divisor not zero, …) does not hold; an accepted program
must never get there. What leaves the card must be what Python says, no
handler may fault, and no run may take longer than the bound in the image.

usage: fuzz_programs.py BIN_DIR COUNT [--seed=N] [--seconds=S] [--keep=DIR]
"""
import argparse
import json
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import fuzz_reference as ref
from fuzz_statements import STATE, Program

# Seconds for one run of a tool. Programs that take the prover longer are
# counted, not failed: how long a proof may take is no promise of spinc.
patience = 20


class Failure(Exception):
    """What is wrong with the compiler, the bound or the simulator."""


def packets(program, count):
    """Whole packets of several sizes, and one without all of its headers."""
    r, made = program.r, []
    most = 1500 - program.base
    sizes = [0, most, 1, r.randint(2, 40), r.randint(4, 80), 33, 64]
    for i in range(count):
        size = sizes[i] if i < len(sizes) else r.randint(0, 200)
        few = r.random() < 0.4
        data = bytearray(r.choice([0, 1, 255, 128, 7]) if few else
                         r.randrange(256) for _ in range(program.base + size))
        data[0], data[9], data[22:24] = 0x45, 17, b"\0\7"
        made.append(data)
    made.append(made[-1][:program.base - 1])
    return made


def capture(path, data, link=101):
    text = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for packet in data:
        text += struct.pack("<IIII", 0, 0, len(packet), len(packet)) + packet
    path.write_bytes(text)


def captured(path):
    data, at, found = path.read_bytes(), 24, []
    while at < len(data):
        size = struct.unpack_from("<I", data, at + 8)[0]
        found.append(data[at + 16: at + 16 + size])
        at += 16 + size
    return found


def bound(handler, symbols):
    def count(c):
        return c["const"] + sum(
            t["coef"] * ((sum(a * symbols[s] for s, a in t["syms"].items())
                          + t["add"]) // t["div"]) for t in c["terms"])
    return max(count(c) for c in handler["bound"]["cycles"])


class Runner:
    def __init__(self, bin_dir, folder):
        self.bin, self.folder = Path(bin_dir), Path(folder)

    def call(self, tool, *arguments):
        done = subprocess.run([self.bin / tool, *arguments], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=patience)
        return done.returncode, done.stdout.decode(errors="replace")

    def check(self, program):
        """None, or the code of the error with which spinc rejects it."""
        (self.folder / "a.spinc").write_text(program.source)
        code, text = self.call("spinc", "a.spinc", "-o", "a.elf")
        if code not in (0, 1) or "Stack dump" in text:
            raise Failure(f"spinc exits with {code}: {text}")
        if code == 1:
            return text.rsplit("[E", 1)[-1][:4] if "[E" in text else text
        elf = (self.folder / "a.elf").read_bytes()
        start = elf.index(b'{"contexts"')
        self.meta = json.JSONDecoder().raw_decode(
            elf[start:].decode(errors="replace"))[0]["contexts"][0]
        code = compile(program.reference, "reference", "exec")
        scope = dict(vars(ref))
        exec(code, scope)
        data = packets(program, 5 if program.single else 12)
        for group in [[p] for p in data] if program.single else [data,
                                                                data[1:2]]:
            values = {name: program.r.choice([lo, hi, program.r.randint(lo,
                                                                        hi)])
                      for name, (t, lo, hi) in program.params.items()}
            self.compare(program, group, scope, values)
        return None

    def compare(self, program, group, scope, values):
        state = {name: [0] * n for name, n in STATE.items()}
        state["pl"] = [0] * 4
        host, sent, codes = bytearray(4096), [], [0, 0, 0]
        scope["setup"](state)
        for packet in group:
            if len(packet) < program.base:
                codes[1] += 1
                continue
            codes[scope["handler"](bytearray(packet), len(packet)
                                   - program.base, state, values, host,
                                   sent)] += 1
        found = self.simulate(program, group, values)
        report = json.loads((self.folder / "o.json").read_text())
        for run in report["handlers"]:
            handler = next(h for h in self.meta["handlers"]
                           if h["symbol"] == run["symbol"])
            most = max(bound(handler, {**values, "p.length": max(
                0, len(p) - program.base)}) for p in group)
            most = min(most, handler["bound"]["worst"])
            if run["cycles"]["max"] > most:
                raise Failure(f"{run['symbol']} takes {run['cycles']['max']} "
                              f"cycles, its bound is {most}")
            results = [run["succeeded"], run["dropped"], run["failed"]]
            if run["kind"] == "payload" and results != codes:
                raise Failure(f"codes {results}, expected {codes}")
        if sorted(captured(self.folder / "o.pcap")) != sorted(sent):
            raise Failure("packets sent differ")
        if found[:1024] != host[:1024]:
            raise Failure("host memory differs")
        copies = struct.unpack_from("<32I", found, 1024)
        kind = program.kinds["cl"] if not program.single else "or"
        merged = [0] * 8
        for i, value in enumerate(copies):
            merged[i % 8] = ref.combine(kind, merged[i % 8], value)
        final = {"cl": merged,
                 "arr": list(struct.unpack_from("<16Q", found, 2048)),
                 "one": list(struct.unpack_from("<Q", found, 2176))}
        for name, value in final.items():
            if value != state[name]:
                raise Failure(f"state {name}: {value}, not {state[name]}")

    def simulate(self, program, group, values):
        capture(self.folder / "a.pcap", group)
        (self.folder / "o.pcap").write_bytes(b"\0" * 24)
        code, text = self.call(
            "spinc-sim", "a.elf", "--pcap=a.pcap", "--out=o.pcap",
            "--json=o.json", "--host-size=4096", "--host-out=h.bin",
            "--max-cycles=100000000",
            *[f"--set=C.{name}={value}" for name, value in values.items()])
        if code:
            raise Failure(f"spinc-sim exits with {code}: {text}")
        return (self.folder / "h.bin").read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bin", type=lambda path: Path(path).resolve())
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    begin, results, failures = time.monotonic(), Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options.bin, folder)
        for seed in range(options.seed, options.seed + options.count):
            if time.monotonic() - begin > options.seconds:
                break
            program = Program(seed)
            try:
                results[runner.check(program) or "accepted"] += 1
            except subprocess.TimeoutExpired:
                results["slow"] += 1
                print(f"seed {seed}: not done after {patience} seconds")
            except (Failure, ref.Unsound) as error:
                failures += 1
                print(f"seed {seed}: {type(error).__name__}: {error}")
                if options.keep:
                    (options.keep / f"{seed}.spinc").write_text(program.source)
                    (options.keep / f"{seed}.py").write_text(program.reference)
    print(dict(results), f"{failures} failures,",
          f"{time.monotonic() - begin:.0f} s")
    total = sum(results.values()) + failures
    enough = results["accepted"] * 4 >= total and total >= 5
    if not enough:
        print("too few programs are accepted")
    return 1 if failures or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
