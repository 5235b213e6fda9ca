"""Plain text tables: words to the left, numbers to the right."""


def render(header: list[str], rows: list[list[str]]) -> str:
    widths = [
        max(len(str(row[i])) for row in [header, *rows])
        for i in range(len(header))
    ]
    numeric = [
        bool(rows) and all(
            str(row[i]).replace(".", "").replace("-", "")
            .replace("/", "").replace(" ", "").replace("×", "").isdigit()
            or row[i] in ("", "-")
            for row in rows
        )
        for i in range(len(header))
    ]

    def line(row: list[str]) -> str:
        cells = [
            str(cell).rjust(width) if number else str(cell).ljust(width)
            for cell, width, number in zip(row, widths, numeric)
        ]
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([line(header), rule, *map(line, rows)])
