"""Writes the captures that the examples and tests run on, besides the two
real ones that lie here. Seeded: the same output on every machine.

Sizes are those of the packet as a handler sees it: from the IP header on, or
from the 32-byte message header on. The Ethernet header is in front of that.
"""

import argparse
import random
import struct
from pathlib import Path

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapReader, RawPcapWriter

HERE = Path(__file__).resolve().parent
MTU = 1500
SIZES = [64, 128, 256, 512, 1024, MTU]
CLIENT, CARD = "10.0.0.1", "10.0.0.2"
CLIENT_MAC, CARD_MAC = "02:00:00:00:00:01", "02:00:00:00:00:02"
IP_UDP_BYTES = 28

PORTALS_ETHERTYPE = 0x88B5
PORTALS_HEADER = struct.Struct("<QQIIIHBB")
PORTALS_PUT, PORTALS_EOM = 1, 1
DNS_PORT, SFLOW_PORT, HISTOGRAM_PORT = 53, 6343, 9330
PING_PONG_BITS = 10


def write(path: Path, frames: list[bytes], wire_lengths=None) -> None:
    """One capture; a packet each 10 µs from a fixed date on."""
    with RawPcapWriter(str(path), linktype=1, sync=True) as pcap:
        pcap.write_header(None)
        for number, frame in enumerate(frames):
            wire = wire_lengths[number] if wire_lengths else len(frame)
            pcap.write_packet(
                frame, sec=1_700_000_000, usec=10 * number,
                caplen=len(frame), wirelen=wire,
            )


def read(path: Path) -> list[bytes]:
    return [frame for frame, _ in RawPcapReader(str(path))]


# --- UDP ---------------------------------------------------------------------


def udp(port: int, payload: bytes, source_port: int = 40000, **ip) -> bytes:
    return bytes(
        Ether(src=CLIENT_MAC, dst=CARD_MAC)
        / IP(src=CLIENT, dst=CARD, **ip)
        / UDP(sport=source_port, dport=port)
        / payload
    )


def udp_payload(rng: random.Random, size: int) -> bytes:
    """Little-endian words, every second one below 1024."""
    words = [
        rng.randrange(1024) if i % 2 == 0 else rng.randrange(1 << 32)
        for i in range(size // 4 + 1)
    ]
    return struct.pack(f"<{len(words)}I", *words)[:size]


def udp_of_size(rng: random.Random, port: int, size: int, **ip) -> bytes:
    return udp(port, udp_payload(rng, size - IP_UDP_BYTES), **ip)


def udp_sizes(rng: random.Random, port: int, copies: int) -> list[bytes]:
    return [
        udp_of_size(rng, port, size) for size in SIZES for _ in range(copies)
    ]


def patch(frame: bytes, offset: int, value: bytes) -> bytes:
    return frame[:offset] + value + frame[offset + len(value):]


def udp_damaged(rng: random.Random, port: int) -> list[bytes]:
    """Every way in which lengths lie; each must leave the card sane."""
    whole = udp_of_size(rng, port, 256)
    ip, udp_header = 14, 34
    frames = [
        whole,
        whole[:-100],                               # cut in the payload
        whole[: udp_header + 8],                    # cut after the headers
        whole[: udp_header + 4],                    # cut in the UDP header
        whole[: udp_header + 2],                    # no destination port
        whole[: ip + 10],                           # cut in the IP header
        whole[:ip],                                 # no IP header
        whole[:6],                                  # no Ethernet header
        patch(whole, ip + 2, b"\xff\xff"),          # IP length: too large
        patch(whole, ip + 2, b"\x00\x00"),          # IP length: zero
        patch(whole, udp_header + 4, b"\xff\xff"),  # UDP length: too large
        patch(whole, udp_header + 4, b"\x00\x00"),  # UDP length: zero
        patch(whole, ip, b"\x4f"),                  # header length: 60 bytes
        patch(whole, ip, b"\x40"),                  # header length: 0 bytes
        patch(whole, ip, b"\x65"),                  # version 6
        patch(whole, ip + 9, b"\x06"),              # protocol: TCP
        patch(whole, 12, b"\x86\xdd"),              # EtherType: IPv6
        udp(port, b""),                             # empty payload
        udp(port, b"\x01"),                         # payload below a word
        udp(port, b"\x01\x00\x00\x00\x02"),         # a word and a rest
        udp_of_size(rng, port, MTU),                # largest
        udp_of_size(rng, port, MTU - 1),
        udp_of_size(rng, port + 1, 256),            # not for this handler
        udp_of_size(rng, port, 256),
    ]
    return frames


def histogram_real() -> list[bytes]:
    """sflow.pcap with the destination port of each datagram changed, as the
    program matches another port than sFlow's. The checksum follows by the
    incremental rule of RFC 1624; zero (no checksum) stays zero."""
    frames = []
    for frame in read(HERE / "sflow.pcap"):
        (checksum,) = struct.unpack_from(">H", frame, 40)
        if checksum:
            total = (~checksum & 0xFFFF) + (~SFLOW_PORT & 0xFFFF) + HISTOGRAM_PORT
            while total >> 16:
                total = (total & 0xFFFF) + (total >> 16)
            checksum = (~total & 0xFFFF) or 0xFFFF
        frame = patch(frame, 36, struct.pack(">H", HISTOGRAM_PORT))
        frames.append(patch(frame, 40, struct.pack(">H", checksum)))
    return frames


# --- Messages ----------------------------------------------------------------


def portals(payload: bytes, *, bits: int, length: int, offset: int,
            source: int = 7, message: int = 0, last: bool = True,
            hdr_data: int = 0) -> bytes:
    header = PORTALS_HEADER.pack(
        bits, hdr_data, length, offset, source, message, PORTALS_PUT,
        PORTALS_EOM if last else 0,
    )
    ethernet = bytes(Ether(src=CLIENT_MAC, dst=CARD_MAC, type=PORTALS_ETHERTYPE))
    return ethernet + header + payload


def portals_message(pieces: list[bytes], **fields) -> list[bytes]:
    """One message; a packet for each piece, in order."""
    length, offset, frames = sum(map(len, pieces)), 0, []
    for number, piece in enumerate(pieces):
        frames.append(portals(
            piece, length=length, offset=offset,
            last=number == len(pieces) - 1, **fields,
        ))
        offset += len(piece)
    return frames


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[i : i + size] for i in range(0, len(data), size)]


