"""What a person names in a message with @: schemas and prompts by revision, tags and documents; looked up each time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from django.db.models import Case, F, Model, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from accounts.actor import Actor
from agent.conversation.mentioned_documents import describe_document
from agent.models import Thread
from documents.models import Document, Prompt, PromptRevision, Revision, Schema, SchemaRevision, Tag
from documents.reading.page_text import make_data_block
from kit.errors import Invalid
from kit.rows.models import fold_case

Named: TypeAlias = SchemaRevision | PromptRevision | Tag | Document
DOCUMENT = "document"
KINDS = ("schema", "prompt", "tag", DOCUMENT)
MAX_MENTIONS = 20
MAX_ID = 64
MAX_SHOWN = 30_000
MAX_OFFERED = 50
NEWEST_OFFERED = 5
MAX_DETAIL = 60


class Mention(TypedDict):
    """`type` is schema, prompt, tag or document; `id` a schema_revid, a prompt_revid or the id of a tag or document."""

    type: str
    id: str


def check_mentions(actor: Actor, raw: object) -> list[Mention]:
    """The mentions in their order, each once. Raises Invalid for what is no list of {type, id}.

    An id that names nothing is no fault of the message: the model reads that it is missing.
    """
    if not isinstance(raw, Sequence) or isinstance(raw, str | bytes):
        raise Invalid('mentions is a list such as [{"type": "schema", "id": "…"}].')
    entries = {(each["type"], each["id"]): each for each in map(_check_one, raw)}
    if len(entries) > MAX_MENTIONS:
        raise Invalid(f"mentions has {len(entries)} entries; {MAX_MENTIONS} is the most.")
    return list(entries.values())


def _check_one(raw: object) -> Mention:
    if not isinstance(raw, Mapping):
        raise Invalid('Each entry of mentions is an object such as {"type": "schema", "id": "…"}.')
    kind, row_id = raw.get("type"), raw.get("id")
    if kind not in KINDS:
        raise Invalid(f"mentions.type is {', '.join(KINDS[:-1])} or {KINDS[-1]}, not {str(kind)[:40]!r}.")
    if not isinstance(row_id, str) or not 0 < len(row_id) <= MAX_ID:
        raise Invalid("mentions.id is a schema_revid, a prompt_revid or the id of a tag or document, as text.")
    return {"type": kind, "id": row_id}


def find_rows(thread: Thread, mentions: Iterable[Mention]) -> dict[tuple[str, str], Named]:
    """(type, id) to its row, inside the thread's organization; what is in the trash or elsewhere is left out."""
    ids: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for mention in mentions:
        ids.get(mention["type"], set()).add(mention["id"])
    organization = thread.organization
    schemas = SchemaRevision.objects.for_org(organization).filter(schema__trashed_at=None).select_related("schema")
    prompts = PromptRevision.objects.for_org(organization).filter(prompt__trashed_at=None)
    prompts = prompts.select_related("prompt", "schema_revision__schema").prefetch_related("tags")
    documents = Document.objects.for_org(organization).prefetch_related("tags")
    rows = {"schema": schemas, "prompt": prompts, "tag": Tag.objects.for_org(organization), DOCUMENT: documents}
    return {(kind, row.pk): row for kind in KINDS if ids[kind] for row in rows[kind].filter(pk__in=ids[kind])}  # type: ignore[attr-defined]


def build_blocks(thread: Thread, mentions: Iterable[Mention]) -> list[str]:
    """A data block for the model for each mention, in full; what is not there is named as missing."""
    mentions = list(mentions)
    rows = find_rows(thread, mentions)
    share = sum(isinstance(row, Document) for row in rows.values())
    return [_build_block(thread, mention, rows.get((mention["type"], mention["id"])), share) for mention in mentions]


def list_document_ids(mentions: Iterable[Mention]) -> list[str]:
    return [mention["id"] for mention in mentions if mention["type"] == DOCUMENT]


def format_label(row: Model) -> str:
    """Its name as it stands after the @ in a message: `Invoice v3`, or a tag's name."""
    return " ".join(str(row).split())


def _build_block(thread: Thread, mention: Mention, row: Named | None, share: int) -> str:
    kind = mention["type"]
    if row is None:
        text = f"[{kind.capitalize()}: missing] It is not in this organization, or was deleted. Say so when it matters."
        return make_data_block("mention", text, type=kind, id=mention["id"])
    if isinstance(row, Document):
        return make_data_block("mention", describe_document(row, thread, share=share), type=kind, id=row.pk)
    text = f'[{kind.capitalize()}: "{format_label(row)}"]\n{_DESCRIPTIONS[kind](row)}'
    if len(text) > MAX_SHOWN:
        text = f"{text[:MAX_SHOWN]}… (cut after {MAX_SHOWN} of {len(text)} characters)"
    return make_data_block("mention", text, type=kind, id=mention["id"])


