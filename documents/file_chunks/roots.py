"""The part of a nested file that an address belongs to, by the kind of the file.

https://spec.openapis.org/oas/v3.2.0, https://json-schema.org/draft/2020-12, EN 16931 (UBL and CII)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

FileKind = Literal["openapi", "json schema", "invoice", "other"]
METHODS = frozenset(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"])
_OPENAPI = ("/openapi", "/swagger")
_SWAGGER_2 = {"definitions": "schema", "securityDefinitions": "security scheme"}
_COMPONENTS = {"schemas": "schema", "securitySchemes": "security scheme"}
_DEFINITIONS = ("$defs", "definitions")
_INVOICES = ("Invoice", "CreditNote", "DebitNote", "Order", "CrossIndustryInvoice")
# Letters of a subtree of another file that stays whole, and how deep one is looked for.
MAX_SUBTREE, DEEPEST = 4_000, 6


class Root(NamedTuple):
    """The address of the part, what it is, and its name in the file."""

    address: str
    kind: str
    name: str


class FileParts:
    """Tells the part of each address of one file. `sizes`: the letters of each line by its address."""

    def __init__(self, sizes: Iterable[tuple[str, int]]) -> None:
        self.letters: Counter[str] = Counter()
        addresses = set()
        for address, count in sizes:
            addresses.add(address)
            steps = address.split("/")
            self.letters.update({"/".join(steps[:at]): count for at in range(2, min(len(steps), DEEPEST) + 1)})
        self.kind = _tell_kind(addresses)

    def find_root(self, address: str) -> Root | None:
        """None for lines that only hold parts together."""
        steps = address.split("/")[1:]
        if not steps:
            return None
        return {
            "openapi": _find_api_root,
            "json schema": _find_definition,
            "invoice": _find_group,
            "other": self._find_subtree,
        }[self.kind](steps)

    def _find_subtree(self, steps: list[str]) -> Root:
        """The outermost one that is small enough."""
        prefixes = ["/" + "/".join(steps[:at]) for at in range(1, min(len(steps), DEEPEST - 1) + 1)]
        fitting = (prefix for prefix in prefixes if self.letters[prefix] <= MAX_SUBTREE)
        address = next(fitting, prefixes[-1])
        return Root(address, "subtree", address.lstrip("/"))


def _tell_kind(addresses: set[str]) -> FileKind:
    if not addresses.isdisjoint(_OPENAPI):
        return "openapi"
    outermost = {address.split("/")[1] for address in addresses if address.startswith("/")}
    if "$schema" in outermost or "$defs" in outermost:
        return "json schema"
    if any(name.rpartition(":")[2] in _INVOICES for name in outermost):
        return "invoice"
    return "other"


def _find_api_root(steps: list[str]) -> Root | None:
    first, *rest = steps
    if first in ("paths", "webhooks"):
        return _find_operation(first, rest)
    if first == "components":
        return _make(steps[:3], _COMPONENTS.get(rest[0], "component"), 1) if len(rest) > 1 else None
    if first in ("definitions", "parameters", "responses", "securityDefinitions"):
        return _make(steps[:2], _SWAGGER_2.get(first, "component"), 0) if rest else None
    return _make(steps[:1], "section", 0)


def _find_operation(first: str, rest: list[str]) -> Root | None:
    if len(rest) < 2:
        return None
    path, method = rest[:2]
    address = f"/{first}/{path}/{method}"
    if method in METHODS:
        kind = "operation" if first == "paths" else "webhook"
        return Root(address, kind, f"{method.upper()} {unescape(path)}")
    return Root(address, "component", f"{unescape(path)} {method}")


def _find_definition(steps: list[str]) -> Root:
    if steps[0] in _DEFINITIONS and len(steps) > 1:
        return _make(steps[:2], "definition", 0)
    return Root("", "schema", "#")


def _find_group(steps: list[str]) -> Root:
    """In CII the transaction alone holds the groups."""
    depth = 3 if len(steps) > 1 and steps[1].endswith("SupplyChainTradeTransaction") else 2
    return Root("/" + "/".join(steps[:depth]), "business group", steps[:depth][-1])


def _make(steps: list[str], kind: str, skipped: int) -> Root:
    return Root("/" + "/".join(steps), kind, "/".join(map(unescape, steps[skipped:])))


def unescape(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
