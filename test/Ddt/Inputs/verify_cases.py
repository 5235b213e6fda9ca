# Runs --verify on cases of a .jsonl file: the named ones, or all. Options
# begin with '-'.
import json
import os
import subprocess
import sys

tool, cases, folder, *rest = sys.argv[1:]
options = [word for word in rest if word.startswith("-")]
names = [word for word in rest if not word.startswith("-")]
seen = set()
for line in open(cases, encoding="utf-8"):
    case = json.loads(line)
    if names and case["label"] not in names:
        continue
    seen.add(case["label"])
    path = os.path.join(folder, case["label"] + ".json")
    with open(path, "w", encoding="utf-8") as out:
        document = {"spinc_ddt": 1, "count": case["count"], "type": case["type"]}
        json.dump(document, out)
    command = [tool, path, "--verify", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, (case["label"], done.stderr)
    assert "all bytes where they belong" in done.stdout, done.stdout
    print(done.stdout, end="")
assert seen and (not names or seen == set(names)), seen
