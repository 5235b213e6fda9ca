"""state_matrix.py <spinc> <folder>: every kind of state field, in every handler,
by every way to touch it. What the state rules allow compiles; each other line
has exactly one error, and no line that is allowed has one."""

import re
import subprocess
import sys
from pathlib import Path

KINDS = {
    "param": "param u32 f{n};",
    "plain": "u32 f{n};",
    "atomic": "atomic u32 f{n};",
    "per_cluster": "per_cluster atomic u32 f{n};",
    "per_hpu": "per_hpu u32 f{n};",
    "guarded": "guarded(door) u32 f{n};",
    "counter": "counter f{n};",
}

HANDLERS = {
    "header": "handler header(message m)",
    "payload": "handler payload(packet p)",
    "completion": "handler completion(message m)",
}

# Of a scalar field.
SCALAR = {
    "read": "x = state.f;",
    "write": "state.f = 1;",
    "update": "state.f +%= 1;",
    "read locked": "with (state.door) x = state.f;",
    "write locked": "with (state.door) state.f = 1;",
    "read shared": "with (state.door.shared) x = state.f;",
    "write shared": "with (state.door.shared) state.f = 1;",
    "other lock": "with (state.other) state.f = 1;",
    "fetch_add": "state.f.fetch_add(1);",
    "increment": "state.f.increment();",
    "copy": "{ let c = state.f.copy(0); x = c[0]; }",
}

# Of an array.
ARRAY = {
    "element": "x = state.f[1];",
    "element write": "state.f[1] = 2;",
    "element locked": "with (state.door) state.f[1] = 2;",
    "slice": "{ let s = state.f[0 ..< 2]; x = s[0]; }",
    "slice write": "{ let s = state.f[0 ..< 2]; s[0] = 1; }",
    "slice locked": "with (state.door) "
                    "{ let s = state.f[0 ..< 2]; s[0] = 1; }",
    "slice shared": "with (state.door.shared) "
                    "{ let s = state.f[0 ..< 2]; s[0] = 1; }",
    "element fetch_add": "state.f[1].fetch_add(1);",
    "copy": "{ let c = state.f.copy(0); x = c[1]; }",
}

READS = {"read", "read locked", "read shared", "element", "slice"}
WRITES = {"write", "update", "write locked", "write shared", "other lock",
          "element write", "element locked", "slice write", "slice locked",
          "slice shared"}


def allowed(kind, handler, access):
    """The table of docs/language.md, read once more."""
    if kind == "param":
        return access in READS
    if kind == "plain":
        return access in READS or handler != "payload" and access in WRITES
    if kind == "per_hpu":
        return (access in READS | WRITES
                or access == "copy" and handler == "completion")
    if kind in ("atomic", "per_cluster"):
        return access in ("fetch_add", "element fetch_add") or (
            kind == "per_cluster" and access == "copy"
            and handler == "completion")
    if kind == "counter":
        return access in ("increment", "fetch_add", "element fetch_add")
    return access in ("read locked", "write locked", "read shared",
                      "element locked", "slice locked")


def program(kind, handler, accesses, size):
    field = KINDS[kind].format(n=size)
    end = "PROCESS_DATA" if handler == "header" else "SUCCESS"
    head = ["context C {",
            f"state {{ rw_lock door; spin_lock other; {field} }}",
            HANDLERS[handler] + " budget(contention <= 31) {", "u32 x = 0;"]
    return head + list(accesses.values()) + [f"return {end};", "}", "}"], len(head)


def check(spinc, path, kind, handler, accesses, size):
    lines, first = program(kind, handler, accesses, size)
    path.write_text("\n".join(lines) + "\n")
    done = subprocess.run([spinc, "--emit=typed-ast", "-o", "-", path],
                          capture_output=True, text=True, check=False)
    errors = [int(line) for line in re.findall(
        r"^[^\n]*?:(\d+):\d+: error:", done.stderr, re.MULTILINE)]
    wrong = []
    for number, access in enumerate(accesses, first + 1):
        count = errors.count(number)
        wanted = 0 if allowed(kind, handler, access) else 1
        if count != wanted:
            wrong.append(f"{kind}, {handler}, {access}: {count} errors")
    if len(errors) != sum(errors.count(first + 1 + i)
                          for i in range(len(accesses))):
        wrong.append(f"{kind}, {handler}: an error elsewhere:\n{done.stderr}")
    return wrong


def main():
    spinc, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    wrong, cases = [], 0
    for kind in KINDS:
        for handler in HANDLERS:
            for size, accesses in (("", SCALAR), ("[4]", ARRAY)):
                path = folder / f"{kind}_{handler}{len(size)}.spinc"
                wrong += check(spinc, path, kind, handler, accesses, size)
                cases += len(accesses)
    print("\n".join(wrong) or f"{cases} cases")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
