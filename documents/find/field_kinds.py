"""Kinds of fields: whether their values are read as numbers, days or texts, and what people call them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from accounts.models import Organization
from documents.models import CurrentValue, Schema
from documents.values.fields import get_kind, get_properties
from documents.values.references import resolve_plain
from documents.values.stored import Schema as JsonSchema
from documents.values.titles import make_title
from kit.events import organization_group
from kit.group_cache import get_or_compute

# Values of a field that are looked at where its schema calls them texts, or where no schema has it.
SAMPLED = 9
ValueColumn: TypeAlias = Literal["number", "day", "text"]


class FieldKind(NamedTuple):
    """`column` is the one of `CurrentValue` by which documents are sorted."""

    path: str
    title: str
    column: ValueColumn = "text"


class _Sample(NamedTuple):
    text: str
    number: object
    day: object
    schema_id: str | None


def describe_fields(organization: Organization, paths: Iterable[str]) -> dict[str, FieldKind]:
    """By path. A field that no document has is a text."""
    asked = list(dict.fromkeys(paths))
    if not asked:
        return {}
    key = f"kinds of fields {asked!r}"
    return get_or_compute(organization_group(organization.pk), key, lambda: _describe(organization, asked))


def read_kind(field: JsonSchema) -> str:
    """`number`, `day`, `text`, or what else JSON Schema calls it."""
    kind = get_kind(field)
    if kind == "string" and field.get("format") in ("date", "date-time"):
        return "day"
    return {"integer": "number", "string": "text", "boolean": "flag"}.get(kind, kind)


def _describe(organization: Organization, paths: Sequence[str]) -> dict[str, FieldKind]:
    samples = {path: _load_sample(organization, path) for path in paths}
    schemas = _load_schemas(organization, {each.schema_id for sample in samples.values() for each in sample})
    return {path: _describe_field(path, sample, schemas) for path, sample in samples.items()}


def _load_sample(organization: Organization, path: str) -> list[_Sample]:
    rows = CurrentValue.objects.for_org(organization).filter(path=path, text__gt="").order_by()
    return [_Sample(*row) for row in rows.values_list(*_Sample._fields)[:SAMPLED]]


def _load_schemas(organization: Organization, ids: set[str | None]) -> dict[str, JsonSchema]:
    rows = Schema.objects.for_org(organization).filter(pk__in=ids - {None}, latest__isnull=False)
    return {schema.pk: schema.latest.json_schema for schema in rows.select_related("latest") if schema.latest}


def _describe_field(path: str, sample: Sequence[_Sample], schemas: dict[str, JsonSchema]) -> FieldKind:
    owners = (schemas.get(each.schema_id or "") for each in sample)
    fields = [field for owner in owners if owner is not None and (field := _find_field(owner, path)) is not None]
    title = make_title(path.rpartition(".")[2], fields[0] if fields else {})
    return FieldKind(path, title, _choose_column({read_kind(field) for field in fields}, sample))


def _find_field(schema: JsonSchema, path: str) -> JsonSchema | None:
    """The field at a path without positions; of a list the schema of its entries."""
    here = _enter_lists(schema, schema)
    for name in path.split("."):
        inner = get_properties(here, schema).get(name)
        if inner is None:
            return None
        here = _enter_lists(inner, schema)
    return here


def _enter_lists(given: JsonSchema, root: JsonSchema) -> JsonSchema:
    here = resolve_plain(given, root)
    while isinstance(here.get("items"), dict):
        here = resolve_plain(here["items"], root)
    return here


def _choose_column(kinds: set[str], sample: Sequence[_Sample]) -> ValueColumn:
    """Follows the schemas. Texts that mostly are days or amounts count as such; bare figures of a text do not."""
    if kinds == {"number"} or kinds == {"day"}:
        return "number" if "number" in kinds else "day"
    if sum(each.day is not None for each in sample) * 2 > len(sample):
        return "day"
    amounts = (each.number is not None and not (kinds and each.text.isdigit()) for each in sample)
    return "number" if "flag" not in kinds and sum(amounts) * 2 > len(sample) else "text"
