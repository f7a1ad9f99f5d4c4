"""Tags, schemas and prompts of the demo: few words, many names, each head with four revisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from random import Random
from typing import TypeVar

from django.db import transaction

from accounts.actor import Actor
from documents.models import Prompt, PromptRevision, Schema, SchemaRevision, Tag
from kit.json_types import JsonObject
from kit.rows.models import fold_case

REVISIONS_EACH = 4
TOPICS = ("Invoices", "Receipts", "Delivery notes", "Orders", "Contracts", "Statements", "Forms", "Letters")
COLORS = ("#3B82F6", "#16A34A", "#D97706", "#DC2626", "#7C3AED", "#0891B2")
FIELDS = {
    "vendor": {"type": "string", "description": "Who issued it."},
    "invoice_number": {"type": "string", "description": "Its number, as printed."},
    "total": {"type": "number", "description": "The amount to pay, with tax."},
}
H = TypeVar("H", Schema, Prompt)
R = TypeVar("R", SchemaRevision, PromptRevision)


def make_tags(actor: Actor, *, count: int, random: Random) -> list[Tag]:
    taken = set(Tag.objects.for_org(actor.organization).values_list("name_folded", flat=True))
    return Tag.objects.bulk_create(
        [
            Tag(
                organization=actor.organization,
                name=name,
                name_folded=fold_case(name),
                color=random.choice(COLORS),
                description=f"Goes with {name}.",
                created_by=actor.user,
            )
            for name in _generate_names("area", taken, count)
        ]
    )


@transaction.atomic
def make_schemas(actor: Actor, *, revisions: int) -> list[SchemaRevision]:
    """The latest revision of each new schema."""
    heads = _make_heads(actor, Schema, "fields", revisions)
    rows = [
        SchemaRevision(schema=head, number=number, response_format=_make_format(number), created_by=actor.user)
        for head, number in _iterate_numbered(heads, revisions)
    ]
    SchemaRevision.objects.bulk_create(rows)
    return _set_latest(Schema, rows, [row.schema for row in rows])


@transaction.atomic
def make_prompts(
    actor: Actor, *, revisions: int, schemas: Sequence[SchemaRevision], tags: Sequence[Tag], random: Random
) -> list[PromptRevision]:
    """The latest revision of each new prompt; half of them carry one or two of the tags."""
    heads = _make_heads(actor, Prompt, "reading", revisions)
    rows = [
        PromptRevision(
            prompt=head,
            number=number,
            content=f"Read the fields of the document. Wording {number}.",
            schema_revision=random.choice(schemas) if schemas else None,
            created_by=actor.user,
        )
        for head, number in _iterate_numbered(heads, revisions)
    ]
    PromptRevision.objects.bulk_create(rows)
    _tag_revisions(rows, tags, random)
    return _set_latest(Prompt, rows, [row.prompt for row in rows])


def _make_heads(actor: Actor, model: type[H], noun: str, revisions: int) -> list[H]:
    taken = set(model.objects.for_org(actor.organization).values_list("name_folded", flat=True))
    names = _generate_names(noun, taken, -(-revisions // REVISIONS_EACH))
    return model.objects.bulk_create(
        [
            model(organization=actor.organization, name=name, name_folded=fold_case(name), created_by=actor.user)
            for name in names
        ]
    )


def _generate_names(noun: str, taken_folded: set[str], maximum: int) -> Iterator[str]:
    names = (f"{TOPICS[number % len(TOPICS)]} {noun} {number:04}" for number in count(1))
    return islice((name for name in names if fold_case(name) not in taken_folded), maximum)


def _iterate_numbered(heads: Sequence[H], revisions: int) -> Iterator[tuple[H, int]]:
    return islice(((head, number + 1) for head in heads for number in range(REVISIONS_EACH)), revisions)


def _set_latest(model: type[H], rows: Sequence[R], heads: Sequence[H]) -> list[R]:
    """Of rows in the order of their numbers; the heads get to know them."""
    newest = dict(zip((head.pk for head in heads), zip(heads, rows, strict=True), strict=True))
    for head, row in newest.values():
        head.latest = row  # type: ignore[assignment]
    model._base_manager.bulk_update([head for head, _ in newest.values()], ["latest"], batch_size=200)
    return [row for _, row in newest.values()]


def _tag_revisions(rows: Sequence[PromptRevision], tags: Sequence[Tag], random: Random) -> None:
    through = PromptRevision.tags.through
    through.objects.bulk_create(
        [
            through(promptrevision_id=row.pk, tag_id=tag.pk)
            for row in rows
            if tags and random.random() < 0.5
            for tag in random.sample(tags, k=min(len(tags), random.randint(1, 2)))
        ]
    )


def _make_format(number: int) -> JsonObject:
    schema = {
        "type": "object",
        "description": f"Version {number}.",
        "properties": FIELDS,
        "required": list(FIELDS),
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "fields", "schema": schema, "strict": True}}
