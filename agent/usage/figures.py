"""Tables of figures: one form for the page, its files and programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeAlias

from documents.reading.exports.csv_lines import format_lines
from kit.formats import format_day
from llm.money.budgets import format_dollars

Unit: TypeAlias = Literal["text", "day", "count", "tokens", "micros", "percent", "seconds"]
Value: TypeAlias = str | int | date | None
Row: TypeAlias = Sequence[Value]


@dataclass(frozen=True)
class Column:
    """`name` is for programs and files, `title` for people, who read its texts as `say` words them."""

    name: str
    title: str
    unit: Unit = "count"
    say: Callable[[str], str] | None = None

    @property
    def is_number(self) -> bool:
        return self.unit not in ("text", "day")

    def format(self, value: Value) -> str:
        text = format_value(self.unit, value)
        return self.say(text) if self.say and text else text


@dataclass(frozen=True)
class Cell:
    """`title` is that of its column, which stands beside it where a row is a list."""

    title: str
    text: str
    is_number: bool


@dataclass(frozen=True)
class Figures:
    """`total` is the last row; `note` one sentence about all of it; `links` lead from the rows, in their order."""

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    total: Row | None = None
    note: str = ""
    links: Sequence[str] = field(default_factory=list)

    def list_lines(self) -> list[tuple[str, list[Cell]]]:
        """(link or nothing, cells) of each row."""
        links = [*self.links, *[""] * (len(self.rows) - len(self.links))]
        return [(link, self._format(row)) for link, row in zip(links, self.rows, strict=True)]

    def list_totals(self) -> list[Cell]:
        return self._format(self.total or ())

    def _format(self, row: Row) -> list[Cell]:
        pairs = zip(self.columns, row, strict=False)
        return [Cell(column.title, column.format(value), column.is_number) for column, value in pairs]

    def write_csv(self) -> str:
        """Amounts are millionths of a dollar divided out; days are ISO; text can never run as a formula."""
        heads = [column.name.replace("_micros", "_dollars") for column in self.columns]
        units = [column.unit for column in self.columns]
        return format_lines([heads, *(map(_write_value, units, row) for row in self.rows)])

    def describe_rows(self) -> list[dict[str, str | int | None]]:
        names = [column.name for column in self.columns]
        rows = [[value.isoformat() if isinstance(value, date) else value for value in row] for row in self.rows]
        return [dict(zip(names, row, strict=True)) for row in rows]


def _write_value(unit: Unit, value: Value) -> object:
    if value is None:
        return ""
    if unit == "micros":
        return f"{int(str(value)) / 1_000_000:.6f}"
    return value


def name_model(name: str) -> str:
    """As people say it: without its provider."""
    return "Built-in offline model" if name.startswith("offline/") else name.rpartition("/")[2]


def format_value(unit: Unit, value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, date):
        return format_day(value)
    if isinstance(value, str):
        return value
    if unit == "micros":
        return format_dollars(value) if value else "free"
    if unit == "percent":
        return f"{value} %"
    if unit == "seconds":
        return format_seconds(value)
    return format_tokens(value) if unit == "tokens" else f"{value:,}"


def format_tokens(number: int) -> str:
    """950, 12 k, 3.1 M."""
    if number >= 1_000_000:
        return f"{number / 1_000_000:,.1f} M"
    return f"{round(number / 1000)} k" if number >= 10_000 else f"{number:,}"


def format_seconds(number: int) -> str:
    """9 s, 3 min 20 s, 2 h 10 min, 4 d 2 h."""
    for size, name, smaller, small in ((86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if number >= size:
            rest = number % size // smaller
            return f"{number // size} {name} {rest} {small}" if rest else f"{number // size} {name}"
    return f"{number} s"


def percent(part: int, whole: int) -> int | None:
    """None of nothing."""
    return round(100 * part / whole) if whole else None
