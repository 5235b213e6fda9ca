# Runs the cases of a .jsonl file through --emit=blocks and --emit=dataloop.
import json
import os
import subprocess
import sys

tool, cases, folder = sys.argv[1:4]
os.makedirs(folder, exist_ok=True)


def without_bounds(tree):
    if isinstance(tree, list):
        return [without_bounds(part) for part in tree]
    if not isinstance(tree, dict) or tree.get("k") == "named":
        return tree
    return {
        key: without_bounds(value)
        for key, value in tree.items()
        if key not in ("size", "lb", "extent")
    }


def run(path, *options):
    done = subprocess.run([tool, path, *options], capture_output=True, text=True)
    assert done.returncode == 0, (path, options, done.stderr)
    return done.stdout


count = 0
for line in open(cases, encoding="utf-8"):
    case = json.loads(line)
    path = os.path.join(folder, case["label"] + ".json")
    for tree in (case["type"], without_bounds(case["type"])):
        with open(path, "w", encoding="utf-8") as out:
            document = {"spinc_ddt": 1, "count": case["count"], "type": tree}
            json.dump(document, out)
        # As a tree with the bounds read, run by run with the bounds derived.
        limit = "0" if tree is case["type"] else "4194304"
        blocks = json.loads(run(path, "--emit=blocks", "--flatten-limit=" + limit))
        assert blocks["hash"] == case["hash"], (case["label"], limit)
        assert blocks["nblocks"] == case["nblocks"], case["label"]
    normal = run(path, "--emit=dataloop")
    summary = json.loads(normal)["summary"]
    assert summary["size"] == case["size"] * case["count"], case["label"]
    assert summary["runs"] == case["nblocks"], case["label"]
    if case["count"] == 1:  # the bounds of a case are those of one element
        end = case["true_lb"] + case["true_extent"]
        assert summary["true_lb"] == case["true_lb"], case["label"]
        assert summary["true_ub"] == end, case["label"]
    with open(path, "w", encoding="utf-8") as out:
        out.write(normal)
    assert run(path, "--emit=dataloop") == normal, case["label"]
    count += 1
assert count == 47, count
