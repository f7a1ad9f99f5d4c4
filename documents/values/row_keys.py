"""The column by which people name the rows of a list, such as a number or a name, and rows that are addressed by it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from documents.values.addresses import find_where, get_value
from documents.values.stored import Stored, StoredRow
from kit.errors import Invalid, NotFound

# The likelier before the less likely; words of a column's name.
KEY_WORDS = (
    *("id", "no", "nr", "number", "num", "key", "code", "sku", "serial", "reference", "ref", "article", "item"),
    *("position", "pos", "name", "title", "label", "description"),
)
MAX_LETTERS, MAX_NAMED, MAX_SENTENCE = 40, 8, 120
MAX_BY_POSITION = 10
"""Rows of a list in which a row may be named by its position although it has a key."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_KEYED = re.compile(r"(?P<array>[^\[\]]+)\[(?P<column>[^\[\]=]+)=(?P<key>[^\[\]]*)\]")


def find_key_column(rows: Sequence[StoredRow]) -> str:
    """The likeliest in which no two rows have the same; empty where there is none, or one row alone."""
    first = rows[0]["value"] if len(rows) > 1 else None
    if not isinstance(first, dict):
        return ""
    ranked = sorted((rank, name) for name in first if (rank := _rank(name)) < len(KEY_WORDS))
    return next((name for _, name in ranked if _tells_apart(rows, name)), "")


def list_telling_columns(rows: Sequence[StoredRow]) -> list[str]:
    """Columns in which no two rows have the same; none where there is one row alone."""
    first = rows[0]["value"] if len(rows) > 1 else None
    return [name for name in first if _tells_apart(rows, name)] if isinstance(first, dict) else []


def read_cells(rows: Sequence[StoredRow], column: str) -> list[str]:
    """As a key is written: empty for what is no text or number."""
    return [_write_key(_get_cell(row, column)) for row in rows]


def describe_key(rows: Sequence[StoredRow], position: int) -> str:
    """What names this row among the others; empty where nothing does."""
    column = find_key_column(rows) if position < len(rows) else ""
    return _write_key(_get_cell(rows[position], column))[:MAX_LETTERS] if column else ""


def describe_neighbours(rows: Sequence[StoredRow], position: int) -> str:
    """Such as “after A-16, before A-18”; empty where rows have no key."""
    column = find_key_column(rows)
    near = (("after", position - 1), ("before", position + 1)) if column else ()
    named = [(word, at) for word, at in near if 0 <= at < len(rows)]
    return ", ".join(f"{word} {_write_key(_get_cell(rows[at], column))[:MAX_LETTERS]}" for word, at in named)


def require_key(stored: Stored, path: str) -> None:
    """Raises Invalid for a row of a long list that is named by its position although it has a key.

    Whoever counts rows is easily off by one, and the value of another row would be changed.
    """
    names = path.split(".")
    for at, name in enumerate(names):
        if not at or not name.isdecimal():
            continue
        array = ".".join(names[:at])
        rows = get_value(stored, find_where(stored, array))
        if not isinstance(rows, list) or not MAX_BY_POSITION < len(rows) > int(name):
            continue
        if column := find_key_column(rows):
            there = f"{array}[{column}={_write_key(_get_cell(rows[int(name)], column))}]"
            raise Invalid(f"Name rows of {array} by {column}. Position {name} is {there[:MAX_SENTENCE]}.")


class RowNames:
    """Paths in which rows that have a key are named by it, as `locate_rows` takes them."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._columns: dict[str, str] = {}

    def name(self, path: str) -> str:
        """`assets[no=A0105].location` of `assets.104.location`."""
        named, names = "", path.split(".")
        for at, name in enumerate(names):
            key = self._find_key(".".join(names[:at]), int(name)) if at and name.isdecimal() else ""
            named += key or (f".{name}" if at else name)
        return named

    def _find_key(self, array: str, position: int) -> str:
        """Empty for a key that holds brackets."""
        rows = get_value(self._stored, find_where(self._stored, array))
        if not isinstance(rows, list) or position >= len(rows):
            return ""
        if array not in self._columns:
            self._columns[array] = find_key_column(rows)
        column = self._columns[array]
        key = _write_key(_get_cell(rows[position], column)) if column else ""
        return f"[{column}={key}]" if key and not set("[]=") & set(f"{column}{key}") and len(key) <= MAX_LETTERS else ""


def locate_rows(stored: Stored, path: str) -> str:
    """`assets[no=A0105].location` with the position in place of the key; a path without keys as it is.

    Raises NotFound where no row has the key, and Invalid where several do, or the column is none.
    """
    while match := _KEYED.match(path):
        array = match["array"]
        rows = get_value(stored, find_where(stored, array))
        if not isinstance(rows, list):
            raise Invalid(f"{array[:60]} is no list, so no row of it has a {match['column'][:MAX_LETTERS]}.")
        position, inside = _find_position(rows, array, match["column"], match["key"]), path[match.end() :]
        if inside[:1] not in ("", ".", "["):  # A digit there would make the position another row's.
            raise Invalid(f"After {match[0][:MAX_LETTERS]} comes a dot or nothing.")
        path = f"{array}.{position}{inside}"
    return path


def _find_position(rows: Sequence[StoredRow], array: str, column: str, key: str) -> int:
    columns = list(dict.fromkeys(name for row in rows if isinstance(row["value"], dict) for name in row["value"]))
    if column not in columns:
        there = ", ".join(columns[:MAX_NAMED]) or "none"
        raise Invalid(f"The rows of {array} have no {column[:MAX_LETTERS]}. Their columns are: {there}.")
    places = [at for at, row in enumerate(rows) if _write_key(_get_cell(row, column)) == key.strip()]
    named = f"{column} “{key.strip()[:MAX_LETTERS]}”"
    if not places:
        keys = ", ".join(_write_key(_get_cell(row, column))[:MAX_LETTERS] for row in rows[:MAX_NAMED])
        raise NotFound(f"No row of {array} has {named}. The first have: {keys}.")
    if len(places) > 1:
        positions = ", ".join(map(str, places[:MAX_NAMED]))
        raise Invalid(f"{len(places)} rows of {array} have {named}. Name one by its position from 0: {positions}.")
    return places[0]


def _rank(name: str) -> int:
    words = {word.lower() for word in _WORD.findall(name)}
    return next((rank for rank, word in enumerate(KEY_WORDS) if word in words), len(KEY_WORDS))


def _tells_apart(rows: Sequence[StoredRow], column: str) -> bool:
    cells = read_cells(rows, column)
    return all(cells) and len(set(cells)) == len(cells)


def _get_cell(row: StoredRow, column: str) -> Stored:
    value = row["value"]
    return value.get(column) if isinstance(value, dict) else None


def _write_key(cell: Stored) -> str:
    """Empty for what is no text or number."""
    return str(cell).strip() if isinstance(cell, str | int | float) and not isinstance(cell, bool) else ""
