"""The address of the client, behind proxies and without."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

Address = IPv4Address | IPv6Address


def client_address(request: HttpRequest) -> str:
    """The right-most address of X-Forwarded-For that is no proxy of TRUSTED_PROXIES; without one the sender's own.

    Each proxy writes on the right whom it heard from. What stands left of the first address that nobody vouches for
    may be anybody's invention.
    """
    sender = str(request.META.get("REMOTE_ADDR", ""))
    hops = request.headers.get("X-Forwarded-For", "").split(",")
    address = parse_address(sender)
    while hops and address and is_trusted(address):
        hop = parse_address(hops.pop())
        if hop is None:
            break
        address = hop
    return str(address or sender)


def network_of(address: str) -> str:
    """One sender has this network to itself: an IPv4 address, and of IPv6 the 64 bits that a line is given."""
    parsed = parse_address(address)
    return str(ip_network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address


def parse_address(text: str) -> Address | None:
    """Also with a port, in brackets, and IPv4 as IPv6 has it."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_trusted(address: Address) -> bool:
    return any(address in network for network in settings.TRUSTED_PROXIES)
