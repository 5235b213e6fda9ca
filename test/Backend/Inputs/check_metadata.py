"""Prints the metadata of an image for FileCheck, with addresses compared to
the symbol table instead of printed."""

import json
import re
import sys

dump = open(sys.argv[1]).read()
meta = json.loads(re.search(r"\{.*\}", dump).group(0))
symbols = {}
for line in open(sys.argv[2]):
    fields = line.split()
    if len(fields) > 3 and re.fullmatch("[0-9a-f]{8}", fields[0]):
        symbols[fields[-1]] = int(fields[0], 16)

print(f"target {meta['target']}, program {meta['program']}, mtu {meta['mtu']}, "
      f"rate {meta['lineRate']}, hpus {meta['hpus']}")
for context in meta["contexts"]:
    name = context["name"]
    print(f"context {name}, link {context['link']}, "
          f"{context['headerBytes']} header bytes")
    for rule in context["match"]:
        print(f"match {rule['offset']}+{rule['width']} & {rule['mask']} in "
              f"{rule['min']}..{rule['max']} {rule['order']}")
    for field in context["state"]:
        there = symbols[f"{name}.{field['name']}"] - 0x1B000000
        where = "its symbol" if there == field["address"] else hex(there)
        print(f"state {field['name']} {field['type']}[{field['count']}] "
              f"{field['kind']} {'perCluster' if field['perCluster'] else ''} "
              f"at {where}")
    for param in context["params"]:
        print(f"param {param['name']} {param['type']} at {param['offset']}, "
              f"{len(param['where'])} condition")
    loaded = (symbols[f"{name}.params"] - symbols["__spin_params_start"]
              + symbols["__spin_params_load"])
    where = ("their load address" if loaded == context["paramsAddress"]
             else hex(loaded))
    print(f"parameters in L2 at {where}, {context['paramsSize']} bytes")
    for handler in context["handlers"]:
        print(f"{handler['kind']} {handler['symbol']} line {handler['line']}, "
              f"budget {handler['budget']['text']}")
        print(f"bound is a maximum of {len(handler['bound']['cycles'])}")
        for symbol, (low, high) in sorted(handler["symbols"].items(),
                                          reverse=True):
            print(f"{symbol} {low}..{high}")
for loop in meta["loops"]:
    print(f"loop {loop['id']} of {loop['handler']} line {loop['line']}")
