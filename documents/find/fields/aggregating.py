"""Groups of values and what is computed of each, in decimal figures, the same on every database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, localcontext
from typing import TypeAlias

from documents.find.field_conditions import ValueReading
from documents.find.fields.query import Aggregate, FieldQuery, Group
from documents.find.fields.records import Record, Value
from documents.find.fields.tables import MAX_SOURCES, FieldCell, FieldRow
from kit.errors import Invalid
from printed.currencies import CURRENCY_NAMES, differ, find_currency, join_currencies

MAX_DOCUMENTS, MAX_VALUES, MAX_GROUPS = 20_000, 100_000, 5_000
WITHOUT = "without a currency"
FindCurrency: TypeAlias = Callable[[Record, str, ValueReading | Value], str]
_PRECISION = 60
_SMALLEST = Decimal("0.000001")


@dataclass
class _Collected:
    """Of one group: its documents, and of each field its values once, however many records they stand in.

    `example`: the first of the values that make the group. `currencies`: of the values that are numbers.
    """

    documents: set[str] = field(default_factory=set)
    example: Value | None = None
    values: dict[str, dict[object, ValueReading | Value]] = field(default_factory=lambda: defaultdict(dict))
    currencies: dict[str, dict[object, str]] = field(default_factory=lambda: defaultdict(dict))


@dataclass(frozen=True)
class ComputedRow:
    """`sources`: of a cell the values it was computed of, where they are few enough to be shown; of what makes a group
    the first."""

    row: FieldRow
    sources: Mapping[str, Sequence[Value]]


@dataclass
class Aggregation:
    query: FieldQuery
    find_currency: FindCurrency = field(default=lambda *beside: find_currency_beside(*beside))
    groups: dict[str, _Collected] = field(default_factory=lambda: defaultdict(_Collected))
    # Of each field the documents that have a value, and those with several that stand in no row.
    owners: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    several: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    documents: set[str] = field(default_factory=set)

    def run(self, records: Iterable[Record]) -> list[ComputedRow]:
        """Raises Invalid for more than can be counted exactly."""
        number = 0
        for record in records:
            number += sum(map(len, record.values.values()))
            if number > MAX_VALUES:
                raise Invalid(f"More than {MAX_VALUES:,} values match. Narrow the query by a filter.")
            self._add(record)
        groups = self.groups if self.query.group else {"": self.groups[""]}
        return [self._make_row(key, groups[key]) for key in self._sort_keys(groups)]

    def _add(self, record: Record) -> None:
        self.documents.add(record.key)
        fields = {aggregate.field for aggregate in self.query.aggregates if aggregate.field}
        self._note_owners(record, fields)
        for key in _list_keys(record, self.query.group):
            group = self.groups[key]
            if len(self.groups) > MAX_GROUPS:
                raise Invalid(f"There are more than {MAX_GROUPS:,} groups. Group by month or year, or use a filter.")
            group.documents.add(record.key)
            group.example = group.example or _find_example(record, self.query.group, key)
            for name in fields:
                there = {key: reading for key, reading in _identify(record, name) if reading.text}
                group.values[name] |= there
                numbers = {key: each for key, each in there.items() if each.number is not None}
                group.currencies[name] |= {k: self.find_currency(record, name, each) for k, each in numbers.items()}

    def _note_owners(self, record: Record, fields: Iterable[str]) -> None:
        for name in fields:
            whole: list[Value] = [value for value in record.values.get(name, ()) if not value.row and value.text]
            if any(reading.text for reading in record.list_readings(name)):
                self.owners[name].add(record.key)
            if len(whole) > 1:
                self.several[name].add(record.key)

    def _sort_keys(self, groups: Iterable[str]) -> list[str]:
        """Months and years in their order, others with most documents first."""
        if self.query.group and self.query.group.by != "value":
            return sorted(groups)
        return sorted(groups, key=lambda key: (-len(self.groups[key].documents), key))

    def _make_row(self, key: str, group: _Collected) -> ComputedRow:
        cells: dict[str, FieldCell] = {}
        if self.query.group:
            cells[self.query.group.title] = [key] if key else []
        for aggregate in self.query.aggregates:
            cells[aggregate.title] = _compute(aggregate, group)
        sources = {each.title: _list_sources(each, group, cells[each.title]) for each in self.query.aggregates}
        if self.query.group and group.example:
            sources = {self.query.group.title: [group.example], **sources}
        return ComputedRow(FieldRow(cells), sources)

    def list_notes(self) -> Iterator[str]:
        for name in dict.fromkeys(aggregate.field for aggregate in self.query.aggregates if aggregate.field):
            yield from self.list_notes_of(name)

    def list_notes_of(self, name: str) -> Iterator[str]:
        if missing := len(self.documents - self.owners[name]):
            yield f"No value of {name} in {missing:,} of {len(self.documents):,} {self.query.counted}."
        if self.several[name]:
            yield f"Documents with several values of {name}, each of which counts: {len(self.several[name]):,}."
        if any(each.field == name and each.function != "count" for each in self.query.aggregates):
            if unread := self._count_unread(name):
                yield f"Values of {name} that are neither one number nor one day, and are left out: {unread:,}."
            yield from self._note_currencies(name)

    def has_currency(self, name: str) -> bool:
        return any(any(group.currencies[name].values()) for group in self.groups.values())

    def _note_currencies(self, name: str) -> Iterator[str]:
        """Values without a currency count as of the one that others have, which is said."""
        known = [currency for group in self.groups.values() for currency in group.currencies[name].values()]
        if not any(known):
            return
        if differ(known):
            yield f"Values of {name} are in {join_currencies(known)}: what is computed of them has a figure for each."
        else:
            yield f"Values of {name} are in {join_currencies(known)}."
        if bare := known.count(""):
            apart = "are computed apart" if differ(known) else "are taken for the same"
            yield f"Values of {name} without a currency, which {apart}: {bare:,} of {len(known):,}."

    def _count_unread(self, name: str) -> int:
        readings = (reading for group in self.groups.values() for reading in group.values[name].values())
        return sum(reading.number is None and reading.day is None for reading in readings)


def _identify(record: Record, name: str) -> Iterator[tuple[object, ValueReading | Value]]:
    if name in record.columns:
        return (((record.key, at), reading) for at, reading in enumerate(record.columns[name]))
    return ((value.key, value) for value in record.values.get(name, ()))


def _list_keys(record: Record, group: Group | None) -> list[str]:
    """The empty one is of what has no value."""
    if group is None:
        return [""]
    keys = dict.fromkeys(_name_group(reading, group) for reading in record.list_readings(group.field))
    return [key for key in keys if key] or [""]


def _find_example(record: Record, group: Group | None, key: str) -> Value | None:
    if group is None or not key:
        return None
    values = record.values.get(group.field, ())
    return next((value for value in values if _name_group(value.reading, group) == key), None)


def _name_group(reading: ValueReading, group: Group) -> str:
    if group.by == "value":
        return reading.text
    if reading.day is None:
        return ""
    return reading.day.isoformat()[: 7 if group.by == "month" else 4]


def _compute(aggregate: Aggregate, group: _Collected) -> FieldCell:
    if not aggregate.field:
        return [len(group.documents)]
    readings = list(group.values[aggregate.field].values())
    if aggregate.function == "count":
        return [len(readings)]
    currencies = group.currencies[aggregate.field]
    if differ(currencies.values()):
        return list(_compute_apart(aggregate, group))
    numbers = [reading.number for reading in readings if reading.number is not None]
    days = [reading.day for reading in readings if reading.day is not None]
    if aggregate.function in ("min", "max"):
        return _choose_extreme(aggregate, days if len(days) > len(numbers) else numbers)
    return _compute_sum(aggregate, numbers)


def _compute_apart(aggregate: Aggregate, group: _Collected) -> Iterator[str]:
    """A figure for each currency, and one for what has none."""
    currencies = group.currencies[aggregate.field]
    for currency in sorted(set(currencies.values()), key=lambda each: (not each, each)):
        values = [group.values[aggregate.field][key].number for key, own in currencies.items() if own == currency]
        numbers = [number for number in values if number is not None]
        is_extreme = aggregate.function in ("min", "max")
        for figure in (_choose_extreme if is_extreme else _compute_sum)(aggregate, numbers):
            yield f"{currency or WITHOUT} {figure}"


def find_currency_beside(record: Record, name: str, reading: ValueReading | Value) -> str:
    """Of a value of the same run first, since two prompts may see a document otherwise."""
    if not isinstance(reading, Value):
        return ""
    table = name.rpartition(".")[0]
    containers = [
        {
            each: _choose_text(record.values.get(f"{path}.{each}" if path else each, ()), reading)
            for each in CURRENCY_NAMES
        }
        for path in dict.fromkeys([table, ""])
    ]
    return find_currency(name, reading.text, *containers)


def _choose_text(values: Sequence[Value], beside: Value) -> str:
    own = [value.text for value in values if value.prompt_id == beside.prompt_id]
    return next(iter([*own, *(value.text for value in values)]), "")


def _list_sources(aggregate: Aggregate, group: _Collected, cell: FieldCell) -> Sequence[Value]:
    """Of what is added up all, of the smallest and the largest the first."""
    values = [value for value in group.values[aggregate.field].values() if isinstance(value, Value)]
    if differ(group.currencies[aggregate.field].values()):
        return ()
    if aggregate.function in ("min", "max"):
        return [value for value in values if value.number in cell or value.day in cell][:1]
    if aggregate.function in ("sum", "avg"):
        added = [value for value in values if value.number is not None]
        return added if len(added) <= MAX_SOURCES else ()
    return ()


def _choose_extreme(aggregate: Aggregate, values: Sequence[Decimal] | Sequence[date]) -> FieldCell:
    choose = min if aggregate.function == "min" else max
    chosen = choose(values) if values else None
    return [] if chosen is None else [shorten_figure(chosen) if isinstance(chosen, Decimal) else chosen]


def _compute_sum(aggregate: Aggregate, numbers: Sequence[Decimal]) -> FieldCell:
    if not numbers:
        return []
    with localcontext(prec=_PRECISION):
        total = sum(numbers, Decimal(0))
        return [shorten_figure(total if aggregate.function == "sum" else (total / len(numbers)).quantize(_SMALLEST))]


def shorten_figure(value: Decimal) -> Decimal:
    """Without zeros at the end beyond those of an amount."""
    with localcontext(prec=_PRECISION):
        short, cents = value.normalize(), value.quantize(Decimal("0.01"))
        return cents if short == cents else short
