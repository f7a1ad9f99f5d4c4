"""UPDATE of one row by SQL that is compiled once: what the ORM does anew each time costs more than the statement."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db import connection, models

_BY_SUFFIX = {"": "=", "lte": "<="}


def update_row(model: type[models.Model], changes: Mapping[str, Any], *, where: Mapping[str, Any]) -> bool:
    """Whether a row met `where` and was changed. Values go through their fields, as in `QuerySet.update`.

    A name in `where` that ends in `__lte` compares by `<=`. Takes neither expressions nor rows as values.
    """
    sql, fields = _compile(model, tuple(changes), tuple(where))
    values = (*changes.values(), *where.values())
    adapted = [field.get_db_prep_save(value, connection) for field, value in zip(fields, values, strict=True)]
    with connection.cursor() as cursor:
        cursor.execute(sql, adapted)
        return bool(cursor.rowcount)


@cache
def _compile(
    model: type[models.Model], changed: tuple[str, ...], compared: tuple[str, ...]
) -> tuple[str, list[models.Field[Any, Any]]]:
    """The statement, and the fields that its parameters belong to, in order. One database, so one way of quoting."""
    quote = connection.ops.quote_name
    split = [name.partition("__") for name in compared]
    fields = [_field(model, name) for name in (*changed, *(name for name, _, _ in split))]
    columns = [quote(field.column) for field in fields]
    assignments = ", ".join(f"{column} = %s" for column in columns[: len(changed)])
    operators = [_BY_SUFFIX[suffix] for _, _, suffix in split]
    terms = zip(columns[len(changed) :], operators, strict=True)
    conditions = " AND ".join(f"{column} {operator} %s" for column, operator in terms)
    return f"UPDATE {quote(model._meta.db_table)} SET {assignments} WHERE {conditions}", fields  # noqa: S608


def _field(model: type[models.Model], name: str) -> Any:
    return model._meta.pk if name == "pk" else model._meta.get_field(name)
