#!/usr/bin/env python3
"""The simulator's engines beside qemu-riscv32 (Debian package qemu-user) on the
same programs, bench/kernels, and the whole card: 32 HPUs that compete, packets
of three sizes. Prints million instructions per second of user time, best of
several runs, less the time that an empty run takes.

    bench/engines.py [--sim build/bin/spinc-sim] [--runs 3]
    bench/engines.py --build <folder>      only builds the kernels"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "kernels")
# Rounds: about three thousand million instructions each.
ROUNDS = {"sha256": 12000, "memcpy": 250000, "sort": 2000, "mixed": 60000}
# The interpreter gets this part of them.
SIMPLE_PART = 20


def build(name, folder):
    path = os.path.join(folder, name + ".elf")
    subprocess.run(
        ["clang-22", "--target=riscv32", "-march=rv32imac", "-mabi=ilp32",
         "-O2", "-ffreestanding", "-fno-builtin", "-nostdlib", "-fuse-ld=lld",
         os.path.join(KERNELS, "start.S"), os.path.join(KERNELS, name + ".c"),
         "-o", path], check=True)
    return path


def user_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return used, done


def measure(command, path, rounds, runs):
    """Seconds for `rounds` beyond what one round takes, the exit status and
    what was said."""
    best, done = None, None
    for _ in range(runs):
        start, _ = user_time(command + [path, "1"])
        used, done = user_time(command + [path, str(rounds)])
        best = min(best or used, used - start if used > start else used)
    return best, done.returncode, done.stderr


def measure_card(sim, folder, runs):
    """The histogram with packets that come faster than 32 HPUs take them; the
    time of making the packets counts, that of starting does not."""
    image = os.path.join(folder, "histogram.elf")
    report = os.path.join(folder, "report.json")
    subprocess.run(
        [os.path.join(os.path.dirname(sim), "spinc"),
         os.path.join(HERE, "..", "examples", "histogram", "histogram.spinc"),
         "-o", image], check=True)
    print(f"{'bytes':>8} {'packets':>8} {'instructions each':>18} "
          f"{'with contention':>16}")
    for size, packets in ((64, 400000), (512, 120000), (1400, 60000)):
        best = None
        for _ in range(runs):
            used = []
            for count in (1, packets):
                seconds, done = user_time(
                    [sim, image, "--contention", f"--json={report}",
                     f"--generate=packets={count},size={size}"])
                if done.returncode:
                    sys.exit(done.stderr)
                used.append(seconds)
            best = min(best or used[1], used[1] - used[0])
        with open(report) as file:
            instructions = json.load(file)["instructions"]
        print(f"{size:8} {packets:8} {instructions / packets:18.0f} "
              f"{instructions / best / 1e6:16.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sim", default=os.path.join(
        HERE, "..", "build", "bin", "spinc-sim"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--build")
    args = parser.parse_args()
    if args.build:
        for name in ROUNDS:
            build(name, args.build)
        return
    bare = [args.sim, "--bare", "--max-cycles=1000000000000"]
    print(f"{'kernel':8} {'simple':>8} {'fast':>8} {'functional':>11} "
          f"{'qemu':>8} {'fast/qemu':>10} {'functional/qemu':>16}")
    with tempfile.TemporaryDirectory() as folder:
        for name, rounds in ROUNDS.items():
            path = build(name, folder)
            speeds, ends = {}, set()
            for engine in ("simple", "fast", "functional"):
                part = rounds // SIMPLE_PART if engine == "simple" else rounds
                used, end, said = measure(bare + ["--engine=" + engine], path,
                                          part, args.runs)
                count = int(re.search(r"(\d+) instructions", said)[1])
                speeds[engine] = count / used / 1e6
                if engine != "simple":
                    ends.add(end)
            used, end, _ = measure(["qemu-riscv32"], path, rounds, args.runs)
            speeds["qemu"] = count / used / 1e6
            if ends != {end}:
                sys.exit(f"{name}: results differ: {ends}, qemu {end}")
            print(f"{name:8} {speeds['simple']:8.0f} {speeds['fast']:8.0f} "
                  f"{speeds['functional']:11.0f} {speeds['qemu']:8.0f} "
                  f"{speeds['fast'] / speeds['qemu']:10.2f} "
                  f"{speeds['functional'] / speeds['qemu']:16.2f}", flush=True)
        print()
        measure_card(os.path.abspath(args.sim), folder, args.runs)


if __name__ == "__main__":
    main()
