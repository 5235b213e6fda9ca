"""An independent model of the Xpulp arithmetic: encodings and results as the
architecture describes them, written without the simulator's table.

Each entry of MODEL is name -> (encode, compute): encode(rng) picks the
instruction's own immediates and returns (word, immediates) for rd = a0,
rs1 = a1, rs2 = a2; compute(a, b, d, immediates) is the new value of rd, where
d is the old one."""

M32 = 0xFFFFFFFF
RD, RS1, RS2 = 10 << 7, 11 << 15, 12 << 20


def signed(value, bits=32):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def plain(f7, f3, opcode=0x33, second=RS2):
    word = f7 << 25 | f3 << 12 | opcode | RD | RS1 | second
    return lambda rng: (word, ())


def clamp(value, low, high):
    return low if value <= low else high if value >= high else value


def leading_repeats(a):
    if a == 0:
        return 0
    sign, count = a >> 31, 0
    while count < 31 and (a >> (30 - count)) & 1 == sign:
        count += 1
    return count


def field_mask(length, position):
    return (((1 << length) - 1) << position) & M32


def reverse(value):
    return int(f"{value & M32:032b}"[::-1], 2)


def bit_reverse(a, radix, points):
    shifted = (a << points) & M32
    if radix == 0:
        return reverse(shifted)
    size, groups = radix + 1, 32 // (radix + 1)
    out = 0
    for group in range(groups):
        high = 32 - (group + 1) * size
        out |= ((shifted >> high) & ((1 << size) - 1)) << (group * size)
    return out


MODEL = {}


def scalar():
    table = {
        "p.slet": (2, 2, lambda a, b: signed(a) <= signed(b)),
        "p.sletu": (2, 3, lambda a, b: a <= b),
        "p.min": (2, 4, lambda a, b: min(signed(a), signed(b))),
        "p.minu": (2, 5, min),
        "p.max": (2, 6, lambda a, b: max(signed(a), signed(b))),
        "p.maxu": (2, 7, max),
        "p.ror": (4, 5, lambda a, b: (a >> (b & 31) | a << (32 - (b & 31)))),
        "p.clipr": (10, 5, lambda a, b: clamp(signed(a), -signed(b) - 1,
                                              signed(b))),
        "p.clipur": (10, 6, lambda a, b: clamp(signed(a), 0, signed(b))),
    }
    for name, (f7, f3, f) in table.items():
        MODEL[name] = (plain(f7, f3), lambda a, b, d, i, f=f: f(a, b))
    unary = {
        "p.abs": (2, 0, lambda a: abs(signed(a))),
        "p.ff1": (8, 0, lambda a: (a & -a).bit_length() - 1 if a else 32),
        "p.fl1": (8, 1, lambda a: a.bit_length() - 1 if a else 32),
        "p.clb": (8, 2, leading_repeats),
        "p.cnt": (8, 3, lambda a: bin(a).count("1")),
        "p.exths": (8, 4, lambda a: signed(a, 16)),
        "p.exthz": (8, 5, lambda a: a & 0xFFFF),
        "p.extbs": (8, 6, lambda a: signed(a, 8)),
        "p.extbz": (8, 7, lambda a: a & 0xFF),
    }
    for name, (f7, f3, f) in unary.items():
        MODEL[name] = (plain(f7, f3, second=0),
                       lambda a, b, d, i, f=f: f(a))

    def five(f7, f3):
        def encode(rng):
            n = rng.randrange(32)
            return f7 << 25 | n << 20 | f3 << 12 | 0x33 | RD | RS1, (n,)
        return encode

    def limits(n):
        return (-(1 << (n - 1)), (1 << (n - 1)) - 1) if n else (-1, 0)
    MODEL["p.clip"] = (five(10, 1), lambda a, b, d, i: clamp(
        signed(a), *limits(i[0])))
    MODEL["p.clipu"] = (five(10, 2), lambda a, b, d, i: clamp(
        signed(a), 0, limits(i[0])[1]))
    MODEL["p.mac"] = (plain(0x21, 0), lambda a, b, d, i: d + a * b)
    MODEL["p.msu"] = (plain(0x21, 1), lambda a, b, d, i: d - a * b)


