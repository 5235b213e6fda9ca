"""Prints a handler that takes so many options from a packet; after each EVERY
of them it reads once more from the same place behind a guard.

usage: PYTHONPATH=bench parser_rows.py OPTIONS EVERY
"""
import sys

import scaling


class SamePlace:
    """In place of random numbers."""

    def randrange(self, *_):
        return 272


def main():
    options, every = map(int, sys.argv[1:])
    body = []
    for number in range(options):
        body += scaling.take_option(None, number)
        if number % every == every - 1:
            body += scaling.guarded_field(SamePlace(), 1000 + number)
    text = "".join(f"    {line}\n" for line in body)
    print(scaling.HEAD + text + "    return SUCCESS;\n  }\n}")


main()
