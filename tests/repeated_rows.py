"""Rows that most tests start from: a service makes them once a process, then its INSERTs are said again.

A service puts the same statements together anew each time, which takes several times as long as to run them.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, Generic, TypeVar

from django.db import connection, transaction
from django.db.models import Model

from kit.ids import is_id, new_id

M = TypeVar("M", bound=Model)


class RepeatedRows(Generic[M]):
    """New rows each time, like those of the first time: with new ids, and the words that are given in place of its."""

    def __init__(self) -> None:
        self._inserts: list[tuple[str, tuple[Any, ...]]] = []
        self._words: tuple[str, ...] = ()
        self._row: M | None = None

    def make(self, make: Callable[[], M], *words: str) -> M:
        """What `make` gives. The words are what it is made of: names, and ids of rows that stand there already."""
        if self._row is not None:
            return self._repeat(dict(zip(self._words, words, strict=True)), self._row)
        with connection.execute_wrapper(self._note):
            row = make()
        self._words, self._row = words, copy_row(row)
        return row

    def _note(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if sql.startswith("INSERT"):
            self._inserts.append((sql, tuple(params)))
        return execute(sql, params, many, context)

    def _repeat(self, words: dict[str, str], first: M) -> M:
        with transaction.atomic(savepoint=False), connection.cursor() as cursor:
            for sql, params in self._inserts:
                cursor.execute(sql, [_replace(param, words) for param in params])
        row = copy_row(first)
        vars(row).update({name: _replace(value, words) for name, value in vars(row).items() if name != "_state"})
        return row


def copy_row(row: M) -> M:
    """As it is, without what Django adds for a row that is stored away by pickle."""
    twin = copy(row)
    del twin._django_version  # type: ignore[attr-defined]
    return twin


def _replace(value: Any, words: dict[str, str]) -> Any:
    """An id that is met for the first time gets a new one in its place."""
    if not isinstance(value, str):
        return value
    if is_id(value) and value not in words:
        words[value] = new_id()
    return words.get(value, value)
