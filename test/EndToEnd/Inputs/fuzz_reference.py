"""What random programs compute: the operations of the reference.

Everything is exact; what the language says must be proved is checked here and
raises Unsound, and so do reads and writes outside of their memory.
"""
import operator

U8, U16, U32, U64, I32 = ((False, 8), (False, 16), (False, 32), (False, 64),
                          (True, 32))
OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


class Unsound(Exception):
    """An accepted program does what the compiler says it proved away."""


def low(t):
    return -(1 << (t[1] - 1)) if t[0] else 0


def high(t):
    return (1 << (t[1] - t[0])) - 1


def ck(v, t):
    if not low(t) <= v <= high(t):
        raise Unsound(f"{v} is not a value of {t}")
    return v


def wrap(v, t):
    v &= (1 << t[1]) - 1
    return v - (1 << t[1]) if v > high(t) else v


def sat(v, t):
    return min(max(v, low(t)), high(t))


def div(a, b, t):
    if b == 0:
        raise Unsound("division by zero")
    q = abs(a) // abs(b)
    return ck(q if (a < 0) == (b < 0) else -q, t)


def rem(a, b, t):
    if b == 0:
        raise Unsound("division by zero")
    return ck(abs(a) % abs(b) * (-1 if a < 0 else 1), t)


def getbits(packet, bit, t, order):
    """A field of t[1] bits; bit 0 is the highest of the first byte."""
    if order == "little":
        return int.from_bytes(packet[bit // 8: (bit + t[1]) // 8], "little")
    rest = len(packet) * 8 - bit - t[1]
    return int.from_bytes(packet, "big") >> rest & ((1 << t[1]) - 1)


def setbits(packet, bit, t, order, value):
    ck(value, t)
    if order == "little":
        packet[bit // 8: (bit + t[1]) // 8] = value.to_bytes(t[1] // 8,
                                                             "little")
        return
    rest = len(packet) * 8 - bit - t[1]
    old = int.from_bytes(packet, "big")
    new = old & ~(((1 << t[1]) - 1) << rest) | value << rest
    packet[:] = new.to_bytes(len(packet), "big")


def view(packet, at, length, size, order):
    """The numbers of a view; each is read when its round begins."""
    if at + length > len(packet):
        raise Unsound("slice out of bounds")
    for i in range(length // size):
        place = at + i * size
        yield int.from_bytes(packet[place: place + size], order)


def store(packet, base, index, size, order, value):
    at = base + index * size
    if at + size > len(packet):
        raise Unsound("store out of bounds")
    packet[at: at + size] = value.to_bytes(size, order)


def copy(memory, to, packet, at, n):
    if to + n > len(memory) or at + n > len(packet):
        raise Unsound("copy out of bounds")
    memory[to: to + n] = packet[at: at + n]


def combine(kind, a, b):
    return {"add": (a + b) & 0xFFFFFFFF, "and": a & b, "or": a | b,
            "xor": a ^ b, "max": max(a, b), "min": min(a, b),
            "swap": b}[kind]


def atomic(state, name, index, kind, value):
    if index >= len(state[name]):
        raise Unsound(f"{name}[{index}]")
    old = state[name][index]
    state[name][index] = combine(kind, old, ck(value, U32))
    return old