def fields():
    def extract(a, length, position):
        return signed(signed(a) >> position, length)

    def extractu(a, length, position):
        return (a >> position) & ((1 << length) - 1)
    table = {
        0: ("p.extract", lambda a, d, n, p: extract(a, n, p)),
        1: ("p.extractu", lambda a, d, n, p: extractu(a, n, p)),
        2: ("p.insert", lambda a, d, n, p: (d & ~field_mask(n, p)) |
            ((a << p) & field_mask(n, p))),
        3: ("p.bclr", lambda a, d, n, p: a & ~field_mask(n, p)),
        4: ("p.bset", lambda a, d, n, p: a | field_mask(n, p)),
    }
    for f3, (name, f) in table.items():
        def encode(rng, f3=f3):
            length = rng.randint(1, 32)
            position = rng.randint(0, 32 - length)
            return (3 << 30 | (length - 1) << 25 | (position & 31) << 20 |
                    f3 << 12 | 0x33 | RD | RS1), (length, position & 31)
        MODEL[name] = (encode, lambda a, b, d, i, f=f: f(a, d, *i))
        MODEL[name + "r"] = (
            plain(0x40, f3), lambda a, b, d, i, f=f: f(
                a, d, ((b >> 5) & 31) + 1, b & 31))

    def encode_reverse(rng):
        radix, points = rng.randrange(3), rng.randrange(32)
        return (3 << 30 | radix << 25 | points << 20 | 5 << 12 | 0x33 | RD |
                RS1), (radix, points)
    MODEL["p.bitrev"] = (encode_reverse,
                         lambda a, b, d, i: bit_reverse(a, *i))


def normalised():
    def shift(value, by, unsigned, rounded):
        if rounded and by:
            value += 1 << (by - 1)
        return (value & M32 if unsigned else signed(value)) >> by

    def with_shift(top, f3):
        def encode(rng):
            by = rng.randrange(32)
            return (top << 30 | by << 25 | f3 << 12 | 0x5B | RD | RS1 |
                    RS2), (by,)
        return encode
    for rounded in (0, 1):
        r = "R" if rounded else ""
        for unsigned in (0, 1):
            u = "u" if unsigned else ""
            for name, f3, sign in (("add", 2, 1), ("sub", 3, -1)):
                full = f"p.{name}{u}{r}N"
                f3 += 4 * rounded
                MODEL[full] = (
                    with_shift(2 * unsigned, f3),
                    lambda a, b, d, i, s=sign, u=unsigned, r=rounded: shift(
                        a + s * b, i[0], u, r))
                MODEL[full + "r"] = (
                    plain((2 * unsigned + 1) << 5, f3, 0x5B),
                    lambda a, b, d, i, s=sign, u=unsigned, r=rounded: shift(
                        d + s * a, b & 31, u, r))
        for top, suffix in ((0, "u"), (1, "hhu"), (2, "s"), (3, "hhs")):
            def half(value, s=suffix):
                value = value >> 16 if "hh" in s else value
                return value & 0xFFFF if "u" in s else signed(value, 16)
            for name, f3 in (("mul", 0), ("mac", 1)):
                MODEL[f"p.{name}{suffix}{r}N"] = (
                    with_shift(top, f3 + 4 * rounded),
                    lambda a, b, d, i, h=half, acc=name == "mac",
                    u="u" in suffix, r=rounded: shift(
                        h(a) * h(b) + (d if acc else 0), i[0], u, r))


def lanes_of(value, bits):
    return [(value >> k) & ((1 << bits) - 1) for k in range(0, 32, bits)]


def join(lanes, bits):
    return sum((lane & ((1 << bits) - 1)) << (k * bits)
               for k, lane in enumerate(lanes))


def vector_word(op6, f3, imm=None):
    word = op6 << 26 | f3 << 12 | 0x57 | RD | RS1
    if imm is None:
        return word | RS2
    return word | (imm >> 1 & 31) << 20 | (imm & 1) << 25


