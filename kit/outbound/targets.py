"""A URL taken apart once. What is judged, looked up, connected to and named in the request are the same parts."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import idna

from kit.errors import Invalid

PORTS = {"http": 80, "https": 443}
MAX_URL_CHARACTERS = 2000
UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\\ud800-\udfff]")
NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
KEPT = "/%:@!$&'()*+,;=~-._?[]"


class Target(NamedTuple):
    """host: in lower case, as DNS has it; an IPv6 address without brackets. path: with what is asked for."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Without the path, which may hold a secret."""
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        return f"{self.origin}{self.path}"


def parse_target(url: str) -> Target:
    """Raises Invalid with a sentence."""
    if len(url) > MAX_URL_CHARACTERS:
        raise Invalid(f"The address has more than {MAX_URL_CHARACTERS:,} characters.")
    if UNSAFE.search(url):
        raise Invalid("The address has a space, a backslash or an unprintable character in it.")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Invalid("The address is not written as addresses are.") from None
    if parts.scheme not in PORTS:
        raise Invalid("The address has to begin with https:// or http://.")
    if "@" in parts.netloc:
        raise Invalid("The address may not name a user or a password.")
    if port == 0:
        raise Invalid("The address names a port that there is not.")
    path = quote(parts.path or "/", safe=KEPT) + (f"?{quote(parts.query, safe=KEPT)}" if parts.query else "")
    return Target(parts.scheme, normalize_host(host), port or PORTS[parts.scheme], path)


def normalize_host(text: str) -> str:
    """A name as DNS has it, or an IP address in its shortest form. Raises Invalid."""
    host = text.strip("[]").removesuffix(".").lower()
    try:
        # A zone, as in fe80::1%eth0, is a way through this machine.
        return str(ip_address(host.replace("%", " ")))
    except ValueError:
        pass
    try:
        name = host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        name = ""
    if len(name) > 253 or not NAME.fullmatch(name):
        raise Invalid("The address names no host.")
    return name
