"""Questions that a new thread offers: from the organization's own schemas and the fields that they have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from accounts.actor import Actor
from documents.models import Schema
from documents.values import fields
from documents.values.stored import Schema as JsonSchema
from documents.values.titles import make_title

MAX_QUESTIONS, MAX_LENGTH = 4, 120
_NUMBERS = ("number", "integer")


def suggest_questions(actor: Actor) -> list[str]:
    """At most one for each of the newest schemas, in their order."""
    schemas = Schema.objects.for_org(actor.organization).filter(trashed_at=None).exclude(latest=None)
    newest = schemas.select_related("latest").order_by("-created_at")[: 2 * MAX_QUESTIONS]
    return list(islice(filter(None, map(_ask_about, newest)), MAX_QUESTIONS))


def _ask_about(schema: Schema) -> str:
    """About the sum of its last number, the days of its first date, or the values of its first text."""
    root: JsonSchema = schema.latest.json_schema if schema.latest else {}
    known = dict(_name_fields(root))
    if numbers := [title for title, kind in known.items() if kind == "number"]:
        question = f"What is the sum of “{numbers[-1]}” over all {schema.name} documents?"
    elif days := [title for title, kind in known.items() if kind == "date"]:
        question = f"Which {schema.name} documents have a “{days[0]}” this month?"
    elif known:
        question = f"Which values does “{next(iter(known))}” have in the {schema.name} documents?"
    else:
        return ""
    return question if len(question) <= MAX_LENGTH else ""


def _name_fields(root: JsonSchema) -> Iterator[tuple[str, str]]:
    """Titles of its own fields, each with "number", "date" or "text"."""
    for name, field in fields.get_properties(root, root).items():
        kind = fields.get_kind(field)
        if kind in _NUMBERS:
            yield make_title(name, field), "number"
        elif kind == "string":
            yield make_title(name, field), "date" if field.get("format") == "date" else "text"
