"""Micro-kernels on 1, 8 and 32 HPUs: cycles per operation, waiting included,
against what was measured on the RTL. contention.py <spinc-sim> <inputs>
<folder>"""

import json
import subprocess
import sys

TOOL, INPUTS, FOLDER = sys.argv[1:]
UNROLLED, ROUNDS = 128, 60  # of the operation in one handler
OWN = "li a4, 0x1b0e0000"
SPREAD = OWN + "\n  lw a5, SPINC_ARGS_HPU(a0)\n  slli a5, a5, 2\n" \
    "  add a4, a4, a5"
FIRST = "li a4, 0x100e0000"
L2 = "li a4, 0x1c300000"
PACKET = "lw a4, 0(a0)\n  lw a4, FIELD(PACKET)(a4)"
AMO = "amoadd.w a5, a6, (a4)"
# name, set-up, operation, cycles on 1, 8 and 32 HPUs (None: not measured),
# tolerance. Loops and cold lines add about 0.1 cycles to an operation.
ROWS = [
    ("lw, same L1 word", OWN, "lw a5, (a4)", 1.0, 7.84, 7.84, 0.05),
    ("sw, same L1 word", OWN, "sw a5, (a4)", 1.0, 7.84, 7.84, 0.05),
    ("lw, different banks", SPREAD, "lw a5, (a4)", 1.0, 1.0, 1.0, 0.02),
    ("amoadd, same L1 word", OWN, AMO, 2.0, 15.8, 15.8, 0.05),
    ("amoadd, different banks", SPREAD, AMO, 2.0, 2.0, None, 0.05),
    ("lw, one word of cluster 0", FIRST, "lw a5, (a4)", 1.0, 7.8, 20.2, 0.05),
    ("sw, one word of cluster 0", FIRST, "sw a5, (a4)", 1.0, 7.8, 24.6, 0.05),
    ("amoadd, one word of cluster 0", FIRST, AMO, 2.0, 15.8, 40.0, 0.05),
    ("lw, own packet", PACKET, "lw a5, (a4)", 1.0, 1.92, 1.97, 0.05),
    ("lw, driver", "li a4, PSPIN_CMD_WORD0\n  li a4, 0x1b205000",
     "lw a5, 4(a4)", 1.0, 1.0, 1.0, 0.02),
    ("lw, L2", L2, "lw a5, (a4)", 21.0, 22.5, 63.8, 0.05),
    ("sw, L2", L2, "sw a5, (a4)", 21.0, 24.1, 95.8, 0.05),
    ("amoadd, L2", L2, AMO, 27.0, 79.8, 319.8, 0.05),
]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")


def build(name, setup, code):
    """An image whose handler runs `code`; returns the path."""
    path = f"{FOLDER}/{name}.elf"
    with open(path + ".s", "w") as file:
        file.write(f"""#include "handlers.inc"
#include "runtime/device/Frame.h"
  handler C_ph
  {setup}
{code}
  li a0, 0
  ret
""")
    with open(path + ".json", "w") as file:
        json.dump([{"name": "C", "hosts": ["mem"],
                    "handlers": [{"kind": "payload", "symbol": "C_ph"}]}],
                  file)
    run(sys.executable, INPUTS + "/card_image.py", path, path + ".s",
        path + ".json")
    return path


def simulate(image, packets, per_message=8, rate="400G"):
    """Statistics of the handler."""
    run(sys.executable, INPUTS + "/packets.py", FOLDER + "/in.pcap", "ip",
        *["64"] * packets)
    run(TOOL, image, "--contention", f"--pcap={FOLDER}/in.pcap",
        f"--packets-per-message={per_message}", f"--line-rate={rate}",
        f"--json={FOLDER}/out.json")
    with open(FOLDER + "/out.json") as file:
        return json.load(file)["handlers"][0]


class Score:
    def __init__(self):
        self.good = self.all = 0

    def check(self, name, got, wanted, tolerance):
        self.all += 1
        if abs(got - wanted) <= tolerance * wanted + 0.1:
            self.good += 1
        else:
            print(f"{name}: {got:.2f}, not {wanted} +- {tolerance:.0%}")


def straight(lines, again=1):
    """That many 16-byte lines of code, run `again` times."""
    return f"""  li a7, {again}
  j 1f
  .p2align 4
1:
  .rept {4 * lines - 2}
  addi a5, a5, 1
  .endr
  addi a7, a7, -1
  beqz a7, 2f
  j 1b
2:"""


def check_cache(score):
    """Cold lines. The handler's frame around the code is two lines more."""
    frame = simulate(build("frame", "", "  nop"), 1, 1)["wait"]["total"]
    image = build("cold", "", ".option norvc\n" + straight(32))
    stats = simulate(image, 1, 1)
    score.check("128 instructions, cold, over warm",
                stats["wait"]["total"] - frame, 256, 0.05)
    # Three messages later the same cluster runs it again.
    stats = simulate(image, 5, 1, "0.1G")
    score.check("128 instructions, warm", stats["wait"]["min"], 0, 0)
    image = build("fits", "", ".option norvc\n" + straight(192, 10))
    stats = simulate(image, 1, 1)
    score.check("3 KiB, ten times",
                stats["wait"]["total"] + stats["cycles"]["total"],
                2305 + 9 * 777, 0.02)
    image = build("exceeds", "", ".option norvc\n" + straight(384, 11))
    stats = simulate(image, 1, 1)
    score.check("6 KiB, eleven times",
                stats["wait"]["total"] + stats["cycles"]["total"],
                4609 + 10 * 3385, 0.05)
    # All clusters at once: four messages.
    image = build("four", "", ".option norvc\n" + straight(192))
    stats = simulate(image, 4, 1)
    score.check("cold lines of four clusters at once",
                stats["wait"]["total"] / 4 / 194, 9.2, 0.05)


def main():
    score = Score()
    check_cache(score)
    for index, (name, setup, operation, *rest) in enumerate(ROWS):
        *wanted, tolerance = rest
        code = f"""  li a7, {ROUNDS}
1:
  .rept {UNROLLED}
  {operation}
  .endr
  addi a7, a7, -1
  bnez a7, 1b"""
        image = build(f"row{index}", setup, code)
        for hpus, figure in zip((1, 8, 32), wanted):
            if figure is None:
                continue
            stats = simulate(image, hpus)
            total = stats["cycles"]["total"] + stats["wait"]["total"]
            score.check(f"{name}, {hpus} HPUs",
                        total / stats["count"] / ROUNDS / UNROLLED, figure,
                        tolerance)
    print(f"{score.good} of {score.all} figures agree")


if __name__ == "__main__":
    main()
