"""UPDATE of one row by SQL that is compiled once: what the ORM does anew each time costs more than the statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from django.db import connection, models
from django.db.models.expressions import Col

_BY_SUFFIX = {"": "=", "lte": "<=", "gte": ">="}


Field: TypeAlias = "models.Field[Any, Any]"


@dataclass(frozen=True)
class _Statement:
    """`fields` are those that the parameters belong to, in order; `read_fields` those that it answers."""

    sql: str
    fields: list[Field]
    read_fields: list[Field]


def update_row(
    model: type[models.Model],
    changes: Mapping[str, object],
    *,
    where: Mapping[str, object],
    read: Sequence[str] = (),
) -> list[Any] | None:
    """Return what the row that met `where` now has in the columns to `read`; None when no row met it.

    Values go through their fields, as in `QuerySet.update`; it takes neither expressions nor rows as values. A name in
    `changes` that ends in `__add` adds to what is there; one in `where` that ends in `__lte`
    or `__gte` compares by that.
    """
    can_answer = connection.features.can_return_columns_from_insert  # SQLite before 3.35 cannot
    statement = _compile(model, tuple(changes), tuple(where), tuple(read) if can_answer else ())
    values = (*changes.values(), *where.values())
    adapted = [field.get_db_prep_save(value, connection) for field, value in zip(statement.fields, values, strict=True)]
    with connection.cursor() as cursor:
        cursor.execute(statement.sql, adapted)
        if statement.read_fields:
            row = cursor.fetchone()
            return None if row is None else [_to_python(*each) for each in zip(statement.read_fields, row, strict=True)]
        if not cursor.rowcount:
            return None
    return list(model._base_manager.values_list(*read).get(pk=where["pk"])) if read else []


@cache
def _compile(
    model: type[models.Model], changed: tuple[str, ...], compared: tuple[str, ...], read: tuple[str, ...]
) -> _Statement:
    """One database, so one way of quoting."""
    quote = connection.ops.quote_name
    fields = [_field(model, name.partition("__")[0]) for name in (*changed, *compared)]
    columns = [quote(field.column) for field in fields]
    assignments = ", ".join(map(_assign, columns, changed))
    operators = [_BY_SUFFIX[name.partition("__")[2]] for name in compared]
    terms = zip(columns[len(changed) :], operators, strict=True)
    conditions = " AND ".join(f"{column} {operator} %s" for column, operator in terms)
    read_fields = [_field(model, name) for name in read]
    answer = f" RETURNING {', '.join(quote(field.column) for field in read_fields)}" if read else ""
    sql = f"UPDATE {quote(model._meta.db_table)} SET {assignments} WHERE {conditions}{answer}"  # noqa: S608
    return _Statement(sql, fields, read_fields)


def _assign(column: str, name: str) -> str:
    return f"{column} = {column} + %s" if name.endswith("__add") else f"{column} = %s"


def _to_python(field: Field, value: object) -> object:
    for convert, expression in _find_converters(field):
        value = convert(value, expression, connection)
    return value


@cache
def _find_converters(field: Field) -> list[tuple[Callable[..., object], Col]]:
    column = field.get_col(field.model._meta.db_table)
    return [
        (convert, column)
        for convert in (*connection.ops.get_db_converters(column), *column.get_db_converters(connection))
    ]


def _field(model: type[models.Model], name: str) -> Any:
    return model._meta.pk if name == "pk" else model._meta.get_field(name)
