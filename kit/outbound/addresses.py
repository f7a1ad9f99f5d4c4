"""IP addresses that requests to the outside may reach (RFC 6890 and IANA's registries of special addresses)."""

from __future__ import annotations

from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address


class Reach(Enum):
    """PRIVATE is reached only where the operator has named the host, NEVER not even then."""

    PUBLIC = "public"
    PRIVATE = "private"
    NEVER = "never"


# Addresses of this machine, its neighbours and groups, and where clouds give away keys: 168.63.129.16 is Azure's,
# 100.100.100.200 Alibaba's, 192.0.0.192 Oracle's, fd00:ec2:: Amazon's and fd20:ce:: Google's.
_NEVER = (
    "0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32 100.100.100.200/32 "
    "fd00:ec2::/32 fd20:ce::/32"
)
_PRIVATE = (
    "10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 198.18.0.0/15 192.0.2.0/24 198.51.100.0/24 "
    "203.0.113.0/24 192.88.99.0/24 192.31.196.0/24 192.52.193.0/24 192.175.48.0/24 ::1/128 fc00::/7 2001:db8::/32 "
    "3fff::/20"
)
NEVER = tuple(map(ip_network, _NEVER.split()))
PRIVATE = tuple(map(ip_network, _PRIVATE.split()))
# IPv6 hands out these addresses alone; their first /23 is for protocols, Teredo's tunnels among them.
GLOBAL_UNICAST, PROTOCOLS = ip_network("2000::/3"), ip_network("2001::/23")
# An IPv4 address in the last bits, or behind the first ones.
MAPPED, TRANSLATED, TUNNELLED = ip_network("::ffff:0:0/96"), ip_network("64:ff9b::/96"), ip_network("2002::/16")


def judge_address(text: str) -> Reach:
    """Raises ValueError for what is no address."""
    address = find_inner(ip_address(text.partition("%")[0]))
    if any(address in network for network in NEVER):
        return Reach.NEVER
    if any(address in network for network in PRIVATE):
        return Reach.PRIVATE
    if isinstance(address, IPv6Address) and (address not in GLOBAL_UNICAST or address in PROTOCOLS):
        return Reach.NEVER
    return Reach.PUBLIC


def find_inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for: mapped, by NAT64 (RFC 6052) or by 6to4 (RFC 3056)."""
    if not isinstance(address, IPv6Address):
        return address
    if address in MAPPED or address in TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address in TUNNELLED:
        return IPv4Address(int(address) >> 80 & 0xFFFFFFFF)
    return address
