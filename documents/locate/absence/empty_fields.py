"""The fields of a schema that a result has no value for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from documents.values.addresses import Where
from documents.values.fields import get_kind, get_properties
from documents.values.references import resolve_plain
from documents.values.stored import Schema, Stored
from documents.values.titles import make_title

MAX_FIELDS = 2_000
MAX_LEVELS = 6
EMPTY = (None, "")


@dataclass(frozen=True)
class EmptyField:
    """`names` from the outermost field to itself; `row` is the address of the row that it is a cell of.

    `columns`: of a list without rows the titles of its columns.
    """

    where: Where
    names: tuple[str, ...]
    title: str
    description: str
    kind: str
    row: Where = ""
    columns: tuple[str, ...] = ()


def list_empty_fields(stored: Stored, schema: Schema) -> list[EmptyField]:
    """In the schema's order, those that the result leaves out too."""
    return list(islice(_Walk(schema).list_members(stored, schema, "", (), ""), MAX_FIELDS))


@dataclass(frozen=True)
class _Walk:
    root: Schema

    def list_members(
        self, stored: Stored, schema: Schema, where: Where, names: tuple[str, ...], row: Where
    ) -> Iterator[EmptyField]:
        members = stored if isinstance(stored, dict) else {}
        for name, inner in get_properties(schema, self.root).items():
            if len(names) < MAX_LEVELS:
                here = f"{where}.{name}".removeprefix(".")
                yield from self._list(members.get(name), resolve_plain(inner, self.root), here, (*names, name), row)

    def _list(
        self, value: Stored, schema: Schema, where: Where, names: tuple[str, ...], row: Where
    ) -> Iterator[EmptyField]:
        kind = get_kind(schema)
        if kind == "object":
            yield from self.list_members(value, schema, where, names, row)
        elif kind == "array" and value:
            yield from self._list_cells(value, schema, where, names)
        elif value in EMPTY or value == []:
            yield self._make(schema, where, names, row)

    def _list_cells(self, rows: Stored, schema: Schema, where: Where, names: tuple[str, ...]) -> Iterator[EmptyField]:
        item = resolve_plain(schema.get("items") or {}, self.root)
        for each in rows if isinstance(rows, list) else ():
            here = f"{where}[{each['row_id']}]"
            yield from self.list_members(each["value"], item, here, names, here)

    def _make(self, schema: Schema, where: Where, names: tuple[str, ...], row: Where) -> EmptyField:
        kind, format_ = get_kind(schema), str(schema.get("format") or "")
        item = resolve_plain(schema.get("items") or {}, self.root) if kind == "array" else {}
        columns = tuple(make_title(name, inner) for name, inner in get_properties(item, self.root).items())
        return EmptyField(
            where,
            names,
            make_title(names[-1], schema),
            str(schema.get("description") or ""),
            "date" if format_.startswith("date") else kind,
            row,
            columns,
        )
