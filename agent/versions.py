"""What a call rests on: the parts of a row that it changes, each with a number that differs when the part does.

Two calls that change different parts do not disturb each other. The same keys can be looked up again later, so that
undoing sees whether somebody was there since.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from zlib import crc32

from django.db import connection

from accounts.models import Organization
from agent.registry import Preconditions, ToolContext
from docrouter.kit.errors import NotFound
from docrouter.kit.models import folded
from documents.models import Document, Prompt, Schema, Tag

_KINDS: Mapping[str, Any] = {"schema": Schema, "prompt": Prompt, "tag": Tag, "document": Document}


def mark(value: object) -> int:
    """A number for a value. Two values share one by a chance in four billion."""
    return crc32(json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def newest(head: Schema | Prompt) -> Any:
    """The latest accepted revision; of one that nobody has accepted yet the newest proposed one."""
    return head.latest or head.revisions.latest("number")


def _named(name: str) -> Callable[[Any], int]:
    return lambda row: mark(getattr(row, name))


def _tags(row: Any) -> int:
    return mark(sorted(row.tags.values_list("pk", flat=True)))


def _version(head: Any) -> int:
    return int(newest(head).number)


def _is_trashed(row: Any) -> int:
    return int(row.trashed_at is not None)


_PARTS: Mapping[str, Mapping[str, Callable[[Any], int]]] = {
    "schema": {"name": _named("name"), "version": _version, "trash": _is_trashed},
    "prompt": {
        "name": _named("name"),
        "version": _version,
        "trash": _is_trashed,
        "content": lambda prompt: mark(newest(prompt).content),
        "schema_id": lambda prompt: mark(newest(prompt).schema_revision_id),
        "model": lambda prompt: mark(newest(prompt).model),
        "tag_ids": lambda prompt: _tags(newest(prompt)),
    },
    "tag": {"name": _named("name"), "color": _named("color"), "description": _named("description")},
    "document": {
        "name": _named("name"),
        "tag_ids": _tags,
        "metadata": _named("metadata"),
        "version": lambda document: int(document.version),
        "trash": _is_trashed,
    },
}


def resting_on(context: ToolContext, kind: str, row_id: str, parts: Iterable[str]) -> Preconditions:
    """`{"schema:5f…": 0, "version of schema:5f…": 3}`; the first keeps the calls of a round on one row in order.

    Inside a transaction the row is locked: what a card rests on still holds when the effect is taken.
    """
    rows = _KINDS[kind].objects.for_org(context.actor.organization).filter(pk=row_id)
    row = (rows.select_for_update() if connection.in_atomic_block else rows).first()
    if row is None:
        raise NotFound(f"{kind.capitalize()} not found")
    return {f"{kind}:{row_id}": 0} | _numbers(kind, row, parts)


def free_name(kind: str, name: str) -> Preconditions:
    """Of a row that does not exist yet."""
    return {f"{kind} name:{folded(name)}": 0}


def after(kind: str, row_id: str, parts: Iterable[str]) -> Preconditions:
    """The numbers once the effect is taken: what undoing rests on. Without parts the row may be gone."""
    parts = list(parts)
    return _numbers(kind, _KINDS[kind].objects.get(pk=row_id), parts) if parts else {}


def present(organization: Organization, keys: Iterable[str]) -> Preconditions:
    """The numbers of `after` now; what is gone has none."""
    found: Preconditions = {}
    for key in keys:
        part, _, thing = key.rpartition(" of ")
        kind, _, row_id = thing.partition(":")
        row = _KINDS[kind].objects.filter(organization=organization, pk=row_id).select_for_update().first()
        if row is not None:
            found |= _numbers(kind, row, [part])
    return found


def _numbers(kind: str, row: Any, parts: Iterable[str]) -> Preconditions:
    return {f"{part} of {kind}:{row.pk}": _PARTS[kind][part](row) for part in parts}
