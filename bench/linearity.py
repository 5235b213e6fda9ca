"""Time of the simulator over packets and over busy HPUs, as a figure and a
table: both should be straight lines.

linearity.py [--build build] [--out build/linearity.svg]: an example is run on
1,000 … 256,000 packets, and on machines of 1 … 32 HPUs with as many packets for
each HPU; processor time without that of an empty run.
"""

import argparse
import json
import os
import resource
import subprocess
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Clusters and HPUs of each, by HPUs in all.
SHAPES = {1: (1, 1), 2: (1, 2), 4: (1, 4), 8: (1, 8), 16: (2, 8), 32: (4, 8)}


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(build, folder, image, packets, hpus, *options):
    clusters, each = SHAPES[hpus]
    config = os.path.join(folder, "machine.toml")
    with open(config, "w") as file:
        file.write(f"[machine]\nclusters = {clusters}\nhpus_per_cluster = {each}\n")
    report = os.path.join(folder, "run.json")
    begin = used()
    subprocess.run(
        [os.path.join(build, "bin", "spinc-sim"), image, f"--config={config}",
         f"--generate=packets={packets},size=512", f"--json={report}", *options],
        check=True, stdout=subprocess.DEVNULL)
    seconds = used() - begin
    with open(report) as file:
        return seconds, json.load(file)["instructions"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--out")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    out = options.out or os.path.join(build, "linearity.svg")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4),
                                         layout="constrained")
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, "histogram.elf")
        subprocess.run([os.path.join(build, "bin", "spinc"), os.path.join(
            ROOT, "examples", "histogram", "histogram.spinc"), "-o", image],
            check=True)
        for mode in ((), ("--contention",)):
            name = mode[0] if mode else "without contention"
            base, _ = run(build, folder, image, 1, 32, *mode)
            print(f"{name}\n{'packets':>9}{'HPUs':>6}{'s':>9}{'us/packet':>11}"
                  f"{'M instr/s':>11}")
            rows = [(packets, 32) for packets in (1000, 4000, 16000, 64000, 256000)
                    if not mode or packets <= 64000]
            rows += [(500 * hpus, hpus) for hpus in SHAPES]
            seconds = []
            for packets, hpus in rows:
                took, instructions = run(build, folder, image, packets, hpus,
                                         *mode)
                took = max(took - base, 1e-6)
                seconds.append(took)
                print(f"{packets:9}{hpus:6}{took:9.3f}{took / packets * 1e6:11.2f}"
                      f"{instructions / took / 1e6:11.1f}")
            count = len(rows) - len(SHAPES)
            left.loglog([p for p, _ in rows[:count]], seconds[:count], "o-",
                        label=name)
            right.plot([h for _, h in rows[count:]], seconds[count:], "o-",
                       label=name)
    left.set(xlabel="packets", ylabel="s", title="32 HPUs")
    right.set(xlabel="HPUs", ylabel="s", title="500 packets for each HPU")
    left.legend()
    right.legend()
    figure.savefig(out)
    print("figure:", out)


if __name__ == "__main__":
    main()
