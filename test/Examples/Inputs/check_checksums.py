"""Counts the UDP packets of a capture, those to its most frequent low port,
and the wrong IP and UDP checksums."""

import sys
from collections import Counter

from scapy.layers.inet import IP, UDP
from scapy.utils import PcapReader


def wrong(packet) -> bool:
    """Compares with what scapy computes when the fields are left out."""
    ip = packet[IP]
    fresh = ip.copy()
    del fresh[IP].chksum
    del fresh[UDP].chksum
    fresh = IP(bytes(fresh))
    udp_sum = ip[UDP].chksum
    return ip.chksum != fresh.chksum or (
        udp_sum != 0 and udp_sum != fresh[UDP].chksum
    )


packets = [p for p in PcapReader(sys.argv[1]) if UDP in p]
ports = Counter(p[UDP].dport for p in packets if p[UDP].dport < 40000)
port, count = ports.most_common(1)[0]
bad = sum(wrong(p) for p in packets)
print(f"{len(packets)} packets, {count} to port {port}, {bad} wrong checksums")
