"""Looks for unsound answers of spin-prove-bounds.

Makes random handlers, asks spinc-opt which of them it accepts, and runs each
accepted one on random packets with the meaning of the operations written down
here independently. An accepted handler that breaks an obligation is a failure.
"""

import argparse
import random
import re
import subprocess
import sys

MTU = 12
PREDICATES = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"]


class Violation(Exception):
    pass


class Left(Exception):
    """The handler left early, or ran too long to be of interest."""


def signed(value, width):
    return value - (1 << width) if value >> (width - 1) else value


class Program:
    """A random handler: its text, and statements to run it."""

    def __init__(self, rng):
        self.rng, self.count, self.lines = rng, 0, []
        self.indent = 2
        values = {8: [], 32: ["%len"], 1: []}
        self.body = []
        for width, constants in ((32, [0, 1, 2, 4, 7, 12, 0xFFFFFFFF]), (8, [0, 1, 3, 8, 250])):
            for number in constants:
                text = number - (1 << width) if number >> (width - 1) else number
                self.define(self.body, values, width, f"arith.constant {text} : i{width}",
                            lambda env, n=number: n)
        self.statements(self.body, values, rng.randint(4, 12), 0)
        self.access(self.body, values)

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def define(self, body, values, width, text, run):
        name = self.fresh()
        self.emit(f"{name} = {text}")
        values[width].append(name)
        body.append(lambda env: env.__setitem__(name, run(env)))
        return name

    def pick(self, values, width):
        pool = values[width]
        return self.rng.choice(pool[-6:] if self.rng.random() < 0.6 else pool)

    def statements(self, body, values, number, depth):
        for _ in range(number):
            kinds = ["arith"] * 6 + ["compare"] * 3 + ["boolean", "extend", "byte", "require",
                                                       "require", "select", "access", "poke", "again"]
            if depth < 2:
                kinds += ["branch", "branch", "loop", "cursor"]
            getattr(self, self.rng.choice(kinds))(body, values, depth=depth)

    def arith(self, body, values, depth=0):
        width = self.rng.choice([8, 32, 32])
        name = self.rng.choice(["addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrui",
                                "divui", "remui", "minui", "maxui", "minsi", "maxsi"])
        a, b = self.pick(values, width), self.pick(values, width)
        flags = ""
        if name in ("addi", "subi", "muli", "shli") and self.rng.random() < 0.35:
            flags = self.rng.choice(["nuw", "nuw", "nsw"])
        overflow = f" overflow<{flags}>" if flags else ""
        self.define(body, values, width, f"arith.{name} {a}, {b}{overflow} : i{width}",
                    lambda env: compute(name, env[a], env[b], width, flags))

    def compare(self, body, values, depth=0):
        width = self.rng.choice([8, 32, 32])
        predicate = self.rng.choice(PREDICATES)
        a, b = self.pick(values, width), self.pick(values, width)
        return self.define(body, values, 1, f"arith.cmpi {predicate}, {a}, {b} : i{width}",
                           lambda env: compare(predicate, env[a], env[b], width))

    def boolean(self, body, values, depth=0):
        a, b = self.compare(body, values), self.compare(body, values)
        name = self.rng.choice(["andi", "ori", "xori"])
        return self.define(body, values, 1, f"arith.{name} {a}, {b} : i1",
                           lambda env: compute(name, env[a], env[b], 1, ""))

    def condition(self, body, values):
        if values[1] and self.rng.random() < 0.5:
            return self.pick(values, 1)
        return self.rng.choice([self.compare, self.compare, self.boolean])(body, values)

    def extend(self, body, values, depth=0):
        if self.rng.random() < 0.6:
            a, sign = self.pick(values, 8), self.rng.random() < 0.3
            self.define(body, values, 32, f"arith.ext{'s' if sign else 'u'}i {a} : i8 to i32",
                        lambda env: signed(env[a], 8) % (1 << 32) if sign else env[a])
            return
        a, nuw = self.pick(values, 32), self.rng.random() < 0.3
        flag = " overflow<nuw>" if nuw else ""

        def run(env):
            if nuw and env[a] > 255:
                raise Violation("narrowing")
            return env[a] & 255

        self.define(body, values, 8, f"arith.trunci {a}{flag} : i32 to i8", run)

    def byte(self, body, values, depth=0):
        """A byte of the packet, at an index that is checked right before."""
        self.read(body, values, self.checked(body, values))

    def again(self, body, values, depth=0):
        """The same byte twice, with statements in between."""
        index = self.checked(body, values)
        self.read(body, values, index)
        self.statements(body, values, self.rng.randint(0, 2), 2)
        self.read(body, values, index)

    def poke(self, body, values, depth=0):
        index, value = self.checked(body, values), self.pick(values, 8)
        self.emit(f"spin.store {value}, %s[{index}] le : i8, !spin.slice<i8, packet_l1>")
        body.append(lambda env: env["packet"].__setitem__(env[index], env[value]))

    def checked(self, body, values):
        index = self.pick(values, 32)
        cond = self.define(body, values, 1, f"arith.cmpi ult, {index}, %len : i32",
                           lambda env: int(env[index] < env["%len"]))
        self.leave_unless(body, cond)
        return index

    def read(self, body, values, index):
        name = self.define(body, values, 8, f"spin.load %s[{index}] le : !spin.slice<i8, "
                           "packet_l1> -> i8", lambda env: load(env, index, 1))
        self.define(body, values, 32, f"arith.extui {name} : i8 to i32", lambda env: env[name])

    def access(self, body, values, depth=0):
        index, width = self.pick(values, 32), self.rng.choice([8, 16, 32])
        name = self.fresh()
        self.emit(f"{name} = spin.wire_load %s[{index}] be : !spin.slice<i8, packet_l1> -> i{width}")
        body.append(lambda env: load(env, index, width // 8))

    def leave_unless(self, body, cond):
        self.emit(f"spin.require {cond} else drop")

        def run(env):
            if not env[cond]:
                raise Left

        body.append(run)

    def require(self, body, values, depth=0):
        self.leave_unless(body, self.condition(body, values))

    def select(self, body, values, depth=0):
        width = self.rng.choice([8, 32])
        cond = self.condition(body, values)
        a, b = self.pick(values, width), self.pick(values, width)
        self.define(body, values, width, f"arith.select {cond}, {a}, {b} : i{width}",
                    lambda env: env[a] if env[cond] else env[b])

    def region(self, values, depth, yields=None):
        inner, scope = [], {width: list(names) for width, names in values.items()}
        self.indent += 1
        self.statements(inner, scope, self.rng.randint(1, 4), depth + 1)
        result = self.pick(scope, 32)
        if yields:
            self.emit(f"{yields} {result} : i32")
        self.indent -= 1
        return inner, result

    def branch(self, body, values, depth):
        cond = self.condition(body, values)
        if self.rng.random() < 0.4:
            self.emit(f"scf.if {cond} {{")
            inner, _ = self.region(values, depth)
            leaves = self.rng.random() < 0.5
            if leaves:
                self.emit("  spin.exit drop")
            self.emit("}")

            def run(env):
                if env[cond]:
                    execute(inner, env)
                    if leaves:
                        raise Left

            body.append(run)
            return
        result = self.fresh()
        self.emit(f"{result} = scf.if {cond} -> (i32) {{")
        first, first_result = self.region(values, depth, "scf.yield")
        self.emit("} else {")
        second, second_result = self.region(values, depth, "scf.yield")
        self.emit("}")

        def run_both(env):
            execute(first if env[cond] else second, env)
            env[result] = env[first_result if env[cond] else second_result]

        values[32].append(result)
        body.append(run_both)

    def loop(self, body, values, depth):
        low, high, init = (self.pick(values, 32) for _ in range(3))
        if self.rng.random() < 0.6:
            low, high = self.rng.choice(values[32][1:5]), "%len"
        step = self.rng.choice(values[32][1:6])
        index, carried, result = self.fresh(), self.fresh(), self.fresh()
        is_unsigned = self.rng.random() < 0.8
        self.emit(f"{result} = scf.for {'unsigned ' if is_unsigned else ''}{index} = {low} to "
                  f"{high} step {step} iter_args({carried} = {init}) -> (i32) : i32 {{")
        scope = {width: list(names) for width, names in values.items()}
        scope[32] += [index, carried]
        inner, inner_result = self.region(scope, depth, "scf.yield")
        self.emit("}")
        values[32].append(result)

        def run(env):
            read = (lambda v: v) if is_unsigned else (lambda v: signed(v, 32))
            limit = 1 << (32 if is_unsigned else 31)
            at, end, by = read(env[low]), read(env[high]), read(env[step])
            if by < 1:
                raise Violation("step")
            env[carried] = env[init]
            while at < end:
                env[index] = at % (1 << 32)
                execute(inner, env)
                env[carried] = env[inner_result]
                at += by
                if at >= limit:
                    raise Violation("wrapping index")
            env[result] = env[carried]

        body.append(run)

    def cursor(self, body, values, depth):
        """while (state `predicate` limit) with one loop variable."""
        init, limit, add = self.pick(values, 32), self.pick(values, 32), self.pick(values, 32)
        if self.rng.random() < 0.6:
            limit = "%len"
        predicate = self.rng.choice(["ult", "ule", "ugt", "ne"])
        result, before, shifted, cond, after = (self.fresh() for _ in range(5))
        self.emit(f"{result} = scf.while ({before} = {init}) : (i32) -> i32 {{")
        self.emit(f"  {shifted} = arith.addi {before}, {add} : i32")
        self.emit(f"  {cond} = arith.cmpi {predicate}, {shifted}, {limit} : i32")
        self.emit(f"  scf.condition({cond}) {before} : i32")
        self.emit("} do {")
        self.emit(f"^bb0({after}: i32):")
        scope = {width: list(names) for width, names in values.items()}
        scope[32] += [shifted, after]
        scope[32].remove(shifted)
        inner, inner_result = self.region(scope, depth, "scf.yield")
        self.emit("}")
        values[32].append(result)

        def run(env):
            env[before] = env[init]
            while True:
                env[shifted] = (env[before] + env[add]) % (1 << 32)
                env[after] = env[before]
                if not compare(predicate, env[shifted], env[limit], 32):
                    break
                execute(inner, env)
                env[before] = env[inner_result]
            env[result] = env[before]

        body.append(run)

    def text(self):
        return "\n".join(
            [f"spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu({MTU}) match [] {{",
             "  spin.handler @payload kind(payload) {", "  ^bb0(%p: !spin.packet):",
             "    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>",
             "    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>"]
            + self.lines + ["    spin.return success", "  }", "}"])


def compute(name, a, b, width, flags):
    size = 1 << width
    if name in ("divui", "remui") and b == 0:
        raise Violation("division by zero")
    if name in ("shli", "shrui") and b >= width:
        raise Violation("shift amount")
    sa, sb = signed(a, width), signed(b, width)
    exact = {"addi": (a + b, sa + sb), "subi": (a - b, sa - sb), "muli": (a * b, sa * sb),
             "shli": (a << min(b, 64), sa << min(b, 64))}.get(name)
    if exact:
        if flags == "nuw" and not 0 <= exact[0] < size:
            raise Violation("unsigned overflow")
        if flags == "nsw" and not -size // 2 <= exact[1] < size // 2:
            raise Violation("signed overflow")
        return exact[0] % size
    return {"andi": lambda: a & b, "ori": lambda: a | b, "xori": lambda: a ^ b,
            "shrui": lambda: a >> b, "divui": lambda: a // b, "remui": lambda: a % b,
            "minui": lambda: min(a, b), "maxui": lambda: max(a, b),
            "minsi": lambda: min(sa, sb) % size, "maxsi": lambda: max(sa, sb) % size}[name]()


def compare(predicate, a, b, width):
    if predicate[0] == "s":
        a, b = signed(a, width), signed(b, width)
    return int({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b,
                "ge": a >= b}[predicate if predicate in ("eq", "ne") else predicate[1:]])


def load(env, index, size):
    at = env[index]
    if at + size > env["%len"]:
        raise Violation(f"access to byte {at} of {env['%len']}")
    return env["packet"][at]


def execute(body, env):
    for statement in body:
        env["fuel"] -= 1
        if env["fuel"] < 0:
            raise Left
        statement(env)


def find_violation(program, rng, packets):
    for _ in range(packets):
        length = rng.randint(0, MTU)
        style = rng.choice([[0, 1, 2, 3], [0, 255, 128, 127], range(256), range(13)])
        packet = [rng.choice(style) for _ in range(length)]
        try:
            execute(program.body, {"%len": length, "packet": list(packet), "fuel": 400})
        except Left:
            pass
        except Violation as violation:
            return f"{violation} with packet {packet}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opt", default="spinc-opt")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--packets", type=int, default=60)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    programs = [Program(rng) for _ in range(options.programs)]
    source, starts, line = [], [], 1
    for program in programs:
        text = program.text() + "\n// -----\n"
        starts.append(line)
        line += text.count("\n")
        source.append(text)
    run = subprocess.run([options.opt, "--split-input-file", "--spin-prove-bounds", "-o",
                          "/dev/null", "-"], input="".join(source), capture_output=True, text=True)
    errors = re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", run.stderr, re.M)
    # A handler that is rejected is told its endless loops as well.
    other = [text for _, text in errors if not text.startswith(("E04", "E0513"))]
    if other or run.returncode not in (0, 1):
        sys.exit(f"spinc-opt fails: {(other or [run.stderr[-2000:]])[0]}")
    rejected = set()
    for number, _ in errors:
        rejected.add(max(i for i, start in enumerate(starts) if start <= int(number)))
    accepted = [p for i, p in enumerate(programs) if i not in rejected]
    unsound = 0
    for program in accepted:
        problem = find_violation(program, rng, options.packets)
        if problem:
            unsound += 1
            print(f"unsound: {problem}\n{program.text()}")
    violating = sum(find_violation(programs[i], rng, options.packets) is not None
                    for i in rejected)
    print(f"{len(accepted)} accepted, {unsound} of them unsound; "
          f"{len(rejected)} rejected, {violating} of them seen to fail")
    sys.exit(unsound > 0)


if __name__ == "__main__":
    main()