def sflow_payloads() -> list[bytes]:
    return [frame[42:] for frame in read(HERE / "sflow.pcap")]


def strided_sizes(rng: random.Random) -> list[bytes]:
    """One message of eight packets of each size, the small ones first."""
    payloads = [size - PORTALS_HEADER.size for size in SIZES for _ in range(8)]
    return portals_message([rng.randbytes(n) for n in payloads], bits=0)


def portals_sizes(rng: random.Random, bits: int) -> list[bytes]:
    """A message of eight packets for each size of packet."""
    frames = []
    for number, size in enumerate(SIZES):
        payload = size - PORTALS_HEADER.size
        data = rng.randbytes(8 * payload)
        frames += portals_message(
            cut(data, payload), bits=bits, message=number)
    return frames


def portals_damaged(rng: random.Random, bits: int) -> list[bytes]:
    """A message each: what is wrong with one does not reach the next. Those
    that are delivered in part or whole have an offset of their own."""
    data = rng.randbytes(256)
    largest = MTU - PORTALS_HEADER.size
    fields = {"bits": bits, "length": 256}
    whole = portals(data, offset=0, message=1, **fields)
    return [
        whole,
        portals(data[:100], offset=256, message=2, **fields),    # cut
        portals(b"", bits=bits, length=0, offset=512, message=3),
        portals(data[:1], bits=bits, length=1, offset=513, message=4),
        portals(data, offset=0xFFFFFF00, message=5, **fields),   # sum wraps
        portals(data, offset=0xFFFFFFFF, message=6, **fields),
        portals(data, offset=0x7FFFFFFF, message=7, **fields),
        portals(data, bits=bits, length=0, offset=768, message=8),
        portals(data, bits=bits, length=0xFFFFFFFF, offset=1025, message=9),
        whole[: 14 + 31],                            # cut in the header
        whole[: 14 + 4],                             # cut in the match bits
        portals(data, bits=bits + 1, length=256, offset=2000, message=12),
        portals(rng.randbytes(largest), bits=bits, length=largest,
                offset=3001, message=13),
        portals(data, offset=5003, message=14, **fields),
        portals(data, offset=65536 - 256, message=15, **fields),  # just fits
        portals(data, offset=65536 - 255, message=16, **fields),  # just not
    ]


def shuffled(rng: random.Random, frames: list[bytes]) -> list[bytes]:
    """First and last packet stay; the others come in any order."""
    middle = frames[1:-1]
    rng.shuffle(middle)
    return [frames[0], *middle, frames[-1]]


def captures() -> dict[str, list[bytes]]:
    def rng(name: str) -> random.Random:
        return random.Random(f"spinc {name}")

    data = rng("strided").randbytes(40_000)
    return {
        "udp_echo_sizes": udp_sizes(rng("echo"), DNS_PORT, 8),
        "udp_echo_damaged": udp_damaged(rng("echo damaged"), DNS_PORT),
        "histogram_real": histogram_real(),
        "histogram_sizes": udp_sizes(rng("histogram"), HISTOGRAM_PORT, 8),
        "histogram_damaged": udp_damaged(rng("damaged"), HISTOGRAM_PORT),
        "strided_real": portals_message(sflow_payloads(), bits=0),
        "strided_sizes": strided_sizes(rng("strided sizes")),
        "strided_shuffled": shuffled(
            rng("shuffle"), portals_message(cut(data, 1000), bits=0)),
        "strided_damaged": portals_damaged(rng("strided damaged"), 0),
        "ping_pong_real": [
            frame
            for number, payload in enumerate(sflow_payloads())
            for frame in portals_message(
                [payload], bits=PING_PONG_BITS, message=number)
        ],
        "ping_pong_sizes": portals_sizes(rng("ping pong"), PING_PONG_BITS),
        "ping_pong_damaged": portals_damaged(
            rng("ping pong damaged"), PING_PONG_BITS),
        "too_large": [udp_of_size(rng("large"), DNS_PORT, MTU + 1)],
        "empty": [],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name, frames in captures().items():
        write(options.out / f"{name}.pcap", frames)
    # Captured with a limit on the bytes kept of each packet (tcpdump -s).
    frames = udp_sizes(random.Random("spinc snap"), DNS_PORT, 1)
    write(options.out / "snapped.pcap", [f[:60] for f in frames],
          [len(f) for f in frames])


if __name__ == "__main__":
    main()
