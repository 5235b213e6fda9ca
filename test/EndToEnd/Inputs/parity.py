"""Messages for the parity node of printed_parity.test, and what it must leave.

parity.py write <in.pcap>            the messages
parity.py check <host> <out.pcap>    the strip and the answers after them

A message carries the client's number and then the delta, packet by packet in
any order. What lies at place m.offset + p.offset of the strip is the exclusive
or of what all messages have brought there."""

import random
import struct
import sys

MACS = bytes.fromhex("020000000001") + bytes.fromhex("020000000002")
MATCH_BITS, ANSWER_BITS = 53, 30
STRIP = 16384
LENGTHS = [4, 5, 64, 1468, 1469, 3000, 7777, 8192, 33, 4097]
PAYLOAD = 1468


def messages():
    source = random.Random(7)
    for number, length in enumerate(LENGTHS):
        client = 0x1000 + number
        data = struct.pack("<I", client) + source.randbytes(length - 4)
        starts = list(range(0, length, PAYLOAD))
        # The first packet of a message begins it; the others come as they come.
        rest = starts[1:]
        source.shuffle(rest)
        yield number, client, data, starts[:1] + rest


def frames():
    for number, _, data, starts in messages():
        for at in starts:
            part = data[at : at + PAYLOAD]
            last = 1 if at == starts[-1] else 0
            header = struct.pack("<QQIIIHBB", MATCH_BITS, 0, len(data), at,
                                 100 + number, number, 1, last)
            yield MACS + b"\x88\xb5" + header + part


def write(path):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for frame in frames():
            file.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)))
            file.write(frame)


def answers(path):
    with open(path, "rb") as file:
        data = file.read()
    at = 24
    while at < len(data):
        size = struct.unpack_from("<IIII", data, at)[2]
        frame = data[at + 16 : at + 16 + size]
        at += 16 + size
        bits, hdr_data = struct.unpack_from("<QQ", frame, 14)
        yield bits, hdr_data


def check(host, out):
    strip = bytearray(STRIP)
    for _, _, data, _ in messages():
        for place, byte in enumerate(data):
            strip[place] ^= byte
    with open(host, "rb") as file:
        assert file.read() == bytes(strip), "the strip is wrong"
    wanted = sorted((ANSWER_BITS, client) for _, client, _, _ in messages())
    assert sorted(answers(out)) == wanted, "the answers are wrong"


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](*sys.argv[2:])
