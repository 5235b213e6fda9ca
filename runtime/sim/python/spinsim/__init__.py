"""The simulator of a PsPIN card in Python.

    import spinsim
    sim = spinsim.Sim("udp_echo.elf", preset="pspin")
    sim.install()
    sim.generate(packets=1000, size="64..1500", destination_port=53)
    sim.run()
    print(sim.report()["rate"], [o["bytes"] for o in sim.outputs()][:1])

Times are cycles of the card's clock; errors are SimError. `spinsim.sweep` runs
many such simulations at once, on this machine or a Dask cluster.
"""

import json
import os

from . import native
from .native import SimError
from .sweeps import Table, simulate, sweep

__all__ = ["Sim", "SimError", "Table", "simulate", "sweep", "toml"]


def toml(tables):
    """The text of {"table": {"key": value}}; lists become [[table]]."""
    def value(v):
        if isinstance(v, bool):
            return "true" if v else "false"
        return json.dumps(v)

    lines = [f"{key} = {value(v)}" for key, v in tables.items()
             if not isinstance(v, (dict, list))]
    for name, content in tables.items():
        if isinstance(content, (dict, list)):
            several = isinstance(content, list)
            for table in content if several else [content]:
                lines.append(f"[[{name}]]" if several else f"[{name}]")
                lines += [f"{key} = {value(v)}" for key, v in table.items()]
    return "\n".join(lines) + "\n"


class Sim:
    """A card with one image.

    `config` is the machine as TOML text or as {"machine": {"clusters": 2}}, over
    `preset`. Options: contention, packets_per_message, interpret_only,
    check_accesses, and the callbacks on_handler(dict), on_event(dict) and
    on_host_write(context, offset, size, cycle).
    """

    def __init__(self, image, preset="pspin", config="", **options):
        text = config if isinstance(config, str) else toml(config)
        self._native = native.Sim(preset, text, options)
        if isinstance(image, (str, os.PathLike)):
            with open(image, "rb") as file:
                image = file.read()
        self._native.load(bytes(image))

    @property
    def contexts(self):
        return self._native.contexts()

    @property
    def mtu(self):
        """Largest packet that the image takes."""
        return self._native.mtu()

    @property
    def machine(self):
        """The machine as TOML."""
        return self._native.machine()

    def install(self, context=None, host_size=1 << 20, **params):
        """Installs a context, or all of them, with these parameters."""
        for name in [context] if context else self.contexts:
            self._native.install(name, params, host_size)

    def host(self, context=None):
        """The memory of a context's host region, to read and to write."""
        return self._native.host(context or self.contexts[0])

    def inject(self, packet, link="ethernet", arrival=None):
        """Queues a packet; `link` says where its bytes begin: ethernet, ip or
        portals. It arrives at cycle `arrival`, or after the one before."""
        self._native.inject(bytes(packet), link, arrival)

    def generate(self, *streams, **stream):
        """Makes packets: keys of [[traffic]], or dicts of them."""
        tables = list(streams) + ([stream] if stream else [])
        self._native.generate(toml({"traffic": tables}))

    def run(self):
        """Runs until nothing is left to do."""
        self._native.run(None)

    def step(self, until):
        """Runs up to a cycle; whether nothing is left to do."""
        return self._native.run(until)

    def outputs(self):
        """What the card has sent since the last call: a list of dicts."""
        return self._native.outputs()

    def report(self):
        """All counts, as `spinc-sim --json` writes them."""
        return json.loads(self._native.report())

    def read(self, address, size):
        return self._native.read(address, size)

    def write(self, address, data):
        self._native.write(address, bytes(data))

    def state(self, name, context=None, cluster=0):
        """The bytes of a field of the program's state."""
        return self.read(*self._native.find_state(
            context or self.contexts[0], name, cluster))
