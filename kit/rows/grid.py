"""Search, sort and filters of lists, as the MUI data grid of the published front end sends them.

https://mui.com/x/react-data-grid/filtering/ and https://mui.com/x/react-data-grid/sorting/ name the models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import reduce
from operator import and_, or_
from typing import Literal, TypeVar

from django.db.models import Case, Exists, IntegerField, Model, OuterRef, Q, QuerySet, Value, When
from django.utils.dateparse import parse_date, parse_datetime

from kit import sanitize
from kit.errors import Invalid
from kit.json_types import Json, JsonObject
from kit.rows.models import fold_case

M = TypeVar("M", bound=Model)
# SQLite reads no expression that is more than 1,000 deep, and a filter may be several.
MAX_FILTERS = 100
# It reads no pattern of 50,000 bytes either, and no name is as long as this.
MAX_LETTERS = 1000


@dataclass(frozen=True)
class Many:
    """A relation to many: the rows that tie, the column of theirs that holds a key, and the listed model's own key."""

    ties: type[Model]
    key: str
    own_key: str = "pk"


@dataclass(frozen=True)
class Column:
    """A field of the wire: the model's path, its kind, and the folded column that text is searched in.

    With `many`, such as the tags of documents, the paths begin at the rows that tie.
    """

    path: str
    kind: Literal["text", "datetime"] = "text"
    folded_path: str = ""
    sortable: bool = True
    many: Many | None = None


@dataclass(frozen=True)
class Grid:
    """The columns that a list can be sorted and filtered by, and its order when none is asked for."""

    columns: Mapping[str, Column]
    newest_first: tuple[str, ...] = ("-created_at", "-pk")
    name_path: str = "name_folded"


def arrange(
    rows: QuerySet[M], grid: Grid, *, name_search: str = "", sort: Json = None, filters: Json = None
) -> QuerySet[M]:
    """These rows narrowed and in order. `sort` and `filters` are a JSON text or what it says. Raises Invalid."""
    rows = narrow(rows, grid, name_search=name_search, filters=filters)
    order = _order(sort, grid)
    search = fold_case(_plain(name_search))
    return rows.order_by(*[_rank(grid.name_path, search)] * bool(search), *order)


def narrow(rows: QuerySet[M], grid: Grid, *, name_search: str = "", filters: Json = None) -> QuerySet[M]:
    """Narrow by the grid's conditions, without its order."""
    if filters:
        rows = rows.filter(_condition(_parse_json(filters, dict, "Invalid filters JSON"), grid))
    search = fold_case(_plain(name_search))
    return rows.filter(**{f"{grid.name_path}__contains": search}) if search else rows


def check_number(count: int, noun: str) -> None:
    """Bound the conditions that must all hold. Raises Invalid."""
    if count > MAX_FILTERS:
        raise Invalid(f"There are {count:,} {noun}; {MAX_FILTERS} is the most.")


