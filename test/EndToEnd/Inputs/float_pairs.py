#!/usr/bin/env python3
"""Runs float_pairs.spinc on random pairs and compares with the host's floats.

usage: float_pairs.py BIN_DIR PAIRS
"""
import ctypes
import json
import math
import random
import struct
import sys
import tempfile
from pathlib import Path

from tools import Failure, Runner, bound, capture
from run_cases import HEADER

PAIRS_A_PACKET = 40
FIELDS = "<6d8f2Q4I12B4x"


def single(value):
    return ctypes.c_float(value).value


def divide(a, b):
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def saturate(value, bits, signed):
    if math.isnan(value):
        return 0
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (
        0, (1 << bits) - 1)
    if math.isinf(value):
        return high if value > 0 else low
    return max(low, min(high, int(value)))


def rounded(number):
    """An integer as an f32, rounded once."""
    if abs(number) >= 1 << 40:  # beyond a double's exactness: keep a sticky bit
        number = number >> 16 << 16 | bool(number & 0xffff) << 16
    return single(float(number))


def expected(a, b):
    x, y = single(a), single(b)
    results = [a + b, a - b, a * b, divide(a, b), -x,
               float(saturate(a, 64, True))]
    results += [single(x + y), single(x - y), single(x * y),
                single(divide(x, y)), x, rounded(saturate(a, 64, False)),
                rounded(saturate(b, 32, True)), rounded(saturate(b, 32, False))]
    results += [saturate(a, 64, False), saturate(x, 64, True) % 2**64]
    results += [saturate(a, 32, True) % 2**32, saturate(x, 32, False),
                saturate(x, 16, True) % 2**32, saturate(b, 8, False)]
    for l, r in ((a, b), (x, y)):
        results += [l < r, l <= r, l > r, l >= r, l == r, l != r]
    return results


def operand(rng):
    kind = rng.randrange(6)
    bits = rng.getrandbits(64)
    if kind == 0:
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    if kind == 1:  # about one
        return rng.choice([-1, 1]) * (1 + rng.random()) * 2.0**rng.randrange(-2, 3)
    if kind == 2:  # about the ends of integers
        return float(rng.choice([-1, 1]) * (1 << rng.randrange(66))) + rng.choice(
            [-1, -0.5, 0, 0.5, 1])
    if kind == 3:  # where f32 ends
        return rng.choice([-1, 1]) * rng.random() * 2.0**rng.choice(
            [-150, -149, -127, -126, -125, 127, 128])
    if kind == 4:
        return rng.choice([0.0, -0.0, math.inf, -math.inf, math.nan])
    return float(rng.randrange(-1000, 1000)) / 8


def same(found, wanted):
    if isinstance(wanted, float):
        return struct.pack("<d", found) == struct.pack("<d", wanted) or (
            math.isnan(found) and math.isnan(wanted))
    return found == wanted


def run(runner, level, pairs):
    program = Path(__file__).with_name("float_pairs.spinc")
    code, text = runner.call("spinc", level, program, "-o", "a.elf")
    if code:
        raise Failure(f"spinc exits with {code}: {text}")
    packets = []
    for first in range(0, len(pairs), PAIRS_A_PACKET):
        packet = bytearray(HEADER)
        packet[0], packet[9], packet[22:24] = 0x45, 17, b"\0\7"
        packet += struct.pack("<Q", first)
        for pair in pairs[first:first + PAIRS_A_PACKET]:
            packet += struct.pack("<2d", *pair)
        packets.append(packet)
    capture(runner.folder / "a.pcap", packets)
    code, text = runner.call(
        "spinc-sim", "a.elf", "--pcap=a.pcap", "--json=o.json",
        "--host-size=4194304", "--host-out=h.bin", "--max-cycles=1000000000")
    if code:
        raise Failure(f"spinc-sim exits with {code}: {text}")
    report = json.loads((runner.folder / "o.json").read_text())
    payload = next(r for r in report["handlers"] if r["kind"] == "payload")
    if payload["succeeded"] != len(packets):
        raise Failure(f"got {payload}")
    elf = (runner.folder / "a.elf").read_bytes()
    context = json.JSONDecoder().raw_decode(
        elf[elf.index(b'{"contexts"'):].decode(errors="replace"))[0]["contexts"][0]
    handler = next(h for h in context["handlers"] if h["kind"] == "payload")
    most = bound(handler, {"p.length": 8 + 16 * PAIRS_A_PACKET})
    if payload["cycles"]["max"] > most:
        raise Failure(f"{payload['cycles']['max']} cycles, the bound is {most}")
    out = (runner.folder / "h.bin").read_bytes()
    failures = 0
    for i, pair in enumerate(pairs):
        found = struct.unpack_from(FIELDS, out, 128 * i)
        for place, (got, wanted) in enumerate(zip(found, expected(*pair))):
            if not same(got, wanted):
                failures += 1
                print(f"{level} {pair[0].hex()} {pair[1].hex()} result {place}: "
                      f"{got}, not {wanted}")
    return failures


def main():
    rng = random.Random(1)
    pairs = [(operand(rng), operand(rng)) for _ in range(int(sys.argv[2]))]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(sys.argv[1], folder)
        for level in ("-O0", "-O2"):
            failures += run(runner, level, pairs)
    print(f"{len(pairs)} pairs, {failures} results differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
