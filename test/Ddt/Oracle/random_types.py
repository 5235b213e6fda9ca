"""Random descriptions of datatypes: all constructors of MPI, up to five levels.

Most trees look like those of programs: blocks that do not overlap, in order or
shuffled. Some have what programs rarely do: empty parts, negative strides and
extents, blocks over blocks. A seed gives the same tree each time.

    random_types.py FIRST COUNT    prints cases FIRST … FIRST+COUNT-1
"""

import json
import math
import random
import sys
from dataclasses import dataclass

MAX_BYTES = 32 * 1024  # of data
MAX_SPAN = 1 << 20  # from the first byte to the last
MAX_DEPTH = 5

# Bytes of data and extent. Not here: long double, of which libraries may copy
# only the 10 bytes that have a value.
BASIC = {
    "MPI_CHAR": (1, 1), "MPI_BYTE": (1, 1), "MPI_SHORT": (2, 2),
    "MPI_INT": (4, 4), "MPI_FLOAT": (4, 4), "MPI_DOUBLE": (8, 8),
    "MPI_LONG": (8, 8), "MPI_C_BOOL": (1, 1), "MPI_UINT16_T": (2, 2),
    "MPI_C_DOUBLE_COMPLEX": (16, 16), "MPI_2INT": (8, 8),
    "MPI_FLOAT_INT": (8, 8), "MPI_SHORT_INT": (6, 8),
    "MPI_DOUBLE_INT": (12, 16), "MPI_LONG_INT": (12, 16),
}


@dataclass
class Type:
    """A tree with what the generator must know about it: bytes of data, the
    first and one past the last byte of its data, and its bounds. Padding is
    left out, so these are estimates."""
    tree: dict
    size: int
    low: int
    high: int
    lb: int
    extent: int


