"""What judging a value check comes to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NotRequired

from typing_extensions import TypedDict

from documents.values.addresses import Where

MAX_MESSAGE = 400


class Status(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    NOT_COMPUTED = "not_computed"


@dataclass(frozen=True)
class Finding:
    """`places` are what the message is about, first the one that owns it; none stands for the whole extraction.
    `pages` may lack rows.
    """

    status: Status
    message: str
    places: tuple[Where, ...] = ()
    pages: tuple[int, ...] = ()


class CheckResult(TypedDict):
    """As it is stored: `check` counts the checks of the schema revision from 1."""

    check: int
    kind: str
    status: str
    message: str
    places: list[Where]
    pages: NotRequired[list[int]]


class CannotCompute(Exception):
    """The values do not allow a verdict; says why, as a sentence."""

    def __init__(self, reason: str, *places: Where) -> None:
        super().__init__(reason)
        self.reason = reason
        self.places = places


def make_failure(message: str, *places: Where, pages: tuple[int, ...] = ()) -> Finding:
    return Finding(Status.FAILED, message, places, pages)


def make_pass(message: str, *places: Where) -> Finding:
    return Finding(Status.PASSED, message, places)
