"""Adds up result files of lit (and of lint.py, which writes the same form).

Ends with the line `N passed, N failed` alone. Exit status 1 if a test failed
or if none ran.
"""

import json
import sys

PASSING = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main() -> int:
    passed = failed = 0
    for path in sys.argv[1:]:
        try:
            with open(path, encoding="utf-8") as file:
                tests = json.load(file)["tests"]
        except (OSError, ValueError, KeyError) as error:
            print(f"no results in {path}: {error}", file=sys.stderr)
            failed += 1
            continue
        for test in tests:
            if test["code"] in PASSING:
                passed += 1
            elif test["code"] not in SKIPPED:
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
