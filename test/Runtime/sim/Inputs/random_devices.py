"""Handlers that access devices and memory at random, in user mode: each access
does something or ends the handler with a named fault; never a crash, and never
a byte of another context's state, nor of its host memory.

random_devices.py IMAGE [--seed=1] [--contention]   one run
random_devices.py IMAGE [--seed=1] --seconds=N      runs with and without, each
                                                    with the next seed
"""

import argparse
import random
import re
import struct
import time

import spinsim

DRIVER, DMA = 0x1B205000, 0x1B204400
PLACES = [0x1B200000, 0x1B201400, 0x1B204000, 0x1A104000, 0x10014400,
          0x10014500, 0x1B014400, 0x10004400, 0x10400000, 0x1C000000,
          0x1C300000, 0x1C400000, 0x1D000080, 0, 0x80000000, 0xFFFFFFFC]
VALUES = PLACES + [0, 1, 2, 3, 4, 64, 2048, 0x10000000, 0xFFFFFFFF]


def address():
    kind = random.random()
    if kind < 0.5:
        return DRIVER + 4 * random.randrange(0x40)
    if kind < 0.7:
        return DMA + 4 * random.randrange(12)
    base = random.choice(PLACES)
    return (base + random.choice([0, 0, 4, random.randrange(-8, 600)])) & 0xFFFFFFFF


def value():
    return random.choice(VALUES) if random.random() < 0.8 else random.getrandbits(32)


def command():
    """The words of a command, most of them sensible, and its issue."""
    words = [value() for _ in range(7)]
    kind = random.randrange(4)
    if random.random() < 0.5:
        words[2], words[3], words[4] = 0x10004400, random.choice([0, 8, 64]), 1
        words[0], words[1] = random.choice([0, 4000, 4090]), random.choice(
            [0x10000000, 0x10000100, 0])
    for i, word in enumerate(words):
        yield 1, DRIVER + 0x90 + 4 * i, word
    yield 1, DRIVER + 0x8C, kind << 1
    yield 0, DRIVER + 0x80, 0
    if random.random() < 0.5:
        yield 1, DRIVER + 0x84, random.randrange(6)


def transfer():
    for offset in (0, 8, 16):
        yield 1, DMA + offset, value()
    yield 0, DMA + 0x18, 0


def operations():
    for _ in range(random.randrange(1, 4)):
        kind = random.random()
        if kind > 0.6:
            yield (random.choice([0, 1, 2, 4, 5]),
                   0x10014400 + 4 * random.randrange(64), value())
            continue
        if kind < 0.25:
            yield from command()
        elif kind < 0.4:
            yield from transfer()
        else:
            yield random.randrange(7), address(), value()


def run(image, seed, contention):
    random.seed(seed)
    sim = spinsim.Sim(image, packets_per_message=4, check_accesses=True,
                      contention=contention,
                      config={"machine": {"watchdog_cycles": 20000}})
    sim.install(host_size=4096)
    count = 1500
    for number in range(count):
        body = b"".join(struct.pack("<III", *op) for op in operations())
        size = 28 + len(body)
        sim.inject(struct.pack(">BBHHHBBHIIHHHH", 0x45, 0, size, 0, 0, 64, 17, 0, 1,
                               2, 7, 9330, size - 20, 0) + body, link="ip")
    # Before the card runs there is nothing to write to.
    assert not sim.step(0)
    pattern = bytes(random.randrange(256) for _ in range(4096))
    sim.write(0x10014500, pattern)
    sim.host("B")[:] = pattern
    sim.run()
    assert sim.state("other", "B") == pattern, "B's state was changed"
    assert bytes(sim.host("B")) == pattern, "B's host memory was changed"
    report = sim.report()
    handlers = {h["symbol"]: h for h in report["handlers"]}
    assert handlers["A_ph"]["count"] == count
    reasons = {re.sub(r"-?(0x)?[0-9a-f]*[0-9][0-9a-f]*", "N", fault["text"].split(
        " (pc")[0].split("handler's")[0]) for fault in report["faults"]}
    assert all(fault["text"].startswith("A_ph: packet") for fault in report["faults"])
    assert not any("access to" in reason for reason in reasons), reasons
    share = len(report["faults"]) / count
    assert len(reasons) > 20 and 0.3 < share < 0.95, (share, reasons)
    return (f"{count} handlers, {len(report['faults'])} of them ended for "
            f"{len(reasons)} reasons, the others' state untouched")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("image")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--contention", action="store_true")
    parser.add_argument("--seconds", type=float)
    args = parser.parse_args()
    if args.seconds is None:
        print(run(args.image, args.seed, args.contention))
        return
    end = time.monotonic() + args.seconds
    seed = args.seed
    while time.monotonic() < end:
        try:
            run(args.image, seed, seed % 2 == 0)
        except Exception:
            print(f"seed {seed}:")
            raise
        seed += 1
    print(f"seeds {args.seed} to {seed - 1} are good")


if __name__ == "__main__":
    main()