class Generator:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        # How daring the whole tree is.
        self.wild = self.random.random() < 0.3

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def small(self, most: int) -> int:
        """From 1 to `most`, small ones more often; rarely 0 if wild."""
        if self.wild and self.chance(0.06):
            return 0
        return 1 + int(most * self.random.random() ** 2.5)

    def make(self, depth: int) -> Type:
        if depth == 0:
            name = self.random.choice(list(BASIC))
            size, extent = BASIC[name]
            return Type({"k": "named", "name": name}, size, 0, extent, 0,
                        extent)
        child = self.make(depth - 1)
        makers = [self.contiguous, self.vector, self.hvector, self.indexed,
                  self.indexed, self.indexed_block, self.struct, self.subarray,
                  self.darray, self.resized, self.dup]
        for _ in range(20):
            made = self.random.choice(makers)(child)
            if made.size <= MAX_BYTES and made.high - made.low <= MAX_SPAN:
                return made
        return child

    # Blocks of `length` elements at each of `places`, in bytes.
    def placed(self, tree: dict, child: Type, places: list, lengths: list
               ) -> Type:
        size = child.size * sum(lengths)
        step = child.extent
        ends, bounds = [], []
        for place, length in zip(places, lengths):
            if length == 0:
                continue
            for element in (0, length - 1):
                at = place + element * step
                bounds += [at + child.lb, at + child.lb + step]
                if child.size:
                    ends += [at + child.low, at + child.high]
        low, high = (min(ends), max(ends)) if ends else (0, 0)
        lb, ub = (min(bounds), max(bounds)) if bounds else (0, 0)
        return Type(tree, size, low, high, lb, ub - lb)

    def contiguous(self, child: Type) -> Type:
        count = self.small(12)
        return self.placed({"k": "contiguous", "count": count,
                            "of": child.tree}, child, [0], [count])

    def gap(self, step: int) -> int:
        """A distance for blocks that reach over `step` units."""
        if self.wild and self.chance(0.3):
            return self.random.randint(-step - 4, step + 4)
        distance = max(abs(step), 1) + self.random.choice([0, 0, 1, 2, 7])
        return -distance if self.chance(0.1) else distance

    def vector(self, child: Type) -> Type:
        count, length = self.small(10), self.small(6)
        stride = self.gap(length)
        tree = {"k": "vector", "count": count, "blocklen": length,
                "stride": stride, "of": child.tree}
        places = [i * stride * child.extent for i in range(count)]
        return self.placed(tree, child, places, [length] * count)

    def reach(self, child: Type, length: int) -> int:
        """Bytes from the first to the last byte of a block."""
        return child.high - child.low + abs(child.extent) * max(length - 1, 0)

    def hvector(self, child: Type) -> Type:
        count, length = self.small(10), self.small(5)
        stride = self.gap(self.reach(child, length))
        if not self.chance(0.2):
            stride -= stride % 8
        tree = {"k": "hvector", "count": count, "blocklen": length,
                "stride_bytes": stride, "of": child.tree}
        places = [i * stride for i in range(count)]
        return self.placed(tree, child, places, [length] * count)

    def scatter(self, reaches: list, unit: int) -> list:
        """A place for each block, in units; sorted, shuffled or wild."""
        at, places = self.random.randint(-3, 6), []
        for reach in reaches:
            places.append(at)
            at += -(-reach // unit) + self.random.choice([0, 0, 1, 3, 9])
        if self.chance(0.3):
            self.random.shuffle(places)
        if self.wild and self.chance(0.3):
            places = [self.random.randint(-40, 40) for _ in places]
        return places

    def indexed(self, child: Type) -> Type:
        in_bytes = self.chance(0.5) or child.extent <= 0
        lengths = [self.small(5) for _ in range(self.small(12))]
        unit = self.random.choice([1, 4, 8]) if in_bytes else child.extent
        reaches = [self.reach(child, length) for length in lengths]
        places = self.scatter(reaches, unit)
        bytes_at = [place * unit for place in places]
        tree = ({"k": "hindexed", "blocklens": lengths,
                 "displs_bytes": bytes_at, "of": child.tree} if in_bytes else
                {"k": "indexed", "blocklens": lengths, "displs": places,
                 "of": child.tree})
        return self.placed(tree, child, bytes_at, lengths)

    def indexed_block(self, child: Type) -> Type:
        in_bytes = self.chance(0.5) or child.extent <= 0
        count, length = self.small(16), self.small(4)
        unit = self.random.choice([1, 4, 8]) if in_bytes else child.extent
        places = self.scatter([self.reach(child, length)] * count, unit)
        bytes_at = [place * unit for place in places]
        tree = ({"k": "hindexed_block", "blocklen": length,
                 "displs_bytes": bytes_at, "of": child.tree} if in_bytes else
                {"k": "indexed_block", "blocklen": length, "displs": places,
                 "of": child.tree})
        return self.placed(tree, child, bytes_at, [length] * count)

    def struct(self, child: Type) -> Type:
        members = [child]
        for _ in range(self.small(4)):
            members.append(self.make(self.random.randint(0, 2))
                           if self.chance(0.6) else child)
        self.random.shuffle(members)
        lengths = [self.small(3) for _ in members]
        reaches = [self.reach(m, n) for m, n in zip(members, lengths)]
        places = [8 * place for place in self.scatter(reaches, 8)]
        tree = {"k": "struct", "blocklens": lengths, "displs_bytes": places,
                "types": [member.tree for member in members]}
        parts = [self.placed({}, m, [p], [n])
                 for m, p, n in zip(members, places, lengths) if n]
        data = [part for part in parts if part.size]
        low = min((part.low for part in data), default=0)
        high = max((part.high for part in data), default=0)
        lb = min((part.lb for part in parts), default=0)
        ub = max((part.lb + part.extent for part in parts), default=0)
        return Type(tree, sum(part.size for part in parts), low, high, lb,
                    ub - lb)

    def subarray(self, child: Type) -> Type:
        sizes = [self.random.randint(1, 7)
                 for _ in range(self.random.randint(1, 3))]
        subsizes = [self.random.randint(1, size) for size in sizes]
        starts = [self.random.randint(0, size - part)
                  for size, part in zip(sizes, subsizes)]
        tree = {"k": "subarray", "sizes": sizes, "subsizes": subsizes,
                "starts": starts, "order": self.random.choice("CF"),
                "of": child.tree}
        return self.array(tree, child, math.prod(sizes), math.prod(subsizes))

    def array(self, tree: dict, child: Type, elements: int, mine: int) -> Type:
        whole = self.placed(tree, child, [0], [elements])
        whole.size = child.size * mine
        whole.lb, whole.extent = 0, elements * child.extent
        return whole

    def darray(self, child: Type) -> Type:
        dims = self.random.randint(1, 3)
        psizes = [self.random.randint(1, 3) for _ in range(dims)]
        gsizes = [self.random.randint(p, 9) for p in psizes]
        distribs, dargs = [], []
        for i in range(dims):
            kind = self.random.choice(["block", "cyclic", "none"])
            if kind == "none":
                psizes[i] = 1
            least = -(-gsizes[i] // psizes[i]) if kind == "block" else 1
            distribs.append(kind)
            dargs.append(None if kind == "none" or self.chance(0.5) else
                         self.random.randint(least, least + 2))
        processes = math.prod(psizes)
        tree = {"k": "darray", "nprocs": processes,
                "rank": self.random.randrange(processes), "gsizes": gsizes,
                "distribs": distribs, "dargs": dargs, "psizes": psizes,
                "order": self.random.choice("CF"), "of": child.tree}
        return self.array(tree, child, math.prod(gsizes), math.prod(gsizes))

    def resized(self, child: Type) -> Type:
        reach = child.high - child.low
        extent = reach + self.random.choice([0, 0, 4, 8, 24])
        lb = self.random.choice([child.lb, 0, child.low])
        if self.wild and self.chance(0.4):
            extent = self.random.choice([-extent, extent // 2, 0])
            lb = self.random.randint(-16, 16)
        tree = {"k": "resized", "new_lb": lb, "new_extent": extent,
                "of": child.tree}
        return Type(tree, child.size, child.low, child.high, lb, extent)

    def dup(self, child: Type) -> Type:
        return Type({"k": "dup", "of": child.tree}, child.size, child.low,
                    child.high, child.lb, child.extent)


def case(seed: int) -> dict:
    generator = Generator(seed)
    made = generator.make(generator.random.randint(1, MAX_DEPTH))
    count = 1
    if generator.chance(0.3) and made.size * 3 <= MAX_BYTES:
        count = generator.random.randint(2, 3)
    return {"spinc_ddt": 1, "name": f"seed-{seed}", "count": count,
            "type": made.tree}


def main() -> int:
    first, count = (int(word) for word in sys.argv[1:])
    for seed in range(first, first + count):
        print(json.dumps(case(seed), separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
