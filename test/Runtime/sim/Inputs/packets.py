"""Writes a capture: packets.py <out.pcap> [ip|ethernet|portals] <sizes...>.

Packets are IPv4/UDP of the given sizes from the IP header on, filled with the
packet's number; `ethernet` puts a frame around them. `portals` makes one
message of put packets with the given payload sizes in Ethernet frames;
`short` one that claims to be 150 bytes shorter than its packets."""

import struct
import sys

LINK_ETHERNET, LINK_RAW = 1, 101
MACS = bytes.fromhex("020000000001") + bytes.fromhex("020000000002")


def ip_packet(size, number):
    header = struct.pack(">BBHHHBBH4s4sHHHH", 0x45, 0, size, number, 0, 64, 17,
                         0, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]), 4000,
                         9330, size - 20, 0)
    return (header + bytes([number & 255]) * size)[:size]


def portals_packets(sizes, missing=0):
    total, offset = sum(sizes) - missing, 0
    for number, size in enumerate(sizes):
        flags = 1 if number == len(sizes) - 1 else 0
        header = struct.pack("<QQIIIHBB", 10, 0x1122334455667788, total,
                             offset, 7, 3, 1, flags)
        yield header + bytes([number + 1]) * size
        offset += size


def main():
    path, kind, *sizes = sys.argv[1:]
    sizes = [int(size) for size in sizes]
    portals = kind in ("portals", "short")
    packets = list(portals_packets(
        sizes, 150 if kind == "short" else 0)) if portals else [
        ip_packet(size, number) for number, size in enumerate(sizes)]
    if kind != "ip":
        ethertype = b"\x88\xb5" if portals else b"\x08\x00"
        packets = [MACS + ethertype + packet for packet in packets]
    with open(path, "wb") as file:
        link = LINK_RAW if kind == "ip" else LINK_ETHERNET
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535,
                               link))
        for packet in packets:
            file.write(struct.pack("<IIII", 0, 0, len(packet), len(packet)))
            file.write(packet)


if __name__ == "__main__":
    main()
