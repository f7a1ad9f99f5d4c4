"""A result without its foreign parts: each object or line that names a foreign document, or that a check refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from agent.calls.screening.named_rows import NamedRows
from kit.ids import is_id
from kit.json_types import Json

SUMMED = "key_values"
"""A part of a result that rests on all documents beside it."""


class Dropped:
    """Stands for a part that is left out."""


DROPPED = Dropped()
Kept = Json | Dropped


@dataclass
class Stripper:
    """`refuses` judges the texts of a row of a list. `left_out` gathers the documents that refused rows name."""

    named: NamedRows
    foreign: frozenset[str]
    refuses: Callable[[str], bool]
    refused_rows: list[set[str]] = field(default_factory=list)

    def strip(self, value: Json, *, is_row: bool = False) -> Kept:
        if isinstance(value, str):
            return DROPPED if self._is_foreign(value) else value
        if isinstance(value, list):
            kept = [self.strip(each, is_row=True) for each in value]
            return [each for each in kept if not isinstance(each, Dropped)]
        if isinstance(value, dict):
            return self._strip_object(value, is_row=is_row)
        return value

    def _strip_object(self, value: dict[str, Json], *, is_row: bool) -> Kept:
        if any(self._is_foreign(text) for text in _list_own_texts(value)):
            return DROPPED
        if is_row and self.refuses(text := "\n".join(_list_texts(value))):
            self.refused_rows.append(self.named.list_named(text))
            return DROPPED
        stripped = {name: self.strip(part) for name, part in value.items()}
        rest = {name: part for name, part in stripped.items() if not isinstance(part, Dropped)}
        return rest if rest == value else {name: part for name, part in rest.items() if name != SUMMED}

    def _is_foreign(self, text: str) -> bool:
        return bool(self.named.list_named(text) & self.foreign)


def _list_own_texts(value: dict[str, Json]) -> list[str]:
    """The texts of an object itself. A list of ids is one of other objects; any other list of texts is its own."""
    own = [part for part in value.values() if isinstance(part, str)]
    lists = [part for part in value.values() if isinstance(part, list)]
    return own + [each for part in lists for each in part if isinstance(each, str) and not is_id(each)]


def _list_texts(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _list_texts(part)]
