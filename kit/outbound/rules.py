"""Rules by the names of hosts, beyond what their addresses say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from kit.errors import Denied, Invalid
from kit.outbound.addresses import Reach, find_inner, judge_address
from kit.outbound.targets import Target, normalize_host

CODE = "outbound_denied"


@dataclass(frozen=True)
class Rules:
    """allowed: if it names anything, nothing else is asked. denied: goes first, and may name networks.

    A name is that host alone; `*.example.com` is every host below it. private_hosts: of the operator, each a host or
    host:port, which may be private and then have any port that is named.
    """

    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    ports: tuple[int, ...] = (80, 443)
    private_hosts: tuple[str, ...] = ()

    def require_target(self, target: Target, *, first: Target) -> None:
        """first: the one that led here, which is the same but for redirects. Raises Denied."""
        if target.scheme == "http" and first.scheme == "https":
            raise Denied(f"{target.host} would be asked without encryption, so it is not asked.", code=CODE)
        if target.port not in self.ports and not self.names_port(target):
            raise Denied(f"Port {target.port} is not among those that may be asked.", code=CODE)
        if any(matches_host(pattern, target.host) for pattern in self.denied):
            raise Denied(f"{target.host} is on the list of hosts that are not asked.", code=CODE)
        if self.allowed and not any(matches_host(pattern, target.host) for pattern in self.allowed):
            raise Denied(f"{target.host} is not on the list of hosts that may be asked.", code=CODE)

    def require_addresses(self, target: Target, addresses: Iterable[str], *, first: Target) -> None:
        """One of several addresses that is not public is enough. Raises Denied, without the address: who gives a name
        is not told what it means in the network here."""
        may_be_private = self.names_host(target) and target.host == first.host
        for address in addresses:
            reach = judge_address(address)
            if reach is Reach.NEVER or (reach is Reach.PRIVATE and not may_be_private):
                raise Denied(f"{target.host} is not on the public internet, so it is not asked.", code=CODE)
            if any(find_inner(ip_address(address.partition("%")[0])) in network for network in self.list_networks()):
                raise Denied(f"{target.host} is on the list of hosts that are not asked.", code=CODE)

    def names_host(self, target: Target) -> bool:
        return target.host in self.private_hosts or self.names_port(target)

    def names_port(self, target: Target) -> bool:
        return f"{target.host}:{target.port}" in self.private_hosts

    def list_networks(self) -> Iterator[IPv4Network | IPv6Network]:
        return filter(None, map(parse_network, self.denied))


def matches_host(pattern: str, host: str) -> bool:
    return host == pattern or (pattern.startswith("*.") and host.endswith(pattern[1:]))


def parse_network(pattern: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(pattern, strict=False)
    except ValueError:
        return None


def normalize_pattern(text: str) -> str:
    """As hosts are compared: `*.Müller.example` is `*.xn--mller-kva.example`. Raises Invalid."""
    text = text.strip()
    if "/" in text:
        network = parse_network(text)
        if network is None:
            raise Invalid("Give a host, *.host, an IP address or a network such as 203.0.113.0/24, without https://.")
        return str(network)
    star = "*." if text.startswith("*.") else ""
    return star + normalize_host(text.removeprefix("*."))
