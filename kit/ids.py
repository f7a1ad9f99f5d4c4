"""24-hex ObjectIds as string keys: the published clients expect them. They do not order events across processes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from bson import ObjectId

_ID = re.compile(r"[0-9a-f]{24}")
_minted: ContextVar[tuple[list[str], list[str]] | None] = ContextVar("minted", default=None)


def new_id() -> str:
    minted = _minted.get()
    if minted is None:
        return str(ObjectId())
    foreseen, given = minted
    made = foreseen.pop(0) if foreseen else str(ObjectId())
    given.append(made)
    return made


@contextmanager
def minting(foreseen: Sequence[str] = ()) -> Iterator[list[str]]:
    """Inside, the first new ids are those `foreseen`. Yields the list of all that are given.

    What was tried once and rolled back gets the same ids when it is done for good: a plan may name what it will make.
    """
    given: list[str] = []
    held = _minted.set((list(foreseen), given))
    try:
        yield given
    finally:
        _minted.reset(held)


def is_id(value: object) -> bool:
    """True for 24 lowercase hex characters."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None
