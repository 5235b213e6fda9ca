"""Figures of runs: spinc-sim plot <report.json>... --out=<file.png|svg|pdf>.

One report: latency, where each handler's time went, how busy each HPU was.
Several: latency, throughput and utilisation of each over --x, a key of the
reports such as packets, bytes, clockMhz, mean_size, or their order.
"""

import argparse
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def load(paths):
    reports = []
    for path in paths:
        try:
            with open(path) as file:
                report = json.load(file)
            report["handlers"], report["latency"]["median"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            sys.exit(f"spinc-sim plot: error: {path}: no report of spinc-sim "
                     f"--json ({error})")
        report["mean_size"] = report["bytes"] / max(1, report["packets"])
        reports.append(report)
    return reports


def plot_one(report, figure):
    latency, stalls, busy = figure.subplots(1, 3)
    names = ["min", "median", "p99", "max"]
    latency.bar(names, [report["latency"][name] for name in names])
    latency.set(title="latency", ylabel="cycles")
    ran = [h for h in report["handlers"] if h["count"]]
    bottom = [0.0] * len(ran)
    for cause in ["instructions", *report["handlers"][0]["stalls"]]:
        parts = [(h["instructions"]["total"] if cause == "instructions"
                  else h["stalls"][cause]) / h["count"] for h in ran]
        if any(parts):
            stalls.bar([h["symbol"] for h in ran], parts, bottom=bottom,
                       label=cause)
        bottom = [a + b for a, b in zip(bottom, parts)]
    stalls.set(title="mean time of a handler", ylabel="cycles")
    stalls.legend()
    tasks = [hpu["busy"] for hpu in report["hpus"]]
    busy.bar(range(len(tasks)), tasks)
    busy.set(title="time with a task", xlabel="HPU", ylabel="cycles")


def plot_many(reports, key, figure):
    values = [report.get(key, i) if key else i
              for i, report in enumerate(reports)]
    if key and not all(isinstance(v, (int, float)) and key in r
                       for v, r in zip(values, reports)):
        sys.exit(f"spinc-sim plot: error: the reports have no number '{key}'")
    order = sorted(range(len(reports)), key=lambda i: values[i])
    x, rows = [values[i] for i in order], [reports[i] for i in order]
    latency, rate, busy = figure.subplots(1, 3)
    for name in ("min", "median", "p99", "max"):
        latency.plot(x, [r["latency"][name] for r in rows], "o-", label=name)
    latency.set(title="latency", ylabel="cycles")
    latency.legend()
    rate.plot(x, [r["rate"] for r in rows], "o-", label="in")
    rate.plot(x, [r["rateOut"] for r in rows], "o-", label="out")
    rate.set(title="throughput", ylabel="Gbit/s")
    rate.legend()
    busy.plot(x, [100 * r["busy"] for r in rows], "o-")
    busy.set(title="HPUs busy", ylabel="%", ylim=(0, 100))
    for axes in (latency, rate, busy):
        axes.set_xlabel(key or "report")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="spinc-sim plot", description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="report.json")
    parser.add_argument("--out", required=True, help="file of the figure")
    parser.add_argument("--x", help="key of the reports on the x axis")
    options = parser.parse_args(arguments)
    reports = load(options.reports)
    figure = plt.figure(figsize=(13, 4), layout="constrained")
    if len(reports) == 1:
        plot_one(reports[0], figure)
    else:
        plot_many(reports, options.x, figure)
    try:
        figure.savefig(options.out)
    except (OSError, ValueError) as error:
        sys.exit(f"spinc-sim plot: error: {options.out}: {error}")


if __name__ == "__main__":
    main()
