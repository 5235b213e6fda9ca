"""Writes a capture of interleaved portals messages and what they carry.

interleaved.py <out.pcap> <messages> <packets> <bytes> [<expected>]

Each message has so many packets of so many payload bytes. First come the
first packets of all messages, then the second ones, and so on. Message i has
source i + 1, hdr_data at its place among all payloads, and payload bytes
16 * i + packet + 1. <expected> gets all payloads, message after message."""

import struct
import sys

MACS = bytes.fromhex("020000000001") + bytes.fromhex("020000000002")
MATCH_BITS = 10


def packet(message, number, packets, size):
    last = 1 if number == packets - 1 else 0
    header = struct.pack("<QQIIIHBB", MATCH_BITS, message * packets * size,
                         packets * size, number * size, message + 1,
                         message & 0xFFFF, 1, last)
    return header + payload(message, number, size)


def payload(message, number, size):
    return bytes([(16 * message + number + 1) & 255]) * size


def main():
    path, *rest = sys.argv[1:]
    messages, packets, size = (int(word) for word in rest[:3])
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for number in range(packets):
            for message in range(messages):
                frame = MACS + b"\x88\xb5" + packet(message, number, packets,
                                                    size)
                file.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)))
                file.write(frame)
    if len(rest) > 3:
        with open(rest[3], "wb") as file:
            for message in range(messages):
                for number in range(packets):
                    file.write(payload(message, number, size))


if __name__ == "__main__":
    main()
