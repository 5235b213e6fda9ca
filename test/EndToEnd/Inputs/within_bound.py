"""within_bound.py <json> <image>: no handler took more active cycles than the
bound in the image's metadata."""

import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        handlers = json.load(file)["handlers"]
    with open(sys.argv[2], "rb") as file:
        image = file.read()
    begin = image.index(b'{"contexts"')
    meta, _ = json.JSONDecoder().raw_decode(
        image[begin:].split(b"\n")[0].decode("utf-8"))
    bounds = {
        handler["symbol"]: handler["bound"]["worst"]
        for context in meta["contexts"]
        for handler in context["handlers"]
    }
    for handler in handlers:
        worst, bound = handler["cycles"]["max"], bounds[handler["symbol"]]
        assert worst <= bound, (handler["symbol"], worst, bound)
        print(handler["symbol"], worst, "<=", bound)


if __name__ == "__main__":
    main()
