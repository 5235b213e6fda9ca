"""Damaged descriptions: spinc-ddt refuses each with one message, or takes it
and gives a map that is consistent. It never crashes and never runs away.

    mutate.py --blocks DDT-BLOCKS --tool SPINC-DDT --first SEED --count N
"""

import argparse
import copy
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import random_types

SCALARS = [-1, 0, 1, 3, 2**31 - 1, 2**31, -2**31, 2**53, 2**60, 2**60 + 1,
           2**63 - 1, 2**63, -2**63, 2**64, 10**30, 0.5, 1e300, -0.0, True,
           False, None, "", "x", "MPI_INT", "dup", [], {}, [0], [-1],
           [2**60, 2**60], {"range": [0, 10, 2]}, {"range": [0, 2**62, 1]},
           {"range": [10, 0, 0]}, {"npy": "missing.npy"}, {"npy": "/dev/zero"}]
KINDS = ["named", "dup", "resized", "contiguous", "vector", "hvector",
         "indexed", "hindexed", "indexed_block", "hindexed_block", "struct",
         "subarray", "darray", "dl_contig", "dl_vector", "dl_blockindexed",
         "dl_indexed", "dl_struct", "f90_real", "value_index"]
FIELDS = ["size", "lb", "extent", "count", "of", "types", "blocklens",
          "el_size", "el_extent", "child", "children", "map", "strict"]


def places(value, found: list) -> list:
    """All (container, key) of a document."""
    keys = (list(value) if isinstance(value, dict) else
            range(len(value)) if isinstance(value, list) else [])
    for key in keys:
        found.append((value, key))
        places(value[key], found)
    return found


def damage_tree(document: dict, rng: random.Random) -> None:
    container, key = rng.choice(places(document, []))
    kind = rng.randrange(8)
    if kind == 0:
        del container[key]
    elif kind == 1 and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif kind == 2 and isinstance(container, dict):
        container[rng.choice(FIELDS)] = copy.deepcopy(container[key])
    elif kind == 3 and isinstance(container, dict):
        container["k"] = rng.choice(KINDS)
    elif kind == 4:
        whole, other = rng.choice(places(document, []))
        container[key] = copy.deepcopy(whole[other])
    elif kind == 5 and isinstance(container[key], int):
        container[key] += rng.choice([-2, -1, 1, 2, 2**32])
    elif kind == 6 and isinstance(container[key], dict):
        for _ in range(rng.choice([3, 62, 63, 64, 65, 500])):
            container[key] = {"k": "dup", "of": container[key]}
    else:
        container[key] = copy.deepcopy(rng.choice(SCALARS))


def damage_text(text: bytes, rng: random.Random) -> bytes:
    at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    kind = rng.randrange(6)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + text[to:]
    if kind == 2:
        return text[:to] + text[at:]
    if kind == 3:
        return text[:at] + bytes([rng.choice(b'\x00\x7f\x80\xc3\xff"{}[],:\\-')
                                  ]) + text[at:]
    if kind == 4:
        return text.replace(rng.choice([b",", b":", b'"', b"{"]), b"", 1)
    return b"[" * rng.choice([10, 1000, 100000]) + text


def damaged(seed: int) -> bytes:
    rng = random.Random(seed)
    document = random_types.case(rng.randrange(10**6))
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if places(document, []):
            damage_tree(document, rng)
    text = json.dumps(document).encode()
    if rng.random() < 0.25:
        text = damage_text(text, rng)
    return text.replace(b"\n", b" ").replace(b"\r", b" ") or b" "


def check_message(message: str) -> str | None:
    if "\n" in message:
        return "more than one line"
    if not message.startswith("case: ") and ": " not in message:
        return "no place in the description"
    if len(message) > 2000:
        return f"a message of {len(message)} bytes"
    return None


def check_map(answer: dict) -> str | None:
    """Runs follow each other in the stream, adjoining ones are one."""
    if "runs" in answer:
        return None
    stream, end = 0, None
    for offset, place, length in answer["blocks"]:
        if offset != stream or length < 1 or place == end:
            return f"run at {offset} is not the next one"
        stream, end = stream + length, place + length
    if stream != answer["size"] or len(answer["blocks"]) != answer["nblocks"]:
        return "the sums are not those of the runs"
    return None


def run_blocks(blocks: Path, texts: list[bytes]) -> list[dict]:
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(b"\n".join(texts) + b"\n")
        file.flush()
        result = subprocess.run([blocks, "--flatten-limit=100000", file.name],
                                capture_output=True, timeout=600)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    if result.returncode or len(answers) != len(texts):
        print(result.stderr.decode(errors="replace")[-3000:])
        sys.exit(f"ended with {result.returncode} at case {len(answers)}: "
                 f"{texts[len(answers)][:400]!r}")
    return answers


def check_tool(tool: Path, text: bytes, answer: dict) -> str | None:
    """The command says the same as the library, in the form of a command."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.json"
        path.write_bytes(text)
        result = subprocess.run([tool, path, "--emit=dataloop",
                                 "--flatten-limit=100000"],
                                capture_output=True, timeout=60)
    if "error" not in answer:
        return None if result.returncode == 0 else "the command refuses it"
    lines = result.stderr.decode(errors="replace").splitlines()
    if result.returncode != 1 or result.stdout or len(lines) != 1:
        return f"status {result.returncode}, {len(lines)} lines"
    if not lines[0].startswith("spinc-ddt: error: "):
        return f"says {lines[0]}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=Path, required=True)
    parser.add_argument("--tool", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    texts = [damaged(seed) for seed in range(
        options.first, options.first + options.count)]
    answers = run_blocks(options.blocks, texts)
    counts: Counter = Counter()
    failures = 0
    for index, (text, answer) in enumerate(zip(texts, answers)):
        refused = "error" in answer
        counts["refused" if refused else "taken"] += 1
        wrong = (check_message(answer["error"]) if refused
                 else check_map(answer))
        if wrong is None and index % 50 == 0:
            wrong = check_tool(options.tool, text, answer)
        if wrong:
            failures += 1
            print(f"seed {options.first + index}: {wrong}: {text[:500]!r} "
                  f"{str(answer)[:300]}")
    print(f"{options.count} descriptions, {dict(sorted(counts.items()))}, "
          f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
