"""The bodies of answers: the shapes of the OpenAPI document are made of these classes, and have their names."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from kit.json_types import Json, JsonObject

Id = Annotated[str, Field(description="24 lowercase hex characters")]
Timestamp = Annotated[str, Field(description="UTC, ends in Z", json_schema_extra={"format": "date-time"})]


class Page(TypedDict):
    """The numbers with the rows of a page."""

    total_count: Annotated[int, Field(description="Of all pages.")]
    skip: int


class PageOfLongRows(Page):
    """Rows may be so long that fewer come than were asked for."""

    next_skip: NotRequired[Annotated[int, Field(description="Only where fewer came: `skip` for those that follow.")]]


class Message(TypedDict):
    """It is done."""

    message: str


class Problem(TypedDict):
    where: str
    message: str


class Error(TypedDict):
    """Every failure but 422."""

    detail: Annotated[str, Field(description="A sentence for people.")]
    problems: NotRequired[list[Problem]]
    winner: NotRequired[Annotated[JsonObject, Field(description="With 409 and 412: the present state.")]]
    code: NotRequired[Annotated[str, Field(description="A word for programs, where there is one.")]]
    thread_id: NotRequired[Annotated[str, Field(description="With a chat that could not begin: its thread.")]]
    turn: NotRequired[Annotated[JsonObject, Field(description="With a chat that failed: where its turn is.")]]
    unknown_calls: NotRequired[
        Annotated[list[str], Field(description="With decisions: the ids that are no calls of the turn.")]
    ]
    request_id: NotRequired[Annotated[str, Field(description="Of an unexpected failure: what the log has it by.")]]


class Fault(TypedDict):
    """One fault of a request. `ctx` says more about JSON that cannot be read."""

    type: str
    loc: list[str | int]
    msg: str
    input: Json
    ctx: NotRequired[JsonObject]


class ValidationError(TypedDict):
    """The request has the wrong shape; or, where two of its parts do not go together, a sentence."""

    detail: list[Fault] | str
