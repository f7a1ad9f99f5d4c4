"""Settings come from the environment. Every NAME may also be given as NAME_FILE, a file that holds the value."""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
MIN_SECRET = 20
_DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9.-]+|\[[0-9a-f:.]+\]")
_HOST_AND_PORT = re.compile(rf"({_HOST.pattern})(:[1-9][0-9]{{0,4}})?")
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    """The value of NAME, else the content of the file NAME_FILE, else the default. An empty value counts as unset."""
    if value := os.environ.get(name, ""):
        return value
    path = os.environ.get(f"{name}_FILE", "")
    if not path:
        return default
    try:
        return Path(path).read_text(encoding="utf-8").strip() or default
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE: the file {path} cannot be read ({error}).") from error


def _parse_setting(name: str, default: T, parse: Callable[[str], T], expected: str) -> T:
    value = text(name)
    if not value:
        return default
    try:
        return parse(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name}: {value!r} is not {expected}.") from None


def split_secrets(name: str, text: str) -> list[str]:
    """The newest first. One alone may be as short as it is; a short one among several is more likely a comma in it."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) > 1 and min(map(len, parts)) < MIN_SECRET:
        raise ImproperlyConfigured(
            f"{name}: keys between commas have {MIN_SECRET} characters or more. A key itself holds no comma."
        )
    return parts if len(parts) > 1 else [text]


def number(name: str, default: int, *, minimum: int = 0, maximum: int | None = None) -> int:
    def parse(value: str) -> int:
        if int(value) < minimum or (maximum is not None and int(value) > maximum):
            raise ValueError
        return int(value)

    bounds = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    return _parse_setting(name, default, parse, f"a whole number {bounds}")


def program(name: str, default: str) -> str:
    """The path of a program, given as a path or as a name on PATH; empty where the default is not installed."""
    value = text(name, "")
    path = shutil.which(value or default)
    if value and not path:
        raise ImproperlyConfigured(f"{name}: {value!r} is no program that can be run here.")
    return path or ""


def names(name: str, default: str = "") -> tuple[str, ...]:
    """Separated by commas."""
    return tuple(part.strip() for part in text(name, default).split(",") if part.strip())


def networks(name: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Addresses and networks, separated by commas."""

    def parse(value: str) -> tuple[IPv4Network | IPv6Network, ...]:
        return tuple(ip_network(part.strip(), strict=False) for part in value.split(",") if part.strip())

    return _parse_setting(name, (), parse, "a list of addresses or networks such as 10.0.0.5, 172.16.0.0/12")


def ports(name: str, default: tuple[int, ...]) -> tuple[int, ...]:
    def parse(value: str) -> tuple[int, ...]:
        numbers = tuple(int(part) for part in value.split(",") if part.strip())
        if not all(0 < port < 65_536 for port in numbers):
            raise ValueError
        return numbers

    return _parse_setting(name, default, parse, "a list of ports such as 443, 8443")


def hosts(name: str) -> tuple[str, ...]:
    """Hosts, with or without a port, separated by commas; an IPv6 address without its brackets."""

    def parse(value: str) -> tuple[str, ...]:
        matches = [_HOST_AND_PORT.fullmatch(part.strip().lower()) for part in value.split(",") if part.strip()]
        if None in matches:
            raise ValueError
        return tuple(match[1].strip("[]").removesuffix(".") + (match[2] or "") for match in matches if match)

    return _parse_setting(name, (), parse, "a list of hosts such as tools.corp.example, 10.0.0.5:8080")


def commands(name: str) -> dict[str, tuple[str, ...]]:
    """Each with a name, as `files=/usr/bin/files-mcp --root /srv`, separated by semicolons; quoted as in a shell."""

    def parse(value: str) -> dict[str, tuple[str, ...]]:
        pairs = [part.partition("=") for part in value.split(";") if part.strip()]
        read = {before.strip(): tuple(shlex.split(after)) for before, _, after in pairs}
        if not all(before and after for before, after in read.items()):
            raise ValueError
        return read

    return _parse_setting(name, {}, parse, "commands such as files=/usr/bin/files-mcp --root /srv; clock=clock-mcp")


