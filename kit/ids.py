"""24-hex ObjectIds as string keys: the published clients expect them. They do not order events across processes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from bson import ObjectId

_ID = re.compile(r"[0-9a-f]{24}")
_preassigned: ContextVar[tuple[list[str], list[str]] | None] = ContextVar("preassigned", default=None)


def new_id() -> str:
    preassigned = _preassigned.get()
    if preassigned is None:
        return str(ObjectId())
    foreseen, assigned = preassigned
    row_id = foreseen.pop(0) if foreseen else str(ObjectId())
    assigned.append(row_id)
    return row_id


@contextmanager
def preassign_ids(foreseen: Sequence[str] = ()) -> Iterator[list[str]]:
    """Inside, the first new ids are those `foreseen`. Yields the list of all that are given.

    What was tried once and rolled back gets the same ids when it is done for good: a plan may name what it will make.
    """
    assigned: list[str] = []
    token = _preassigned.set((list(foreseen), assigned))
    try:
        yield assigned
    finally:
        _preassigned.reset(token)


def is_id(value: object) -> bool:
    """True for 24 lowercase hex characters."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None
