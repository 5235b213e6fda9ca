#!/usr/bin/env python3
"""Bounds the handlers of an image again from its own metadata, without what
loops share and with damaged totals.

usage: without_totals.py SPINC-WCET IMAGE"""
import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from images import metadata  # noqa: E402

WCET, IMAGE = sys.argv[1], Path(sys.argv[2])


def bound(facts):
    """The worst value of the first handler, and the errors."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "facts.json"
        path.write_text(json.dumps(facts))
        run = subprocess.run([WCET, IMAGE, "--facts", path, "--json"],
                             capture_output=True, text=True)
    worst = json.loads(run.stdout)[0]["worst"] if run.stdout else None
    return worst, run.stderr


facts = metadata(IMAGE)
shared, _ = bound(facts)
plain = copy.deepcopy(facts)
del plain["totals"]
alone, _ = bound(plain)
print("more than 10 times without totals" if alone > 10 * shared
      else f"{alone} without totals, {shared} with them")
for key, value in (("weights", [0, 0, 0]), ("weights", [1]), ("limit", "all")):
    damaged = copy.deepcopy(facts)
    damaged["totals"][0][key] = value
    print(bound(damaged)[1], end="")
