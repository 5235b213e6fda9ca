"""Makes an image for the card from assembly handlers and metadata.

card_image.py <out.elf> <handlers.s> <contexts.json>: links the device runtime
and the handlers with the image layout of the compiler and adds the metadata.
The JSON is a list of contexts; what they leave out has a default, and a
string "{symbol}" is replaced by the address that the linker gave.
"""

import json
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../../.."))
DEVICE = os.path.join(ROOT, "runtime", "device")
CC = ["clang-22", "--target=riscv32", "-march=rv32imac_zicsr_xcvalu_xcvmac",
      "-nostdlib", "-g", "-I", ROOT, "-I", os.path.dirname(__file__)]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def main():
    out, handlers, meta = sys.argv[1:4]
    script = out + ".ld"
    with open(script, "w") as file:
        file.write(run("clang-22", "-E", "-P", "-x", "assembler-with-cpp",
                       "-I", ROOT, os.path.join(DEVICE, "pspin.ld.in")))
    crt0, body = out + ".crt0.o", out + ".o"
    run(*CC, "-c", os.path.join(DEVICE, "crt0.S"), "-o", crt0)
    run(*CC, "-x", "assembler-with-cpp", "-c", handlers, "-o", body)
    run("ld.lld", "-T", script, crt0, body, "-o", out)
    names = re.findall(r"^([0-9a-f]+) . (\S+)$", run("llvm-nm", out), re.M)
    addresses = {name: int(address, 16) for address, name in names}
    with open(meta) as file:
        text = re.sub(r'"\{(\w+)\}"', lambda m: str(addresses[m.group(1)]),
                      file.read())
    defaults = {"link": "ip", "headerBytes": 28, "match": [],
                "portalsMatch": None, "state": [], "params": [],
                "paramsAddress": 0, "paramsSize": 0, "hosts": [],
                "contracts": []}
    contexts = [{**defaults, **context} for context in json.loads(text)]
    program = {"version": 1, "target": "pspin", "program": "test",
               "mtu": 1500, "lineRate": 400, "hpus": 32,
               "contexts": contexts, "loops": []}
    packed = out + ".meta"
    with open(packed, "w") as file:
        json.dump(program, file)
    run("llvm-objcopy", "--add-section", ".spin.meta=" + packed, out)


if __name__ == "__main__":
    main()