def _describe_schema(row: SchemaRevision) -> str:
    return f"schema_revid: {row.pk}{_unless_accepted(row)}\nJSON Schema:\n{_json(row.json_schema)}"


def _describe_prompt(row: PromptRevision) -> str:
    schema = row.schema_revision
    tags = ", ".join(f"{format_label(tag)} ({tag.pk})" for tag in row.tags.all())
    lines = [
        f"prompt_revid: {row.pk}{_unless_accepted(row)}",
        f"Model: {row.model or 'the default of the organization'}",
        f"Tags: {tags or 'none'}",
        f"Schema: {format_label(schema)} ({schema.pk})\n{_json(schema.json_schema)}" if schema else "Schema: none",
        f"Text:\n{row.content}",
    ]
    return "\n".join(lines)


def _describe_tag(row: Tag) -> str:
    return f"tag_id: {row.pk}\nColor: {row.color}\nDescription: {row.description or 'none'}"


_DESCRIPTIONS: dict[str, Callable[[Any], str]] = {
    "schema": _describe_schema,
    "prompt": _describe_prompt,
    "tag": _describe_tag,
}


def _unless_accepted(row: SchemaRevision | PromptRevision) -> str:
    return "" if row.status == row.Status.ACCEPTED else f" ({row.status})"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


class Offer(TypedDict):
    """A line of the list under @. `label` is what stands in the text, `detail` tells it from its like.

    `proposed`: nobody has accepted it yet.
    """

    type: str
    id: str
    name: str
    label: str
    detail: str
    proposed: bool


class Offers(TypedDict):
    """`whole`: everything that fits is in it, so that further letters need no further asking."""

    offers: list[Offer]
    whole: bool


def find_offers(actor: Actor, words: str) -> Offers:
    """What can be named: whose name holds the words, those that begin with them first; without words the newest."""
    needle = fold_case(words)[:100]
    maximum = MAX_OFFERED if needle else NEWEST_OFFERED
    lines: list[Offer] = []
    whole = True
    for kind, rows in _find_offerable(actor, needle):
        offered_rows = list(rows[: maximum + 1])
        whole = whole and len(offered_rows) <= maximum
        lines += [_build_offer(kind, row) for row in offered_rows[:maximum]]
    return Offers(offers=lines, whole=whole)


def _find_offerable(actor: Actor, needle: str) -> Iterator[tuple[str, QuerySet[Model]]]:
    organization = actor.organization
    schemas, prompts = Schema.objects.for_org(organization), Prompt.objects.for_org(organization)
    heads: tuple[tuple[str, QuerySet[Model]], ...] = (
        ("schema", _with_newest(schemas, SchemaRevision.objects.filter(schema=OuterRef("pk")))),
        ("prompt", _with_newest(prompts, PromptRevision.objects.filter(prompt=OuterRef("pk")))),
        ("tag", Tag.objects.for_org(organization).annotate(changed_at=F("created_at"))),
    )
    for kind, rows in heads:
        if not needle:
            yield kind, rows.order_by("-changed_at", "-pk")
            continue
        begins = Case(When(name_folded__startswith=needle, then=Value(0)), default=Value(1))
        yield kind, rows.filter(name_folded__contains=needle).order_by(begins, "name_folded", "pk")
    # Of the many documents the newest: they are read along their index until there are enough.
    documents = Document.objects.for_org(organization)
    yield DOCUMENT, documents.filter(name_folded__contains=needle).order_by("-created_at", "-pk")


def _with_newest(heads: QuerySet[Model], revisions: QuerySet[Model]) -> QuerySet[Model]:
    """`proposed_id` is the newest proposed revision of a head that has no accepted one."""
    proposed = revisions.filter(status=Revision.Status.PROPOSED).order_by("-number")
    rows = heads.select_related("latest").annotate(
        proposed_id=Case(When(latest=None, then=Subquery(proposed.values("pk")[:1]))),
        proposed_number=Case(When(latest=None, then=Subquery(proposed.values("number")[:1]))),
        changed_at=Coalesce("latest__created_at", "created_at"),
    )
    with_revision: QuerySet[Any] = rows.exclude(latest=None, proposed_id=None)
    return with_revision


def _build_offer(kind: str, row: Any) -> Offer:
    if kind == "tag":
        about = " ".join(row.description.split())[:MAX_DETAIL]
        return Offer(type=kind, id=row.pk, name=row.name, label=format_label(row), detail=about, proposed=False)
    if kind == DOCUMENT:
        day = f"{row.created_at:%Y-%m-%d}"
        return Offer(type=kind, id=row.pk, name=row.name, label=format_label(row), detail=day, proposed=False)
    number = row.latest.number if row.latest else row.proposed_number
    about = f"version {number}" if row.latest else f"version {number}, proposed"
    return Offer(
        type=kind,
        id=row.latest_id or row.proposed_id,
        name=row.name,
        label=f"{format_label(row)} v{number}",
        detail=about,
        proposed=row.latest is None,
    )
