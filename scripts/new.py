"""./dev new KIND NAME: a skeleton in the right place, and its test.

  op PktFoo        dialect/Spin/IR: an op of the Packet group and its test
  pass FoldBar     dialect/Spin/Transforms: FoldBar.cpp, test fold_bar.mlir
  builtin crc32    a row for the builtin table and a test in test/Sema
  example name     examples/name with program, README, host program and test
  error E0299      docs/errors page and a rejecting test

Refuses to overwrite, and ends with what is left to do by hand.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def kebab(name: str) -> str:
    return snake(name).replace("_", "-")


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


OP_TD = """\
def Spin_{Name}Op : Spin_Op<"{snake}", []> {{
  let summary = "{words}";
  let description = [{{
    What it does, and what must hold.

    Example:

    ```mlir
    spin.{snake}
    ```
  }}];
  let arguments = (ins);
  let results = (outs);
  let assemblyFormat = "attr-dict";
}}
"""

OP_TEST = """\
// RUN: spinc-opt %s | spinc-opt | FileCheck %s
// RUN: spinc-opt %s --mlir-print-op-generic | spinc-opt | FileCheck %s

// CHECK-LABEL: func.func @{snake}
func.func @{snake}() {{
  // CHECK: spin.{snake}
  spin.{snake}
  return
}}
"""

PASS_TD = """\
def Spin{Name} : Pass<"spin-{kebab}", "::mlir::ModuleOp"> {{
  let summary = "{words}";
  let description = [{{
    What it does, when it runs, and what it leaves alone.
  }}];
}}
"""

PASS_CPP = """\
// spin-{kebab}: what it does. It may assume verified spin IR.
#include "dialect/Spin/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace spinc::spin {{
#define GEN_PASS_DEF_SPIN{NAME}
#include "dialect/Spin/Transforms/Passes.h.inc"

namespace {{
struct {Name} : impl::Spin{Name}Base<{Name}> {{
  void runOnOperation() override {{}}
}};
}} // namespace
}} // namespace spinc::spin
"""

PASS_TEST = """\
// RUN: spinc-opt --spin-{kebab} %s | FileCheck %s
// RUN: spinc-opt --spin-{kebab} --spin-{kebab} %s | FileCheck %s

// What the pass leaves alone.
// CHECK-LABEL: func.func @unchanged
func.func @unchanged() {{
  return
}}
"""

BUILTIN_TEST = """\
// RUN: spinc --emit=typed-ast %s | FileCheck %s

context C {{
  handler payload(packet p) {{
    {snake}();
    return SUCCESS;
  }}
}}

// CHECK: {snake}
"""

EXAMPLE_PROGRAM = """\
// What {Name} does for its user.
context {Name} {{
  handler payload(packet p) budget(cycles <= 20) {{
    return SUCCESS;
  }}
}}
"""

EXAMPLE_README = """\
# {snake}

What it does, and for whom.

## Run

    ./dev demo {snake}

## Expected

What the host program checks, and what it prints.
"""

EXAMPLE_HOST = """\
/* Runs {Name} on a capture and compares the result with what this program
 * computes from the same capture. */
#include "{snake}.h"

#include "../common/example.h"

static void check(example_run *run) {{
  if (spin_card_sent_count(run->card) != 0)
    example_differs(run, "a packet was sent");
}}

int main(int argc, char **argv) {{
  example_run run;
  const int status = example_begin(&run, argc, argv);
  if (status != 0)
    return status;
  const {Name}_setup setup = {{0}};
  if ({Name}_connect(&run.options, &setup, &run.card, &run.error) != SPIN_OK)
    return example_fail(&run);
  if (spin_card_run_capture(run.card, run.capture, &run.error) != SPIN_OK)
    return example_fail(&run);
  check(&run);
  return example_end(&run, "{snake}", "{Name}");
}}
"""

EXAMPLE_TEST = """\
# {snake} in the simulator against its oracle.
# RUN: %build_example {snake} --out %t
# RUN: %t/{snake} %captures/strided_sizes.pcap | FileCheck %s

# CHECK: "oracle":"pass"
"""

ERROR_PAGE = """\
# {Name}: what is wrong, in the words of the message

What it means, in a sentence.

## Fails

```spinc
context C {{
}}
```

## Fixed

```spinc
context C {{
}}
```
"""

ERROR_TEST = """\
// RUN: not spinc %s -o %t.elf 2>&1 | FileCheck %s

context C {{
}}

// CHECK: [{Name}]
"""

EXAMPLE_CAPTURES = "strided_sizes\n"

# For each kind: the pattern its name has, the files, and what is left to do.
KINDS = {
    "op": (
        r"[A-Z][A-Za-z0-9]*",
        {"test/Dialect/Spin/IR/{snake}.mlir": OP_TEST},
        "add this to the group's file in dialect/Spin/IR:\n\n" + OP_TD,
    ),
    "pass": (
        r"[A-Z][A-Za-z0-9]*",
        {
            "dialect/Spin/Transforms/{Name}.cpp": PASS_CPP,
            "test/Dialect/Spin/Transforms/{snake}.mlir": PASS_TEST,
        },
        "add {Name}.cpp to dialect/Spin/Transforms/CMakeLists.txt and this to "
        "Passes.td:\n\n" + PASS_TD,
    ),
    "builtin": (
        r"[a-z][a-z0-9_]*",
        {"test/Sema/builtin_{snake}.spinc": BUILTIN_TEST},
        "add a row to compiler/Sema/Builtins.def, its parameters to "
        "Builtins.cpp, and its lowering to compiler/IRGen\n",
    ),
    "example": (
        r"[a-z][a-z0-9_]*",
        {
            "examples/{snake}/{snake}.spinc": EXAMPLE_PROGRAM,
            "examples/{snake}/README.md": EXAMPLE_README,
            "examples/{snake}/host.c": EXAMPLE_HOST,
            "examples/{snake}/captures.txt": EXAMPLE_CAPTURES,
            "test/Examples/{snake}.test": EXAMPLE_TEST,
        },
        "list the captures it runs on in captures.txt; ./dev demo finds it\n",
    ),
    "error": (
        r"E[0-9]{4}",
        {
            "docs/errors/{Name}.md": ERROR_PAGE,
            "test/Syntax/reject/{lower}.spinc": ERROR_TEST,
        },
        "add a row to compiler/Diagnostics/Codes.def\n",
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="./dev new", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("name")
    options = parser.parse_args()
    pattern, files, rest = KINDS[options.kind]
    if not re.fullmatch(pattern, options.name):
        parser.error(f"the name of a new {options.kind} looks like {pattern}")
    name = options.name if options.name[0].isupper() else camel(options.name)
    words = {
        "Name": name,
        "NAME": name.upper(),
        "snake": snake(options.name),
        "kebab": kebab(options.name),
        "lower": options.name.lower(),
        "words": snake(options.name).replace("_", " "),
    }
    targets = {ROOT / path.format(**words): text for path, text in files.items()}
    for path in targets:
        if path.exists():
            print(f"dev new: error: {path.relative_to(ROOT)} exists already",
                  file=sys.stderr)
            return 1
    for path, text in targets.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(**words), encoding="utf-8")
        print(f"==> Wrote {path.relative_to(ROOT)}")
    print(f"==> Left to do: {rest.format(**words)}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
