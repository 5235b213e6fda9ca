#!/usr/bin/env python3
"""Runs the cases that a program lists about itself, at several levels.

A case is a comment of the program: the bytes of one payload in hexadecimal
(`*N` repeats the byte before it N times in all), and after `->` the numbers
that the handler notifies into its host region, eight bytes each, or the code
with which it ends; and behind `sends` the packets that it sends, if that is
asked.

    // case 01 02 00*8 -> 3 0xff
    // case -> drop
    // case 01 02 -> 3 sends 01 0102

The payload is that of a UDP packet to port 7. Bytes before `|` are the headers
instead, as they are.

What comes out must be that, without a fault, and the run must not take longer
than the bound in the image.

usage: run_cases.py BIN_DIR PROGRAM [LEVEL …]
"""
import json
import re
import struct
import sys
import tempfile
from pathlib import Path

from tools import Failure, Runner, bound, capture

HEADER = bytearray(28)
HEADER[0], HEADER[9], HEADER[22:24] = 0x45, 17, b"\0\7"
LINKS = {"ip": 101, "ethernet": 1}
CODES = {"drop": "dropped", "fail": "failed"}


def parse(text):
    """Headers and payload."""
    headers, bar, rest = text.rpartition("|")
    return (octets(headers) if bar else HEADER), octets(rest)


def octets(text):
    data = bytearray()
    for word in text.split():
        byte, _, times = word.partition("*")
        data += bytes([int(byte, 16)]) * int(times or 1)
    return data


def cases(source):
    for line in re.findall(r"^\s*// case(.*)$", source, re.MULTILINE):
        before, _, after = line.partition("->")
        numbers, asked, packets = after.partition("sends")
        yield (line.strip(), *parse(before), numbers.split(),
               packets.split() if asked else None)


def packets_of(path):
    """What a capture holds, in hexadecimal."""
    data, at, found = path.read_bytes(), 24, []
    while at < len(data):
        size = struct.unpack_from("<I", data, at + 8)[0]
        found.append(data[at + 16:at + 16 + size].hex())
        at += 16 + size
    return found


class Cases(Runner):
    def compile(self, program, level):
        code, text = self.call("spinc", level, f"-I{program.parent}", program,
                               "-o", "a.elf")
        if code:
            raise Failure(f"spinc exits with {code}: {text}")
        self.read_bounds()

    def read_bounds(self):
        elf = (self.folder / "a.elf").read_bytes()
        start = elf.index(b'{"contexts"')
        context = json.JSONDecoder().raw_decode(
            elf[start:].decode(errors="replace"))[0]["contexts"][0]
        self.link = LINKS[context["link"]]
        self.handler = next(h for h in context["handlers"]
                            if h["kind"] == "payload")

    def payload_run(self, data):
        """What the payload handler did with the packet, within its bound."""
        report = json.loads((self.folder / "o.json").read_text())
        run = next(r for r in report["handlers"] if r["kind"] == "payload")
        most = min(bound(self.handler, {"p.length": len(data)}),
                   self.handler["bound"]["worst"])
        if run["cycles"]["max"] > most:
            raise Failure(f"{run['cycles']['max']} cycles, bound {most}")
        return run

    def check_case(self, headers, data, expected, packets):
        """What differs, or None."""
        capture(self.folder / "a.pcap", [headers + data], self.link)
        code, text = self.call(
            "spinc-sim", "a.elf", "--pcap=a.pcap", "--json=o.json",
            "--host-size=4096", "--host-out=h.bin", "--out=sent.pcap",
            "--max-cycles=10000000")
        if code:
            return f"spinc-sim exits with {code}: {text}"
        run = self.payload_run(data)
        sent = packets_of(self.folder / "sent.pcap")
        if packets is not None and sent != packets:
            return f"sent {sent}"
        if expected[0] in CODES:
            return None if run[CODES[expected[0]]] == 1 else f"got {run}"
        words = [int(word, 0) % 2**64 for word in expected]
        found = struct.unpack_from(f"<{len(words)}Q",
                                   (self.folder / "h.bin").read_bytes())
        if run["succeeded"] != 1:
            return f"got {run}"
        return None if list(found) == words else f"got {list(found)}"


def main():
    program = Path(sys.argv[2]).resolve()
    levels = sys.argv[3:] or ["-O0", "-O2"]
    listed = list(cases(program.read_text()))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Cases(sys.argv[1], folder)
        for level in levels:
            runner.compile(program, level)
            for line, *case in listed:
                problem = runner.check_case(*case)
                if problem:
                    failures += 1
                    print(f"{level} case {line}: {problem}")
    print(f"{len(listed)} cases at {len(levels)} levels, {failures} failed")
    return 1 if failures or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
