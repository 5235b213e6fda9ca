"""Makes the packet of functions.spinc, and says what its results should be.

usage: functions.py PCAP | functions.py --compare MEMORY
"""

import struct
import sys
import zlib

A, B = 0x9ABCDEF1, 0x00012345
PAYLOAD = struct.pack("<II", A, B) + b"spinc handlers!"
ONES = 0xFFFFFFFF


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def fnv(data):
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & ONES
    return value


def one_at_a_time(data):
    value = 0
    for byte in data:
        value = value + byte & ONES
        value = value + (value << 10) & ONES
        value ^= value >> 6
    value = value + (value << 3) & ONES
    value ^= value >> 11
    return value + (value << 15) & ONES


def mix(value):
    value = (value ^ value >> 16) * 0x7FEB352D & ONES
    value = (value ^ value >> 15) * 0x846CA68B & ONES
    return value ^ value >> 16


def xorshift(value):
    value ^= value << 13 & ONES
    value ^= value >> 17
    return value ^ (value << 5 & ONES)


def update(old_sum, old, fresh):
    total = (old_sum ^ 0xFFFF) + (old ^ 0xFFFF) + fresh
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def rotate(value, amount):
    amount &= 31
    return (value << amount | value >> (32 - amount)) & ONES


def expected():
    low = A & 0xFFFF
    return [
        checksum(PAYLOAD),
        zlib.crc32(PAYLOAD),
        fnv(PAYLOAD),
        one_at_a_time(PAYLOAD),
        mix(A),
        mix((A * 0x9E3779B1 & ONES) ^ B),
        (A * 0x9E3779B1 & ONES) >> 22,
        xorshift(A),
        int(A & (A - 1) == 0),
        rotate(A, B),
        bin(A).count("1"),
        32 - A.bit_length(),
        A >> (B & 31) & 1,
        int.from_bytes(A.to_bytes(4, "little"), "big"),
        A * B >> 16 & ONES,
        A - (A - B >> 3),
        low // 12 * 100 + low % 12,
        12 - low % 12,
        A - A % 12,
        update(low, A >> 16, B & 0xFFFF),
        update(update(low, A >> 16, B >> 16), low, B & 0xFFFF),
    ]


def write_capture(path):
    header = struct.pack("<QQIIIHBB", 5, 0, len(PAYLOAD), 0, 3, 1, 1, 1)
    frame = b"\x02" * 12 + b"\x88\xb5" + header + PAYLOAD
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        out.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)


def compare(path):
    with open(path, "rb") as memory:
        found = struct.unpack("<32Q", memory.read(256))
    for index, wanted in enumerate(expected()):
        if found[index] != wanted:
            sys.exit(f"result {index}: {found[index]:#x}, expected {wanted:#x}")


if sys.argv[1] == "--compare":
    compare(sys.argv[2])
else:
    write_capture(sys.argv[1])
