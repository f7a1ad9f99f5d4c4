"""The address of a line in its file: a JSON Pointer, an XPath or a cell, as the reader kept it with each word."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from reader.words import Word


def find_address(words: Iterable[Word]) -> str:
    """Find the address that they share; of several pointers or paths the one that is around all of them."""
    addresses = list(dict.fromkeys(word.address for word in words if word.address))
    if len(addresses) < 2:
        return addresses[0] if addresses else ""
    parts = zip(*(address.split("/") for address in addresses), strict=False)
    return "/".join(names[0] for names in takewhile(lambda names: len(set(names)) == 1, parts))
