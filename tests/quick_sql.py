"""Shortcuts to the SQL that Django's compiler writes: the same statements, with less work.

Half of what a test computes is Django putting statements together: each time it writes out every column of every model
anew, and compares the expressions of an ordering with all columns, although a name of a field equals none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps
from typing import Any

from django.db.models.expressions import Col
from django.db.models.sql.compiler import SQLCompiler

_write_select, _pair_ordering, _write_column = SQLCompiler.get_select, SQLCompiler._order_by_pairs, Col.as_sql
_selects: dict[tuple[Any, ...], tuple[list[Any], dict[str, Any]]] = {}


def write_quickly() -> None:
    """From now on, for every statement of this process."""
    SQLCompiler.get_select = get_select
    SQLCompiler._order_by_pairs = order_by_pairs
    Col.as_sql = write_column


@wraps(_write_select)
def get_select(self: Any, with_col_aliases: bool = False) -> tuple[list[Any], dict[str, Any] | None, dict[str, int]]:
    """That of rows of one model is written once for the columns that are asked for."""
    if not selects_rows_alone(self.query):
        return _write_select(self, with_col_aliases)
    names, are_deferred = self.query.deferred_loading
    key = (self.connection.vendor, self.query.model, frozenset(names), are_deferred, with_col_aliases)
    if key not in _selects:
        columns, rows, _ = _write_select(self, with_col_aliases)
        _selects[key] = columns, rows
    columns, rows = _selects[key]
    return list(columns), dict(rows), {}


def selects_rows_alone(query: Any) -> bool:
    """Columns of the model's own table, under its own name, and nothing beside them."""
    more = query.selected is not None or query.select_related or query.extra_select or query.annotation_select
    meta = query.model and query.model._meta
    is_plain = query.default_cols and not more and meta and not meta.parents
    return bool(is_plain and query.get_initial_alias() == meta.db_table)


@wraps(_write_column)
def write_column(self: Any, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
    """A column under its table's own name, which Django keeps with the field, is quoted once."""
    if self.alias not in compiler.query.table_map:
        return _write_column(self, compiler, connection)
    written = vars(self).get("_written")
    if written is None:
        written, _ = _write_column(self, compiler, connection)
        vars(self)["_written"] = written
    return written, []


@wraps(_pair_ordering)
def order_by_pairs(self: Any) -> Iterator[Any]:
    """An ordering by names can only mean a column that has been given a name."""
    query, select = self.query, self.select
    ordering = query.order_by or (query.default_ordering and query.get_meta() and query.get_meta().ordering) or ()
    has_names_alone = all(isinstance(field, str) for field in ordering) and not query.extra_order_by
    if query.combinator or not has_names_alone or any(alias for _, _, alias in select or ()):
        yield from _pair_ordering(self)
        return
    self.select = None
    try:
        yield from list(_pair_ordering(self))
    finally:
        self.select = select
