"""SELECT by SQL that is compiled once: what the ORM does anew each time takes longer than the statement itself."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from django.db import connection, models
from django.db.models.query import ModelIterable

AnyRow = TypeVar("AnyRow", bound=models.Model)


@dataclass(frozen=True)
class _Statement:
    """`places` are the parameters in order: a name in the place of one that is given with each call."""

    compiler: Any
    sql: str
    parameters: tuple[Any, ...]
    places: dict[int, str]
    converters: dict[int, Any]


@dataclass(frozen=True)
class _Prepared:
    """What Django's ModelIterable asks of a QuerySet."""

    compiler: Any
    model: type[models.Model]
    db: str = "default"

    @property
    def query(self) -> _Prepared:
        return self

    @property
    def _known_related_objects(self) -> dict[str, Any]:
        return {}

    def get_compiler(self, using: str) -> Any:
        return self.compiler


class FixedSelect(Generic[AnyRow]):
    """Rows with those joined to them, as a QuerySet gives them. Rows are made by Django, which here compiles once.

    `build` makes the QuerySet of the texts that it is given, such as ids: it is called once, with stand-ins, so it
    must put them into the query as they are.
    """

    def __init__(self, build: Callable[..., models.QuerySet[AnyRow]], *names: str) -> None:
        self._build, self._names = build, names

    def first(self, **values: str | None) -> AnyRow | None:
        return next(iter(self.list(**values)), None)

    def list(self, **values: str | None) -> list[AnyRow]:
        statement = self._statement
        parameters = list(statement.parameters)
        for place, name in statement.places.items():
            parameters[place] = values[name]
        compiler = copy.copy(statement.compiler)
        compiler.connection = connection  # of this thread
        compiler.as_sql = lambda *_, **__: (statement.sql, tuple(parameters))
        compiler.get_converters = lambda _: statement.converters
        return list(ModelIterable(cast(Any, _Prepared(compiler, statement.compiler.query.model))))

    @cached_property
    def _statement(self) -> _Statement:
        stand_ins = {name: f"\0{name}" for name in self._names}
        compiler = self._build(**stand_ins).query.get_compiler(using="default")
        sql, parameters = compiler.as_sql()
        by_stand_in = {stand_in: name for name, stand_in in stand_ins.items()}
        places = {place: by_stand_in[value] for place, value in enumerate(parameters) if value in by_stand_in}
        if set(places.values()) != set(self._names):
            raise ValueError(f"Not all of {', '.join(self._names)} are parameters of {sql}")
        converters = compiler.get_converters([column[0] for column in compiler.select[: compiler.col_count]])
        compiler.connection = None  # the thread that compiles it may end, and its connection with it
        return _Statement(compiler, sql, tuple(parameters), places, converters)
