"""What is wrong with an index, and what mends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from documents.models import Document, Reading


@dataclass(frozen=True)
class Fault:
    """`problem` is a sentence. Without `repair` only a person can mend it; a repair may be made twice."""

    problem: str
    repair: Callable[[], None] | None = None


Find: TypeAlias = Callable[[Document], Iterator[Fault]]
"""The faults of one document, each at most once."""


def find_newest(document: Document) -> Reading | None:
    """The reading that everything of the document is found by."""
    return document.readings.filter(status=Reading.Status.COMPLETED).order_by("-number").first()
