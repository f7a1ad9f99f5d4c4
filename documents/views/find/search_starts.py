"""Searches that an organization's own types, fields and tags suggest where nothing is typed yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import Exists, Max, OuterRef

from accounts.actor import Actor
from accounts.models import Organization
from documents.extractions.storing import list_newest_runs
from documents.find.filters.terms import list_completed_runs
from documents.find.filters.value_conditions import write_equality
from documents.find.known_fields import KnownField, list_fields_of_schemas
from documents.index.values.indexing import find_written
from documents.models import CurrentValue, Document, Schema, Tag
from kit.events import organization_group
from kit.group_cache import get_or_compute

MAX_STARTS = 6
# Fields of the newest schemas, and values of one, that are looked at for something to ask for.
MAX_FIELDS, MAX_VALUES = 30, 200


class Start(NamedTuple):
    """`words` as they are typed; `phrase` as a person says the condition."""

    words: str
    query: str
    phrase: str = ""


class StartGroup(NamedTuple):
    title: str
    starts: Sequence[Start]


def list_starts(actor: Actor) -> list[StartGroup]:
    """Only what leads to documents. Remembered until something in the organization changes."""
    group = organization_group(actor.organization.pk)
    groups = get_or_compute(group, "starts of searches", lambda: _make_groups(actor.organization))
    return [group for group in groups if group.starts]


def _make_groups(organization: Organization) -> list[StartGroup]:
    return [
        StartGroup("Types", _list_types(organization)),
        StartGroup("Fields", list(islice(_iterate_conditions(organization), MAX_STARTS))),
        StartGroup("Tags", _list_tags(organization)),
    ]


def _list_types(organization: Organization) -> list[Start]:
    runs = list_completed_runs().filter(schema_revision__schema=OuterRef("pk"), document__trashed_at=None)
    schemas = Schema.objects.for_org(organization).filter(Exists(runs)).order_by("-latest__created_at", "-pk")
    return [Start(schema.name, urlencode({"schema": schema.pk})) for schema in schemas[:MAX_STARTS]]


def _list_tags(organization: Organization) -> list[Start]:
    tagged = Document.objects.for_org(organization).filter(tags=OuterRef("pk"))
    tags = Tag.objects.for_org(organization).filter(Exists(tagged)).order_by("name_folded", "pk")
    return [Start(tag.name, urlencode({"tag": tag.pk})) for tag in tags[:MAX_STARTS]]


def _iterate_conditions(organization: Organization) -> Iterator[Start]:
    """Values of the document come before those of its rows."""
    fields = list_fields_of_schemas(organization)[:MAX_FIELDS]
    for field in sorted(fields, key=lambda field: bool(field.table)):
        condition, phrase = _write_condition(organization, field)
        if condition:
            yield Start(condition, urlencode({"value": condition}), phrase)


def _write_condition(organization: Organization, field: KnownField) -> tuple[str, str]:
    """One that some document fulfils, typed and as a phrase; empty where no document has a value."""
    values = CurrentValue.objects.for_org(organization).filter(path=field.path, document__trashed_at=None)
    if field.kind == "number":
        highest = values.filter(number__gt=0).aggregate(highest=Max("number"))["highest"]
        bound = _round_down(int(highest) // 2) if highest else 0
        return (f"{field.path} > {bound}", f"{field.title} over {bound}") if highest else ("", "")
    if field.kind == "day":
        newest = values.filter(day__isnull=False).aggregate(newest=Max("day"))["newest"]
        year = f"{newest.year:04}" if newest else ""
        return (f"{field.path} >= {year}-01-01", f"{field.title} since {year}") if year else ("", "")
    return _write_frequent(field, list(values.exclude(text="").values_list("text", "document_id")[:MAX_VALUES]))


def _write_frequent(field: KnownField, values: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """A value that every document has once, such as a number of invoices, leads to one of them: it is no start."""
    [(text, number)] = Counter(text for text, _ in values).most_common(1) or [("", 0)]
    if not number or (number == 1 and len(values) > 1):
        return "", ""
    run = list_newest_runs([dict(values)[text]]).first()
    written = str(find_written(run.current if run else None, field.path, text))
    return write_equality(field.path, written), f"{field.title} “{written}”"


def _round_down(number: int) -> int:
    """To its first figure: 8,558 becomes 8,000."""
    step: int = 10 ** (len(str(number)) - 1)
    return number // step * step
