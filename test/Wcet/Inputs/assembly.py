"""Assembly text as the tests and benchmarks of cycle bounds generate it."""


class Assembly:
    """Lines of code with labels of its own."""

    def __init__(self, prefix="x"):
        self.prefix = prefix
        self.lines = []
        self.labels = 0

    def emit(self, text):
        self.lines.append("  " + text)

    def label(self):
        self.labels += 1
        return f".L{self.prefix}{self.labels}"

    def place(self, *labels):
        self.lines += [f"{label}:" for label in labels]

    def mark(self, number):
        """The marker of loop `number`: the next instruction is in its body."""
        self.place(f".Lmark{number}")
        self.lines += ['.pushsection .spin.loops,"",@progbits',
                       f".word .Lmark{number}, {number}", ".popsection"]


def loop_table(symbol, bounds):
    """Flow facts that bound marker i of the function by bounds[i]."""
    return {"handlers": [{"symbol": symbol}],
            "loops": [{"id": number, "handler": symbol, "line": 0,
                       "parent": -1, "bound": {"const": bound, "terms": []}}
                      for number, bound in enumerate(bounds)]}
