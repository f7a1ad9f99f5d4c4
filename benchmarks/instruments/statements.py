"""Counts what is sent to the database: by kind, by table, and by the function of ours that asked for it.

The end of a transaction is none that a wrapper sees: each BEGIN stands for two.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, TypeAlias

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

Execute: TypeAlias = Callable[[str, Any, bool, dict[str, Any]], Any]
OURS = re.compile(r"/(accounts|agent|documents|worker)/(.+)\.py$")
TABLE = re.compile(r'\b(?:FROM|INTO|UPDATE)\s+"(\w+)"')


@dataclass
class StatementCount:
    """Of all threads of this process. `part` names what is being done, where somebody says so."""

    kinds: Counter[str] = field(default_factory=Counter)
    tables: Counter[tuple[str, str]] = field(default_factory=Counter)
    callers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)
    part: str = ""

    @property
    def total(self) -> int:
        return sum(self.kinds.values())

    def count(self, execute: Execute, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        kind = sql.split(None, 1)[0]
        named = TABLE.search(sql)
        table = named[1] if named else ""
        self.kinds[kind] += 1
        self.parts[self.part] += 1
        self.tables[kind, table] += 1
        self.callers[kind, table, find_caller(sys._getframe())] += 1
        return execute(sql, params, many, context)


def find_caller(frame: FrameType | None) -> str:
    """The nearest function of an app of ours, with the one that called it: the shelves of `kit` ask for others."""
    names: list[str] = []
    while frame is not None and len(names) < 2:
        if named := OURS.search(frame.f_code.co_filename):
            names.append(f"{named[1]}.{named[2].replace('/', '.')}.{frame.f_code.co_name}")
        frame = frame.f_back
    return " < ".join(names)


@contextmanager
def statement_count() -> Iterator[StatementCount]:
    count = StatementCount()

    def watch(connection: BaseDatabaseWrapper, **_: object) -> None:
        """Once: a connection that is made anew keeps what watches it."""
        if count.count not in connection.execute_wrappers:
            connection.execute_wrappers.append(count.count)

    for connection in connections.all(initialized_only=True):
        watch(connection)
    connection_created.connect(watch)
    try:
        yield count
    finally:
        connection_created.disconnect(watch)
        for connection in connections.all(initialized_only=True):
            connection.execute_wrappers = [each for each in connection.execute_wrappers if each != count.count]
