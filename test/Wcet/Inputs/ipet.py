#!/usr/bin/env python3
"""Longest paths against integer programs (IPET) that HiGHS solves.

Random functions of nested loops with branches and early exits, bounded with
flow facts. The graph that spinc-wcet prints, with its costs and loop bounds,
becomes an integer program: flow is kept in each block, and a loop's header runs
at most as often as its bound for each entry. The optimum must be the bound.
"""
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import highspy
from assembly import Assembly

WCET, COUNT = sys.argv[1], int(sys.argv[2])
# Functions in one image: starting the tools costs more than the solver.
PER_IMAGE = 50


class Function(Assembly):
    """Code of one function, and a flow fact for each loop."""

    def __init__(self, name, seed):
        super().__init__(f"{name}_")
        self.random = random.Random(seed)
        self.name = name
        self.bounds = []
        self.body(3)

    def straight(self):
        for _ in range(self.random.randint(1, 3)):
            self.emit(self.random.choice(
                ["addi a0, a0, 1", "mul a1, a0, a2", "lw a3, 0(a4)",
                 "add a5, a3, a0", "div a6, a0, a1", "mulhu a7, a0, a1"]))

    def branch(self, target):
        # On a value that was just loaded: no branch excludes another one, which
        # the integer program would not know.
        self.emit("lw t0, 0(sp)")
        self.emit(f"{self.random.choice(['beq', 'bne', 'bltu'])} t0, "
                  f"a{self.random.randint(4, 7)}, {target}")

    def body(self, depth, leave=None):
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.choice(["if", "if", "loop", "loop", "leave"])
            self.straight()
            if kind == "if":
                other, end = self.label(), self.label()
                self.branch(other)
                self.straight()
                self.emit(f"j {end}")
                self.lines.append(f"{other}:")
                self.straight()
                self.lines.append(f"{end}:")
            elif kind == "loop" and depth:
                self.loop(depth)
            elif kind == "leave" and leave:
                self.branch(leave)
        self.straight()

    def loop(self, depth):
        head, end = self.label(), self.label()
        self.bounds.append((head, self.random.randint(1, 9)))
        self.lines.append(f"{head}:")
        at_start = self.random.random() < 0.5
        if at_start:
            self.branch(end)
        self.body(depth - 1, end)
        if at_start:
            self.emit(f"j {head}")
        else:
            self.branch(head)
        self.lines.append(f"{end}:")
        # The end is a block of its own: no two loops share a header.
        self.emit("nop")


def build(base, functions):
    text = ["  .text", "  .globl _start", "_start: ret"]
    for function in functions:
        text += [f"  .globl {function.name}",
                 f"  .type {function.name},@function", f"{function.name}:"]
        text += function.lines + ["  ret"]
    # Offsets of the loops, read back as data.
    text.append("  .section .offsets,\"a\"")
    for function in functions:
        for head, _ in function.bounds:
            text.append(f"  .word {head} - {function.name}")
    (base / "a.s").write_text("\n".join(text) + "\n")
    subprocess.run(
        ["clang-22", "--target=riscv32-unknown-elf", "-march=rv32imac",
         "-mno-relax", "-nostdlib", "-fuse-ld=lld", str(base / "a.s"), "-o",
         str(base / "a.elf")], check=True)
    subprocess.run(["llvm-objcopy", "-O", "binary", "-j", ".offsets",
                    str(base / "a.elf"), str(base / "offsets")], check=True)
    data = (base / "offsets").read_bytes()
    facts, at = [], 0
    for function in functions:
        for _, bound in function.bounds:
            facts.append({"function": function.name, "iterations": bound,
                          "offset": int.from_bytes(data[at:at + 4], "little")})
            at += 4
    (base / "facts.json").write_text(json.dumps(
        {"handlers": [{"symbol": f.name} for f in functions], "loops": facts}))


def solve(graph):
    """Cycles of the dearest flow from the entry to an end."""
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    edges, blocks = graph["edges"], graph["blocks"]
    ways = [highs.addIntegral(lb=0) for _ in edges]
    ends = [highs.addIntegral(lb=0, ub=1 if block["ends"] else 0)
            for block in blocks]
    runs, cost = [], 0
    for number, block in enumerate(blocks):
        inward = sum((ways[i] for i, e in enumerate(edges)
                      if e["to"] == number), 1 if number == 0 else 0)
        outward = sum((ways[i] for i, e in enumerate(edges)
                       if e["from"] == number), ends[number])
        highs.addConstr(outward - inward == 0)
        runs.append(outward)
        cost = cost + block["cycles"] * outward
    for way, edge in zip(ways, edges):
        cost = cost + edge["cycles"] * way
    highs.addConstr(sum(ends, 0) == 1)
    for loop in graph["loops"]:
        inside = set(loop["blocks"])
        entries = sum((ways[i] for i, e in enumerate(edges)
                       if e["to"] == loop["header"]
                       and e["from"] not in inside),
                      1 if loop["header"] == 0 else 0)
        bound = min(b["const"] for b in loop["headerBounds"])
        highs.addConstr(runs[loop["header"]] - bound * entries <= 0)
    highs.maximize(cost)
    return round(highs.getInfo().objective_function_value)


def main():
    wrong = loops = done = 0
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        while done < COUNT:
            functions = [Function(f"f{seed}", seed) for seed in
                         range(done, min(COUNT, done + PER_IMAGE))]
            build(base, functions)
            ran = subprocess.run(
                [WCET, str(base / "a.elf"), "--bare", "--graph",
                 f"--facts={base / 'facts.json'}"], capture_output=True,
                text=True)
            if ran.returncode != 0:
                print(ran.stderr)
                return 1
            for result in json.loads(ran.stdout):
                optimum = solve(result["graph"])
                loops += len(result["graph"]["loops"])
                if optimum != result["worst"]:
                    wrong += 1
                    print(f"{result['symbol']}: bound {result['worst']}, "
                          f"optimum {optimum}")
            done += len(functions)
    print(f"{done} functions with {loops} loops, {wrong} wrong")
    return 1 if wrong or loops < COUNT // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
