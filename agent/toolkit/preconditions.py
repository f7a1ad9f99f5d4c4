"""What a call rests on: the parts of a row that it changes, each with a number that differs when the part does.

Two calls that change different parts do not disturb each other. The same keys can be looked up again later, so that
undoing sees whether somebody was there since.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, overload
from zlib import crc32

from django.db import connection
from django.db.models import Model, Q, QuerySet

from agent.models import ToolCall
from agent.toolkit.effects import Preconditions
from agent.toolkit.registry import ToolContext
from documents.autosetup import refining
from documents.definitions.definitions import get_newest_revision
from documents.models import Document, Extraction, Prompt, PromptRevision, Revision, Schema, SchemaRevision, Tag
from documents.retention import families
from kit.errors import NotFound
from kit.rows.fixed_select import FixedSelect
from kit.rows.models import fold_case

_LIVE = Q(prompt__trashed_at=None)
_KINDS: Mapping[str, Any] = {"schema": Schema, "prompt": Prompt, "tag": Tag, "document": Document}


def hash_value(value: object) -> int:
    """A number for a value. Two values share one by a chance in four billion."""
    return crc32(json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass"))


@overload
def base_revision(context: ToolContext, head: Schema) -> SchemaRevision: ...
@overload
def base_revision(context: ToolContext, head: Prompt) -> PromptRevision: ...
def base_revision(context: ToolContext, head: Schema | Prompt) -> SchemaRevision | PromptRevision:
    """The revision that a change starts from: the one that is proposed here, else the newest."""
    if context.is_headless:
        return _find_own_revision(context, head) or get_newest_revision(head)
    proposed = refining.find_proposed_revision(context.document, head, among=context.open_proposals)
    return proposed or get_newest_revision(head)


def _find_own_revision(context: ToolContext, head: Schema | Prompt) -> SchemaRevision | PromptRevision | None:
    """The newest that this turn has made of it."""
    kind = "schema" if isinstance(head, Schema) else "prompt"
    own_calls = context.turn.calls.filter(
        tool__in=[f"create_{kind}", f"update_{kind}"], status=ToolCall.Status.SUCCEEDED
    )
    ids = [(result or {}).get(f"{kind}_revid") for result in own_calls.values_list("result", flat=True)]
    return head.revisions.filter(pk__in=ids, status=Revision.Status.PROPOSED).order_by("-number").first()


def _hash_field(name: str) -> Callable[[Any], int]:
    return lambda row: hash_value(getattr(row, name))


def _read_number(revision: SchemaRevision | PromptRevision) -> int:
    return int(revision.number)


def _hash_response_format(revision: SchemaRevision) -> int:
    return hash_value(revision.response_format)


def _hash_prompt(revision: PromptRevision) -> int:
    fields = [revision.content, revision.schema_revision_id, revision.model, revision.include, revision.peer_match_keys]
    return hash_value([*fields, sorted(revision.tags.values_list("pk", flat=True))])


def _hash_tags(row: PromptRevision | Document) -> int:
    return hash_value(sorted(row.tags.values_list("pk", flat=True)))


def _is_trashed(row: Schema | Prompt | Document) -> int:
    return int(row.trashed_at is not None)


def _hash_schema_users(schema: Schema) -> int:
    prompts = PromptRevision.objects.filter(_LIVE, schema_revision__schema=schema)
    return hash_value(sorted(prompts.values_list("pk", flat=True)))


def _hash_tag_users(tag: Tag) -> int:
    prompts = sorted(PromptRevision.objects.filter(_LIVE, tags=tag).values_list("pk", flat=True))
    return hash_value([tag.documents.filter(trashed_at=None).exists(), prompts])


def _hash_parts(document: Document) -> int:
    return hash_value(sorted(part.pk for part in families.list_parts(document)))


def _hash_newest_run(document: Document) -> int:
    """What a prompt of the organization extracted last; the summary, which has none, does not count."""
    done = document.extractions.filter(status=Extraction.Status.COMPLETED, prompt_revision__isnull=False)
    return hash_value(done.order_by("-created_at", "-pk").values_list("pk", flat=True).first())


def _is_verified(document: Document) -> int:
    return int(document.extractions.filter(verifications__cleared_at=None, verifications__isnull=False).exists())


_OF_REVISION: Mapping[str, Mapping[str, Callable[[Any], int]]] = {
    "schema": {"version": _read_number, "definition": _hash_response_format},
    "prompt": {
        "version": _read_number,
        "definition": _hash_prompt,
        "content": _hash_field("content"),
        "schema_id": _hash_field("schema_revision_id"),
        "model": _hash_field("model"),
        "tag_ids": _hash_tags,
    },
}
_PARTS: Mapping[str, Mapping[str, Callable[[Any], int]]] = {
    "schema": {"name": _hash_field("name"), "trash": _is_trashed, "used_by": _hash_schema_users},
    "prompt": {"name": _hash_field("name"), "trash": _is_trashed},
    "tag": {
        "name": _hash_field("name"),
        "color": _hash_field("color"),
        "description": _hash_field("description"),
        "used_by": _hash_tag_users,
    },
    "document": {
        "name": _hash_field("name"),
        "tag_ids": _hash_tags,
        "metadata": _hash_field("metadata"),
        "document_type": _hash_field("document_type_id"),
        "version": lambda document: int(document.version),
        "trash": _is_trashed,
        "parts": _hash_parts,
        "values": _hash_newest_run,
        "verified": _is_verified,
    },
}


def read_preconditions(context: ToolContext, kind: str, row_id: str, parts: Iterable[str]) -> Preconditions:
    """`{"schema:5f…": 0, "version of schema:5f…": 3}`; the first keeps the calls of a round on one row in order.

    Inside a transaction the row is locked: nothing changes between this check and the commit of the effect.
    """
    rows = _KINDS[kind].objects.for_org(context.actor.organization).filter(pk=row_id)
    row = (rows.select_for_update() if connection.in_atomic_block else rows).first()
    if row is None:
        raise NotFound(f"{kind.capitalize()} not found")
    return {f"{kind}:{row_id}": 0} | _read_versions(context, kind, row, parts)


def precondition_of_free_name(kind: str, name: str) -> Preconditions:
    """Of a row that does not exist yet."""
    return {f"{kind} name:{fold_case(name)}": 0}


def is_free_name(key: str) -> bool:
    """Whether the precondition is that nobody has a name."""
    return key.startswith(tuple(f"{kind} name:" for kind in _KINDS))


def read_preconditions_after(context: ToolContext, kind: str, row_id: str, parts: Iterable[str]) -> Preconditions:
    """The numbers once the effect is taken: what undoing rests on. Without parts the row may be gone."""
    parts = list(parts)
    if not parts:
        return {}
    row = _select_with_latest(kind).get(row_id)
    return _read_versions(context, kind, row, parts)


@cache
def _select_with_latest(kind: str) -> FixedSelect[[str], Model]:
    @FixedSelect
    def select(row: str) -> QuerySet[Model]:
        joined = ["latest"] if kind in _OF_REVISION else []
        rows: QuerySet[Model] = _KINDS[kind].objects.select_related(*joined)
        return rows.filter(pk=row)

    return select


def read_again(context: ToolContext, keys: Iterable[str]) -> Preconditions:
    """The numbers of `read_preconditions_after` as they are now; what is gone has none."""
    versions: Preconditions = {}
    for key in keys:
        part, _, thing = key.rpartition(" of ")
        kind, _, row_id = thing.partition(":")
        row = (
            _KINDS[kind].objects.filter(organization=context.actor.organization, pk=row_id).select_for_update().first()
        )
        if row is not None:
            versions |= _read_versions(context, kind, row, [part])
    return versions


def _read_versions(context: ToolContext, kind: str, row: Any, parts: Iterable[str]) -> Preconditions:
    return {f"{part} of {kind}:{row.pk}": _read_version(context, kind, row, part) for part in parts}


def _read_version(context: ToolContext, kind: str, row: Any, part: str) -> int:
    read_part = _OF_REVISION.get(kind, {}).get(part)
    return read_part(base_revision(context, row)) if read_part else _PARTS[kind][part](row)
