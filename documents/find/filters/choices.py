"""The values that a filter can have, each with how many documents it leaves of those that are shown now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import NamedTuple

from django.db.models import Count, Model, QuerySet
from django.utils import timezone

from documents.find.filters.document_filter import DocumentFilter
from documents.find.filters.terms import ME, STATES, STATUSES, list_completed_runs, parse_term
from documents.find.filters.value_conditions import write_equality
from documents.models import CurrentValue, Document, Prompt, Schema, Tag
from documents.types.catalogue import list_types
from kit.rows.models import fold_case

MAX_CHOICES = 100
FILE_KINDS = {"pdf": "PDF", "image": "Image", "text": "Text", "docx": "Word", "xlsx": "Excel", "eml": "Mail"}
_DAYS = {0: "Today", 6: "Last 7 days", 29: "Last 30 days", 364: "Last 365 days"}
# A document has one of these, so another value takes the place of the one in force.
ONE_OF = ("state", "type", "kind", "person", "since", "until")
Documents = QuerySet[Document, Document]
Fixed = Iterable[tuple[str, str]]


class Choice(NamedTuple):
    """`value` is what the address says, `words` what a person reads."""

    value: str
    words: str
    matches: int


def list_choices(narrowing: DocumentFilter, name: str, find: str = "") -> list[Choice]:
    """The most frequent first where they are many; `find` is a part of their words."""
    rows = narrow_without(narrowing, name).apply(Document.objects.for_org(narrowing.actor.organization))
    return _KINDS[name](narrowing, rows, fold_case(find.strip()))


def list_fields(narrowing: DocumentFilter, names: Iterable[str], find: str = "") -> list[Choice]:
    """Fields of schemas, and those that documents have values of."""
    values = _list_values(narrowing)
    counts = dict(values.values_list("path").annotate(count=Count("document", distinct=True)))
    paths = sorted({*names, *counts}, key=lambda path: (-counts.get(path, 0), path))
    return [Choice(path, path, counts.get(path, 0)) for path in paths if find.lower() in path.lower()][:MAX_CHOICES]


def list_field_values(narrowing: DocumentFilter, field: str, find: str = "") -> list[Choice]:
    """The most frequent values of one field, each as the condition that asks for it."""
    values = _list_values(narrowing).filter(path=field, text__contains=fold_case(find.strip())).exclude(text="")
    counted = values.values_list("text").annotate(count=Count("document", distinct=True)).order_by("-count", "text")
    written = ((write_equality(field, text), text, count) for text, count in counted[:MAX_CHOICES])
    return [Choice(value, text, count) for value, text, count in written if value]


def narrow_without(narrowing: DocumentFilter, name: str) -> DocumentFilter:
    """The filter to which a value of `name` is added."""
    if name not in ONE_OF:
        return narrowing
    return narrowing.with_terms([term for term in narrowing.terms if term.name != name])


def _list_values(narrowing: DocumentFilter) -> QuerySet[CurrentValue, CurrentValue]:
    organization = narrowing.actor.organization
    rows = narrowing.apply(Document.objects.for_org(organization))
    return CurrentValue.objects.filter(organization=organization, document__in=rows.values("pk"))


def _count_fixed(name: str, choices: Fixed) -> Callable[[DocumentFilter, Documents, str], list[Choice]]:
    """Counts all of them in one walk over the rows."""

    def count(narrowing: DocumentFilter, rows: Documents, find: str) -> list[Choice]:
        conditions = {value: parse_term(narrowing.actor, name, value).condition for value, _ in choices}
        counts = rows.aggregate(
            **{f"at_{at}": Count("pk", filter=condition) for at, condition in enumerate(conditions.values())}
        )
        numbers = dict(zip(conditions, counts.values(), strict=True))
        return [Choice(value, words, numbers[value]) for value, words in choices if find in fold_case(words)]

    return count


def _count_days(narrowing: DocumentFilter, rows: Documents, find: str) -> list[Choice]:
    today = timezone.now().date()
    days = [((today - timedelta(days=ago)).isoformat(), words) for ago, words in _DAYS.items()]
    return _count_fixed("since", days)(narrowing, rows, find)


def _count_tags(narrowing: DocumentFilter, rows: Documents, find: str) -> list[Choice]:
    ties = Document.tags.through.objects.filter(document_id__in=rows.values("pk"))
    counts = dict(ties.values_list("tag_id").annotate(count=Count("pk")).order_by())
    return _name_counted(Tag.objects.for_org(narrowing.actor.organization), counts, find)


def _count_types(narrowing: DocumentFilter, rows: Documents, find: str) -> list[Choice]:
    counted = rows.order_by().exclude(document_type=None).values_list("document_type")
    return _name_counted(list_types(narrowing.actor.organization), dict(counted.annotate(count=Count("pk"))), find)


def _count_schemas(narrowing: DocumentFilter, rows: Documents, find: str) -> list[Choice]:
    counts = _count_runs(rows, "schema_revision__schema")
    return _name_counted(Schema.objects.for_org(narrowing.actor.organization), counts, find)


def _count_prompts(narrowing: DocumentFilter, rows: Documents, find: str) -> list[Choice]:
    counts = _count_runs(rows, "prompt_revision__prompt")
    return _name_counted(Prompt.objects.for_org(narrowing.actor.organization), counts, find)


def _count_runs(rows: Documents, column: str) -> dict[str, int]:
    runs = list_completed_runs().filter(document__in=rows.values("pk")).exclude(**{column: None})
    return dict(runs.values_list(column).annotate(count=Count("document", distinct=True)).order_by())


def _name_counted(named: QuerySet[Model], counts: Mapping[str, int], find: str) -> list[Choice]:
    """Begin with those that have most documents; the rest goes by name."""
    rows = named.filter(name_folded__contains=find).order_by("name_folded", "pk").values_list("pk", "name")
    choices = [Choice(pk, name, counts.get(pk, 0)) for pk, name in rows]
    return sorted(choices, key=lambda choice: -choice.matches)[:MAX_CHOICES]


def _count_people(narrowing: DocumentFilter, rows: Documents, find: str) -> list[Choice]:
    counted = rows.order_by().values_list("uploaded_by_name").annotate(count=Count("pk")).order_by("-count")
    people = [Choice(name, name, count) for name, count in counted if name and find in fold_case(name)]
    own = rows.filter(parse_term(narrowing.actor, "person", ME).condition).count()
    return [*([Choice(ME, "Me", own)] if find in "me" else []), *people[:MAX_CHOICES]]


_KINDS: dict[str, Callable[[DocumentFilter, Documents, str], list[Choice]]] = {
    "is": _count_fixed("is", STATUSES.items()),
    "state": _count_fixed("state", [(key, words) for key, (words, _) in STATES.items()]),
    "tag": _count_tags,
    "type": _count_types,
    "kind": _count_fixed("kind", FILE_KINDS.items()),
    "schema": _count_schemas,
    "prompt": _count_prompts,
    "person": _count_people,
    "since": _count_days,
}
