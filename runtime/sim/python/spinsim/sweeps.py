"""Many simulations at once: here on all cores, or on a Dask cluster.

A run is a plain function of one point; points are independent of each other.
Where they run is the argument `on` of sweep, and nothing else changes.
"""

import concurrent.futures
import csv
import itertools
import os
import sys
import time


class Table(list):
    """Rows of a sweep, dicts in the order of the points."""

    @property
    def columns(self):
        return list(dict.fromkeys(key for row in self for key in row))

    def column(self, name):
        return [row.get(name) for row in self]

    def write_csv(self, path):
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, self.columns)
            writer.writeheader()
            writer.writerows(self)


def simulate(image, traffic=None, preset="pspin", config="", params=None,
             host_size=1 << 20, **options):
    """One run as a flat row: traffic is a dict of [[traffic]] or several."""
    from . import Sim
    sim = Sim(image, preset, config, **options)
    sim.install(host_size=host_size, **(params or {}))
    sim.generate(*([traffic] if isinstance(traffic, dict) else traffic or [{}]))
    sim.run()
    report = sim.report()
    row = {key: report[key] for key in (
        "cycles", "packets", "packetsLost", "bytes", "messages", "outputs",
        "instructions", "rate", "rateOut", "busy")}
    row.update({f"latency_{key}": value
                for key, value in report["latency"].items()})
    row["faults"] = len(report["faults"])
    for handler in report["handlers"]:
        name = handler["symbol"]
        for key in ("median", "p99", "max"):
            row[f"{name}_cycles_{key}"] = handler["cycles"][key]
    return row


def grid(**axes):
    """Points of all combinations: grid(size=[64, 128], loss=[0, 0.1])."""
    return [dict(zip(axes, values))
            for values in itertools.product(*axes.values())]


def _executor(on):
    """The executor, what submits to it, and whether it is ours to end."""
    if on is None or isinstance(on, int):
        made = concurrent.futures.ProcessPoolExecutor(on or os.cpu_count())
        return made, concurrent.futures.as_completed, True
    if isinstance(on, concurrent.futures.Executor):
        return on, concurrent.futures.as_completed, False
    import distributed
    ours = isinstance(on, str)
    client = distributed.Client(on) if ours else on
    return client, distributed.as_completed, ours


def _progress(done, count, begin):
    seconds = time.monotonic() - begin
    left = seconds / done * (count - done)
    sys.stderr.write(f"\r{done} of {count} runs, {left:.0f} s left ")
    sys.stderr.flush()


def sweep(run, points, on=None, progress=None):
    """Calls run(**point) for each point and returns a Table of the points
    joined with the dicts that came back. `on`: nothing or a number, so many
    processes of this machine; the address of a Dask scheduler, a Dask client,
    or any executor. `progress`: whether to show it, else on a terminal only. A
    run that fails ends the sweep with its exception."""
    points = [dict(point) for point in points]
    executor, as_completed, ours = _executor(on)
    shows = sys.stderr.isatty() if progress is None else progress
    begin = time.monotonic()
    # Equal points are runs of their own: results are never taken from others.
    dask = hasattr(executor, "scheduler_info")
    options = {"pure": False} if dask else {}
    try:
        futures = [executor.submit(run, **options, **point)
                   for point in points]
        for done, future in enumerate(as_completed(futures), 1):
            future.result()
            if shows:
                _progress(done, len(points), begin)
        if shows:
            sys.stderr.write("\n")
        return Table({**point, **future.result()}
                     for point, future in zip(points, futures))
    finally:
        if ours:
            executor.close() if dask else executor.shutdown(
                cancel_futures=True)
