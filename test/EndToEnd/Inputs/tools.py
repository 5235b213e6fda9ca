"""What scripts that compile and run programs share: runs of the tools, captures
and bounds as the image's metadata holds them."""
import struct
import subprocess
from pathlib import Path

# Seconds for one run of a tool.
patience = 20


class Failure(Exception):
    """What is wrong with the compiler, the bound or the simulator."""


def capture(path, data, link=101):
    text = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for packet in data:
        text += struct.pack("<IIII", 0, 0, len(packet), len(packet)) + packet
    path.write_bytes(text)


def bound(handler, symbols):
    def count(c):
        return c["const"] + sum(
            t["coef"] * ((sum(a * symbols[s] for s, a in t["syms"].items())
                          + t["add"]) // t["div"]) for t in c["terms"])
    return max(count(c) for c in handler["bound"]["cycles"])


class Runner:
    def __init__(self, bin_dir, folder):
        self.bin, self.folder = Path(bin_dir), Path(folder)

    def call(self, tool, *arguments):
        done = subprocess.run([self.bin / tool, *arguments], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=patience)
        return done.returncode, done.stdout.decode(errors="replace")
