"""The columns of the documents list as its page shows them: words, widths, and what a head sorts by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from accounts.actor import Actor
from documents.find.columns import CHECKS, DEFAULT, MAX_WIDTH, MIN_WIDTH, VERIFIED, VERIFIED_BY, Column, read_columns
from documents.find.field_kinds import FieldKind, describe_fields
from documents.find.fields.columns import KIND, NAME, PERSON, STATE, TAG, TYPE, UPLOADED
from documents.find.filters import DocumentFilter
from documents.find.filters.orders import VALUE

# A name that nobody has widened takes what the others leave, and no less than this.
NAME_WIDTH = 14
# Ticks, the button of what waits, the menu of a row.
_BESIDE = 12
# The stylesheet knows a table's least width in steps.
_STEP = 4
# Where there is no room for columns, as many values stand below the name.
ON_PHONE = 3


class ColumnLook(NamedTuple):
    """`order`: what the list is sorted by for it, empty for nothing. `cell_css` is of its cells alone."""

    title: str
    css: str
    width: int
    order: str = ""
    cell_css: str = ""


LOOKS: Mapping[str, ColumnLook] = {
    NAME: ColumnLook("Name", "c-name", 0, "name"),
    TYPE: ColumnLook("Type", "c-type", 8, cell_css="small"),
    STATE: ColumnLook("State", "c-state", 10, "state"),
    VERIFIED: ColumnLook("Verified", "c-check", 6, "verified", "num quiet"),
    TAG: ColumnLook("Tags", "c-tags", 10, "tags"),
    UPLOADED: ColumnLook("Uploaded", "c-by", 12, "uploaded", "small quiet"),
    KIND: ColumnLook("Format", "c-kind", 6, "kind", "small quiet"),
    PERSON: ColumnLook("Uploaded by", "c-person", 10, "person", "small quiet"),
    VERIFIED_BY: ColumnLook("Verified by", "c-verifier", 10, cell_css="small quiet"),
    CHECKS: ColumnLook("Failed checks", "c-checks", 8),
}
_VALUE_WIDTHS = {"number": 8, "day": 8, "text": 10}


@dataclass(frozen=True)
class ListedColumn:
    """`field` says how its values are read; None for what stands beside the values."""

    column: Column
    look: ColumnLook
    field: FieldKind | None = None

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def is_number(self) -> bool:
        return self.field is not None and self.field.column == "number"

    @property
    def css(self) -> str:
        parts = [self.look.css, "r" if self.is_number else "", f"w-{self.width}" if self.width else ""]
        return " ".join(filter(None, parts))

    @property
    def width(self) -> int:
        """0 for the name where nobody has said."""
        return self.column.width or self.look.width


class Head(NamedTuple):
    """`sorting` is what aria-sort says; `query` the address that sorts by it, or turns it."""

    column: ListedColumn
    query: str
    sorting: str


@dataclass(frozen=True)
class ListTable:
    """`is_own`: they are not those that everybody begins with."""

    narrowing: DocumentFilter
    columns: Sequence[ListedColumn]
    is_own: bool
    widths: tuple[int, int] = (MIN_WIDTH, MAX_WIDTH)
    name_width: int = NAME_WIDTH

    @property
    def heads(self) -> list[Head]:
        return [self._make_head(column) for column in self.columns]

    @property
    def shows_state(self) -> bool:
        return any(column.name == STATE for column in self.columns)

    @property
    def beside_name(self) -> Sequence[ListedColumn]:
        return self.columns[1:]

    @property
    def has_numbers(self) -> bool:
        return any(column.is_number for column in self.columns)

    @property
    def min_width(self) -> int:
        """Where there is less room, the table is moved sideways inside of its frame."""
        width = _BESIDE + sum(column.width or self.name_width for column in self.columns)
        return -(-width // _STEP) * _STEP

    @property
    def query(self) -> str:
        """The address that shows the list with these columns to others too."""
        columns = [column.column for column in self.columns] if self.is_own else ()
        return replace(self.narrowing, columns=columns).format_query()

    def _make_head(self, column: ListedColumn) -> Head:
        name, order = column.look.order, self.narrowing.order
        if not name:
            return Head(column, "", "")
        if order.column != name:
            begin = f"{'-' * (name == 'uploaded' or column.is_number)}{name}"
            return Head(column, self.narrowing.format_query(order=begin), "")
        turned = self.narrowing.format_query(order=f"{'-' * (not order.is_descending)}{name}")
        return Head(column, turned, "descending" if order.is_descending else "ascending")


def make_table(narrowing: DocumentFilter) -> ListTable:
    columns = read_columns(narrowing.actor, narrowing.columns)
    return ListTable(narrowing, list_columns(narrowing.actor, columns), tuple(columns) != DEFAULT)


def list_columns(actor: Actor, columns: Sequence[Column]) -> list[ListedColumn]:
    fields = describe_fields(actor.organization, [column.name for column in columns if column.is_field])
    return [list_column(column, fields.get(column.name)) for column in columns]


def list_column(column: Column, field: FieldKind | None) -> ListedColumn:
    if field is None:
        return ListedColumn(column, LOOKS[column.name])
    look = ColumnLook(field.title, "c-value", _VALUE_WIDTHS[field.column], f"{VALUE}:{column.name}")
    return ListedColumn(column, look, field)
