"""Rows of a table, made of the nested values of a document: an entry of a list is a row, with the head repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from documents.results.layout import ResultColumn
from documents.values import Stored, Where


class PlacedValue(NamedTuple):
    """A value of a column and its address; `run` is the place of its run among those of the document."""

    run: int
    where: Where
    value: Stored


ValueRow: TypeAlias = Mapping[int, PlacedValue]
"""By the number of the column."""


@dataclass
class FieldNode:
    """A part of the values in which chosen columns stand; `column` is the number of its own."""

    column: int | None = None
    children: dict[str, FieldNode] = field(default_factory=dict)


@dataclass(frozen=True)
class ListRow:
    """An entry of a list. `number` is such as 2, or 2.1 for an entry of a list that stands in entry 2."""

    number: str
    cells: ValueRow


@dataclass
class RowTree:
    """The chosen columns by the names that lead to them."""

    root: FieldNode = field(default_factory=FieldNode)

    @classmethod
    def plant(cls, columns: Sequence[ResultColumn]) -> RowTree:
        tree = cls()
        for number, column in enumerate(columns):
            if column.is_field and not column.name.startswith("metadata."):
                node = tree.root
                for name in column.name.split("."):
                    node = node.children.setdefault(name, FieldNode())
                node.column = number
        return tree

    def read_rows(self, roots: Mapping[str, PlacedValue]) -> Iterator[ListRow]:
        """One for the document where no chosen list has an entry. `roots`: its values by their first name."""
        yield from _read_rows(_read_level(self.root, roots), "")


def list_roots(run: int, current: Stored) -> dict[str, PlacedValue]:
    if not isinstance(current, dict):
        return {}
    return {name: PlacedValue(run, name, value) for name, value in current.items()}


class _Level(NamedTuple):
    """Single values at one level of the document, and its lists, each with what is chosen of its entries."""

    cells: dict[int, PlacedValue]
    lists: list[tuple[FieldNode, PlacedValue]]


def _read_level(node: FieldNode, values: Mapping[str, PlacedValue]) -> _Level:
    level = _Level({}, [])
    for name, child in node.children.items():
        if name in values:
            _read_child(level, child, values[name])
    return level


def _read_child(level: _Level, child: FieldNode, placed: PlacedValue) -> None:
    if child.column is not None:
        level.cells[child.column] = placed
    if child.children and isinstance(placed.value, list):
        level.lists.append((child, placed))
    elif child.children and isinstance(placed.value, dict):
        inner = _read_level(child, _enter(placed, placed.where, placed.value))
        level.cells.update(inner.cells)
        level.lists.extend(inner.lists)


def _enter(placed: PlacedValue, where: Where, value: Mapping[str, Stored]) -> dict[str, PlacedValue]:
    return {name: PlacedValue(placed.run, f"{where}.{name}", inner) for name, inner in value.items()}


def _read_rows(level: _Level, number: str) -> Iterator[ListRow]:
    is_empty = True
    for row in _read_entries(level, number):
        is_empty = False
        yield ListRow(row.number, {**level.cells, **row.cells})
    if is_empty:
        yield ListRow(number, level.cells)


def _read_entries(level: _Level, number: str) -> Iterator[ListRow]:
    for node, placed in level.lists:
        for position, entry in enumerate(placed.value, start=1):
            inner, where = entry["value"], f"{placed.where}[{entry['row_id']}]"
            values = _enter(placed, where, inner) if isinstance(inner, dict) else {}
            yield from _read_rows(_read_level(node, values), f"{number}.{position}".removeprefix("."))
