"""What every kind of value check is: typed parameters, words, and a verdict on the values of an extraction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Self

from documents.checks.checked_values import CheckedValues
from documents.checks.findings import Finding
from documents.checks.parameters import Parameter, Parsed
from documents.checks.schema_paths import SchemaPaths
from kit.errors import Invalid, Problem
from kit.json_types import Json, JsonObject


@dataclass(frozen=True)
class ValueCheck(ABC):
    """A kind is a dataclass whose fields are named as its `parameters`."""

    kind: ClassVar[str]
    title: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    # Templates show kinds, which are classes, and would make one.
    do_not_call_in_templates: ClassVar[bool] = True

    @abstractmethod
    def describe(self, paths: SchemaPaths) -> str:
        """The check as a sentence."""

    @abstractmethod
    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        """What is wrong, or that something holds; nothing at all is as good as passed. May raise CannotCompute."""

    @classmethod
    def parse(cls, config: JsonObject, paths: SchemaPaths, where: str) -> Self:
        """Raises Invalid with a problem for each parameter that cannot be used."""
        problems, parsed = list[Problem](), dict[str, Parsed]()
        names = [each.name for each in cls.parameters]
        if unknown := sorted(set(config) - {"kind", *names}):
            problems.append(Problem(where, f"{where}: {cls.kind} has no {unknown[0][:60]}; it has {', '.join(names)}."))
        for parameter in cls.parameters:
            try:
                parsed[parameter.name] = parameter.parse(config.get(parameter.name), paths)
            except Invalid as error:
                place = f"{where}.{parameter.name}"
                problems.append(Problem(place, f"{where}: {error.sentence}"))
        if not problems and (wrong := cls.find_problem(parsed, paths)):
            problems.append(Problem(where, f"{where}: {wrong}"))
        if problems:
            raise Invalid(problems[0].message, problems=problems, code="value_checks")
        return cls(**parsed)

    @classmethod
    def find_problem(cls, parsed: dict[str, Parsed], paths: SchemaPaths) -> str:
        """What is wrong with the parameters together: the columns of a check stand in one list."""
        named: list[str] = []
        for parameter in cls.parameters:
            value = parsed[parameter.name] if parameter.is_path else None
            named += value if isinstance(value, tuple) else [value] if isinstance(value, str) else []
        tables = dict.fromkeys(known.table for path in named if (known := paths.find(path)) and known.table)
        return f"the fields are in several lists: {', '.join(tables)}." if len(tables) > 1 else ""

    def serialize(self) -> JsonObject:
        """As it is stored and as clients get it: without what is empty."""
        values = {each.name: _serialize(getattr(self, each.name)) for each in self.parameters}
        return {"kind": self.kind, **{name: value for name, value in values.items() if value not in (None, [])}}


def _serialize(value: Parsed) -> Json:
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, Decimal) else value
