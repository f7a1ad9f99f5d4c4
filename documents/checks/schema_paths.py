"""The fields of a schema as value checks name them: dotted paths without positions, such as line_items.amount."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from documents.values.fields import find_nearest_paths, get_field, get_kind, iterate_paths
from documents.values.stored import Schema
from documents.values.titles import make_title

MAX_PATHS = 2000
_ROW = ".*"


@dataclass(frozen=True)
class SchemaPath:
    """`table` is the list that the field is a column of, or that it is itself; empty for a single value."""

    path: str
    type: str
    format: str
    title: str
    table: str
    lists: int

    @property
    def is_list(self) -> bool:
        return self.type == "array"

    @property
    def is_leaf(self) -> bool:
        return self.type not in ("array", "object")

    @property
    def column(self) -> str:
        """The path inside a row; empty where the row is the value itself."""
        return self.path.removeprefix(self.table).removeprefix(".")


class SchemaPaths:
    """All fields of one schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    @cached_property
    def all(self) -> dict[str, SchemaPath]:
        paths = (_make_path(self.schema, starred) for starred in islice(iterate_paths(self.schema), MAX_PATHS))
        return {each.path: each for each in paths}

    def find(self, path: str) -> SchemaPath | None:
        return self.all.get(path)

    def find_nearest(self, path: str) -> list[str]:
        near = (each.replace(_ROW, "").replace(".0", "") for each in find_nearest_paths(self.schema, path))
        return [each for each in dict.fromkeys(near) if each in self.all]

    def title_of(self, path: str) -> str:
        known = self.find(path)
        return known.title if known else path


def _make_path(schema: Schema, starred: str) -> SchemaPath:
    field = get_field(schema, starred.replace("*", "0"))
    path, kind = starred.replace(_ROW, ""), get_kind(field)
    outer, has_row, _ = starred.rpartition(_ROW)
    table = outer.replace(_ROW, "") if has_row else path if kind == "array" else ""
    name = path.rpartition(".")[2]
    return SchemaPath(
        path,
        kind,
        str(field.get("format") or ""),
        make_title(name, field),
        table,
        starred.count("*") + (kind == "array"),
    )
