#!/usr/bin/env python3
"""Random loops over bytes and half-words, compiled with and without what runs
them on words, and run on the same packets: what comes out must be equal, and no
run longer than its bound.

usage: random_loops.py BIN_DIR FIRST_SEED COUNT
"""
import random
import sys
import tempfile
from pathlib import Path

import run_cases
from tools import Failure, capture

WITHOUT = ["-O2", "--disable=skip-words,widen-loops"]
WITH = [["-O2"], ["-O2", "--disable=packed-simd"], ["-O1", "--disable=unroll-loops"]]

HEAD = """context C {
  packet { Head ip; u8 payload[]; }
  match { ip.protocol == 17 }
  host out;
  contract out.size >= 64;

  handler payload(packet p) {
    let n = p.length / 3;
    let a = p.payload[0 ..+ n]%(view)s;
    let b = p.payload[n ..+ n]%(view)s;
    let d = p.payload[2 * n ..+ n]%(view)s;
    let m = %(count)s;
    let k = p.length & 0xFF;
%(body)s
    notify(out[0 ..+ 8], rolling(p.payload));
    return SUCCESS;
  }
}

header Head { u8 begin[9]; u8 protocol; u8 rest[18]; }

u32 rolling(u8[] bytes) {
  u32 sum = 0;
  for (byte : bytes) sum = sum *%% 31 +%% byte;
  return sum;
}
"""


class Loops(random.Random):
    """Makes the text of one program."""

    def program(self):
        self.bits = self.choice([8, 8, 16])
        order = self.choice(["le", "le", "be"]) + "16"
        view = "" if self.bits == 8 else f" as {order}[]"
        count = "n" if self.bits == 8 else "n / 2"
        if self.random() < .15:
            count = "(n < 24 ? n : 24)" if self.bits == 8 else count
        body = "\n".join(self.loop(number) for number in range(3))
        return HEAD % {"view": view, "count": count, "body": body}

    def element(self):
        text = self.choice("abd") + "[i]"
        if self.random() < .3:
            text = f"(({text} as i{self.bits}) as i32)"
        elif self.random() < .2:
            text = f"({text} as i32)"
        return text

    def number(self, depth):
        kind = self.randrange(9)
        if depth == 0 or kind == 0:
            return self.element() if self.random() < .7 else str(
                self.choice([0, 1, 3, 0x55, 0x7F, 0x80, 0xFF]))
        if kind < 5:
            operator = self.choice(["+", "-", "&", "|", "^"])
            return f"({self.number(depth - 1)} {operator} {self.number(depth - 1)})"
        if kind == 5:
            shift = self.choice(["<<", ">>"])
            return f"({self.number(depth - 1)} {shift} {self.randrange(self.bits)})"
        if kind == 6:
            return f"(({self.number(depth - 1)}) as u{self.bits})"
        return (f"({self.condition(depth - 1)} ? {self.number(depth - 1)} : "
                f"{self.number(depth - 1)})")

    def condition(self, depth):
        operator = self.choice(["<", "<=", ">", ">=", "==", "!="])
        left = "k" if self.random() < .1 else self.number(depth)
        return f"{left} {operator} {self.number(depth)}"

    def loop(self, number):
        kind = self.randrange(8)
        type = f"u{self.bits}"
        head = "    for (i : 0 ..< m) wrapping {\n      "
        if kind < 4:
            target = self.choice("add")
            return f"{head}{target}[i] = ({self.number(3)}) as {type};\n    }}"
        if kind == 4:
            combine = self.choice(
                ["r{0} ^= {1};", "r{0} |= {1};", "r{0} &= {1};",
                 "if ({1} < r{0}) r{0} = {1};", "if ({1} >= r{0}) r{0} = {1};"])
            start = self.choice([0, 1, 0x55, 2**self.bits - 1])
            value = f"(({self.number(2)}) as {type})"
            return (f"    {type} r{number} = {start};\n"
                    f"{head}let x = {value};\n      "
                    f"{combine.format(number, 'x')}\n    }}\n"
                    f"    notify(out[{8 + 8 * number} ..+ 8], r{number});")
        if kind == 5:
            place = (f"    u32 r{number} = m;\n{head}"
                     f"if ({self.simple()}) {{ r{number} = i; break; }}\n    }}")
            return f"{place}\n    notify(out[{8 + 8 * number} ..+ 8], r{number});"
        if kind == 6:
            return f"{head}if ({self.element()} != {self.element()}) return DROP;\n    }}"
        return f"{head}d[i] = (k & 0x{2**self.bits - 1:X}) as {type};\n    }}"

    def simple(self):
        other = self.choice(["a[i]", "b[i]", "44", "200"])
        return f"d[i] {self.choice(['==', '!=', '<', '>='])} {other}"

    def payload(self):
        size = self.choice([0, 2, 3, 5, 11, 12, 24, 25, 48, 50, 51, 99, 100, 193, 300])
        some = [0, 1, 44, 0x7F, 0x80, 0xFF]
        if self.random() < .2:
            return bytes([self.choice(some)]) * size
        return bytes(self.choice(some + [self.randrange(256)]) for _ in range(size))


class Comparison(run_cases.Cases):
    def outcome(self, options, program, packets):
        """What the program does to the packets, or None if it is refused."""
        code, text = self.call("spinc", *options, program, "-o", "a.elf")
        if code:
            return None, text
        self.read_bounds()
        result = []
        for data in packets:
            capture(self.folder / "a.pcap", [run_cases.HEADER + data], self.link)
            code, text = self.call(
                "spinc-sim", "a.elf", "--pcap=a.pcap", "--json=o.json",
                "--host-size=4096", "--host-out=h.bin", "--max-cycles=10000000")
            if code:
                raise Failure(f"spinc-sim exits with {code}: {text}")
            run = self.payload_run(data)
            result.append((run["succeeded"], run["dropped"],
                           (self.folder / "h.bin").read_bytes()[:64]))
        return result, ""


def check(comparison, seed):
    """Whether the program of this seed is taken; raises where it differs."""
    loops = Loops(seed)
    program = comparison.folder / "p.spinc"
    program.write_text(loops.program())
    packets = [loops.payload() for _ in range(6)]
    expected, text = comparison.outcome(WITHOUT, program, packets)
    for options in WITH:
        found, problem = comparison.outcome(options, program, packets)
        if found != expected:
            raise Failure(f"seed {seed} {options}: {found} instead of {expected}"
                          f"\n{text}{problem}")
    return expected is not None


def main():
    first, count = int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(sys.argv[1], folder)
        taken = sum(check(comparison, seed) for seed in range(first, first + count))
    print(f"{taken} programs of {count}, no differences")
    return 0


if __name__ == "__main__":
    sys.exit(main())
