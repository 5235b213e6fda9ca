# How lit finds and runs the tests. Tests mirror the source tree; each names
# the tools it runs by plain name, and those come from this build and from
# LLVM 22 only, so a tool that was not built fails its tests.

import os
import re

import lit.formats
import lit.util

config.name = "spinc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".spinc", ".mlir", ".test"]
config.excludes = ["Inputs", "lit.cfg.py", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.spinc_obj_root, "test")

bin_dir = os.path.join(config.spinc_obj_root, "bin")
lib_dir = os.path.join(config.spinc_obj_root, "lib")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, "/usr/local/bin", "/usr/bin", "/bin"]
)
# LLVM's arenas poison memory in our instrumented code only, and the packaged
# libLLVM does not know; leaks at exit are its business too.
config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
# Tests may run as root, and with more ranks than there are cores.
config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
config.environment["OMPI_MCA_rmaps_base_oversubscribe"] = "1"


def substitute_tool(name, path):
    """Replaces `name` where it stands alone, not within a path or a word."""
    pattern = r"(?<![\w./%=-])" + re.escape(name) + r"(?![\w./-])"
    config.substitutions.append((pattern, path))


# Host programs link the simulator, so with a sanitizer they need it as well,
# from the compiler that made the simulator.
build_example = " ".join(
    [config.python, os.path.join(config.spinc_src_root, "scripts/images.py"),
     "build", "--build", config.spinc_obj_root]
    + (["--cc", config.host_cc, f"--extra={config.host_link_flags}"]
       if config.sanitize else [])
)

# Placeholders come first: the text they stand for is then safe from the
# tool names, which never match inside a path.
config.substitutions += [
    ("%examples", os.path.join(config.spinc_src_root, "examples")),
    ("%captures", os.path.join(config.spinc_obj_root, "captures")),
    ("%stdlib", os.path.join(config.spinc_src_root, "stdlib")),
    ("%scripts", os.path.join(config.spinc_src_root, "scripts")),
    ("%src_root", config.spinc_src_root),
    ("%bin_dir", bin_dir),
    ("%lib_dir", lib_dir),
    ("%unit", os.path.join(config.spinc_obj_root, "test", "unit", "bin")),
    ("%python", config.python),
    ("%build_example", build_example),
    ("%host_cc", config.host_cc),
    ("%host_lib", f"-L{lib_dir} -Wl,-rpath,{lib_dir} -lSpinHost"),
    ("%host_link_flags", config.host_link_flags),
]

for tool in ["spinc", "spinc-opt", "spinc-sim", "spinc-wcet", "spinc-objdump",
             "spinc-ddt", "spinc-ddt-import", "spinc-fuzz", "spinc-mutate",
             "parser-fuzzer", "mlir-fuzzer", "image-fuzzer"]:
    substitute_tool(tool, os.path.join(bin_dir, tool))
for tool in [
    "FileCheck",
    "split-file",
    "count",
    "clang-22",
    "llvm-readelf",
    "llvm-readobj",
    "llvm-objdump",
    "llvm-mc",
    "ld.lld",
    "mlir-opt",
]:
    substitute_tool(tool, os.path.join(config.llvm_tools_dir, tool))
# `not` is a word of English too: lit's own shell and PATH find it.

# A hanging tool fails its test. lit needs psutil for this, which the
# project's own Python environment has.
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = config.test_timeout

# Tests of an MPI library that is not installed are unsupported; CMake has said
# what to install. With sanitizers all of them are: the libraries replace malloc
# and preload into their daemons, which the address sanitizer does not survive.
if not config.sanitize:
    config.available_features.update(filter(None, config.mpis))
config.available_features.add("sanitize" if config.sanitize else "no-sanitize")
