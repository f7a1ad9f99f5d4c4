"""SELECT by SQL that is compiled once, for the few reads of which a round or a request asks again and again.

What the ORM does anew each time takes longer than the statement itself; the others are plain queries.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar, cast

from django.db import connection, models
from django.db.models.query import ModelIterable
from django.db.models.sql import Query

Compiler: TypeAlias = Any
"""A SQLCompiler of Django whose methods are replaced by what was compiled before."""

Values: TypeAlias = tuple[Any, ...]
"""One value a column."""

P = ParamSpec("P")
AnyRow = TypeVar("AnyRow", bound=models.Model)
Row = TypeVar("Row")


@dataclass(frozen=True)
class _Statement:
    """`names` are the places of the parameters that are given with each call."""

    compiler: Compiler
    sql: str
    parameters: Values
    names: dict[int, str]
    converters: dict[int, object]


@dataclass(frozen=True)
class _Prepared:
    """The part of a QuerySet that Django's ModelIterable asks for."""

    compiler: Compiler
    model: type[models.Model]
    db: str = "default"

    @property
    def query(self) -> _Prepared:
        return self

    @property
    def _known_related_objects(self) -> dict[str, object]:
        return {}

    def get_compiler(self, using: str) -> Compiler:
        return self.compiler


class _Fixed(Generic[P, Row]):
    """Decorates a function that makes a QuerySet of its parameters: ids and other texts, and numbers (`int`).

    It is called once, with stand-ins, so it must put them into the query as they are, and nothing that changes.
    """

    def __init__(self, build: Callable[P, models.QuerySet[models.Model, object]]) -> None:
        self._build = build
        self._stand_ins: dict[str, str | int] = {
            name: 2_000_000_011 + place if parameter.annotation in (int, "int") else f"\0{name}"
            for place, (name, parameter) in enumerate(signature(build).parameters.items())
        }

    def first(self, *ids: P.args, **values: P.kwargs) -> Row | None:
        return next(iter(self.list(*ids, **values)), None)

    def list(self, *ids: P.args, **values: P.kwargs) -> list[Row]:
        statement = self._statement
        parameters, given = list(statement.parameters), {**dict(zip(self._stand_ins, ids, strict=False)), **values}
        for place, name in statement.names.items():
            parameters[place] = given[name]
        compiler = copy.copy(statement.compiler)
        compiler.connection = connection  # of this thread
        compiler.as_sql = lambda *_, **__: (statement.sql, tuple(parameters))
        compiler.get_converters = lambda _: statement.converters
        return list(self._iterate(compiler))

    def _iterate(self, compiler: Compiler) -> Iterable[Row]:
        raise NotImplementedError

    @cached_property
    def _statement(self) -> _Statement:
        build = cast(Callable[..., models.QuerySet[models.Model, object]], self._build)
        compiler = build(**self._stand_ins).query.get_compiler(using="default")
        sql, parameters = compiler.as_sql()
        given = {stand_in: name for name, stand_in in self._stand_ins.items()}
        names = {place: given[value] for place, value in enumerate(parameters) if value in given}
        if set(names.values()) != set(self._stand_ins):
            raise ValueError(f"Not all of {', '.join(self._stand_ins)} are parameters of {sql}")
        converters = compiler.get_converters([column[0] for column in compiler.select[: compiler.col_count]])
        compiler.connection = None  # the thread that compiles it may end, and its connection with it
        return _Statement(compiler, sql, tuple(parameters), names, converters)


def is_whole_table(rows: models.QuerySet[models.Model]) -> bool:
    """Whether it is what `objects.all()` gives, with rows joined to it by `select_related` at most."""
    whole = Query(rows.model)
    is_like_it = (getattr(whole, name) == value for name, value in vars(rows.query).items() if name != "select_related")
    own = [vars(rows)[name] for name in ("_prefetch_related_lookups", "_fields", "_iterable_class", "_db")]
    return own == [(), None, ModelIterable, None] and all(is_like_it)


class FixedSelect(_Fixed[P, AnyRow]):
    """Rows with those joined to them, made by Django as a QuerySet makes them."""

    def __init__(self, build: Callable[P, models.QuerySet[AnyRow]]) -> None:
        super().__init__(build)

    def get(self, *ids: P.args, **values: P.kwargs) -> AnyRow:
        """The first row. Raises the model's DoesNotExist."""
        row = self.first(*ids, **values)
        if row is None:
            raise self._statement.compiler.query.model.DoesNotExist
        return row

    def _iterate(self, compiler: Compiler) -> Iterable[AnyRow]:
        return ModelIterable(cast(Any, _Prepared(compiler, compiler.query.model)))


class FixedValues(_Fixed[P, Values]):
    """The tuples of a QuerySet of `values_list`."""

    def _iterate(self, compiler: Compiler) -> Iterable[Values]:
        rows: Iterable[Values] = compiler.results_iter(tuple_expected=True)
        return rows
