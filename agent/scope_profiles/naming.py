"""Types of documents in a sentence."""

from __future__ import annotations

from collections.abc import Iterable

_PLURALS = {"delivery note": "delivery notes", "other": "other papers"}


def name_type(name: str) -> str:
    if name == "other":
        return "another paper"
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def name_types(names: Iterable[str]) -> str:
    plurals = [_PLURALS.get(name, f"{name}s") for name in sorted(names)]
    return " and ".join([", ".join(plurals[:-1]), plurals[-1]] if len(plurals) > 1 else plurals) or "nothing foreign"
