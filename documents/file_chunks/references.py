"""References of the lines of a nested file. Nothing is fetched: a reference names a part of this file or of another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

_REF = re.compile(r"""\$(?:dynamicR|r)ef["']?\s*:\s*["']?([^"'\s,}\]]{1,1000})""")
_SECURITY = re.compile(r"/security/\d+/([^/]+)(?:/|$)")
_NAMED = re.compile(r"/\$(?:dynamicR|r)ef$")


class Reference(NamedTuple):
    """`file`: empty for the same one. `pointer`: a JSON Pointer."""

    file: str
    pointer: str

    @property
    def is_address(self) -> bool:
        """It names something on the web, which is never asked for."""
        return "://" in self.file or self.file.startswith("//")

    def __str__(self) -> str:
        return f"{self.file}#{self.pointer}"


def list_references(text: str, addresses: list[tuple[str, str]], schemes: str) -> Iterator[Reference]:
    """`addresses`: the words of the line with theirs. `schemes`: where the file has its security schemes."""
    written = _REF.findall(text)
    yield from map(parse_reference, written)
    if not written:
        # A row of a table has the values without their names.
        yield from (parse_reference(word) for word, address in addresses if _NAMED.search(address) and "#" in word)
    for address in dict.fromkeys(address for _, address in addresses):
        if match := _SECURITY.search(address):
            yield Reference("", f"{schemes}/{match[1]}")


def parse_reference(text: str) -> Reference:
    file, _, pointer = text.strip("\"'").partition("#")
    return Reference(unquote(file), unquote(pointer))


def list_prefixes(pointer: str) -> list[str]:
    """The pointer and those around it, the longest first."""
    steps = pointer.split("/")
    return ["/".join(steps[:at]) for at in range(min(len(steps), 12), 0, -1)]
