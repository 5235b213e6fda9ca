"""Runs each example on its captures with both engines and compares all that
comes out: card_engines.py <examples> <captures> <folder>"""

import json
import os
import subprocess
import sys

PARAMETERS = {"strided": ["--set=Strided.block=64", "--set=Strided.stride=100",
                          "--set=Strided.count=1024"]}


def run(image, capture, name, folder, *options):
    paths = [os.path.join(folder, f"{name}.{kind}")
             for kind in ("json", "out", "host")]
    command = ["spinc-sim", image, "--pcap=" + capture, "--repeat=20",
               f"--json={paths[0]}", f"--out={paths[1]}",
               f"--host-out={paths[2]}", "--host-size=1048576", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1) or "spinc-sim: error" in done.stderr:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    found = [done.stdout, done.stderr]
    for path in paths:
        with open(path, "rb") as file:
            found.append(file.read())
    return found


def main():
    examples, captures, folder = sys.argv[1:]
    for name in ("histogram", "ping_pong", "strided", "udp_echo"):
        image = os.path.join(folder, name + ".elf")
        subprocess.run(["spinc", os.path.join(examples, name, name + ".spinc"),
                        "-o", image], check=True)
        with open(os.path.join(examples, name, "captures.txt")) as file:
            generated = [line.strip() for line in file if "/" not in line]
        packets = 0
        for each in filter(None, generated):
            capture = os.path.join(captures, each + ".pcap")
            options = PARAMETERS.get(name, [])
            simple = run(image, capture, name, folder, "--engine=simple",
                         *options)
            fast = run(image, capture, name, folder, "--engine=fast",
                       "--translate-after=3", *options)
            if simple != fast:
                raise SystemExit(f"{name}, {each}: the engines differ:\n"
                                 f"{simple[0]}\n{fast[0]}")
            packets += json.loads(fast[2])["packets"]
        print(f"{name} agrees on {packets} packets")


if __name__ == "__main__":
    main()