def vectors():
    def average(x, y, bits, unsigned):
        total = (x + y) & ((1 << bits) - 1)
        return total >> 1 if unsigned else signed(total, bits) >> 1
    operations = {
        "add": (0, 0, lambda x, y, n: x + y),
        "sub": (2, 0, lambda x, y, n: x - y),
        "avg": (4, 0, lambda x, y, n: average(x, y, n, False)),
        "avgu": (6, 1, lambda x, y, n: average(x, y, n, True)),
        "min": (8, 0, lambda x, y, n: min(x, y)),
        "minu": (10, 1, lambda x, y, n: min(x, y)),
        "max": (12, 0, lambda x, y, n: max(x, y)),
        "maxu": (14, 1, lambda x, y, n: max(x, y)),
        "srl": (16, 2, lambda x, y, n: (x & ((1 << n) - 1)) >> (y % n)),
        "sra": (18, 0, lambda x, y, n: x >> (y % n)),
        "sll": (20, 0, lambda x, y, n: x << (y % n)),
        "or": (22, 0, lambda x, y, n: x | y),
        "xor": (24, 0, lambda x, y, n: x ^ y),
        "and": (26, 0, lambda x, y, n: x & y),
    }
    compares = ["eq", "ne", "gt", "ge", "lt", "le", "gtu", "geu", "ltu", "leu"]
    tests = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y,
             "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y,
             "lt": lambda x, y: x < y, "le": lambda x, y: x <= y}
    for k, name in enumerate(compares):
        test = tests[name[:2]]
        operations["cmp" + name] = (
            2 * k + 1, int(name.endswith("u")),
            lambda x, y, n, t=test: -1 if t(x, y) else 0)
    for name, (op6, unsigned, f) in operations.items():
        for bits, letter, f3 in ((16, "h", 0), (8, "b", 1)):
            def lane(value, n=bits, u=unsigned):
                return value & ((1 << n) - 1) if u == 1 else signed(value, n)

            def apply(a, others, n=bits, f=f, lane=lane):
                return join([f(lane(x), lane(y), n)
                             for x, y in zip(lanes_of(a, n), others)], n)
            MODEL[f"pv.{name}.{letter}"] = (
                lambda rng, w=vector_word(op6, f3): (w, ()),
                lambda a, b, d, i, g=apply, n=bits: g(a, lanes_of(b, n)))
            MODEL[f"pv.{name}.sc.{letter}"] = (
                lambda rng, w=vector_word(op6, f3 + 4): (w, ()),
                lambda a, b, d, i, g=apply, n=bits: g(
                    a, [b & ((1 << n) - 1)] * (32 // n)))

            def encode(rng, op6=op6, f3=f3,
                       most=bits if 16 <= op6 <= 20 else 64):
                imm = rng.randrange(most)
                return vector_word(op6, f3 + 6, imm), (imm,)
            MODEL[f"pv.{name}.sci.{letter}"] = (
                encode, lambda a, b, d, i, g=apply, n=bits, u=unsigned: g(
                    a, [i[0] if u == 1 else signed(i[0], 6)] * (32 // n)))


def moves():
    def fixed(op6, f3, bit25=0, second=RS2):
        word = (op6 << 26 | bit25 << 25 | f3 << 12 | 0x57 | RD | RS1 | second)
        return lambda rng: (word, ())

    def indexed(op6, f3, count):
        def encode(rng):
            imm = rng.randrange(count)
            return vector_word(op6, f3, imm), (imm,)
        return encode
    for bits, letter, f3 in ((16, "h", 0), (8, "b", 1)):
        count = 32 // bits
        MODEL[f"pv.abs.{letter}"] = (
            fixed(28, f3, 0, 0), lambda a, b, d, i, n=bits: join(
                [abs(signed(x, n)) for x in lanes_of(a, n)], n))
        MODEL[f"pv.extract.{letter}"] = (
            indexed(30, f3 + 6, count), lambda a, b, d, i, n=bits: signed(
                lanes_of(a, n)[i[0]], n))
        MODEL[f"pv.extractu.{letter}"] = (
            indexed(36, f3 + 6, count),
            lambda a, b, d, i, n=bits: lanes_of(a, n)[i[0]])

        def insert(a, b, d, i, n=bits):
            lanes = lanes_of(d, n)
            lanes[i[0]] = a
            return join(lanes, n)
        MODEL[f"pv.insert.{letter}"] = (indexed(44, f3 + 6, count), insert)
        MODEL[f"pv.shuffle.{letter}"] = (
            fixed(48, f3), lambda a, b, d, i, n=bits, c=count: join(
                [lanes_of(a, n)[s % c] for s in lanes_of(b, n)], n))
        MODEL[f"pv.shuffle2.{letter}"] = (
            fixed(50, f3), lambda a, b, d, i, n=bits, c=count: join(
                [lanes_of(a if s & c else d, n)[s % c]
                 for s in lanes_of(b, n)], n))

    def bytes_of(a, imm, top):
        picks = [imm & 3, imm >> 2 & 3, imm >> 4 & 3, top]
        return join([lanes_of(a, 8)[k] for k in picks], 8)
    for top, op6 in enumerate((48, 58, 60, 62)):
        MODEL[f"pv.shuffleI{top}.sci.b"] = (
            indexed(op6, 7, 64),
            lambda a, b, d, i, t=top: bytes_of(a, i[0], t))
    MODEL["pv.shuffle.sci.h"] = (
        indexed(48, 6, 4), lambda a, b, d, i: join(
            [lanes_of(a, 16)[i[0] & 1], lanes_of(a, 16)[i[0] >> 1 & 1]], 16))
    MODEL["pv.pack"] = (fixed(52, 0), lambda a, b, d, i: join(
        [b & 0xFFFF, a & 0xFFFF], 16))
    MODEL["pv.pack.h"] = (fixed(52, 0, 1), lambda a, b, d, i: join(
        [b >> 16, a >> 16], 16))
    MODEL["pv.packhi.b"] = (fixed(54, 1), lambda a, b, d, i: join(
        [d, d >> 8, b, a], 8))
    MODEL["pv.packlo.b"] = (fixed(56, 1), lambda a, b, d, i: join(
        [b, a, d >> 16, d >> 24], 8))
    MODEL["pv.cplxconj"] = (fixed(23, 0, 0, 0), lambda a, b, d, i: join(
        [a & 0xFFFF, -(a >> 16)], 16))
    for k, suffix in enumerate(("", ".div2", ".div4", ".div8")):
        def rotated(a, b, d, i, k=k):
            high = signed((b & 0xFFFF) - (a & 0xFFFF), 16) >> k
            low = signed((a >> 16) - (b >> 16), 16) >> k
            return join([low, high], 16)
        MODEL["pv.subrotmj" + suffix] = (fixed(27, 2 * k), rotated)
        for name, op6, sign in (("sub", 25, -1), ("add", 29, 1)):
            if k:
                MODEL[f"pv.{name}{suffix}"] = (
                    fixed(op6, 2 * k), lambda a, b, d, i, s=sign, k=k: join(
                        [signed(x + s * y, 16) >> k for x, y in
                         zip(lanes_of(a, 16), lanes_of(b, 16))], 16))


def products():
    """Dot and complex products, which stop a core of PsPIN."""
    codes = {"dotup": 32, "dotusp": 34, "dotsp": 38, "sdotup": 40,
             "sdotusp": 42, "sdotsp": 46}
    for name, op6 in codes.items():
        kind = name.split("dot")[1]
        for bits, letter, f3 in ((16, "h", 0), (8, "b", 1)):
            def apply(a, others, d, n=bits, kind=kind, adds=name[0] == "s"):
                x = [signed(v, n) if kind == "sp" else v
                     for v in lanes_of(a, n)]
                y = [v & ((1 << n) - 1) if kind == "up" else signed(v, n)
                     for v in others]
                return sum(p * q for p, q in zip(x, y)) + (d if adds else 0)
            MODEL[f"pv.{name}.{letter}"] = (
                lambda rng, w=vector_word(op6, f3): (w, ()),
                lambda a, b, d, i, g=apply, n=bits: g(a, lanes_of(b, n), d))
            MODEL[f"pv.{name}.sc.{letter}"] = (
                lambda rng, w=vector_word(op6, f3 + 4): (w, ()),
                lambda a, b, d, i, g=apply, n=bits: g(
                    a, [b & ((1 << n) - 1)] * (32 // n), d))

            def encode(rng, op6=op6, f3=f3):
                imm = rng.randrange(64)
                return vector_word(op6, f3 + 6, imm), (imm,)
            MODEL[f"pv.{name}.sci.{letter}"] = (
                encode, lambda a, b, d, i, g=apply, n=bits, u=kind == "up": g(
                    a, [i[0] if u else signed(i[0], 6)] * (32 // n), d))
    for k, suffix in enumerate(("", ".div2", ".div4", ".div8")):
        def complex_parts(a, b, k=k):
            (ar, ai), (br, bi) = [
                [signed(v, 16) for v in lanes_of(x, 16)] for x in (a, b)]
            return [signed(ar * br - ai * bi) >> 15 + k,
                    signed(ar * bi + ai * br) >> 15 + k]
        for bit25, part in ((0, "r"), (1, "i")):
            def compute(a, b, d, i, g=complex_parts, at=bit25):
                lanes = lanes_of(d, 16)
                lanes[at] = g(a, b)[at]
                return join(lanes, 16)
            word = vector_word(21, 2 * k) | bit25 << 25
            MODEL[f"pv.cplxmul.{part}{suffix}"] = (
                lambda rng, w=word: (w, ()), compute)


scalar()
fields()
normalised()
vectors()
moves()
products()
