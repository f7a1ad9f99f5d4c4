"""Metadata pairs in queries: any key, also one that looks like a number or holds dots and quotes."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, F, Func, Value
from django.db.models.sql.compiler import SQLCompiler

Compiled = tuple[str, tuple[str | int, ...]]


class HasPair(Func):
    """True when the JSON object in the column holds exactly this text under this key."""

    output_field = BooleanField()

    def __init__(self, column: str, key: str, value: str) -> None:
        super().__init__(F(column), Value(key), Value(value))

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any) -> Compiled:
        pattern = "EXISTS(SELECT 1 FROM JSON_EACH({}) WHERE key = {} AND value = {})"
        return self._filled(compiler, pattern)

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any) -> Compiled:
        return self._filled(compiler, "(({} ->> ({})::text) = {})")

    def _filled(self, compiler: SQLCompiler, pattern: str) -> Compiled:
        parts = [compiler.compile(expression) for expression in self.get_source_expressions()]
        return pattern.format(*(sql for sql, _ in parts)), tuple(value for _, values in parts for value in values)
