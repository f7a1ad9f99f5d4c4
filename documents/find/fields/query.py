"""A checked question about values. Everything of it comes from outside, maybe from a model, and none of it is SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from documents.find.field_conditions import FieldCondition
from documents.find.fields.columns import COLUMNS, NAME
from documents.find.fields.conditions import parse_condition
from documents.models import CurrentValue
from kit.errors import Invalid
from printed.currencies import CURRENCY_NAMES

MAX_FILTERS, MAX_COLUMNS, MAX_AGGREGATES = 10, 10, 6
Function: TypeAlias = Literal["count", "sum", "min", "max", "avg"]
Span: TypeAlias = Literal["value", "month", "year"]
FUNCTIONS: tuple[Function, ...] = ("count", "sum", "min", "max", "avg")
SPANS: tuple[Span, ...] = ("value", "month", "year")
GROUP_SHAPE = 'A group is an object such as {"field": "vendor"} or {"field": "invoice_date", "by": "month"}.'
AGGREGATE_SHAPE = 'An aggregate is an object such as {"function": "sum", "field": "total"} or {"function": "count"}.'


@dataclass(frozen=True)
class Group:
    field: str
    by: Span = "value"

    @property
    def title(self) -> str:
        return self.field if self.by == "value" else f"{self.field} ({self.by})"


@dataclass(frozen=True)
class Aggregate:
    """Without a field documents are counted, or what else `counted` says."""

    function: Function
    field: str = ""
    counted: str = "documents"

    @property
    def title(self) -> str:
        return f"{self.function}({self.field or self.counted})"


@dataclass(frozen=True)
class FieldQuery:
    """All of the filters have to hold."""

    filters: Sequence[FieldCondition] = ()
    columns: Sequence[str] = ()
    group: Group | None = None
    aggregates: Sequence[Aggregate] = ()
    counted: str = "documents"

    @property
    def output_fields(self) -> list[str]:
        """What rows are made of."""
        group = [self.group.field] if self.group else []
        aggregated = [aggregate.field for aggregate in self.aggregates if aggregate.field]
        return list(dict.fromkeys([*group, *self.columns, *aggregated]))

    @property
    def currency_fields(self) -> list[str]:
        """Where the currency of what is added up may stand: beside it, or once for the document."""
        added = [each.field for each in self.aggregates if each.function != "count" and not each.field.startswith("@")]
        tables = {"", *(f"{name.rpartition('.')[0]}." for name in added if "." in name)}
        return [f"{table}{name}" for table in sorted(tables) for name in CURRENCY_NAMES] if added else []

    @property
    def fields(self) -> list[str]:
        return list(dict.fromkeys([*self.output_fields, *(condition.field for condition in self.filters)]))


def parse_query(
    *, filters: object = None, columns: object = None, group: object = None, aggregates: object = None
) -> FieldQuery:
    """Raises Invalid with what is wrong."""
    query = FieldQuery(
        [parse_condition(each) for each in _list_of(filters, "filters", MAX_FILTERS)],
        [_parse_field(each, "columns") for each in _list_of(columns, "columns", MAX_COLUMNS)],
        _parse_group(group) if group is not None else None,
        [_parse_aggregate(each) for each in _list_of(aggregates, "aggregates", MAX_AGGREGATES)],
    )
    if query.group and not query.aggregates:
        query = FieldQuery(query.filters, query.columns, query.group, [Aggregate("count")])
    if query.aggregates and query.columns:
        raise Invalid("Ask for columns of single documents, or for aggregates of all of them, not for both at once.")
    return query if query.aggregates or query.columns else FieldQuery(query.filters, [NAME])


def _list_of(raw: object, noun: str, maximum: int) -> Sequence[object]:
    if raw is None:
        return []
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        raise Invalid(f"{noun} is a list.")
    if len(raw) > maximum:
        raise Invalid(f"There are {len(raw)} {noun}; {maximum} are the most.")
    return raw


def _parse_field(raw: object, noun: str) -> str:
    name = raw.replace("\0", "").strip() if isinstance(raw, str) else ""
    if not 0 < len(name) <= CurrentValue.MAX_PATH:
        raise Invalid(f"{noun} are names of fields such as total, line_items.amount or {COLUMNS[1]}.")
    if name.startswith("@") and name not in COLUMNS:
        raise Invalid(f"There is no column “{name[:60]}” of documents. There are {', '.join(COLUMNS)}.")
    return name


def _parse_group(raw: object) -> Group:
    if not isinstance(raw, Mapping) or set(raw) - {"field", "by"}:
        raise Invalid(GROUP_SHAPE)
    by = raw.get("by") or "value"
    if by not in SPANS:
        raise Invalid(f"Groups are by {', '.join(SPANS)}; “{str(by)[:60]}” is none of them.")
    return Group(_parse_field(raw.get("field"), "Fields of a group"), by)


def _parse_aggregate(raw: object) -> Aggregate:
    if not isinstance(raw, Mapping) or set(raw) - {"function", "field"}:
        raise Invalid(AGGREGATE_SHAPE)
    function, field = raw.get("function"), raw.get("field") or ""
    if function not in FUNCTIONS:
        raise Invalid(f"There is no aggregate “{str(function)[:60]}”. There are {', '.join(FUNCTIONS)}.")
    if not field and function != "count":
        raise Invalid(f"{function} needs a field. {AGGREGATE_SHAPE}")
    return Aggregate(function, _parse_field(field, "Fields of an aggregate") if field else "")