def origins(name: str) -> tuple[str, ...]:
    """Scheme, host and port as browsers send them, separated by commas; or `*` alone for every origin."""

    def parse(value: str) -> tuple[str, ...]:
        parts = [part.strip() for part in value.split(",") if part.strip()]
        return ("*",) if parts == ["*"] else tuple(dict.fromkeys(map(_origin, parts)))

    return _parse_setting(
        name, (), parse, "a list of origins such as https://app.example.com, http://localhost:3000, or *"
    )


def _origin(text: str) -> str:
    """In lower case and without the port that the scheme implies, which browsers leave out."""
    parts = urlsplit(text.lower())
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    written = f"{parts.scheme}://{host}" + ("" if parts.port is None else f":{parts.port}")
    is_plain = _HOST.fullmatch(host or "") and parts.scheme in _DEFAULT_PORTS and text.lower() == written
    if not is_plain or parts.port == 0:
        raise ValueError
    return written.removesuffix(f":{_DEFAULT_PORTS[parts.scheme]}")


def numbers_by_name(name: str) -> dict[str, int]:
    """`8` for everything, under the name "", or `openai=8, anthropic=4`; empty for none."""

    def parse(value: str) -> dict[str, int]:
        pairs = [part.rpartition("=") for part in value.split(",") if part.strip()]
        numbers = {before.strip(): int(number) for before, _, number in pairs}
        if min(numbers.values(), default=1) < 1:
            raise ValueError
        return numbers

    return _parse_setting(name, {}, parse, "a whole number of at least 1, or such as openai=8, anthropic=4")


def switches_by_name(name: str) -> dict[str, bool]:
    """`ollama, litellm_proxy=no`: a name alone stands for yes; empty for none."""

    def parse(value: str) -> dict[str, bool]:
        pairs = [part.partition("=") for part in value.split(",") if part.strip()]
        words = {before.strip(): after.strip().lower() or "yes" for before, _, after in pairs}
        if "" in words or not set(words.values()) <= _TRUE | _FALSE:
            raise ValueError
        return {before: word in _TRUE for before, word in words.items()}

    return _parse_setting(name, {}, parse, "names such as ollama, litellm_proxy=no")


def prices(name: str) -> dict[str, tuple[int, int]]:
    """`openai/mine=0, hosted_vllm/*=0.2/0.6`: dollars for a million tokens read and written, as millionths."""

    def parse(value: str) -> dict[str, tuple[int, int]]:
        pairs = [part.rpartition("=") for part in value.split(",") if part.strip()]
        by_model = {before.strip(): _price(price) for before, _, price in pairs}
        if "" in by_model:
            raise ValueError
        return by_model

    return _parse_setting(name, {}, parse, "prices such as openai/mine=0, hosted_vllm/*=0.2/0.6")


def _price(text: str) -> tuple[int, int]:
    read, _, written = text.partition("/")
    usd = float(read), float(written or read)
    if not all(0 <= each < math.inf for each in usd):
        raise ValueError
    return round(usd[0] * 1_000_000), round(usd[1] * 1_000_000)


def amount(name: str, default: float) -> float:
    def parse(value: str) -> float:
        if not 0 <= float(value) < math.inf:
            raise ValueError
        return float(value)

    return _parse_setting(name, default, parse, "a number of at least 0")


def time_zone(name: str, default: str) -> str:
    def parse(value: str) -> str:
        try:
            return ZoneInfo(value).key
        except (ZoneInfoNotFoundError, OSError) as error:  # a folder of zones, such as "Europe", is an OSError
            raise ValueError from error

    return _parse_setting(name, default, parse, "a time zone such as Europe/Berlin")


def flag(name: str, default: bool) -> bool:
    def parse(value: str) -> bool:
        if value.lower() not in _TRUE | _FALSE:
            raise ValueError
        return value.lower() in _TRUE

    return _parse_setting(name, default, parse, "true or false")


def choice(name: str, default: str, allowed: set[str]) -> str:
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name}: {value!r} is not one of {', '.join(sorted(allowed))}.")
    return value
