"""Random programs: statements, packet layout, state and the handlers."""
import random

import fuzz_reference as ref
from fuzz_expressions import HEADERS, I32, U8, U16, U32, U64, E, Expressions
from fuzz_expressions import spell

VIEWS = {"u8": (1, "big"), "le16": (2, "little"), "be16": (2, "big"),
         "le32": (4, "little"), "be32": (4, "big"), "le64": (8, "little")}
KINDS = ["add", "or", "xor", "max"]
STATE = {"one": 1, "arr": 16, "cl": 8}


class Program(Expressions):
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.single = self.r.random() < 0.6
        self.risk = self.r.choice([0, 0, 0, 0.02, 0.1])
        self.wrapping = False
        self.names = 0
        self.src, self.py = [], []
        self.indent = 1
        self.env = []
        self.minimum = 0  # bytes of payload known here
        self.loops = 0
        self.kinds = {name: self.r.choice(KINDS) for name in STATE}
        self.params = {}
        for name in ("k", "n")[: self.r.randint(0, 2)]:
            t = self.r.choice([U8, U16, U32, U64, U32])
            low = self.r.choice([0, 1, 4])
            self.params[name] = (t, low, self.r.choice([low + 3, 64, 200]))
        self.makeHeader()
        self.emitProgram()

    def assign(self):
        mutable = [v for v in self.env if v[1]]
        if not mutable:
            return self.declare()
        target = self.r.choice(mutable)[0]
        t = target.t
        op = self.r.choice(["", "", "+%", "-%", "*%", "^", "|", "&", "+"])
        e = self.conv(self.expr(2), t, True)
        value = e.py
        if op == "+" and not self.wrapping and not self.risky():
            op = "+%"
        if op:
            rule = "ck" if op == "+" and not self.wrapping else "wrap"
            value = f"{rule}({target.py} {op[0]} {e.py}, {t})"
        self.line(f"{target.src} {op}= {e.src};", f"{target.py} = {value}")

    def declare(self):
        e = self.expr(3)
        if self.r.random() < 0.5:
            name = self.let(e)
            self.env.append((E(name, name, e.t, e.lo, e.hi), False))
            return
        name, t = self.name(), self.type()
        e = self.conv(e, t, True)
        self.line(f"{spell(t)} {name} = {e.src};", f"{name} = {e.py}")
        self.env.append((E(name, name, t, ref.low(t), ref.high(t)), True))

    def body(self, src, py, d, more=()):
        """A block with its own scope."""
        saved, minimum = list(self.env), self.minimum
        self.line(src + " {", py)
        self.indent += 1
        self.env += more
        self.py.append("  " * self.indent + "pass")
        for _ in range(self.r.randint(1, 3)):
            self.statement(d - 1)
        self.indent -= 1
        self.line("}", None)
        self.env, self.minimum = saved, minimum

    def branch(self, d):
        if self.r.random() < 0.3:
            return self.narrow(d)
        c = self.cond(2)
        self.body(f"if {c[0]}", f"if {c[1]}:", d)
        if self.r.random() < 0.4:
            self.body("else", "else:", d)

    def narrow(self, d):
        """An `if` or a `require` that bounds a variable."""
        fixed = [v[0] for v in self.env if not v[1] and v[0].hi > v[0].lo]
        if not fixed:
            return
        e = self.r.choice(fixed)
        cut = self.r.choice([0, 1, 15, 200, 70000])
        if not e.lo <= cut <= e.hi:
            return
        less = (e._replace(hi=cut), False)
        if d > 0 and self.r.random() < 0.6:
            self.body(f"if ({e.src} <= {cut})", f"if {e.py} <= {cut}:", d,
                      [less])
        else:
            code, number = self.r.choice([("SUCCESS", 0), ("DROP", 1),
                                          ("FAIL", 2)])
            self.line(f"require ({e.src} <= {cut}) else return {code};",
                      f"if not {e.py} <= {cut}: return {number}")
            self.env.append(less)

    def lengthGuard(self, d):
        n = self.r.choice([1, 4, 8, 16, 33])
        saved = self.minimum
        self.minimum = max(saved, n)
        if d > 0 and self.r.random() < 0.7:
            self.body(f"if (p.length >= {n})", f"if LENGTH >= {n}:", d)
            self.minimum = saved
        else:
            self.line(f"require (p.length >= {n}) else return DROP;",
                      f"if not LENGTH >= {n}: return 1")

    def loop(self, d):
        name = self.name()
        view = self.r.choice(list(VIEWS))
        size, order = VIEWS[view]
        cast = "" if view == "u8" else f" as {view}[]"
        self.loops += 1
        if self.r.random() < 0.5:
            src, at, length = "p.payload", str(self.base), "LENGTH"
            if self.loops > 1 or self.r.random() < 0.4:
                if not self.minimum:
                    self.loops -= 1
                    return
                at = self.r.randrange(self.minimum)
                length = min(self.r.randint(0, self.minimum - at), 24)
                src = f"p.payload[{at} ..+ {length}]"
                at = f"{self.base} + {at}"
            t = (False, 8 * size)
            more = E(name, name, t, 0, ref.high(t))
            self.body(f"for ({view} {name} : {src}{cast})",
                      f"for {name} in view(P, {at}, {length}, {size}, "
                      f"'{order}'):", d, [(more, False)])
        else:
            self.range(d, name)
        self.loops -= 1

    def range(self, d, name):
        t = self.r.choice([U8, U16, U32, U32])
        step = self.r.choice([1, 1, 1, 2, 3, 7])
        low = self.r.choice([0, 0, 1, 5])
        if self.loops == 1 and self.r.random() < 0.4:
            t, top, hi = U32, E("p.length", "LENGTH", U32, 0, 0), 1472
        elif self.r.random() < 0.5:
            e = self.conv(self.expr(1), U8)
            mask = self.r.choice([3, 7])
            top, hi = E(f"({e.src} & {mask})", f"({e.py} & {mask})", t, 0,
                        0), mask
        else:
            hi = self.r.randint(0, 12)
            top = E(str(hi), str(hi), t, 0, 0)
        form, end = "..<", top.py
        if self.r.random() < 0.2:
            form, end, hi = "..+", f"{low} + {top.py}", hi + low
        step_src = f" step {step}" if step > 1 else ""
        more = E(name, name, t, low, max(low, hi - 1))
        self.body(f"for ({spell(t)} {name} : {low} {form} {top.src}"
                  f"{step_src})", f"for {name} in range({low}, {end}, "
                  f"{step}):", d, [(more, False)])

    def atomic(self):
        name = self.r.choice(list(STATE))
        kind = self.kinds[name]
        if self.single:
            kind = self.r.choice(["add", "and", "or", "xor", "max", "min",
                                  "swap"])
        i = self.conv(self.expr(1), U32)
        size = STATE[name]
        place, at = f"state.{name}", "0"
        if size > 1:
            index = i.src if i.hi < size or self.risky() else (
                f"({i.src} & {size - 1})")
            at = i.py if index == i.src else f"({i.py} & {size - 1})"
            place += f"[{index}]"
        e = self.conv(self.expr(2), U32)
        method = kind if kind == "swap" else f"fetch_{kind}"
        src = f"{place}.{method}({e.src})"
        py = f"atomic(S, '{name}', {at}, '{kind}', {e.py})"
        if self.single and self.r.random() < 0.5:
            v = self.let(E(src, py, U32, 0, ref.high(U32)))
            self.env.append((E(v, v, U32, 0, ref.high(U32)), False))
        else:
            self.line(src + ";", py)

    def write(self):
        if self.r.random() < 0.5:
            name, t, bit, order = self.r.choice(self.fields)
            e = self.conv(self.expr(2), t, True)
            self.line(f"p.{name} = {e.src};",
                      f"setbits(P, {bit}, {t}, '{order}', {e.py})")
            return
        view = self.r.choice(list(VIEWS))
        size, order = VIEWS[view]
        i = self.let(self.conv(self.expr(1), U32))
        name, t = self.name(), (False, 8 * size)
        e = self.conv(self.expr(2), t, True)
        cast = "" if view == "u8" else f" as {view}[]"
        self.line(f"let {name} = p.payload{cast};", None)
        guard = f"if ({i} < {name}.length) "
        test = f"if {i} < LENGTH // {size}: "
        if self.risky():
            guard = test = ""
        self.line(f"{guard}{name}[{i}] = {e.src};",
                  f"{test}store(P, {self.base}, {i}, {size}, '{order}', "
                  f"{e.py})")

    def dma(self):
        if not self.minimum or not self.single:
            return
        at = self.r.randrange(self.minimum)
        n = self.r.randint(0, self.minimum - at)
        to = self.conv(self.expr(1), U8)
        self.line(f"dma_to_host(out[(({to.src} & 63) as u32) * 8 ..+ {n}], "
                  f"p.payload[{at} ..+ {n}]);",
                  f"copy(H, ({to.py} & 63) * 8, P, {self.base} + {at}, {n})")

    def statement(self, d):
        if self.loops == 0 and self.r.random() < 0.1:
            self.line("wrapping {", None)
            saved, self.wrapping = list(self.env), True
            self.assign()
            self.assign()
            self.env, self.wrapping = saved, False
            return self.line("}", None)
        choices = [self.assign, self.declare, self.atomic, self.write,
                   self.dma, lambda: self.narrow(0),
                   lambda: self.lengthGuard(d)]
        if d > 0:
            choices += [lambda: self.branch(d)] * 2 + [
                lambda: self.loop(d)] * (3 if self.loops < 2 else 0)
        self.r.choice(choices)()

    # ---- The program ------------------------------------------------------
    def makeHeader(self):
        """A header of our own: bit fields and wire integers."""
        self.fields = [("udp.src_port", U16, 160, "big"),
                       ("udp.checksum", U16, 208, "big"),
                       ("ip.tos", U8, 8, "big"), ("ip.source", U32, 96, "big"),
                       ("ip.frag", U16, 48, "big"), ("ip.id", U16, 32, "big")]
        self.header, bit = [], HEADERS * 8
        for _ in range(self.r.randint(1, 4)):
            if self.r.random() < 0.4:
                order = self.r.choice(["be16", "le16", "be32", "le32", "be48",
                                       "be64", "le64"])
                parts = [(int(order[2:]), order)]
            else:
                left, parts = self.r.choice([8, 16, 24, 32, 40, 64]), []
                while left:
                    n = self.r.randint(1, min(left, 33))
                    parts.append((n, f"u{n}"))
                    left -= n
            for n, text in parts:
                name = f"f{len(self.header)}"
                self.header.append(f"{text} {name};")
                self.fields.append((f"my.{name}", (False, n), bit, "little"
                                    if text.startswith("le") else "big"))
                bit += n
        self.base = bit // 8

    def emitProgram(self):
        self.indent = 0
        for i in range(4):
            self.env, saved = [], self.fields
            self.fields = []
            lo, hi = ref.low(I32), ref.high(I32)
            v = self.r.choice([lo, hi, -1, self.r.randint(lo, hi)])
            self.line(f"state.pl[{i}] = {v};", f"S['pl'][{i}] = {v}")
            self.fields = saved
        header, self.src = self.src, []
        setup, self.py = self.py, []
        self.indent = 1
        for _ in range(self.r.randint(3, 7)):
            self.statement(3)
        if self.r.random() < 0.6:
            self.line("send(p.all);", "SENT.append(bytes(P))")
        self.line("return SUCCESS;", "return 0")
        kinds = "".join(
            f"    param {spell(t)} {name} where {lo} <= {name} && {name} <= "
            f"{hi};\n" for name, (t, lo, hi) in self.params.items())
        self.source = f"""import net.ipv4;
header My {{ {" ".join(self.header)} }}
context C {{
  packet {{ Ipv4 ip; Udp udp; My my; u8 payload[]; }}
  match {{ udp.dst_port == 7 }}
  state {{
{kinds}    i32 pl[4]; atomic u32 one; atomic u32 arr[16];
    per_cluster atomic u32 cl[8];
  }}
  host out;
  contract out.size >= 4096;
  handler payload(packet p) {{
""" + "\n".join(self.src) + f"""
  }}
  handler completion(message m) {{
    for (c : 0 ..< cluster.count)
      dma_to_host(out[1024 + c * 32 ..+ 32], state.cl.copy(c));
    for (i : 0 ..< 16) notify(out[2048 + i * 8 ..+ 8],
                              state.arr[i].fetch_add(0));
    notify(out[2176 ..+ 8], state.one.fetch_add(0));
    return SUCCESS;
  }}
  handler header(message m) {{
""" + "\n".join(header) + """
    return PROCESS_DATA;
  }
}
"""
        self.reference = ("def setup(S):\n  " + "\n  ".join(
            line.strip() for line in setup) +
            "\ndef handler(P, LENGTH, S, K, H, SENT):\n" + "\n".join(self.py))