def _rank(path: str, search: str) -> Case:
    """Exact matches first, then those that begin with it, then the others."""
    return Case(
        When(**{path: search}, then=Value(0)),
        When(**{f"{path}__startswith": search}, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )


def _order(sent: Json, grid: Grid) -> list[str]:
    entries = _parse_json(sent, list, "Invalid sort JSON") if sent else []
    order = []
    for entry in entries:
        column = grid.columns.get(str(entry.get("field"))) if isinstance(entry, dict) else None
        if column and column.sortable:
            order.append(f"{'-' if entry.get('sort') == 'desc' else ''}{column.folded_path or column.path}")
    return [*order, *grid.newest_first]


def _parse_json(sent: Json, expected: type, sentence: str) -> Json:
    try:
        value = sanitize.parse(sent) if isinstance(sent, str) else sent
    except ValueError:
        raise Invalid(sentence) from None
    if not isinstance(value, expected):
        raise Invalid(sentence)
    return value


def _condition(model: JsonObject, grid: Grid) -> Q:
    items = model.get("items")
    if isinstance(items, list):
        check_number(len(items), "filters")
    conditions = [condition for item in items if (condition := _item(item, grid))] if isinstance(items, list) else []
    if not conditions:
        return Q()
    return reduce(or_ if model.get("logicOperator") == "or" else and_, conditions)


def _item(item: Json, grid: Grid) -> Q | None:
    """One filter; unknown fields and operators, and a missing value, filter nothing."""
    if not isinstance(item, dict):
        return None
    column, operator = grid.columns.get(str(item.get("field"))), str(item.get("operator"))
    if column is None:
        return None
    if operator in ("isEmpty", "isNotEmpty"):
        empty = _empty(column)
        return empty if operator == "isEmpty" else ~empty
    if item.get("value") in (None, "", []):
        return None
    if column.kind == "datetime":
        return _moment(column, operator, str(item["value"]))
    return _text(column, operator, item["value"])


def _empty(column: Column) -> Q:
    if column.many:
        own = {column.many.key: OuterRef(column.many.own_key)}
        return ~Q(Exists(column.many.ties._base_manager.filter(**own)))
    missing = Q(**{f"{column.path}__isnull": True})
    if column.kind == "datetime":
        return missing
    return missing | Q(**{column.path: ""})


_TEXT: dict[str, tuple[str, bool]] = {
    "contains": ("contains", False),
    "doesNotContain": ("contains", True),
    "startsWith": ("startswith", False),
    "endsWith": ("endswith", False),
    "equals": ("exact", False),
    "=": ("exact", False),
    "is": ("exact", False),
    "doesNotEqual": ("exact", True),
    "!=": ("exact", True),
    "not": ("exact", True),
}


def _text(column: Column, operator: str, value: Json) -> Q | None:
    if operator == "isAnyOf":
        values = [_plain(entry) for entry in value] if isinstance(value, list) else [_plain(value)]
        return _through(column, Q(**{f"{column.path}__in": values}))
    if operator not in _TEXT:
        return None
    lookup, negated = _TEXT[operator]
    condition = _through(column, _compare(column, lookup, _plain(value)))
    return ~condition if negated else condition


def _compare(column: Column, lookup: str, value: str) -> Q:
    if lookup == "exact":
        return Q(**{column.path: value})
    if column.folded_path:
        return Q(**{f"{column.folded_path}__{lookup}": fold_case(value)})
    return Q(**{f"{column.path}__i{lookup}": value})


def _plain(value: Json) -> str:
    """PostgreSQL refuses NUL in text; no name holds one. Raises Invalid for a text that is too long for a name."""
    text = str(value).replace("\0", "")
    if len(text) > MAX_LETTERS:
        raise Invalid(f"What is looked for has {len(text):,} characters; {MAX_LETTERS:,} is the most.")
    return text


def _through(column: Column, condition: Q) -> Q:
    """A relation to many is matched by key in a subquery: a join would repeat a row for each match."""
    if column.many is None:
        return condition
    ties = column.many.ties._base_manager.filter(condition)
    return Q(**{f"{column.many.own_key}__in": ties.values(column.many.key)})


_MOMENT: dict[str, Callable[[str, datetime, datetime], Q]] = {
    "is": lambda path, start, end: Q(**{f"{path}__gte": start, f"{path}__lt": end}),
    "=": lambda path, start, end: Q(**{f"{path}__gte": start, f"{path}__lt": end}),
    "equals": lambda path, start, end: Q(**{f"{path}__gte": start, f"{path}__lt": end}),
    "not": lambda path, start, end: ~Q(**{f"{path}__gte": start, f"{path}__lt": end}),
    "after": lambda path, start, end: Q(**{f"{path}__gte": end}),
    "onOrAfter": lambda path, start, end: Q(**{f"{path}__gte": start}),
    "before": lambda path, start, end: Q(**{f"{path}__lt": start}),
    "onOrBefore": lambda path, start, end: Q(**{f"{path}__lt": end}),
}


def _moment(column: Column, operator: str, value: str) -> Q | None:
    span = _span(value)
    if span is None or operator not in _MOMENT:
        return None
    return _MOMENT[operator](column.path, *span)


def _span(value: str) -> tuple[datetime, datetime] | None:
    """Read a whole day, or with a time the minute that the grid's picker means."""
    try:
        if day := parse_date(value):
            start = datetime.combine(day, time(), UTC)
            return start, start + timedelta(days=1)
        moment = parse_datetime(value)
        if moment is None:
            return None
        start = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        return start, start + timedelta(minutes=1)
    except (ValueError, OverflowError):
        return None
