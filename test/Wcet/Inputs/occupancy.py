#!/usr/bin/env python3
"""Runs each example on its captures: no run of a handler works and waits longer
than its occupancy, for commands that take as long as the card's do.

The packets come slowly, so that no other HPU delays a command. The latency
declared is that of the largest command of the examples, 4 KiB to
the host.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SPINC, WCET, SIM, EXAMPLES, CAPTURES = sys.argv[1:6]
LATENCY = 19 + 4096 // 64
RUNS = {
    "histogram": ["histogram_sizes", "histogram_real"],
    "ping_pong": ["ping_pong_sizes", "ping_pong_real"],
    "strided": ["strided_sizes", "strided_shuffled"],
    "udp_echo": ["udp_echo_sizes"],
}
SETTINGS = {"strided": ["--set=Strided.block=4", "--set=Strided.stride=7",
                        "--set=Strided.count=4000"]}


def main():
    failures = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        for example, captures in RUNS.items():
            image = Path(folder) / f"{example}.elf"
            subprocess.run([SPINC, f"{EXAMPLES}/{example}/{example}.spinc",
                            "-o", str(image)], check=True)
            bounds = {entry["symbol"]: entry for entry in json.loads(
                subprocess.run([WCET, str(image), "--json",
                                f"--command-latency={LATENCY}"], check=True,
                               capture_output=True).stdout)}
            for capture in captures:
                result = Path(folder) / "result.json"
                subprocess.run([SIM, str(image), f"--json={result}",
                                f"--pcap={CAPTURES}/{capture}.pcap",
                                "--line-rate=1G"]
                               + SETTINGS.get(example, []), check=True,
                               stdout=subprocess.DEVNULL)
                for handler in json.loads(result.read_text())["handlers"]:
                    if not handler["count"]:
                        continue
                    checked += 1
                    took = handler["cycles"]["max"] + handler["wait"]["max"]
                    bound = bounds[handler["symbol"]]["figures"]["occupancy"]
                    if took > bound["worst"]:
                        failures += 1
                        print(f"{handler['symbol']} on {capture}: {took} "
                              f"cycles, occupancy {bound['worst']}")
    print(f"{checked} handlers, {failures} above their occupancy")
    return 1 if failures or checked < 8 else 0


if __name__ == "__main__":
    sys.exit(main())
