"""The bodies of answers about single values and what they rest on (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field as About
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, PageOfLongRows, Timestamp
from documents import models, values
from documents.review.track_record import FEWEST_OF_SCHEMA
from kit.json_types import Json

STATES = (*values.State, "prose", "edited")
State = Annotated[
    str,
    About(
        description="`exact` and `normalized`: the words are on the page, as they are or written otherwise. "
        "`similar`: the words differ from it in the letters that `differences` names, and are no proof. "
        "`inferred`: computed from words there. `prose`: free text, which is not looked up. Without a value: `absent`: "
        "no label on the pages says the field; `left_out`: the page has a label with a value beside it, which the "
        "model did not give; `unread`: not all pages were read, or seen by the model; `empty`: nothing was looked for.",
        json_schema_extra={"enum": list(STATES)},
    ),
]
Origin = Annotated[str, About(json_schema_extra={"enum": models.FieldEdit.Origin.values})]
Kind = Annotated[str, About(json_schema_extra={"enum": models.FieldEdit.Kind.values})]
Value: TypeAlias = Json


class Box(TypedDict):
    """A line of words, in fractions of the page from its top left corner."""

    left: float
    top: float
    right: float
    bottom: float


class Difference(TypedDict):
    """Letters of a value and those on the page instead; one of them may be empty."""

    value: str
    page: str


class NearbyWords(TypedDict):
    """A label of the field, or words like one, with the words beside it."""

    page: int
    boxes: list[Box]
    words: str


class FieldEdit(TypedDict):
    """A change of the value, by a person or by the agent."""

    edit_id: Id
    kind: Kind
    old: Annotated[Value, About(description="Of this value; texts end after 2,000 characters.")]
    new: Value
    origin: Origin
    by: Annotated[str, About(description="Who changed it, or let the agent do so.")]
    allowed_by: Annotated[str, About(description="The rule or mode by which the agent needed nobody.")]
    at: Timestamp


class FailedCheck(TypedDict):
    """A value check that fails and is about the value."""

    check: Annotated[int, About(description="Which of the schema's value_checks, from 1.")]
    kind: str
    message: str


class ProvenField(TypedDict):
    """A value with what it rests on."""

    path: Annotated[str, About(description="Dotted; numbers are positions in lists, from 0.")]
    value: Value
    state: State
    page: Annotated[int | None, About(description="From 1; null where it was not located.")]
    boxes: Annotated[list[Box], About(description="One a line of words on the page.")]
    words: Annotated[str, About(description="As the page has them.")]
    note: Annotated[str, About(description="What was read, or why nothing was found, in plain words.")]
    addresses: Annotated[
        list[str],
        About(
            description="Where the words are in a file that names its places: `Sheet1!B7`, `/lines/0/net`, an XPath."
        ),
    ]
    looked_for: Annotated[list[str], About(description="Of a field without a value: the labels that were looked for.")]
    candidates: Annotated[
        list[NearbyWords],
        About(description="What is nearest to a value that is not located, or to a field without one."),
    ]
    differences: Annotated[list[Difference], About(description="Of a similar value: the letters that differ.")]
    places: Annotated[
        list[NearbyWords],
        About(description="Where the same is printed again; of an inferred value the words that it follows from."),
    ]
    look_first: Annotated[
        bool,
        About(
            description="The OCR engine was unsure of these words: look here first. It neither proves the value nor "
            "speaks against it."
        ),
    ]
    is_verified: Annotated[bool, About(description="By itself, or with the whole result.")]
    verified_by: str | None
    verified_at: Timestamp | None
    edits: Annotated[list[FieldEdit], About(description="The newest first, at most 20.")]
    edit_count: int
    failed_checks: list[FailedCheck]


class Field(ProvenField):
    """The value with what it rests on."""

    etag: Annotated[str, About(description="For If-Match, to change or verify this value and no other.")]


class StateRecord(TypedDict):
    """Values in a state, and those of them that still stood when people verified their results."""

    state: State
    right: int
    reviewed: int


class FieldPage(PageOfLongRows):
    """A page of the values."""

    fields: list[Field]
    track_record: Annotated[
        list[StateRecord],
        About(
            description="Of the newest verified results of the schema, or, where these are fewer than "
            f"{FEWEST_OF_SCHEMA}, of the organization. It is counted once a minute; empty without reviews."
        ),
    ]
