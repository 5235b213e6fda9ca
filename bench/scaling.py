"""Makes handlers of a given number of lines, as long programs would be written:
guarded reads of headers and options, loops over the payload, state updates,
sub-slices, arithmetic. The same number and seed give the same program.

Each block is one of the shapes that handlers consist of and is provable; blocks
use what blocks before them left behind (lengths, cursors), so facts pile up as
they do in hand-written code.
"""

import random

HEAD = """import net.ipv4;

context Long {
  packet { Ipv4 ip; Udp udp; u8 payload[]; }
  match  { ip.protocol == PROTOCOL_UDP && udp.dst_port == 7 }
  state {
    param u32 limit where 16 <= limit && limit <= 1024;
    param u32 scale where 1 <= scale && scale <= 64;
    atomic u32 seen[256];
    atomic u32 sums[1024];
  }
  host out;
  contract out.size >= 65536;

  handler payload(packet p) {
    let data = p.payload;
    u32 cursor = 0;
    u32 sum = 0;
"""


def guarded_field(r, n):
    """An option at a fixed offset behind its guard."""
    at = r.randrange(0, 400, 4)
    return [
        f"if (p.length >= {at + 8}) {{",
        f"  let kind{n} = data[{at}];",
        f"  let size{n} = data[{at + 1}];",
        f"  if (size{n} >= 4 && {at} + size{n} <= p.length) {{",
        f"    let value{n} = data[{at} + size{n} - 1];",
        f"    state.seen[value{n}].fetch_add(kind{n});",
        "  }",
        "}",
    ]


def take_option(r, n):
    """One step of a parser: a length byte, then so many bytes."""
    return [
        f"require (cursor < p.length) else return DROP;",
        f"let length{n} = data[cursor];",
        f"require (length{n} >= 1 && cursor + length{n} <= p.length) "
        "else return DROP;",
        f"let option{n} = data[cursor ..+ length{n}];",
        f"sum = sum +% option{n}[0];",
        f"cursor = cursor + length{n};",
    ]


def payload_loop(r, n):
    """A checksum over a part of the payload."""
    first = r.randrange(0, 64)
    return [
        f"for (i : {first} ..< p.length) {{",
        f"  let byte{n} = data[i];",
        f"  sum = (sum *% {r.randrange(3, 99, 2)}) +% byte{n};",
        "}",
        "state.sums[sum & 1023].fetch_add(1);",
    ]


def word_loop(r, n):
    """Words of the payload into a table."""
    return [
        f"for (le32 word{n} : data as le32[]) {{",
        f"  if (word{n} < state.limit)",
        f"    state.sums[word{n}].fetch_add(1);",
        "}",
    ]


def sub_slices(r, n):
    """A record cut in two."""
    size = r.randrange(16, 200)
    cut = r.randrange(4, size)
    return [
        f"if (p.length >= {size}) {{",
        f"  let record{n} = data[0 ..< {size}];",
        f"  let head{n} = record{n}[0 ..< {cut}];",
        f"  let tail{n} = record{n}[{cut} ..< {size}];",
        f"  sum = sum +% head{n}[{cut - 1}] +% tail{n}[{size - cut - 1}];",
        f"  async dma_to_host(out[{r.randrange(0, 512) * 64} ..+ {size}], "
        f"record{n});",
        "}",
    ]


def arithmetic(r, n):
    """Scaling and hashing."""
    return [
        f"let scaled{n} = (sum & 0xffff) * state.scale;",
        f"let slot{n} = (scaled{n} / {r.randrange(3, 17)}) % 256;",
        f"state.seen[slot{n}].fetch_max(scaled{n});",
        f"if (slot{n} > {r.randrange(1, 200)}) sum = slot{n}; "
        f"else sum = scaled{n} >> {r.randrange(1, 8)};",
    ]


BLOCKS = [guarded_field, take_option, payload_loop, word_loop, sub_slices,
          arithmetic]


def program(lines: int, seed: int = 1) -> str:
    """A handler of about that many lines."""
    r = random.Random(seed)
    body, number = [], 0
    while len(body) < lines - 2:
        body += r.choice(BLOCKS)(r, number)
        number += 1
    text = "".join(f"    {line}\n" for line in body)
    return HEAD + text + "    return SUCCESS;\n  }\n}\n"
