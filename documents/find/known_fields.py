"""Fields that an organization's documents may have: those of its schemas, and keys of metadata."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from accounts.models import Organization
from documents.checks.schema_paths import SchemaPath, SchemaPaths
from documents.find.field_kinds import read_kind
from documents.index.values.indexing import METADATA
from documents.models import CurrentValue, Schema
from documents.values.stored import Schema as JsonSchema
from kit.events import organization_group
from kit.group_cache import get_or_compute

# Schemas that are read for their fields, the newest first.
MAX_SCHEMAS = 50
MAX_KEYS = 50
_AFTER_METADATA = f"{METADATA}/"


@dataclass
class KnownField:
    """`kind` is number, day, flag or text; `schemas` are the names of those that have it.

    `table` is the list of rows that it is a column of; empty for a single value and for a list of single values.
    """

    path: str
    title: str
    kind: str
    schemas: list[str]
    table: str = ""


def list_fields_of_schemas(organization: Organization) -> list[KnownField]:
    """Single values, those of rows too, in the order of the schemas."""
    group = organization_group(organization.pk)
    return get_or_compute(group, "known fields of schemas", lambda: _read_fields(organization))


def list_metadata_fields(organization: Organization) -> list[KnownField]:
    return [KnownField(path, path.removeprefix(f"{METADATA}."), "text", []) for path in _iterate_metadata(organization)]


def _read_fields(organization: Organization) -> list[KnownField]:
    schemas = Schema.objects.for_org(organization).filter(latest__isnull=False).select_related("latest")
    fields: dict[str, KnownField] = {}
    for schema in schemas.order_by("-latest__created_at")[:MAX_SCHEMAS]:
        for field in read_fields(schema):
            fields.setdefault(field.path, field).schemas.append(schema.name)
    return list(fields.values())


def read_fields(schema: Schema) -> list[KnownField]:
    """Read those of the latest version of one schema, without its name."""
    return [
        KnownField(
            field.path,
            field.title,
            read_kind({"type": field.type, "format": field.format}),
            [],
            field.table if field.table != field.path else "",
        )
        for field in (_list_values(schema.latest.json_schema) if schema.latest else ())
    ]


def _list_values(schema: JsonSchema) -> list[SchemaPath]:
    """Without groups and tables; a list of single values is one."""
    fields = SchemaPaths(schema).all
    outer = {path.rpartition(".")[0] for path in fields}
    return [field for path, field in fields.items() if field.type != "object" and path not in outer]


def _iterate_metadata(organization: Organization) -> Iterator[str]:
    """Each key by a look at the index: there are few keys, and as many values as documents."""
    rows = CurrentValue.objects.for_org(organization).filter(path__lt=_AFTER_METADATA).order_by("path")
    last: str | None = f"{METADATA}."
    for _ in range(MAX_KEYS):
        last = rows.filter(path__gt=last).values_list("path", flat=True).first()
        if last is None:
            return
        yield last
