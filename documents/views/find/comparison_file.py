"""The differences of two documents as lines of CSV: one for each difference, with its place in either."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from documents.comparing import Change, Side
from documents.comparing.results import Kind, Matter
from documents.extractions.value_differences import PlacedValue, ValueComparison
from documents.reading.exports.csv_lines import MARK, format_lines

HEADS = ("number", "kind", "about", "under", "was", "page", "now", "now on page")
NOTE = "note"
_KINDS: dict[tuple[bool, bool], Kind] = {(True, True): "changed", (True, False): "removed", (False, True): "added"}


def write_differences(
    changes: Sequence[Change], not_compared: Sequence[str], compared: ValueComparison | None, words: dict[Matter, str]
) -> bytes:
    """Values come first, as on the page. Notes about what was not read or compared follow as lines of their own."""
    lines = [*_list_values(compared), *_list_changes(changes, words)]
    notes = [("", NOTE, "", "", note) for note in not_compared]
    numbered = [(at, *line) for at, line in enumerate(lines, 1)]
    return MARK + format_lines([HEADS, *numbered, *notes]).encode()


def _list_values(compared: ValueComparison | None) -> Iterator[tuple[object, ...]]:
    for each in compared.differences if compared else ():
        kind = _KINDS[each.one is not None, each.other is not None]
        yield kind, "value", each.title, *_write_value(each.one), *_write_value(each.other)


def _write_value(value: PlacedValue | None) -> Sequence[object]:
    return (value.text, value.page_words.removeprefix("Page ")) if value else ("", "")


def _list_changes(changes: Iterable[Change], words: dict[Matter, str]) -> Iterator[tuple[object, ...]]:
    for each in changes:
        yield each.kind, words[each.matter], each.section, *_write_side(each.one), *_write_side(each.other)


def _write_side(side: Side | None) -> Sequence[object]:
    return (side.text, side.place.page) if side else ("", "")
