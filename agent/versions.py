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
from django.db.models import Q

from accounts.models import Organization
from agent.registry import Preconditions, ToolContext
from docrouter.kit.errors import NotFound
from docrouter.kit.models import folded
from documents.models import Document, Extraction, Prompt, PromptRevision, Reading, Schema, Tag

_LIVE = Q(prompt__trashed_at=None)
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


def _schema_users(schema: Any) -> int:
    prompts = PromptRevision.objects.filter(_LIVE, schema_revision__schema=schema)
    return mark(sorted(prompts.values_list("pk", flat=True)))


def _prompt_users(prompt: Any) -> int:
    """Whether there is anything that it extracted. How much is shown on a card, but a card does not rest on a count."""
    done = Extraction.objects.filter(prompt_revision__prompt=prompt, status=Extraction.Status.COMPLETED)
    return int(done.filter(document__trashed_at=None).exists())


def _tag_users(tag: Any) -> int:
    prompts = sorted(PromptRevision.objects.filter(_LIVE, tags=tag).values_list("pk", flat=True))
    return mark([tag.documents.filter(trashed_at=None).exists(), prompts])


def _reading(document: Any) -> int:
    done = document.readings.filter(status=Reading.Status.COMPLETED).order_by("-number")
    return int(done.values_list("number", flat=True).first() or 0)


def _values(document: Any) -> int:
    done = document.extractions.filter(status=Extraction.Status.COMPLETED).order_by("-created_at", "-pk")
    return mark(done.values_list("pk", flat=True).first())


def _is_verified(document: Any) -> int:
    return int(document.extractions.filter(verifications__cleared_at=None, verifications__isnull=False).exists())


_PARTS: Mapping[str, Mapping[str, Callable[[Any], int]]] = {
    "schema": {"name": _named("name"), "version": _version, "trash": _is_trashed, "used_by": _schema_users},
    "prompt": {
        "name": _named("name"),
        "version": _version,
        "trash": _is_trashed,
        "content": lambda prompt: mark(newest(prompt).content),
        "schema_id": lambda prompt: mark(newest(prompt).schema_revision_id),
        "model": lambda prompt: mark(newest(prompt).model),
        "tag_ids": lambda prompt: _tags(newest(prompt)),
        "used_by": _prompt_users,
    },
    "tag": {
        "name": _named("name"),
        "color": _named("color"),
        "description": _named("description"),
        "used_by": _tag_users,
    },
    "document": {
        "name": _named("name"),
        "tag_ids": _tags,
        "metadata": _named("metadata"),
        "version": lambda document: int(document.version),
        "trash": _is_trashed,
        "reading": _reading,
        "values": _values,
        "verified": _is_verified,
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
