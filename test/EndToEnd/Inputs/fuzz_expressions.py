"""Random expressions, each as .spinc and as Python, with type and range.

Types follow the rules of docs/language.md (typ-4, typ-6, typ-7, typ-8). An
operation that might break an obligation is made one that cannot, but for the
few that the program's `risk` lets pass: the compiler must refuse those.
"""
from collections import namedtuple

import fuzz_reference as ref

# An expression: its two texts, its type (signed, width), the values it can
# take, and whether a comparison would compute its last operation exactly.
E = namedtuple("E", "src py t lo hi math", defaults=(False,))
U8, U16, U32, U64, I32 = ref.U8, ref.U16, ref.U32, ref.U64, ref.I32
PLAIN = ("+", "-", "*")
HEADERS = 28


def widens(a, b):
    return ref.low(b) <= ref.low(a) and ref.high(a) <= ref.high(b)


def promoted(t):
    return t if t[1] >= 32 else (t[0], 32)


def spell(t):
    return ("i" if t[0] else "u") + str(t[1])


class Expressions:
    """The names in sight and the expressions over them."""

    # ---- Values -----------------------------------------------------------
    def type(self):
        if self.r.random() < 0.2:
            return (self.r.random() < 0.5, self.r.randint(2, 63))
        return (self.r.random() < 0.4, self.r.choice([8, 16, 32, 32, 64]))

    def risky(self):
        return self.r.random() < self.risk

    def literal(self, t=None):
        t = t or self.type()
        lo, hi = ref.low(t), ref.high(t)
        v = self.r.choice([0, 1, hi, lo, 7, self.r.randint(lo, hi),
                           self.r.randint(0, 40)])
        v = min(max(v, lo), hi)
        return E(f"({v} as {spell(t)})", f"({v})", t, v, v)

    def leaf(self):
        pick = self.r.random()
        if self.env and pick < 0.5:
            return self.r.choice(self.env)[0]
        if pick < 0.6:
            return self.literal()
        if pick < 0.7 and self.fields and self.indent:
            name, t, bit, order = self.r.choice(self.fields)
            return E(f"p.{name}", f"getbits(P, {bit}, {t}, '{order}')", t,
                     ref.low(t), ref.high(t))
        if pick < 0.75 and self.minimum:
            at = self.r.randrange(self.minimum)
            return E(f"p.payload[{at}]", f"P[{self.base} + {at}]", U8, 0, 255)
        if pick < 0.85 and self.params:
            name = self.r.choice(list(self.params))
            t, lo, hi = self.params[name]
            return E(f"state.{name}", f"K['{name}']", t, lo, hi)
        if pick < 0.9:
            i = self.conv(self.literal(U8), U8).lo & 3
            return E(f"state.pl[{i}]", f"S['pl'][{i}]", I32, ref.low(I32),
                     ref.high(I32))
        return E("p.length", "LENGTH", U32, 0, 1500 - self.base)

    def conv(self, e, t, implicit=False):
        """`e` as a value of type `t`."""
        if e.t == t or (implicit and widens(e.t, t)):
            return e
        lo, hi = ref.low(t), ref.high(t)
        if self.wrapping:
            fits = lo <= e.lo and e.hi <= hi
            return E(f"({e.src} as {spell(t)})", f"wrap({e.py}, {t})", t,
                     e.lo if fits else lo, e.hi if fits else hi)
        if (lo <= e.lo and e.hi <= hi) or self.risky():
            return E(f"({e.src} as {spell(t)})", f"ck({e.py}, {t})", t,
                     max(lo, min(e.lo, hi)), min(hi, max(e.hi, lo)))
        if e.lo >= 0:
            mask = (1 << self.r.randint(1, hi.bit_length())) - 1
            return E(f"(({e.src} & {mask}) as {spell(t)})",
                     f"ck({e.py} & {mask}, {t})", t, 0, mask)
        name = self.let(e)
        lo, hi = max(lo, e.lo), min(hi, e.hi)
        return E(f"({name} >= {lo} && {name} <= {hi} ? {name} as {spell(t)} "
                 f": ({lo} as {spell(t)}))",
                 f"(ck({name}, {t}) if {lo} <= {name} <= {hi} else {lo})",
                 t, lo, hi)

    def unify(self, a, b, promote):
        s, t = (promoted(a.t), promoted(b.t)) if promote else (a.t, b.t)
        if widens(t, s):
            return a, b, s
        if widens(s, t):
            return a, b, t
        return a, self.conv(E(*b[:5]), s), s

    def expr(self, d):
        if d <= 0 or self.r.random() < 0.2:
            return self.leaf()
        pick = self.r.random()
        if pick < 0.62:
            return self.binary(d)
        if pick < 0.74:
            return self.conv(self.expr(d - 1), self.type())
        if pick < 0.84:
            a, b, t = self.unify(self.expr(d - 1), self.expr(d - 1), False)
            c = self.cond(d - 1)
            return E(f"({c[0]} ? {a.src} : {b.src})",
                     f"({a.py} if {c[1]} else {b.py})", t,
                     min(a.lo, b.lo), max(a.hi, b.hi))
        if pick < 0.88:
            c = self.cond(d - 1)
            return E(f"({c[0]} as u8)", f"int({c[1]})", U8, 0, 1)
        a = self.expr(d - 1)
        t = promoted(a.t)
        if self.r.random() < 0.5 and a.t[0] and not self.wrapping and (
                a.lo > ref.low(t) or self.risky()):
            return E(f"(-{a.src})", f"ck(-{a.py}, {t})", t,
                     max(ref.low(t), -a.hi), min(ref.high(t), -a.lo))
        return E(f"(~{a.src})", f"wrap(~{a.py}, {a.t})", a.t,
                 ref.low(a.t), ref.high(a.t))

    def binary(self, d):
        op = self.r.choice(["+", "-", "*", "+", "-", "*", "/", "%", "&", "|",
                            "^", "+%", "-%", "*%", "+|", "-|", "<<", "<<%",
                            ">>"])
        if op in ("<<", "<<%", ">>"):
            return self.shift(op, self.expr(d - 1))
        a, b = self.expr(d - 1), self.expr(d - 1)
        if op in ("/", "%"):
            return self.divide(op, a, b)
        a, b, t = self.unify(a, b, op in PLAIN and not self.wrapping)
        lo, hi = ref.low(t), ref.high(t)
        if op in ("&", "|", "^"):
            if a.lo >= 0 and b.lo >= 0:
                lo, hi = 0, (1 << max(a.hi, b.hi).bit_length()) - 1
                hi = min(a.hi, b.hi) if op == "&" else hi
            return E(f"({a.src} {op} {b.src})", f"({a.py} {op} {b.py})", t,
                     lo, hi)
        ends = [ref.OPS[op[0]](x, y) for x in (a.lo, a.hi)
                for y in (b.lo, b.hi)]
        fits = lo <= min(ends) and max(ends) <= hi
        exact = op in PLAIN and not self.wrapping
        if exact and not fits and not self.risky():
            op += "%"
            a, b, t = self.unify(a, b, False)
            exact, lo, hi = False, ref.low(t), ref.high(t)
        rule = "ck" if exact else "sat" if op.endswith("|") else "wrap"
        if fits:
            lo, hi = max(lo, min(ends)), min(hi, max(ends))
        return E(f"({a.src} {op} {b.src})",
                 f"{rule}({a.py} {op[0]} {b.py}, {t})", t, lo, hi, exact)

    def divide(self, op, a, b):
        a, b, t = self.unify(a, b, False)
        guard = None
        if not (b.lo > 0 or self.risky()):
            if self.r.random() < 0.5:
                v = self.r.randint(1, max(1, min(ref.high(t), 100)))
                b = E(f"({v} as {spell(t)})", str(v), t, v, v)
            else:
                name = self.let(b)
                guard, b = f"{name} > 0", b._replace(src=name, py=name)
        far = max(abs(a.lo), abs(a.hi))
        far = min(far, b.hi - 1) if op == "%" and b.lo > 0 else far
        lo, hi = max(ref.low(t), -far if a.lo < 0 or b.lo < 0 else 0), min(
            far, ref.high(t))
        f = "div" if op == "/" else "rem"
        src = f"({a.src} {op} {b.src})"
        py = f"{f}({a.py}, {b.py}, {t})"
        if guard is None:
            return E(src, py, t, lo, hi, not self.wrapping)
        return E(f"({guard} ? {src} : (1 as {spell(t)}))",
                 f"({py} if {guard} else 1)", t, min(lo, 1), max(hi, 1))

    def shift(self, op, a):
        t = promoted(a.t) if op == "<<" and not self.wrapping else a.t
        amount = self.r.randrange(t[1])
        src = py = str(amount)
        power = 1 << (t[1].bit_length() - 1)
        if self.r.random() < 0.4:
            e = self.conv(self.expr(1), (False, self.r.randint(1, t[1])))
            mask = min(power - 1, self.r.choice([3, 7, 31, 63]))
            src, py, amount = f"({e.src} & {mask})", f"({e.py} & {mask})", mask
            if mask > ref.high(e.t):
                src, py, amount = "1", "1", 1
        if op == ">>":
            return E(f"({a.src} >> {src})", f"({a.py} >> {py})", t,
                     min(a.lo, 0), max(a.hi, 0))
        lo, hi = min(a.lo, a.lo << amount), max(a.hi, a.hi << amount)
        fits = ref.low(t) <= lo and hi <= ref.high(t)
        if op == "<<" and not fits and not self.wrapping and not self.risky():
            op, t = "<<%", a.t
            amount = min(amount, t[1] - 1)
            src, py = str(amount), str(amount)
        rule = "ck" if op == "<<" and not self.wrapping else "wrap"
        if not fits:
            lo, hi = ref.low(t), ref.high(t)
        return E(f"({a.src} {op} {src})", f"{rule}({a.py} << {py}, {t})", t,
                 lo, hi)

    def exact(self, d):
        """An operand of a comparison, computed without a width (typ-6)."""
        if d > 0 and self.r.random() < 0.4 and not self.wrapping:
            a, b = self.exact(d - 1), self.exact(d - 1)
            op = self.r.choice(PLAIN)
            ends = [ref.OPS[op](x, y) for x in (a.lo, a.hi)
                    for y in (b.lo, b.hi)]
            if max(map(abs, ends)) < 1 << 100:
                return E(f"({a.src} {op} {b.src})", f"({a.py} {op} {b.py})",
                         a.t, min(ends), max(ends), True)
        e = self.expr(d - 1)
        return e._replace(src=f"({e.src} as {spell(e.t)})") if e.math else e

    def cond(self, d):
        pick = self.r.random()
        if d > 0 and pick < 0.35:
            a, b = self.cond(d - 1), self.cond(d - 1)
            op = self.r.choice([("&&", "and"), ("||", "or")])
            return f"({a[0]} {op[0]} {b[0]})", f"({a[1]} {op[1]} {b[1]})"
        if d > 0 and pick < 0.42:
            a = self.cond(d - 1)
            return f"(!{a[0]})", f"(not {a[1]})"
        a, b = self.exact(d), self.exact(d)
        op = self.r.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"({a.src} {op} {b.src})", f"({a.py} {op} {b.py})"

    # ---- Lines of the program ---------------------------------------------
    def line(self, src, py):
        self.src.append("  " * (self.indent + 1) + src)
        if py:
            self.py.append("  " * self.indent + py)

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def let(self, e):
        name = self.name()
        self.line(f"let {name} = {e.src};", f"{name} = {e.py}")
        return name
