"""The extracted values of two documents that differ, where one prompt, or one schema, gave both."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import zip_longest
from typing import Literal, TypeAlias

from documents.extractions.extraction_view import FieldView, RowView, TableView, build_view
from documents.index.values.indexing import read_day
from documents.models import Document, Extraction
from documents.values.aligning import align
from printed.numbers import list_readings, parse_money

DifferenceKind: TypeAlias = Literal["number", "day", "text"]
KINDS: tuple[DifferenceKind, ...] = ("number", "day", "text")
_NUMBERS = ("number", "integer")
MAX_NAME = 80
# Letters, currencies and other signs by their Unicode categories. Spaces and points only group figures.
_BESIDE_NUMBER = ("Ll", "Lu", "Lt", "Lm", "Lo", "Sc", "So")


@dataclass(frozen=True)
class PlacedValue:
    """`block_id` is that of the line in which it stands; empty where it was located nowhere. `words` are the ids of its
    words, where they are known."""

    text: str
    number: Decimal | None
    day: date | None
    block_id: str
    words: Sequence[str] = ()

    @property
    def page_words(self) -> str:
        return f"Page {self.block_id.split('.')[1]}" if self.block_id else ""


@dataclass(frozen=True)
class ValueDifference:
    """A side is None where that document has no such value."""

    title: str
    kind: DifferenceKind
    one: PlacedValue | None
    other: PlacedValue | None

    @property
    def growth(self) -> Decimal | None:
        """By how much the number of the other is larger."""
        numbers = [side.number for side in (self.one, self.other) if side and side.number is not None]
        return numbers[1] - numbers[0] if self.kind == "number" and len(numbers) == 2 else None

    @property
    def days(self) -> int | None:
        """By how many days the other is later."""
        days = [side.day for side in (self.one, self.other) if side and side.day]
        return (days[1] - days[0]).days if self.kind == "day" and len(days) == 2 else None


@dataclass(frozen=True)
class ValueComparison:
    """`differences` are numbers first, then dates. `same` counts the values that are equal."""

    prompts: tuple[str, str]
    differences: Sequence[ValueDifference]
    same: int


def compare_values(one: Document, other: Document) -> ValueComparison | None:
    """None where no prompt, and no schema, has a result of both."""
    runs = _choose_runs(one, other)
    if runs is None:
        return None
    views = [build_view(run) for run in runs]
    pairs = _pair_items(views[0].items, views[1].items)
    compared = [(title, _place(left, runs[0]), _place(right, runs[1])) for title, (left, right) in pairs]
    filled = [each for each in compared if each[1] or each[2]]
    differences = [_describe(*each) for each in filled if not _is_same(each[1], each[2])]
    differences.sort(key=lambda difference: KINDS.index(difference.kind))
    return ValueComparison((views[0].title, views[1].title), differences, len(filled) - len(differences))


def _choose_runs(one: Document, other: Document) -> tuple[Extraction, Extraction] | None:
    """The newest of the same prompt, else of the same schema."""
    newest = Extraction.objects.filter_newest_of_prompts().filter(schema_revision__isnull=False)
    rows = newest.select_related("prompt_revision__prompt", "schema_revision").order_by("-number")
    lefts, rights = list(rows.filter(document=one)), list(rows.filter(document=other))
    for get_key in (_get_prompt, _get_schema):
        by_key = {get_key(run): run for run in reversed(rights)}
        pair = next(((run, by_key[get_key(run)]) for run in lefts if get_key(run) in by_key), None)
        if pair:
            return pair
    return None


def _get_prompt(run: Extraction) -> str:
    return run.prompt_revision.prompt_id if run.prompt_revision else ""


def _get_schema(run: Extraction) -> str:
    return run.schema_revision.schema_id if run.schema_revision else ""


Pair: TypeAlias = tuple[str, tuple[FieldView | None, FieldView | None]]


def _pair_items(ones: Sequence[FieldView | TableView], others: Sequence[FieldView | TableView]) -> Iterator[Pair]:
    by_place = {item.where: item for item in others}
    mine = {item.where for item in ones}
    for item in [*ones, *(item for item in others if item.where not in mine)]:
        left = item if item.where in mine else None
        right = by_place.get(item.where)
        title = f"{item.group} · {item.title}" if item.group else item.title
        if isinstance(item, TableView):
            yield from _pair_rows(title, _list_rows(left), _list_rows(right))
        else:
            yield title, (_as_field(left), _as_field(right))


def _as_field(item: FieldView | TableView | None) -> FieldView | None:
    return item if isinstance(item, FieldView) else None


def _list_rows(item: FieldView | TableView | None) -> Sequence[RowView]:
    return item.rows if isinstance(item, TableView) else ()


def _pair_rows(title: str, ones: Sequence[RowView], others: Sequence[RowView]) -> Iterator[Pair]:
    """Rows of one name stand for each other; between those they are paired in their order."""
    for a, b, c, d in align([_name(row) for row in ones], [_name(row) for row in others]):
        for left, right in zip_longest(ones[a:b], others[c:d]):
            row = left or right
            yield from _pair_cells(f"{title} · {_name(row)}" if row else title, left, right)


def _name(row: RowView) -> str:
    """Its first words; its position where it has numbers alone."""
    words = (cell.shown for cell in row.cells if cell.type not in _NUMBERS and cell.shown)
    return next(words, f"row {row.position + 1}")[:MAX_NAME]


def _pair_cells(title: str, left: RowView | None, right: RowView | None) -> Iterator[Pair]:
    for one, other in zip_longest(left.cells if left else (), right.cells if right else ()):
        cell = one or other
        yield f"{title} · {cell.title}" if cell else title, (one, other)


def _place(field: FieldView | None, run: Extraction) -> PlacedValue | None:
    if field is None or field.raw in (None, "", []):
        return None
    blocks = run.provenance.get(field.where, {}).get("blocks") or ()
    line = ".".join(blocks[0].split(".")[:2]) if blocks else ""
    block_id = f"{run.reading_id}.{line}" if line and run.reading_id else ""
    words = [f"{run.reading_id}.{block}" for block in blocks if block_id and block.count(".") > 1]
    return PlacedValue(field.shown, _read_number(field), read_day(field.raw), block_id, words)


def _read_number(field: FieldView) -> Decimal | None:
    """A text is an amount where nothing else but a number stands in it, and it has more than plain digits."""
    if field.type in _NUMBERS:
        readings = list_readings(field.raw)
        return next(iter(readings)) if len(readings) == 1 else None
    amounts = parse_money(field.raw) if isinstance(field.raw, str) else []
    return amounts[0].value if len(amounts) == 1 else None


def _is_same(one: PlacedValue | None, other: PlacedValue | None) -> bool:
    if one is None or other is None:
        return False
    if one.number is not None and other.number is not None:
        return one.number == other.number and _strip_figures(one.text) == _strip_figures(other.text)
    return (one.day is not None and one.day == other.day) or one.text.split() == other.text.split()


def _strip_figures(text: str) -> str:
    """Keep the letters and signs beside a number, such as its currency."""
    return "".join(letter for letter in text if letter == "%" or unicodedata.category(letter) in _BESIDE_NUMBER)


def _describe(title: str, one: PlacedValue | None, other: PlacedValue | None) -> ValueDifference:
    sides = [side for side in (one, other) if side]
    if all(side.number is not None for side in sides):
        return ValueDifference(title, "number", one, other)
    return ValueDifference(title, "day" if all(side.day for side in sides) else "text", one, other)
