"""Where on the pages a value comes from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypedDict

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom in page fractions 0..1, origin top left."""


class State(StrEnum):
    EXACT = "exact"
    NORMALIZED = "normalized"
    INFERRED = "inferred"
    NOT_LOCATED = "not_located"


class ValuePlace(TypedDict, total=False):
    """A location as it is stored; `state` is always there."""

    state: str
    page: int | None
    boxes: list[list[float]]
    words: str
    note: str
    blocks: list[str]
    addresses: list[str]


@dataclass(frozen=True)
class Location:
    """`boxes` has one box a visual line; `words` quotes the page; `blocks` are ids `page.line.word`.

    `note` says in plain words what was read or why nothing was found; `addresses` are where the words stand in a file
    that names its places, such as a cell of a sheet.
    """

    state: State
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    words: str = ""
    note: str = ""
    blocks: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    @property
    def is_located(self) -> bool:
        return self.state is not State.NOT_LOCATED

    def as_json(self) -> ValuePlace:
        place: ValuePlace = {
            "state": str(self.state),
            "page": self.page,
            "boxes": [list(box) for box in self.boxes],
            "words": self.words,
            "note": self.note,
            "blocks": list(self.blocks),
        }
        # Most files name no places, and a result may have many thousands of values.
        return {**place, "addresses": list(self.addresses)} if self.addresses else place


def parse_location(json: ValuePlace) -> Location:
    """Back from `Location.as_json`."""
    return Location(
        state=State(json["state"]),
        page=json.get("page"),
        boxes=tuple((box[0], box[1], box[2], box[3]) for box in json.get("boxes", ())),
        words=json.get("words", ""),
        note=json.get("note", ""),
        blocks=tuple(json.get("blocks", ())),
        addresses=tuple(json.get("addresses", ())),
    )


def make_not_located(note: str) -> Location:
    return Location(State.NOT_LOCATED, note=note)
