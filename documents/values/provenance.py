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
    SIMILAR = "similar"
    INFERRED = "inferred"
    NOT_LOCATED = "not_located"
    ABSENT = "absent"
    LEFT_OUT = "left_out"
    UNREAD = "unread"
    EMPTY = "empty"


WITHOUT_VALUE = frozenset([State.ABSENT, State.LEFT_OUT, State.UNREAD, State.EMPTY])
"""States of fields that have none; why those that are empty have none is not known."""
UNANSWERED = (State.LEFT_OUT, State.UNREAD)
"""States of fields that have none although one may be on a page: a person has to look."""


class NearbyWords(TypedDict):
    """Words that may be meant, as they are stored."""

    page: int
    boxes: list[list[float]]
    words: str


class ValuePlace(TypedDict, total=False):
    """A location as it is stored; `state` is always there."""

    state: str
    page: int | None
    boxes: list[list[float]]
    words: str
    note: str
    blocks: list[str]
    addresses: list[str]
    looked_for: list[str]
    candidates: list[NearbyWords]
    differences: list[list[str]]
    places: list[NearbyWords]
    look_first: bool


@dataclass(frozen=True)
class Candidate:
    """Words of a page beside those that a value stands on: they may be meant, say the same, or be a part of it."""

    page: int
    boxes: tuple[Box, ...]
    words: str

    def as_json(self) -> NearbyWords:
        return {"page": self.page, "boxes": [list(box) for box in self.boxes], "words": self.words}


@dataclass(frozen=True)
class Location:
    """`boxes` has one box a visual line; `words` quotes the page; `blocks` are ids `page.line.word`.

    `note` says in plain words what was read or why nothing was found; `addresses` are where the words stand in a file
    that names its places, such as a cell of a sheet. Of a field without a value `looked_for` are the labels that were
    looked for, and `candidates` what is nearest. `differences`: letters of a value and those of the words that are only
    similar to it. `places`: where the same is printed again, or the parts that an inferred value follows from.
    `look_first`: whoever read the page was unsure of these words; no proof, and none against the value.
    """

    state: State
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    words: str = ""
    note: str = ""
    blocks: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    looked_for: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    differences: tuple[tuple[str, str], ...] = ()
    places: tuple[Candidate, ...] = ()
    look_first: bool = False

    @property
    def is_located(self) -> bool:
        return self.state is not State.NOT_LOCATED and self.state not in WITHOUT_VALUE

    @property
    def is_printed(self) -> bool:
        """Whether the words say the value themselves."""
        return self.state in (State.EXACT, State.NORMALIZED)

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
        if self.addresses:
            place["addresses"] = list(self.addresses)
        if self.looked_for:
            place["looked_for"] = list(self.looked_for)
        if self.candidates:
            place["candidates"] = [candidate.as_json() for candidate in self.candidates]
        if self.differences:
            place["differences"] = [list(each) for each in self.differences]
        if self.places:
            place["places"] = [each.as_json() for each in self.places]
        if self.look_first:
            place["look_first"] = True
        return place


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
        looked_for=tuple(json.get("looked_for", ())),
        candidates=tuple(_parse_candidate(each) for each in json.get("candidates", ())),
        differences=tuple((one, other) for one, other in json.get("differences", ())),
        places=tuple(_parse_candidate(each) for each in json.get("places", ())),
        look_first=json.get("look_first", False),
    )


def _parse_candidate(json: NearbyWords) -> Candidate:
    boxes = tuple((box[0], box[1], box[2], box[3]) for box in json["boxes"])
    return Candidate(json["page"], boxes, json["words"])


def make_not_located(note: str, *candidates: Candidate) -> Location:
    """`candidates`: words that come near to the value."""
    return Location(State.NOT_LOCATED, note=note, candidates=candidates)
