"""The values of one extraction as value checks read them: single values, columns, amounts, days; all bounded."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import chain, islice

from documents.checks.findings import CannotCompute
from documents.checks.schema_paths import SchemaPaths
from documents.locate.printed_sums import PrintedSums
from documents.values.addresses import Where, iterate_leaves
from documents.values.bounded_checks import Budget
from documents.values.provenance import ValuePlace
from documents.values.stored import Stored, StoredRow
from printed.currencies import CURRENCY_NAMES, count_decimals, differ, find_currency, format_amount, join_currencies
from printed.dates import parse_dates
from printed.numbers import find_decimal_mark, list_readings

# All checks of an extraction share it. An edit that is being written waits for them.
MAX_STEPS = 100_000
PATTERN_SECONDS = 0.2
MAX_TEXTS_FOR_MARK = 1000
_QUOTED = 60


@dataclass(frozen=True)
class Cell:
    """`row`: the value of the row that it stands in."""

    where: Where
    path: str
    value: Stored
    row: Stored = None

    @property
    def is_empty(self) -> bool:
        return self.value is None or self.value in ("", [], {})


@dataclass
class CheckedValues:
    """`pages` are those with text, `pages_seen` what the model was given of `page_count`."""

    stored: Stored
    paths: SchemaPaths
    provenance: dict[Where, ValuePlace] = field(default_factory=dict)
    pages: Sequence[int] = ()
    pages_seen: Collection[int] = ()
    page_count: int = 0
    printed: PrintedSums = field(default_factory=PrintedSums)
    budget: Budget = field(default_factory=lambda: Budget(MAX_STEPS, PATTERN_SECONDS))
    schema_id: str = ""
    twins: dict[str, list[str]] | None = None
    """Names of other documents by the digest of the values they share with this one; None: nobody has looked."""

    def get(self, path: str) -> Cell:
        return self._get_inside(self.stored, path, path, path)

    def list_rows(self, table: str) -> list[StoredRow]:
        rows = self.get(table).value
        rows = rows if isinstance(rows, list) else []
        self.budget.spend(len(rows))
        return rows

    def list_cells(self, path: str) -> list[Cell]:
        """The values of a column; of a single value that alone."""
        known = self.paths.find(path)
        if known is None or not known.table:
            return [self.get(path)]
        return [self._get_in_row(known.table, row, path) for row in self.list_rows(known.table)]

    def iterate_together(self, paths: Sequence[str]) -> Iterator[list[Cell]]:
        """The values of these fields that belong together: once, or of each row where one of them is a column."""
        tables = [known.table for path in paths if (known := self.paths.find(path)) and known.table]
        if not tables:
            yield [self.get(path) for path in paths]
            return
        for row in self.list_rows(tables[0]):
            self.budget.spend(len(paths))
            yield [self._get_beside(tables[0], row, path) for path in paths]

    def _get_beside(self, table: str, row: StoredRow, path: str) -> Cell:
        known = self.paths.find(path)
        return self._get_in_row(table, row, path) if known and known.table == table else self.get(path)

    def _get_in_row(self, table: str, row: StoredRow, path: str) -> Cell:
        inner = path.removeprefix(table).removeprefix(".")
        place = f"{table}[{row['row_id']}]"
        cell = self._get_inside(row["value"], inner, f"{place}.{inner}".removesuffix("."), path)
        return replace(cell, row=row["value"])

    def _get_inside(self, value: Stored, names: str, where: Where, path: str) -> Cell:
        for name in names.split(".") if names else ():
            value = value.get(name) if isinstance(value, dict) else None
        return Cell(where, path, value)

    def read_amount(self, cell: Cell) -> Decimal | None:
        """None for an empty value. Raises CannotCompute for what is no one number."""
        if cell.is_empty:
            return None
        readings = list_readings(cell.value, self.decimal_mark)
        if len(readings) == 1:
            return readings.pop()
        problem = "can be read as several amounts" if readings else "is no number"
        raise CannotCompute(f"{self.title_of(cell)}: {quote(cell.value)} {problem}.", cell.where)

    def require_one_currency(self, cells: Iterable[Cell]) -> None:
        """Raises CannotCompute for values that are in several, which nobody may add up. Those without one are taken
        for the same."""
        cells = [cell for cell in cells if not cell.is_empty]
        currencies = [find_currency(cell.path, cell.value, cell.row, self.stored) for cell in cells]
        if differ(currencies):
            titles = ", ".join(dict.fromkeys(map(self.title_of, cells)))
            raise CannotCompute(
                f"{titles}: the amounts are in {join_currencies(currencies)}, and are not added up.", cells[-1].where
            )

    def read_day(self, cell: Cell) -> date | None:
        """None for an empty value. Raises CannotCompute for what is no one day."""
        if cell.is_empty:
            return None
        days = parse_dates(cell.value) if isinstance(cell.value, str) and len(cell.value) <= _QUOTED else set()
        if len(days) == 1:
            return days.pop()
        problem = "can be read as two days" if days else "is no date"
        raise CannotCompute(f"{self.title_of(cell)}: {quote(cell.value)} {problem}.", cell.where)

    def require_amount(self, path: str) -> tuple[Cell, Decimal]:
        cell = self.get(path)
        amount = self.read_amount(cell)
        if amount is None:
            raise CannotCompute(f"{self.title_of(cell)} is empty.", cell.where)
        return cell, amount

    def title_of(self, cell: Cell) -> str:
        return self.paths.title_of(cell.path)

    def describe_source(self, cell: Cell) -> str:
        """Who says the value: the page where its words were found, else the field."""
        return "the page says" if (self.provenance.get(cell.where) or {}).get("page") else f"{self.title_of(cell)} says"

    def describe_gap(self) -> str:
        """The likely cause of a sum that is too small, as a further sentence."""
        missing = [page for page in range(1, self.page_count + 1) if page not in set(self.pages_seen)]
        if not missing:
            return ""
        words = ("Pages", "were") if len(missing) > 1 else ("Page", "was")
        return f" {words[0]} {list_pages(missing)} {words[1]} not read."

    @cached_property
    def decimals(self) -> int:
        for name in CURRENCY_NAMES:
            if isinstance(code := self.get(name).value, str):
                return count_decimals(code)
        return 2

    @property
    def smallest_unit(self) -> Decimal:
        return Decimal(1).scaleb(-self.decimals)

    def is_close(self, one: Decimal, other: Decimal, tolerance: Decimal | None) -> bool:
        """Apart by no more than the tolerance, which is the smallest unit of the currency where none is given."""
        return abs(one - other) <= (self.smallest_unit if tolerance is None else tolerance)

    def format_amount(self, amount: Decimal) -> str:
        return format_amount(amount, self.decimals)

    @cached_property
    def decimal_mark(self) -> str:
        leaves = islice(iterate_leaves(self.stored), MAX_TEXTS_FOR_MARK)
        return find_decimal_mark(value for _, value in leaves if isinstance(value, str) and len(value) < _QUOTED)


def quote(value: Stored) -> str:
    text = " ".join(str(value).split())
    return f"“{text[:_QUOTED]}{'…' * (len(text) > _QUOTED)}”"


def list_pages(pages: Iterable[int]) -> str:
    """2, 3, 4, 6 → "2 to 4, 6"; ends after ten stretches."""
    stretches: list[list[int]] = []
    for page in pages:
        if stretches and stretches[-1][1] == page - 1:
            stretches[-1][1] = page
        else:
            stretches.append([page, page])
    words = [str(first) if first == last else f"{first} to {last}" for first, last in stretches]
    return ", ".join(chain(words[:10], ["…"] if len(words) > 10 else []))
