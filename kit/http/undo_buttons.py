"""The button that takes a decision back, as every page shows it: beside the line that names what was done."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class UndoButton:
    """`address` is where it is sent, `values` go with it.

    `key` tells it from all others, so that the key Z presses it, the newest first: empty where somebody else decided.
    `since` is when that was, in millionths of a second. `returns_to` is the item of the inbox that is in hand again.
    """

    address: str
    values: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    key: str = ""
    since: int = 0
    returns_to: str = ""

    @property
    def sent(self) -> str:
        return json.dumps(self.values)

    def as_tag(self) -> str:
        """As `extra_tags` of a message of Django, which the next page shows."""
        return json.dumps(asdict(self))


def read_tag(text: str) -> UndoButton | None:
    return UndoButton(**json.loads(text)) if text else None
