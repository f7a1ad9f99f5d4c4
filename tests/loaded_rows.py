"""Which rows the product takes out of the database, and how much of each: a number of queries does not say it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import Model
from django.db.models.signals import post_init


@contextmanager
def watch_loaded_rows(model: type[Model]) -> Iterator[list[dict[str, Any]]]:
    """Inside, every row of this model that is made into an object, as its columns that were fetched."""
    rows: list[dict[str, Any]] = []

    def note(instance: Model, **_: object) -> None:
        rows.append({name: value for name, value in instance.__dict__.items() if not name.startswith("_")})

    post_init.connect(note, sender=model)
    try:
        yield rows
    finally:
        post_init.disconnect(note, sender=model)


def size(rows: list[dict[str, Any]]) -> int:
    return sum(len(repr(row)) for row in rows)
